"""The calls of the distribution and of the team (rules/desk §2, §4 and §7)."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.permissions import Permission
from apps.common.callers import caller_of, client_address
from apps.common.records import ID
from apps.common.serializers import body_values, row_of, rows_of
from apps.desk.queries.team import (
    Member,
    for_supervisors,
    held_by,
    log_of,
    team_of,
    waiting_by_queue,
)
from apps.desk.serializers.assignment import (
    AssignmentLogSerializer,
    AssignmentPolicyInputSerializer,
    AssignmentPolicySerializer,
    HeldTicketSerializer,
    MoveSerializer,
    SeatInputSerializer,
    TeamMemberSerializer,
    TeamSerializer,
)
from apps.desk.serializers.presence import PresenceSerializer
from apps.desk.services import policies, team
from apps.desk.services.presence import PersonNotFound
from apps.tickets.queries.access import readable_ticket
from apps.tickets.serializers import ticket_row, ticket_rows_of
from apps.tickets.serializers.tickets import TicketSerializer


class AssignmentPolicyView(APIView):
    @extend_schema(
        operation_id="getQueueAssignment", parameters=[ID], responses=AssignmentPolicySerializer
    )
    def get(self, request: Request, id: str) -> Response:
        """Return how a queue gives what waits to people."""
        policy = policies.policy_of(company_id=caller_of(request).company_id, queue_id=int(id))
        return Response(row_of(AssignmentPolicySerializer, policy))

    @extend_schema(
        operation_id="updateQueueAssignment",
        parameters=[ID],
        request=AssignmentPolicyInputSerializer,
        responses=AssignmentPolicySerializer,
    )
    def put(self, request: Request, id: str) -> Response:
        """Change how a queue gives what waits to people; omitted fields do not change.

        The first queue with another mode than `manual` switches the company's setting `assignment`
        on.
        """
        caller = caller_of(request)
        policies.policy_of(company_id=caller.company_id, queue_id=int(id))
        fields = body_values(AssignmentPolicyInputSerializer, request.data, partial=True)
        policy = policies.save_policy(
            actor=caller, queue_id=int(id), fields=fields, ip_address=client_address(request)
        )
        return Response(row_of(AssignmentPolicySerializer, policy))


def _member_row(member: Member) -> dict[str, Any]:
    user, seat = member.user, member.seat
    return {
        "id": user.pk,
        "name": user.name,
        "profile": user.profile,
        "seesAll": user.may(Permission.SEE_ALL),
        "presence": row_of(PresenceSerializer, seat),
        "connected": member.is_connected,
        "withinHours": member.is_within_hours,
        "queues": [{"id": pk, "name": name, "color": color} for pk, name, color in member.queues],
        "capacity": seat.capacity,
        "load": seat.load,
        "whatsappWeight": seat.whatsapp_weight,
        "callWeight": seat.call_weight,
        "schedules": seat.schedules,
        "skillIds": member.skill_ids,
        "unansweredSince": member.unanswered_since,
        "givenToday": member.count("given_count"),
        "resolvedToday": member.count("resolved_count"),
        "returnedToday": member.count("returned_count"),
    }


class TeamView(APIView):
    @extend_schema(operation_id="listTeam", responses=TeamSerializer)
    def get(self, request: Request) -> Response:
        """Return people with presence, load and today's counts, and what waits."""
        company_id, now = caller_of(request).company_id, timezone.now()
        return Response(
            {
                "members": [_member_row(each) for each in team_of(company_id, now)],
                "waiting": waiting_by_queue(company_id),
                "forSupervisors": ticket_rows_of(for_supervisors(company_id)),
            }
        )


class TeamMemberView(APIView):
    @extend_schema(
        operation_id="updateTeamMember",
        parameters=[ID],
        request=SeatInputSerializer,
        responses=TeamMemberSerializer,
    )
    def put(self, request: Request, id: str) -> Response:
        """Change what a person can take; omitted fields do not change.

        A capacity below the present load takes nothing away: nothing more is given until the load
        is below it.
        """
        caller, now = caller_of(request), timezone.now()
        if not team_of(caller.company_id, now, only=int(id)):
            raise PersonNotFound
        fields = body_values(SeatInputSerializer, request.data, partial=True)
        team.change_seat(
            actor=caller, user_id=int(id), fields=fields, ip_address=client_address(request)
        )
        [member] = team_of(caller.company_id, now, only=int(id))
        return Response(_member_row(member))


class TeamTicketsView(APIView):
    @extend_schema(
        operation_id="listTeamTickets",
        parameters=[ID],
        responses=HeldTicketSerializer(many=True),
    )
    def get(self, request: Request, id: str) -> Response:
        """Return what a person holds, the longest unanswered first, at most 100."""
        company_id = caller_of(request).company_id
        if not team_of(company_id, timezone.now(), only=int(id)):
            raise PersonNotFound
        held = held_by(company_id, int(id))
        rows = {row["id"]: row for row in ticket_rows_of([each.pk for each in held])}
        return Response(
            [
                {
                    "ticket": rows[each.pk],
                    "givenAt": each.given_at,
                    "unansweredSince": each.unanswered_since,
                    "points": each.points,
                }
                for each in held
                if each.pk in rows
            ]
        )


class TeamMovesView(APIView):
    @extend_schema(
        operation_id="moveTeamTicket", request=MoveSerializer, responses=TicketSerializer
    )
    def post(self, request: Request) -> Response:
        """Give a ticket to another person, or back to its queue.

        409 with `ERR_TICKET_MOVED` when it is not with `fromUserId` any more, 400 with
        `ERR_TRANSFER_NOTE_REQUIRED` where its queue wants a note.
        """
        fields = body_values(MoveSerializer, request.data)
        ticket = team.move_ticket(
            actor=caller_of(request),
            ticket_id=fields["ticket_id"],
            from_user_id=fields.get("from_user_id"),
            to_user_id=fields.get("to_user_id"),
            note=fields.get("note", ""),
        )
        return Response(ticket.told or ticket_row(ticket))


class TicketAssignmentsView(APIView):
    @extend_schema(
        operation_id="listTicketAssignments",
        parameters=[ID],
        responses=AssignmentLogSerializer(many=True),
    )
    def get(self, request: Request, id: str) -> Response:
        """Return who had a ticket and why, in order; for whoever may read it."""
        ticket = readable_ticket(caller_of(request), pk=int(id))
        return Response(rows_of(AssignmentLogSerializer, log_of(ticket.pk)))
