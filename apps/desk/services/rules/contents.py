"""What rules and macros write to a contact, made before the ticket is locked (rules/desk §14).

A template may have to be looked up at Meta, and a quick message's file is copied: neither may keep
a transaction waiting.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from apps.accounts.models import User
from apps.common.errors import DomainError
from apps.common.media import StoredMedia, fresh_files, open_media, store_media
from apps.connections.models import Connection
from apps.connections.services.templates import (
    TemplateNotApproved,
    TemplateNotFound,
    TemplatesUnavailable,
)
from apps.desk.decisions.rules import SENDS, Action, Do
from apps.library.models import QuickMessage
from apps.library.services.quick_messages import QuickMessageNotFound
from apps.tickets.models import Ticket
from apps.tickets.services.messages.templates import (
    TemplateChoice,
    check_number,
    filled_template,
)
from apps.tickets.services.outbox import (
    Content,
    FilledTemplate,
    NoConnection,
    captioned,
    texts_of,
)
from apps.tickets.services.outbox.variables import filled_in

# Rules that send a template which was paused would ask Meta at every message.
REMEMBERED_SECONDS = 60.0
# Until when, and why, by connection, name and language; as many as rules name.
refused: dict[tuple[int, str, str], tuple[float, DomainError]] = {}


@dataclass
class Contents:
    """The contents of actions by their indexes, or why there are none; `files` are new copies."""

    made: dict[int, Sequence[Content]] = field(default_factory=dict)
    refused: dict[int, DomainError] = field(default_factory=dict)
    files: list[StoredMedia] = field(default_factory=list)

    def of(self, index: int) -> Sequence[Content]:
        """Return what an action writes; raises why it can't."""
        if index in self.refused:
            raise self.refused[index]
        return self.made[index]

    def keep(self) -> None:
        """Keep the files: messages name them now."""
        self.files.clear()


@contextmanager
def contents_of(
    ticket: Ticket, actions: Sequence[Action], user: User | None = None
) -> Iterator[Contents]:
    """Make what actions write in a ticket, as a user or as the company; files that are not kept go.

    Never call it inside a transaction.
    """
    with fresh_files() as files:
        contents = Contents(files=files)
        for index, action in enumerate(actions):
            if action.do not in SENDS:
                continue
            try:
                contents.made[index] = _made(ticket, action, user, files)
            except DomainError as error:
                contents.refused[index] = error
        yield contents


def _made(
    ticket: Ticket, action: Action, user: User | None, files: list[StoredMedia]
) -> Sequence[Content]:
    if action.do == Do.SEND_TEXT:
        return texts_of(filled_in(ticket, action.text))
    if action.do == Do.SEND_TEMPLATE:
        if ticket.connection is None:
            raise NoConnection
        texts = [{"type": "text", "text": filled_in(ticket, each)} for each in action.values]
        components = [{"type": "body", "parameters": texts}] if texts else []
        choice = TemplateChoice(name=action.name, language=action.language, components=components)
        if user is None:
            content = _template_of_rule(ticket.connection, choice, files)
        else:
            content = filled_template(ticket.connection, choice, files)
        check_number(content, ticket.contact)
        return [content]
    quick = _quick_message(ticket, action, user)
    text = filled_in(ticket, quick.message)
    if not quick.media_path:
        return texts_of(text)
    with open_media(quick.media_path) as file:
        copy = store_media(
            company_id=ticket.company_id,
            content=file,  # type: ignore[arg-type]
            name=quick.media_name,
            mime=quick.media_mime,
        )
    files.append(copy)
    return captioned(replace(copy, name=quick.media_name), text)


def _template_of_rule(
    connection: Connection, choice: TemplateChoice, files: list[StoredMedia]
) -> FilledTemplate:
    """Fill a template; one that Meta has just refused is not asked for again for a minute."""
    key, now = (connection.pk, choice.name, choice.language), time.monotonic()
    if key in refused and refused[key][0] > now:
        raise refused[key][1].with_traceback(None)
    try:
        return filled_template(connection, choice, files)
    except (TemplateNotFound, TemplateNotApproved, TemplatesUnavailable) as error:
        refused[key] = (now + REMEMBERED_SECONDS, error)
        raise


def _quick_message(ticket: Ticket, action: Action, user: User | None) -> QuickMessage:
    """Return a quick message that the user may read; of a rule one that the company shares."""
    if user is not None:
        quicks = QuickMessage.objects.visible_to(user)
    else:
        quicks = QuickMessage.objects.for_company(ticket.company_id).filter(is_shared=True)
    quick = quicks.in_use().filter(pk=action.id or 0).first()
    if quick is None:
        raise QuickMessageNotFound
    return quick
