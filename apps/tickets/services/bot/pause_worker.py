"""Ends pauses: the contact is quiet, and what they wrote is judged together (rules/bot §3).

Many tickets are judged in one transaction, with a constant number of statements. The pause rows are
deleted in the same transaction, so a killed worker neither repeats nor skips an answer. A message
that arrives meanwhile waits for the ticket's lock, or has already extended the pause.
"""

import logging
from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from apps.common.leases import Claim, LeasedWork, retry_delay
from apps.common.reasons import Reason, ReasonCode
from apps.tickets.models import BotPause, Message, Ticket
from apps.tickets.services.bot.answering import judge_heard
from apps.tickets.services.bot.executor import Heard
from apps.tickets.services.bot.leading import end_bot

logger = logging.getLogger(__name__)

PAUSES = LeasedWork(model=BotPause, lease_setting="PAUSE_LEASE_SECONDS")
MAX_ATTEMPTS = 3
LONGEST_DELAY = 30.0
FAULT = "Erro interno ao responder ao contato."


def end_due(*, limit: int) -> int:
    """Claim up to `limit` pauses that are over and judge the messages; returns the number claimed.

    Never call it inside a transaction.
    """
    with PAUSES.claimed(limit) as claim:
        if claim.ids:
            _end_apart(claim)
        return len(claim.ids)


def _end_apart(claim: Claim[BotPause]) -> None:
    """Judge the new pauses of a claim at once, and those that were attempted before alone.

    If the new ones fail together, each is judged alone, so only the faulty one fails. An attempt of
    one that was attempted before counts when its turn comes: if it ends the process, no other pause
    loses an attempt.
    """
    alone = list(claim.held().filter(attempts__gt=1).order_by("pk"))
    if alone:
        claim.held(*alone).update(attempts=F("attempts") - 1)
    new = set(claim.ids) - {each.pk for each in alone}
    try:
        if new:
            _end(claim, sorted(new))
    except Exception:
        logger.exception("Of %s pauses one could not be ended", len(new))
        alone += claim.held(*new).order_by("pk")
    for pause in alone:
        try:
            claim.held(pause).update(attempts=pause.attempts)
            _end(claim, [pause.pk])
        except Exception:
            logger.exception("The pause of ticket %s could not be ended", pause.ticket_id)
            _put_off(claim, pause)


def _end(claim: Claim[BotPause], ids: Sequence[int]) -> None:
    with transaction.atomic():
        # Lock order: tickets before pauses. Receiving a message locks the ticket and extends its
        # pause.
        tickets = _locked_tickets(ids)
        pauses = list(claim.held(*ids))
        for pause in pauses:
            pause.begin(MAX_ATTEMPTS)
        heard = [Heard(tickets[each.ticket_id], [], each.payload) for each in pauses]
        _read_messages(heard, pauses)
        if pauses:
            claim.held(*pauses).delete()
        judge_heard([each for each in heard if each.messages])


def _locked_tickets(pause_ids: Sequence[int]) -> dict[int, Ticket]:
    of_pauses = BotPause.objects.filter(pk__in=pause_ids).values("ticket_id")
    tickets = Ticket.objects.filter(pk__in=of_pauses).order_by("pk")
    locked = list(tickets.select_for_update(no_key=True).values_list("pk", flat=True))
    related = Ticket.objects.select_related("contact", "connection", "queue", "company")
    return related.in_bulk(locked)


def _read_messages(heard: Sequence[Heard], pauses: Sequence[BotPause]) -> None:
    """Add the messages that each contact sent during the pause, in one query for all."""
    first = {each.ticket_id: each.first_message_id for each in pauses}
    # Imported history is stored as read and gets no answer.
    rows = Message.objects.filter(
        ticket__in=first, from_me=False, is_read=False, pk__gte=min(first.values(), default=0)
    )
    written: dict[int, list[Message]] = defaultdict(list)
    for message in rows.order_by("pk"):
        if message.pk >= first[message.ticket_id]:
            written[message.ticket_id].append(message)
    for each in heard:
        each.messages.extend(written[each.ticket.pk])
        for message in each.messages:
            message.ticket = each.ticket


def _put_off(claim: Claim[BotPause], pause: BotPause) -> None:
    """Retry later, or leave the ticket to a person. If that fails too, retry later."""
    try:
        _retry_or_leave(claim, pause)
    except Exception:
        logger.exception("The pause of ticket %s could not be put off", pause.ticket_id)
        claim.retry_later(pause, timezone.now() + timedelta(seconds=LONGEST_DELAY), FAULT)


def _retry_or_leave(claim: Claim[BotPause], pause: BotPause) -> None:
    if pause.attempts < MAX_ATTEMPTS:
        delay = retry_delay(pause.attempts, longest=LONGEST_DELAY)
        claim.retry_later(pause, timezone.now() + timedelta(seconds=delay), FAULT)
        return
    with transaction.atomic():
        ticket = _locked_tickets([pause.pk]).get(pause.ticket_id)
        if ticket is not None and claim.fail(pause, FAULT):
            end_bot(ticket, "failed", error=FAULT, cause=Reason(ReasonCode.BOT_FAULT))
