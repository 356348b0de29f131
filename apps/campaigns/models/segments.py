"""Segments: named rules that select contacts of a company (rules/campaigns §8)."""

from typing import Any

from django.db import models

from apps.common.models import TenantQuerySet, TimestampedModel
from apps.common.search import fold

NAME_LENGTH = 50


def no_rules() -> dict[str, Any]:
    """Return the rules of a segment with each rule empty."""
    return {
        "tagIds": [],
        "queueIds": [],
        "lastContactFrom": None,
        "lastContactTo": None,
        "city": "",
        "fieldName": "",
        "fieldValue": "",
    }


class Segment(TimestampedModel):
    """The contacts for whom every given rule holds; `rules` are complete and as on the wire.

    The contacts are selected at each read, and once more when a campaign starts.
    """

    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="segments"
    )
    name = models.CharField(max_length=NAME_LENGTH)
    rules = models.JSONField(default=no_rules)
    search_text = models.TextField(editable=False)

    objects = TenantQuerySet.as_manager()

    class Meta:
        ordering = ["search_text", "id"]
        indexes = [models.Index(fields=["company", "search_text", "id"], name="segment_by_name")]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep the folded search text in step with the name."""
        self.search_text = fold(self.name)
        fields = kwargs.get("update_fields")
        if fields is not None:
            kwargs["update_fields"] = {*fields, "search_text"}
        super().save(*args, **kwargs)
