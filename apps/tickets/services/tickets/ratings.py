"""Ends an attendance for the contact: the completion message, or the rating.

See rules/tickets §12. The tracking cycle records that the rating was asked for. No row or job waits
for the answer.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from django.db.models import QuerySet
from django.db.models.expressions import RawSQL
from django.utils import timezone

from apps.common.compiled_queries import CompiledQuery
from apps.common.registry import Hook
from apps.common.wakeups import wake
from apps.companies.queries import settings_of
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundMessage
from apps.contacts.models import Contact
from apps.tickets import events
from apps.tickets.models import (
    MediaType,
    Message,
    Rating,
    RatingRequest,
    Ticket,
    TicketActivity,
    TicketActivityKind,
    TicketStatus,
    TrackingCycle,
)
from apps.tickets.origins import Origin
from apps.tickets.owners import OWNER_FIELDS, follow_message, is_ours
from apps.tickets.services.announcing import ticket_rated
from apps.tickets.services.outbox import write_automatic_text
from apps.tickets.services.tickets.days import forget_days
from apps.tickets.services.tickets.tracking import latest_cycle

# As typed, and as buttons of a template may say it.
ANSWERS = {
    **{"1": 1, "2": 2, "3": 3},
    **{"insatisfeito": 1, "satisfeito": 2, "muito satisfeito": 3},
}
ANSWER_WINDOW = timedelta(hours=24)
# The provider reports whole seconds, from its own clock.
CLOCK_SLACK = timedelta(seconds=5)
QUESTION = "Como você avalia o nosso atendimento?"
SCALE = "*1* - Insatisfeito\n*2* - Satisfeito\n*3* - Muito satisfeito"
TEXTS = frozenset({MediaType.TEXT, MediaType.EXTENDED_TEXT})

# Builds the unsaved message of the received one at this index.
MessageOf = Callable[[int], Message]


# Called with a closed ticket that its contact has rated, and the rate.
ticket_is_rated: Hook[[Ticket, int]] = Hook()


def tell_resolved(*, ticket: Ticket, was_held: bool) -> None:
    """Ask the contact of a just resolved ticket for a rating, else send the completion message.

    Only a contact whose ticket had a holder is asked. The queue's texts precede the connection's.
    Without either the default question is sent, and no completion message.
    """
    if ticket.is_group:
        return
    settings = settings_of(ticket.company_id) if was_held else {}
    if was_held and is_to_rate(ticket, settings):
        _ask(ticket, settings["ratingTemplate"])
    else:
        write_automatic_text(ticket, _text(ticket, "completion_message"), Origin.FAREWELL)


def is_to_rate(ticket: Ticket, settings: Mapping[str, str]) -> bool:
    """Tell whether the contact is to be asked: ratings are on, and it was not asked lately.

    Of a contact's tickets two may be resolved at once: until the commit no other transaction asks
    this. Call it in the one that asks the contact, with the ticket locked.
    """
    if settings["userRating"] != "enabled":
        return False
    days = int(settings["ratingEveryDays"])
    if not days:
        return True
    cycles = TrackingCycle.objects.for_company(ticket.company_id).filter(contact=ticket.contact_id)
    # One row for all tickets of the contact, and not the contact's own: receiving locks that one
    # before the ticket.
    list(cycles.order_by("pk").select_for_update(no_key=True).values_list("pk", flat=True)[:1])
    asked = cycles.filter(rating_asked_at__gt=timezone.now() - timedelta(days=days))
    return not asked.exists()


def _ask(ticket: Ticket, template_name: str) -> None:
    cycle = latest_cycle(ticket)
    question = _text(ticket, "rating_message").strip() or QUESTION
    if cycle is None:
        return
    if write_automatic_text(ticket, f"{question}\n\n{SCALE}", Origin.RATING) is None:
        if template_name and ticket.connection is not None:
            RatingRequest.objects.bulk_create(
                [RatingRequest(company_id=ticket.company_id, cycle=cycle)], ignore_conflicts=True
            )
            wake("tickets.ask_ratings")
        return
    cycle.rating_asked_at = timezone.now()
    cycle.save(update_fields=["rating_asked_at"])


def _text(ticket: Ticket, name: str) -> str:
    [texts] = _texts_named(name).rows(ticket_id=ticket.pk)
    return next((text for text in texts if text and text.strip()), "")


@lru_cache(maxsize=2)
def _texts_named(name: str) -> CompiledQuery:
    def build(*, ticket_id: RawSQL) -> "QuerySet[Ticket, Any]":
        stored = Ticket.objects.filter(pk=ticket_id).order_by()
        return stored.values_list(f"queue__{name}", f"connection__{name}")

    return CompiledQuery(build)


def store_ratings(
    received: Sequence[tuple[Connection, InboundMessage]],
    contacts: Sequence[Contact],
    message_of: MessageOf,
) -> dict[int, Message]:
    """Store the received texts that rate an attendance; returns the messages by their indexes.

    Each rating is stored in the closed ticket that it is about, reopens nothing, counts as read and
    is answered with the completion message. A text is a rating if it is the first that the contact
    writes after being asked, within 24 hours, and no conversation has been opened since: texts in a
    live conversation belong there. Call it in the transaction that stores the other messages, which
    then continues without these.
    """
    first: dict[tuple[int, int], int | None] = {}
    for place, ((connection, inbound), contact) in enumerate(zip(received, contacts, strict=True)):
        # Any other message that comes first begins a normal cycle.
        first.setdefault((connection.pk, contact.pk), place if _is_answer(inbound) else None)
    places = {key: place for key, place in first.items() if place is not None}
    if not places:
        return {}
    stored = {}
    for cycle in _asked(places):
        place = places[cycle.ticket.connection_id or 0, cycle.ticket.contact_id]
        inbound = received[place][1]
        rate = ANSWERS[inbound.body.strip().casefold()]
        follow_message(cycle.ticket, inbound.sent_at, is_copy=False, from_me=False)
        if not is_ours(cycle.ticket):
            continue  # it came late: another responder leads meanwhile
        if _is_in_time(inbound.sent_at, cycle.rating_asked_at) and _mark_rated(cycle, rate):
            cycle.ticket.connection, cycle.ticket.contact = received[place][0], contacts[place]
            stored[place] = _store(cycle, message_of(place), rate)
    return stored


def _is_answer(inbound: InboundMessage) -> bool:
    return (
        inbound.media_type in TEXTS
        and inbound.body.strip().casefold() in ANSWERS
        and not inbound.from_me
        and not inbound.is_group
    )


def _is_in_time(sent_at: datetime, asked_at: datetime | None) -> bool:
    if asked_at is None:
        return False
    at = min(sent_at, timezone.now())
    return asked_at - CLOCK_SLACK <= at <= asked_at + ANSWER_WINDOW


def _asked(pairs: dict[tuple[int, int], int]) -> list[TrackingCycle]:
    """Return the cycle that each contact may rate, with its closed ticket locked.

    It is the latest cycle of all the contact's tickets on the connection, and it was asked about
    and is unrated.
    """
    # A coarse limit that keeps the search small. `_is_in_time` checks the exact time.
    since = timezone.now() - 2 * ANSWER_WINDOW
    found = TrackingCycle.objects.filter(
        ticket__connection__in={connection_id for connection_id, _ in pairs},
        ticket__contact__in={contact_id for _, contact_id in pairs},
        ticket__status=TicketStatus.CLOSED,
        rating_asked_at__gte=since,
        rated_at=None,
    )
    ids = list(found.values_list("ticket_id", flat=True))
    if not ids:
        return []
    locked = Ticket.objects.select_for_update(no_key=True).filter(
        pk__in=ids, status=TicketStatus.CLOSED
    )
    tickets = {
        (ticket.connection_id or 0, ticket.contact_id): ticket
        for ticket in locked.order_by("pk")
        if (ticket.connection_id or 0, ticket.contact_id) in pairs
    }
    cycles = []
    for ticket in tickets.values():
        latest = (
            TrackingCycle.objects.filter(
                ticket__connection=ticket.connection_id, ticket__contact=ticket.contact_id
            )
            .select_related("ticket", "user")
            .order_by("-queued_at", "-id")
            .first()
        )
        if latest is not None and latest.finished_at and latest.ticket_id in ids:
            cycles.append(latest)
    return cycles


def _mark_rated(cycle: TrackingCycle, rate: int) -> bool:
    """Record the rating if the cycle has none, so of two answers at once only one counts."""
    now = timezone.now()
    unrated = TrackingCycle.objects.filter(pk=cycle.pk, rated_at=None).exclude(rating_asked_at=None)
    if not unrated.update(rated_at=now, rate=rate):
        return False
    forget_days(cycle.company_id, [cycle.queued_at])
    return True


def _store(cycle: TrackingCycle, message: Message, rate: int) -> Message:
    ticket, now = cycle.ticket, timezone.now()
    message.ticket = ticket
    message.is_read = True
    message.save(force_insert=True)
    Rating.objects.create(
        company_id=cycle.company_id, cycle=cycle, ticket=ticket, user=cycle.user, rate=rate
    )
    activity = TicketActivity.objects.create(
        ticket=ticket, kind=TicketActivityKind.RATED, detail={"rate": rate}, created_at=now
    )
    inbound_at = min(message.sent_at or now, now)
    ticket.last_inbound_at = max(ticket.last_inbound_at or inbound_at, inbound_at)
    ticket.last_message = message.preview
    ticket.latest_message = message
    ticket.updated_at = now
    changed = ["last_inbound_at", "last_message", "latest_message", "updated_at"]
    ticket.save(update_fields=[*changed, *OWNER_FIELDS])
    events.message_created(message)
    events.ticket_updated(ticket, activity=activity, is_changed=False)
    ticket_rated(ticket, rate=rate, user_id=cycle.user_id)
    ticket_is_rated(ticket, rate)
    write_automatic_text(ticket, _text(ticket, "completion_message"), Origin.FAREWELL)
    return message
