"""Writes the bot's messages for many tickets at once, as outbox rows."""

from collections.abc import Mapping, Sequence
from datetime import tzinfo

from apps.queues.models import QueueOption
from apps.tickets.bot_states import Id
from apps.tickets.models import Message, MessageSource, Ticket
from apps.tickets.origins import origin_of_joined
from apps.tickets.services.bot.joining import BotContent, asked, asked_together, joined, said
from apps.tickets.services.bot.routing import Ask, AskForm, FileView
from apps.tickets.services.outbox import Draft, draft, store_drafts
from apps.tickets.services.outbox.variables import filled_in


class BotWriter:
    """Collects texts and menus with their variables filled in; `store` writes them.

    Tickets are changed only in memory; the caller stores them. `zones` are the companies' time
    zones.
    """

    def __init__(self, zones: Mapping[int, tzinfo]) -> None:
        self._zones = zones
        self._drafts: list[Draft] = []
        # By ticket: its last content in the current step, and the place of its draft.
        self._last: dict[int, tuple[int, BotContent]] = {}
        # Options whose files are used by messages after `store`.
        self._sent_files: set[Id] = set()

    def say(self, ticket: Ticket, text: str, file: FileView | None = None, *, origin: str) -> None:
        """Add a text, a file or both; see `said`."""
        if file is not None:
            self._sent_files.add(file.option_id)
        self._add(ticket, said(self._filled_in(ticket, text).strip() if text else "", file), origin)

    def ask(self, ticket: Ticket, menu: Ask) -> None:
        self._add(ticket, asked(menu, lambda text: self._filled_in(ticket, text)), menu.origin)

    def end_step(self, ticket: Ticket) -> None:
        """Have later texts to the ticket begin a message of their own."""
        self._last.pop(ticket.pk, None)

    def ask_form(self, ticket: Ticket, form: AskForm) -> None:
        """Add a form of several questions; see `asked_together`."""
        contents = asked_together(form, lambda text: self._filled_in(ticket, text))
        self._add(ticket, contents, form.origin)

    def store(self) -> list[Message]:
        """Store the messages and their deliveries, in order; returns the messages."""
        if self._sent_files:
            sent = QueueOption.objects.filter(pk__in=self._sent_files, is_media_sent=False)
            sent.update(is_media_sent=True)
        return store_drafts(self._drafts)

    def _filled_in(self, ticket: Ticket, text: str) -> str:
        return filled_in(ticket, text, self._zones[ticket.company_id])

    def _add(self, ticket: Ticket, contents: Sequence[BotContent], origin: str) -> None:
        for content in contents:
            if self._join(ticket, content, origin):
                continue
            reply, payload = _draft(ticket, content, origin)
            self._last[ticket.pk] = (len(self._drafts), content)
            self._drafts.append((reply, payload))
            ticket.last_message = reply.preview
            ticket.updated_at = reply.created_at

    def _join(self, ticket: Ticket, content: BotContent, origin: str) -> bool:
        """Add a content to the ticket's last one of this step, if the connection wants that."""
        known = self._last.get(ticket.pk)
        if known is None or ticket.connection is None or not ticket.connection.joins_bot_texts:
            return False
        place, last = known
        whole = joined(last, content)
        if whole is None:
            return False
        before, _ = self._drafts[place]
        reply, payload = _draft(ticket, whole, origin_of_joined(before.origin, origin))
        # The message keeps its place among the activities of the step.
        reply.created_at = before.created_at
        self._last[ticket.pk] = (place, whole)
        self._drafts[place] = (reply, payload)
        ticket.last_message = reply.preview
        return True


def _draft(ticket: Ticket, content: BotContent, origin: str) -> Draft:
    return draft(content, ticket=ticket, user=None, source=MessageSource.BOT, origin=origin)
