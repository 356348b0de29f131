"""Making, changing and deleting connections (rules/connections §2)."""

import re
from contextlib import suppress
from datetime import datetime
from typing import Any, TypedDict

from django.db import transaction

from apps.accounts.models import User
from apps.audit.services import record
from apps.billing.services import require_room
from apps.common.encryption import is_unchanged
from apps.common.errors import DomainError, InvalidInput, NotFound
from apps.common.media import delete_media
from apps.common.reasons import ReasonCode
from apps.common.registry import Hook
from apps.companies.models import Company
from apps.companies.queries import owns
from apps.connections import events
from apps.connections.models import Connection, ConnectionStatus, ProviderKind, TemplateMedia
from apps.connections.serializers.connections import ids_in_qrcode
from apps.connections.services.direct_send import forget_direct_send
from apps.connections.services.pace import PACE_FIELDS, pace_of, reckon_anew
from apps.connections.services.provision import token_of
from apps.connections.services.qr_sessions import (
    SessionUnavailable,
    abandon_qr_session,
    start_qr_session,
)
from apps.connections.services.sessions import verify_connection
from apps.connections.services.tokens import take_token
from apps.queues.models import Queue

# Called in the transaction that deletes a connection.
# A connection is to be deleted: outside of any transaction; then in the one that does it; then with
# the connection's row locked, when a refusal still undoes all of it.
connection_leaving: Hook[[Connection]] = Hook()
connection_removal: Hook[[Connection]] = Hook()
connection_last_look: Hook[[Connection]] = Hook()
# Called in the transaction that changes how fast, or how much, a connection sends.
pace_change: Hook[[Connection]] = Hook()

META_ID = re.compile(r"[0-9]{15,50}")
COPIED = (
    "name",
    "greeting_message",
    "completion_message",
    "out_of_hours_message",
    "rating_message",
    "minutes_to_transfer",
    "transfer_keyword",
    "ticket_expires_minutes",
    "inactive_message",
    "bot_interval_minutes",
    "bot_max_menus",
    "bot_quiet_seconds",
    "joins_bot_texts",
    "integration_silence_minutes",
    "menu_silence_minutes",
    "fallback_message",
    "is_coexistence",
    "signed_up_at",
    *PACE_FIELDS,
)
# Model field, its wire name, and its model (models of higher apps by name, not imported).
REFERENCES = (
    ("transfer_queue_id", "transferQueueId", "queues"),
    ("transfer_keyword_queue_id", "textToTransferQueueId", "queues"),
    ("integration_id", "integrationId", "integrations"),
    ("prompt_id", "promptId", "prompts"),
)


class ConnectionValues(TypedDict, total=False):
    """The writable fields of a connection; a missing key keeps its value."""

    name: str
    provider: str
    is_default: bool
    qrcode: str
    phone_number_id: str
    waba_id: str
    access_token: str
    token: str
    is_coexistence: bool
    signed_up_at: datetime
    queue_ids: list[int]
    greeting_message: str
    completion_message: str
    out_of_hours_message: str
    rating_message: str
    transfer_queue_id: int | None
    minutes_to_transfer: int
    transfer_keyword: str
    transfer_keyword_queue_id: int | None
    ticket_expires_minutes: int
    inactive_message: str
    bot_interval_minutes: int
    bot_max_menus: int
    bot_quiet_seconds: int
    joins_bot_texts: bool
    integration_silence_minutes: int
    menu_silence_minutes: int
    fallback_message: str
    send_pause_seconds: int
    send_jitter_seconds: int
    sends_per_second: int
    warmup_contacts: int
    warmup_growth: int
    warmup_days: int
    integration_id: int | None
    prompt_id: int | None


class ConnectionNotFound(NotFound):
    """No such connection in the company."""

    code = "ERR_NO_WAPP_FOUND"
    message = "Conexão não encontrada."


class NoOtherConnection(DomainError):
    """A company with connections always has a default one."""

    code = "ERR_NO_OTHER_WHATSAPP"
    message = "Escolha antes outra conexão como padrão."


class GreetingRequired(DomainError):
    """Several queues make a menu, and a menu begins with a greeting."""

    code = "ERR_WAPP_GREETING_REQUIRED"
    message = "Informe a mensagem de saudação: ela é obrigatória com mais de uma fila."

    def __init__(self) -> None:
        super().__init__(fields={"greetingMessage": [self.message]})


def connection_for(*, company_id: int, pk: int) -> Connection:
    """Return a company's connection; raises ConnectionNotFound, also for another company's."""
    connection = Connection.objects.for_company(company_id).filter(pk=pk).first()
    if connection is None:
        raise ConnectionNotFound
    return connection


def lock_company(company_id: int) -> None:
    """Let nobody else change the company's connections in this transaction."""
    # One writer per company at a time: the default connection is chosen over several rows.
    Company.objects.select_for_update(no_key=True).get(pk=company_id)


def _invalid(field: str, sentence: str, rule: str) -> InvalidInput:
    return InvalidInput(sentence, fields={field: [sentence]}, rule=rule)


def _check_name(connection: Connection, name: str) -> None:
    same = Connection.objects.for_company(connection.company_id).filter(name=name)
    if same.exclude(pk=connection.pk).exists():
        raise _invalid("name", "Já existe uma conexão com este nome.", "taken")


def _written_id(connection: Connection, values: ConnectionValues, key: str) -> str | None:
    # Browsers of the family edit either the field or the query inside `qrcode` and resend the
    # other one as it was: what differs from the stored row is what was meant.
    stored = getattr(connection, key) or ""
    field = str(values.get(key) or "").strip()
    inside = ids_in_qrcode(values.get("qrcode") or "").get(key, "")
    for candidate in (field, inside):
        if candidate and candidate != stored:
            return candidate
    return "" if key in values and not field and not inside else None


def _write_official(connection: Connection, values: ConnectionValues) -> bool:
    """Write ids and token; return whether any of them changed."""
    before = (connection.phone_number_id, connection.waba_id, connection.access_token)
    for key in ("phone_number_id", "waba_id"):
        written = _written_id(connection, values, key)
        if written is not None:
            setattr(connection, key, written)
        if not META_ID.fullmatch(getattr(connection, key) or ""):
            raise _invalid(
                key, "Informe o número de identificação: ao menos 15 dígitos.", "meta_id"
            )
    token = values.get("access_token", "").strip()
    if not is_unchanged(token):
        connection.access_token = token
    if not token_of(connection):
        raise _invalid("accessToken", "Informe o token de acesso da Meta.", "required")
    # Meta's answer decides which company has the number (`verify_connection`).
    own = Connection.objects.for_company(connection.company_id)
    if own.filter(phone_number_id=connection.phone_number_id).exclude(pk=connection.pk).exists():
        raise _invalid("phone_number_id", "Este número já está conectado.", "taken")
    if (connection.phone_number_id, connection.waba_id) != before[:2]:
        connection.verified_at = None
    if connection.waba_id != before[1]:
        forget_direct_send(connection)
    if connection.phone_number_id != before[0]:
        connection.number, connection.sends_paused_until = "", None
        # The stored figures are those of the former number.
        connection.quality_rating, connection.alerts = "", []
        connection.alerts_end_at = None
        connection.quality_at = connection.messaging_limit_at = None
        connection.messaging_limit = connection.figures_asked_at = None
    if connection.waba_id != before[1]:
        connection.portfolio_id = connection.portfolio_name = ""
        connection.business_verification, connection.business_verification_at = "", None
    return before != (connection.phone_number_id, connection.waba_id, connection.access_token)


def _write_references(connection: Connection, values: ConnectionValues) -> None:
    for attribute, wire_name, relation in REFERENCES:
        if attribute not in values:
            continue
        reference: Any = values.get(attribute)
        if reference is not None and not owns(connection.company_id, relation, [reference]):
            raise _invalid(wire_name, NotFound.message, "does_not_exist")
        setattr(connection, attribute, reference)


def _written_queues(connection: Connection, values: ConnectionValues) -> set[int] | None:
    if "queue_ids" not in values:
        return None
    wanted = set(values["queue_ids"])
    if not owns(connection.company_id, "queues", wanted):
        raise _invalid("queueIds", "Uma das filas não existe.", "does_not_exist")
    return wanted


def _make_default(connection: Connection) -> list[Connection]:
    """Move the default to the connection; return those that lost it."""
    others = Connection.objects.for_company(connection.company_id).filter(is_default=True)
    moved = list(others.exclude(pk=connection.pk))
    for other in moved:
        other.is_default = False
        other.save(update_fields=["is_default", "updated_at"])
    connection.is_default = True
    return moved


def _write_default(connection: Connection, values: ConnectionValues) -> list[Connection]:
    wanted = values.get("is_default")
    if connection.pk is None and not wanted:
        is_first = not Connection.objects.for_company(connection.company_id).exists()
        return _make_default(connection) if is_first else []
    if wanted is False and connection.is_default:
        raise NoOtherConnection
    return _make_default(connection) if wanted and not connection.is_default else []


def _save(connection: Connection, values: ConnectionValues) -> bool:
    """Write values under the company's lock; return whether the number must be verified."""
    if "name" in values:
        _check_name(connection, values["name"])
    written: dict[str, Any] = dict(values)
    pace_before = pace_of(connection)
    for attribute in COPIED:
        if attribute in written:
            setattr(connection, attribute, written[attribute])
    has_new_identity = False
    if connection.provider == ProviderKind.OFFICIAL:
        has_new_identity = _write_official(connection, values)
        if has_new_identity:
            connection.status = ConnectionStatus.DISCONNECTED
            connection.status_reason = "A conexão ainda não foi verificada."
            connection.reason_code, connection.reason_detail = ReasonCode.NOT_VERIFIED, ""
    _write_references(connection, values)
    queue_ids = _written_queues(connection, values)
    moved = _write_default(connection, values)
    is_known = connection.pk is not None
    connection.save()
    if is_known and pace_of(connection) != pace_before:
        reckon_anew(connection)
        pace_change(connection)
    if queue_ids is not None:
        connection.queues.set(queue_ids)
    if connection.queues.count() > 1 and not connection.greeting_message.strip():
        raise GreetingRequired
    for other in [*moved, connection]:
        events.connection_updated(other)
    return has_new_identity


def _with_only_queue(company_id: int, values: ConnectionValues) -> ConnectionValues:
    """Return the values of a company's first connection, with its only queue unless they say who
    answers.
    """
    says = {"queue_ids", "integration_id", "prompt_id"} & values.keys()
    if says or Connection.objects.for_company(company_id).exists():
        return values
    queues = Queue.objects.for_company(company_id).values_list("pk", flat=True)[:2]
    return {**values, "queue_ids": list(queues)} if len(queues) == 1 else values


def lead_to_first_queue(queue: Queue, actor: User, ip_address: str | None) -> None:
    """Have a company's only connection lead to its only queue, unless something answers there.

    Call it in the transaction that creates the queue.
    """
    own = Connection.objects.for_company(queue.company_id)
    connections = list(own.select_for_update(of=("self",), no_key=True)[:2])
    if len(connections) != 1:
        return
    [connection] = connections
    if connection.integration_id or connection.prompt_id or connection.queues.exists():
        return
    connection.queues.set([queue.pk])
    connection.save(update_fields=["updated_at"])
    record(
        action="connection.updated",
        actor=actor,
        company_id=queue.company_id,
        target=connection,
        detail={"fields": ["queue_ids"], "verifies": False},
        ip_address=ip_address,
    )
    events.connection_updated(connection)


def create_connection(
    *, actor: User, values: ConnectionValues, ip_address: str | None = None
) -> Connection:
    """Make a connection in the actor's company and verify or start it after commit.

    Raises InvalidInput with the field (a foreign id is one), GreetingRequired and
    PlanLimitReached. The first connection of a company becomes its default, and leads to the
    company's only queue (rules/queues §1).
    """
    kind = values.get("provider", ProviderKind.BETA)
    if kind not in ProviderKind.values:
        raise _invalid("provider", "Escolha o tipo da conexão.", "invalid_choice")
    with transaction.atomic():
        company_id: int = actor.company_id
        rows = Connection.objects.for_company(company_id)
        require_room(company_id=company_id, resource="connections", rows=rows)
        connection = Connection(company_id=company_id, provider=kind)
        _save(connection, _with_only_queue(company_id, values))
        record(
            action="connection.created",
            actor=actor,
            company_id=company_id,
            target=connection,
            detail={"name": connection.name, "phone_number_id": connection.phone_number_id},
            ip_address=ip_address,
        )
        token = values.get("token", "")
        take_token(actor=actor, connection=connection, token=token, ip_address=ip_address)
    if kind == ProviderKind.OFFICIAL:
        return verify_connection(connection)
    # Without a gateway the connection is stored all the same, to be started later.
    with suppress(SessionUnavailable):
        start_qr_session(connection)
    return connection


def update_connection(
    *,
    actor: User,
    connection: Connection,
    values: ConnectionValues,
    ip_address: str | None = None,
) -> Connection:
    """Change the given fields; a number with new ids or a new token is verified after commit.

    Raises the errors of `create_connection`, and NoOtherConnection when the default is removed.
    """
    with transaction.atomic():
        lock_company(connection.company_id)
        connection.refresh_from_db()
        if values.get("provider", connection.provider) != connection.provider:
            raise _invalid("provider", "O tipo da conexão não pode ser alterado.", "fixed")
        must_verify = _save(connection, values)
        record(
            action="connection.updated",
            actor=actor,
            company_id=connection.company_id,
            target=connection,
            detail={"fields": sorted(values), "verifies": must_verify},
            ip_address=ip_address,
        )
        token = values.get("token", "")
        take_token(actor=actor, connection=connection, token=token, ip_address=ip_address)
    is_down = connection.status != ConnectionStatus.CONNECTED
    if connection.provider == ProviderKind.OFFICIAL and (must_verify or is_down):
        return verify_connection(connection)
    return connection


def delete_connection(
    *, actor: User, connection: Connection, ip_address: str | None = None
) -> None:
    """Delete a connection; the `connection_removal` hook removes dependent rows.

    Pending events are handled first (`connection_leaving`); never call it inside a transaction.
    Raises NoOtherConnection for the default one while the company has others, and
    ConnectionNotFound if it was deleted concurrently.
    """
    _refuse_default(connection)
    connection_leaving(connection)
    with transaction.atomic():
        company_id, pk = connection.company_id, connection.pk
        lock_company(company_id)
        connection = connection_for(company_id=company_id, pk=pk)
        _refuse_default(connection)
        abandon_qr_session(connection)
        connection_removal(connection)
        _forget_template_files(connection)
        # Locked after sessions and tickets, in the usual order: new events wait and are then
        # refused.
        Connection.objects.select_for_update().filter(pk=pk).first()
        connection_last_look(connection)
        record(
            action="connection.deleted",
            actor=actor,
            company_id=company_id,
            target=connection,
            detail={"name": connection.name, "phone_number_id": connection.phone_number_id},
            ip_address=ip_address,
        )
        connection.delete()
        events.connection_deleted(pk, company_id)


def _refuse_default(connection: Connection) -> None:
    others = Connection.objects.for_company(connection.company_id).exclude(pk=connection.pk)
    if connection.is_default and others.exists():
        raise NoOtherConnection


def _forget_template_files(connection: Connection) -> None:
    """Delete our copies of header files; their rows are deleted with the connection."""
    uploads = TemplateMedia.objects.filter(connection=connection)
    paths = list(uploads.values_list("path", flat=True))

    def forget() -> None:
        for path in paths:
            delete_media(path)

    transaction.on_commit(forget, robust=True)
