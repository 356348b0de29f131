"""Answers of contacts to campaigns: confirmations and opt-outs (rules/campaigns §6 and §7)."""

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from apps.campaigns.models import CampaignRecipient, OptOutSource, RecipientState
from apps.campaigns.queries.campaign_settings import opt_out_words_of
from apps.campaigns.services.opting_out import opt_out
from apps.campaigns.services.outcomes import look_soon
from apps.common.search import bare
from apps.tickets.models import Message
from apps.tickets.services.outbox import write_automatic_text

# A longer message is not an opt-out word, even with punctuation and spaces around the word.
LONGEST_ANSWER = 200
# A later message does not count as an answer.
ANSWERS_COUNT_FOR = timedelta(days=7)
LEFT = "Pronto! Você não receberá mais as nossas campanhas."
ASKED = (RecipientState.ASKING, RecipientState.ASKED)


def take_answers(messages: Sequence[Message]) -> None:
    """Process contacts' messages as answers to campaigns; the caller holds the tickets' locks.

    If no campaign wrote to any of the senders, this takes one query.
    """
    people = {
        (each.company_id, each.contact.canonical_number)
        for each in messages
        if not each.ticket.is_group
    }
    if not people:
        return
    wanted = Q()
    for company_id, number in people:
        wanted |= Q(company=company_id, canonical_number=number)
    found = CampaignRecipient.objects.filter(wanted).exclude(
        state__in=(RecipientState.PENDING, RecipientState.SKIPPED)
    )
    known: dict[tuple[int, str], list[CampaignRecipient]] = {}
    for recipient in found.select_related("message").order_by("-id"):
        known.setdefault((recipient.company_id, recipient.canonical_number), []).append(recipient)
    for message in messages:
        answered = known.get((message.company_id, message.contact.canonical_number))
        if not answered or message.ticket.is_group:
            continue
        if _asks_to_leave(message):
            _leave(message, answered[0])
        else:
            _confirm(message)
            _note_answer(message, answered)


def _asks_to_leave(message: Message) -> bool:
    said = bare(message.body) if len(message.body) <= LONGEST_ANSWER else ""
    return said != "" and said in opt_out_words_of(message.company_id)


def _leave(message: Message, latest: CampaignRecipient) -> None:
    is_new = opt_out(
        company_id=message.company_id,
        number=message.contact.canonical_number,
        campaign_id=latest.campaign_id,
        source=OptOutSource.WORD,
    )
    if is_new:
        write_automatic_text(message.ticket, LEFT)


def _note_answer(message: Message, recipients: Sequence[CampaignRecipient]) -> None:
    """Record a message as the answer to the newest campaign message before it."""
    wrote_at = min(message.sent_at or message.created_at, timezone.now())
    before = [
        each
        for each in recipients
        if each.sent_at is not None
        and each.queued_at is not None
        and each.message is not None
        and each.message.connection_id == message.connection_id
        # Providers report whole seconds.
        and wrote_at - ANSWERS_COUNT_FOR <= each.queued_at <= wrote_at + timedelta(seconds=1)
    ]
    newest = max(before, key=lambda each: each.queued_at or wrote_at, default=None)
    if newest is not None:
        CampaignRecipient.objects.filter(pk=newest.pk, answered_at=None).update(
            answered_at=wrote_at
        )


def _confirm(message: Message) -> None:
    """Release the messages that waited for this contact's answer, on any ticket."""
    asked = CampaignRecipient.objects.filter(
        company=message.company_id,
        canonical_number=message.contact.canonical_number,
        confirmation_message__connection=message.connection_id,
        state__in=ASKED,
    )
    campaigns = set(asked.values_list("campaign_id", flat=True))
    if campaigns:
        now = timezone.now()
        asked.update(state=RecipientState.CONFIRMED, confirmed_at=now)
        look_soon(campaigns)
