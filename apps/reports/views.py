"""The calls of the reports (rules/reports)."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from django.http import StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.common.callers import caller_of, client_address, preferred_language
from apps.common.errors import InvalidInput
from apps.common.serializers import query_values, rows_of
from apps.common.workbooks import XLSX
from apps.companies.queries import zone_of
from apps.reports.queries.activity import ActivityAsked
from apps.reports.queries.activity import page_of as days_of
from apps.reports.queries.asked import Asked, Place
from apps.reports.queries.conversations import count_of, page_of
from apps.reports.queries.figures import figures_of
from apps.reports.queries.reach import reach_of
from apps.reports.serializers import (
    OPEN_TIME,
    ActivityFileQuerySerializer,
    ActivityPageQuerySerializer,
    ActivityReportSerializer,
    ConversationReportSerializer,
    FileQuerySerializer,
    PageQuerySerializer,
    PersonDaySerializer,
    ReportedConversationSerializer,
    ReportFiguresSerializer,
    ReportQuerySerializer,
    figures_row,
)
from apps.reports.services.exporting import export_activity, export_conversations
from apps.tickets.queries.dashboard import Asked as DaysAsked
from apps.tickets.queries.dashboard import Span, span_of
from apps.tickets.queries.passes import worked_in

MOST_DAYS, DEFAULT_DAYS, MOST_COUNTED_DAYS = 366, 30, 92
MOST_ACTIVITY_DAYS, DEFAULT_ACTIVITY_DAYS = 92, 7
CSV = "text/csv"
FILES = {(200, CSV): OpenApiTypes.BINARY, (200, XLSX): OpenApiTypes.BINARY}


def _span(request: Request, given: dict[str, Any], *, default: int, most: int) -> Span:
    """Return the asked days, both ends included; raises InvalidInput for days that are no period.

    They are taken out of `given`.
    """
    zone = zone_of(caller_of(request).company_id)
    first, last = given.pop("dateFrom", None), given.pop("dateTo", None)
    now = timezone.now()
    end = _day(last, zone) or now.astimezone(zone).date()
    begin = _day(first, zone) or end - timedelta(days=default - 1)
    if begin > end:
        raise _no_period("dateTo", "O fim não pode ser antes do início.")
    if end - begin >= timedelta(days=most):
        raise _no_period("dateFrom", f"Escolha no máximo {most} dias.")
    return span_of(DaysAsked(date_from=begin, date_to=end), zone=zone, now=now)


def _day(value: date | None, zone: Any) -> date | None:
    if isinstance(value, datetime):
        return (value.astimezone(zone) if value.tzinfo else value).date()
    return value


def _no_period(field: str, sentence: str) -> InvalidInput:
    return InvalidInput(sentence, fields={field: [sentence]}, rule="invalid")


def _asked(request: Request, given: dict[str, Any], *, sums: bool = False) -> Asked:
    worked_by = given.pop("worked_by", None)
    by_hours = given.pop("clock", "") == OPEN_TIME
    # Times of working hours are counted one by one, in the request.
    is_counted = by_hours and (sums or bool(given.get("band")))
    most = MOST_DAYS if worked_by is None and not is_counted else MOST_COUNTED_DAYS
    span = _span(request, given, default=DEFAULT_DAYS, most=most)
    caller = caller_of(request)
    reason = given.pop("reason", "") or None
    if given.pop("without_reason", False):
        reason = ""
    return Asked(
        caller.company_id,
        span,
        reach_of(caller).cycles,
        by_hours,
        reason=reason,
        only=None if worked_by is None else worked_in(worked_by, span.holds("created_at")),
        **{name: value for name, value in given.items() if value is not None},
    )


def _activity_asked(request: Request, given: Mapping[str, Any]) -> ActivityAsked:
    caller = caller_of(request)
    span = _span(request, dict(given), default=DEFAULT_ACTIVITY_DAYS, most=MOST_ACTIVITY_DAYS)
    return ActivityAsked(caller.company_id, span, reach_of(caller).people, given.get("user_id"))


def _days_of(span: Span) -> dict[str, Any]:
    return {"dateFrom": str(span.first), "dateTo": str(span.last)}


def _download(parts: Iterable[bytes], name: str, kind: str) -> StreamingHttpResponse:
    is_sheet = kind == "xlsx"
    return StreamingHttpResponse(
        parts,
        content_type=XLSX if is_sheet else f"{CSV}; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="{name}.{"xlsx" if is_sheet else "csv"}"',
            "Cache-Control": "no-store",
            "X-Accel-Buffering": "no",  # nginx passes the parts on as they come
        },
    )


class ReportedConversationsView(APIView):
    @extend_schema(
        operation_id="listReportedConversations",
        parameters=[PageQuerySerializer],
        responses=ConversationReportSerializer,
    )
    def get(self, request: Request) -> Response:
        """Return a page of conversations with their times, answers, rating and cost, 40 a page.

        The latest first, by when they began to wait. `cursor` is `next` of the page before.
        """
        given = query_values(PageQuerySerializer, request.query_params)
        cursor = given.pop("cursor", "")
        after = Place.read(cursor) if cursor else None
        asked = _asked(request, given)
        page = page_of(asked, after)
        rows = rows_of(ReportedConversationSerializer, page.conversations)
        return Response(
            {
                "conversations": rows,
                "count": count_of(asked, page) if after is None else None,
                "next": None if page.next is None else str(page.next),
                **_days_of(asked.span),
            }
        )


class ConversationsFileView(APIView):
    @extend_schema(
        operation_id="exportReportedConversations",
        parameters=[FileQuerySerializer],
        responses=FILES,
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """Return all asked conversations as a file, streamed, in the language of Accept-Language.

        Its columns are the fields of a conversation, without ids.
        """
        given = query_values(FileQuerySerializer, request.query_params)
        kind = given.pop("file", "") or "csv"
        parts = export_conversations(
            actor=caller_of(request),
            asked=_asked(request, given),
            kind=kind,
            language=preferred_language(request),
            ip_address=client_address(request),
        )
        return _download(parts, "conversations", kind)


class ReportFiguresView(APIView):
    @extend_schema(
        operation_id="showReportFigures",
        parameters=[ReportQuerySerializer],
        responses=ReportFiguresSerializer,
    )
    def get(self, request: Request) -> Response:
        """Return the figures of the asked conversations: counts, means, first answers in bands,
        ratings, reasons, and when they began, by weekday and hour.
        """
        given = query_values(ReportQuerySerializer, request.query_params)
        asked = _asked(request, given, sums=True)
        return Response({**figures_row(figures_of(asked)), **_days_of(asked.span)})


class ActivityView(APIView):
    @extend_schema(
        operation_id="listActivity",
        parameters=[ActivityPageQuerySerializer],
        responses=ActivityReportSerializer,
    )
    def get(self, request: Request) -> Response:
        """Return people's days: presence, pauses by reason, messages, first and last action.

        The latest day first, then by name; at most 92 days. A page has whole days, as many as have
        about 50 rows. `cursor` is `next` of the page before.
        """
        given = query_values(ActivityPageQuerySerializer, request.query_params)
        until = given.pop("cursor", None)
        asked = _activity_asked(request, given)
        page = days_of(asked, timezone.now(), until)
        return Response(
            {
                "days": rows_of(PersonDaySerializer, page.days),
                "next": None if page.next is None else str(page.next),
                **_days_of(asked.span),
            }
        )


class ActivityFileView(APIView):
    @extend_schema(
        operation_id="exportActivity",
        parameters=[ActivityFileQuerySerializer],
        responses=FILES,
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """Return people's days as a file, streamed, in the language of Accept-Language."""
        given = query_values(ActivityFileQuerySerializer, request.query_params)
        kind = given.pop("file", "") or "csv"
        parts = export_activity(
            actor=caller_of(request),
            asked=_activity_asked(request, given),
            kind=kind,
            language=preferred_language(request),
            now=timezone.now(),
            ip_address=client_address(request),
        )
        return _download(parts, "activity", kind)
