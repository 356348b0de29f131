"""Messages that arrive after references to them (rules/inbound §8).

Kept references are applied in the transaction in which their message gets its provider id: when it
is received, or when the provider accepts our send. If both are written concurrently, each invisible
to the other, `apply_missed` finds them later.
"""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundMessage
from apps.tickets import events
from apps.tickets.models import EarlyReference, Message
from apps.tickets.services.messages import corrections, polls
from apps.tickets.services.messages.early_references import (
    KEPT_FOR,
    Key,
    is_awaited,
    kept_for,
    stand_in_id,
)
from apps.tickets.services.outbox.statuses import locked_messages

MOST_AT_ONCE = 500
_FIELDS = InboundMessage.__dataclass_fields__.keys()


def take_places(received: Sequence[tuple[Connection, InboundMessage]]) -> dict[Key, int]:
    """Merge originals into the messages that their edits were stored as; return these by key."""
    places: dict[Key, int] = {}
    for connection, inbound in received:
        key = (connection.pk, inbound.external_id)
        standing = locked_messages().filter(pk=stand_in_id(key) or 0).first()
        if standing is not None and standing.from_me == inbound.from_me:
            corrections.become_original(standing, connection, inbound)
            EarlyReference.objects.filter(message=standing, original_id=key[1]).delete()
            apply_to([standing])
            places[key] = standing.pk
    return places


def apply_to(messages: Sequence[Message]) -> None:
    """Apply the references kept for messages that just got their provider id."""
    apply_kept(
        {(each.connection_id or 0, each.external_id): each for each in messages if each.external_id}
    )


def apply_kept(found: Mapping[Key, Message]) -> None:
    """Apply the references kept for messages, in order of arrival.

    The reference of an edit that was stored as a message stays until its original arrives.
    """
    if not found or (len(found) == 1 and not is_awaited(*found)):
        return
    kept = kept_for(found).select_related("connection").select_for_update(of=("self",))
    applied = []
    for reference in kept:
        message = found.get((reference.connection_id, reference.original_id))
        if message is not None and reference.message_id != message.pk:
            _apply(reference, message)
            applied.append(reference.pk)
    if applied:
        EarlyReference.objects.filter(pk__in=applied).delete()


def _apply(reference: EarlyReference, message: Message) -> None:
    report = {name: value for name, value in reference.report.items() if name in _FIELDS}
    inbound = InboundMessage(**report, sent_at=reference.created_at)
    if inbound.reaction_to:
        corrections.apply_reaction(reference.connection, inbound)
    elif inbound.deletes:
        corrections.apply_revoke(reference.connection, inbound)
    elif inbound.edits:
        corrections.apply_edit(reference.connection, inbound)
    elif inbound.votes_on:
        polls.apply_vote(reference.connection, inbound)
    else:
        _quote(reference, message)


def _quote(reference: EarlyReference, original: Message) -> None:
    reply = locked_messages().filter(pk=reference.message_id or 0, quoted=None).first()
    if reply is not None:
        reply.quoted = original
        reply.save(update_fields=["quoted"])
        if not reference.report.get("is_history"):
            events.message_updated(reply)


def apply_missed() -> int:
    """Apply kept references whose messages are stored; return for how many messages.

    Never call it inside a transaction.
    """
    here = Message.objects.filter(
        connection=OuterRef("connection"), external_id=OuterRef("original_id")
    )
    kept = EarlyReference.objects.filter(Exists(here), created_at__gt=timezone.now() - KEPT_FOR)
    keys = set(kept.order_by("pk").values_list("connection_id", "original_id")[:MOST_AT_ONCE])
    for connection_id, original in keys:
        with transaction.atomic():
            apply_to(list(Message.objects.filter(connection=connection_id, external_id=original)))
    return len(keys)
