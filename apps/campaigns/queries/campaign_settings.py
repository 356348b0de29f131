"""A company's settings of its campaigns (rules/campaigns §3)."""

from collections.abc import Mapping
from datetime import time
from typing import Any
from zoneinfo import ZoneInfo

from apps.campaigns.models import CampaignSetting
from apps.campaigns.pacing import Hours, Pace
from apps.companies.queries import settings_of

DEFAULTS: dict[str, Any] = {
    "messageInterval": 20,
    "longerIntervalAfter": 20,
    "greaterInterval": 60,
    "variables": [],
}


def campaign_settings_of(company_id: int) -> dict[str, Any]:
    """Return all settings of a company's campaigns, with defaults for those never changed."""
    stored = CampaignSetting.objects.for_company(company_id).filter(key__in=DEFAULTS)
    return {**DEFAULTS, **dict(stored.values_list("key", "value"))}


def pace_of(settings: Mapping[str, Any]) -> Pace:
    """Return the intervals of the settings."""
    return Pace(
        message_interval=settings["messageInterval"],
        longer_interval_after=settings["longerIntervalAfter"],
        greater_interval=settings["greaterInterval"],
    )


def hours_of(company_id: int) -> Hours | None:
    """Return the sending hours in the company's zone, or None if campaigns write at any hour."""
    settings = settings_of(company_id)
    opens, _, closes = settings["campaignSendingHours"].partition("-")
    if opens == closes:  # both are empty by default
        return None
    zone = ZoneInfo(settings["timeZone"])
    return Hours(time.fromisoformat(opens), time.fromisoformat(closes), zone)


def variables_of(settings: Mapping[str, Any]) -> dict[str, str]:
    """Return the company's own variables by their keys."""
    return {each["key"]: each["value"] for each in settings["variables"]}
