"""Readable names for the device and the place of a sign-in (rules/accounts §10)."""

from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import maxminddb
from django.conf import settings

# The longest User-Agent header that is read, in characters.
LONGEST_DEVICE = 300


def device_name(user_agent: str) -> str:
    """Return the browser and the operating system, such as 'Chrome, Windows', as far as known."""
    import ua_parser  # noqa: PLC0415  large, so imported at the first sign-in

    parsed = ua_parser.parse(user_agent[:LONGEST_DEVICE])
    found = (parsed.user_agent, parsed.os)
    return ", ".join(part.family for part in found if part is not None)


@cache
def _places(path: str) -> maxminddb.Reader:
    return maxminddb.open_database(path)


def place_name(address: str | None, language: str) -> str:
    """Return the place of an IP address, such as 'Campinas, Brasil', from `GEOIP_DATABASE`.

    Returns '' when the file is missing or does not contain the address. The file has MaxMind's
    format, which several vendors publish (docs/operator-guide.md, 'Sign-ins').
    """
    path = settings.GEOIP_DATABASE
    if not address or not path or not Path(path).is_file():
        return ""
    if not ip_address(address).is_global:
        return ""
    found: Any = _places(path).get(address)
    if not isinstance(found, dict):
        return ""
    names = [_named(found.get(part), language) for part in ("city", "country")]
    return ", ".join(name for name in names if name)


def _named(part: Any, language: str) -> str:
    """Return a place's name in a language, or else in English, or else its code: some files have
    codes only.
    """
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    names = part.get("names") or {}
    wanted = {"pt": "pt-BR"}.get(language, language)
    return str(names.get(wanted) or names.get("en") or part.get("iso_code") or "")
