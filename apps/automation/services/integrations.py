"""Rules of integrations (rules/automation §3)."""

import secrets
import socket
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.db import transaction

from apps.accounts.models import User
from apps.audit.services import record
from apps.automation import events
from apps.automation.addresses import PasswordMissing, with_stored_password
from apps.automation.clients.base import ClientError
from apps.automation.clients.dialogflow import check_account
from apps.automation.clients.targets import is_allowed
from apps.automation.models import IntegrationType, QueueIntegration
from apps.billing.services import require_feature
from apps.common.encryption import is_unchanged
from apps.common.errors import DomainError, InvalidInput, NotFound
from apps.common.registry import Hook
from apps.queues.models import Queue

# Called in the transaction that deletes an integration, before the deletion.
integration_removal: Hook[[QueueIntegration]] = Hook()

# The types whose events are signed.
SIGNED = (IntegrationType.N8N, IntegrationType.WEBHOOK, IntegrationType.WEBHOOK_OFFICIAL)
# The types whose project name equals the name (rules/automation §3).
NAMED_BY_NAME = (*SIGNED, IntegrationType.TYPEBOT)
DEFAULT_LANGUAGE = "pt-BR"


class IntegrationNotFound(NotFound):
    """The company has no such integration."""

    code = "ERR_NO_INTEGRATION_FOUND"
    message = "Integração não encontrada."


class NothingToSign(DomainError):
    """The type of the integration has no signing secret."""

    code = "ERR_INTEGRATION_NOT_SIGNED"
    message = "Integrações deste tipo não recebem chamadas assinadas."


class TargetForbidden(InvalidInput):
    """The address leads into a private network."""

    code = "ERR_TARGET_FORBIDDEN"
    message = (
        "Este endereço fica numa rede interna e não pode ser chamado. "
        "Informe um endereço público, ou peça ao Suporte que o libere."
    )

    def __init__(self) -> None:
        super().__init__(fields={"urlN8N": [self.message]})


class Saved(NamedTuple):
    """A saved integration, with its signing secret if this call created one.

    The secret is shown only once.
    """

    integration: QueueIntegration
    new_secret: str


def get_integration(*, company_id: int, integration_id: int) -> QueueIntegration:
    """Return a company's integration; raises IntegrationNotFound."""
    rows = QueueIntegration.objects.for_company(company_id).filter(pk=integration_id)
    integration = rows.first()
    if integration is None:
        raise IntegrationNotFound
    return integration


def create_integration(*, actor: User, fields: Mapping[str, Any]) -> Saved:
    """Create an integration from fields of the model.

    Raises PlanFeatureMissing, TargetForbidden, and InvalidInput for missing or invalid fields.
    """
    company_id = actor.company_id
    require_feature(company_id=company_id, feature="integrations")
    with transaction.atomic():
        integration = QueueIntegration(company_id=company_id)
        saved = _save(integration, fields)
        events.integration_created(integration)
    return saved


def update_integration(*, actor: User, integration_id: int, fields: Mapping[str, Any]) -> Saved:
    """Change the given fields; raises as `create_integration`, and IntegrationNotFound."""
    company_id = actor.company_id
    require_feature(company_id=company_id, feature="integrations")
    with transaction.atomic():
        integration = get_integration(company_id=company_id, integration_id=integration_id)
        saved = _save(integration, fields)
        events.integration_updated(integration)
    return saved


def rotate_secret(*, actor: User, integration_id: int, ip_address: str | None = None) -> str:
    """Replace an integration's signing secret and return the new one.

    The old secret is invalid from then on. Raises IntegrationNotFound, PlanFeatureMissing,
    NothingToSign.
    """
    company_id = actor.company_id
    require_feature(company_id=company_id, feature="integrations")
    with transaction.atomic():
        integration = get_integration(company_id=company_id, integration_id=integration_id)
        if integration.type not in SIGNED:
            raise NothingToSign
        integration.signing_secret = _new_secret()
        integration.save(update_fields=["signing_secret", "updated_at"])
        record(
            action="integration.secret_rotated",
            actor=actor,
            company_id=company_id,
            target=integration,
            detail={"name": integration.name},
            ip_address=ip_address,
        )
        events.integration_updated(integration)
    return integration.signing_secret


def delete_integration(*, actor: User, integration_id: int, ip_address: str | None = None) -> None:
    """Delete an integration; `integration_removal` first releases its conversations.

    Queues and connections that used it stay. Raises IntegrationNotFound.
    """
    company_id = actor.company_id
    with transaction.atomic():
        integration = get_integration(company_id=company_id, integration_id=integration_id)
        integration_removal(integration)
        record(
            action="integration.deleted",
            actor=actor,
            company_id=company_id,
            target=integration,
            detail={"name": integration.name, "type": integration.type},
            ip_address=ip_address,
        )
        integration.delete()
        events.integration_deleted(company_id=company_id, integration_id=integration_id)


def _save(integration: QueueIntegration, fields: Mapping[str, Any]) -> Saved:
    apply_fields(integration, fields)
    _check_queue(integration)
    _complete(integration)
    new_secret = ""
    if integration.type in SIGNED and not integration.signing_secret:
        integration.signing_secret = new_secret = _new_secret()
    integration.save()
    return Saved(integration, new_secret)


def apply_fields(integration: QueueIntegration, fields: Mapping[str, Any]) -> None:
    """Set the given fields without saving; a masked secret stays unchanged. Raises InvalidInput."""
    for name, value in fields.items():
        if name == "json_content":
            if is_unchanged(value):
                continue
            require_account(value)
        is_address = name == "url"
        setattr(integration, name, _address(value, integration.url) if is_address else value)


def _check_queue(integration: QueueIntegration) -> None:
    queues = Queue.objects.for_company(integration.company_id)
    queue_id = integration.fallback_queue_id
    if queue_id is not None and not queues.filter(pk=queue_id).exists():
        sentence = "Esta fila não existe."
        raise InvalidInput(sentence, fields={"queueId": [sentence]}, rule="does_not_exist")


def require_account(text: str) -> None:
    """Raise InvalidInput for a service account's JSON that Dialogflow can't use."""
    try:
        check_account(text)
    except ClientError as error:
        raise InvalidInput(
            error.message, fields={"jsonContent": [error.message]}, extra=error.reason.on_wire()
        ) from error


def _address(url: str, stored: str) -> str:
    try:
        return with_stored_password(url, stored)
    except PasswordMissing as error:
        sentence = "O endereço mudou: informe a senha de novo."
        raise InvalidInput(
            sentence, fields={"urlN8N": [sentence]}, rule="password_again"
        ) from error


def _complete(integration: QueueIntegration) -> None:
    """Fill in derived fields; raise InvalidInput with all missing required fields.

    Raises TargetForbidden for an address in a private network.
    """
    lacks: dict[str, list[str]] = {}
    kind = integration.type
    if kind in NAMED_BY_NAME:
        integration.project_name = integration.name
        if not integration.url:
            lacks["urlN8N"] = ["Informe o endereço."]
    if kind == IntegrationType.TYPEBOT and not integration.typebot_slug:
        lacks["typebotSlug"] = ["Informe o identificador do fluxo (slug)."]
    if kind == IntegrationType.DIALOGFLOW:
        integration.language = integration.language or DEFAULT_LANGUAGE
        if not integration.project_name:
            lacks["projectName"] = ["Informe o nome do projeto."]
        if not integration.json_content:
            lacks["jsonContent"] = ["Cole a chave da conta de serviço (JSON)."]
    if lacks:
        sentence = next(iter(lacks.values()))[0]
        raise InvalidInput(sentence, fields=lacks, rule="required")
    if integration.url and leads_inside(integration.url):
        raise TargetForbidden


def leads_inside(url: str) -> bool:
    """Tell whether an address is forbidden by its host alone, without a DNS lookup.

    The client checks the addresses of a host name at each call.
    """
    host = (urlsplit(url).hostname or "").rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return not is_allowed(host, "127.0.0.1")
    try:
        # The resolver also accepts unusual forms of addresses: 127.1, 0x7f000001.
        found = socket.getaddrinfo(host, None, flags=socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        return False
    return not all(is_allowed(host, str(entry[4][0])) for entry in found)


def _new_secret() -> str:
    return secrets.token_urlsafe(32)
