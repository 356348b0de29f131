"""Stores references to messages that are not stored yet, in the transaction that receives them."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from apps.common.compiled_queries import CompiledQuery
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundMessage
from apps.tickets.models import EarlyReference, Message

KEPT_FOR = timedelta(hours=24)
ID_LENGTH = 200
# A message's id at the provider, on a connection.
Key = tuple[int, str]


def keep(connection: Connection, inbound: InboundMessage) -> None:
    """Keep a reaction, a revoke, an edit or a vote whose message is not stored yet."""
    keep_stored([(connection, inbound, None)])


def keep_stored(stored: Iterable[tuple[Connection, InboundMessage, Message | None]]) -> None:
    """Keep the references of stored messages to missing ones.

    The message is a reply, or an edit stored in place of its original.
    """
    references = []
    for connection, inbound, message in stored:
        corrected = inbound.reaction_to or inbound.deletes or inbound.edits or inbound.votes_on
        original = corrected or inbound.reply_to
        said = vars(inbound).items()
        reference = EarlyReference(
            connection=connection,
            original_id=original,
            message=message,
            report={name: value for name, value in said if isinstance(value, str | bool)},
        )
        if len(original) <= ID_LENGTH:  # no message has a longer id
            references.append(reference)
    EarlyReference.objects.bulk_create(references)


def kept_for(keys: Iterable[Key]) -> "QuerySet[EarlyReference]":
    """Return the references kept for messages, in order of arrival; some may be for others."""
    pairs = set(keys)
    return EarlyReference.objects.filter(
        connection__in={connection_id for connection_id, _ in pairs},
        original_id__in={original for _, original in pairs},
        created_at__gt=timezone.now() - KEPT_FOR,
    ).order_by("pk")


_waiting = CompiledQuery(
    lambda connection_id, original_text: EarlyReference.objects.filter(
        connection_id=connection_id, original_id=original_text
    ).values_list("pk")[:1]
)


def is_awaited(key: Key) -> bool:
    """Tell whether a reference may be kept for a message. Cheap, because each send asks."""
    connection_id, original = key
    return bool(_waiting.rows(connection_id=connection_id, original_text=original))


def stand_in_id(key: Key) -> int | None:
    """Return the id of the message that was made of an edit without its original."""
    kept = kept_for([key]).filter(message__isnull=False)
    return next((each.message_id for each in kept if each.report.get("edits")), None)


def forget_references(*, now: datetime) -> int:
    """Delete references that waited too long for their message; return how many."""
    return EarlyReference.objects.filter(created_at__lte=now - KEPT_FOR).delete()[0]
