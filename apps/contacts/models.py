from typing import Any, Self

from django.db import models
from django.utils import timezone

from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow
from apps.common.models import TenantQuerySet, TimestampedModel
from apps.common.search import fold
from apps.common.sheet_jobs import SheetImport
from apps.contacts.numbers import LID_SUFFIX, id_field

USERNAME_LENGTH = 100
# A user id of Meta's: country, 'ENT' where it is of a portfolio, up to 128 letters or digits.
LID_LENGTH = 140
# Also a LID with 'lid:' before it or '@lid' behind.
NUMBER_LENGTH = 150
# So much of a line of extra info is compared.
FOLDED_LENGTH = 200


class NameKey(models.Func):
    """The start of a contact's search text, by which contacts are ordered and found first.

    It begins with the folded name; 100 characters keep it below an index's limit. Compared byte by
    byte, so that one index serves the order and the beginnings of names.
    """

    template = "SUBSTR(%(expressions)s, 1, 100)"
    output_field = models.TextField()

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """Compare as SQLite does, whatever the database's own rules of sorting."""
        template = f'{self.template} COLLATE "C"'
        return self.as_sql(compiler, connection, template=template, **context)


class ContactQuerySet(TenantQuerySet["Contact"]):
    def known_by(self, lid: str) -> Self:
        """Keep who has a LID or user id, told apart by its form."""
        return self.filter(**{id_field(lid): lid})


class Contact(TimestampedModel):
    """A person or group that writes to a company.

    `number` is what the provider calls them; `canonical_number` is unique and makes Brazilian
    mobile numbers with and without the ninth digit one contact (rules/contacts §2). `lid` is what
    QR sessions call them beside it, `user_id` is Meta's business-scoped user id (`numbers.id_field`
    tells the two apart), `username` what they chose to be called.
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
        """Tell whether there is more than a LID or user id to send to."""
        return self.number != "" and not self.number.endswith(LID_SUFFIX)

    @property
    def ids(self) -> list[str]:
        """Return what stands for the number at a provider: user id and LID, as far as known."""
        return [each for each in (self.user_id, self.lid) if each]

    def address(self, *, is_official: bool) -> str:
        """Return what the official API, or a QR session, sends to: the number, else its own id.

        Where nothing but the other's id is known it is that, and refused there.
        """
        own = self.user_id if is_official else self.lid
        return f"{own}{LID_SUFFIX}" if own and not self.has_number else self.number

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep the folded search text in step with name, number, e-mail, username and ids."""
        self.fold_text()
        fields = kwargs.get("update_fields")
        if fields is not None:
            kwargs["update_fields"] = {*fields, "search_text"}
        super().save(*args, **kwargs)

    def fold_text(self) -> None:
        """Set the search text; who stores many at once calls it for each."""
        words = (self.name, self.number, self.email, self.username, *self.ids)
        self.search_text = fold(" ".join(words).rstrip())


class ContactMerge(models.Model):
    """Two contacts that a person made one, and how to part them again (rules/contacts §10).

    `gone` are the fields of the contact that went, `filled` what the survivor got of them ([before,
    after] by field), `rows` which rows moved, `notes` what else tickets remember. All are emptied
    when it is taken back.
    """

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    contact = models.ForeignKey(Contact, on_delete=models.CASCADE, related_name="merges")
    user = models.ForeignKey(
        "accounts.User", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    # Who stayed; `contact` is another one where that was merged away itself.
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
    """A file of contacts on its way in (rules/contacts §12).

    A company has its newest alone; the audit knows of the others. `columns` are the names in its
    header. Of the `existing_count` who were there, `filled_count` got something that was missing.
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
    """A row of a file that made no contact, and why; `cells` stand under the import's `columns`."""

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
    """The looks at what somebody shows of themselves in WhatsApp (rules/contacts §11).

    `name` is the provider's of the picture that is here, '' for none.
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
        """Store many; each is found by its folded texts, as one that is saved alone."""
        lines = list(objs)
        for line in lines:
            line.fold_texts()
        return super().bulk_create(lines, *args, **options)


class ContactField(models.Model):
    """One line of a contact's extra info (name and value), found by either, folded.

    Of a longer value the beginning is compared.
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
        """Keep the folded texts in step with name and value."""
        self.fold_texts()
        fields = kwargs.get("update_fields")
        if fields is not None:
            kwargs["update_fields"] = {*fields, "folded_name", "folded_value"}
        super().save(*args, **kwargs)

    def fold_texts(self) -> None:
        self.folded_name, self.folded_value = folded(self.name), folded(self.value)


def folded(text: str) -> str:
    """Return a text of extra info as it is compared: folded, its beginning."""
    return fold(text)[:FOLDED_LENGTH]


class Tag(TimestampedModel):
    """A label for tickets; a kanban tag is also a lane of the board.

    Names that differ in case or accents alone are one tag: `search_text` is unique.
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
        """Keep the folded search text in step with the name."""
        self.search_text = fold(self.name)
        fields = kwargs.get("update_fields")
        if fields is not None:
            kwargs["update_fields"] = {*fields, "search_text"}
        super().save(*args, **kwargs)


class TicketNote(TimestampedModel):
    """An observation on a contact, written beside one of its tickets; it outlives the ticket."""

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
