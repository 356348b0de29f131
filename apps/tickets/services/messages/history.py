"""Imports messages from before a number was connected, as closed tickets with their messages.

Without bot, unread count, notification and event: a phone may bring years at once
(rules/inbound §11). The import is idempotent and independent of the order.
"""

from collections.abc import Sequence
from uuid import UUID, uuid5

from django.utils import timezone

from apps.common.bulk import update_rows
from apps.common.wakeups import wake
from apps.connections.models import Connection, ConnectionQueue, ProviderKind
from apps.connections.providers.inbound import InboundMessage, bounded
from apps.contacts.models import Contact
from apps.contacts.services import upsert_contacts
from apps.tickets.models import (
    HistoryRoom,
    MediaFetch,
    MediaState,
    MediaType,
    Message,
    Ticket,
    TicketStatus,
)
from apps.tickets.services.messages import corrections, early_references, late_originals, polls
from apps.tickets.services.messages.early_references import Key
from apps.tickets.services.messages.history_ids import keep_room, place
from apps.tickets.services.messages.ignored import without_ignored
from apps.tickets.services.messages.rows import (
    NOISE,
    Received,
    fetch_later,
    keep_early,
    keep_polls,
    key,
    known_messages,
    message_of,
    quote_each_other,
    sender_of,
)
from apps.tickets.services.outbox.statuses import locked_messages

# The namespace of the uuid of the ticket for a contact's history on a connection; the uuid is
# derived from both ids.
_TICKETS = UUID("0b2c5c2e-7f0f-4f0e-9a55-3c5b6f1f8a11")


def import_history(*, connection: Connection, messages: Sequence[InboundMessage]) -> int:
    """Store messages of the history and their corrections; return how many messages are new.

    Runs in the caller's transaction, with a constant number of statements (corrections aside).
    Groups are left out.
    """
    told = [
        (connection, bounded(each))
        for each in messages
        if not each.is_group and each.sender not in NOISE
    ]
    said = [each for each in told if not _is_correction(each[1])]
    known, awaited = known_messages(said)
    new: dict[Key, Received] = {}
    for each in said:
        # A file may follow its placeholder in the same chunk.
        if key(each) not in known and (each[1].media is not None or key(each) not in new):
            new[key(each)] = each
    _bring_files(
        connection, [each for _, each in said if (connection.pk, each.external_id) in known]
    )
    stored: dict[Key, Message] = {}
    if new:
        received = sorted(new.values(), key=lambda each: (each[1].sent_at, each[1].external_id))
        stored = _store(connection, received, known)
        late_originals.apply_kept({name: stored[name] for name in awaited & stored.keys()})
    for _, inbound in told:
        if inbound.reaction_to:
            corrections.apply_reaction(connection, inbound)
        elif inbound.deletes:
            corrections.apply_revoke(connection, inbound)
        elif inbound.votes_on:
            polls.apply_vote(connection, inbound)
        elif inbound.edits and not corrections.apply_edit(connection, inbound):
            early_references.keep(connection, inbound)
    return len(stored)


def _is_correction(inbound: InboundMessage) -> bool:
    return bool(inbound.reaction_to or inbound.deletes or inbound.edits or inbound.votes_on)


def _store(
    connection: Connection,
    received: Sequence[Received],
    known: dict[Key, int],
) -> dict[Key, Message]:
    contacts = upsert_contacts([sender_of(*each) for each in received], tells=False)
    received, contacts = without_ignored(received, contacts)
    if not received:
        return {}
    tickets = _tickets_for(connection, contacts)
    now = timezone.now()
    messages = []
    for (_, inbound), contact in zip(received, contacts, strict=True):
        message = message_of(connection, inbound, contact)
        message.ticket = tickets[contact.pk]
        message.created_at = min(inbound.sent_at, now)
        message.quoted_id = known.get((connection.pk, inbound.reply_to))
        messages.append(message)
    room = HistoryRoom.objects.filter(connection=connection).first()
    if room is None and connection.is_coexistence:
        room = keep_room(connection, at=connection.signed_up_at or now)
    if room is not None:
        place(room, messages)
    Message.objects.bulk_create(messages)
    quote_each_other(received, messages)
    keep_early(received, messages, known)
    fetch_later(received, messages)
    keep_polls(received, messages)
    _bring_up(connection, messages)
    return {key(each): message for each, message in zip(received, messages, strict=True)}


def _tickets_for(connection: Connection, contacts: Sequence[Contact]) -> dict[int, Ticket]:
    """Return the history tickets of the contacts, by contact, locked until commit."""
    people = {contact.pk: contact for contact in contacts}
    names = {pk: uuid5(_TICKETS, f"{connection.pk}:{pk}") for pk in people}
    rows = Ticket.objects.filter(uuid__in=names.values(), connection=connection)
    locked = rows.select_for_update(no_key=True).order_by("pk")
    found = {ticket.contact_id: ticket for ticket in locked if ticket.contact_id in people}
    if missing := people.keys() - found.keys():
        now = timezone.now()
        links = list(ConnectionQueue.objects.filter(connection=connection)[:2])
        # The tickets are empty: `_bring_up` sets their times.
        created = Ticket.objects.bulk_create(
            Ticket(
                uuid=names[pk],
                company_id=connection.company_id,
                connection=connection,
                contact=people[pk],
                queue_id=links[0].queue_id if len(links) == 1 else None,
                status=TicketStatus.CLOSED,
                created_at=now,
                updated_at=now,
                closed_at=now,
            )
            for pk in sorted(missing)
        )
        found.update((ticket.contact_id, ticket) for ticket in created)
    return found


def _bring_up(connection: Connection, messages: Sequence[Message]) -> None:
    """Update times and latest message of closed tickets from their new messages; a reopened one
    stays as it is.

    Only messages to the official number open Meta's window of 24 hours.
    """
    tickets: dict[int, Ticket] = {}
    for message in messages:
        ticket = message.ticket
        if ticket.status != TicketStatus.CLOSED:
            continue
        tickets[ticket.pk] = ticket
        ticket.created_at = min(ticket.created_at, message.created_at)
        if connection.provider == ProviderKind.BETA and not message.from_me:
            heard = ticket.last_inbound_at or message.created_at
            ticket.last_inbound_at = max(heard, message.created_at)
        if message.pk > (ticket.latest_message_id or 0):
            ticket.latest_message = message
            ticket.last_message = message.preview
            ticket.updated_at = ticket.closed_at = message.created_at
    fields = ["created_at", "updated_at", "closed_at", "latest_message", "last_message"]
    update_rows(list(tickets.values()), [*fields, "last_inbound_at"])


def _bring_files(connection: Connection, told: Sequence[InboundMessage]) -> None:
    """Replace placeholders by the files that they announced."""
    files = {each.external_id: each for each in told if each.media is not None}
    if not files:
        return
    rows = locked_messages().filter(
        connection=connection, external_id__in=files, media_type=MediaType.UNKNOWN
    )
    changed, fetches = [], []
    for message in rows.order_by("pk"):
        inbound = files[message.external_id or ""]
        fresh = message_of(connection, inbound, message.contact)
        for name in (
            "media_type",
            "body",
            "search_text",
            "media_name",
            "media_mime",
            "raw",
            "data",
        ):
            setattr(message, name, getattr(fresh, name))
        message.media_state = MediaState.FETCHING
        message.updated_at = timezone.now()
        changed.append(message)
        if inbound.media is not None:
            fetches.append(
                MediaFetch(
                    message=message,
                    connection=connection,
                    media_id=inbound.media.media_id,
                    is_voice=inbound.media.is_voice,
                )
            )
    if not changed:
        return
    update_rows(
        changed,
        ["media_type", "body", "search_text", "media_name", "media_mime", "raw", "data"]
        + ["media_state", "updated_at"],
    )
    tickets = []
    for message in changed:
        if message.ticket.latest_message_id == message.pk:
            message.ticket.last_message = message.preview
            tickets.append(message.ticket)
    update_rows(tickets, ["last_message"])
    MediaFetch.objects.bulk_create(fetches)
    wake("tickets.fetch_media")
