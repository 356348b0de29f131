"""The calls about what became, or would become, of a campaign (rules/campaigns §5 and §10)."""

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.campaigns.queries.reports import RecipientFilters, recipients_of, report_of, timeline_of
from apps.campaigns.serializers.reports import (
    CampaignPreviewSerializer,
    CampaignRecipientPageSerializer,
    CampaignReportSerializer,
    CampaignTimelineSerializer,
    PreviewQuerySerializer,
    RecipientPageQuerySerializer,
    RecipientQuerySerializer,
    point_row,
    recipient_row,
    report_row,
)
from apps.campaigns.services.costs import billed_cost
from apps.campaigns.services.finding import get_campaign
from apps.campaigns.services.previews import preview_of
from apps.campaigns.services.recipients_export import export_recipients
from apps.common.callers import caller_of, client_address, preferred_language
from apps.common.filters import narrowed
from apps.common.paging import page_number, paginate, paginate_after
from apps.common.records import ID
from apps.common.serializers import query_values

EXPORT_NAME = "campaign.csv"


class CampaignReport(APIView):
    """What became of a campaign."""

    @extend_schema(
        operation_id="campaigns_report", parameters=[ID], responses=CampaignReportSerializer
    )
    def get(self, request: Request, id: str) -> Response:
        """Return its figures."""
        campaign = get_campaign(caller_of(request).company_id, int(id))
        return Response(report_row(campaign, report_of(campaign), billed_cost(campaign)))


class CampaignTimeline(APIView):
    """Its course."""

    @extend_schema(
        operation_id="campaigns_timeline", parameters=[ID], responses=CampaignTimelineSerializer
    )
    def get(self, request: Request, id: str) -> Response:
        """Return deliveries, reads and answers by minute, hour or day, as long as it took."""
        campaign = get_campaign(caller_of(request).company_id, int(id))
        unit, points = timeline_of(campaign)
        return Response({"unit": unit, "points": [point_row(each) for each in points]})


class CampaignRecipients(APIView):
    """Its recipients."""

    @extend_schema(
        operation_id="campaigns_recipients",
        parameters=[ID, RecipientPageQuerySerializer],
        responses=CampaignRecipientPageSerializer,
    )
    def get(self, request: Request, id: str) -> Response:
        """Return a page, in the order in which they are written to."""
        campaign = get_campaign(caller_of(request).company_id, int(id))
        found = narrowed(recipients_of(campaign), RecipientFilters, request)
        after_id = query_values(RecipientPageQuerySerializer, request.query_params).get("after_id")
        page = (
            paginate(found, page_number(request))
            if after_id is None
            else paginate_after(found, after_id)
        )
        return Response(page.body("records", [recipient_row(each) for each in page.rows]))


class CampaignRecipientsExport(APIView):
    """Its recipients as a file."""

    @extend_schema(
        operation_id="campaigns_recipients_export",
        parameters=[ID, RecipientQuerySerializer],
        responses={(200, "text/csv"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, id: str) -> StreamingHttpResponse:
        """Return a CSV file of all, or of those that are asked for, as it is read.

        In the language of Accept-Language.
        """
        caller = caller_of(request)
        campaign = get_campaign(caller.company_id, int(id))
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


class CampaignPreview(APIView):
    """Its texts, filled in."""

    @extend_schema(
        operation_id="campaigns_preview",
        parameters=[ID, PreviewQuerySerializer],
        responses=CampaignPreviewSerializer,
    )
    def get(self, request: Request, id: str) -> Response:
        """Return what it says as a contact would get it, or the first recipient."""
        campaign = get_campaign(caller_of(request).company_id, int(id))
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
