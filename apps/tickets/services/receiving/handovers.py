"""Handovers between the responders of a number (rules/inbound §12)."""

from django.db.models import F, Q
from django.utils import timezone

from apps.common.bulk import update_rows
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundHandover
from apps.contacts.numbers import LID_SUFFIX, canonical_number, id_field
from apps.tickets import events
from apps.tickets.models import (
    Ticket,
    TicketActivity,
    TicketActivityKind,
    TicketOwner,
    TicketStatus,
)
from apps.tickets.owners import OWNER_FIELDS, move_owner
from apps.tickets.services.bot.leading import end_bot, give_back_ticket
from apps.tickets.services.tickets.matching import reopen_for_people


def note_handover(connection: Connection, handover: InboundHandover) -> TicketActivity | None:
    """Note who leads the contact's ticket now, the live one, else the latest; and in its activity.

    What another responder passes to us is a person's work: a closed ticket is reopened, and the bot
    of a waiting one ends, without a word to the contact. A conversation that is not here stays
    unknown. The caller's event makes it happen once.
    """
    ticket = _ticket_of(connection, handover)
    if ticket is None:
        return None
    if move_owner(ticket, TicketOwner.US if handover.is_ours else TicketOwner.OTHER, handover.at):
        update_rows([ticket], OWNER_FIELDS)
        if handover.is_ours:
            _leave_to_people(ticket)
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


def _leave_to_people(ticket: Ticket) -> None:
    """Have a locked ticket wait for people, in a queue, or for whoever holds it; mark it so."""
    if ticket.status == TicketStatus.CLOSED:
        opened = reopen_for_people(ticket, at=timezone.now())
        events.messages_received([], [opened])
        give_back_ticket(ticket)
    elif ticket.chatbot or ticket.use_integration:
        end_bot(ticket, "handed_over", is_told=True)
    ticket.is_handed_over, ticket.handed_over_by = True, None
    update_rows([ticket], ("is_handed_over", "handed_over_by"))


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
    latest = tickets.order_by(F("closed_at").desc(nulls_first=True), "-pk").first()
    if latest is None:
        return None
    # Messages of the conversation, or a person, may move the owner at the same time.
    return Ticket.objects.select_for_update(no_key=True).filter(pk=latest.pk).first()
