"""The calls of campaigns (rules/campaigns §1, §2, §5, §9 and §10)."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.campaigns.models import Campaign, CampaignStatus
from apps.campaigns.queries.campaigns import CampaignFilters, campaigns_of, outlooks_of
from apps.campaigns.queries.reports import RecipientFilters, recipients_of, report_of, timeline_of
from apps.campaigns.serializers.campaigns import (
    CampaignDetailSerializer,
    CampaignInputSerializer,
    CampaignMediaSerializer,
    CampaignPageSerializer,
    CampaignQuerySerializer,
    CampaignSerializer,
    TestSendInputSerializer,
    TestSendSerializer,
    campaign_detail,
)
from apps.campaigns.serializers.costs import (
    BilledShareSerializer,
    CampaignEstimateSerializer,
    CostSerializer,
)
from apps.campaigns.serializers.reports import (
    CampaignPreviewSerializer,
    CampaignRecipientPageSerializer,
    CampaignRecipientSerializer,
    CampaignReportSerializer,
    CampaignTimelineSerializer,
    PreviewQuerySerializer,
    RecipientPageQuerySerializer,
    RecipientQuerySerializer,
    TimelinePointSerializer,
)
from apps.campaigns.services import running, saving
from apps.campaigns.services.costs import billed_cost, estimate_of
from apps.campaigns.services.finding import get_campaign, get_reported_campaign
from apps.campaigns.services.previews import preview_of
from apps.campaigns.services.recipients_export import export_recipients
from apps.campaigns.services.testing import send_test
from apps.common.callers import caller_of, client_address, preferred_language
from apps.common.filters import narrowed
from apps.common.paging import page_number, paginate, paginate_after
from apps.common.records import ID, RecordViewSet, record_schema
from apps.common.serializers import (
    SentenceSerializer,
    body_values,
    query_values,
    row_of,
    rows_of,
)
from apps.companies.queries import zone_of

EXPORT_NAME = "campaign.csv"


@extend_schema_view(
    retrieve=extend_schema(
        parameters=[ID],
        responses=CampaignDetailSerializer,
        description=(
            "Return a campaign with its recipients and the state of each; only older browsers"
            " use it."
        ),
    )
)
@record_schema(
    query=(CampaignQuerySerializer,),
    list="Return a page of campaigns, newest first.",
    create="Create a campaign; with `scheduledAt` it starts by itself at that time.",
    update=(
        "Change a campaign that is inactive, cancelled or scheduled for later; fields that"
        " are left out keep their values."
    ),
    destroy=(
        "Delete a campaign with its recipients; sent messages stay in the conversations. A"
        " running campaign can't be deleted."
    ),
)
class CampaignViewSet(RecordViewSet):
    input_serializer = CampaignInputSerializer
    row_serializer = CampaignSerializer
    page_serializer = CampaignPageSerializer
    filters = CampaignFilters
    list_name = "records"
    deleted = "Campanha excluída."

    def retrieve(self, request: Request, id: str) -> HttpResponseBase:
        """Return a campaign; its people are streamed."""
        campaign = self._find(caller_of(request), int(id))
        parts = campaign_detail(campaign, self._row(campaign))
        return StreamingHttpResponse(parts, content_type="application/json")

    def _records(self, caller: User) -> QuerySet[Campaign]:
        return campaigns_of(caller.company_id)

    def _rows(self, records: Sequence[Campaign]) -> list[dict[str, Any]]:
        return rows_of(CampaignSerializer, records, outlooks=outlooks_of(records))

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

    @extend_schema(
        operation_id="campaigns_media_create",
        parameters=[ID],
        request={"multipart/form-data": CampaignMediaSerializer},
        responses=CampaignSerializer,
    )
    @action(detail=True, methods=["post"], url_path="media-upload", url_name="media")
    def attach_media(self, request: Request, id: str) -> Response:
        """Attach a file to a campaign; it replaces an earlier one."""
        caller = caller_of(request)
        self._find(caller, int(id))
        file = body_values(CampaignMediaSerializer, request.data)["file"]
        changed = saving.attach_media(user=caller, campaign_id=int(id), file=file)
        return Response(self._row(changed))

    @extend_schema(
        operation_id="campaigns_media_destroy", parameters=[ID], responses=CampaignSerializer
    )
    @attach_media.mapping.delete
    def remove_media(self, request: Request, id: str) -> Response:
        """Remove a campaign's file."""
        changed = saving.remove_media(user=caller_of(request), campaign_id=int(id))
        return Response(self._row(changed))

    @extend_schema(
        operation_id="campaigns_estimate", parameters=[ID], responses=CampaignEstimateSerializer
    )
    @action(detail=True)
    def estimate(self, request: Request, id: str) -> Response:
        """Return how many people would get the campaign, and how many are left out and why.

        Also the time at which it would finish, and its cost.
        """
        estimate = estimate_of(self._find(caller_of(request), int(id)))
        left_out, sharing = estimate.left_out, estimate.sharing
        return Response(
            {
                "recipients": estimate.recipients,
                "leftOut": [{"reason": why, "count": count} for why, count in left_out.items()],
                "finishAt": estimate.finish_at,
                "durationSeconds": estimate.seconds,
                "cost": row_of(CostSerializer, estimate.cost),
                "billedShares": rows_of(
                    BilledShareSerializer,
                    [
                        {"category": category, "share": share}
                        for category, share in sorted(estimate.shares.items())
                    ],
                ),
                "tierLimit": sharing.limit,
                "isAboveTier": estimate.later > 0,
                "aboveTier": estimate.later,
                "portfolioNumbers": [each.name for each in sharing.others],
                "portfolioUsed": sharing.used,
                "portfolioPlanned": sharing.planned,
            }
        )

    @extend_schema(
        operation_id="campaigns_start", parameters=[ID], request=None, responses=CampaignSerializer
    )
    @action(detail=True, methods=["post"])
    def start(self, request: Request, id: str) -> Response:
        """Plan a campaign for now; it runs as soon as a worker takes it."""
        started = running.start_now(user=caller_of(request), campaign_id=int(id))
        return Response(self._row(started))

    @extend_schema(
        operation_id="campaigns_trial",
        parameters=[ID],
        request=TestSendInputSerializer,
        responses=TestSendSerializer,
    )
    @action(detail=True, methods=["post"], url_path="trial", url_name="trial")
    def test(self, request: Request, id: str) -> Response:
        """Send a test of one text to up to five numbers; the campaign's results do not count it."""
        caller = caller_of(request)
        self._find(caller, int(id))
        given = body_values(TestSendInputSerializer, request.data)
        sent = send_test(
            user=caller,
            campaign_id=int(id),
            numbers=given["numbers"],
            text_number=given.get("text_number"),
        )
        rows = [
            {
                "number": message.contact.number,
                "ticketId": message.ticket_id,
                "messageId": message.pk,
                "variant": variant,
            }
            for message, variant in sent
        ]
        return Response({"sent": rows})

    @extend_schema(
        operation_id="campaigns_cancel", parameters=[ID], request=None, responses=SentenceSerializer
    )
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, id: str) -> Response:
        """Cancel a running campaign.

        A planned one loses its time and becomes inactive.
        """
        stopped = running.cancel_campaign(user=caller_of(request), campaign_id=int(id))
        is_cancelled = stopped.status == CampaignStatus.CANCELLED
        sentence = "Campanha cancelada." if is_cancelled else "Agendamento retirado."
        return Response({"message": sentence})

    @extend_schema(
        operation_id="campaigns_restart",
        parameters=[ID],
        request=None,
        responses=SentenceSerializer,
    )
    @action(detail=True, methods=["post"])
    def restart(self, request: Request, id: str) -> Response:
        """Restart a cancelled campaign with the recipients who have not ended."""
        running.restart_campaign(user=caller_of(request), campaign_id=int(id))
        return Response({"message": "Campanha reiniciada."})

    @extend_schema(
        operation_id="campaigns_report", parameters=[ID], responses=CampaignReportSerializer
    )
    @action(detail=True)
    def report(self, request: Request, id: str) -> Response:
        """Return the results of a campaign."""
        campaign = get_reported_campaign(caller_of(request).company_id, int(id))
        report = report_of(campaign)
        row = row_of(
            CampaignReportSerializer,
            report,
            campaign=campaign,
            outlooks=outlooks_of([campaign]),
            cost=billed_cost(campaign),
        )
        return Response(row)

    @extend_schema(
        operation_id="campaigns_timeline", parameters=[ID], responses=CampaignTimelineSerializer
    )
    @action(detail=True)
    def timeline(self, request: Request, id: str) -> Response:
        """Return deliveries, reads and answers by minute, hour or day.

        The unit depends on how long the campaign took.
        """
        unit, points = timeline_of(self._find(caller_of(request), int(id)))
        return Response({"unit": unit, "points": rows_of(TimelinePointSerializer, points)})

    @extend_schema(
        operation_id="campaigns_recipients",
        parameters=[ID, RecipientPageQuerySerializer],
        responses=CampaignRecipientPageSerializer,
    )
    @action(detail=True)
    def recipients(self, request: Request, id: str) -> Response:
        """Return a page of recipients, in the order of sending."""
        campaign = self._find(caller_of(request), int(id))
        found = narrowed(recipients_of(campaign), RecipientFilters, request)
        after_id = query_values(RecipientPageQuerySerializer, request.query_params).get("after_id")
        page = (
            paginate(found, page_number(request))
            if after_id is None
            else paginate_after(found, after_id)
        )
        return Response(page.body("records", rows_of(CampaignRecipientSerializer, page.rows)))

    @extend_schema(
        operation_id="campaigns_recipients_export",
        parameters=[ID, RecipientQuerySerializer],
        responses={(200, "text/csv"): OpenApiTypes.BINARY},
    )
    @action(detail=True, url_path="recipients/export", url_name="recipients-export")
    def export(self, request: Request, id: str) -> StreamingHttpResponse:
        """Return a CSV file of the recipients that match the filters, streamed.

        It is in the language of Accept-Language.
        """
        caller = caller_of(request)
        campaign = self._find(caller, int(id))
        parts = export_recipients(
            actor=caller,
            campaign=campaign,
            recipients=narrowed(recipients_of(campaign), RecipientFilters, request),
            language=preferred_language(request),
            ip_address=client_address(request),
        )
        return StreamingHttpResponse(
            parts,
            content_type="text/csv; charset=utf-8",
            headers={
                "Content-Disposition": f'attachment; filename="{EXPORT_NAME}"',
                "Cache-Control": "no-store",
                "X-Accel-Buffering": "no",  # nginx passes the parts on as they come
            },
        )

    @extend_schema(
        operation_id="campaigns_preview",
        parameters=[ID, PreviewQuerySerializer],
        responses=CampaignPreviewSerializer,
    )
    @action(detail=True)
    def preview(self, request: Request, id: str) -> Response:
        """Return the texts as a contact would get them, by default the first recipient."""
        campaign = self._find(caller_of(request), int(id))
        given = query_values(PreviewQuerySerializer, request.query_params)
        preview = preview_of(campaign, contact_id=given.get("contact_id"))
        return Response(
            {
                "name": preview.name,
                "messages": _texts(preview.messages),
                "confirmations": _texts(preview.confirmations),
                "templateComponents": preview.template_components,
            }
        )


def _texts(texts: dict[int, str]) -> list[dict[str, object]]:
    return [{"number": number, "text": text} for number, text in texts.items()]
