"""How a number presents itself to who opens its profile in WhatsApp.

developers.facebook.com/documentation/business-messaging/whatsapp/business-profiles: about, address,
description, e-mail, category, sites and picture. Hours are not among them: they are of the app.
"""

from typing import Any

from apps.connections.providers.content import BusinessProfile
from apps.connections.providers.official.client import GraphClient
from apps.connections.providers.official.paging import rows_of
from apps.connections.providers.official.values import as_text

FIELDS = "about,address,description,email,profile_picture_url,websites,vertical"
# Meta's words for an empty category.
NO_VERTICAL = frozenset({"UNDEFINED", "NOT_A_BIZ"})


def read_profile(client: GraphClient, phone_number_id: str) -> BusinessProfile:
    """Read a number's profile; missing fields are empty."""
    answer = client.get(f"{phone_number_id}/whatsapp_business_profile", fields=FIELDS)
    found: dict[str, Any] = next(iter(rows_of(answer)), {})
    sites = found.get("websites")
    vertical = as_text(found.get("vertical")).upper()
    return BusinessProfile(
        about=as_text(found.get("about")),
        address=as_text(found.get("address")),
        description=as_text(found.get("description")),
        email=as_text(found.get("email")),
        vertical="" if vertical in NO_VERTICAL else vertical,
        websites=tuple(map(as_text, sites if isinstance(sites, list) else ())),
        picture_url=as_text(found.get("profile_picture_url")),
    )


def write_profile(client: GraphClient, phone_number_id: str, changes: dict[str, Any]) -> None:
    """Change the given fields, by Meta's names; the others stay."""
    path = f"{phone_number_id}/whatsapp_business_profile"
    client.post(path, {"messaging_product": "whatsapp", **changes})
