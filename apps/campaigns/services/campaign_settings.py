"""Changing the settings of a company's campaigns (rules/campaigns §3)."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.accounts.models import User
from apps.billing.services import require_feature
from apps.campaigns import events
from apps.campaigns.models import CampaignSetting
from apps.campaigns.queries.campaign_settings import campaign_settings_of


@transaction.atomic
def change_campaign_settings(*, user: User, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Set the given settings and return all; raises PlanFeatureMissing.

    A running campaign applies them from its next message on.
    """
    company_id = user.company_id
    require_feature(company_id=company_id, feature="campaigns")
    before = campaign_settings_of(company_id)
    changed = {key: value for key, value in changes.items() if value != before[key]}
    for key, value in changed.items():
        CampaignSetting.objects.update_or_create(
            company_id=company_id, key=key, defaults={"value": value}
        )
    settings = {**before, **changed}
    events.campaign_settings_updated(company_id=company_id, settings=settings, changed=changed)
    return settings
