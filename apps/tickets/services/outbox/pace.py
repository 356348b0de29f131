"""The order of messages of different conversations, the daily limit of new contacts for new
numbers (rules/messages §3), and the limit of a business portfolio (rules/connections §18).
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection as database
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from apps.common.compiled_queries import CompiledQuery, kept_cursor
from apps.common.leases import UNFINISHED_SQL, LeasedQuerySet, LeaseState
from apps.common.reasons import ReasonCode
from apps.common.registry import Hook
from apps.common.wakeups import wake
from apps.connections.models import Connection, ProviderKind
from apps.connections.providers.base import ProviderError
from apps.connections.queries import COUNTED, Portfolio
from apps.connections.services import (
    admit_new_contact,
    begun_today,
    forget_begun,
    is_warming_up,
    note_begun,
    rooms_ahead,
)
from apps.contacts.services import Merged
from apps.tickets.models import (
    Ack,
    Delivery,
    DeliveryKind,
    DeliveryTurn,
    Message,
    MessageSource,
    Ticket,
)
from apps.tickets.queries.inbox import WINDOW

# A contact who wrote longer ago is not waiting at the telephone any more.
WAITS_FOR_ANSWER = timedelta(hours=24)

# Called with a delivery that is due after its `leaves_until`. The app that set it changes
# `next_attempt_at`, in memory, to when the delivery may be sent.
late_delivery: Hook[[Delivery]] = Hook()
# Called with a send that the provider refused for good. The app that planned the message may keep
# it: it changes `next_attempt_at`, in memory, to when the send may be tried again.
refused_delivery: Hook[[Delivery, ProviderError]] = Hook()


def turn_of(message: Message, kind: str, now: datetime) -> DeliveryTurn:
    """Return a delivery's priority among other conversations; reads `message.ticket`."""
    if kind != DeliveryKind.SEND or message.source == MessageSource.AGENT:
        return DeliveryTurn.PERSON
    wrote_at = message.ticket.last_inbound_at
    is_awaited = wrote_at is not None and wrote_at > now - WAITS_FOR_ANSWER
    is_planned = message.source in (MessageSource.SCHEDULE, MessageSource.CAMPAIGN)
    if is_awaited and not is_planned:
        return DeliveryTurn.ANSWER
    return DeliveryTurn.REST


def move_up(delivery: Delivery) -> None:
    """Raise the priority of deliveries before a person's message in its conversation."""
    table = database.ops.quote_name(Delivery._meta.db_table)
    # SQL by hand: each message of a person runs it.
    statement = f"""
        UPDATE {table} AS work SET turn = %(turn)s
        WHERE work.connection_id = %(connection)s AND work.contact_id = %(contact)s
        AND work.id < %(id)s AND work.turn > %(turn)s AND {UNFINISHED_SQL}
    """  # noqa: S608  nothing but constants
    values = {
        "turn": int(delivery.turn),
        "connection": delivery.connection_id,
        "contact": delivery.contact_id,
        "id": delivery.pk,
    }
    with kept_cursor() as cursor:
        cursor.execute(statement, values)


def begins_again(delivery: Delivery) -> datetime | None:
    """Return when the sending hours of a message begin again; None if it may be sent now."""
    if delivery.leaves_until is None or timezone.now() < delivery.leaves_until:
        return None
    late_delivery(delivery)
    # The hook may have set the present moment, which has passed by now.
    return delivery.next_attempt_at if delivery.next_attempt_at > timezone.now() else None


def kept(delivery: Delivery, error: ProviderError) -> datetime | None:
    """Return until when the app that planned a refused message keeps it; None if it failed."""
    refused_delivery(delivery, error)
    return delivery.next_attempt_at if delivery.next_attempt_at > timezone.now() else None


def waits_until(delivery: Delivery) -> datetime | None:
    """Return the day on which a message may go that its young number may not begin with today."""
    connection, contact = delivery.connection, delivery.contact
    if not is_warming_up(connection) or contact.is_group:
        return None
    written = Ticket.objects.filter(
        contact=contact, connection=connection, last_inbound_at__isnull=False
    )
    return None if written.exists() else admit_new_contact(connection, contact.pk)


def room_for_new_people(connection: Connection) -> tuple[int | None, datetime]:
    """Return how many more contacts a number may start conversations with, and from when on more.

    Contacts with such a delivery in the outbox are subtracted. None: no limit.
    """
    now = timezone.now()
    if not is_warming_up(connection):
        return None, now
    rooms = rooms_ahead(connection, at=now)
    _, room = next(rooms)
    if room is None:
        return None, now
    tomorrow, _ = next(rooms)
    if room:
        written = Ticket.objects.filter(
            contact=OuterRef("contact"), connection=connection, last_inbound_at__isnull=False
        )
        standing = Delivery.objects.unfinished().filter(
            ~Exists(written),
            connection=connection,
            kind=DeliveryKind.SEND,
            contact__is_group=False,
        )
        people = standing.exclude(contact__in=begun_today(connection, at=now)).values("contact")
        room = max(room - people.distinct().count(), 0)
    return room, tomorrow


@dataclass(frozen=True)
class PortfolioUse:
    """Who counts towards the limit of a portfolio now.

    `standing` are the contacts in the outbox who will count once their message is accepted, without
    those who count already; `used` is how many count already.
    """

    used: int
    standing: frozenset[int]

    def left(self, limit: int) -> int:
        """Return how many more people the numbers may write to first."""
        return max(limit - self.used - len(self.standing), 0)


def use_of(portfolio: Portfolio) -> PortfolioUse:
    """Return who counts towards the limit now: two queries."""
    now = timezone.now()
    open_windows = Ticket.objects.filter(
        contact=OuterRef("contact"),
        connection=OuterRef("connection"),
        last_inbound_at__gt=now - WINDOW,
    )
    counted = portfolio.begun(since=now - COUNTED).values("contact_id")
    standing = (
        Delivery.objects.unfinished()
        .filter(
            ~Exists(open_windows),
            connection__in=portfolio.numbers,
            kind=DeliveryKind.SEND,
            contact__is_group=False,
        )
        .exclude(contact__in=counted)
    )
    return PortfolioUse(
        used=portfolio.used(at=now), standing=frozenset(standing.values_list("contact", flat=True))
    )


def counted_among(portfolio: Portfolio, contacts: Collection[int]) -> set[int]:
    """Return the contacts who count towards the limit already: another message takes no room."""
    begun = portfolio.begun(since=timezone.now() - COUNTED).filter(contact_id__in=contacts)
    return set(begun.values_list("contact_id", flat=True))


def count_begun(messages: Iterable[Message]) -> None:
    """Count the contacts to whom an official number wrote outside a window.

    `messages` were accepted or refused now. A refused one counts no more.
    """
    since = timezone.now() - WINDOW
    accepted, refused = [], []
    for message in messages:
        if message.connection_id is None or not message.from_me or message.ticket.is_group:
            continue
        if message.ack == Ack.ERROR:
            refused.append(message)
        # An answer, the usual message, asks the database nothing.
        elif (message.ticket.last_inbound_at or since) <= since:
            accepted.append(message)
    if refused:
        forget_begun([each.pk for each in refused], {each.connection_id or 0 for each in refused})
    if accepted:
        found = _outside_windows.rows(ids=[each.pk for each in accepted], at_moment=since)
        begun = {(connection, contact): message for connection, contact, message in found}
        note_begun((*key, message_id) for key, message_id in sorted(begun.items()))


# Messages of official numbers whose contact did not write on another ticket either.
_outside_windows = CompiledQuery(
    lambda ids, at_moment: Message.objects.filter(
        ~Exists(
            Ticket.objects.filter(
                contact=OuterRef("contact"),
                connection=OuterRef("connection"),
                last_inbound_at__gt=at_moment,
            )
        ),
        pk__among=ids,
        connection__provider=ProviderKind.OFFICIAL,
    ).values_list("connection_id", "contact_id", "pk")
)


def let_go_of(connection: Connection) -> None:
    """Reconsider deliveries that wait for another day: the connection's pace has changed."""
    _look_anew(_held(Q(connection=connection)))


def let_go_merged(merged: Merged) -> None:
    """Reconsider deliveries that wait for another day: the merged contact may have written."""
    _look_anew(_held(Q(contact=merged.keep)))


def let_go_answered(messages: Sequence[Message]) -> None:
    """Release deliveries that wait for another day: the contact wrote, so the number starts no
    conversation.
    """
    written = {
        (message.connection_id, message.contact_id)
        for message in messages
        if not message.from_me and message.connection and is_warming_up(message.connection)
    }
    if not written:
        return
    wanted = Q()
    for connection_id, contact_id in written:
        wanted |= Q(connection_id=connection_id, contact_id=contact_id)
    _look_anew(_held(wanted))


def _held(wanted: Q) -> "LeasedQuerySet[Delivery]":
    rows = Delivery.objects.unfinished().filter(wanted, state=LeaseState.WAITING)
    return rows.filter(message__reason_code=ReasonCode.DAILY_CEILING)


def _look_anew(held: "LeasedQuerySet[Delivery]") -> None:
    if held.retry_later(timezone.now(), ""):
        wake("tickets.deliver")
