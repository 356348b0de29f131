"""What Meta reports of an account: locked, restricted, taken away, given back.

developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/account_update
"""

from typing import Any

from apps.common.reasons import NO_REASON, Reason, ReasonCode
from apps.connections.providers.inbound import AccountState, InboundAccount
from apps.connections.providers.official.reading import as_dict, as_list, as_text, moment_of

REMOVED = frozenset({"PARTNER_REMOVED", "PARTNER_APP_UNINSTALLED", "ACCOUNT_OFFBOARDED"})
BACK = frozenset({"PARTNER_ADDED", "PARTNER_APP_INSTALLED", "ACCOUNT_RECONNECTED"})
SENTENCES = {
    ReasonCode.ACCOUNT_LOCKED: "A conta do WhatsApp Business está bloqueada pela Meta.",
    ReasonCode.ACCOUNT_LOCK_AHEAD: "A Meta vai bloquear a conta do WhatsApp Business.",
    ReasonCode.ACCOUNT_DELETED: "A conta do WhatsApp Business foi excluída na Meta.",
    ReasonCode.ACCESS_REMOVED: "O acesso à conta do WhatsApp Business foi retirado na Meta.",
    ReasonCode.ACCOUNT_RESTRICTED: "A Meta restringiu a conta do WhatsApp Business.",
}


def read_account(payload: dict[str, Any]) -> InboundAccount | None:
    """Return what an `account_update` means for the account's numbers; None for nothing."""
    value = as_dict(payload.get("value"))
    event = as_text(value.get("event"))
    ban = as_text(as_dict(value.get("ban_info")).get("waba_ban_state"))
    if event in BACK or (event, ban) == ("DISABLED_UPDATE", "REINSTATE"):
        found = (AccountState.BACK, NO_REASON)
    elif event == "DISABLED_UPDATE" and ban == "SCHEDULE_FOR_DISABLE":
        found = (AccountState.RESTRICTED, Reason(ReasonCode.ACCOUNT_LOCK_AHEAD))
    elif event == "DISABLED_UPDATE" and ban == "DISABLE":
        found = (AccountState.LOST, Reason(ReasonCode.ACCOUNT_LOCKED))
    elif event == "ACCOUNT_DELETED":
        found = (AccountState.LOST, Reason(ReasonCode.ACCOUNT_DELETED))
    elif event in REMOVED:
        found = (AccountState.LOST, Reason(ReasonCode.ACCESS_REMOVED))
    elif event in {"ACCOUNT_RESTRICTION", "ACCOUNT_VIOLATION"}:
        reason = Reason(ReasonCode.ACCOUNT_RESTRICTED, _restrictions(value))
        found = (AccountState.RESTRICTED, reason)
    else:
        return None
    state, reason = found
    sentence = SENTENCES.get(ReasonCode(reason.code), "") if reason.code else ""
    return InboundAccount(state, reason, sentence, moment_of(payload.get("time")))


def _restrictions(value: dict[str, Any]) -> str:
    """Name, in Meta's words, what is restricted or what was violated."""
    kinds = [
        as_text(as_dict(each).get("restriction_type"))
        for each in as_list(value.get("restriction_info"))
    ]
    kinds.append(as_text(as_dict(value.get("violation_info")).get("violation_type")))
    return ", ".join(filter(None, kinds))
