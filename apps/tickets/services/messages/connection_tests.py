"""Test messages of an admin on a connection (rules/connections §13)."""

import uuid
from collections.abc import Iterator
from typing import Any

from django.db import transaction

from apps.accounts.models import User
from apps.audit.services import record
from apps.common.errors import DomainError
from apps.connections.models import Connection, ConnectionStatus
from apps.connections.services import check_official, find_template
from apps.connections.template_values import read_values
from apps.connections.templates import (
    VARIABLE,
    Part,
    Template,
    as_part,
    as_parts,
    as_text,
    kind_of_part,
)
from apps.contacts.services import kept_number, upsert_contact
from apps.tickets.models import Message, MessageSource
from apps.tickets.services.messages.addressing import ticket_for_sending
from apps.tickets.services.messages.templates import TemplateChoice, TemplateIncomplete
from apps.tickets.services.outbox import (
    Content,
    DuplicateClientId,
    FilledTemplate,
    Text,
    write_message,
)
from apps.tickets.services.window import OutsideWindow, is_window_open


class NoSamples(TemplateIncomplete):
    """A parameter of the template (a file, a code) has no example."""

    code = "ERR_TEMPLATE_SAMPLES"
    message = "Este modelo não traz exemplos de tudo o que pede. Escolha outro para testar."


class NotConnected(DomainError):
    """The connection is not connected."""

    status = 409
    code = "ERR_CONNECTION_DOWN"
    message = "Esta conexão não está conectada. Conecte-a antes de testar o envio."


def send_test(
    *,
    actor: User,
    connection: Connection,
    number: str,
    client_id: uuid.UUID,
    body: str = "",
    choice: TemplateChoice | None = None,
    ip_address: str | None = None,
) -> Message:
    """Write a text, or a template with its own examples, to a number; returns the message.

    It lands where the messages API's do, and changes nothing there. The same `client_id` again
    returns the message as it is now. Raises NotConnected, InvalidInput for the number,
    OutsideWindow, DuplicateClientId and, for a template, NoSamples and what finding it raises.
    Never call it inside a transaction: the template may have to be looked up at Meta.
    """
    known = _known(actor, connection, client_id)
    if known is not None:
        return known
    number = kept_number(company_id=connection.company_id, number=number)
    if connection.status != ConnectionStatus.CONNECTED:
        raise NotConnected
    content = _template(connection, choice) if choice else Text(body)
    with transaction.atomic():
        contact = upsert_contact(
            company_id=connection.company_id,
            number=number,
            connection_id=connection.pk,
            is_typed=True,
        )
        # Locked until commit: a concurrent submission waits here.
        ticket = ticket_for_sending(contact=contact, connection=connection)
        known = _known(actor, connection, client_id)
        if known is not None:
            return known
        if choice is None and not is_window_open(ticket, connection):
            raise OutsideWindow
        message = write_message(
            content, ticket=ticket, user=actor, source=MessageSource.AGENT, client_id=client_id
        )
        record(
            action="connection.tested",
            actor=actor,
            company_id=connection.company_id,
            target=connection,
            detail={"message": message.pk},
            ip_address=ip_address,
        )
    return message


def _known(actor: User, connection: Connection, client_id: uuid.UUID) -> Message | None:
    """Return the message of the same submission; raises DuplicateClientId."""
    known = Message.objects.filter(client_id=client_id).select_related("ticket").first()
    if known is not None and (known.connection_id, known.user_id) != (connection.pk, actor.pk):
        raise DuplicateClientId
    return known


def _template(connection: Connection, choice: TemplateChoice) -> Content:
    check_official(connection)
    template = find_template(connection, name=choice.name, language=choice.language)
    given = read_values(template, [*_samples(template)])
    if given.faults:
        raise NoSamples(fields={"template": [NoSamples.message]})
    return FilledTemplate(template, given)


def _samples(template: Template) -> Iterator[Part]:
    """Yield the parameters of a send, with the examples that Meta approved the template by."""
    for part in template.components:
        kind, example = kind_of_part(part).lower(), as_part(part.get("example"))
        if kind in ("header", "body") and any(slot.component == kind for slot in template.slots):
            named = as_parts(example.get(f"{kind}_text_named_params"))
            texts = _list(example.get(f"{kind}_text"))
            if texts and isinstance(texts[0], list):
                texts = texts[0]
            yield {
                "type": kind,
                "parameters": [
                    {"parameter_name": each.get("param_name"), "text": each.get("example")}
                    for each in named
                ]
                or texts,
            }
        for index, button in enumerate(as_parts(part.get("buttons"))):
            if any(slot.field == f"buttons.{index}" for slot in template.slots):
                yield {"type": "button", "index": index, "parameters": [_button_sample(button)]}


def _button_sample(button: Part) -> Part:
    example = button.get("example")
    text = as_text(next(iter(_list(example)), "")) or as_text(example)
    # Meta keeps the whole URL as the example; the parameter is its last part.
    return {"text": text.removeprefix(VARIABLE.split(as_text(button.get("url")))[0])}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
