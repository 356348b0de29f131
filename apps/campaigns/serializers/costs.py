"""The wire shapes of the estimate and the cost of a campaign."""

from typing import Any

from rest_framework import serializers

from apps.campaigns.queries.audience import LEFT_OUT
from apps.common.serializers import RowSerializer
from apps.costs.queries.prices import Cost
from apps.costs.serializers import AmountField


class CostSumSerializer(RowSerializer):
    """A sum of money; without messages `amount` is 0 and `currency` null.

    Both are null if there are messages and none of them has a price.
    """

    currency = serializers.CharField(allow_null=True)
    amount = AmountField(allow_null=True, help_text="Amount as a decimal number.")
    isComplete = serializers.BooleanField(
        source="is_complete", help_text="Whether there is a price for each message of the sum."
    )

    def _read_currency(self, cost: Cost) -> str | None:
        return cost.currency or None


class CostLineSerializer(RowSerializer):
    """The messages of one category to one country at one price.

    `country` is its ISO code, else its calling code; `price` and `amount` are null without a price.
    """

    category = serializers.CharField()
    country = serializers.CharField(allow_blank=True)
    recipients = serializers.IntegerField()
    price = AmountField(allow_null=True)
    amount = AmountField(allow_null=True)


class CostSerializer(CostSumSerializer):
    """The estimated sum, and its part for each category, country and price."""

    lines = CostLineSerializer(many=True)


class LeftOutSerializer(serializers.Serializer[Any]):
    """The number of people who are left out for one reason."""

    reason = serializers.ChoiceField(LEFT_OUT)
    count = serializers.IntegerField()


class BilledShareSerializer(RowSerializer):
    """The share of a category's delivered messages that was billed in the last 28 days."""

    category = serializers.CharField()
    share = AmountField(help_text="From 0 to 1, as a decimal number.")


class CampaignEstimateSerializer(serializers.Serializer[Any]):
    """What a campaign would take and cost; for a running one, what its remaining recipients do."""

    recipients = serializers.IntegerField()
    leftOut = LeftOutSerializer(many=True)
    finishAt = serializers.DateTimeField(allow_null=True)
    durationSeconds = serializers.IntegerField(allow_null=True)
    cost = CostSerializer()
    billedShares = BilledShareSerializer(
        many=True, help_text="By which the amounts are lessened; other categories cost in full."
    )
    tierLimit = serializers.IntegerField(
        allow_null=True,
        help_text=(
            "How many people the numbers of the portfolio may write to first in 24 hours,"
            " together; null if there is no limit or Meta does not report it."
        ),
    )
    isAboveTier = serializers.BooleanField(help_text="Whether people wait because of the limit.")
    aboveTier = serializers.IntegerField(
        help_text="How many people get the campaign later because of the limit."
    )
    portfolioNumbers = serializers.ListField(
        child=serializers.CharField(), help_text="Names of the other numbers under the limit."
    )
    portfolioUsed = serializers.IntegerField(
        allow_null=True,
        help_text=(
            "To how many people the numbers wrote first in the last 24 hours, or are about to;"
            " null for a QR session."
        ),
    )
    portfolioPlanned = serializers.IntegerField(
        allow_null=True,
        help_text=(
            "To how many people at most the other campaigns of the numbers will write first;"
            " null for a QR session."
        ),
    )
