from apps.campaigns.models import Campaign
from apps.campaigns.queries.campaigns import campaigns_of
from apps.common.errors import NotFound


class CampaignNotFound(NotFound):
    """The company has no such campaign."""

    code = "ERR_NO_CAMPAIGN_FOUND"
    message = "Campanha não encontrada."


def get_campaign(company_id: int, campaign_id: int) -> Campaign:
    """Return the company's campaign; raises CampaignNotFound."""
    found = campaigns_of(company_id).filter(pk=campaign_id).first()
    if found is None:
        raise CampaignNotFound
    return found


def locked_campaign(company_id: int, campaign_id: int) -> Campaign:
    """Return the company's campaign, locked until commit; raises CampaignNotFound."""
    rows = campaigns_of(company_id).select_for_update(of=("self",), no_key=True)
    found = rows.filter(pk=campaign_id).first()
    if found is None:
        raise CampaignNotFound
    return found
