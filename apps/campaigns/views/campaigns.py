"""The calls of campaigns and their settings (rules/campaigns §1 to §3)."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.models import User
from apps.campaigns.models import Campaign, CampaignStatus
from apps.campaigns.queries.campaign_settings import campaign_settings_of
from apps.campaigns.queries.campaigns import CampaignFilters, campaigns_of
from apps.campaigns.serializers.campaigns import (
    CampaignDetailSerializer,
    CampaignInputSerializer,
    CampaignMediaSerializer,
    CampaignPageSerializer,
    CampaignQuerySerializer,
    CampaignSerializer,
    TrialInputSerializer,
    TrialSerializer,
    campaign_detail,
    campaign_row,
    campaign_rows,
    trial_row,
)
from apps.campaigns.serializers.settings import (
    CampaignSettingSerializer,
    CampaignSettingsInputSerializer,
    setting_rows,
)
from apps.campaigns.services import running, saving
from apps.campaigns.services.campaign_settings import change_campaign_settings
from apps.campaigns.services.finding import get_campaign
from apps.campaigns.services.trials import send_trial
from apps.common.callers import caller_of
from apps.common.records import ID, RecordViewSet, record_schema
from apps.common.serializers import SentenceSerializer, body_values
from apps.companies.queries import zone_of


@extend_schema_view(
    retrieve=extend_schema(
        parameters=[ID],
        responses=CampaignDetailSerializer,
        description="Return one with its people and what became of each, for older browsers.",
    )
)
@record_schema(
    query=(CampaignQuerySerializer,),
    list="Return a page, the newest first.",
    create="Create one; with a time it starts by itself.",
    update="Change one that may be changed; fields left out stay.",
    destroy="Delete one with its recipients; what was sent stays in the conversations.",
)
class CampaignViewSet(RecordViewSet):
    """The company's campaigns."""

    input_serializer = CampaignInputSerializer
    row_serializer = CampaignSerializer
    page_serializer = CampaignPageSerializer
    filters = CampaignFilters
    list_name = "records"
    deleted = "Campanha excluída."

    def retrieve(self, request: Request, id: str) -> HttpResponseBase:
        """Return one, its people as they are read."""
        parts = campaign_detail(self._find(caller_of(request), int(id)))
        return StreamingHttpResponse(parts, content_type="application/json")

    def _records(self, caller: User) -> QuerySet[Campaign]:
        return campaigns_of(caller.company_id)

    def _rows(self, records: Sequence[Campaign]) -> list[dict[str, Any]]:
        return campaign_rows(records)

    def _context(self, caller: User) -> Mapping[str, Any]:
        return {"zone": zone_of(caller.company_id)}

    def _find(self, caller: User, record_id: int) -> Campaign:
        return get_campaign(caller.company_id, record_id)

    def _add(self, caller: User, fields: Mapping[str, Any]) -> Campaign:
        return saving.create_campaign(user=caller, fields=fields)

    def _change(self, caller: User, record_id: int, fields: Mapping[str, Any]) -> Campaign:
        return saving.update_campaign(user=caller, campaign_id=record_id, fields=fields)

    def _remove(self, caller: User, record_id: int, ip_address: str | None) -> None:
        saving.delete_campaign(user=caller, campaign_id=record_id, ip_address=ip_address)


class CampaignMedia(APIView):
    """The file of a campaign."""

    @extend_schema(
        operation_id="campaigns_media_create",
        parameters=[ID],
        request={"multipart/form-data": CampaignMediaSerializer},
        responses=CampaignSerializer,
    )
    def post(self, request: Request, id: str) -> Response:
        """Attach a file, in place of one that is there."""
        caller = caller_of(request)
        get_campaign(caller.company_id, int(id))
        file = body_values(CampaignMediaSerializer, request.data)["file"]
        return Response(
            campaign_row(saving.attach_media(user=caller, campaign_id=int(id), file=file))
        )

    @extend_schema(
        operation_id="campaigns_media_destroy", parameters=[ID], responses=CampaignSerializer
    )
    def delete(self, request: Request, id: str) -> Response:
        """Take the file away."""
        changed = saving.remove_media(user=caller_of(request), campaign_id=int(id))
        return Response(campaign_row(changed))


class CampaignStart(APIView):
    """The start by hand."""

    @extend_schema(
        operation_id="campaigns_start", parameters=[ID], request=None, responses=CampaignSerializer
    )
    def post(self, request: Request, id: str) -> Response:
        """Start one now; it is planned for this moment, and soon it runs."""
        started = running.start_now(user=caller_of(request), campaign_id=int(id))
        return Response(campaign_row(started))


class CampaignTrial(APIView):
    """The trial."""

    @extend_schema(
        operation_id="campaigns_trial",
        parameters=[ID],
        request=TrialInputSerializer,
        responses=TrialSerializer,
    )
    def post(self, request: Request, id: str) -> Response:
        """Send one of the texts to own numbers; the campaign counts nothing of it."""
        caller = caller_of(request)
        get_campaign(caller.company_id, int(id))
        given = body_values(TrialInputSerializer, request.data)
        sent = send_trial(
            user=caller,
            campaign_id=int(id),
            numbers=given["numbers"],
            text_number=given.get("text_number"),
        )
        return Response({"sent": [trial_row(each) for each in sent]})


class CampaignCancel(APIView):
    """The stop."""

    @extend_schema(
        operation_id="campaigns_cancel", parameters=[ID], request=None, responses=SentenceSerializer
    )
    def post(self, request: Request, id: str) -> Response:
        """Stop one that runs, or take the time of a planned one away: it is inactive then."""
        stopped = running.cancel_campaign(user=caller_of(request), campaign_id=int(id))
        is_cancelled = stopped.status == CampaignStatus.CANCELLED
        sentence = "Campanha cancelada." if is_cancelled else "Agendamento retirado."
        return Response({"message": sentence})


class CampaignRestart(APIView):
    """Going on after a stop."""

    @extend_schema(
        operation_id="campaigns_restart",
        parameters=[ID],
        request=None,
        responses=SentenceSerializer,
    )
    def post(self, request: Request, id: str) -> Response:
        """Let a cancelled one go on with those who have not ended."""
        running.restart_campaign(user=caller_of(request), campaign_id=int(id))
        return Response({"message": "Campanha reiniciada."})


class CampaignSettings(APIView):
    """The settings of the company's campaigns."""

    @extend_schema(
        operation_id="campaign_settings_list", responses=CampaignSettingSerializer(many=True)
    )
    def get(self, request: Request) -> Response:
        """Return all, as at first where they were never changed, as a bare array."""
        return Response(setting_rows(campaign_settings_of(caller_of(request).company_id)))

    @extend_schema(
        operation_id="campaign_settings_update",
        request=CampaignSettingsInputSerializer,
        responses=CampaignSettingSerializer(many=True),
    )
    def post(self, request: Request) -> Response:
        """Change those that are named and return all."""
        given = body_values(CampaignSettingsInputSerializer, request.data)["settings"]
        return Response(
            setting_rows(change_campaign_settings(user=caller_of(request), changes=given))
        )
