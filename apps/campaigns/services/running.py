"""Starting a campaign by hand, cancelling and restarting it (rules/campaigns §2)."""

from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.billing.services import require_feature
from apps.campaigns import events
from apps.campaigns.models import (
    IN_OUTBOX,
    Campaign,
    CampaignRecipient,
    CampaignStatus,
    RecipientState,
)
from apps.campaigns.services.completeness import require_complete, require_somebody
from apps.campaigns.services.finding import locked_campaign
from apps.campaigns.services.on_their_way import messages_of
from apps.campaigns.services.outcomes import OUTCOME_FIELDS
from apps.campaigns.services.starting import first_send
from apps.common.bulk import update_rows
from apps.common.errors import DomainError
from apps.common.reasons import Reason, ReasonCode
from apps.common.wakeups import wake
from apps.tickets.services.outbox import hold_back, withdraw

CANCELLED = "A campanha foi cancelada antes deste envio."


class CampaignNotRunning(DomainError):
    """Only a planned or running campaign can be cancelled."""

    status = 409
    code = "ERR_CAMPAIGN_NOT_RUNNING"
    message = "Só uma campanha programada ou em andamento pode ser cancelada."


class CampaignNotCancelled(DomainError):
    """Only a cancelled campaign can be restarted."""

    status = 409
    code = "ERR_CAMPAIGN_NOT_CANCELLED"
    message = "Só uma campanha cancelada pode ser reiniciada."


class CampaignStarted(DomainError):
    """A campaign can be started only once."""

    status = 409
    code = "ERR_CAMPAIGN_STARTED"
    message = "Esta campanha já começou."


def start_now(*, user: User, campaign_id: int) -> Campaign:
    """Start a campaign at once, whatever its time is.

    Raises CampaignNotFound, CampaignStarted, PlanFeatureMissing and what `require_complete` and
    `require_somebody` raise.
    """
    with transaction.atomic():
        campaign = locked_campaign(user.company_id, campaign_id)
        if campaign.status not in (CampaignStatus.INACTIVE, CampaignStatus.SCHEDULED):
            raise CampaignStarted
        require_feature(company_id=user.company_id, feature="campaigns")
        require_complete(campaign)
        require_somebody(campaign)
        now = timezone.now()
        campaign.status = CampaignStatus.SCHEDULED
        campaign.scheduled_at = campaign.updated_at = now
        Campaign.objects.filter(pk=campaign.pk).start_over(
            now, status=campaign.status, scheduled_at=now, wait_code="", updated_at=now
        )
        campaign.wait_code = ""
        events.campaign_updated(campaign)
        wake("campaigns.send")
    return campaign


def cancel_campaign(*, user: User, campaign_id: int) -> Campaign:
    """Cancel a campaign: a planned one loses its time, a running one can be restarted.

    A worker that has claimed a planned campaign loses its claim. If the worker starts it first, it
    is cancelled as a running one: messages that no provider was asked to send are withdrawn. Raises
    CampaignNotFound, CampaignNotRunning. Never call it inside a transaction.
    """
    with transaction.atomic():
        campaign = locked_campaign(user.company_id, campaign_id)
        if campaign.status == CampaignStatus.SCHEDULED:
            _take_time_away(campaign)
            return campaign
        if campaign.status != CampaignStatus.RUNNING:
            raise CampaignNotRunning
        # One statement sets status and state: a constraint allows unfinished work only while a
        # campaign is planned or running.
        campaign.updated_at = timezone.now()
        Campaign.objects.filter(pk=campaign.pk).finish(
            status=CampaignStatus.CANCELLED,
            wait_code="",
            template_look_at=None,
            template_looks=0,
            updated_at=campaign.updated_at,
        )
        campaign.status, campaign.wait_code = CampaignStatus.CANCELLED, ""
        events.campaign_updated(campaign)
    # From now on no worker hands over more. Messages are locked before recipients, so this is
    # another transaction; if it fails, the few messages in the outbox are sent.
    with transaction.atomic():
        _take_back(campaign)
    return campaign


def restart_campaign(*, user: User, campaign_id: int) -> Campaign:
    """Restart a cancelled campaign for the recipients who have not ended, with pauses from now.

    Raises CampaignNotFound, CampaignNotCancelled, PlanFeatureMissing and what `require_complete`
    raises.
    """
    with transaction.atomic():
        campaign = locked_campaign(user.company_id, campaign_id)
        if campaign.status != CampaignStatus.CANCELLED:
            raise CampaignNotCancelled
        require_feature(company_id=user.company_id, feature="campaigns")
        require_complete(campaign, is_fixed=True)
        campaign.status, campaign.steps_count = CampaignStatus.RUNNING, 0
        campaign.wait_code, campaign.updated_at = "", timezone.now()
        campaign.next_send_at = first_send(campaign, campaign.updated_at)
        Campaign.objects.filter(pk=campaign.pk).start_over(
            campaign.next_send_at,
            status=campaign.status,
            steps_count=0,
            next_send_at=campaign.next_send_at,
            completed_at=None,
            wait_code="",
            updated_at=campaign.updated_at,
        )
        events.campaign_updated(campaign)
        wake("campaigns.send")
    return campaign


def _take_time_away(campaign: Campaign) -> None:
    campaign.status, campaign.scheduled_at = CampaignStatus.INACTIVE, None
    campaign.wait_code, campaign.updated_at = "", timezone.now()
    Campaign.objects.filter(pk=campaign.pk).finish(
        status=campaign.status, scheduled_at=None, wait_code="", updated_at=campaign.updated_at
    )
    events.campaign_updated(campaign)


def _take_back(campaign: Campaign) -> None:
    """Withdraw recipients none of whose messages has left the outbox; a restart writes to them."""
    on_their_way = CampaignRecipient.objects.filter(campaign=campaign, state__in=IN_OUTBOX)
    messages = messages_of(on_their_way.order_by("pk"))
    held = hold_back([pk for ids in messages.values() for pk in ids])
    # If the first of several messages has left, the others are sent too.
    back = [each for each, ids in messages.items() if ids and held.issuperset(ids)]
    withdrawn = [pk for each in back for pk in messages[each]]
    withdraw(withdrawn, sentence=CANCELLED, reason=Reason(ReasonCode.CAMPAIGN_CANCELLED))
    for recipient in back:
        recipient.message = None
        if recipient.state == RecipientState.ASKING:
            recipient.confirmation_message = None
        recipient.state = RecipientState.PENDING
        if recipient.confirmed_at is not None:
            recipient.state = RecipientState.CONFIRMED
    # `withdraw` recorded failures at the recipients: restore what was there before.
    update_rows(back, ["state", "message", "confirmation_message", *OUTCOME_FIELDS])
