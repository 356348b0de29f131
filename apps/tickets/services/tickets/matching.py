"""Finds the ticket of a received message (rules/tickets §2), and whether the bot leads it.

`chatbot` is set when a ticket begins a cycle, from rows that are read anyway. A message to a ticket
without bot therefore costs no extra query.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import (
    Case,
    Exists,
    F,
    IntegerField,
    OuterRef,
    QuerySet,
    Value,
    When,
    Window,
)
from django.db.models.expressions import RawSQL
from django.db.models.functions import RowNumber

from apps.accounts.models import User
from apps.common.bulk import update_rows
from apps.common.compiled_queries import CompiledQuery, columns_of, instance_of, stored
from apps.companies.queries import setting_of
from apps.connections.models import Connection, ConnectionQueue
from apps.contacts.models import Contact
from apps.queues.models import Queue, QueueOption
from apps.tickets.bot_states import BOT_FIELDS, BotState
from apps.tickets.events import OpenedTicket
from apps.tickets.models import (
    Ticket,
    TicketActivity,
    TicketActivityKind,
    TicketStatus,
)
from apps.tickets.owners import owner_like
from apps.tickets.rooms import ticket_audiences
from apps.tickets.services.tickets.tracking import track_opened

# Another worker or a user may open a ticket at the same time. The unique index decides who wins.
OPENING_ATTEMPTS = 3
# Annotation `queue_has_options` of a link from a connection to a queue.
_HAS_OPTIONS = Exists(QueueOption.objects.filter(queue=OuterRef("queue_id")))

# The flag is False when our side wrote, or for history: these open no ticket.
WantedTicket = tuple[Connection, Contact, bool]
# Tickets by connection id and contact id.
Tickets = dict[tuple[int, int], Ticket]


def tickets_for(
    wanted: Sequence[WantedTicket], *, at: datetime
) -> tuple[Tickets, list[OpenedTicket]]:
    """Return the tickets of the contacts, locked until commit, and those that were opened for them.

    A contact's ticket is the live one; else the last closed one, reopened as pending without user,
    if it was closed within the company's reopen window (a group's always is); else a new pending
    one. Messages that our side wrote on the phone reopen nothing. The caller emits the events of
    the opened tickets.
    """
    pairs = {
        (connection.pk, contact.pk): (connection, contact) for connection, contact, _ in wanted
    }
    window_of = cache(_reopen_window)
    opening = {(connection.pk, contact.pk) for connection, contact, opens in wanted if opens}
    for attempt in range(1, OPENING_ATTEMPTS + 1):
        tickets = _latest_tickets(pairs)
        reopening, missing = [], []
        for key in pairs:
            ticket = tickets.get(key)
            if ticket is not None and (ticket.status != TicketStatus.CLOSED or key not in opening):
                continue
            if ticket is not None and _reopens(ticket, at, window_of(ticket.company_id)):
                reopening.append(ticket)
            else:
                missing.append(key)
        if not reopening and not missing:
            return tickets, []
        try:
            with transaction.atomic():
                opened = _reopen(reopening, at)
                wanted_now = [(*pairs[key], key in opening) for key in missing]
                created = _create(wanted_now, [tickets.get(key) for key in missing], at)
                begun = [ticket for ticket in created if ticket.status == TicketStatus.PENDING]
                track_opened([*reopening, *begun], at=at)
        except IntegrityError:
            if attempt == OPENING_ATTEMPTS:
                raise
            continue
        tickets.update(zip(missing, created, strict=True))
        return tickets, [*opened, *(OpenedTicket(ticket) for ticket in created)]
    raise AssertionError("unreachable")


_IS_CLOSED = Case(
    When(status=TicketStatus.CLOSED, then=Value(1)),
    default=Value(0),
    output_field=IntegerField(),
)
# The live ticket, else the one closed last.
_LATEST_FIRST = (_IS_CLOSED, F("closed_at").desc(nulls_last=True), F("id").desc())


def _locked_latest(connection_ids: RawSQL, contact_ids: RawSQL) -> "QuerySet[Ticket, Any]":
    latest = Ticket.objects.filter(
        connection__among=connection_ids, contact__among=contact_ids
    ).annotate(
        place=Window(
            RowNumber(),
            partition_by=["connection_id", "contact_id"],
            order_by=_LATEST_FIRST,
        )
    )
    latest_ids = latest.filter(place=1).order_by().values("pk")
    locked = Ticket.objects.filter(pk__in=latest_ids).select_for_update(no_key=True)
    return locked.order_by("pk").values_list(*_COLUMNS)


_COLUMNS = columns_of(Ticket)
_LATEST = CompiledQuery(_locked_latest, keeps_plan=False)


def _locked_latest_of_one(connection_id: RawSQL, contact_id: RawSQL) -> "QuerySet[Ticket, Any]":
    own = Ticket.objects.filter(connection_id=connection_id, contact_id=contact_id)
    latest = own.order_by(*_LATEST_FIRST).values("pk")[:1]
    locked = Ticket.objects.filter(pk__in=latest).order_by().select_for_update(no_key=True)
    return locked.values_list(*_COLUMNS)


# The usual message is alone; one contact's tickets are few, so a kept plan serves all.
_LATEST_OF_ONE = CompiledQuery(_locked_latest_of_one)


def _latest_tickets(pairs: dict[tuple[int, int], tuple[Connection, Contact]]) -> Tickets:
    """Return the live ticket of each pair, else the one closed last, locked against being closed.

    One statement locks all tickets in one order. It has no joins: after waiting for a lock,
    PostgreSQL would combine the new row with outdated rows of the joined tables.
    """
    if len(pairs) == 1:
        [(connection_id, contact_id)] = pairs
        found = _LATEST_OF_ONE.rows(connection_id=connection_id, contact_id=contact_id)
    else:
        found = _LATEST.rows(
            connection_ids=list({connection_id for connection_id, _ in pairs}),
            contact_ids=list({contact_id for _, contact_id in pairs}),
        )
    locked = [instance_of(Ticket, _COLUMNS, values) for values in found]
    queues = stored(Queue, (ticket.queue_id for ticket in locked))
    users = stored(User, (ticket.user_id for ticket in locked))
    tickets: Tickets = {}
    for ticket in locked:
        ticket.queue, ticket.user = queues.get(ticket.queue_id or 0), users.get(ticket.user_id or 0)
        key = (ticket.connection_id or 0, ticket.contact_id)
        if key in pairs:
            ticket.connection, ticket.contact = pairs[key]
            tickets[key] = ticket
    return tickets


def _reopens(ticket: Ticket, at: datetime, window: timedelta) -> bool:
    if ticket.is_group:
        return True
    return bool(window) and ticket.closed_at is not None and at - ticket.closed_at <= window


def _reopen_window(company_id: int) -> timedelta:
    minutes = setting_of(company_id, "reopenWindowMinutes")
    return timedelta(minutes=int(minutes) if minutes.isdecimal() else 0)


def reopen_for_people(ticket: Ticket, *, at: datetime) -> OpenedTicket:
    """Reopen a closed ticket, locked by the caller, as waiting for people and not for the bot.

    The caller emits its event.
    """
    [opened] = _reopen([ticket], at, is_for_people=True)
    track_opened([ticket], at=at)
    return opened


def _reopen(
    tickets: Sequence[Ticket], at: datetime, *, is_for_people: bool = False
) -> list[OpenedTicket]:
    if not tickets:
        return []
    audiences = [ticket_audiences(ticket) for ticket in tickets]
    for ticket in tickets:
        ticket.status = TicketStatus.PENDING
        ticket.user = None
        ticket.closed_at = None
        ticket.updated_at = ticket.queued_at = at
        ticket.unanswered_campaign, ticket.woken = False, ""
    _begin_anew(tickets)
    if is_for_people:
        for ticket in tickets:
            ticket.chatbot = False
            ticket.bot_state = BotState.of(ticket.bot_state).taken_over().as_json()
    own = ["status", "user", "closed_at", "updated_at", "queued_at"]
    update_rows(tickets, [*own, "unanswered_campaign", "woken", *BOT_FIELDS])
    activities = TicketActivity.objects.bulk_create(
        TicketActivity(ticket=ticket, kind=TicketActivityKind.REOPENED) for ticket in tickets
    )
    return [
        OpenedTicket(ticket, TicketStatus.CLOSED, before, activity)
        for ticket, before, activity in zip(tickets, audiences, activities, strict=True)
    ]


def _create(
    wanted: Sequence[WantedTicket], former: Sequence[Ticket | None], at: datetime
) -> list[Ticket]:
    """Create tickets; who leads the conversation is known from its `former` ticket."""
    # If our side wrote first on the phone, nobody waits: the new ticket is closed. An answer within
    # the reopen window reopens it.
    if not wanted:
        return []
    queues: dict[int, list[ConnectionQueue]] = {}
    for link in (
        ConnectionQueue.objects.filter(
            connection__in={connection.pk for connection, _, _ in wanted}
        )
        .select_related("queue")
        .annotate(queue_has_options=_HAS_OPTIONS)
    ):
        queues.setdefault(link.connection_id, []).append(link)
    tickets = []
    for (connection, contact, opens), last in zip(wanted, former, strict=True):
        links = queues.get(connection.pk, [])
        tickets.append(
            Ticket(
                company_id=connection.company_id,
                connection=connection,
                contact=contact,
                queue=links[0].queue if len(links) == 1 else None,
                chatbot=opens and not contact.is_group and _begins_with_bot(connection, links),
                status=TicketStatus.PENDING if opens else TicketStatus.CLOSED,
                is_group=contact.is_group,
                created_at=at,
                updated_at=at,
                queued_at=at,
                closed_at=None if opens else at,
                is_followed=last is not None and last.is_followed,
                **owner_like(last),
            )
        )
    return Ticket.objects.bulk_create(tickets)


def _begins_with_bot(connection: Connection, links: Sequence[Any]) -> bool:
    """Tell whether the bot leads a new ticket: by an integration, a prompt, a menu or options.

    `links` are all `ConnectionQueue` rows of the connection with their queues, annotated with
    `queue_has_options`.
    """
    if _is_automatic(connection) or len(links) > 1:
        return True
    return any(_is_automatic(link.queue) or link.queue_has_options for link in links)


def _begin_anew(tickets: Sequence[Ticket]) -> None:
    """Reset the bot of reopened tickets, in memory: the `BOT_FIELDS` change."""
    queue_ids = {ticket.queue_id for ticket in tickets if ticket.queue_id is not None}
    with_options = set(
        QueueOption.objects.filter(queue__in=queue_ids).values_list("queue_id", flat=True)
    )
    without_queue = {ticket.connection_id for ticket in tickets if ticket.queue_id is None}
    links = ConnectionQueue.objects.filter(connection__in=without_queue)
    queue_counts = Counter(links.values_list("connection_id", flat=True))
    for ticket in tickets:
        ticket.bot_state = BotState.of(ticket.bot_state).for_new_cycle().as_json()
        ticket.use_integration = False
        ticket.integration = ticket.prompt = None
        connection, queue = ticket.connection, ticket.queue
        if ticket.is_group or connection is None:
            ticket.chatbot = False
        elif _is_automatic(connection):
            ticket.chatbot = True
        elif queue is None:
            ticket.chatbot = queue_counts[connection.pk] > 0
        else:
            ticket.chatbot = _is_automatic(queue) or queue.pk in with_options


def _is_automatic(place: Connection | Queue) -> bool:
    """Tell whether a connection or queue has an integration or a prompt."""
    return place.integration_id is not None or place.prompt_id is not None
