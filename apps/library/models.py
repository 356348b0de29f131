"""Quick messages and file lists: texts and files that users and campaigns send repeatedly."""

from typing import Any, Self

from django.db import models
from django.db.models.functions import Lower

from apps.common.media_rows import MediaRow
from apps.common.models import TenantQuerySet, TimestampedModel
from apps.common.search import fold


def shared_ones_stay(collector: Any, field: Any, rows: Any, using: str) -> None:
    """Keep a deleted user's shared quick messages without an owner; delete the private ones."""
    models.SET_NULL(collector, field, rows.filter(is_shared=True), using)
    models.CASCADE(collector, field, rows.filter(is_shared=False), using)


class QuickMessageQuerySet(TenantQuerySet["QuickMessage"]):
    def visible_to(self, user: Any) -> Self:
        """Keep the user's own quick messages and those shared in the company (rules/library §2)."""
        mine = models.Q(user=user) | models.Q(is_shared=True)
        return self.for_company(user.company_id).filter(mine)

    def in_use(self) -> Self:
        return self.filter(is_active=True)


class QuickMessage(MediaRow, TimestampedModel):
    """A text, a file or both behind a shortcode, which is unique per owner.

    `is_shared` is `geral` on the wire, `is_active` is `status`. Only a shared quick message may
    have no owner: a program wrote it, or its owner was deleted.
    """

    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="quick_messages"
    )
    user = models.ForeignKey(
        "accounts.User",
        null=True,
        blank=True,
        on_delete=shared_ones_stay,
        related_name="quick_messages",
    )
    shortcode = models.CharField(max_length=50)
    message = models.TextField(blank=True)
    is_shared = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    search_text = models.TextField(editable=False)

    objects = QuickMessageQuerySet.as_manager()

    class Meta:
        ordering = ["shortcode", "id"]
        constraints = [
            models.UniqueConstraint("user", Lower("shortcode"), name="one_shortcode_per_owner"),
            models.CheckConstraint(
                condition=models.Q(user__isnull=False) | models.Q(is_shared=True),
                name="quick_message_has_readers",
            ),
        ]
        indexes = [
            models.Index(fields=["company", "shortcode", "id"], name="quick_message_by_shortcode")
        ]

    def __str__(self) -> str:
        return f"/{self.shortcode}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep the folded search text in step with shortcode, text and file name."""
        self.search_text = fold(f"{self.shortcode} {self.message} {self.media_name}")
        super().save(*args, **kwargs)


class FileList(TimestampedModel):
    """Files under one name, with an accompanying text (rules/library §5)."""

    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="file_lists"
    )
    user = models.ForeignKey(
        "accounts.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    name = models.CharField(max_length=100)
    message = models.TextField()
    search_text = models.TextField(editable=False)

    objects = TenantQuerySet.as_manager()

    class Meta:
        ordering = ["name", "id"]
        indexes = [models.Index(fields=["company", "name", "id"], name="file_list_by_name")]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep the folded search text in step with name and text."""
        self.search_text = fold(f"{self.name} {self.message}")
        super().save(*args, **kwargs)


class FileListItem(MediaRow):
    """One file of a list, called an option on the wire; without a file it waits for its upload."""

    file_list = models.ForeignKey(FileList, on_delete=models.CASCADE, related_name="items")
    name = models.CharField(max_length=255, blank=True)
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["position", "id"]
        indexes = [models.Index(fields=["file_list", "position", "id"], name="file_by_place")]

    def __str__(self) -> str:
        return self.name or self.media_name
