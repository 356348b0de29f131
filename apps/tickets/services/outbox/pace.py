"""The order of messages of different conversations, and the daily limit of new contacts for new
numbers (rules/messages §3).
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import connection as database
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from apps.common.compiled_queries import kept_cursor
from apps.common.leases import UNFINISHED_SQL, LeasedQuerySet, LeaseState
from apps.common.reasons import ReasonCode
from apps.common.registry import Hook
from apps.common.wakeups import wake
from apps.connections.models import Connection
from apps.connections.services import (
    admit_new_contact,
    begun_today,
    is_warming_up,
    rooms_ahead,
)
from apps.contacts.services import Merged
from apps.tickets.models import (
    Delivery,
    DeliveryKind,
    DeliveryTurn,
    Message,
    MessageSource,
    Ticket,
)

# A contact who wrote longer ago is not waiting at the telephone any more.
WAITS_FOR_ANSWER = timedelta(hours=24)

# Called with a delivery that is due after its `leaves_until`. The app that set it changes
# `next_attempt_at`, in memory, to when the delivery may be sent.
late_delivery: Hook[[Delivery]] = Hook()


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
    now = timezone.now()
    if delivery.leaves_until is None or now < delivery.leaves_until:
        return None
    late_delivery(delivery)
    return delivery.next_attempt_at if delivery.next_attempt_at > now else None


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
