"""A page of a conversation (specification 4 §2, last point)."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Count, Exists, Q, QuerySet
from django.db.models.expressions import RawSQL

from apps.accounts.models import User
from apps.common.paging import PAGE_SIZE
from apps.common.statements import Statement
from apps.tickets.models import Message, Ticket, TicketEvent, TicketEventKind
from apps.tickets.queries.access import readable_as, reads_whole_company

MAX_EVENTS = 200
_LINE_COLUMNS = [field.attname for field in TicketEvent._meta.concrete_fields]


@dataclass(frozen=True)
class Conversation:
    """One page: message ids and history lines, oldest first, and the conversation's length."""

    message_ids: list[int]
    events: list[TicketEvent]
    count: int
    has_more: bool


@lru_cache(maxsize=256)
def _places(
    *, part: str, sees_all: bool, bound: str, newest_first: bool, start: int, stop: int
) -> Statement:
    """Return the read of the ids at these places of a part, and whether the ticket ever moved."""

    def build(
        *,
        ticket_id: RawSQL,
        contact_id: RawSQL,
        connection_id: RawSQL,
        user_id: RawSQL,
        company_id: RawSQL,
        edge: RawSQL,
    ) -> "QuerySet[Message, Any]":
        if part == "own":
            messages = Message.objects.filter(ticket_id=ticket_id)
        else:
            messages = Message.objects.filter(contact_id=contact_id, connection_id=connection_id)
            if not sees_all:
                messages = messages.filter(readable_as(user_id, company_id, "ticket__"))
        if bound:
            messages = messages.filter(Q((f"pk__{bound}", edge)))
        moved = Exists(
            TicketEvent.objects.filter(ticket_id=ticket_id, kind=TicketEventKind.TRANSFERRED)
        )
        ordered = messages.order_by("-id" if newest_first else "id").annotate(moved=moved)
        return ordered.values_list("pk", "moved")[start:stop]

    return Statement(build)


@lru_cache(maxsize=2)
def _shared_count(sees_all: bool) -> Statement:
    def build(
        contact_id: RawSQL, connection_id: RawSQL, user_id: RawSQL, company_id: RawSQL
    ) -> "QuerySet[Message, Any]":
        messages = Message.objects.filter(contact_id=contact_id, connection_id=connection_id)
        if not sees_all:
            messages = messages.filter(readable_as(user_id, company_id, "ticket__"))
        grouped = messages.order_by().values("contact_id").annotate(length=Count("pk"))
        return grouped.values_list("length")

    return Statement(build)


class _Parts:
    """The two index ranges a conversation is made of.

    Shared: the contact's messages on the ticket's connection, across the tickets that the user
    may see. Own: the ticket's messages, whatever their connection. Both are read by id from the
    end of an index and merged here: one query over both would sort the whole conversation.
    """

    def __init__(self, user: User, ticket: Ticket) -> None:
        self.ticket = ticket
        # Whether it ever changed hands, and with them perhaps its connection; learnt by `ids`.
        self.may_have_moved = True
        # Without a connection (it was deleted) nothing ties the contact's tickets together.
        self.is_shared = ticket.connection_id is not None
        self.sees_all = reads_whole_company(user)
        self.arguments = {
            "ticket_id": ticket.pk,
            "contact_id": ticket.contact_id,
            "connection_id": ticket.connection_id,
            "user_id": user.pk,
            "company_id": user.company_id,
        }

    def ids(
        self, bound: str, edge: int | None, start: int, stop: int, *, newest_first: bool
    ) -> list[int]:
        """Return the ids at these places of the conversation, in one query or three.

        `bound` is "lt" or "gt" the id `edge`, or empty.
        """

        def read(part: str, start: int) -> list[tuple[Any, ...]]:
            statement = _places(
                part=part,
                sees_all=self.sees_all,
                bound=bound,
                newest_first=newest_first,
                start=start,
                stop=stop,
            )
            return statement.rows(**self.arguments, edge=edge)

        if not self.is_shared:
            return [pk for pk, _ in read("own", start)]
        rows = read("shared", start)
        self.may_have_moved = not rows or bool(rows[0][1])
        if not self.may_have_moved:
            return [pk for pk, _ in rows]
        merged = {pk for part in ("own", "shared") for pk, _ in read(part, 0)}
        return sorted(merged, reverse=newest_first)[start:stop]

    def count(self) -> int:
        """Return the conversation's length."""
        own = Message.objects.filter(ticket=self.ticket)
        if not self.is_shared:
            return own.count()
        count: int = sum(
            length for (length,) in _shared_count(self.sees_all).rows(**self.arguments)
        )
        if self.may_have_moved:
            count += own.exclude(connection=self.ticket.connection).count()
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
    start, newest_first, bound = (number - 1) * PAGE_SIZE, True, ""
    if after_id is not None:
        start, newest_first, bound = 0, False, "gt"
    elif before_id is not None:
        start, bound = 0, "lt"
    # One more on either side: the one before bounds the history lines, the one after says 'more'.
    first = max(start - 1, 0)
    stop = start + PAGE_SIZE + 1
    ids = parts.ids(bound, after_id or before_id, first, stop, newest_first=newest_first)
    edge = before_id if start == first else (ids[0] if ids else None)
    ids = ids[start - first :]
    has_more = len(ids) > PAGE_SIZE
    ids = ids[:PAGE_SIZE]
    is_whole = not has_more and start == 0 and before_id is None and after_id is None
    return Conversation(
        message_ids=sorted(ids),
        events=_events(parts, ids, edge=edge, after_id=after_id, has_more=has_more),
        count=len(ids) if is_whole else parts.count(),
        has_more=has_more,
    )


@lru_cache(maxsize=16)
def _lines(sees_all: bool, is_shared: bool, since: bool, until: bool) -> Statement:
    """Return the read of history lines, newest first, between the times of two messages."""

    def build(
        *,
        ticket_id: RawSQL,
        contact_id: RawSQL,
        connection_id: RawSQL,
        user_id: RawSQL,
        company_id: RawSQL,
        since_id: RawSQL,
        until_id: RawSQL,
    ) -> "QuerySet[TicketEvent, Any]":
        tickets = Q(ticket_id=ticket_id)
        if is_shared:
            same = Ticket.objects.filter(contact_id=contact_id, connection_id=connection_id)
            if not sees_all:
                same = same.filter(readable_as(user_id, company_id))
            tickets |= Q(ticket__in=same)
        lines = TicketEvent.objects.filter(tickets)
        written = Message.objects.order_by().values("created_at")
        if since:
            lines = lines.filter(created_at__gte=written.filter(pk=since_id, company_id=company_id))
        if until:
            lines = lines.filter(created_at__lt=written.filter(pk=until_id, company_id=company_id))
        return lines.order_by("-created_at", "-id").values_list(*_LINE_COLUMNS)[:MAX_EVENTS]

    return Statement(build)


def _events(
    parts: _Parts,
    ids: list[int],
    *,
    edge: int | None,
    after_id: int | None,
    has_more: bool,
) -> list[TicketEvent]:
    """Return the history lines of a page's time, so that each comes with exactly one page."""
    since, until = (min(ids) if has_more else None), edge
    if after_id is not None:
        since, until = after_id, (max(ids) if has_more else None)
    statement = _lines(parts.sees_all, parts.is_shared, since is not None, until is not None)
    rows = statement.rows(**parts.arguments, since_id=since, until_id=until)
    return [TicketEvent.from_db(DEFAULT_DB_ALIAS, _LINE_COLUMNS, row) for row in rows]
