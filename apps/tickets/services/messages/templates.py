"""Sending a message template, the one thing that also goes outside the 24-hour window.

See rules/messages §4 and §8.
"""

import uuid
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from apps.accounts.models import User
from apps.common.errors import InvalidInput
from apps.common.media import StoredMedia, fresh_files, read_media, store_media
from apps.connections.models import Connection
from apps.connections.services import (
    TemplateMediaNotFound,
    check_official,
    find_template,
    header_kind,
    media_for_header,
)
from apps.connections.template_values import Given, read_values
from apps.contacts.models import Contact
from apps.tickets.models import Message, MessageSource, Ticket
from apps.tickets.services.outbox import (
    FilledTemplate,
    already_sent,
    writable_connection,
    write_message,
)
from apps.tickets.services.rights import locked_ticket


@dataclass(frozen=True)
class TemplateChoice:
    """The template that was chosen, by id or by name and language, and its parameters as sent."""

    name: str = ""
    language: str = ""
    id: str = ""
    components: Any = None


class TemplateIncomplete(InvalidInput):
    """A parameter is missing, empty, unknown or of the wrong form."""

    code = "ERR_TEMPLATE_PARAMETERS"
    message = "Confira os campos do modelo."


class TemplateNeedsNumber(InvalidInput):
    """An authentication template to a contact without a number, which Meta refuses (131062)."""

    code = "ERR_TEMPLATE_NEEDS_NUMBER"
    message = (
        "Modelos de autenticação só vão para um número de telefone, e o deste contato não é "
        "conhecido. Peça o número ou escolha outro modelo."
    )


class TicketMoved(InvalidInput):
    """The ticket changed its connection while the template was looked up."""

    status = 409
    code = "ERR_TICKET_MOVED"
    message = "O atendimento mudou de conexão. Escolha o modelo de novo."


def send_template(
    *,
    ticket: Ticket,
    user: User,
    choice: TemplateChoice,
    source: str = MessageSource.AGENT,
    client_id: uuid.UUID | None = None,
) -> Message:
    """Write an approved template to the contact; returns its row, which waits for delivery.

    The same `client_id` again returns the stored row. Raises TicketNotReadable, TicketNotOpen,
    NoConnection, NotOfficial, TemplatesUnavailable, TemplateNotFound, TemplateNotApproved,
    TemplateNeedsNumber, TemplateIncomplete with the fields that are wrong, and DuplicateClientId.
    Never call it inside a transaction: the template may have to be looked up at Meta.
    """
    known = already_sent(ticket, user, client_id)
    if known is not None:
        return known
    connection = _connection(ticket, user)
    with fresh_files() as files:
        content = filled_template(connection, choice, files)
        check_number(content, ticket.contact)
        with transaction.atomic():
            ticket = locked_ticket(user=user, ticket_id=ticket.pk)
            known = already_sent(ticket, user, client_id)
            if known is not None:
                return known
            if _connection(ticket, user).pk != connection.pk:
                raise TicketMoved
            message = write_message(
                content, ticket=ticket, user=user, source=source, client_id=client_id
            )
        files.clear()
    return message


def filled_template(
    connection: Connection, choice: TemplateChoice, files: list[StoredMedia]
) -> FilledTemplate:
    """Look up and fill an approved template; a copy of its header's file is added to `files`.

    Raises NotOfficial, TemplatesUnavailable, TemplateNotFound, TemplateNotApproved, and
    TemplateIncomplete with the fields that are wrong. Never call it inside a transaction: the
    template may have to be looked up at Meta.
    """
    check_official(connection)
    template = find_template(
        connection, name=choice.name, language=choice.language, template_id=choice.id
    )
    given = read_values(template, choice.components)
    copy = _header_copy(connection, given)
    if given.faults:
        first = next(iter(given.faults.values()))[0]
        raise TemplateIncomplete(first, fields=given.faults)
    if copy is None:
        return FilledTemplate(template, given)
    content = read_media(copy.path)
    file = store_media(
        company_id=connection.company_id, content=content, name=copy.name, mime=copy.mime
    )
    files.append(file)
    return FilledTemplate(template, given, file)


def check_number(content: FilledTemplate, contact: Contact) -> None:
    """Raise TemplateNeedsNumber if the template cannot go to a contact without a number."""
    if content.template.needs_number and not contact.has_number:
        sentence = TemplateNeedsNumber.message
        raise TemplateNeedsNumber(fields={"template": [sentence]}, rule="no_number")


def _connection(ticket: Ticket, user: User) -> Connection:
    connection = writable_connection(ticket, user, at_any_hour=True)
    check_official(connection)
    return connection


def _header_copy(connection: Connection, given: Given) -> StoredMedia | None:
    """Return our copy of the header's file and note in `given` what is wrong with it."""
    if given.media is None or not given.media.id:
        return None
    field = f"header.{given.media.kind}"
    if field in given.faults:
        return None
    try:
        found = media_for_header(connection=connection, media_id=given.media.id)
    except TemplateMediaNotFound as error:
        given.fault(field, error.sentence)
        return None
    if header_kind(found) != given.media.kind:
        given.fault(field, "O arquivo anexado não é do tipo que o cabeçalho deste modelo pede.")
        return None
    name = given.media.name or found.name
    given.media = replace(given.media, id=found.renewed_id or found.media_id, name=name)
    return StoredMedia(path=found.path, name=given.media.name, mime=found.mime, size=found.size)
