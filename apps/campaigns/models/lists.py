"""Contact lists, their spreadsheet imports and number checks (rules/contact-lists §1)."""

from typing import Any

from django.db import models

from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow
from apps.common.models import TenantQuerySet, TimestampedModel
from apps.common.search import fold
from apps.common.sheet_jobs import SheetImport
from apps.contacts.models import NUMBER_LENGTH, NameKey

NAME_LENGTH = 50


class ContactList(TimestampedModel):
    """A named list of people whom campaigns may write to.

    `contacts_count` counts its items: lock this row to add or delete items.
    """

    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="contact_lists"
    )
    name = models.CharField(max_length=NAME_LENGTH)
    contacts_count = models.PositiveIntegerField(default=0)
    search_text = models.TextField(editable=False)

    objects = TenantQuerySet.as_manager()

    class Meta:
        ordering = ["search_text", "id"]
        indexes = [
            models.Index(fields=["company", "search_text", "id"], name="contact_list_by_name")
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


class ContactListItem(TimestampedModel):
    """One person of a list; `canonical_number` is unique in the list (rules/contacts §2).

    `is_whatsapp_valid` is null until the number is checked. `checked_at` is set when WhatsApp
    answered for the number. In a company without QR sessions numbers are valid by their form, and
    have no `checked_at`.
    """

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    contact_list = models.ForeignKey(ContactList, on_delete=models.CASCADE, related_name="items")
    name = models.CharField(max_length=NAME_LENGTH)
    number = models.CharField(max_length=NUMBER_LENGTH)
    canonical_number = models.CharField(max_length=NUMBER_LENGTH)
    email = models.EmailField(blank=True)
    is_whatsapp_valid = models.BooleanField(null=True, blank=True)
    checked_at = models.DateTimeField(null=True, blank=True)
    search_text = models.TextField(editable=False)

    objects = TenantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["contact_list", "canonical_number"], name="one_item_per_number"
            )
        ]
        indexes = [
            models.Index("contact_list", NameKey("search_text"), "id", name="list_item_by_key"),
            models.Index(
                fields=["contact_list", "id"],
                condition=models.Q(is_whatsapp_valid__isnull=True),
                name="list_item_to_check",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep the folded search text in step with name, number and e-mail."""
        self.fold_text()
        fields = kwargs.get("update_fields")
        if fields is not None:
            kwargs["update_fields"] = {*fields, "search_text"}
        super().save(*args, **kwargs)

    def fold_text(self) -> None:
        """Set the search text; bulk operations need this call, as they do not call `save`."""
        self.search_text = fold(f"{self.name} {self.number} {self.email}".rstrip())


class ContactListImport(SheetImport):
    """The import of a spreadsheet into a list; earlier imports are in the audit log only.

    `layout` has the fields of the SheetLayout that the user chose, null to guess it.
    """

    wakes = "campaigns.import_lists"

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    contact_list = models.OneToOneField(
        ContactList, on_delete=models.CASCADE, related_name="newest_import"
    )
    user = models.ForeignKey(
        "accounts.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    duplicates_count = models.PositiveIntegerField(default=0)
    layout = models.JSONField(null=True, blank=True)
    error_detail = models.CharField(max_length=300, blank=True)

    objects = LeasedQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(
                fields=["next_attempt_at", "id"], condition=UNFINISHED, name="list_import_due"
            )
        ]

    def __str__(self) -> str:
        return f"import {self.pk} into list {self.contact_list_id}"


class ImportFault(models.Model):
    """A spreadsheet row that was not imported, and why; `row` is its number in the spreadsheet."""

    list_import = models.ForeignKey(
        ContactListImport, on_delete=models.CASCADE, related_name="faults"
    )
    row = models.PositiveIntegerField()
    name = models.CharField(max_length=200, blank=True)
    number = models.CharField(max_length=60, blank=True)
    email = models.CharField(max_length=254, blank=True)
    code = models.CharField(max_length=50)

    class Meta:
        ordering = ["row", "id"]
        indexes = [models.Index(fields=["list_import", "row", "id"], name="import_fault_by_row")]

    def __str__(self) -> str:
        return f"row {self.row}: {self.code}"


class ContactListCheck(LeasedRow):
    """The work of checking a list's unchecked numbers with WhatsApp (rules/contact-lists §4).

    A list whose numbers are all checked has none, or one that is done.
    """

    wakes = "campaigns.check_numbers"

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    contact_list = models.OneToOneField(
        ContactList, on_delete=models.CASCADE, related_name="number_check"
    )

    objects = LeasedQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(
                fields=["next_attempt_at", "id"], condition=UNFINISHED, name="list_check_due"
            )
        ]

    def __str__(self) -> str:
        return f"check of list {self.contact_list_id}"
