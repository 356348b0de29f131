"""Rules of queues, people and the log on the wire (rules/desk §2, §4 and §7)."""

from enum import StrEnum
from typing import Any

from rest_framework import serializers

from apps.common.serializers import (
    BooleanField,
    BoundedListField,
    IdField,
    OptionalIdField,
    RowSerializer,
    StrictSerializer,
    TextField,
)
from apps.companies.serializers.companies import ScheduleSerializer
from apps.desk.decisions.assignment import Mode, OfflineAction, Order, ReturnTo, Sticky, Why
from apps.desk.models.policies import choices_of
from apps.desk.serializers.presence import PresenceSerializer
from apps.tickets.serializers.requests import MAX_NOTE_LENGTH
from apps.tickets.serializers.tickets import TicketQueueSerializer, TicketSerializer

DAY = 24 * 60


def _choice(values: type[StrEnum], **options: Any) -> serializers.ChoiceField:
    return serializers.ChoiceField(
        choices=choices_of(values),
        error_messages={"invalid_choice": "Escolha uma das opções."},
        **options,
    )


def _number(least: int, most: int, **options: Any) -> serializers.IntegerField:
    sentence = f"Informe um número de {least} a {most}."
    return serializers.IntegerField(
        min_value=least,
        max_value=most,
        error_messages=dict.fromkeys(("min_value", "max_value", "invalid"), sentence),
        **options,
    )


class AssignmentPolicyInputSerializer(StrictSerializer):
    """How a queue gives what waits to people; omitted fields do not change."""

    mode = _choice(Mode)
    order = _choice(Order)
    sticky = _choice(Sticky)
    stickyDays = _number(1, 90, source="sticky_days")
    stickyWaitMinutes = _number(0, DAY, source="sticky_wait_minutes")
    returnMinutes = _number(0, DAY, source="return_minutes")
    returnTo = _choice(ReturnTo, source="return_to")
    maxReturns = _number(1, 20, source="max_returns")
    offlineAction = _choice(OfflineAction, source="offline_action")
    graceMinutes = _number(0, DAY, source="grace_minutes")
    fairLimit = _number(1, 1000, source="fair_limit")
    fairWindowMinutes = _number(1, DAY, source="fair_window_minutes")
    releaseMinutes = _number(0, DAY, source="release_minutes")
    manualAccept = BooleanField(source="manual_accept")


class AssignmentPolicySerializer(RowSerializer):
    """How a queue gives what waits to people. Minutes of 0 switch `returnMinutes` off."""

    queueId = serializers.IntegerField(source="queue_id")
    mode = _choice(Mode)
    order = _choice(Order)
    sticky = _choice(Sticky)
    stickyDays = serializers.IntegerField(source="sticky_days")
    stickyWaitMinutes = serializers.IntegerField(source="sticky_wait_minutes")
    returnMinutes = serializers.IntegerField(source="return_minutes")
    returnTo = _choice(ReturnTo, source="return_to")
    maxReturns = serializers.IntegerField(source="max_returns")
    offlineAction = _choice(OfflineAction, source="offline_action")
    graceMinutes = serializers.IntegerField(source="grace_minutes")
    fairLimit = serializers.IntegerField(source="fair_limit")
    fairWindowMinutes = serializers.IntegerField(source="fair_window_minutes")
    releaseMinutes = serializers.IntegerField(source="release_minutes")
    manualAccept = serializers.BooleanField(source="manual_accept")


class SeatInputSerializer(StrictSerializer):
    """What a person can take; omitted fields do not change.

    `capacity` in points, 0 without bound. No `schedules`: at any time.
    """

    capacity = _number(0, 1000)
    whatsappWeight = _number(1, 100, source="whatsapp_weight")
    callWeight = _number(1, 100, source="call_weight")
    schedules = ScheduleSerializer(many=True)
    skillIds = BoundedListField(child=IdField(), source="skill_ids", max_length=100)


class TeamMemberSerializer(serializers.Serializer[Any]):
    """A person with presence, what they can take and have, and today's counts."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    profile = serializers.CharField()
    seesAll = serializers.BooleanField(
        help_text="Whether the role lets the person see and hold the tickets of every queue."
    )
    presence = PresenceSerializer()
    connected = serializers.BooleanField(help_text="A browser of the person is open.")
    withinHours = serializers.BooleanField(help_text="The person's own hours are open now.")
    queues = TicketQueueSerializer(many=True)
    capacity = serializers.IntegerField()
    load = serializers.IntegerField()
    whatsappWeight = serializers.IntegerField()
    callWeight = serializers.IntegerField()
    schedules = ScheduleSerializer(many=True)
    skillIds = serializers.ListField(child=serializers.IntegerField())
    unansweredSince = serializers.DateTimeField(allow_null=True)
    givenToday = serializers.IntegerField()
    resolvedToday = serializers.IntegerField()
    returnedToday = serializers.IntegerField()


class TeamQueueSerializer(serializers.Serializer[Any]):
    """What waits in a queue."""

    queueId = serializers.IntegerField()
    name = serializers.CharField()
    color = serializers.CharField()
    count = serializers.IntegerField()
    since = serializers.DateTimeField()


class TeamSerializer(serializers.Serializer[Any]):
    """The team now; `forSupervisors` are tickets that nobody answered, the longest first."""

    members = TeamMemberSerializer(many=True)
    waiting = TeamQueueSerializer(many=True)
    forSupervisors = TicketSerializer(many=True)


class HeldTicketSerializer(serializers.Serializer[Any]):
    """A ticket that a person holds: since when, and since when its contact waits."""

    ticket = TicketSerializer()
    givenAt = serializers.DateTimeField(allow_null=True)
    unansweredSince = serializers.DateTimeField(allow_null=True)
    points = serializers.IntegerField()


class MoveSerializer(StrictSerializer):
    """A ticket to move: with whom the caller saw it, and to whom; null is its queue.

    `note` is for the team; some queues want one.
    """

    ticketId = IdField(source="ticket_id")
    fromUserId = OptionalIdField(source="from_user_id")
    toUserId = OptionalIdField(source="to_user_id")
    note = TextField(max_length=MAX_NOTE_LENGTH)


class AssignmentLogSerializer(RowSerializer):
    """A ticket changed hands. Names are null where nobody had it, or the user was deleted."""

    id = serializers.IntegerField()
    fromName = serializers.CharField(source="from_user.name", allow_null=True)
    toName = serializers.CharField(source="to_user.name", allow_null=True)
    actorName = serializers.CharField(source="actor.name", allow_null=True)
    queueName = serializers.CharField(source="queue.name", allow_null=True)
    why = _choice(Why)
    at = serializers.DateTimeField()

    def _read_fromName(self, line: Any) -> str | None:
        return line.from_user.name if line.from_user else None

    def _read_toName(self, line: Any) -> str | None:
        return line.to_user.name if line.to_user else None

    def _read_actorName(self, line: Any) -> str | None:
        return line.actor.name if line.actor else None

    def _read_queueName(self, line: Any) -> str | None:
        return line.queue.name if line.queue else None
