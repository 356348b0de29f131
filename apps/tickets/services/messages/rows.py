"""Rows of received messages with their quotes, files, polls and early references."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import BigIntegerField, QuerySet, Value
from django.utils import timezone

from apps.common.bulk import update_rows
from apps.common.compiled_queries import CompiledQuery
from apps.common.wakeups import wake
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundMessage
from apps.contacts.models import NUMBER_LENGTH, Contact
from apps.contacts.services import Sender
from apps.tickets.models import (
    Ack,
    EarlyReference,
    MediaFetch,
    MediaState,
    MediaType,
    Message,
    MessageSource,
    Poll,
)
from apps.tickets.services.messages import early_references
from apps.tickets.services.messages.early_references import Key

# WhatsApp stories (status) are no conversations.
NOISE = frozenset({"status@broadcast"})
Received = tuple[Connection, InboundMessage]


def key(received: Received) -> Key:
    """Return the key of a message: its connection and the provider's id."""
    connection, inbound = received
    return connection.pk, inbound.external_id


def _known(
    stored: "QuerySet[Message]", kept: "QuerySet[EarlyReference]"
) -> "QuerySet[Message, Any]":
    rows = stored.order_by().values_list("connection_id", "external_id", "pk")
    early = kept.order_by().values_list("connection_id", "original_id", Value(0, BigIntegerField()))
    return rows.union(early, all=True)


# A text alone that refers to no other.
_KNOWN = CompiledQuery(
    lambda connection_id, external_text, since_moment: _known(
        Message.objects.filter(connection_id=connection_id, external_id=external_text),
        EarlyReference.objects.filter(
            connection_id=connection_id, original_id=external_text, created_at__gt=since_moment
        ),
    )
)


def known_messages(received: Sequence[Received]) -> tuple[dict[Key, int], set[Key]]:
    """Return stored messages among the given ones and those that they refer to, by the provider's
    id; and the ids of those with kept early references.
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
    if len(connections) == len(ids) == 1:
        rows: Iterable[Any] = _KNOWN.rows(
            connection_id=next(iter(connections)),
            external_text=next(iter(ids)),
            since_moment=timezone.now() - early_references.KEPT_FOR,
        )
    else:
        stored = Message.objects.filter(connection__in=connections, external_id__in=ids)
        kept = early_references.kept_for((pk, each) for pk in connections for each in ids)
        rows = _known(stored, kept)
    for connection_id, external_id, pk in rows:
        if pk:
            known[connection_id, external_id or ""] = pk
        else:
            awaited.add((connection_id, external_id or ""))
    return known, awaited


def sender_of(connection: Connection, inbound: InboundMessage) -> Sender:
    """Return the contact of a message's conversation."""
    return Sender(
        company_id=connection.company_id,
        number=inbound.sender,
        # A message of our side carries our own name, not the contact's.
        name="" if inbound.from_me and not inbound.is_group else inbound.sender_name,
        connection_id=connection.pk,
        lid=inbound.lid,
        is_group=inbound.is_group,
        username=inbound.sender_username,
    )


def message_of(connection: Connection, inbound: InboundMessage, contact: Contact) -> Message:
    """Return the row of a message, without its ticket and not stored yet."""
    media = inbound.media
    name = media.name[:255] if media else ""
    now = timezone.now()
    message = Message(
        company_id=connection.company_id,
        connection=connection,
        contact=contact,
        external_id=inbound.external_id or None,
        from_me=inbound.from_me,
        source=_source_of(inbound),
        ack=inbound.ack if inbound.ack is not None else _first_ack(inbound),
        media_type=inbound.media_type,
        body=inbound.body or name,
        media_state=MediaState.FETCHING if media else "",
        media_name=name,
        media_mime=media.mime[:150] if media else "",
        is_read=inbound.from_me or inbound.is_history or inbound.is_copy,
        remote_jid=inbound.sender[:NUMBER_LENGTH],
        data=inbound.data,
        raw=inbound.raw if inbound.media_type == MediaType.UNKNOWN else None,
        sent_at=inbound.sent_at,
        created_at=now,
    )
    message.fold_text()
    return message


def _source_of(inbound: InboundMessage) -> MessageSource:
    if inbound.is_copy:
        return MessageSource.OTHER
    return MessageSource.PHONE if inbound.from_me else MessageSource.CONTACT


def _first_ack(inbound: InboundMessage) -> Ack:
    return Ack.SENT if inbound.from_me else Ack.PENDING


def quote_each_other(received: Sequence[Received], messages: Sequence[Message]) -> None:
    """Set the quotes of messages that answer one of the same batch."""
    new = {(each.connection_id, each.external_id): each.pk for each in messages}
    answers = []
    for (connection, inbound), message in zip(received, messages, strict=True):
        if inbound.reply_to and message.quoted_id is None:
            message.quoted_id = new.get((connection.pk, inbound.reply_to))
            if message.quoted_id is not None:
                answers.append(message)
    update_rows(answers, ["quoted"])


def keep_early(
    received: Sequence[Received], messages: Sequence[Message], known: dict[Key, int]
) -> None:
    """Keep the references of replies and edits whose original is not stored yet."""
    early = []
    for (connection, inbound), message in zip(received, messages, strict=True):
        is_edit = bool(inbound.edits) and (connection.pk, inbound.edits) not in known
        is_reply = bool(inbound.reply_to) and not inbound.edits and message.quoted_id is None
        if is_edit or is_reply:
            early.append((connection, inbound, message))
    if early:
        early_references.keep_stored(early)


def fetch_later(received: Sequence[Received], messages: Sequence[Message]) -> None:
    """Have the files of stored messages fetched."""
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


def keep_polls(received: Sequence[Received], messages: Sequence[Message]) -> None:
    """Store the secrets of polls among the messages, which decrypt their votes."""
    polls = [
        Poll(message=message, secret=inbound.poll.secret)
        for (_, inbound), message in zip(received, messages, strict=True)
        if inbound.poll is not None
    ]
    if polls:
        Poll.objects.bulk_create(polls)
