"""Outcomes of campaign messages and confirmation requests (rules/campaigns §6)."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from apps.campaigns import events
from apps.campaigns.models import (
    ENDED,
    NOT_ENDED,
    TO_GO,
    Campaign,
    CampaignRecipient,
    CampaignStatus,
    ContactListItem,
    OptOut,
    OptOutSource,
    RecipientState,
)
from apps.campaigns.queries.campaigns import SHOWN_LINKS
from apps.common.bulk import update_rows
from apps.common.compiled_queries import CompiledQuery, columns_of, instance_of
from apps.common.reasons import ReasonCode
from apps.common.wakeups import wake
from apps.connections.models import Connection
from apps.tickets.models import Ack, Message, MessageSource

# The time to answer a confirmation request.
ANSWER_TIME = timedelta(hours=24)
TOLD_SECONDS = 1
OUTCOME_FIELDS = ("error_code", "error_reason", "reason_code", "reason_detail")
RECORDED_FIELDS = ("state", "sent_at", "confirmation_requested_at", *OUTCOME_FIELDS)
TICKET_GONE = "O atendimento foi excluído antes do envio."


_RECIPIENT = columns_of(CampaignRecipient)
_written_to = CompiledQuery(
    lambda message_ids: (
        CampaignRecipient.objects.filter(
            Q(message__among=message_ids) | Q(confirmation_message__among=message_ids)
        )
        .select_for_update(no_key=True)
        .order_by("pk")
        .values_list(*_RECIPIENT)
    )
)


def settle(messages: Sequence[Message]) -> None:
    """Update recipients to the outcome of their messages; call it where outcomes are recorded.

    A message that fails after the provider accepted it makes its recipient fail. A failed message
    that is resent from the conversation and accepted makes it sent.
    """
    outcomes = {
        message.pk: message for message in messages if message.source == MessageSource.CAMPAIGN
    }
    if not outcomes:
        return
    changed = []
    for values in _written_to.rows(message_ids=list(outcomes)):
        recipient = instance_of(CampaignRecipient, _RECIPIENT, values)
        if recipient.message_id in outcomes:
            has_moved = _record(recipient, outcomes[recipient.message_id])
        else:
            has_moved = _record_asked(recipient, outcomes[recipient.confirmation_message_id or 0])
        if has_moved:
            changed.append(recipient)
    update_rows(changed, RECORDED_FIELDS)
    _look_at_ends({recipient.campaign_id for recipient in changed})


def record_ticks(messages: Sequence[Message]) -> None:
    """Record when recipients' messages were delivered and read; the first report counts."""
    now = timezone.now()
    for ack, column in ((Ack.DELIVERED, "reached_at"), (Ack.READ, "read_at")):
        ids = [
            message.pk
            for message in messages
            if message.source == MessageSource.CAMPAIGN and message.ack >= ack
        ]
        if ids:
            unknown = CampaignRecipient.objects.filter(message__in=ids, **{column: None})
            # What arrived is not assessed any more.
            unknown.update(**{column: now}, reason_code="")
            if ack == Ack.DELIVERED:
                _let_go(ids, now)


def _let_go(message_ids: Collection[int], now: datetime) -> None:
    """Begin the time to answer of requests that Meta assessed before it delivered them."""
    CampaignRecipient.objects.filter(
        confirmation_message__in=message_ids,
        state=RecipientState.ASKED,
        reason_code=ReasonCode.TEMPLATE_ASSESSED,
    ).update(confirmation_requested_at=now, reason_code="")


def _record(recipient: CampaignRecipient, message: Message) -> bool:
    if message.ack == Ack.ERROR and recipient.state in (RecipientState.QUEUED, RecipientState.SENT):
        _fail(recipient, message)
        return True
    if message.ack >= Ack.SENT and recipient.state in (
        RecipientState.QUEUED,
        RecipientState.FAILED,
    ):
        recipient.state = RecipientState.SENT
        recipient.sent_at = timezone.now()
        for name in OUTCOME_FIELDS:
            setattr(recipient, name, "")
        recipient.reason_code = _assessed(message)
        return True
    if recipient.state == RecipientState.SENT and recipient.reason_code != _assessed(message):
        recipient.reason_code = _assessed(message)
        return True
    return False


def _assessed(message: Message) -> str:
    """Return the code of a message whose template Meta assesses before it delivers it, or ''."""
    is_assessed = message.reason_code == ReasonCode.TEMPLATE_ASSESSED and message.ack == Ack.SENT
    return message.reason_code if is_assessed else ""


def _record_asked(recipient: CampaignRecipient, message: Message) -> bool:
    if message.ack == Ack.ERROR and recipient.state in (
        RecipientState.ASKING,
        RecipientState.ASKED,
    ):
        _fail(recipient, message)
        return True
    if message.ack >= Ack.SENT and recipient.state == RecipientState.ASKING:
        recipient.state = RecipientState.ASKED
        recipient.confirmation_requested_at = timezone.now()
        recipient.reason_code = _assessed(message)
        return True
    if recipient.state == RecipientState.ASKED and recipient.reason_code != _assessed(message):
        recipient.confirmation_requested_at = timezone.now()
        recipient.reason_code = _assessed(message)
        return True
    return False


def _fail(recipient: CampaignRecipient, message: Message) -> None:
    recipient.state = RecipientState.FAILED
    recipient.sent_at = None
    for name in OUTCOME_FIELDS:
        setattr(recipient, name, getattr(message, name))
    if recipient.reason_code == ReasonCode.NOT_REACHABLE:
        # Meta has no number check; this failure is its only answer (rules/contact-lists §4).
        listed = ContactListItem.objects.filter(
            contact_list__company_id=recipient.company_id,
            canonical_number=recipient.canonical_number,
        )
        now = timezone.now()
        listed.update(is_whatsapp_valid=False, checked_at=now, updated_at=now)
    if recipient.reason_code == ReasonCode.MARKETING_STOPPED:
        # Running campaigns check opt-outs before each message, so no other recipient is locked
        # here.
        OptOut.objects.bulk_create(
            [
                OptOut(
                    company_id=recipient.company_id,
                    canonical_number=recipient.canonical_number,
                    campaign_id=recipient.campaign_id,
                    source=OptOutSource.META,
                )
            ],
            ignore_conflicts=True,
        )


def look_soon(campaigns: Collection[int]) -> None:
    """Make running campaigns due after commit, so that no lock on them is held until then.

    Their pace does not change. If this is lost, they are due within a minute anyway.
    """
    if not campaigns:
        return
    ids = list(campaigns)

    def look() -> None:
        now = timezone.now()
        running = Campaign.objects.unfinished().filter(
            pk__in=ids, status=CampaignStatus.RUNNING, next_attempt_at__gt=now
        )
        # A campaign with recipients left is due when its next message is.
        to_go = CampaignRecipient.objects.filter(campaign=OuterRef("pk"), state__in=TO_GO)
        waiting = running.filter(Q(next_send_at__lte=now) | ~Exists(to_go))
        if waiting.update(next_attempt_at=now):
            wake("campaigns.send")
        tell_progress(ids)

    transaction.on_commit(look, robust=True)


def look_at_held(connection: Connection) -> None:
    """Make campaigns that wait for another day due, because the pace of their number changed."""
    held = Campaign.objects.unfinished().filter(
        connection=connection,
        status=CampaignStatus.RUNNING,
        wait_code=ReasonCode.DAILY_CEILING,
    )
    look_soon(set(held.values_list("pk", flat=True)))


_left = CompiledQuery(
    lambda campaign_id: (
        CampaignRecipient.objects.filter(campaign_id=campaign_id, state__in=NOT_ENDED)
        .order_by()
        .values_list("pk")[:1]
    )
)


def _look_at_ends(campaigns: Collection[int]) -> None:
    """Make running campaigns due, after commit, when all of their recipients have ended.

    Other campaigns check for room in the outbox at intervals.
    """
    if not campaigns:
        return
    ids = list(campaigns)

    def look() -> None:
        over = [pk for pk in ids if not _left.rows(campaign_id=pk)]
        if over:
            now = timezone.now()
            running = Campaign.objects.unfinished().filter(
                pk__in=over, status=CampaignStatus.RUNNING, next_attempt_at__gt=now
            )
            if running.update(next_attempt_at=now):
                wake("campaigns.send")
        tell_progress(ids)

    transaction.on_commit(look, robust=True)


def tell_progress(campaigns: Collection[int]) -> None:
    """Emit the progress of running campaigns at most once a second, that of finished ones always.

    Progress within that second is emitted with the next one, at the latest at the end. What changes
    after the end is rare: a message that fails late, or that Meta has assessed.
    """
    untold = [pk for pk in campaigns if cache.add(f"campaign-told:{pk}", True, TOLD_SECONDS)]
    told = Campaign.objects.filter(
        Q(pk__in=untold, status=CampaignStatus.RUNNING)
        | Q(pk__in=campaigns, status=CampaignStatus.FINISHED)
    )
    for campaign in told.select_related(*SHOWN_LINKS):
        events.campaign_updated(campaign)


def settle_overdue(campaign: Campaign, now: datetime) -> None:
    """End recipients who did not answer in time, and those whose message was deleted unsent."""
    recipients = CampaignRecipient.objects.filter(campaign=campaign)
    recipients.filter(
        state=RecipientState.ASKED, confirmation_requested_at__lte=now - ANSWER_TIME
    ).update(state=RecipientState.NOT_CONFIRMED, reason_code="")
    gone = Q(state=RecipientState.QUEUED, message=None) | Q(
        state=RecipientState.ASKING, confirmation_message=None
    )
    recipients.filter(gone).update(
        state=RecipientState.FAILED,
        error_reason=TICKET_GONE,
        reason_code=ReasonCode.TICKET_DELETED,
    )


def is_over(campaign: Campaign) -> bool:
    """Tell whether every recipient has ended."""
    left = CampaignRecipient.objects.filter(campaign=campaign).exclude(state__in=ENDED)
    return not left.exists()
