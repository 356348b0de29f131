"""A page of a conversation (rules/tickets §8)."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db.models import Count, Exists, Q, QuerySet, Subquery
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce

from apps.accounts.models import User
from apps.common.compiled_queries import CompiledQuery, columns_of, instance_of
from apps.common.paging import PAGE_SIZE
from apps.tickets.models import Message, Ticket, TicketActivity, TicketActivityKind
from apps.tickets.queries.access import MessageNotFound, Sight, readable_as, sight_of

MAX_ACTIVITIES = 200
_ACTIVITY_COLUMNS = columns_of(TicketActivity)


@dataclass(frozen=True)
class Conversation:
    """One page: message ids and activities, oldest first, and the conversation's length."""

    message_ids: list[int]
    activities: list[TicketActivity]
    count: int
    has_more: bool
    has_newer: bool


def _part(
    part: str,
    sight: Sight,
    *,
    ticket_id: RawSQL,
    contact_id: RawSQL,
    connection_id: RawSQL,
    user_id: RawSQL,
    company_id: RawSQL,
) -> "QuerySet[Message]":
    if part == "own":
        return Message.objects.filter(ticket_id=ticket_id).order_by()
    shared = Message.objects.filter(contact_id=contact_id, connection_id=connection_id).order_by()
    return shared.filter(readable_as(sight, user_id, company_id, "ticket__"))


@lru_cache(maxsize=256)
def _places(
    *, part: str, sight: Sight, bound: str, newest_first: bool, start: int, stop: int
) -> CompiledQuery:
    """Return the query of the ids at these places of a part.

    Each row also tells whether the ticket was ever transferred, and the length of the shared part.
    Part "both" merges the ends of the two parts and has ids alone: a page never needs more of
    either than its last place.
    """
    order = "-pk" if newest_first else "pk"

    def build(
        *,
        ticket_id: RawSQL,
        contact_id: RawSQL,
        connection_id: RawSQL,
        user_id: RawSQL,
        company_id: RawSQL,
        edge: RawSQL,
    ) -> "QuerySet[Message, Any]":
        def whole(part: str) -> "QuerySet[Message]":
            return _part(
                part,
                sight,
                ticket_id=ticket_id,
                contact_id=contact_id,
                connection_id=connection_id,
                user_id=user_id,
                company_id=company_id,
            )

        def of(part: str) -> "QuerySet[Message]":
            return whole(part).filter(Q((f"pk__{bound}", edge))) if bound else whole(part)

        if part == "both":
            # Each end is a subquery in a condition: SQLite allows no LIMIT in the parts of a union.
            ends = [of(each).order_by(order).values("pk")[:stop] for each in ("own", "shared")]
            own, shared = (
                Message.objects.filter(pk__in=end).order_by().values_list("pk") for end in ends
            )
            return own.union(shared).order_by(order)[start:stop]
        moved = Exists(
            TicketActivity.objects.filter(ticket_id=ticket_id, kind=TicketActivityKind.TRANSFERRED)
        )
        length = _counted(whole("shared"), "contact_id")
        ordered = of(part).order_by(order).annotate(moved=moved, length=length)
        return ordered.values_list("pk", "moved", "length")[start:stop]

    return CompiledQuery(build)


@lru_cache(maxsize=len(Sight))
def _length(sight: Sight) -> CompiledQuery:
    """Return the query of the lengths of the shared part and of the own part on other
    connections."""

    def build(
        *,
        ticket_id: RawSQL,
        contact_id: RawSQL,
        connection_id: RawSQL,
        user_id: RawSQL,
        company_id: RawSQL,
    ) -> "QuerySet[Ticket, Any]":
        shared = _part(
            "shared",
            sight,
            ticket_id=ticket_id,
            contact_id=contact_id,
            connection_id=connection_id,
            user_id=user_id,
            company_id=company_id,
        )
        own = Message.objects.filter(ticket_id=ticket_id).exclude(connection_id=connection_id)
        counts = [_counted(shared, "contact_id"), _counted(own.order_by(), "ticket_id")]
        return Ticket.objects.filter(pk=ticket_id).order_by().values_list(*counts)

    return CompiledQuery(build)


def _counted(messages: "QuerySet[Message]", grouped_by: str) -> Coalesce:
    count = messages.values(grouped_by).annotate(length=Count("pk")).values("length")
    return Coalesce(Subquery(count), 0)


class _Parts:
    """The two index ranges a conversation is made of.

    Shared: the contact's messages on the ticket's connection, across the tickets that the user
    may see. Own: the ticket's messages, whatever their connection. Both are read by id from the
    end of an index and merged here: one query over both would sort the whole conversation.
    """

    def __init__(self, user: User, ticket: Ticket) -> None:
        self.ticket = ticket
        # Set by `ids`: whether the ticket was ever transferred, perhaps to another connection, and,
        # if it was not, the conversation's length.
        self.is_known_to_have_moved = False
        self.length: int | None = None
        # If the connection was deleted, the contact's tickets share no conversation.
        self.is_shared = ticket.connection_id is not None
        self.sight = sight_of(user)
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
        """Return the ids at these places of the conversation, in one query or two.

        `bound` is "lt", "lte" or "gt" the id `edge`, or empty.
        """

        def read(part: str) -> list[tuple[Any, ...]]:
            query = _places(
                part=part,
                sight=self.sight,
                bound=bound,
                newest_first=newest_first,
                start=start,
                stop=stop,
            )
            return query.rows(**self.arguments, edge=edge)

        if not self.is_shared:
            return [row[0] for row in read("own")]
        if not self.is_known_to_have_moved:
            rows = read("shared")
            if rows and not rows[0][1]:
                self.length = rows[0][2]
                return [row[0] for row in rows]
            self.is_known_to_have_moved = bool(rows)
        return [row[0] for row in read("both")]

    def count(self) -> int:
        if not self.is_shared:
            return Message.objects.filter(ticket=self.ticket).count()
        if self.length is not None:
            return self.length
        return sum(sum(row) for row in _length(self.sight).rows(**self.arguments))


def conversation_for(
    user: User,
    ticket: Ticket,
    *,
    number: int = 1,
    before_id: int | None = None,
    after_id: int | None = None,
    around_id: int | None = None,
) -> Conversation:
    """Return a page of the conversation that the ticket belongs to.

    Pages are counted from the newest; with `before_id` the page ends before that message, with
    `after_id` it begins after it, so that messages which arrive meanwhile shift nothing. With
    `around_id` it is a page up to that message and another after it; raises MessageNotFound when
    the conversation does not hold it. `has_more` tells of older messages, after `after_id` of newer
    ones; `has_newer` tells of newer ones always.
    """
    parts = _Parts(user, ticket)
    if around_id is not None:
        return _around(parts, around_id)
    start, newest_first, bound = (number - 1) * PAGE_SIZE, True, ""
    if after_id is not None:
        start, newest_first, bound = 0, False, "gt"
    elif before_id is not None:
        start, bound = 0, "lt"
    # One more message on either side: the earlier one bounds the activities, the later one shows
    # that there are more.
    first = max(start - 1, 0)
    stop = start + PAGE_SIZE + 1
    ids = parts.ids(bound, after_id or before_id, first, stop, newest_first=newest_first)
    edge = before_id if start == first else (ids[0] if ids else None)
    ids = ids[start - first :]
    has_more = len(ids) > PAGE_SIZE
    ids = ids[:PAGE_SIZE]
    is_whole = not has_more and start == 0 and before_id is None and after_id is None
    # Each activity comes with exactly one page: that of its time.
    since, until = (min(ids) if has_more else None), edge
    if after_id is not None:
        since, until = after_id, (max(ids) if has_more else None)
    return Conversation(
        message_ids=sorted(ids),
        activities=_activities(parts, since=since, until=until),
        count=len(ids) if is_whole else parts.count(),
        has_more=has_more,
        has_newer=has_more if after_id is not None else before_id is not None or number > 1,
    )


def _around(parts: _Parts, message_id: int) -> Conversation:
    older = parts.ids("lte", message_id, 0, PAGE_SIZE + 1, newest_first=True)
    if older[:1] != [message_id]:
        raise MessageNotFound("Esta mensagem não está mais nesta conversa.")
    newer = parts.ids("gt", message_id, 0, PAGE_SIZE + 1, newest_first=False)
    has_more, has_newer = len(older) > PAGE_SIZE, len(newer) > PAGE_SIZE
    ids = sorted([*older[:PAGE_SIZE], *newer[:PAGE_SIZE]])
    return Conversation(
        message_ids=ids,
        activities=_activities(
            parts, since=ids[0] if has_more else None, until=ids[-1] if has_newer else None
        ),
        count=parts.count() if has_more or has_newer else len(ids),
        has_more=has_more,
        has_newer=has_newer,
    )


@lru_cache(maxsize=8 * len(Sight))
def _activities_query(sight: Sight, is_shared: bool, since: bool, until: bool) -> CompiledQuery:
    """Return the query of activities between the times of two messages, newest first."""

    def build(
        *,
        ticket_id: RawSQL,
        contact_id: RawSQL,
        connection_id: RawSQL,
        user_id: RawSQL,
        company_id: RawSQL,
        since_id: RawSQL,
        until_id: RawSQL,
    ) -> "QuerySet[TicketActivity, Any]":
        activities = TicketActivity.objects.filter(ticket_id=ticket_id)
        if is_shared:
            same = Q(contact_id=contact_id, connection_id=connection_id)
            same &= readable_as(sight, user_id, company_id)
            # All conditions are on tickets: with one on activities as well, PostgreSQL reads every
            # activity.
            tickets = Ticket.objects.filter(Q(pk=ticket_id) | same).order_by()
            activities = TicketActivity.objects.filter(ticket__in=tickets)
        written = Message.objects.order_by().values("created_at")
        if since:
            activities = activities.filter(
                created_at__gte=written.filter(pk=since_id, company_id=company_id)
            )
        if until:
            activities = activities.filter(
                created_at__lt=written.filter(pk=until_id, company_id=company_id)
            )
        return activities.order_by("-created_at", "-id").values_list(*_ACTIVITY_COLUMNS)[
            :MAX_ACTIVITIES
        ]

    return CompiledQuery(build)


def _activities(parts: _Parts, *, since: int | None, until: int | None) -> list[TicketActivity]:
    """Return the activities from one message's time until before another's."""
    query = _activities_query(parts.sight, parts.is_shared, since is not None, until is not None)
    rows = query.rows(**parts.arguments, since_id=since, until_id=until)
    return [instance_of(TicketActivity, _ACTIVITY_COLUMNS, row) for row in rows]
