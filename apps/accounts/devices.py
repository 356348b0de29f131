"""With what somebody signed in, and from where, in words (rules/accounts §10)."""

from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import maxminddb
import ua_parser
from django.conf import settings

# What a program may call itself.
LONGEST_DEVICE = 300


def device_name(user_agent: str) -> str:
    """Return a browser and its system, as 'Chrome, Windows'; '' for what tells neither."""
    parsed = ua_parser.parse(user_agent[:LONGEST_DEVICE])
    found = (parsed.user_agent, parsed.os)
    return ", ".join(part.family for part in found if part is not None)


@cache
def _places(path: str) -> maxminddb.Reader:
    return maxminddb.open_database(path)


def place_name(address: str | None, language: str) -> str:
    """Return where an address is, as 'Campinas, Brasil', by the operator's `GEOIP_DATABASE`.

    '' where there is no such file, or it does not know the address. The file is MaxMind's format,
    which several publish (docs/operator-guide.md, 'Sign-ins').
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
    """Return a place's name in a language, else in English; some files have codes alone."""
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    names = part.get("names") or {}
    wanted = {"pt": "pt-BR"}.get(language, language)
    return str(names.get(wanted) or names.get("en") or part.get("iso_code") or "")
