"""What Meta says of a number's quality and limits, asked for or reported.

developers.facebook.com/documentation/business-messaging/whatsapp/messaging-limits, and below
…/webhooks/reference/: phone_number_quality_update, business_capability_update, account_alerts.
"""

import re
from typing import Any

from apps.connections.providers.inbound import (
    NO_LIMIT,
    AccountOwner,
    AlertSeverity,
    InboundFigures,
    NumberFigures,
    ProviderAlert,
)
from apps.connections.providers.official.client import GraphClient
from apps.connections.providers.official.values import as_dict, as_text, moment_of

FIELDS = "quality_rating,whatsapp_business_manager_messaging_limit"
OWNER_FIELDS = "owner_business_info,business_verification_status"
RATINGS = frozenset({"GREEN", "YELLOW", "RED", "UNKNOWN"})
TIER = re.compile(r"(?:TIER_)?(\d{1,9})(K?)")
# More people than there are; Meta's limits are far below.
MOST_PEOPLE = 10**9
KIND_LENGTH = 60
TEXT_LENGTH = 500
ID_LENGTH, NAME_LENGTH, VERIFICATION_LENGTH = 50, 200, 30
# The events of quality reports beside the limit, and their severity. An event that ends a problem
# withdraws the earlier alert.
QUALITY_EVENTS = {
    "FLAGGED": AlertSeverity.WARNING,
    "DOWNGRADE": AlertSeverity.WARNING,
    "UPGRADE": AlertSeverity.INFORMATIONAL,
    "THROUGHPUT_UPGRADE": AlertSeverity.INFORMATIONAL,
}
ENDS = {"UNFLAGGED": "FLAGGED", "UPGRADE": "DOWNGRADE", "DOWNGRADE": "UPGRADE"}


def number_figures(client: GraphClient, phone_number_id: str) -> NumberFigures:
    """Ask for a number's quality and its limit of new conversations in 24 hours."""
    answer = client.get(phone_number_id, fields=FIELDS)
    return NumberFigures(
        quality=_rating(answer.get("quality_rating")),
        limit=read_limit(answer.get("whatsapp_business_manager_messaging_limit")),
    )


def account_owner(client: GraphClient, waba_id: str) -> AccountOwner:
    """Ask for the business portfolio of an account, and whether Meta has verified the business.

    developers.facebook.com/docs/graph-api/reference/whats-app-business-account
    """
    answer = client.get(waba_id, fields=OWNER_FIELDS)
    owner = as_dict(answer.get("owner_business_info"))
    portfolio = as_text(owner.get("id"))
    verification = as_text(answer.get("business_verification_status")).lower()
    return AccountOwner(
        portfolio_id=portfolio if portfolio.isdecimal() and len(portfolio) <= ID_LENGTH else "",
        name=as_text(owner.get("name"))[:NAME_LENGTH],
        verification=verification[:VERIFICATION_LENGTH],
    )


def _rating(value: Any) -> str:
    rating = as_text(value).upper()
    return rating if rating in RATINGS else ""


def read_limit(value: Any) -> int | None:
    """Return a limit that is a number, its text or the name of a tier; None for anything else."""
    text = as_text(value).strip().upper()
    if text in {"TIER_UNLIMITED", "-1"}:
        return NO_LIMIT
    if text == "TIER_NOT_SET":
        return 0
    found = TIER.fullmatch(text)
    limit = int(found[1]) * (1000 if found[2] else 1) if found else None
    return limit if limit is None or limit <= MOST_PEOPLE else None


def _first_limit(value: dict[str, Any], *names: str) -> int | None:
    limits = (read_limit(value.get(name)) for name in names)
    return next((limit for limit in limits if limit is not None), None)


def read_quality(payload: dict[str, Any]) -> InboundFigures | None:
    """Return what a `phone_number_quality_update` says of the number that it shows."""
    value = as_dict(payload.get("value"))
    event = as_text(value.get("event")).upper()
    number = "".join(filter(str.isdecimal, as_text(value.get("display_phone_number"))))
    alerts = []
    if event in ENDS:
        alerts.append(ProviderAlert(ENDS[event], is_over=True))
    if event in QUALITY_EVENTS:
        alerts.append(ProviderAlert(event, QUALITY_EVENTS[event]))
    # What is unlimited then is how fast the number sends, not to how many.
    limit = (
        None
        if event == "THROUGHPUT_UPGRADE"
        else _first_limit(value, "max_daily_conversations_per_business", "current_limit")
    )
    if not number or (limit is None and not alerts):
        return None
    return InboundFigures(
        number=number, limit=limit, alerts=tuple(alerts), at=moment_of(payload.get("time"))
    )


def read_capability(payload: dict[str, Any]) -> InboundFigures | None:
    """Return what a `business_capability_update` says of all numbers of the account."""
    limit = _first_limit(
        as_dict(payload.get("value")),
        "max_daily_conversations_per_business",
        "max_daily_conversation_per_phone",
    )
    if limit is None:
        return None
    return InboundFigures(limit=limit, at=moment_of(payload.get("time")))


def read_alert(payload: dict[str, Any]) -> InboundFigures | None:
    """Return what an `account_alerts` says, of one number or of all of the account's."""
    value = as_dict(payload.get("value"))
    info = as_dict(value.get("alert_info")) or value
    kind = as_text(info.get("alert_type")).upper()[:KIND_LENGTH]
    if not kind:
        return None
    severity = as_text(info.get("alert_severity")).lower()
    alert = ProviderAlert(
        kind,
        AlertSeverity(severity) if severity in list(AlertSeverity) else AlertSeverity.WARNING,
        as_text(info.get("alert_description"))[:TEXT_LENGTH],
        is_over=as_text(info.get("alert_status")).upper() == "NONE",
    )
    is_of_number = as_text(value.get("entity_type")).upper() == "PHONE_NUMBER"
    return InboundFigures(
        phone_number_id=as_text(value.get("entity_id")) if is_of_number else "",
        alerts=(alert,),
        at=moment_of(payload.get("time")),
    )
