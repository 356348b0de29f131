"""Who wants no more marketing messages, or wants them again.

developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/user_preferences
"""

from typing import Any

from apps.connections.providers.inbound import InboundPreferences, MarketingPreference
from apps.connections.providers.official.values import as_dict, as_list, as_text, person

FIELD = "user_preferences"
MARKETING = "marketing_messages"
WANTED = {"stop": False, "resume": True}


def read_preferences(payload: dict[str, Any]) -> InboundPreferences | None:
    """Return what people say of marketing messages; None where it is about something else."""
    found = []
    for each in map(as_dict, as_list(as_dict(payload.get("value")).get(FIELD))):
        number, lid = person(each, ("wa_id",), ("user_id",))
        wants = WANTED.get(as_text(each.get("value")).lower())
        if wants is None or each.get("category") != MARKETING or not (number or lid):
            continue
        found.append(MarketingPreference(number=number, lid=lid, wants=wants))
    return InboundPreferences(tuple(found)) if found else None
