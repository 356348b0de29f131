"""A page of a conversation (specification 4 §2, last point)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, Q, QuerySet

from apps.accounts.models import User
from apps.common.paging import PAGE_SIZE
from apps.tickets.models import Message, Ticket, TicketEvent, TicketEventKind
from apps.tickets.queries.access import readable_by, visible_to

MAX_EVENTS = 200


@dataclass(frozen=True)
class Conversation:
    """One page: message ids and history lines, oldest first, and the conversation's length."""

    message_ids: list[int]
    events: "QuerySet[TicketEvent]"
    count: int
    has_more: bool


class _Parts:
    """The two index ranges a conversation is made of.

    `shared`: the contact's messages on the ticket's connection, across the tickets that the user
    may see. `own`: the ticket's messages, whatever their connection. Both are read by id from the
    end of an index and merged here: one query over both would sort the whole conversation.
    """

    def __init__(self, user: User, ticket: Ticket) -> None:
        self.ticket = ticket
        # Whether it ever changed hands, and with them perhaps its connection; learnt by `ids`.
        self.may_have_moved = True
        self.own: QuerySet[Message] = Message.objects.filter(ticket=ticket)
        # Without a connection (it was deleted) nothing ties the contact's tickets together.
        self.shared: QuerySet[Message] | None = None
        if ticket.connection_id is not None:
            self.shared = Message.objects.filter(
                readable_by(user, "ticket__"),
                contact_id=ticket.contact_id,
                connection_id=ticket.connection_id,
            )

    def ids(self, condition: Q, start: int, stop: int, *, newest_first: bool) -> list[int]:
        """Return the ids at these places of the conversation, in one query or two."""
        order = "-id" if newest_first else "id"
        own = self.own.filter(condition).order_by(order).values_list("pk", flat=True)
        if self.shared is None:
            return list(own[start:stop])
        moved = Exists(
            TicketEvent.objects.filter(ticket=self.ticket, kind=TicketEventKind.TRANSFERRED)
        )
        shared = self.shared.filter(condition).order_by(order).annotate(moved=moved)
        rows = list(shared.values_list("pk", "moved")[start:stop])
        self.may_have_moved = not rows or rows[0][1]
        if not self.may_have_moved:
            return [pk for pk, _ in rows]
        merged = set(own[:stop]) | set(shared.values_list("pk", flat=True)[:stop])
        return sorted(merged, reverse=newest_first)[start:stop]

    def count(self) -> int:
        """Return the conversation's length."""
        if self.shared is None:
            return self.own.count()
        count = self.shared.count()
        if self.may_have_moved:
            count += self.own.exclude(connection=self.ticket.connection).count()
        return count


def conversation_for(
    user: User,
    ticket: Ticket,
    *,
    number: int = 1,
    before_id: int | None = None,
    after_id: int | None = None,
) -> Conversation:
    """Return a page of the conversation that the ticket belongs to.

    Pages are counted from the newest; with `before_id` the page ends before that message, with
    `after_id` it begins after it, so that messages which arrive meanwhile shift nothing.
    `has_more` tells of older messages, after `after_id` of newer ones.
    """
    parts = _Parts(user, ticket)
    start, newest_first, condition = (number - 1) * PAGE_SIZE, True, Q()
    if after_id is not None:
        start, newest_first, condition = 0, False, Q(pk__gt=after_id)
    elif before_id is not None:
        start, condition = 0, Q(pk__lt=before_id)
    # One more on either side: the one before bounds the history lines, the one after says 'more'.
    first = max(start - 1, 0)
    ids = parts.ids(condition, first, start + PAGE_SIZE + 1, newest_first=newest_first)
    edge = before_id if start == first else (ids[0] if ids else None)
    ids = ids[start - first :]
    has_more = len(ids) > PAGE_SIZE
    ids = ids[:PAGE_SIZE]
    is_whole = not has_more and start == 0 and before_id is None and after_id is None
    return Conversation(
        message_ids=sorted(ids),
        events=_events(user, ticket, ids, edge=edge, after_id=after_id, has_more=has_more),
        count=len(ids) if is_whole else parts.count(),
        has_more=has_more,
    )


def _events(
    user: User,
    ticket: Ticket,
    ids: list[int],
    *,
    edge: int | None,
    after_id: int | None,
    has_more: bool,
) -> "QuerySet[TicketEvent]":
    """Return the history lines of a page's time, so that each comes with exactly one page."""
    tickets = Q(ticket=ticket)
    if ticket.connection_id is not None:
        same = visible_to(user).filter(
            contact_id=ticket.contact_id, connection_id=ticket.connection_id
        )
        tickets |= Q(ticket__in=same)
    bounds: dict[str, Any] = {}
    if after_id is not None:
        bounds["created_at__gte"] = _written_at(ticket, after_id)
        if has_more:
            bounds["created_at__lt"] = _written_at(ticket, max(ids))
    else:
        if edge is not None:
            bounds["created_at__lt"] = _written_at(ticket, edge)
        if has_more:
            bounds["created_at__gte"] = _written_at(ticket, min(ids))
    newest = TicketEvent.objects.filter(tickets, **bounds).order_by("-created_at", "-id")
    return newest[:MAX_EVENTS]


def _written_at(ticket: Ticket, message_id: int) -> "QuerySet[Message, datetime]":
    return (
        Message.objects.for_company(ticket.company_id)
        .filter(pk=message_id)
        .values_list("created_at", flat=True)
    )
