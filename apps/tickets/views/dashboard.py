"""The calls of the dashboard (rules/dashboard)."""

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.common.callers import caller_of, client_address, preferred_language
from apps.common.serializers import query_values, row_of, rows_of
from apps.common.workbooks import XLSX
from apps.companies.queries import zone_of
from apps.tickets.queries.dashboard import (
    Asked,
    Span,
    breakdown_of,
    dashboard_of,
    span_of,
    tags_of,
)
from apps.tickets.queries.dashboard.days import Cover
from apps.tickets.queries.dashboard.older import HourSpan, counted_of, present_of, report_of
from apps.tickets.serializers.dashboard import (
    DashboardBreakdownSerializer,
    DashboardGroupSerializer,
    DashboardQuerySerializer,
    DashboardSerializer,
    DashboardStatusSerializer,
    DashboardTicketsSerializer,
    DashboardUsersSerializer,
    HoursQuerySerializer,
)
from apps.tickets.services.dashboard_export import export_dashboard
from apps.tickets.services.tickets.days import keep_days

EXPORT_NAME = "dashboard.xlsx"


def _span(request: Request) -> Span:
    asked = Asked(**query_values(DashboardQuerySerializer, request.query_params))
    return span_of(asked, zone=zone_of(caller_of(request).company_id), now=timezone.now())


def _cover(request: Request, span: Span) -> Cover:
    return keep_days(caller_of(request).company_id, span, now=timezone.now())


class DashboardView(APIView):
    @extend_schema(
        operation_id="showDashboard",
        parameters=[DashboardQuerySerializer],
        responses=DashboardSerializer,
    )
    def get(self, request: Request) -> Response:
        """Return the cards, the attendants and the hours of today."""
        dashboard = dashboard_of(_cover(request, _span(request)), now=timezone.now())
        return Response(row_of(DashboardSerializer, dashboard))


class DashboardBreakdownView(APIView):
    @extend_schema(
        operation_id="showDashboardBreakdown",
        parameters=[DashboardQuerySerializer],
        responses=DashboardBreakdownSerializer,
    )
    def get(self, request: Request) -> Response:
        """Return figures by queue and connection, first response, ratings and waiting tickets."""
        breakdown = breakdown_of(_cover(request, _span(request)))
        return Response(row_of(DashboardBreakdownSerializer, breakdown))


class DashboardTagsView(APIView):
    @extend_schema(
        operation_id="listDashboardTags",
        parameters=[DashboardQuerySerializer],
        responses=DashboardGroupSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """Return the figures by tag, in the order of names."""
        tags = tags_of(caller_of(request).company_id, _span(request))
        return Response(rows_of(DashboardGroupSerializer, tags))


class DashboardExportView(APIView):
    @extend_schema(
        operation_id="exportDashboard",
        parameters=[DashboardQuerySerializer],
        responses={(200, XLSX): OpenApiTypes.BINARY},
    )
    def get(self, request: Request) -> HttpResponse:
        """Return an .xlsx file with a sheet for each table, in the language of Accept-Language."""
        content = export_dashboard(
            actor=caller_of(request),
            span=_span(request),
            language=preferred_language(request),
            ip_address=client_address(request),
        )
        return HttpResponse(
            content,
            content_type=XLSX,
            headers={
                "Content-Disposition": f'attachment; filename="{EXPORT_NAME}"',
                "Cache-Control": "no-store",
            },
        )


def _hours(request: Request) -> HourSpan:
    asked = query_values(HoursQuerySerializer, request.query_params)
    days = Asked(date_from=asked.get("date_from"), date_to=asked.get("date_to"))
    span = span_of(days, zone=zone_of(caller_of(request).company_id), now=timezone.now())
    hours = {"begins": asked.get("hour_from"), "ends": asked.get("hour_to")}
    given = {name: hour for name, hour in hours.items() if hour is not None}
    return HourSpan(span.zone, span.today, span.first, span.last, **given)


class DashboardStatusView(APIView):
    @extend_schema(operation_id="showDashboardStatus", responses=DashboardStatusSerializer)
    def get(self, request: Request) -> Response:
        """Return live tickets by queue and who is online, as older browsers read them."""
        present = present_of(caller_of(request).company_id, now=timezone.now())
        return Response(row_of(DashboardStatusSerializer, present))


class DashboardTicketsView(APIView):
    @extend_schema(
        operation_id="showDashboardTickets",
        parameters=[HoursQuerySerializer],
        responses=DashboardTicketsSerializer,
    )
    def get(self, request: Request) -> Response:
        """Return the figures of a period by day, as older browsers read them."""
        counted = counted_of(_cover(request, _hours(request)))
        return Response(row_of(DashboardTicketsSerializer, counted))


class DashboardUsersView(APIView):
    @extend_schema(
        operation_id="showDashboardUsers",
        parameters=[HoursQuerySerializer],
        responses=DashboardUsersSerializer,
    )
    def get(self, request: Request) -> Response:
        """Return the attendants of a period, as older browsers read them."""
        report = report_of(_cover(request, _hours(request)), now=timezone.now())
        return Response(row_of(DashboardUsersSerializer, report))
