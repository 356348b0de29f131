"""The wire shapes of what messages cost (rules/costs §5 and §7)."""

from typing import Any

from rest_framework import serializers

from apps.common.serializers import OptionalIdField, RowSerializer
from apps.costs.queries.automatic_texts import TextState
from apps.costs.queries.ledger import GROUPS
from apps.costs.queries.places import OF_A_QUEUE, OF_ONE_OR_ALL, PlaceKind
from apps.tickets.models import MessageSource
from apps.tickets.origins import Origin, is_stoppable


class AmountField(serializers.CharField):
    """A decimal number without an exponent and without zeros at its end."""

    def to_representation(self, value: Any) -> str:
        return format(value.normalize(), "f")


class AmountSerializer(RowSerializer):
    """What is to be paid in one currency, exact to a millionth."""

    currency = serializers.CharField(help_text="ISO code.")
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
    """A price that the operator has not entered, and how many messages of the month wait for it."""

    category = serializers.CharField(help_text="In Meta's words.")
    country = serializers.CharField(
        allow_blank=True,
        help_text="ISO code, or calling code of a number without a country; '' if unknown.",
    )
    messages = serializers.IntegerField()


class CostMeterSerializer(RowSerializer):
    """An official number's free service messages and amounts in the month of today.

    The projection adds the mean of the last 28 days for each day after today (rules/costs §5).
    """

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


class TextPlaceSerializer(RowSerializer):
    """Where a text is set: a queue, an official number, or the setting of this name."""

    kind = serializers.ChoiceField(choices=[each.value for each in PlaceKind])
    id = serializers.IntegerField(allow_null=True, help_text="Null for a setting.")
    name = serializers.CharField()
    text = serializers.CharField(
        allow_blank=True, help_text="What it says; of a setting 'enabled'."
    )
    beginsMenu = serializers.BooleanField(
        source="begins_menu", help_text="Whether it also begins the queue's menu of options."
    )


class AutomaticTextSerializer(RowSerializer):
    """A text that the bot sends of itself, with its figures of the last 30 days."""

    id = serializers.IntegerField(
        allow_null=True, help_text="Of the queue or the option; null if the origin names none."
    )
    name = serializers.CharField(allow_null=True, help_text="Of that record.")
    queue = serializers.CharField(allow_null=True, help_text="Queue of an option.")
    origin = serializers.ChoiceField(choices=[each.value for each in Origin])
    state = serializers.ChoiceField(
        choices=[each.value for each in TextState],
        help_text=(
            "`sent`: it can be stopped; `stopped`: it can be resumed; `unset`: it is set nowhere"
            " any more; `fixed`: it can't be stopped."
        ),
    )
    figures = CostFiguresSerializer()
    places = TextPlaceSerializer(many=True, help_text="Where it is set and sent now.")
    stoppedAt = serializers.DateTimeField(source="stopped_at", allow_null=True)


class AutomaticTextsSerializer(serializers.Serializer[Any]):
    """What the bot wrote of itself, the dearest first; the days are 30 with today."""

    texts = AutomaticTextSerializer(many=True)
    dateFrom = serializers.DateField()
    dateTo = serializers.DateField()


class AutomaticTextNameSerializer(serializers.Serializer[Any]):
    """Names a text: its origin, and its queue where that names one."""

    origin = serializers.ChoiceField(choices=[each.value for each in Origin])
    id = OptionalIdField()

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        kind, queue_id = values["origin"], values.get("id")
        if kind in OF_A_QUEUE and queue_id is None:
            raise serializers.ValidationError({"id": "Informe a fila do texto."}, "required")
        if queue_id is not None and is_stoppable(kind) and kind not in OF_A_QUEUE | OF_ONE_OR_ALL:
            raise serializers.ValidationError({"id": "Este texto não é de uma fila."}, "invalid")
        return values


class CostQuerySerializer(serializers.Serializer[Any]):
    """What a report is about: by default the month so far."""

    groupBy = serializers.ChoiceField(
        choices=list(GROUPS), required=False, help_text="By default `source`."
    )
    dateFrom = serializers.DateField(
        required=False, help_text="By default the first day of the month of `dateTo`."
    )
    dateTo = serializers.DateField(required=False, help_text="By default today.")
