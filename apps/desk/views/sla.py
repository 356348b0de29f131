"""The calls of deadlines and holidays (rules/desk §8 to §11)."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.common.callers import caller_of, client_address
from apps.common.hours import national_days
from apps.common.records import ID
from apps.common.serializers import (
    SentenceSerializer,
    body_values,
    query_values,
    row_of,
    rows_of,
)
from apps.companies.holidays import NATIONAL, OWN, read_holidays
from apps.companies.queries import settings_of, zone_of
from apps.desk.models import SlaPolicy
from apps.desk.queries.sla_report import MissedAsked, clocks_of, missed_of, report_of
from apps.desk.serializers.sla import (
    HolidaySerializer,
    HolidaysQuerySerializer,
    SlaClockSerializer,
    SlaMissedPageSerializer,
    SlaMissedQuerySerializer,
    SlaPolicyInputSerializer,
    SlaPolicySerializer,
    SlaQuerySerializer,
    SlaReportSerializer,
)
from apps.desk.services.sla import policies
from apps.tickets.queries.access import readable_ticket
from apps.tickets.queries.dashboard import Asked, Span, span_of
from apps.tickets.serializers import ticket_rows_of

DAYS = ("days", "date_from", "date_to")


def _answer(policy: SlaPolicy, status: int = 200) -> Response:
    found = policies.get_policy(company_id=policy.company_id, policy_id=policy.pk)
    return Response(row_of(SlaPolicySerializer, found), status=status)


class SlaPoliciesView(APIView):
    @extend_schema(operation_id="listSlaPolicies", responses=SlaPolicySerializer(many=True))
    def get(self, request: Request) -> Response:
        """Return the company's times: of priorities, then of tags, then of queues."""
        found = policies.policies_of(caller_of(request).company_id)
        return Response(rows_of(SlaPolicySerializer, found))

    @extend_schema(
        operation_id="createSlaPolicy",
        request=SlaPolicyInputSerializer,
        responses={201: SlaPolicySerializer},
    )
    def post(self, request: Request) -> Response:
        """Create times for a queue, a tag or a priority.

        The first ones switch the company's setting `sla` on. 400 with `ERR_SLA_EXISTS` where there
        are some.
        """
        policy = policies.save_policy(
            actor=caller_of(request),
            fields=body_values(SlaPolicyInputSerializer, request.data),
            ip_address=client_address(request),
        )
        return _answer(policy, 201)


class SlaPolicyView(APIView):
    @extend_schema(
        operation_id="updateSlaPolicy",
        parameters=[ID],
        request=SlaPolicyInputSerializer,
        responses=SlaPolicySerializer,
    )
    def put(self, request: Request, id: str) -> Response:
        """Replace times and their steps; clocks that run keep what has passed."""
        company_id = caller_of(request).company_id
        policies.get_policy(company_id=company_id, policy_id=int(id))
        policy = policies.save_policy(
            actor=caller_of(request),
            policy_id=int(id),
            fields=body_values(SlaPolicyInputSerializer, request.data),
            ip_address=client_address(request),
        )
        return _answer(policy)

    @extend_schema(operation_id="deleteSlaPolicy", parameters=[ID], responses=SentenceSerializer)
    def delete(self, request: Request, id: str) -> Response:
        """Delete times; clocks by them end, or go on by others."""
        policies.delete_policy(
            actor=caller_of(request), policy_id=int(id), ip_address=client_address(request)
        )
        return Response({"message": "Prazos excluídos."})


class TicketClocksView(APIView):
    @extend_schema(
        operation_id="listTicketClocks",
        parameters=[ID],
        responses=SlaClockSerializer(many=True),
    )
    def get(self, request: Request, id: str) -> Response:
        """Return a ticket's clocks, the latest first; for whoever may read it."""
        ticket = readable_ticket(caller_of(request), pk=int(id))
        return Response(rows_of(SlaClockSerializer, clocks_of(ticket.pk)))


def _span(request: Request, asked: dict[str, object]) -> Span:
    days = {name: asked.pop(name) for name in DAYS if name in asked}
    zone = zone_of(caller_of(request).company_id)
    return span_of(Asked(**days), zone=zone, now=timezone.now())  # type: ignore[arg-type]


class SlaReportView(APIView):
    @extend_schema(
        operation_id="showSlaReport",
        parameters=[SlaQuerySerializer],
        responses=SlaReportSerializer,
    )
    def get(self, request: Request) -> Response:
        """Return how many clocks were met and missed, for the days of the dashboard."""
        asked = query_values(SlaQuerySerializer, request.query_params)
        span = _span(request, asked)
        kind = str(asked.get("kind", ""))
        return Response(report_of(caller_of(request).company_id, span, kind))


class SlaMissedView(APIView):
    @extend_schema(
        operation_id="listMissedClocks",
        parameters=[SlaMissedQuerySerializer],
        responses=SlaMissedPageSerializer,
    )
    def get(self, request: Request) -> Response:
        """Return missed clocks with their conversations, the latest first, 40 a page."""
        asked = query_values(SlaMissedQuerySerializer, request.query_params)
        span = _span(request, asked)
        clocks, has_more = missed_of(caller_of(request).company_id, span, MissedAsked(**asked))
        rows = {row["id"]: row for row in ticket_rows_of([each.ticket_id for each in clocks])}
        return Response(
            {
                "clocks": [
                    {
                        "clock": row_of(SlaClockSerializer, each),
                        "ticket": rows[each.ticket_id],
                        "queueName": each.queue.name if each.queue else None,
                        "userName": each.user.name if each.user else None,
                    }
                    for each in clocks
                    # It may have been deleted meanwhile.
                    if each.ticket_id in rows
                ],
                "hasMore": has_more,
            }
        )


class HolidaysView(APIView):
    @extend_schema(
        operation_id="listHolidays",
        parameters=[HolidaysQuerySerializer],
        responses=HolidaySerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """Return the company's days off of a year (this one by default), by date.

        National ones by the setting `nationalHolidays`, its own by `ownHolidays`, which come first.
        """
        company_id = caller_of(request).company_id
        asked = query_values(HolidaysQuerySerializer, request.query_params)
        year = asked.get("year") or timezone.now().astimezone(zone_of(company_id)).year
        settings = settings_of(company_id)
        found = {}
        if settings[NATIONAL]:
            for day, name in national_days(settings[NATIONAL], year).items():
                found[day] = {"name": name, "national": True, "startTime": "", "endTime": ""}
        for each in read_holidays(settings[OWN]):
            if each.day.year == year:
                start, end = each.hours or ("", "")
                own = {"name": each.name, "national": False, "startTime": start, "endTime": end}
                found[each.day] = own
        return Response([{"date": day, **found[day]} for day in sorted(found)])
