"""Realtime events of the desk."""

from rest_framework import serializers

from apps.common.serializers import row_of
from apps.desk.models import Seat
from apps.desk.serializers.presence import PresenceSerializer
from apps.realtime.emit import LiveEvent, emit
from apps.tickets.models import Ticket
from apps.tickets.rooms import ALL, notification_room
from apps.tickets.serializers import ticket_row
from apps.tickets.serializers.tickets import TicketSerializer

PRESENCE = LiveEvent("presence", update={"presence": PresenceSerializer()})
ALERT = LiveEvent(
    "assignmentAlert", update={"ticket": TicketSerializer(), "returns": serializers.IntegerField()}
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
