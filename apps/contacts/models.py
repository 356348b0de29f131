from typing import Any, Self

from django.db import models
from django.utils import timezone

from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow
from apps.common.models import TenantQuerySet, TimestampedModel
from apps.common.search import fold
from apps.common.sheet_jobs import SheetImport
from apps.contacts.numbers import LID_SUFFIX, id_field

USERNAME_LENGTH = 100
# Meta's user id: a country code, 'ENT' for a portfolio, and up to 128 letters or digits.
LID_LENGTH = 140
# Also fits a LID with the prefix 'lid:' or the suffix '@lid'.
NUMBER_LENGTH = 150
# Compared length of the names and values of extra info.
FOLDED_LENGTH = 200


class NameKey(models.Func):
    """The first 100 characters of the search text, the sort key of contacts.

    It begins with the folded name. The length keeps it below the limit of an index. It is compared
    byte by byte, so that one index serves both the order and searches by prefix.
    """

    template = "SUBSTR(%(expressions)s, 1, 100)"
    output_field = models.TextField()

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """Compare by bytes as SQLite does, whatever the database's collation."""
        template = f'{self.template} COLLATE "C"'
        return self.as_sql(compiler, connection, template=template, **context)


class ContactQuerySet(TenantQuerySet["Contact"]):
    def known_by(self, lid: str) -> Self:
        """Keep the contact with this LID or user id; the form of the id tells which it is."""
        return self.filter(**{id_field(lid): lid})


class Contact(TimestampedModel):
    """A person or group that writes to a company.

    `number` is the provider's form of the number. `canonical_number` is unique and the same for a
    Brazilian mobile number with and without the ninth digit (rules/contacts §2). `lid` is the id in
    QR sessions, `user_id` is Meta's business-scoped user id (`numbers.id_field` distinguishes
    them), and `username` is the name that the person chose.
    """

    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="contacts"
    )
    name = models.CharField(max_length=200)
    number = models.CharField(max_length=NUMBER_LENGTH)
    canonical_number = models.CharField(max_length=NUMBER_LENGTH)
    lid = models.CharField(max_length=LID_LENGTH, null=True, blank=True)
    user_id = models.CharField(max_length=LID_LENGTH, null=True, blank=True)
    username = models.CharField(max_length=USERNAME_LENGTH, blank=True, default="")
    email = models.EmailField(blank=True)
    picture_path = models.CharField(max_length=300, blank=True)
    is_group = models.BooleanField(default=False)
    # Its messages are not stored (rules/contacts §14).
    is_ignored = models.BooleanField(default=False, db_default=False)
    connection = models.ForeignKey(
        "connections.Connection", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    search_text = models.TextField(editable=False)

    objects = ContactQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["company", "canonical_number"], name="one_contact_per_number"
            ),
            models.UniqueConstraint(
                fields=["company", "lid"],
                condition=models.Q(lid__isnull=False),
                name="one_contact_per_lid",
            ),
            models.UniqueConstraint(
                fields=["company", "user_id"],
                condition=models.Q(user_id__isnull=False),
                name="one_contact_per_user_id",
            ),
        ]
        indexes = [models.Index("company", NameKey("search_text"), "id", name="contact_by_key")]

    def __str__(self) -> str:
        return self.name

    @property
    def has_number(self) -> bool:
        """Tell whether the contact has a number, not only a LID or user id."""
        return self.number != "" and not self.number.endswith(LID_SUFFIX)

    @property
    def ids(self) -> list[str]:
        """Return the known ids that replace the number at providers: user id and LID."""
        return [each for each in (self.user_id, self.lid) if each]

    def address(self, *, is_official: bool) -> str:
        """Return the address for the official API or for a QR session: the number, else its id.

        If only the other provider's id is known, the result is that id, which the provider rejects.
        """
        own = self.user_id if is_official else self.lid
        return f"{own}{LID_SUFFIX}" if own and not self.has_number else self.number

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.fold_text()
        fields = kwargs.get("update_fields")
        if fields is not None:
            kwargs["update_fields"] = {*fields, "search_text"}
        super().save(*args, **kwargs)

    def fold_text(self) -> None:
        """Set the search text; `bulk_create` needs this call for each contact."""
        words = (self.name, self.number, self.email, self.username, *self.ids)
        self.search_text = fold(" ".join(words).rstrip())


class ContactMerge(models.Model):
    """A merge of two contacts by a user, with the data to undo it (rules/contacts §10).

    `gone` has the fields of the deleted contact. `filled` has the fields that the survivor got from
    it, as [before, after]. `rows` are the ids of the moved rows, and `notes` are further data of
    the apps, e.g. of tickets. All four are emptied when the merge is undone.
    """

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    contact = models.ForeignKey(Contact, on_delete=models.CASCADE, related_name="merges")
    user = models.ForeignKey(
        "accounts.User", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    # The survivor. `contact` differs from it if the survivor was merged into another contact later.
    kept_id = models.BigIntegerField()
    gone_id = models.BigIntegerField()
    gone = models.JSONField(default=dict)
    filled = models.JSONField(default=dict)
    rows = models.JSONField(default=dict)
    notes = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)
    undone_at = models.DateTimeField(null=True)

    objects = TenantQuerySet.as_manager()

    def __str__(self) -> str:
        return f"merge {self.pk} into contact {self.contact_id}"


class ContactImport(SheetImport):
    """An import of a file of contacts (rules/contacts §12).

    Only the newest import of a company is kept; the audit log has the earlier ones. `columns` are
    the names in the header. `filled_count` of the `existing_count` existing contacts got missing
    data. `layout` has the fields of the SheetLayout that the user chose, null to guess it.
    """

    wakes = "contacts.import_files"

    company = models.OneToOneField("companies.Company", on_delete=models.CASCADE, related_name="+")
    company_id: int
    user = models.ForeignKey(
        "accounts.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    existing_count = models.PositiveIntegerField(default=0)
    filled_count = models.PositiveIntegerField(default=0)
    columns = models.JSONField(default=list)
    layout = models.JSONField(null=True, blank=True)

    objects = LeasedQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(
                fields=["next_attempt_at", "id"], condition=UNFINISHED, name="contact_import_due"
            )
        ]

    def __str__(self) -> str:
        return f"import {self.pk} of contacts"


class ContactImportFault(models.Model):
    """A rejected row of a file, with the reason; `cells` belong to the import's `columns`."""

    contact_import = models.ForeignKey(
        ContactImport, on_delete=models.CASCADE, related_name="faults"
    )
    row = models.PositiveIntegerField()
    cells = models.JSONField()
    code = models.CharField(max_length=50)

    class Meta:
        ordering = ["row", "id"]
        indexes = [
            models.Index(fields=["contact_import", "row", "id"], name="contact_fault_by_row")
        ]

    def __str__(self) -> str:
        return f"row {self.row}: {self.code}"


class ContactPicture(LeasedRow):
    """The checks of a contact's profile picture in WhatsApp (rules/contacts §11).

    `name` is the provider's name of the stored picture, '' without one.
    """

    wakes = "contacts.fetch_pictures"

    contact = models.OneToOneField(Contact, on_delete=models.CASCADE, related_name="picture")
    contact_id: int
    connection = models.ForeignKey(
        "connections.Connection", on_delete=models.CASCADE, related_name="+"
    )
    name = models.CharField(max_length=100, blank=True)
    wanted_at = models.DateTimeField(default=timezone.now)

    objects = LeasedQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["id"], condition=UNFINISHED, name="picture_due")]

    def __str__(self) -> str:
        return f"picture of contact {self.contact_id}"


class ContactFieldQuerySet(models.QuerySet["ContactField"]):
    def bulk_create(self, objs: Any, *args: Any, **options: Any) -> Any:
        """Set the folded texts, because `bulk_create` does not call `save`."""
        lines = list(objs)
        for line in lines:
            line.fold_texts()
        return super().bulk_create(lines, *args, **options)


class ContactField(models.Model):
    """A line of a contact's extra info (name and value), searchable by both.

    Only the first FOLDED_LENGTH characters of each are compared.
    """

    contact = models.ForeignKey(Contact, on_delete=models.CASCADE, related_name="extra_info")
    name = models.CharField(max_length=100)
    value = models.TextField(blank=True)
    folded_name = models.CharField(
        max_length=FOLDED_LENGTH, editable=False, default="", db_default=""
    )
    folded_value = models.CharField(
        max_length=FOLDED_LENGTH, editable=False, default="", db_default=""
    )

    objects = ContactFieldQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(
                fields=["folded_name", "folded_value", "contact"], name="contact_field_by_text"
            )
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.fold_texts()
        fields = kwargs.get("update_fields")
        if fields is not None:
            kwargs["update_fields"] = {*fields, "folded_name", "folded_value"}
        super().save(*args, **kwargs)

    def fold_texts(self) -> None:
        self.folded_name, self.folded_value = folded(self.name), folded(self.value)


def folded(text: str) -> str:
    """Return the compared form of a text of extra info: folded and shortened."""
    return fold(text)[:FOLDED_LENGTH]


class Tag(TimestampedModel):
    """A label for tickets; a kanban tag is also a lane of the board.

    Names that differ only in case or accents are the same tag: `search_text` is unique.
    """

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="tags")
    user = models.ForeignKey(
        "accounts.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    name = models.CharField(max_length=100)
    color = models.CharField(max_length=9)
    is_kanban = models.BooleanField(default=False)
    search_text = models.TextField(editable=False)

    objects = TenantQuerySet.as_manager()

    class Meta:
        ordering = ["search_text", "id"]
        constraints = [
            models.UniqueConstraint(fields=["company", "search_text"], name="one_tag_per_name")
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.search_text = fold(self.name)
        fields = kwargs.get("update_fields")
        if fields is not None:
            kwargs["update_fields"] = {*fields, "search_text"}
        super().save(*args, **kwargs)


class TicketNote(TimestampedModel):
    """A note on a contact, written in one of its tickets; it stays if the ticket is deleted."""

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    contact = models.ForeignKey(Contact, on_delete=models.CASCADE, related_name="notes")
    ticket = models.ForeignKey(
        "tickets.Ticket", null=True, on_delete=models.SET_NULL, related_name="notes"
    )
    user = models.ForeignKey(
        "accounts.User", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    note = models.TextField()

    objects = TenantQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"note {self.pk} on contact {self.contact_id}"
