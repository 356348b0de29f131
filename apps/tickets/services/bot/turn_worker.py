"""Takes the bot's turns: integrations and models answer, outside any transaction.

A turn is claimed, its client is called, and the outcome is recorded in one transaction: replies,
session, log, hand-over and the turn itself. If a worker dies before this transaction, the claim
expires and the turn is taken again with the same event id. If it dies afterwards, the replies are
already outbox rows. A side that does not answer holds only a few threads for a bounded time, and in
the end the ticket is left to a person (rules/automation §2).
"""

import logging
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Count, QuerySet
from django.utils import timezone

from apps.automation.clients.base import Call, ClientError, Outcome, Usage
from apps.automation.models import (
    IntegrationSession,
    QueueIntegration,
    TokenUse,
)
from apps.automation.services.calls import log_calls
from apps.automation.services.clients import WEBHOOKS, client_for
from apps.billing.services import PlanFeatureMissing, require_feature
from apps.common.leases import Claim, LeasedWork, LeaseState, retry_delay
from apps.common.reasons import Reason, ReasonCode
from apps.tickets.models import BotTurn, MessageSource, Ticket, TurnKind
from apps.tickets.origins import Origin
from apps.tickets.services.bot.handover import hand_over, is_led_by
from apps.tickets.services.bot.leading import end_bot
from apps.tickets.services.bot.payloads import turn_of, turns_with_relations
from apps.tickets.services.bot.replies import Prepared, prepare

logger = logging.getLogger(__name__)

TURNS = LeasedWork(
    model=BotTurn,
    lease_setting="TURN_LEASE_SECONDS",
    partition=("ticket_id",),
    only=(
        "work.company_id NOT IN (%(busy)s)"
        # The client gets the message's file, so the turn waits for the download, up to a limit.
        " AND NOT (work.created_at > %(patient)s AND EXISTS (SELECT 1 FROM tickets_message AS wrote"
        " WHERE wrote.id = work.message_id AND wrote.media_state = 'fetching'))"
    ),
)
MEDIA_PATIENCE = timedelta(seconds=60)
# Attempts per turn. A webhook event is worth several; a contact who waits for an answer gets two.
MAX_WEBHOOK_ATTEMPTS = 5
MAX_ATTEMPTS = 2
LONGEST_PAUSE = 60.0
ERROR_LENGTH = 500
SOURCES = {TurnKind.INTEGRATION: MessageSource.INTEGRATION, TurnKind.PROMPT: MessageSource.AI}
FAULT = "Erro interno ao executar a automação."


class _TurnDeleted(Exception):
    """The turn was deleted with its ticket, its integration or its prompt."""


def take_due(*, limit: int) -> int:
    """Claim up to `limit` due turns and take them; returns the number claimed.

    Turns of one ticket are taken in order. Never call it inside a transaction.
    """
    patient = timezone.now() - MEDIA_PATIENCE
    with TURNS.claimed(limit, busy=_busy_companies(), patient=patient) as claim:
        turns = turns_with_relations().filter(pk__in=claim.ids).order_by("pk")
        for turn in turns if claim.ids else ():
            _take(turn, claim)
        return len(claim.ids)


def _busy_companies() -> "QuerySet[BotTurn, int]":
    """Return the companies that already use their share of the threads; they have to wait."""
    return (
        BotTurn.objects.held()
        .values("company_id")
        .annotate(count=Count("pk"))
        .filter(count__gte=settings.TURNS_PER_COMPANY)
        .values_list("company_id", flat=True)
    )


def _take(turn: BotTurn, claim: Claim[BotTurn]) -> None:
    if not is_led_by(turn.ticket, turn) or turn.message.is_deleted or _is_superseded(turn):
        claim.finish(turn)
        return
    try:
        _attempt(turn, claim)
    except (_TurnDeleted, IntegrityError):
        logger.info("Turn %s: its ticket or its integration was deleted meanwhile", turn.pk)


def _attempt(turn: BotTurn, claim: Claim[BotTurn]) -> None:
    prepared = Prepared()
    try:
        if turn.attempts > _max_attempts(turn):
            # Every earlier attempt ended with its worker.
            raise ClientError(FAULT, reason=ReasonCode.BOT_FAULT, permanent=True)
        outcome = _outcome(turn)
        prepared = prepare(turn.company_id, outcome.replies)
        _record(turn, claim, outcome, prepared)
    except _TurnDeleted:
        prepared.forget()
        raise
    except ClientError as error:
        _record_failure(turn, claim, error)
    except PlanFeatureMissing as error:
        refused = ClientError(error.sentence, reason=Reason(error.code), permanent=True)
        _record_failure(turn, claim, refused)
    except Exception:
        prepared.forget()
        logger.exception("Turn %s failed by a fault of our own", turn.pk)
        _record_failure(turn, claim, ClientError(FAULT, reason=ReasonCode.BOT_FAULT))


def _outcome(turn: BotTurn) -> Outcome:
    """Call the integration or the prompt; raises ClientError and PlanFeatureMissing."""
    feature: Any = "openAi" if turn.kind == TurnKind.PROMPT else "integrations"
    require_feature(company_id=turn.company_id, feature=feature)
    if turn.prompt is None and turn.integration is None:
        raise ClientError(
            "A automação deste atendimento foi excluída.",
            reason=ReasonCode.AUTOMATION_DELETED,
            permanent=True,
        )
    told = turn_of(turn)
    client = client_for(
        integration=turn.integration,
        prompt=turn.prompt,
        ticket_id=turn.ticket_id,
        contact_uuid=told.contact.uuid,
    )
    return client.take_turn(told)


def _is_superseded(turn: BotTurn) -> bool:
    """Tell whether a later turn of the same prompt will include this message.

    Messages that a contact writes in quick succession then get one answer. A message with a file
    does not count, because models get only text.
    """
    return (
        turn.kind == TurnKind.PROMPT
        and not turn.message.media_state
        and BotTurn.objects.filter(
            ticket=turn.ticket_id,
            prompt=turn.prompt_id,
            pk__gt=turn.pk,
            state=LeaseState.WAITING,
            message__is_deleted=False,
        ).exists()
    )


def _max_attempts(turn: BotTurn) -> int:
    is_webhook = turn.integration is not None and turn.integration.type in WEBHOOKS
    return MAX_WEBHOOK_ATTEMPTS if is_webhook else MAX_ATTEMPTS


def _origin_of(turn: BotTurn) -> str:
    if turn.kind == TurnKind.INTEGRATION:
        return Origin.INTEGRATION.of(turn.integration_id)
    return Origin.PROMPT.of(turn.prompt_id)


def _record(turn: BotTurn, claim: Claim[BotTurn], outcome: Outcome, prepared: Prepared) -> None:
    """Record the outcome of a turn, or only its log if the turn no longer leads the ticket."""
    now = timezone.now()
    with transaction.atomic():
        ticket = _locked_ticket(turn)
        _log(turn, outcome.calls, outcome.usage)
        is_ours = claim.finish(turn)
        if not is_ours or not is_led_by(ticket, turn):
            transaction.on_commit(prepared.forget, robust=True)
            return
        if turn.integration is not None:
            _keep_session(ticket, turn.integration, outcome)
        prepared.write(ticket, source=SOURCES[TurnKind(turn.kind)], origin=_origin_of(turn), at=now)
        if outcome.hand_over is not None:
            has_answered = bool(prepared.contents)
            hand_over(ticket, turn, outcome.hand_over, has_answered=has_answered)


def _record_failure(turn: BotTurn, claim: Claim[BotTurn], error: ClientError) -> None:
    """Schedule a retry, or leave the ticket to a person."""
    goes_on = not error.permanent and turn.attempts < _max_attempts(turn)
    pause = error.retry_after or retry_delay(turn.attempts, longest=LONGEST_PAUSE)
    with transaction.atomic():
        ticket = _locked_ticket(turn)
        _log(turn, error.calls, ())
        # PostgreSQL stores no NUL characters, and a server's error text may contain one.
        message = error.message.replace("\x00", "")[:ERROR_LENGTH]
        until = timezone.now() + timedelta(seconds=min(pause, LONGEST_PAUSE))
        is_ours = claim.retry_later(turn, until, message) if goes_on else claim.fail(turn, message)
        if is_ours and not goes_on:
            logger.warning(
                "Turn %s of company %s was given up: %s", turn.pk, turn.company_id, error.message
            )
            if is_led_by(ticket, turn):
                end_bot(ticket, "failed", error=message, cause=error.reason)


def _locked_ticket(turn: BotTurn) -> Ticket:
    # Lock order: tickets before turns. Accepting a ticket locks it and finishes its turns.
    Ticket.objects.select_for_update(no_key=True).filter(pk=turn.ticket_id).first()
    if not BotTurn.objects.filter(pk=turn.pk).exists():
        raise _TurnDeleted
    return Ticket.objects.select_related("contact", "connection", "queue").get(pk=turn.ticket_id)


def _log(turn: BotTurn, calls: tuple[Call, ...], usage: tuple[Usage, ...]) -> None:
    if turn.integration is not None:
        log_calls(
            turn.integration,
            calls,
            event_id=turn.event_id,
            ticket_id=turn.ticket_id,
            turn_id=turn.pk,
            attempt=turn.attempts,
        )
    TokenUse.objects.bulk_create(
        TokenUse(
            company_id=turn.company_id,
            prompt_id=turn.prompt_id,
            ticket_id=turn.ticket_id,
            model=each.model[:100],
            prompt_tokens=each.prompt_tokens,
            completion_tokens=each.completion_tokens,
        )
        for each in usage
    )


def _keep_session(ticket: Ticket, integration: QueueIntegration, outcome: Outcome) -> None:
    sessions = IntegrationSession.objects.filter(ticket=ticket, integration=integration)
    if outcome.session is None:
        sessions.delete()
        return
    values = {"data": dict(outcome.session), "last_used_at": timezone.now()}
    if not sessions.update(**values):
        IntegrationSession.objects.create(ticket=ticket, integration=integration, **values)
