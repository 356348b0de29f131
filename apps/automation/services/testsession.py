"""Tests of integrations, saved or not (rules/automation §10)."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

from django.utils import timezone

from apps.accounts.models import User
from apps.automation.clients.asaas import AsaasClient
from apps.automation.clients.base import ClientError, Person, Reply, Turn
from apps.automation.clients.webhooks import WebhookClient
from apps.automation.models import IntegrationType, QueueIntegration
from apps.automation.services.assistants import TEST_SECONDS, ClientTestFailed
from apps.automation.services.clients import WEBHOOKS, client_for, typebot_client
from apps.automation.services.integrations import (
    DEFAULT_LANGUAGE,
    TargetForbidden,
    apply_fields,
    leads_inside,
    require_account,
)
from apps.billing.services import require_feature
from apps.common.errors import InvalidInput
from apps.common.reasons import NO_REASON, Reason, ReasonCode

PING = "ping"
PING_VERSION = 1
GREETINGS = {"pt": "Olá", "en": "Hello", "es": "Hola"}
# The contact of a test has no real number.
NUMBER = "5500000000000"
LACKS = {
    IntegrationType.DIALOGFLOW: {
        "project_name": ("projectName", "Informe o nome do projeto."),
        "json_content": ("jsonContent", "Cole a chave da conta de serviço (JSON)."),
    },
    IntegrationType.TYPEBOT: {
        "url": ("urlN8N", "Informe o endereço."),
        "typebot_slug": ("typebotSlug", "Informe o identificador do fluxo (slug)."),
    },
    **{kind: {"url": ("urlN8N", "Informe o endereço.")} for kind in WEBHOOKS},
}


class IntegrationTestFailed(ClientTestFailed):
    """The integration did not answer as it should; the sentence says why."""

    code = "ERR_INTEGRATION_TEST_FAILED"


@dataclass(frozen=True)
class TestResult:
    """The replies that a contact would get.

    `reason` is the code of the product's own sentence (ping, Asaas), which browsers translate.
    """

    messages: list[str]
    reason: Reason = NO_REASON


def run_integration_test(*, actor: User, fields: Mapping[str, Any], text: str = "") -> TestResult:
    """Test an integration once and return its replies.

    `fields` are of the model; they replace those of the stored `integration_id`, if given. Nothing
    is saved. Dialogflow and Typebot get `text`; without it, Dialogflow gets a greeting. A webhook
    gets a signed event `ping`. For Asaas the token is checked. Raises PlanFeatureMissing,
    InvalidInput and IntegrationTestFailed. Never call it inside a transaction.
    """
    require_feature(company_id=actor.company_id, feature="integrations")
    draft = _draft(actor.company_id, fields)
    _require_complete(draft)
    try:
        if draft.type in WEBHOOKS:
            return _ping(draft, actor)
        client = (
            typebot_client(draft, turn_seconds=TEST_SECONDS)
            if draft.type == IntegrationType.TYPEBOT
            else client_for(integration=draft)
        )
        if isinstance(client, AsaasClient):
            client.check()
            return TestResult(["O Asaas aceitou o token."], Reason(ReasonCode.ASAAS_TOKEN_ACCEPTED))
        said = text or ("" if draft.type == IntegrationType.TYPEBOT else _greeting(draft))
        outcome = client.take_turn(_turn(actor, said))
    except ClientError as error:
        raise IntegrationTestFailed(error) from error
    return TestResult([shown for reply in outcome.replies if (shown := _shown(reply))])


def _draft(company_id: int, fields: Mapping[str, Any]) -> QueueIntegration:
    """Return the unsaved integration to test.

    Raises InvalidInput if the company has no such `integration_id`.
    """
    given = dict(fields)
    integration_id = given.pop("integration_id", None)
    draft = QueueIntegration(company_id=company_id, type=IntegrationType.DIALOGFLOW)
    if integration_id is not None:
        found = QueueIntegration.objects.for_company(company_id).filter(pk=integration_id).first()
        if found is None:
            sentence = "Esta integração não existe."
            raise InvalidInput(
                sentence, fields={"integrationId": [sentence]}, rule="does_not_exist"
            )
        draft = found
    apply_fields(draft, given)
    draft.language = draft.language or DEFAULT_LANGUAGE
    return draft


def _require_complete(draft: QueueIntegration) -> None:
    needed = LACKS.get(cast("IntegrationType", draft.type), {})
    lacks = {wire: [words] for name, (wire, words) in needed.items() if not getattr(draft, name)}
    if lacks:
        raise InvalidInput(next(iter(lacks.values()))[0], fields=lacks, rule="required")
    if draft.url and leads_inside(draft.url):
        raise TargetForbidden
    if draft.type == IntegrationType.DIALOGFLOW:
        require_account(draft.json_content)


def _ping(draft: QueueIntegration, actor: User) -> TestResult:
    body = {
        "version": PING_VERSION,
        "event": PING,
        "company": {"id": draft.company_id, "name": actor.company.name},
        "integration": {"id": draft.pk, "name": draft.name, "type": draft.type},
        "sentAt": timezone.now().isoformat(timespec="milliseconds"),
    }
    # `only_official` is not set: a ping belongs to no connection.
    client = WebhookClient(url=draft.url, secret=draft.signing_secret)
    call = client.post(PING, uuid.uuid4(), body)
    host = urlsplit(draft.url).hostname
    return TestResult(
        [f"{host} respondeu com o código {call.status_code} em {call.duration_ms} ms."],
        Reason(ReasonCode.SERVER_ANSWERED, f"{host} ({call.status_code}, {call.duration_ms} ms)"),
    )


def _turn(actor: User, text: str) -> Turn:
    person = Person(uuid=str(uuid.uuid4()), name=actor.name, number=NUMBER, email=actor.email)
    return Turn(
        event_id=uuid.uuid4(),
        text=text,
        media_type="conversation",
        contact=person,
        now=timezone.now(),
    )


def _greeting(draft: QueueIntegration) -> str:
    return GREETINGS.get(draft.language[:2], GREETINGS["pt"])


def _shown(reply: Reply) -> str:
    """Return a reply as text, with a file as its name."""
    if reply.file is None:
        return reply.text
    return "\n".join(filter(None, (f"[{reply.file.name or reply.file.mime}]", reply.text)))
