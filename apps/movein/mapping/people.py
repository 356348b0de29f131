"""Users, contacts and tags of theirs as ours."""

from datetime import datetime
from typing import Any

from apps.accounts.models import Profile
from apps.contacts.models import NUMBER_LENGTH
from apps.contacts.serializers.tags import DEFAULT_COLOR
from apps.movein.mapping.companies import color_of
from apps.movein.mapping.numbers import address_of
from apps.movein.mapping.values import Remarks, Row, cut, flag, is_email, text, times, whole

MOST_FIELDS = 100
PERSON_NAME_LENGTH, GROUP_NAME_LENGTH = 50, 200


def user_of(row: Row, remarks: Remarks, now: datetime) -> dict[str, Any]:
    """Return a user's fields. The password stays that of the older product."""
    email = text(row.get("email"), 254).strip().lower()
    if not is_email(email):
        remarks.add("email_invalid", email or row.get("name") or row["id"])
        email = f"usuario{row['id']}@importado.invalid"
    hashed = text(row.get("passwordHash"), 200).strip()
    if not hashed.startswith("$2"):
        remarks.add("password_missing", email)
    is_admin = text(row.get("profile")).strip().lower() == "admin"
    return {
        "name": cut(row.get("name"), 50, remarks) or email[:50],
        "email": email,
        # Without a hash of the older product nothing matches until the password is reset.
        "password": f"bcrypt${hashed}" if hashed.startswith("$2") else "!",
        "profile": Profile.ADMIN if is_admin else Profile.USER,
        "is_super": flag(row.get("super")),
        "token_version": 1,
        **times(row, now),
    }


def contact_of(
    row: Row, remarks: Remarks, now: datetime, lids: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Return a contact's fields; `lids` are those that messages of the source came from."""
    address = address_of(row, lids)
    is_group = address.number.endswith("@g.us")
    email = text(row.get("email"), 254).strip()
    if address.lid and address.number.endswith("@lid"):
        remarks.add("number_was_lid", address.lid)
    elif address.canonical.startswith("none:"):
        remarks.add("contact_without_number", row.get("name") or row["id"])
    if flag(row.get("disableBot")):
        remarks.add("disable_bot_lost", row.get("name") or row["id"])
    most = GROUP_NAME_LENGTH if is_group else PERSON_NAME_LENGTH
    return {
        "name": cut(row.get("name"), most, remarks) or address.number[:most] or "…",
        "number": address.number[:NUMBER_LENGTH],
        "canonical_number": address.canonical[:NUMBER_LENGTH],
        "lid": address.lid or None,
        "email": email if is_email(email) else "",
        "is_group": is_group,
        "is_ignored": flag(row.get("ignoreMessages")),
        **times(row, now),
    }


def field_of(row: Row, remarks: Remarks) -> dict[str, str] | None:
    """Return a line of extra info, None for an empty one."""
    name, value = cut(row.get("name"), 100, remarks), text(row.get("value"), 5000)
    return {"name": name or "…", "value": value} if name or value else None


def tag_of(row: Row, remarks: Remarks, now: datetime) -> dict[str, Any]:
    return {
        "name": cut(row.get("name"), 100, remarks) or f"Tag {row['id']}",
        "color": color_of(row.get("color"), DEFAULT_COLOR),
        "is_kanban": whole(row.get("kanban")) == 1,
        **times(row, now),
    }
