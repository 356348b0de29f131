"""Clients of prompts and integrations."""

from django.conf import settings

from apps.automation.clients.asaas import AsaasClient
from apps.automation.clients.base import Client
from apps.automation.clients.dialogflow import DialogflowClient
from apps.automation.clients.typebot import TypebotClient
from apps.automation.clients.webhooks import WebhookClient
from apps.automation.models import IntegrationType, Prompt, QueueIntegration
from apps.automation.services.assistants import prompt_client
from apps.automation.services.lookups import lookups_of
from apps.companies.queries import setting_of

WEBHOOKS = frozenset(
    {IntegrationType.N8N, IntegrationType.WEBHOOK, IntegrationType.WEBHOOK_OFFICIAL}
)


def client_for(
    *,
    integration: QueueIntegration | None = None,
    prompt: Prompt | None = None,
    ticket_id: int | None = None,
    contact_uuid: str = "",
) -> Client:
    """Return the client of an integration or of a prompt; pass one of them.

    `ticket_id` limits the AI answers in one ticket, `contact_uuid` the documents that one contact
    looks up. Raises ClientError if the prompt may not answer (see `prompt_client`).
    """
    if prompt is not None:
        return prompt_client(prompt, ticket_id=ticket_id)
    if integration is None:
        raise ValueError("neither an integration nor a prompt")
    if integration.type in WEBHOOKS:
        return webhook_client(integration)
    if integration.type == IntegrationType.DIALOGFLOW:
        return dialogflow_client(integration)
    if integration.type == IntegrationType.ASAAS:
        return AsaasClient(
            token=setting_of(integration.company_id, "asaas"),
            url=settings.ASAAS_URL,
            may_look_up=lookups_of(integration.company_id, contact_uuid),
        )
    return typebot_client(integration)


def webhook_client(integration: QueueIntegration) -> WebhookClient:
    """Return the client that posts signed events to an integration's address."""
    return WebhookClient(
        url=integration.url,
        secret=integration.signing_secret,
        only_official=integration.type == IntegrationType.WEBHOOK_OFFICIAL,
    )


def dialogflow_client(integration: QueueIntegration) -> DialogflowClient:
    """Return the client of a Dialogflow agent."""
    return DialogflowClient(
        project=integration.project_name,
        credentials_json=integration.json_content,
        language=integration.language,
        endpoint=settings.DIALOGFLOW_ENDPOINT,
    )


def typebot_client(
    integration: QueueIntegration, *, turn_seconds: float | None = None
) -> TypebotClient:
    """Return the client of a Typebot flow; a turn takes `turn_seconds` at most."""
    return TypebotClient(
        url=integration.url,
        slug=integration.typebot_slug,
        expires_minutes=integration.typebot_expires_minutes,
        delay_ms=integration.typebot_delay_ms,
        keyword_finish=integration.typebot_keyword_finish,
        keyword_restart=integration.typebot_keyword_restart,
        restart_message=integration.typebot_restart_message,
        unknown_message=integration.typebot_unknown_message,
        turn_seconds=turn_seconds,
    )
