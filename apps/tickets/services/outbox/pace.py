"""Whose message goes first, and what waits because its number is young (rules/messages §3)."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from apps.common.leases import LeasedQuerySet, LeaseState
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

# Somebody who wrote longer ago is not at the telephone any more.
WAITS_FOR_ANSWER = timedelta(hours=24)

# Called with a delivery that comes due after its `leaves_until`: who set that moves its
# `next_attempt_at`, in memory, to when it may leave, be it now.
late_delivery: Hook[[Delivery]] = Hook()


def turn_of(message: Message, kind: str, now: datetime) -> DeliveryTurn:
    """Return when a delivery goes among those of other conversations; reads `message.ticket`."""
    if kind != DeliveryKind.SEND or message.source == MessageSource.AGENT:
        return DeliveryTurn.PERSON
    wrote_at = message.ticket.last_inbound_at
    is_awaited = wrote_at is not None and wrote_at > now - WAITS_FOR_ANSWER
    is_planned = message.source in (MessageSource.SCHEDULE, MessageSource.CAMPAIGN)
    if is_awaited and not is_planned:
        return DeliveryTurn.ANSWER
    return DeliveryTurn.REST


def move_up(delivery: Delivery) -> None:
    """Let what stands before a person's message in its conversation go first as well."""
    before = Delivery.objects.unfinished().filter(
        connection_id=delivery.connection_id, contact_id=delivery.contact_id, pk__lt=delivery.pk
    )
    before.filter(turn__gt=delivery.turn).update(turn=delivery.turn)


def begins_again(delivery: Delivery) -> datetime | None:
    """Return when the hours begin in which a message may leave, None where they have not ended."""
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
    """Return to how many people more a number may begin to write, and from when on to others.

    Whoever has something in the outbox that begins with them is taken off. None: to anybody.
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
    """Look anew at what waits for another day, for the connection's pace has changed."""
    _look_anew(_held(Q(connection=connection)))


def let_go_merged(merged: Merged) -> None:
    """Look anew at what waits for another day: its contact may have written as the other one."""
    _look_anew(_held(Q(contact=merged.keep)))


def let_go_answered(messages: Sequence[Message]) -> None:
    """Let go what waited for another day: the contact wrote, so the number begins nothing."""
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
