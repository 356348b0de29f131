"""The wire shapes of a company's plan."""

from rest_framework import serializers

from apps.common.serializers import RowSerializer
from apps.companies.serializers.companies import CompanySerializer


class PlanSerializer(RowSerializer):
    """A plan: limits (0 means no limit) and features."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    users = serializers.IntegerField()
    connections = serializers.IntegerField()
    queues = serializers.IntegerField()
    campaigns = serializers.IntegerField()
    schedules = serializers.IntegerField()
    value = serializers.FloatField()
    useCampaigns = serializers.BooleanField(source="use_campaigns")
    useSchedules = serializers.BooleanField(source="use_schedules")
    useInternalChat = serializers.BooleanField(source="use_internal_chat")
    useExternalApi = serializers.BooleanField(source="use_external_api")
    useKanban = serializers.BooleanField(source="use_kanban")
    useOpenAi = serializers.BooleanField(source="use_open_ai")
    useIntegrations = serializers.BooleanField(source="use_integrations")
    isPublic = serializers.BooleanField(source="is_public")


class CompanyWithPlanSerializer(CompanySerializer):
    """A company with its plan."""

    plan = PlanSerializer()
