"""Automatic texts that an admin stopped to save what they cost (rules/costs §7)."""

from django.db import models

from apps.common.models import TenantQuerySet


class StoppedText(models.Model):
    """What is written again when an automatic text is resumed.

    `kept` is a list of `kind` (of `PlaceKind`), `id` (null for a setting) and `text`.
    """

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    # See `apps.tickets.origins`.
    origin = models.CharField(max_length=40)
    kept = models.JSONField(default=list)
    stopped_at = models.DateTimeField()

    objects = TenantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["company", "origin"], name="one_stop_per_text")
        ]

    def __str__(self) -> str:
        return f"{self.origin} of company {self.company_id}"
