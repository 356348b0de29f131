"""The wire shapes of plans."""

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from apps.billing.models import Plan
from apps.common.serializers import BooleanField
from apps.companies.models import Company
from apps.companies.serializers import CompanySerializer, company_row


class PlanSerializer(serializers.Serializer[Any]):
    """A plan: limits (0 means no limit) and features."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    users = serializers.IntegerField()
    connections = serializers.IntegerField()
    queues = serializers.IntegerField()
    campaigns = serializers.IntegerField()
    schedules = serializers.IntegerField()
    value = serializers.FloatField()
    useCampaigns = serializers.BooleanField()
    useSchedules = serializers.BooleanField()
    useInternalChat = serializers.BooleanField()
    useExternalApi = serializers.BooleanField()
    useKanban = serializers.BooleanField()
    useOpenAi = serializers.BooleanField()
    useIntegrations = serializers.BooleanField()
    isPublic = serializers.BooleanField()


# More than any plan means, and what the column holds.
MOST = 1_000_000
MOST_VALUE = 99_999_999.99


def _limit(**options: Any) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=0, max_value=MOST, required=False, **options)


def _flag(source: str) -> BooleanField:
    return BooleanField(source=source, required=False)


class PlanInputSerializer(serializers.Serializer[Any]):
    """A plan to make or to change: what is left out is without limit, on, or unchanged."""

    name = serializers.CharField(
        min_length=2,
        max_length=100,
        error_messages={
            "required": "Informe o nome.",
            "blank": "Informe o nome.",
            "null": "Informe o nome.",
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


class CompanyWithPlanSerializer(CompanySerializer):
    """A company and what its plan allows."""

    plan = PlanSerializer()


def plan_row(plan: Plan) -> dict[str, Any]:
    """Return a plan in the shape of `PlanSerializer`."""
    return {
        "id": plan.pk,
        "name": plan.name,
        "users": plan.users,
        "connections": plan.connections,
        "queues": plan.queues,
        "campaigns": plan.campaigns,
        "schedules": plan.schedules,
        "value": plan.value,
        "useCampaigns": plan.use_campaigns,
        "useSchedules": plan.use_schedules,
        "useInternalChat": plan.use_internal_chat,
        "useExternalApi": plan.use_external_api,
        "useKanban": plan.use_kanban,
        "useOpenAi": plan.use_open_ai,
        "useIntegrations": plan.use_integrations,
        "isPublic": plan.is_public,
    }


def company_with_plan_row(company: Company) -> dict[str, Any]:
    """Return a company in the shape of `CompanyWithPlanSerializer`."""
    return {**company_row(company), "plan": plan_row(company.plan)}
