"""Rules of prompts (rules/automation §6 and §7)."""

import ipaddress
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction

from apps.accounts.models import User
from apps.audit.services import record
from apps.automation import events
from apps.automation.clients.targets import is_allowed
from apps.automation.models import Prompt
from apps.automation.voices import TEXT
from apps.billing.services import require_feature
from apps.common.encryption import is_unchanged
from apps.common.errors import InvalidInput, NotFound
from apps.common.registry import Hook
from apps.queues.models import Queue

# Called in the transaction that deletes a prompt, before the deletion.
prompt_removal: Hook[[Prompt]] = Hook()

SECRETS = ("api_key", "voice_key")
# This server always requires a key; others may not.
OPENAI_HOST = "api.openai.com"


class PromptNotFound(NotFound):
    """The company has no such prompt."""

    code = "ERR_NO_PROMPT_FOUND"
    message = "Prompt não encontrado."


def get_prompt(*, company_id: int, prompt_id: int) -> Prompt:
    """Return a company's prompt with its queue; raises PromptNotFound."""
    rows = Prompt.objects.for_company(company_id).select_related("queue")
    prompt = rows.filter(pk=prompt_id).first()
    if prompt is None:
        raise PromptNotFound
    return prompt


@transaction.atomic
def create_prompt(*, actor: User, fields: Mapping[str, Any]) -> Prompt:
    """Create a prompt from fields of the model.

    Raises PlanFeatureMissing, and InvalidInput for missing or invalid fields.
    """
    require_feature(company_id=actor.company_id, feature="openAi")
    prompt = Prompt(company_id=actor.company_id)
    apply_fields(prompt, fields)
    prompt.save()
    events.prompt_created(prompt)
    return prompt


@transaction.atomic
def update_prompt(*, actor: User, prompt_id: int, fields: Mapping[str, Any]) -> Prompt:
    """Change the given fields; raises as `create_prompt`, and PromptNotFound."""
    require_feature(company_id=actor.company_id, feature="openAi")
    prompt = get_prompt(company_id=actor.company_id, prompt_id=prompt_id)
    apply_fields(prompt, fields)
    prompt.save()
    events.prompt_updated(prompt)
    return prompt


@transaction.atomic
def delete_prompt(*, actor: User, prompt_id: int, ip_address: str | None = None) -> None:
    """Delete a prompt; `prompt_removal` first releases its conversations.

    Queues and connections that used it stay, as does its recorded token use. Raises PromptNotFound.
    """
    prompt = get_prompt(company_id=actor.company_id, prompt_id=prompt_id)
    prompt_removal(prompt)
    record(
        action="prompt.deleted",
        actor=actor,
        company_id=actor.company_id,
        target=prompt,
        detail={"name": prompt.name},
        ip_address=ip_address,
    )
    prompt.delete()
    events.prompt_deleted(company_id=actor.company_id, prompt_id=prompt_id)


def tell_prompts_of(queue: Queue, afterwards: list[Callable[[], None]]) -> None:
    """Tell the company about the prompts that are deleted together with their queue."""
    prompts = Prompt.objects.for_company(queue.company_id).filter(queue=queue)
    for prompt_id in prompts.values_list("pk", flat=True):
        events.prompt_deleted(company_id=queue.company_id, prompt_id=prompt_id)


def apply_fields(prompt: Prompt, fields: Mapping[str, Any]) -> None:
    """Set the given fields without saving; a masked or empty secret stays unchanged.

    Raises InvalidInput with all invalid fields.
    """
    sent_from, had_key = prompt.base_url, bool(prompt.api_key)
    for name, value in fields.items():
        if name not in SECRETS or not is_unchanged(value):
            setattr(prompt, name, value)
    faults: dict[str, tuple[str, str]] = {}
    queue = Queue.objects.for_company(prompt.company_id).filter(pk=prompt.queue_id).first()
    if queue is None:
        faults["queueId"] = "Esta fila não existe.", "does_not_exist"
    else:
        prompt.queue = queue
    # A user who may change the address could otherwise have the key sent to a server of their own.
    has_moved = prompt.pk is None or prompt.base_url != sent_from
    if had_key and has_moved and is_unchanged(fields.get("api_key")):
        faults["apiKey"] = "O endereço do modelo mudou: informe a chave de novo.", "key_again"
    elif has_moved and not prompt.api_key and _host_of(prompt.base_url) == OPENAI_HOST:
        faults["apiKey"] = "Informe a chave da API.", "required"
    if _is_plainly_forbidden(prompt.base_url):
        sentence = "Este endereço leva a uma rede interna, o que não é permitido."
        faults["baseUrl"] = sentence, "internal_address"
    if prompt.voice != TEXT:
        if not prompt.voice_key:
            faults["voiceKey"] = "Informe a chave do Azure Speech.", "required"
        if not prompt.voice_region:
            faults["voiceRegion"] = "Informe a região do Azure, como brazilsouth.", "required"
    if faults:
        raise InvalidInput(
            next(iter(faults.values()))[0],
            fields={name: [sentence] for name, (sentence, _) in faults.items()},
            extra={"fieldCodes": {name: code for name, (_, code) in faults.items()}},
        )


def _host_of(base_url: str) -> str:
    return (urlsplit(base_url or settings.OPENAI_BASE_URL).hostname or "").lower()


def _is_plainly_forbidden(base_url: str) -> bool:
    """Tell whether the address is forbidden by its host alone, without a DNS lookup."""
    if not base_url:
        return False
    host = _host_of(base_url)
    try:
        address = str(ipaddress.ip_address(host))
    except ValueError:
        address = "127.0.0.1"
        if host != "localhost" and not host.endswith(".localhost"):
            return False
    return not is_allowed(host, address)
