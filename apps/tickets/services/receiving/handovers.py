"""Handovers between the responders of a number (rules/inbound §12)."""

from django.db.models import F, Q

from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundHandover
from apps.contacts.numbers import LID_SUFFIX, canonical_number, id_field
from apps.tickets import events
from apps.tickets.models import Ticket, TicketActivity, TicketActivityKind


def note_handover(connection: Connection, handover: InboundHandover) -> TicketActivity | None:
    """Add a handover to the activity of the contact's ticket: the live one, else the latest.

    A conversation that is not here stays unknown. The caller's event makes it happen once.
    """
    ticket = _ticket_of(connection, handover)
    if ticket is None:
        return None
    told = {
        "at": handover.at.isoformat(),
        "formerRole": handover.former_role,
        "newRole": handover.new_role,
        "metadata": handover.metadata,
    }
    is_ours = handover.is_ours
    activity = TicketActivity.objects.create(
        ticket=ticket,
        kind=TicketActivityKind.CONTROL_PASSED if is_ours else TicketActivityKind.CONTROL_TAKEN,
        detail={key: text for key, text in told.items() if text},
    )
    events.ticket_updated(ticket, activity=activity)
    return activity


def _ticket_of(connection: Connection, handover: InboundHandover) -> Ticket | None:
    wanted = Q()
    if handover.number:
        wanted |= Q(contact__canonical_number=canonical_number(handover.number))
    if lid := handover.lid:
        wanted |= Q(contact__canonical_number=canonical_number(f"{lid}{LID_SUFFIX}"))
        wanted |= Q(**{f"contact__{id_field(lid)}": lid})
    tickets = Ticket.objects.for_company(connection.company_id).filter(
        wanted, connection=connection, contact__is_group=False
    )
    return tickets.order_by(F("closed_at").desc(nulls_first=True), "-pk").first()
