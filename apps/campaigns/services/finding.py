from apps.campaigns.models import Campaign
from apps.campaigns.queries.campaigns import campaigns_of, ended_campaign
from apps.common.errors import NotFound


class CampaignNotFound(NotFound):
    """The company has no such campaign."""

    code = "ERR_NO_CAMPAIGN_FOUND"
    message = "Campanha não encontrada."


def get_campaign(company_id: int, campaign_id: int) -> Campaign:
    """Return the company's campaign; raises CampaignNotFound."""
    return _checked(campaigns_of(company_id).filter(pk=campaign_id).first())


def get_reported_campaign(company_id: int, campaign_id: int) -> Campaign:
    """Return the company's campaign for its report; raises CampaignNotFound."""
    return ended_campaign(company_id, campaign_id) or get_campaign(company_id, campaign_id)


def _checked(found: Campaign | None) -> Campaign:
    if found is None:
        raise CampaignNotFound
    return found


def locked_campaign(company_id: int, campaign_id: int) -> Campaign:
    """Return the company's campaign, locked until commit; raises CampaignNotFound."""
    rows = campaigns_of(company_id).select_for_update(of=("self",), no_key=True)
    return _checked(rows.filter(pk=campaign_id).first())
