"""Campaigns whose template Meta does not let go wait, and nobody is lost (rules/campaigns §5).

A campaign learns it from a refused send, from Meta's report about the template, or before a
handover. It then hands nothing over, its templates in the outbox wait as well, and it looks at the
template at growing intervals until Meta has approved it again.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.accounts.permissions import Permission
from apps.accounts.queries import users_who_may
from apps.campaigns import events
from apps.campaigns.models import IN_OUTBOX, Campaign, CampaignRecipient, CampaignStatus
from apps.campaigns.queries.campaigns import SHOWN_LINKS
from apps.campaigns.services.handover import Run
from apps.common.bulk import update_rows
from apps.common.leases import LeasedQuerySet, LeaseState
from apps.common.reasons import ReasonCode
from apps.common.wakeups import wake
from apps.connections.models import Connection
from apps.connections.providers.base import ProviderError
from apps.connections.providers.inbound import InboundTemplate, TemplateNews
from apps.connections.services import (
    TemplateDisabled,
    TemplateNotApproved,
    TemplatePaused,
    forget_templates,
)
from apps.mail.services import write_mail
from apps.tickets.events import messages_and_tickets_updated
from apps.tickets.models import Ack, Delivery, DeliveryKind, MediaType, Message, MessageSource

FIRST_LOOK, LONGEST_LOOK = timedelta(minutes=1), timedelta(minutes=30)
# The templates of a held campaign leave when it has seen the template approved; this is for one
# that never looks again. Meta pauses for three hours, then for six.
OUTBOX_WAITS = timedelta(hours=6)
# What Meta says of a template, or of its account, that passes or that people mend.
WORDS = {
    "PAUSED": ReasonCode.TEMPLATE_PAUSED,
    "DISABLED": ReasonCode.TEMPLATE_DISABLED,
}
HOLDING = (*WORDS.values(), ReasonCode.MARKETING_TERMS)


def keep_refused(delivery: Delivery, error: ProviderError) -> None:
    """Keep a running campaign's template that Meta refused to send, and hold the campaign."""
    message = delivery.message
    if error.reason.code not in HOLDING or message.source != MessageSource.CAMPAIGN:
        return
    sent_to = CampaignRecipient.objects.filter(
        Q(message=message) | Q(confirmation_message=message), state__in=IN_OUTBOX
    )
    campaign_id = sent_to.values_list("campaign", flat=True).first()
    if campaign_id is None or not _running().filter(pk=campaign_id).exists():
        return
    now = timezone.now()
    # Before the campaign reads the list: it may still have the template as approved.
    forget_templates(delivery.connection.waba_id)
    hold(campaign_id, ReasonCode(error.reason.code), now)
    delivery.next_attempt_at = now + OUTBOX_WAITS


def hear_of_template(connection: Connection, news: InboundTemplate) -> None:
    """Hold the campaigns whose template Meta has paused or disabled; look at it after other news.

    Call it in a transaction.
    """
    if news.news != TemplateNews.STATUS:
        return
    using = _running().filter(
        connection__waba_id=connection.waba_id,
        connection__verified_at__isnull=False,
        template_name=news.name,
        template_language=news.language,
    )
    now = timezone.now()
    if code := WORDS.get(news.value):
        for campaign_id in using.values_list("pk", flat=True):
            hold(campaign_id, code, now)
    elif using.filter(template_look_at__gt=now).update(template_look_at=now, next_attempt_at=now):
        wake("campaigns.send")


def look_at_template(run: Run, now: datetime) -> tuple[datetime, str] | None:
    """Return until when the template of a campaign keeps it and why; None if it may go on.

    Asks Meta about the template of a held campaign whose look is due, and releases the campaign
    and its outbox if it is approved. Raises what `find_template` and `with_usable_files` do, but
    for a template that is paused or disabled. Never call it inside a transaction.
    """
    campaign = run.campaign
    if campaign.template_look_at is not None and campaign.template_look_at > now:
        return campaign.template_look_at, campaign.wait_code or ReasonCode.TEMPLATE_PAUSED
    try:
        _ = run.template
    except TemplateNotApproved as error:
        if campaign.template_look_at is None and not isinstance(
            error, TemplatePaused | TemplateDisabled
        ):
            raise
        code = ReasonCode.TEMPLATE_UNKNOWN
        if isinstance(error, TemplatePaused):
            code = ReasonCode.TEMPLATE_PAUSED
        elif isinstance(error, TemplateDisabled):
            code = ReasonCode.TEMPLATE_DISABLED
        return hold(campaign.pk, code, now), code
    if campaign.template_look_at is not None:
        _release(campaign)
    return None


def hold(campaign_id: int, code: ReasonCode, now: datetime) -> datetime:
    """Have a running campaign and its templates in the outbox wait; return when it looks again.

    The first hold is told to the company's admins by e-mail.
    """
    with transaction.atomic():
        rows = _running().select_for_update(of=("self",), no_key=True)
        campaign = rows.select_related(*SHOWN_LINKS).filter(pk=campaign_id).first()
        if campaign is None:
            return now
        known = campaign.template_look_at
        if known is not None and known > now and campaign.wait_code == code:
            look_at = known
        else:
            look_at = now + min(FIRST_LOOK * 2**campaign.template_looks, LONGEST_LOOK)
            campaign.template_looks = min(campaign.template_looks + 1, 10)
            is_first = campaign.template_looks == 1
            campaign.template_look_at, campaign.wait_code = look_at, code
            campaign.save(update_fields=["template_look_at", "template_looks", "wait_code"])
            events.campaign_updated(campaign)
            if is_first:
                _tell_people(campaign, code)
    # Messages are locked before recipients and deliveries, so not with the campaign.
    with transaction.atomic():
        _hold_outbox(campaign_id, code, now)
    return look_at


def _running() -> "LeasedQuerySet[Campaign]":
    return Campaign.objects.unfinished().filter(status=CampaignStatus.RUNNING)


def _sends_of(campaign_id: int) -> "LeasedQuerySet[Delivery]":
    """Return the templates of a campaign that wait in the outbox."""
    standing = CampaignRecipient.objects.filter(campaign=campaign_id, state__in=IN_OUTBOX)
    return Delivery.objects.unfinished().filter(
        message__in=standing.values("first_message_pk"),
        message__media_type=MediaType.TEMPLATE,
        kind=DeliveryKind.SEND,
        state=LeaseState.WAITING,
    )


def _hold_outbox(campaign_id: int, code: ReasonCode, now: datetime) -> None:
    due = _sends_of(campaign_id).filter(next_attempt_at__lt=now + OUTBOX_WAITS / 2)
    ids = set(due.values_list("message_id", flat=True))
    if not ids:
        return
    rows = Message.objects.select_for_update(of=("self",), no_key=True).select_related("ticket")
    messages = list(rows.filter(pk__in=ids, ack=Ack.PENDING).order_by("pk"))
    held = Delivery.objects.unfinished().filter(
        message__in=[each.pk for each in messages],
        kind=DeliveryKind.SEND,
        state=LeaseState.WAITING,
    )
    # With sending hours that are over they block no later row of their conversations.
    held.retry_later(now + OUTBOX_WAITS, "", leaves_until=now)
    for message in messages:
        message.reason_code, message.updated_at = code, now
    update_rows(messages, ["reason_code", "updated_at"])
    messages_and_tickets_updated(messages)


def _release(campaign: Campaign) -> None:
    """Let a held campaign go on, and its templates leave the outbox."""
    campaign.template_look_at = None
    _running().filter(pk=campaign.pk).update(template_look_at=None)
    if (
        _sends_of(campaign.pk)
        .filter(message__reason_code__in=HOLDING)
        .retry_later(timezone.now(), "")
    ):
        wake("tickets.deliver")


def _tell_people(campaign: Campaign, code: ReasonCode) -> None:
    for user in users_who_may(campaign.company_id, Permission.CAMPAIGNS):
        write_mail(
            company_id=campaign.company_id,
            recipient=user.email,
            template="campaigns/mail/campaign_waits",
            language="",
            name=user.name,
            campaign=campaign.name,
            model=campaign.template_name,
            code=str(code),
        )
