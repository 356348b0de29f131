"""Applies received events to stored messages (rules/inbound §8): reactions, edits, revokes, and
echoes of our own sends.

The row always stays. Events about a message that is not stored yet are kept for it
(`late_originals`). Events of a phone's history are not sent to browsers.
"""

import uuid
from typing import Any

from apps.common.wakeups import wake
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundMessage
from apps.contacts.models import Contact
from apps.contacts.services import upsert_contact
from apps.tickets import events
from apps.tickets.models import (
    Ack,
    MediaFetch,
    MediaState,
    Message,
    MessageReaction,
    Ticket,
)
from apps.tickets.services.messages import early_references
from apps.tickets.services.outbox.statuses import advance, locked_messages

EMOJI_LENGTH = 40


def apply_reaction(connection: Connection, inbound: InboundMessage) -> None:
    """Put, change or (empty emoji) take back a reaction."""
    target = target_of(connection, inbound.reaction_to)
    if target is None:
        early_references.keep(connection, inbound)
        return
    sender = writer_of(connection, inbound)
    key: dict[str, Any] = {"message": target, "from_me": inbound.from_me}
    if not inbound.from_me:
        key["sender"] = sender
    emoji = inbound.reaction[:EMOJI_LENGTH]
    if emoji:
        MessageReaction.objects.update_or_create(**key, defaults={"emoji": emoji})
    else:
        MessageReaction.objects.filter(**key).delete()
    # The row's time moves as well: browsers drop older versions of a message.
    target.save(update_fields=["updated_at"])
    if not inbound.is_history:
        events.message_updated(target)


def apply_revoke(connection: Connection, inbound: InboundMessage) -> None:
    """Flag a message as deleted by its writer."""
    target = target_of(connection, inbound.deletes)
    if target is None:
        early_references.keep(connection, inbound)
        return
    if target.from_me != inbound.from_me or target.is_deleted:
        return
    target.is_deleted = True
    target.save(update_fields=["is_deleted"])
    if not inbound.is_history:
        events.messages_and_tickets_updated([target])


def apply_edit(connection: Connection, inbound: InboundMessage) -> bool:
    """Change a message's text; returns False when what a contact wrote is to be stored as new.

    Nobody shall wait for an original that may never come to read what the contact says.
    """
    target = target_of(connection, inbound.edits)
    if target is None and inbound.from_me:
        early_references.keep(connection, inbound)
        return True
    if target is None or target.from_me != inbound.from_me:
        return False
    if target.body == inbound.body:
        return True
    target.body = inbound.body
    target.is_edited = True
    target.save(update_fields=["body", "is_edited"])
    if target.ticket.latest_message_id == target.pk:
        Ticket.objects.filter(pk=target.ticket_id, latest_message=target).update(
            last_message=target.preview
        )
    if not inbound.is_history:
        events.messages_and_tickets_updated([target])
    return True


def become_original(message: Message, connection: Connection, inbound: InboundMessage) -> None:
    """Merge a late original into the message that its edit was stored as.

    The edit's text stays; file and quote come from the original.
    """
    message.external_id = inbound.external_id
    message.is_edited = True
    message.sent_at = inbound.sent_at
    changed = ["external_id", "is_edited", "sent_at"]
    if inbound.media is not None and not message.media_state:
        message.media_type = inbound.media_type
        message.media_state = MediaState.FETCHING
        message.media_name = inbound.media.name[:255]
        message.media_mime = inbound.media.mime[:150]
        changed += ["media_type", "media_state", "media_name", "media_mime"]
        MediaFetch.objects.create(
            message=message,
            connection=connection,
            media_id=inbound.media.media_id,
            is_voice=inbound.media.is_voice,
        )
        wake("tickets.fetch_media")
    if inbound.reply_to and message.quoted_id is None:
        message.quoted = target_of(connection, inbound.reply_to)
        changed.append("quoted")
    message.save(update_fields=changed)
    events.messages_and_tickets_updated([message])


def settle_echo(connection: Connection, inbound: InboundMessage) -> bool:
    """Match an echo with our own send by the id that we set; return whether it matched."""
    try:
        callback_id = uuid.UUID(inbound.external_id)
    except ValueError:
        return False
    message = locked_messages().filter(connection=connection, callback_id=callback_id).first()
    if message is None:
        return False
    advance(message, ack=Ack.SENT, external_id=inbound.external_id)
    return True


def writer_of(connection: Connection, inbound: InboundMessage) -> Contact | None:
    """Return who wrote, in a group its member; None for our side."""
    if inbound.from_me:
        return None
    return upsert_contact(
        company_id=connection.company_id,
        number=inbound.participant if inbound.is_group else inbound.sender,
        name=inbound.participant_name if inbound.is_group else inbound.sender_name,
        connection_id=connection.pk,
        lid=inbound.participant_lid if inbound.is_group else inbound.lid,
    )


def target_of(connection: Connection, external_id: str) -> Message | None:
    """Return the message with the provider's id, locked; None for one that is not here."""
    messages = locked_messages()
    found = messages.filter(connection=connection, external_id=external_id).first()
    if found is None and (standing := early_references.stand_in_id((connection.pk, external_id))):
        return messages.filter(pk=standing).first()
    return found
