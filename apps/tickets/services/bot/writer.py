"""Writes the bot's messages for many tickets at once, as outbox rows."""

from collections.abc import Mapping, Sequence
from datetime import tzinfo

from apps.common.media import StoredMedia
from apps.connections.providers.content import Choice, Menu
from apps.queues.models import QueueOption
from apps.tickets.bot_states import Id
from apps.tickets.models import Message, MessageSource, Ticket
from apps.tickets.services.bot.routing import Ask, FileView
from apps.tickets.services.bot.routing.menus import BODY_LENGTH
from apps.tickets.services.outbox import (
    Draft,
    Media,
    Text,
    captioned,
    draft,
    store_drafts,
    texts_of,
)
from apps.tickets.services.outbox.variables import filled_in


class BotWriter:
    """Collects texts and menus with their variables filled in; `store` writes them.

    Tickets are changed only in memory; the caller stores them. `zones` are the companies' time
    zones.
    """

    def __init__(self, zones: Mapping[int, tzinfo]) -> None:
        self._zones = zones
        self._drafts: list[Draft] = []
        # Options whose files are used by messages after `store`.
        self._sent_files: set[Id] = set()

    def say(self, ticket: Ticket, text: str, file: FileView | None = None, *, origin: str) -> None:
        """Add a text, split into as many messages as it needs; an empty text adds none.

        The text becomes the file's caption, or a message before the file if WhatsApp shows no
        caption there.
        """
        words = self._filled_in(ticket, text).strip() if text else ""
        if file is None:
            contents: Sequence[Text | Media] = texts_of(words)
        else:
            stored = StoredMedia(file.path, file.name, file.mime, file.size)
            contents = captioned(stored, words)
            self._sent_files.add(file.option_id)
        for content in contents:
            self._add(ticket, content, origin)

    def ask(self, ticket: Ticket, menu: Ask) -> None:
        """Add a menu: native if it has choices and its filled-in text fits, else as text."""
        text = self._filled_in(ticket, menu.text).strip()
        if not menu.choices or not text or len(text) > BODY_LENGTH:
            self.say(ticket, menu.fallback or menu.text, origin=menu.origin)
            return
        choices = tuple(Choice(each.id, each.title, each.description) for each in menu.choices)
        self._add(ticket, Menu(text, choices, menu.as_list), menu.origin)

    def store(self) -> list[Message]:
        """Store the messages and their deliveries, in order; returns the messages."""
        if self._sent_files:
            sent = QueueOption.objects.filter(pk__in=self._sent_files, is_media_sent=False)
            sent.update(is_media_sent=True)
        return store_drafts(self._drafts)

    def _filled_in(self, ticket: Ticket, text: str) -> str:
        return filled_in(ticket, text, self._zones[ticket.company_id])

    def _add(self, ticket: Ticket, content: Text | Media | Menu, origin: str) -> None:
        reply, payload = draft(
            content, ticket=ticket, user=None, source=MessageSource.BOT, origin=origin
        )
        self._drafts.append((reply, payload))
        ticket.last_message = reply.preview
        ticket.updated_at = reply.created_at
