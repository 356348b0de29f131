"""From received messages to rows on the right tickets (rules/inbound §4, rules/tickets §2).

What many contacts wrote is stored together, with a number of statements that does not depend on
how many they are.
"""

from collections import Counter
from collections.abc import Sequence

from django.db.models import BigIntegerField, Value
from django.utils import timezone

from apps.common.bulk import update_rows
from apps.common.wakeups import wake
from apps.companies.queries import setting_of
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundMessage, bounded
from apps.contacts.models import Contact
from apps.contacts.services import Sender, upsert_contacts
from apps.tickets import events
from apps.tickets.models import (
    Ack,
    MediaFetch,
    MediaState,
    MediaType,
    Message,
    MessageSource,
    Ticket,
)
from apps.tickets.services.bot.answering import answer
from apps.tickets.services.bot.cycles import BOT_FIELDS
from apps.tickets.services.bot.executor import ExecutionResult
from apps.tickets.services.messages import corrections, early_references, late_originals
from apps.tickets.services.messages.early_references import Key
from apps.tickets.services.messages.previews import preview_of
from apps.tickets.services.outbox import let_go_answered
from apps.tickets.services.tickets import ratings
from apps.tickets.services.tickets.matching import tickets_for

# Not conversations: the stories that WhatsApp calls status.
NOISE = frozenset({"status@broadcast"})
Received = tuple[Connection, InboundMessage]


def is_plain(inbound: InboundMessage) -> bool:
    """Tell whether a message may be received together with others: what a contact wrote."""
    return not (
        inbound.from_me
        or inbound.is_group
        or inbound.is_history
        or inbound.reaction_to
        or inbound.deletes
        or inbound.edits
    )


def receive_message(*, connection: Connection, inbound: InboundMessage) -> Message | None:
    """Store one message of any kind: `receive_messages` for one; returns the new message."""
    messages = receive_messages([(connection, inbound)])
    return messages[0] if messages else None


def receive_messages(received: Sequence[Received]) -> list[Message]:
    """Store what contacts wrote, or what our side wrote on the phone; returns the new messages.

    The steps of rules/inbound §4, in the caller's transaction. A replay, a reaction, an edit,
    a revoke and ignored traffic make no message. Give it plain messages in the order of their
    arrival, or one that is not.
    """
    received = [(connection, bounded(inbound)) for connection, inbound in received]
    wanted = [each for each in received if not _is_ignored(*each) and not _corrects(*each)]
    known, awaited = _known_messages(wanted)
    seen = set(known)
    new = []
    for connection, inbound in wanted:
        key = _key((connection, inbound))
        if key not in seen and not corrections.settle_echo(connection, inbound):
            new.append((connection, inbound))
            if inbound.external_id:
                seen.add(key)
    if not awaited:
        return _store(new, known) if new else []
    taken = late_originals.take_places([each for each in new if _key(each) in awaited])
    rest = [each for each in new if _key(each) not in taken]
    messages = _store(rest, known | taken) if rest else []
    edited = {_key(each): (each[0].pk, each[1].edits) for each in rest}
    for message in messages:
        key = (message.connection_id or 0, message.external_id or "")
        # An edit stands in for its original, of which more may have been said before.
        for place in {key, edited.get(key, key)} & awaited:
            late_originals.apply_kept({place: message})
    return messages


def _key(received: Received) -> Key:
    connection, inbound = received
    return connection.pk, inbound.external_id


def _is_ignored(connection: Connection, inbound: InboundMessage) -> bool:
    if inbound.sender in NOISE:
        return True
    return inbound.is_group and setting_of(connection.company_id, "CheckMsgIsGroup") == "enabled"


def _corrects(connection: Connection, inbound: InboundMessage) -> bool:
    """Do what an event asks for of a message that is there; returns whether that was all."""
    if inbound.reaction_to:
        corrections.apply_reaction(connection, inbound)
        return True
    if inbound.deletes:
        corrections.apply_revoke(connection, inbound)
        return True
    return bool(inbound.edits) and corrections.apply_edit(connection, inbound)


def _known_messages(received: Sequence[Received]) -> tuple[dict[Key, int], set[Key]]:
    """Return the stored ones of the messages and of those they name, by the provider's id.

    And the ids of those for which something is kept that came before them.
    """
    known: dict[Key, int] = {}
    awaited: set[Key] = set()
    if not received:
        return known, awaited
    connections = {connection.pk for connection, _ in received}
    ids = {
        each
        for _, inbound in received
        for each in (inbound.external_id, inbound.reply_to, inbound.edits)
    } - {""}
    stored = Message.objects.filter(connection__in=connections, external_id__in=ids)
    kept = early_references.kept_for((pk, each) for pk in connections for each in ids)
    rows = stored.order_by().values_list("connection_id", "external_id", "pk")
    early = kept.order_by().values_list("connection_id", "original_id", Value(0, BigIntegerField()))
    for connection_id, external_id, pk in rows.union(early, all=True):
        if pk:
            known[connection_id, external_id or ""] = pk
        else:
            awaited.add((connection_id, external_id or ""))
    return known, awaited


def _store(received: Sequence[Received], known: dict[Key, int]) -> list[Message]:
    contacts = upsert_contacts([_sender_of(*each) for each in received])
    # What was there before the number was connected: no plain message, and so alone.
    is_history = received[0][1].is_history
    rated: dict[int, Message] = {}
    if not is_history:
        rated = ratings.store_ratings(
            received, contacts, lambda place: _message_of(*received[place], contacts[place])
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
            (connection, contact, not (inbound.from_me or inbound.is_history))
            for (connection, inbound), contact in zip(received, contacts, strict=True)
        ],
        at=timezone.now(),
    )
    messages = []
    for place, (connection, inbound) in enumerate(received):
        message = _message_of(connection, inbound, contacts[place])
        message.ticket = tickets[connection.pk, contacts[place].pk]
        message.participant = participants.get(place)
        message.quoted_id = known.get((connection.pk, inbound.reply_to))
        messages.append(message)
    Message.objects.bulk_create(messages)
    _quote_each_other(received, messages)
    _keep_early(received, messages, known)
    _fetch_later(received, messages)
    moved = _move_tickets(messages)
    let_go_answered(messages)
    asked = [] if is_history else zip(received, messages, strict=True)
    result = answer([(each, message) for (_, each), message in asked])
    _store_tickets(moved, messages, result)
    events.messages_received([*messages, *result.replies], [*opened, *result.moved])
    return [*rated.values(), *messages]


def _sender_of(connection: Connection, inbound: InboundMessage) -> Sender:
    return Sender(
        company_id=connection.company_id,
        number=inbound.sender,
        # What our side wrote carries our own name.
        name="" if inbound.from_me and not inbound.is_group else inbound.sender_name,
        connection_id=connection.pk,
        lid=inbound.lid,
        is_group=inbound.is_group,
        username=inbound.sender_username,
    )


def _has_participant(inbound: InboundMessage) -> bool:
    is_named = bool(inbound.participant or inbound.participant_lid)
    return inbound.is_group and is_named and not inbound.from_me


def _participants(received: Sequence[Received]) -> dict[int, Contact]:
    """Return who wrote inside a group, by the message's place."""
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


def _message_of(connection: Connection, inbound: InboundMessage, contact: Contact) -> Message:
    media = inbound.media
    name = media.name[:255] if media else ""
    now = timezone.now()
    message = Message(
        company_id=connection.company_id,
        connection=connection,
        contact=contact,
        external_id=inbound.external_id or None,
        from_me=inbound.from_me,
        source=MessageSource.PHONE if inbound.from_me else MessageSource.CONTACT,
        ack=Ack.SENT if inbound.from_me else Ack.PENDING,
        media_type=inbound.media_type,
        body=inbound.body or name,
        media_state=MediaState.FETCHING if media else "",
        media_name=name,
        media_mime=media.mime[:150] if media else "",
        is_read=inbound.from_me or inbound.is_history,
        remote_jid=inbound.sender[:100],
        data=inbound.data,
        raw=inbound.raw if inbound.media_type == MediaType.UNKNOWN else None,
        sent_at=inbound.sent_at,
        created_at=now,
    )
    message.fold_text()
    return message


def _quote_each_other(received: Sequence[Received], messages: Sequence[Message]) -> None:
    """Set the quotes of messages that answer one which was stored together with them."""
    new = {(each.connection_id, each.external_id): each.pk for each in messages}
    answers = []
    for (connection, inbound), message in zip(received, messages, strict=True):
        if inbound.reply_to and message.quoted_id is None:
            message.quoted_id = new.get((connection.pk, inbound.reply_to))
            if message.quoted_id is not None:
                answers.append(message)
    update_rows(answers, ["quoted"])


def _keep_early(
    received: Sequence[Received], messages: Sequence[Message], known: dict[Key, int]
) -> None:
    """Keep replies to what is not here, and edits of it that were stored as messages."""
    early = []
    for (connection, inbound), message in zip(received, messages, strict=True):
        is_edit = bool(inbound.edits) and (connection.pk, inbound.edits) not in known
        is_reply = bool(inbound.reply_to) and not inbound.edits and message.quoted_id is None
        if is_edit or is_reply:
            early.append((connection, inbound, message))
    if early:
        early_references.keep_stored(early)


def _fetch_later(received: Sequence[Received], messages: Sequence[Message]) -> None:
    fetches = [
        MediaFetch(
            message=message,
            connection=connection,
            media_id=inbound.media.media_id,
            is_voice=inbound.media.is_voice,
        )
        for (connection, inbound), message in zip(received, messages, strict=True)
        if inbound.media is not None
    ]
    if fetches:
        MediaFetch.objects.bulk_create(fetches)
        wake("tickets.fetch_media")


def _move_tickets(messages: Sequence[Message]) -> list[Ticket]:
    """Bring the locked tickets in step with their new messages, in order and in memory."""
    tickets: dict[int, Ticket] = {}
    for message in messages:
        ticket = tickets.setdefault(message.ticket_id, message.ticket)
        if message.is_read and not message.from_me and ticket.latest_message_id:
            continue  # history of a conversation that has gone on
        ticket.last_message = preview_of(message.media_type, message.body, message.media_name)
        ticket.latest_message = message
        ticket.updated_at = now = timezone.now()
        if not message.from_me:
            inbound_at = min(message.sent_at or now, now)
            ticket.last_inbound_at = max(ticket.last_inbound_at or inbound_at, inbound_at)
            ticket.unread_count += not message.is_read
            ticket.referral = (message.data or {}).get("referral") or ticket.referral
    return list(tickets.values())


def _store_tickets(
    tickets: Sequence[Ticket], messages: Sequence[Message], result: ExecutionResult
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
        ],
        added={"unread_count": unread},
    )
