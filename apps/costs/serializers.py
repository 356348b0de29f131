"""The wire shapes of what messages cost."""

from typing import Any

from rest_framework import serializers

from apps.common.serializers import RowSerializer
from apps.costs.queries.ledger import GROUPS
from apps.tickets.models import MessageSource
from apps.tickets.origins import Origin


class AmountField(serializers.CharField):
    """A decimal number without an exponent and without zeros at its end."""

    def to_representation(self, value: Any) -> str:
        return format(value.normalize(), "f")


class AmountSerializer(RowSerializer):
    """A sum of money."""

    currency = serializers.CharField()
    amount = AmountField(help_text="Amount as a decimal number.")


class CostFiguresSerializer(RowSerializer):
    """Delivered messages and what is to be paid for them; what has no price is in no amount."""

    messages = serializers.IntegerField(help_text="All delivered messages.")
    billable = serializers.IntegerField(help_text="Those that are charged, without the free ones.")
    free = serializers.IntegerField(help_text="Service messages that the allowance makes free.")
    unpriced = serializers.IntegerField(help_text="Those of `billable` that have no price.")
    amounts = AmountSerializer(many=True)


class CostGroupSerializer(RowSerializer):
    """The figures of a group. What does not belong to its kind of group is null or ''."""

    id = serializers.IntegerField(
        allow_null=True,
        help_text="Of ticket, queue, user, connection or the origin's record.",
    )
    uuid = serializers.UUIDField(allow_null=True, help_text="Of the ticket.")
    name = serializers.CharField(
        allow_null=True, help_text="Null: nothing of this kind, or it was deleted."
    )
    queue = serializers.CharField(allow_null=True, help_text="Queue of an option of the bot.")
    source = serializers.ChoiceField(  # type: ignore[assignment]
        choices=MessageSource.choices, allow_blank=True
    )
    origin = serializers.ChoiceField(choices=[each.value for each in Origin], allow_blank=True)
    category = serializers.CharField(allow_blank=True)
    figures = CostFiguresSerializer()


class CostPageSerializer(serializers.Serializer[Any]):
    """A page of groups, the dearest first, and the figures of the whole period."""

    groups = CostGroupSerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()
    total = CostFiguresSerializer()
    dateFrom = serializers.DateField()
    dateTo = serializers.DateField()


class LackingSerializer(RowSerializer):
    """A price that the operator has not entered."""

    category = serializers.CharField()
    country = serializers.CharField(allow_blank=True)
    messages = serializers.IntegerField()


class CostMeterSerializer(RowSerializer):
    """An official number's month."""

    connectionId = serializers.IntegerField(source="connection_id")
    name = serializers.CharField()
    number = serializers.CharField(allow_blank=True)
    service = serializers.IntegerField(help_text="Charged service messages, free ones included.")
    allowance = serializers.IntegerField(
        allow_null=True, help_text="Free service messages; null: the operator has entered none."
    )
    freeLeft = serializers.IntegerField(source="free_left", allow_null=True)
    projectedService = serializers.IntegerField(
        source="projected_service", help_text="`service` at the end of the month."
    )
    amounts = AmountSerializer(many=True, help_text="To be paid so far.")
    projectedAmounts = AmountSerializer(
        source="projected_amounts", many=True, help_text="To be paid at the end of the month."
    )
    unpriced = serializers.IntegerField(help_text="Charged messages without a price.")
    lackingPrices = LackingSerializer(source="lacking", many=True)


class CostMetersSerializer(serializers.Serializer[Any]):
    """The official numbers in the month of today, in the company's time zone."""

    month = serializers.DateField(help_text="Its first day.")
    timeZone = serializers.CharField()
    meters = CostMeterSerializer(many=True)


class CostQuerySerializer(serializers.Serializer[Any]):
    """What a report is about: by default the month so far."""

    groupBy = serializers.ChoiceField(
        choices=list(GROUPS), required=False, help_text="By default `source`."
    )
    dateFrom = serializers.DateField(
        required=False, help_text="By default the first day of the month of `dateTo`."
    )
    dateTo = serializers.DateField(required=False, help_text="By default today.")
