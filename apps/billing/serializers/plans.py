"""The wire shape of a plan to create or to change."""

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from apps.common.serializers import BooleanField, UnusedField

# The highest limit, more than any plan needs, and the highest price that the column can store.
MOST = 1_000_000
MOST_VALUE = 99_999_999.99


def _limit(**options: Any) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=0, max_value=MOST, required=False, **options)


def _flag(source: str) -> BooleanField:
    return BooleanField(source=source, required=False)


class PlanInputSerializer(serializers.Serializer[Any]):
    """A plan to create or to change; a limit of 0 means no limit, `value` is reais for a month.

    In a new plan, limits and `value` that are left out are 0, and flags are true. In a change,
    fields that are left out keep their values.
    """

    name = serializers.CharField(
        min_length=2,
        max_length=100,
        error_messages={
            "required": "Informe o nome.",
            "blank": "Informe o nome.",
            "null": "Informe o nome.",
            "min_length": "O nome precisa ter ao menos 2 caracteres.",
            "max_length": "O nome pode ter no máximo 100 caracteres.",
        },
    )
    users = _limit()
    connections = _limit()
    queues = _limit()
    campaigns = _limit()
    schedules = _limit()
    value = serializers.DecimalField(
        max_digits=10,
        decimal_places=2,
        min_value=0,
        max_value=Decimal(str(MOST_VALUE)),
        required=False,
    )
    useCampaigns = _flag("use_campaigns")
    useSchedules = _flag("use_schedules")
    useInternalChat = _flag("use_internal_chat")
    useExternalApi = _flag("use_external_api")
    useKanban = _flag("use_kanban")
    useOpenAi = _flag("use_open_ai")
    useIntegrations = _flag("use_integrations")
    isPublic = _flag("is_public")
    currency = UnusedField("Os planos são em reais: deixe a moeda vazia.", opened_with="BRL")
