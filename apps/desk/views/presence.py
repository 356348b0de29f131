"""The calls of presence (rules/desk §5)."""

from datetime import datetime, time, timedelta

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.models import User
from apps.common.callers import caller_of
from apps.common.records import ID
from apps.common.serializers import (
    SentenceSerializer,
    body_values,
    row_of,
    rows_of,
)
from apps.companies.queries import zone_of
from apps.desk.decisions.assignment import Presence
from apps.desk.models import PauseReason, Seat
from apps.desk.queries.team import timeline_of
from apps.desk.serializers.presence import (
    PauseReasonInputSerializer,
    PauseReasonSerializer,
    PresenceInputSerializer,
    PresencePeriodSerializer,
    PresenceSerializer,
    TimelineQuerySerializer,
)
from apps.desk.services import reasons
from apps.desk.services.presence import PersonNotFound, choose_presence


def _choose(request: Request, user_id: int) -> Response:
    fields = body_values(PresenceInputSerializer, request.data)
    seat = choose_presence(
        company_id=caller_of(request).company_id,
        user_id=user_id,
        presence=Presence(fields["presence"]),
        reason_id=fields.get("reason_id"),
        minutes=fields.get("minutes"),
    )
    return Response(row_of(PresenceSerializer, seat))


class PresencesView(APIView):
    @extend_schema(operation_id="listPresences", responses=PresenceSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Return how the company's people are present; whom nobody has seen yet is left out."""
        seats = Seat.objects.for_company(caller_of(request).company_id).order_by("pk")
        return Response(rows_of(PresenceSerializer, seats))


class OwnPresenceView(APIView):
    @extend_schema(
        operation_id="chooseOwnPresence",
        request=PresenceInputSerializer,
        responses=PresenceSerializer,
    )
    def put(self, request: Request) -> Response:
        """Choose how the caller is present. 409 with `ERR_ASSIGNMENT_OFF` while nothing is
        distributed.
        """
        return _choose(request, caller_of(request).pk)


class PresenceView(APIView):
    @extend_schema(
        operation_id="choosePresence",
        parameters=[ID],
        request=PresenceInputSerializer,
        responses=PresenceSerializer,
    )
    def put(self, request: Request, id: str) -> Response:
        """Choose how a person is present, as a supervisor."""
        people = User.objects.for_company(caller_of(request).company_id)
        if not people.filter(pk=int(id)).exists():
            raise PersonNotFound
        return _choose(request, int(id))


class TimelineView(APIView):
    @extend_schema(
        operation_id="listPresencePeriods",
        parameters=[TimelineQuerySerializer],
        responses=PresencePeriodSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """Return the stretches of a person's presence on a day of the company's zone."""
        company_id = caller_of(request).company_id
        asked = body_values(TimelineQuerySerializer, request.query_params.dict())
        user = User.objects.for_company(company_id).filter(pk=asked["user_id"]).first()
        if user is None:
            raise PersonNotFound
        zone = zone_of(company_id)
        day = asked.get("date") or timezone.now().astimezone(zone).date()
        start = datetime.combine(day, time(), tzinfo=zone)
        periods = timeline_of(user, start, start + timedelta(days=1))
        return Response(rows_of(PresencePeriodSerializer, periods))


class PauseReasonsView(APIView):
    @extend_schema(operation_id="listPauseReasons", responses=PauseReasonSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Return the company's reasons to pause, by name."""
        found = PauseReason.objects.for_company(caller_of(request).company_id)
        return Response(rows_of(PauseReasonSerializer, found))

    @extend_schema(
        operation_id="createPauseReason",
        request=PauseReasonInputSerializer,
        responses={201: PauseReasonSerializer},
    )
    def post(self, request: Request) -> Response:
        """Create a reason to pause; each name once, at most 50."""
        fields = body_values(PauseReasonInputSerializer, request.data)
        reason = reasons.save_reason(company_id=caller_of(request).company_id, **fields)
        return Response(row_of(PauseReasonSerializer, reason), status=201)


class PauseReasonView(APIView):
    @extend_schema(
        operation_id="updatePauseReason",
        parameters=[ID],
        request=PauseReasonInputSerializer,
        responses=PauseReasonSerializer,
    )
    def put(self, request: Request, id: str) -> Response:
        """Change a reason to pause; periods keep the name that they began with."""
        company_id, reason_id = caller_of(request).company_id, int(id)
        reasons.get_reason(company_id=company_id, reason_id=reason_id)
        fields = body_values(PauseReasonInputSerializer, request.data)
        reason = reasons.save_reason(company_id=company_id, reason_id=reason_id, **fields)
        return Response(row_of(PauseReasonSerializer, reason))

    @extend_schema(operation_id="deletePauseReason", parameters=[ID], responses=SentenceSerializer)
    def delete(self, request: Request, id: str) -> Response:
        """Delete a reason to pause; pauses keep its name."""
        reasons.delete_reason(company_id=caller_of(request).company_id, reason_id=int(id))
        return Response({"message": "Motivo excluído."})
