"""Reads reports about an account: locked, restricted, removed, restored.

developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/account_update
"""

from datetime import datetime
from typing import Any

from apps.common.reasons import NO_REASON, Reason, ReasonCode
from apps.connections.providers.inbound import (
    AccountState,
    AlertSeverity,
    InboundAccount,
    ProviderAlert,
)
from apps.connections.providers.official.values import as_dict, as_list, as_text, moment_of

REMOVED = frozenset({"PARTNER_REMOVED", "PARTNER_APP_UNINSTALLED", "ACCOUNT_OFFBOARDED"})
BACK = frozenset({"PARTNER_ADDED", "PARTNER_APP_INSTALLED", "ACCOUNT_RECONNECTED"})
# Restrictions of an account, and Meta's words for other violations. A reinstated account has none;
# one that only regained access may still have some.
RESTRICTIONS = (
    "RESTRICTED_ADD_PHONE_NUMBER_ACTION",
    "RESTRICTED_BIZ_INITIATED_AND_USER_INITIATED_CALLING",
    "RESTRICTED_BIZ_INITIATED_MESSAGING",
    "RESTRICTED_BUSINESS_INITIATED_CALLING",
    "RESTRICTED_CUSTOMER_INITIATED_MESSAGING",
    "RESTRICTED_DIRECT_SEND_UTILITY_TEMPLATES",
    "RESTRICTED_USER_INITIATED_CALLING",
    "RESTRICTED_USER_INITIATED_CALLING_CALL_BUTTON_HIDDEN",
    "RESTRICTED_UTILITY_TEMPLATES",
)
SOON_LOCKED, RESTRICTED, VIOLATION = "DISABLED_UPDATE", "ACCOUNT_RESTRICTION", "ACCOUNT_VIOLATION"
ENDED = tuple(
    ProviderAlert(kind, is_over=True)
    for kind in (*RESTRICTIONS, SOON_LOCKED, RESTRICTED, VIOLATION)
)
# Meta lifts a restriction of utility texts with a report of a violation without any restriction:
# documentation/business-messaging/whatsapp/direct-send/integrity-and-content-guidelines.
DIRECT_SEND_LIFTED = (
    "DIRECT_SEND_UTILITY_CATEGORY_ABUSE_UNBAN",
    "DIRECT_SEND_UTILITY_CATEGORY_ABUSE_RATE_LIMIT_RECOVERY",
)
DIRECT_SEND_ENDED = (ProviderAlert("RESTRICTED_DIRECT_SEND_UTILITY_TEMPLATES", is_over=True),)
MOST_RESTRICTIONS = 10
KIND_LENGTH = 60
SENTENCES = {
    ReasonCode.ACCOUNT_LOCKED: "A conta do WhatsApp Business está bloqueada pela Meta.",
    ReasonCode.ACCOUNT_LOCK_AHEAD: "A Meta vai bloquear a conta do WhatsApp Business.",
    ReasonCode.ACCOUNT_DELETED: "A conta do WhatsApp Business foi excluída na Meta.",
    ReasonCode.ACCESS_REMOVED: "O acesso à conta do WhatsApp Business foi retirado na Meta.",
    ReasonCode.ACCOUNT_RESTRICTED: "A Meta restringiu a conta do WhatsApp Business.",
}


def read_account(payload: dict[str, Any]) -> InboundAccount | None:
    """Read an `account_update`; None if it does not affect the account's numbers."""
    value = as_dict(payload.get("value"))
    event = as_text(value.get("event"))
    ban = as_text(as_dict(value.get("ban_info")).get("waba_ban_state"))
    is_reinstated = (event, ban) == ("DISABLED_UPDATE", "REINSTATE")
    is_lifted = event == RESTRICTED and _violated(value).startswith(DIRECT_SEND_LIFTED)
    if event in BACK or is_reinstated or is_lifted:
        found = (AccountState.BACK, NO_REASON)
    elif event == "DISABLED_UPDATE" and ban == "SCHEDULE_FOR_DISABLE":
        found = (AccountState.RESTRICTED, Reason(ReasonCode.ACCOUNT_LOCK_AHEAD))
    elif event == "DISABLED_UPDATE" and ban == "DISABLE":
        found = (AccountState.LOST, Reason(ReasonCode.ACCOUNT_LOCKED))
    elif event == "ACCOUNT_DELETED":
        found = (AccountState.LOST, Reason(ReasonCode.ACCOUNT_DELETED))
    elif event in REMOVED:
        found = (AccountState.LOST, Reason(ReasonCode.ACCESS_REMOVED))
    elif event == "MM_LITE_TERMS_SIGNED":
        found = (AccountState.MARKETING_TERMS, NO_REASON)
    elif event in {RESTRICTED, VIOLATION}:
        reason = Reason(ReasonCode.ACCOUNT_RESTRICTED, _restrictions(value))
        found = (AccountState.RESTRICTED, reason)
    else:
        return None
    state, reason = found
    sentence = SENTENCES.get(ReasonCode(reason.code), "") if reason.code else ""
    alerts = ENDED if is_reinstated else DIRECT_SEND_ENDED if is_lifted else ()
    if state == AccountState.RESTRICTED:
        alerts = _restricted(value) or (
            ProviderAlert(event, AlertSeverity.CRITICAL, _violated(value)),
        )
    return InboundAccount(state, reason, sentence, moment_of(payload.get("time")), alerts)


def _restrictions(value: dict[str, Any]) -> str:
    """Name, in Meta's words, what is restricted or what was violated."""
    kinds = [each.kind for each in _restricted(value)]
    return ", ".join(filter(None, [*kinds, _violated(value)]))


def _violated(value: dict[str, Any]) -> str:
    return as_text(as_dict(value.get("violation_info")).get("violation_type"))[:KIND_LENGTH]


def _restricted(value: dict[str, Any]) -> tuple[ProviderAlert, ...]:
    """Return the restrictions, each with its end."""
    found = {}
    for each in as_list(value.get("restriction_info"))[:MOST_RESTRICTIONS]:
        kind = as_text(as_dict(each).get("restriction_type")).upper()[:KIND_LENGTH]
        if kind:
            until = _end_of(as_dict(each).get("expiration"))
            found[kind] = ProviderAlert(kind, AlertSeverity.CRITICAL, until=until)
    return tuple(found.values())


def _end_of(value: Any) -> datetime | None:
    """Read a restriction's end, which Meta writes in seconds or as a date with its time."""
    try:
        written = datetime.fromisoformat(as_text(value))
    except ValueError:
        return moment_of(value)
    return moment_of(int(written.timestamp())) if written.tzinfo else None
