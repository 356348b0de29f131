"""Messages that programs send with a connection's token (rules/messages-api §3).

They are stored in the contact's ticket and change nothing else of it: neither holder, bot nor
status.
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import orjson
from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction

from apps.billing.services import require_feature
from apps.common.errors import DomainError, InvalidInput
from apps.common.media import StoredMedia, fresh_files, stored_uploads
from apps.companies.queries import is_overdue
from apps.companies.services import CompanyDisabled, CompanyExpired
from apps.connections.models import Connection
from apps.connections.providers.content import Choice, Menu
from apps.connections.services import connection_of_token
from apps.contacts.numbers import LID_SUFFIX, named_lid
from apps.contacts.services import kept_number, upsert_contact
from apps.tickets.models import ApiSend, Message, MessageSource, Ticket
from apps.tickets.owners import is_ours
from apps.tickets.services.messages.addressing import ticket_for_sending
from apps.tickets.services.messages.links import fetched_file
from apps.tickets.services.messages.templates import (
    TemplateChoice,
    check_number,
    filled_template,
)
from apps.tickets.services.outbox import (
    Content,
    FilledTemplate,
    LedElsewhere,
    Text,
    captioned,
    media_of,
    write_message,
)
from apps.tickets.services.window import OutsideWindow, is_window_open

MAX_KEY = 255
CHUNK = 1024 * 1024


class InvalidToken(DomainError):
    status = 401
    code = "ERR_INVALID_TOKEN"
    message = (
        "O token da conexão está ausente ou não vale mais. Envie-o no cabeçalho"
        " Authorization: Bearer <token>."
    )


class KeyReused(DomainError):
    """The Idempotency-Key was used with another content."""

    status = 409
    code = "ERR_IDEMPOTENCY_KEY_REUSED"
    message = "Esta Idempotency-Key já foi usada com outro conteúdo. Use uma chave nova."


def connection_of_api_token(token: str) -> Connection:
    """Return the connection of a token whose company may use the messages API.

    Raises InvalidToken, CompanyDisabled, CompanyExpired, PlanFeatureMissing.
    """
    connection = connection_of_token(token)
    if connection is None:
        raise InvalidToken
    company = connection.company
    if not company.is_enabled:
        raise CompanyDisabled
    if is_overdue(company):
        raise CompanyExpired(company.due_date)
    require_feature(company_id=company.pk, feature="externalApi")
    return connection


@dataclass(frozen=True)
class ApiMessage:
    """What a program sends: a text, files with it as caption, one at a URL, a template or a menu.

    `number` is a phone number or, as payloads tell of who has none, a LID ('123@lid') or Meta's
    user id ('BR.123', 'BR.123@lid'), which leads to the contact that is known by it. With
    `complete_numbers` a number without country code gets the company's. `menu` has the
    fields of `Menu`, with `choices` as a list of the fields of `Choice`.
    """

    number: str
    complete_numbers: bool = False
    body: str = ""
    files: "Sequence[UploadedFile[Any]]" = ()
    media_url: str = ""
    template: TemplateChoice | None = None
    menu: dict[str, Any] | None = None


def send_through_api(
    *, connection: Connection, message: ApiMessage, key: str = ""
) -> dict[str, Any]:
    """Write a program's message; returns the answer's body.

    On a connection that is not connected the messages wait. The same `key` with the same content is
    answered as before, and nothing is sent. Raises InvalidInput for the number and the key,
    NumberWithoutCountry, KeyReused, OutsideWindow, MediaTooLarge, MediaTypeRefused, what
    `fetched_file` raises, and for a template what `filled_template` and `check_number` raise.
    """
    lid = named_lid(message.number)
    if lid:
        number = f"{lid}{LID_SUFFIX}"
    else:
        number = kept_number(
            company_id=connection.company_id,
            number=message.number,
            completes=message.complete_numbers,
        )
    if len(key) > MAX_KEY or not key.isprintable():
        sentence = f"A Idempotency-Key pode ter até {MAX_KEY} caracteres imprimíveis."
        raise InvalidInput(sentence, fields={"Idempotency-Key": [sentence]})
    content = _hash(number, message) if key else ""
    known = _known_answer(connection, key, content)
    if known is not None:
        return known
    with _contents(connection, message) as (contents, stored):
        with transaction.atomic():
            submission = _begin(connection, key, content) if key else None
            is_first = submission is not None or not key
            answer = _send(connection, submission, number, contents) if is_first else None
        if answer is not None:
            stored.clear()
            return answer
    # A concurrent identical submission was stored first.
    return _known_answer(connection, key, content) or {}


@contextmanager
def _contents(
    connection: Connection, message: ApiMessage
) -> Iterator[tuple[list[Content], list[StoredMedia]]]:
    """Yield the contents of a message, and their new files as `fresh_files` does."""
    if message.template is not None:
        with fresh_files() as files:
            yield [filled_template(connection, message.template, files)], files
        return
    uploads = message.files
    if message.media_url:
        uploads = [fetched_file(connection.company_id, message.media_url)]
    with stored_uploads(company_id=connection.company_id, uploads=uploads) as files:
        if message.menu is not None:
            choices = tuple(Choice(**choice) for choice in message.menu["choices"])
            yield [Menu(**message.menu | {"choices": choices})], files
        elif files:
            first, *others = files
            yield [*captioned(first, message.body), *(media_of(each) for each in others)], files
        else:
            yield [Text(message.body)], files


def _begin(connection: Connection, key: str, content: str) -> ApiSend | None:
    """Reserve a key; None if another, committed submission has it."""
    try:
        with transaction.atomic():
            return ApiSend.objects.create(
                company_id=connection.company_id,
                connection=connection,
                key=key,
                body_hash=content,
            )
    except IntegrityError:
        return None


def _send(
    connection: Connection, submission: ApiSend | None, number: str, contents: Sequence[Content]
) -> dict[str, Any]:
    lid = named_lid(number)
    contact = upsert_contact(
        company_id=connection.company_id,
        number="" if lid else number,
        lid=lid,
        connection_id=connection.pk,
        is_typed=True,
    )
    ticket = ticket_for_sending(contact=contact, connection=connection)
    match contents[0]:
        case FilledTemplate() as template:
            check_number(template, contact)
        case _ if not is_window_open(ticket, connection):
            raise OutsideWindow
        case _ if not is_ours(ticket):
            raise LedElsewhere
    messages = [
        write_message(content, ticket=ticket, user=None, source=MessageSource.API)
        for content in contents
    ]
    answer = _answer(messages, ticket)
    if submission is not None:
        submission.answer = answer
        submission.save(update_fields=["answer"])
    return answer


def _answer(messages: Sequence[Message], ticket: Ticket) -> dict[str, Any]:
    return {
        "messageId": messages[0].pk,
        "messageIds": [message.pk for message in messages],
        "ticketId": ticket.pk,
        "contactId": ticket.contact_id,
    }


def _known_answer(connection: Connection, key: str, content: str) -> dict[str, Any] | None:
    """Return the stored answer of a submission with this key; KeyReused for another content."""
    if not key:
        return None
    known = ApiSend.objects.filter(connection=connection, key=key).first()
    if known is None:
        return None
    if known.body_hash != content:
        raise KeyReused
    answer: dict[str, Any] = known.answer
    return answer


def _hash(number: str, message: ApiMessage) -> str:
    parts: list[Any] = [number, message.body]
    for file in message.files:
        digest = hashlib.sha256()
        for chunk in file.chunks(CHUNK):
            digest.update(chunk)
        file.seek(0)
        parts.append([file.name, digest.hexdigest()])
    parts += [part for part in (message.media_url, message.template, message.menu) if part]
    return hashlib.sha256(orjson.dumps(parts)).hexdigest()
