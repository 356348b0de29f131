"""Puts tickets aside until a moment, or until the contact writes (rules/tickets §18)."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.common.bulk import update_rows
from apps.common.errors import InvalidInput
from apps.common.leases import (
    DEADLY_ATTEMPTS,
    Claim,
    LeasedWork,
    WorkerDied,
)
from apps.common.registry import Hook
from apps.tickets import events
from apps.tickets.models import (
    Message,
    Snooze,
    Ticket,
    TicketActivity,
    TicketActivityKind,
    TicketStatus,
    Woken,
)
from apps.tickets.services.rights import (
    TicketNotOpen,
    check_leads,
    check_may_act,
    check_may_handle,
    locked_ticket,
)
from apps.tickets.services.tickets.bot_hooks import left_waiting
from apps.tickets.services.tickets.following import tell_of_change
from apps.tickets.services.tickets.removals import locked_tickets, move_ticket

logger = logging.getLogger(__name__)

# As long as the end of a pause: one short transaction, without a call.
SNOOZES = LeasedWork(Snooze, "PAUSE_LEASE_SECONDS", counts=False)
LONGEST = timedelta(days=366)
SNOOZE_FIELDS = ("snoozed_at", "snoozed_until", "woken")


@dataclass
class Holder:
    """The active user who holds a ticket that wakes; `is_away`: it goes back to its queue."""

    user_id: int
    company_id: int
    is_away: bool


# Called before it is decided where a ticket goes that wakes. Who knows more of the holder's
# presence than whether a browser is open corrects `is_away`.
holder_sought: Hook[[Holder]] = Hook()


def snooze_ticket(*, user: User, ticket_id: int, until: datetime | None) -> Ticket:
    """Put a live ticket aside until a moment, or with None until the contact writes.

    Once more replaces the moment. Raises TicketNotFound, TicketNotReadable, TicketNotOpen, and
    InvalidInput for a moment that is over or more than a year away.
    """
    now = timezone.now()
    if until is not None and not now < until <= now + LONGEST:
        sentence = "Escolha um momento entre agora e daqui a um ano."
        raise InvalidInput(sentence, fields={"until": [sentence]}, rule="invalid")
    with transaction.atomic():
        ticket = _led_ticket(user, ticket_id)
        if ticket.status == TicketStatus.CLOSED:
            raise TicketNotOpen("Este atendimento está encerrado. Reabra-o para adiar.")
        put_aside(ticket, until, user=user)
        return ticket


def put_aside(
    ticket: Ticket, until: datetime | None, *, user: User | None = None, by: str | None = None
) -> None:
    """Snooze a locked live ticket; `by` says what did it, if no user."""
    ticket.snoozed_at, ticket.snoozed_until, ticket.woken = timezone.now(), until, ""
    update_rows([ticket], SNOOZE_FIELDS)
    Snooze.objects.filter(ticket=ticket).delete()
    if until is not None:
        Snooze.objects.create(company_id=ticket.company_id, ticket=ticket, next_attempt_at=until)
    activity = _line(ticket, TicketActivityKind.SNOOZED, user, until=until, by=by)
    events.ticket_updated(ticket, activity=activity)
    tell_of_change(ticket, activity)


def wake_by_hand(*, user: User, ticket_id: int) -> Ticket:
    """End a ticket's snooze; one that is not snoozed stays as it is.

    Raises TicketNotFound and TicketNotReadable.
    """
    with transaction.atomic():
        ticket = _led_ticket(user, ticket_id)
        if ticket.snoozed_at is not None:
            _wake(ticket, Woken.HAND, user)
        return ticket


def wake_answered(messages: Sequence[Message]) -> None:
    """Wake what is snoozed of the tickets of contacts' messages, which the caller has locked.

    Without a snoozed one it asks the database nothing.
    """
    snoozed = {each.ticket_id: each.ticket for each in messages if each.ticket.snoozed_at}
    # By holder: where the distribution is on, each change locks the holder's row.
    for ticket in sorted(snoozed.values(), key=lambda each: each.user_id or 0):
        _wake(ticket, Woken.REPLY)


def end_snooze(ticket: Ticket) -> None:
    """End the snooze of a locked ticket that somebody moves; the caller stores `SNOOZE_FIELDS`."""
    if ticket.snoozed_until is not None:
        Snooze.objects.filter(ticket=ticket).delete()
    ticket.snoozed_at = ticket.snoozed_until = None
    ticket.woken = ""


def wake_due(*, limit: int) -> int:
    """Claim up to `limit` snoozes that are over and wake their tickets; returns the number claimed.

    Never call it inside a transaction.
    """
    with SNOOZES.claimed(limit) as claim:
        for row in claim.rows():
            _end(claim, row)
        return len(claim.ids)


def _end(claim: Claim[Snooze], row: Snooze) -> None:
    try:
        claim.begin(row, DEADLY_ATTEMPTS)
        with transaction.atomic():
            # Lock order: tickets before their snoozes.
            for ticket in locked_tickets(pk=row.ticket_id):
                # Otherwise it was woken, or snoozed anew, while this waited for the lock.
                is_due, _ = claim.held(row).delete()
                if is_due and ticket.snoozed_at is not None:
                    _wake(ticket, Woken.DUE)
    except WorkerDied as death:
        claim.put_off(row, death)
    except Exception as error:
        logger.exception("The snooze of ticket %s could not be ended", row.ticket_id)
        claim.try_again(row, str(error))


def _led_ticket(user: User, ticket_id: int) -> Ticket:
    ticket = locked_ticket(user=user, ticket_id=ticket_id)
    check_may_act(user, ticket)
    check_may_handle(user, ticket)
    if ticket.status == TicketStatus.OPEN and ticket.user_id is not None:
        check_leads(user, ticket)
    return ticket


def _wake(ticket: Ticket, by: Woken, user: User | None = None) -> None:
    """Return a ticket to its person or, if that person is away, to its queue, at the top."""
    until = ticket.snoozed_until
    end_snooze(ticket)
    if ticket.status == TicketStatus.CLOSED:
        update_rows([ticket], SNOOZE_FIELDS)
        return
    line = _line(ticket, TicketActivityKind.WOKEN, user, until=until, by=by.value)
    ticket.updated_at = timezone.now()
    changed = [*SNOOZE_FIELDS, "updated_at"]
    if by != Woken.HAND:
        ticket.woken = by.value
        ticket.is_handed_over, ticket.handed_over_by = True, None
        changed += ["is_handed_over", "handed_over_by"]
    update_rows([ticket], changed)
    events.ticket_updated(ticket, activity=line)
    if by != Woken.REPLY:
        # Followers hear of the contact's message itself.
        tell_of_change(ticket, line)
    if by != Woken.HAND and ticket.status == TicketStatus.OPEN and _is_away(ticket):
        move_ticket(ticket, TicketStatus.PENDING, TicketActivityKind.RETURNED, woken=by.value)
        left_waiting(ticket)


def _is_away(ticket: Ticket) -> bool:
    holder = User.objects.filter(pk=ticket.user_id, is_active=True).first()
    if holder is None:
        return True
    until = holder.online_until
    is_away = until is None or until <= timezone.now()
    sought = Holder(holder.pk, ticket.company_id, is_away)
    holder_sought(sought)
    return sought.is_away


def _line(
    ticket: Ticket,
    kind: TicketActivityKind,
    user: User | None,
    *,
    until: datetime | None,
    by: str | None = None,
) -> TicketActivity:
    return TicketActivity.objects.create(
        ticket=ticket,
        kind=kind,
        actor=user.person if user else None,
        detail={
            "actor": user.name if user else None,
            "by": by,
            "until": until.isoformat() if until else None,
        },
    )
