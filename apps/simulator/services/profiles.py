"""Business profiles of the simulated numbers.

developers.facebook.com/documentation/business-messaging/whatsapp/business-profiles
"""

from typing import Any

from django.conf import settings

from apps.simulator.graph import errors
from apps.simulator.models import SimNumber
from apps.simulator.services.media import file_of_handle

LONGEST = {"about": 139, "address": 256, "description": 512, "email": 128}
MOST_SITES, LONGEST_SITE = 2, 256
VERTICALS = frozenset(
    {
        *("UNDEFINED", "OTHER", "AUTO", "BEAUTY", "APPAREL"),
        *("EDU", "ENTERTAIN", "EVENT_PLAN", "FINANCE", "GROCERY"),
        *("GOVT", "HOTEL", "HEALTH", "NONPROFIT", "PROF_SERVICES"),
        *("RETAIL", "TRAVEL", "RESTAURANT", "NOT_A_BIZ"),
    }
)


def profile_row(number: SimNumber, fields: list[str]) -> dict[str, Any]:
    """Return the requested fields of a number's profile; empty ones are left out."""
    kept: dict[str, Any] = number.profile
    shown = {name: kept[name] for name in fields if kept.get(name)}
    if "profile_picture_url" in fields and kept.get("picture"):
        shown["profile_picture_url"] = f"{settings.PUBLIC_URL}/simulator/media/{kept['picture']}"
    return {**shown, "messaging_product": "whatsapp"}


def change_profile(number: SimNumber, body: dict[str, Any]) -> None:
    """Change the fields that `body` contains; raises GraphError like Meta."""
    if body.get("messaging_product") != "whatsapp":
        raise errors.missing("messaging_product")
    changes: dict[str, Any] = {}
    for name, longest in LONGEST.items():
        if name in body:
            changes[name] = _text(name, body[name], longest)
    if changes.get("about") == "":
        raise errors.invalid("Param about cannot be empty.")
    if "vertical" in body:
        if body["vertical"] not in ("", *VERTICALS):
            raise errors.invalid(f"Param vertical must be one of {{{', '.join(VERTICALS)}}}.")
        changes["vertical"] = body["vertical"]
    if "websites" in body:
        sites = body["websites"]
        if not isinstance(sites, list) or len(sites) > MOST_SITES:
            raise errors.invalid(f"Param websites must have at most {MOST_SITES} elements.")
        changes["websites"] = [_text("websites", site, LONGEST_SITE) for site in sites]
    if "profile_picture_handle" in body:
        picture = file_of_handle(body["profile_picture_handle"])
        if picture is None or not picture.mime.startswith("image/"):
            raise errors.invalid("Param profile_picture_handle is not a valid handle.")
        changes["picture"] = picture.media_id
    number.profile = {**number.profile, **changes}
    number.save(update_fields=["profile"])


def _text(name: str, value: object, longest: int) -> str:
    if not isinstance(value, str) or len(value) > longest:
        raise errors.invalid(f"Param {name} must be a string of at most {longest} characters.")
    return value
