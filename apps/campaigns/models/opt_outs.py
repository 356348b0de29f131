"""Opt-outs: the numbers that no campaign writes to (rules/campaigns §7)."""

from django.db import models

from apps.campaigns.models.campaigns import Campaign
from apps.common.models import TenantQuerySet
from apps.contacts.models import NUMBER_LENGTH


class OptOutSource(models.TextChoices):
    """How a person opted out: by a word in a message to us, or by a switch at Meta."""

    WORD = "word"
    META = "meta"


class OptOut(models.Model):
    """A number that no campaign of the company writes to again (rules/campaigns §7).

    It is stored by canonical number, not by contact, so that it outlives a deleted contact.
    """

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    canonical_number = models.CharField(max_length=NUMBER_LENGTH)
    # The last campaign that wrote to the number, which the opt-out is attributed to.
    campaign = models.ForeignKey(
        Campaign, null=True, blank=True, on_delete=models.SET_NULL, related_name="opt_outs"
    )
    source = models.CharField(
        max_length=4,
        choices=OptOutSource.choices,
        default=OptOutSource.WORD,
        db_default=OptOutSource.WORD,
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = TenantQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["company", "canonical_number"], name="one_opt_out_per_number"
            )
        ]

    def __str__(self) -> str:
        return self.canonical_number
