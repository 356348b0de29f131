"""Turns the replies of an integration or a model into messages of the conversation."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from apps.automation.clients.base import Reply
from apps.common.errors import DomainError
from apps.common.media import StoredMedia, delete_media, store_media
from apps.connections.providers.content import Choice, Menu
from apps.tickets.models import Message, Ticket
from apps.tickets.services.outbox import Content, captioned, texts_of, write_message

logger = logging.getLogger(__name__)

MAX_REPLIES = 40
# A longer typing delay would look like a flow that has failed.
LONGEST_DELAY = timedelta(seconds=60)


@dataclass
class Prepared:
    """Contents that are not stored as messages yet. Their files are stored already."""

    contents: list[tuple[Content, timedelta]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    def forget(self) -> None:
        """Delete the files. Call it when the messages are not stored after all."""
        for path in self.paths:
            delete_media(path)

    def write(self, ticket: Ticket, *, source: str, origin: str, at: datetime) -> list[Message]:
        """Store the messages on a locked ticket, each with its delay."""
        if ticket.connection_id is None:
            return []
        return [
            write_message(
                content,
                ticket=ticket,
                user=None,
                source=source,
                origin=origin,
                not_before=at + delay,
            )
            for content, delay in self.contents
        ]


def prepare(company_id: int, replies: Sequence[Reply]) -> Prepared:
    """Make contents of replies and store their files; a file that cannot be sent is left out.

    Call it outside any transaction, and call `forget` if the contents are not used.
    """
    prepared = Prepared()
    delay = timedelta()
    try:
        for reply in replies[:MAX_REPLIES]:
            delay = min(delay + timedelta(milliseconds=max(reply.delay_ms, 0)), LONGEST_DELAY)
            for content in _contents(company_id, reply, prepared):
                prepared.contents.append((content, delay))
    except BaseException:
        prepared.forget()
        raise
    return prepared


def _contents(company_id: int, reply: Reply, prepared: Prepared) -> Sequence[Content]:
    text = reply.text.replace("\x00", "").strip()
    file = _stored(company_id, reply, prepared)
    if file is not None:
        return captioned(file, text, is_voice=reply.is_voice)
    if reply.options and text:
        choices = (Choice(each.id, each.title, each.description) for each in reply.options)
        return [Menu(text, tuple(choices))]
    return texts_of(text)


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
