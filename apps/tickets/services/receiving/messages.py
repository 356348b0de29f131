"""Stores received messages on the right tickets (rules/inbound §4, rules/tickets §2).

Messages of many contacts are stored together, with a constant number of statements.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from django.utils import timezone

from apps.common.bulk import insert_row, update_rows
from apps.common.registry import Hook
from apps.companies.queries import setting_of
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundMessage, bounded
from apps.contacts.models import Contact
from apps.contacts.services import Sender, upsert_contacts, want_pictures
from apps.tickets import events
from apps.tickets.bot_states import BOT_FIELDS
from apps.tickets.models import (
    RESERVED,
    Message,
    MessageSource,
    Ticket,
)
from apps.tickets.owners import OWNER_FIELDS, follow_message, is_ours
from apps.tickets.services.bot.answering import answer
from apps.tickets.services.bot.executor import ExecutionResult
from apps.tickets.services.messages import corrections, late_originals, polls
from apps.tickets.services.messages.early_references import Key
from apps.tickets.services.messages.form_answers import with_questions
from apps.tickets.services.messages.history import import_history
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
from apps.tickets.services.outbox import let_go_answered
from apps.tickets.services.tickets import ratings
from apps.tickets.services.tickets.following import tell_followers
from apps.tickets.services.tickets.matching import tickets_for
from apps.tickets.services.tickets.snoozing import wake_answered


@dataclass
class Reserved:
    """What a handler of new messages does itself.

    The bot does not answer the messages of `ids`. The functions of `afterwards` are called after
    the bot has answered the others and the events were emitted.
    """

    ids: set[int] = field(default_factory=set)
    afterwards: list[Callable[[], None]] = field(default_factory=list)


# Called with the contacts' messages after they were stored and before the bot answers, while the
# tickets are locked. Ratings, history and copies are left out (rules/inbound §4).
messages_stored: Hook[[Sequence[Message], Reserved]] = Hook()


def is_plain(inbound: InboundMessage) -> bool:
    """Tell whether a message may be stored together with others: a new message of a contact."""
    return not (
        inbound.from_me
        or inbound.is_group
        or inbound.is_history
        or inbound.is_copy
        or inbound.reaction_to
        or inbound.deletes
        or inbound.edits
        or inbound.votes_on
    )


def receive_message(*, connection: Connection, inbound: InboundMessage) -> Message | None:
    """Store one message of any kind with `receive_messages`; returns the new message, if any."""
    messages = receive_messages([(connection, inbound)])
    return messages[0] if messages else None


def receive_messages(received: Sequence[Received]) -> list[Message]:
    """Store messages of contacts, or of our side on the phone; returns the new messages.

    It takes the steps of rules/inbound §4, in the caller's transaction. A repeated message, a
    reaction, an edit, a revoke, a vote and ignored traffic create no message. Pass plain messages
    (`is_plain`) in order of arrival, or a single message that is not plain.
    """
    if received and received[0][1].is_history and not received[0][1].is_group:
        import_history(connection=received[0][0], messages=[received[0][1]])
        return []
    received = [(connection, bounded(inbound)) for connection, inbound in received]
    wanted = [each for each in received if not _is_ignored(*each) and not _corrects(*each)]
    known, awaited = known_messages(wanted)
    seen = set(known)
    new = []
    for connection, inbound in wanted:
        name = key((connection, inbound))
        if name in seen or (inbound.from_me and corrections.settle_echo(connection, inbound)):
            continue
        new.append((connection, inbound))
        if inbound.external_id:
            seen.add(name)
    if not awaited:
        return _store(new, known) if new else []
    taken = late_originals.take_places([each for each in new if key(each) in awaited])
    rest = [each for each in new if key(each) not in taken]
    messages = _store(rest, known | taken) if rest else []
    edited = {key(each): (each[0].pk, each[1].edits) for each in rest}
    for message in messages:
        own = (message.connection_id or 0, message.external_id or "")
        # An edit is stored in place of its missing original. References to either id may be
        # waiting.
        for place in {own, edited.get(own, own)} & awaited:
            late_originals.apply_kept({place: message})
    return messages


def _is_ignored(connection: Connection, inbound: InboundMessage) -> bool:
    if inbound.sender in NOISE:
        return True
    return inbound.is_group and setting_of(connection.company_id, "CheckMsgIsGroup") == "enabled"


def _corrects(connection: Connection, inbound: InboundMessage) -> bool:
    """Apply an event about an existing message; returns True if nothing more is to be stored."""
    if inbound.reaction_to:
        corrections.apply_reaction(connection, inbound)
        return True
    if inbound.deletes:
        corrections.apply_revoke(connection, inbound)
        return True
    if inbound.votes_on:
        polls.apply_vote(connection, inbound)
        return True
    return bool(inbound.edits) and corrections.apply_edit(connection, inbound)


def _store(received: Sequence[Received], known: dict[Key, int]) -> list[Message]:
    contacts = upsert_contacts([sender_of(*each) for each in received])
    received, contacts = without_ignored(received, contacts)
    if not received:
        return []
    received = with_questions(received, contacts)
    # History and copies are never plain, so they come as a single message.
    is_copy = received[0][1].is_copy
    is_quiet = is_copy or received[0][1].is_history
    rated: dict[int, Message] = {}
    if not is_quiet:
        rated = ratings.store_ratings(
            received, contacts, lambda place: message_of(*received[place], contacts[place])
        )
    if rated:
        rest = [place for place in range(len(received)) if place not in rated]
        received = [received[place] for place in rest]
        contacts = [contacts[place] for place in rest]
    if not received:
        return list(rated.values())
    participants = _participants(received)
    tickets, opened = tickets_for(
        [
            (connection, contact, not (inbound.from_me or is_quiet))
            for (connection, inbound), contact in zip(received, contacts, strict=True)
        ],
        at=timezone.now(),
    )
    messages, changes_hands = [], False
    for place, (connection, inbound) in enumerate(received):
        message = message_of(connection, inbound, contacts[place])
        ticket = message.ticket = tickets[connection.pk, contacts[place].pk]
        if not inbound.is_history:
            changes_hands |= follow_message(
                ticket, inbound.sent_at, is_copy=inbound.is_copy, from_me=inbound.from_me
            )
        # It came late: another responder leads meanwhile.
        message.is_read = message.is_read or not is_ours(ticket)
        message.participant = participants.get(place)
        message.quoted_id = known.get((connection.pk, inbound.reply_to))
        messages.append(message)
    if len(messages) == 1:
        insert_row(messages[0])
    else:
        Message.objects.bulk_create(messages)
    quote_each_other(received, messages)
    keep_early(received, messages, known)
    fetch_later(received, messages)
    keep_polls(received, messages)
    moved = _move_tickets(messages)
    written = [] if is_quiet else [each for each in messages if not each.from_me]
    reserved = Reserved()
    if written:
        messages_stored(written, reserved)
        _keep_from_bot([each for each in written if each.pk in reserved.ids])
    asked = [] if is_quiet else zip(received, messages, strict=True)
    result = answer([(each, message) for (_, each), message in asked])
    _store_tickets(moved, messages, result, changes_hands=changes_hands)
    events.messages_received(
        [*messages, *result.replies], [*opened, *result.moved], are_quiet=is_quiet
    )
    if written:
        wake_answered(written)
        tell_followers(written)
        want_pictures(
            (connection, contact)
            for (connection, _), contact in zip(received, contacts, strict=True)
        )
    for function in reserved.afterwards:
        function()
    # Last: the functions above may cancel deliveries to these contacts, and messages are locked
    # before their deliveries.
    if not is_copy:
        let_go_answered(messages)
    return [*rated.values(), *messages]


def _keep_from_bot(messages: Sequence[Message]) -> None:
    """Note which messages the bot never answers, also if it reads them after a pause."""
    for message in messages:
        message.data = {**(message.data or {}), RESERVED: True}
    if messages:
        Message.objects.bulk_update(messages, ["data"])


def _has_participant(inbound: InboundMessage) -> bool:
    is_named = bool(inbound.participant or inbound.participant_lid)
    return inbound.is_group and is_named and not inbound.from_me


def _participants(received: Sequence[Received]) -> dict[int, Contact]:
    """Return the senders inside groups, by the index of their message."""
    senders = {
        place: Sender(
            company_id=connection.company_id,
            number=inbound.participant,
            name=inbound.participant_name,
            connection_id=connection.pk,
            lid=inbound.participant_lid,
        )
        for place, (connection, inbound) in enumerate(received)
        if _has_participant(inbound)
    }
    if not senders:
        return {}
    return dict(zip(senders, upsert_contacts(list(senders.values())), strict=True))


def _move_tickets(messages: Sequence[Message]) -> list[Ticket]:
    """Update the locked tickets in memory for their new messages, in order."""
    tickets: dict[int, Ticket] = {}
    for message in messages:
        ticket = tickets.setdefault(message.ticket_id, message.ticket)
        is_past = message.is_read and not message.from_me and message.source != MessageSource.OTHER
        if is_past and ticket.latest_message_id:
            continue  # history does not change a ticket that already has messages
        ticket.last_message = message.preview
        ticket.latest_message = message
        ticket.updated_at = now = timezone.now()
        if not message.from_me:
            inbound_at = min(message.sent_at or now, now)
            ticket.last_inbound_at = max(ticket.last_inbound_at or inbound_at, inbound_at)
            ticket.unread_count += not message.is_read
            ticket.referral = (message.data or {}).get("referral") or ticket.referral
    return list(tickets.values())


def _store_tickets(
    tickets: Sequence[Ticket],
    messages: Sequence[Message],
    result: ExecutionResult,
    *,
    changes_hands: bool,
) -> None:
    unread = Counter(message.ticket_id for message in messages if not message.is_read)
    update_rows(
        tickets,
        [
            "last_message",
            "latest_message",
            "updated_at",
            "last_inbound_at",
            *(("referral",) if any(ticket.referral for ticket in tickets) else ()),
            *(BOT_FIELDS if result.changed else ()),
            *(OWNER_FIELDS if changes_hands else ()),
        ],
        added={"unread_count": unread},
    )
