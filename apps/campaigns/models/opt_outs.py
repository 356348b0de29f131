"""Opt-outs, and whom campaigns wrote to in the last days (rules/campaigns §7)."""

from django.db import models
from django.utils.crypto import salted_hmac

from apps.campaigns.models.campaigns import Campaign
from apps.common.models import TenantQuerySet
from apps.contacts.models import NUMBER_LENGTH


class OptOutSource(models.TextChoices):
    """How a person opted out.

    `word`: by a word, after a campaign wrote to them. `asked`: by the answer to our question.
    `hand`: an admin entered the number. `meta`: by a switch at Meta.
    """

    WORD = "word"
    ASKED = "asked"
    HAND = "hand"
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
        max_length=10,
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
        indexes = [models.Index(fields=["company", "-id"], name="opt_out_newest_first")]

    def __str__(self) -> str:
        return self.canonical_number


def number_digest(company_id: int, canonical_number: str) -> str:
    """Return the digest by which a number is remembered; it does not reveal the number."""
    value = f"{company_id}:{canonical_number}"
    return salted_hmac("campaigns.remembered_number", value, algorithm="sha256").hexdigest()


class RememberedNumber(models.Model):
    """When a campaign last wrote to a number, and when we last asked it whether it opts out.

    It outlives the campaign, the contact and the erasure of the person, so it holds a digest
    instead of the number. `question_pk` is the message that asks.
    """

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)
    written_at = models.DateTimeField(null=True, blank=True)
    asked_at = models.DateTimeField(null=True, blank=True)
    question_pk = models.BigIntegerField(null=True, blank=True)

    objects = TenantQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["company", "digest"], name="one_remembered_number_per_digest"
            )
        ]

    def __str__(self) -> str:
        return f"remembered number {self.pk}"
