"""The calls of what messages cost (rules/costs §5)."""

from collections.abc import Callable
from datetime import date, timedelta

from django.http import StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSet

from apps.common.callers import caller_of, client_address, preferred_language
from apps.common.errors import InvalidInput
from apps.common.paging import page_number, paginate
from apps.common.serializers import body_values, query_values, row_of, rows_of
from apps.companies.queries import zone_of
from apps.costs.models import MessageCost
from apps.costs.queries.automatic_texts import automatic_text, automatic_texts, first_day
from apps.costs.queries.ledger import Asked, figures_of, groups_of, read_groups
from apps.costs.queries.meters import meters_of
from apps.costs.serializers import (
    AutomaticTextNameSerializer,
    AutomaticTextSerializer,
    AutomaticTextsSerializer,
    CostFiguresSerializer,
    CostGroupSerializer,
    CostMeterSerializer,
    CostMetersSerializer,
    CostPageSerializer,
    CostQuerySerializer,
)
from apps.costs.services.exporting import export_costs
from apps.costs.services.stopping import resume_text, stop_text
from apps.tickets.origins import Origin
from apps.tickets.queries.access import readable_ticket

EXPORT_NAME = "costs.csv"
MOST_DAYS = 366
PAGE = OpenApiParameter("pageNumber", OpenApiTypes.INT, description="Page number, from 1.")
TICKET_ID = OpenApiParameter(
    "id", OpenApiTypes.INT, OpenApiParameter.PATH, description="Id of the ticket."
)


def _today(company_id: int) -> date:
    return timezone.now().astimezone(zone_of(company_id)).date()


def _asked(request: Request) -> Asked:
    """Return what a report is about; raises InvalidInput for days that make no period."""
    caller = caller_of(request)
    company_id = caller.company_id
    given = query_values(CostQuerySerializer, request.query_params)
    last: date = given.get("dateTo") or _today(company_id)
    first: date = given.get("dateFrom") or last.replace(day=1)
    if first > last:
        raise _no_period("dateTo", "O fim não pode ser antes do início.")
    if last - first >= timedelta(days=MOST_DAYS):
        raise _no_period("dateFrom", f"Escolha no máximo {MOST_DAYS} dias.")
    group = given.get("groupBy", "source")
    return Asked(company_id, first, last, group, hides=not caller.sees_full_numbers)


def _no_period(field: str, sentence: str) -> InvalidInput:
    return InvalidInput(sentence, fields={field: [sentence]}, rule="invalid")


class CostsView(APIView):
    @extend_schema(
        operation_id="listCosts",
        parameters=[CostQuerySerializer, PAGE],
        responses=CostPageSerializer,
    )
    def get(self, request: Request) -> Response:
        """Return a page of what messages cost, by group, and the sums of the whole period."""
        asked = _asked(request)
        page = paginate(groups_of(asked), page_number(request))
        groups = rows_of(CostGroupSerializer, read_groups(asked, page.rows))
        return Response(
            {
                **page.body("groups", groups),
                "total": row_of(CostFiguresSerializer, figures_of(asked.rows)),
                "dateFrom": asked.first.isoformat(),
                "dateTo": asked.last.isoformat(),
            }
        )


class CostMeterView(APIView):
    @extend_schema(operation_id="showCostMeter", responses=CostMetersSerializer)
    def get(self, request: Request) -> Response:
        """Return the meter of each official number for this month, with its projection."""
        company_id = caller_of(request).company_id
        today = _today(company_id)
        return Response(
            {
                "month": today.replace(day=1).isoformat(),
                "timeZone": zone_of(company_id).key,
                "meters": rows_of(CostMeterSerializer, meters_of(company_id, today)),
            }
        )


class CostExportView(APIView):
    @extend_schema(
        operation_id="exportCosts",
        parameters=[CostQuerySerializer],
        responses={(200, "text/csv"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """Return a CSV file of all groups, streamed, in the language of Accept-Language."""
        parts = export_costs(
            actor=caller_of(request),
            asked=_asked(request),
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


class AutomaticTextsView(APIView):
    @extend_schema(operation_id="listAutomaticTexts", responses=AutomaticTextsSerializer)
    def get(self, request: Request) -> Response:
        """Return what the bot's texts cost in the last 30 days, and which can be stopped."""
        company_id = caller_of(request).company_id
        today = _today(company_id)
        return Response(
            {
                "texts": rows_of(AutomaticTextSerializer, automatic_texts(company_id, today)),
                "dateFrom": first_day(today).isoformat(),
                "dateTo": today.isoformat(),
            }
        )


class StopTextView(APIView):
    @extend_schema(
        operation_id="stopAutomaticText",
        request=AutomaticTextNameSerializer,
        responses=AutomaticTextSerializer,
    )
    def post(self, request: Request) -> Response:
        """Stop a text wherever the company has it; return it as it is then."""
        return _change_text(request, stop_text)


class ResumeTextView(APIView):
    @extend_schema(
        operation_id="resumeAutomaticText",
        request=AutomaticTextNameSerializer,
        responses=AutomaticTextSerializer,
    )
    def post(self, request: Request) -> Response:
        """Send a stopped text again as it was; return it as it is then."""
        return _change_text(request, resume_text)


def _change_text(request: Request, change: Callable[..., None]) -> Response:
    caller = caller_of(request)
    given = body_values(AutomaticTextNameSerializer, request.data)
    origin = Origin(given["origin"]).of(given.get("id"))
    change(actor=caller, origin=origin, ip_address=client_address(request))
    text = automatic_text(caller.company_id, _today(caller.company_id), origin)
    return Response(row_of(AutomaticTextSerializer, text))


class TicketCostViewSet(ViewSet):
    """What the messages of a ticket cost."""

    lookup_url_kwarg = "id"
    lookup_value_regex = r"\d+"

    @extend_schema(
        operation_id="ticket_cost", parameters=[TICKET_ID], responses=CostFiguresSerializer
    )
    @action(detail=True)
    def cost(self, request: Request, id: str) -> Response:
        """Return the figures of a ticket's delivered messages, of all its cycles."""
        ticket = readable_ticket(caller_of(request), pk=int(id))
        rows = MessageCost.objects.filter(company=ticket.company_id, ticket=ticket.pk)
        return Response(row_of(CostFiguresSerializer, figures_of(rows)))
