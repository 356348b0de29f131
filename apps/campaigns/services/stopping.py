"""Stops a campaign whose worker died in each of its attempts (rules/campaigns §4)."""

import logging
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.accounts.permissions import Permission
from apps.accounts.queries import users_who_may
from apps.audit.services import record
from apps.campaigns import events
from apps.campaigns.models import Campaign, CampaignStatus
from apps.campaigns.services.handover import locked_campaign
from apps.common.leases import Claim, WorkerDied
from apps.common.reasons import ReasonCode
from apps.mail.services import write_mail

logger = logging.getLogger(__name__)


@transaction.atomic
def stop_campaign(campaign_id: int, claim: Claim[Campaign], death: WorkerDied) -> None:
    """Cancel a running campaign, or take the time of a planned one; audited.

    Its messages in the outbox are still sent. The company's admins read the reason at the campaign
    and in an e-mail. Raises ClaimLost.
    """
    campaign = locked_campaign(campaign_id, claim)
    changes: dict[str, Any] = {
        "status": CampaignStatus.CANCELLED,
        "wait_code": ReasonCode.INTERNAL,
        "updated_at": timezone.now(),
    }
    if campaign.status == CampaignStatus.SCHEDULED:
        changes |= {"status": CampaignStatus.INACTIVE, "scheduled_at": None}
    claim.fail(campaign, str(death), **changes)
    for name, value in changes.items():
        setattr(campaign, name, value)
    logger.error("Campaign %s is stopped: its worker died in each attempt", campaign_id)
    record(
        action="campaign.stopped",
        actor=None,
        company_id=campaign.company_id,
        target=campaign,
        detail={"name": campaign.name},
    )
    events.campaign_updated(campaign)
    for user in users_who_may(campaign.company_id, Permission.CAMPAIGNS):
        write_mail(
            company_id=campaign.company_id,
            recipient=user.email,
            template="campaigns/mail/campaign_stopped",
            language="",
            name=user.name,
            campaign=campaign.name,
        )
