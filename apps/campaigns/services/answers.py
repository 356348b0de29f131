"""Answers of contacts to campaigns: confirmations and opt-outs (rules/campaigns §6 and §7)."""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from functools import partial

from django.utils import timezone

from apps.campaigns.models import CampaignRecipient, OptOutSource, RecipientState
from apps.campaigns.queries.opt_outs import opt_out_words_of, written_to
from apps.campaigns.services.opting_out import opt_out
from apps.campaigns.services.outcomes import look_soon
from apps.campaigns.services.remembered_numbers import Key, remember_question
from apps.campaigns.services.requests import LONGEST_ANSWER, Request, is_bots_own, requests_in
from apps.common.search import bare
from apps.connections.providers.inbound import InboundMessage
from apps.contacts.models import Contact
from apps.tickets.models import Message
from apps.tickets.origins import Origin
from apps.tickets.services.outbox import write_automatic_text
from apps.tickets.services.receiving.messages import Reserved

# A later message does not count as an answer.
ANSWERS_COUNT_FOR = timedelta(days=7)
LEFT = "Pronto! Você não receberá mais as nossas campanhas."
QUESTION = "Quer deixar de receber campanhas?\n\n*1* - Sim"
ASKED = (RecipientState.ASKING, RecipientState.ASKED)


def reserve_answers(messages: Sequence[Message], reserved: Reserved) -> None:
    """Keep requests to leave from the bot, and process the messages after it has answered."""
    people = {
        (each.company_id, each.contact.canonical_number)
        for each in messages
        if not each.ticket.is_group
    }
    if not people:
        return
    words, is_written = opt_out_words_of(people)
    requests = requests_in(messages, words)
    reserved.ids.update(
        each.pk
        for each in messages
        if requests.get(each.pk, Request.REPEATED) != Request.REPEATED and not is_bots_own(each)
    )
    answering = people if is_written else ()
    reserved.afterwards.append(partial(take_answers, messages, requests, answering))


def take_answers(
    messages: Sequence[Message], requests: Mapping[int, Request], people: Collection[Key]
) -> None:
    """Process contacts' messages as answers to campaigns; the caller holds the tickets' locks.

    `requests` are those of the messages that ask to leave; `people` are the senders, empty if no
    campaign wrote to any of them.
    """
    found = written_to(people).select_related("message").order_by("-id") if people else ()
    known: dict[Key, list[CampaignRecipient]] = {}
    for recipient in found:
        known.setdefault((recipient.company_id, recipient.canonical_number), []).append(recipient)
    for message in messages:
        if message.ticket.is_group:
            continue
        answered = known.get((message.company_id, message.contact.canonical_number), [])
        if message.pk in requests:
            _take_request(message, requests[message.pk], answered)
        elif answered:
            _confirm(message)
            _note_answer(message, answered)


def take_ignored(written: Sequence[tuple[InboundMessage, Contact]]) -> None:
    """Opt out who wrote an opt-out word that the company ignores, without a confirmation."""
    texts = [
        (bare(inbound.body), contact)
        for inbound, contact in written
        if len(inbound.body) <= LONGEST_ANSWER
    ]
    if not texts:
        return
    words, _ = opt_out_words_of(
        {(contact.company_id, contact.canonical_number) for _, contact in texts}
    )
    for text, contact in texts:
        if text in words[contact.company_id]:
            opt_out(
                company_id=contact.company_id,
                number=contact.canonical_number,
                campaign_id=None,
                source=OptOutSource.WORD,
            )


def _take_request(
    message: Message, request: Request, recipients: Sequence[CampaignRecipient]
) -> None:
    number = message.contact.canonical_number
    if request == Request.REPEATED:
        return
    if request == Request.UNCLEAR:
        question = write_automatic_text(message.ticket, QUESTION, Origin.OPT_OUT)
        if question is not None:
            remember_question(message.company_id, number, question_pk=question.pk)
        return
    is_answer = request == Request.CONFIRMED
    is_new = opt_out(
        company_id=message.company_id,
        number=number,
        campaign_id=recipients[0].campaign_id if recipients and not is_answer else None,
        source=OptOutSource.ASKED if is_answer else OptOutSource.WORD,
    )
    if is_new:
        write_automatic_text(message.ticket, LEFT, Origin.OPT_OUT)


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
        asked.update(state=RecipientState.CONFIRMED, confirmed_at=now, reason_code="")
        look_soon(campaigns)
