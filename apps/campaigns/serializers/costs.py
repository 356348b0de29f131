"""The wire shapes of what campaigns cost and take."""

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from apps.campaigns.queries.audience import LEFT_OUT
from apps.campaigns.queries.prices import Cost


class CostSumSerializer(serializers.Serializer[Any]):
    """A sum; null and without a currency where nothing of it has a price."""

    currency = serializers.CharField(allow_null=True)
    amount = serializers.CharField(allow_null=True, help_text="A decimal number.")
    isComplete = serializers.BooleanField(help_text="Whether all of it has a price.")


class CostLineSerializer(serializers.Serializer[Any]):
    """Messages of one category to one country, by its ISO code, else its calling code."""

    category = serializers.CharField()
    country = serializers.CharField(allow_blank=True)
    recipients = serializers.IntegerField()
    price = serializers.CharField(allow_null=True)
    amount = serializers.CharField(allow_null=True)


class CostSerializer(CostSumSerializer):
    """A sum and its lines."""

    lines = CostLineSerializer(many=True)


class LeftOutSerializer(serializers.Serializer[Any]):
    """How many are left out for a reason."""

    reason = serializers.ChoiceField(LEFT_OUT)
    count = serializers.IntegerField()


class CampaignEstimateSerializer(serializers.Serializer[Any]):
    """What a campaign would take and cost, before it starts; once it runs, what is left."""

    recipients = serializers.IntegerField()
    leftOut = LeftOutSerializer(many=True)
    finishAt = serializers.DateTimeField(allow_null=True)
    durationSeconds = serializers.IntegerField(allow_null=True)
    cost = CostSerializer()
    tierLimit = serializers.IntegerField(
        allow_null=True, help_text="To how many people the number may write first in 24 hours."
    )
    isAboveTier = serializers.BooleanField()


def cost_sum(cost: Cost) -> dict[str, Any]:
    """Return a sum in the shape of `CostSumSerializer`."""
    return {
        "currency": cost.currency or None,
        "amount": _plain(cost.amount),
        "isComplete": cost.is_complete,
    }


def cost_row(cost: Cost) -> dict[str, Any]:
    """Return a sum with its lines in the shape of `CostSerializer`."""
    lines = [
        {
            "category": line.category,
            "country": line.country,
            "recipients": line.recipients,
            "price": _plain(line.price),
            "amount": _plain(line.amount),
        }
        for line in cost.lines
    ]
    return {**cost_sum(cost), "lines": lines}


def _plain(amount: Decimal | None) -> str | None:
    """Return a number without an exponent and without zeros at its end."""
    return None if amount is None else format(amount.normalize(), "f")
