"""The wire shapes of a company's plan."""

from typing import Any

from rest_framework import serializers

from apps.companies.models import Company
from apps.companies.serializers.companies import CompanySerializer, company_row


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


class CompanyWithPlanSerializer(CompanySerializer):
    """A company and what its plan allows."""

    plan = PlanSerializer()


def plan_row(plan: Any) -> dict[str, Any]:
    """Return a plan of billing's in the shape of `PlanSerializer`."""
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
