"""The calls of the settings of a company's campaigns (rules/campaigns §3)."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.campaigns.queries.campaign_settings import campaign_settings_of
from apps.campaigns.serializers.settings import (
    CampaignSettingSerializer,
    CampaignSettingsInputSerializer,
    setting_rows,
)
from apps.campaigns.services.campaign_settings import change_campaign_settings
from apps.common.callers import caller_of
from apps.common.serializers import body_values


class CampaignSettings(APIView):
    @extend_schema(
        operation_id="campaign_settings_list", responses=CampaignSettingSerializer(many=True)
    )
    def get(self, request: Request) -> Response:
        """Return all settings as a bare array; one that was never changed has its default."""
        return Response(setting_rows(campaign_settings_of(caller_of(request).company_id)))

    @extend_schema(
        operation_id="campaign_settings_update",
        request=CampaignSettingsInputSerializer,
        responses=CampaignSettingSerializer(many=True),
    )
    def post(self, request: Request) -> Response:
        """Change the settings in the body and return all settings."""
        given = body_values(CampaignSettingsInputSerializer, request.data)["settings"]
        return Response(
            setting_rows(change_campaign_settings(user=caller_of(request), changes=given))
        )
