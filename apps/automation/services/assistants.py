"""Clients of prompts, within the plan and the limits on tokens and answers."""

import time
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from apps.accounts.models import User
from apps.automation.clients.base import ClientError, Line, Outcome, Person, Turn
from apps.automation.clients.openai_prompt import Assistant, PromptClient
from apps.automation.clients.speech import Voice
from apps.automation.models import Prompt, TokenUse
from apps.automation.queries.prompts import answers_since, day_of, tokens_since
from apps.automation.services.prompts import apply_fields, get_prompt
from apps.automation.voices import TEXT
from apps.billing.services import PlanFeatureMissing, require_feature
from apps.common.errors import DomainError
from apps.common.reasons import Reason, ReasonCode
from apps.companies.queries import zone_of

# Limits loops: two bots that answer each other would never stop.
LOOP_WINDOW = timedelta(minutes=10)
# A test occupies a thread of the web server.
TEST_SECONDS = 20.0


class ClientTestFailed(DomainError):
    """A test failed; the reason is part of the response."""

    status = 424

    def __init__(self, error: ClientError) -> None:
        super().__init__(error.message, extra=error.reason.on_wire())


class ModelUnavailable(ClientTestFailed):
    """The model did not answer in a test."""

    code = "ERR_MODEL_UNAVAILABLE"


def prompt_client(
    prompt: Prompt, *, ticket_id: int | None = None, now: datetime | None = None
) -> PromptClient:
    """Return the client that answers for a prompt in a ticket.

    Raises a permanent ClientError if the plan lacks the feature, the company's daily tokens are
    used up or the ticket has had too many answers.
    """
    moment = now or timezone.now()
    try:
        require_feature(company_id=prompt.company_id, feature="openAi")
    except PlanFeatureMissing as error:
        raise ClientError(error.sentence, reason=Reason(error.code), permanent=True) from error
    _refuse_beyond_the_day(prompt.company_id, moment)
    most = settings.AI_ANSWERS_IN_TEN_MINUTES
    if ticket_id is not None and most:
        given = answers_since(prompt.company_id, ticket_id, moment - LOOP_WINDOW)
        if given >= most:
            raise ClientError(
                f"A IA já respondeu {given} vezes em dez minutos nesta conversa.",
                reason=Reason(ReasonCode.MODEL_TOO_OFTEN, str(given)),
                permanent=True,
            )
    return PromptClient(assistant_of(prompt))


def assistant_of(prompt: Prompt) -> Assistant:
    """Return the settings of a prompt, with the operator's defaults filled in."""
    voice = None
    if prompt.voice != TEXT and prompt.voice_key and prompt.voice_region:
        voice = Voice(
            name=prompt.voice,
            key=prompt.voice_key,
            region=prompt.voice_region,
            url=settings.AZURE_SPEECH_URL,
        )
    return Assistant(
        instructions=prompt.prompt,
        api_key=prompt.api_key,
        base_url=prompt.base_url or settings.OPENAI_BASE_URL,
        model=prompt.model or settings.OPENAI_MODEL,
        transcription_model=settings.OPENAI_TRANSCRIPTION_MODEL,
        max_messages=prompt.max_messages,
        max_tokens=prompt.max_tokens,
        temperature=prompt.temperature,
        queue_id=prompt.queue_id,
        voice=voice,
    )


def run_prompt_test(
    *,
    actor: User,
    prompt_id: int | None,
    fields: Mapping[str, Any],
    messages: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """Test a prompt, saved or not, in text; return the shape of `PromptTestSerializer`.

    `fields` are the edited ones. `prompt_id` is the stored prompt whose keys replace masked ones.
    The last of `messages` is the contact's. Only the use of tokens is stored. Raises as
    `update_prompt`, and ModelUnavailable.
    """
    company_id = actor.company_id
    require_feature(company_id=company_id, feature="openAi")
    prompt = Prompt(company_id=company_id)
    if prompt_id is not None:
        prompt = get_prompt(company_id=company_id, prompt_id=prompt_id)
    # A test answers in text, so a voice without a key does not prevent it.
    apply_fields(prompt, {**fields, "voice": TEXT})
    lines = [Line(not row["fromMe"], row["text"]) for row in messages]
    started = time.monotonic()
    try:
        _refuse_beyond_the_day(company_id, timezone.now())
        client = PromptClient(assistant_of(prompt), answer_seconds=TEST_SECONDS)
        outcome = client.take_turn(_turn(actor, lines))
    except ClientError as error:
        raise ModelUnavailable(error) from error
    duration = round((time.monotonic() - started) * 1000)
    _keep_cost(company_id, prompt_id, outcome)
    used = outcome.usage[0] if outcome.usage else None
    return {
        "messages": [reply.text for reply in outcome.replies],
        "handOver": outcome.hand_over is not None,
        "model": used.model if used else "",
        "promptTokens": used.prompt_tokens if used else 0,
        "completionTokens": used.completion_tokens if used else 0,
        "durationMs": duration,
    }


def _turn(actor: User, lines: Sequence[Line]) -> Turn:
    return Turn(
        event_id=uuid.uuid4(),
        text=lines[-1].text,
        media_type="chat",
        contact=Person(uuid="test", name=actor.name, number=""),
        now=timezone.now(),
        earlier=tuple(lines[:-1]),
    )


def _keep_cost(company_id: int, prompt_id: int | None, outcome: Outcome) -> None:
    for used in outcome.usage:
        TokenUse.objects.create(
            company_id=company_id,
            prompt_id=prompt_id,
            model=used.model,
            prompt_tokens=used.prompt_tokens,
            completion_tokens=used.completion_tokens,
        )


def _refuse_beyond_the_day(company_id: int, now: datetime) -> None:
    most = settings.AI_DAILY_TOKENS
    if most and tokens_since(company_id, day_of(now, zone_of(company_id))) >= most:
        raise ClientError(
            "O limite diário de tokens da empresa foi alcançado. Amanhã a IA volta a responder.",
            reason=ReasonCode.MODEL_DAY,
            permanent=True,
        )
