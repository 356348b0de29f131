"""What an integration or a model answers, made into messages of the conversation."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from apps.automation.clients.base import Reply
from apps.automation.clients.pieces import pieces
from apps.common.errors import DomainError
from apps.common.media import StoredMedia, delete_media, store_media
from apps.tickets.models import MediaType, Message, Ticket
from apps.tickets.services.messages import (
    MAX_CAPTION,
    WITHOUT_CAPTION,
    is_voice,
    media_message,
    store_outgoing,
)

logger = logging.getLogger(__name__)

MAX_REPLIES = 40
# A flow that types for longer than this would look dead.
LONGEST_DELAY = timedelta(seconds=60)
MAX_BUTTONS = 3
BUTTON_TITLE, ROW_TITLE, ROW_DESCRIPTION = 20, 24, 72


@dataclass
class Prepared:
    """Messages that are not stored yet, with their files that are."""

    messages: list[tuple[Message, dict[str, Any], timedelta]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    def forget(self) -> None:
        """Remove the files; for when the messages are not stored after all."""
        for path in self.paths:
            delete_media(path)

    def write(self, ticket: Ticket, *, source: str, at: datetime) -> list[Message]:
        """Store the messages on a locked ticket with a connection; they leave in their time."""
        connection = ticket.connection
        if connection is None:
            return []
        return [
            store_outgoing(
                message,
                ticket=ticket,
                connection=connection,
                user=None,
                source=source,
                payload=payload,
                not_before=at + delay,
            )
            for message, payload, delay in self.messages
        ]


def prepare(company_id: int, replies: Sequence[Reply]) -> Prepared:
    """Make messages of replies and store their files; a file that can't be sent is left out.

    Call it outside any transaction, and `forget` what comes to nothing.
    """
    prepared = Prepared()
    delay = timedelta()
    try:
        for reply in replies[:MAX_REPLIES]:
            delay = min(delay + timedelta(milliseconds=max(reply.delay_ms, 0)), LONGEST_DELAY)
            for message, payload in _messages(company_id, reply, prepared):
                prepared.messages.append((message, payload, delay))
    except BaseException:
        prepared.forget()
        raise
    return prepared


def _messages(
    company_id: int, reply: Reply, prepared: Prepared
) -> list[tuple[Message, dict[str, Any]]]:
    text = reply.text.replace("\x00", "").strip()
    media = _stored(company_id, reply, prepared)
    if media is None:
        if reply.options and text:
            return [_menu(text, reply)]
        return [(Message(body=part), {}) for part in pieces(text)]
    before: list[tuple[Message, dict[str, Any]]] = []
    voice = {"voice": True} if reply.is_voice or is_voice(media) else {}
    message = media_message(media, text)
    if text and (message.media_type in WITHOUT_CAPTION or len(text) > MAX_CAPTION):
        before = [(Message(body=part), {}) for part in pieces(text)]
        message.body = media.name
    return [*before, (message, voice if message.media_type == MediaType.AUDIO else {})]


def _stored(company_id: int, reply: Reply, prepared: Prepared) -> StoredMedia | None:
    if reply.file is None:
        return None
    try:
        media = store_media(
            company_id=company_id,
            content=reply.file.content,
            name=reply.file.name,
            mime=reply.file.mime,
        )
    except DomainError as error:
        logger.info("A file of an automatic reply was left out: %s", error)
        return None
    prepared.paths.append(media.path)
    return media


def _menu(text: str, reply: Reply) -> tuple[Message, dict[str, Any]]:
    as_list = len(reply.options) > MAX_BUTTONS
    choices = [
        {
            "id": each.id,
            "title": each.title[: ROW_TITLE if as_list else BUTTON_TITLE],
            "description": each.description[:ROW_DESCRIPTION] if as_list else "",
        }
        for each in reply.options
    ]
    message = Message(
        body=text[:MAX_CAPTION], media_type=MediaType.INTERACTIVE_LIST, data={"choices": choices}
    )
    return message, {"menu": {"body": message.body, "choices": choices, "as_list": as_list}}
