"""Realtime events of the desk."""

from rest_framework import serializers

from apps.common.serializers import row_of
from apps.desk.decisions.sla import Clock
from apps.desk.models import Seat, SlaTells
from apps.desk.serializers.presence import PresenceSerializer
from apps.desk.serializers.sla import KINDS
from apps.realtime.emit import LiveEvent, emit
from apps.realtime.rooms import user_room
from apps.tickets.models import Ticket
from apps.tickets.rooms import ALL, notification_room, notification_rooms, ticket_rooms
from apps.tickets.serializers import ticket_row
from apps.tickets.serializers.tickets import TicketSerializer

PRESENCE = LiveEvent("presence", update={"presence": PresenceSerializer()})
ALERT = LiveEvent(
    "assignmentAlert", update={"ticket": TicketSerializer(), "returns": serializers.IntegerField()}
)


DEADLINE = LiveEvent(
    "ticketDeadline",
    update={
        "ticketId": serializers.IntegerField(),
        "slaDueAt": serializers.DateTimeField(allow_null=True),
        "slaWarnsAt": serializers.DateTimeField(allow_null=True),
    },
)
NEAR = LiveEvent(
    "slaAlert",
    update={
        "ticket": TicketSerializer(),
        "kind": serializers.ChoiceField(choices=KINDS),
        "dueAt": serializers.DateTimeField(),
        "missed": serializers.BooleanField(),
    },
)


def presence_changed(seat: Seat) -> None:
    """Tell the company how somebody is present now."""
    row = row_of(PresenceSerializer, seat)
    emit(PRESENCE, "update", {"presence": row}, company_id=seat.company_id)


def supervisors_wanted(ticket: Ticket, returns: int) -> None:
    """Tell the supervisors of a ticket that nobody has answered; it waits for a hand."""
    payload = {"ticket": ticket_row(ticket), "returns": returns}
    rooms = [notification_room(ticket.company_id, ALL)]
    emit(ALERT, "update", payload, company_id=ticket.company_id, rooms=rooms)


def deadline_changed(ticket: Ticket) -> None:
    """Tell those who may read a ticket that another deadline of it is the nearest now."""
    payload = {
        "ticketId": ticket.pk,
        "slaDueAt": ticket.sla_due_at,
        "slaWarnsAt": ticket.sla_warns_at,
    }
    emit(DEADLINE, "update", payload, company_id=ticket.company_id, rooms=ticket_rooms(ticket))


def deadline_near(ticket: Ticket, clock: Clock, tells: str) -> None:
    """Tell the holder, or those for whom the ticket waits, or the supervisors, of a deadline."""
    if tells == SlaTells.SUPERVISORS:
        rooms = [notification_room(ticket.company_id, ALL)]
    elif ticket.user_id is not None:
        rooms = [user_room(ticket.user_id)]
    else:
        rooms = notification_rooms(ticket)
    payload = {
        "ticket": ticket_row(ticket),
        "kind": clock.kind,
        "dueAt": clock.due_at,
        "missed": clock.missed_at is not None,
    }
    emit(NEAR, "update", payload, company_id=ticket.company_id, rooms=rooms)
