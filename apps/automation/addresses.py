"""Masking of the password in an integration's address (rules/automation §6)."""

import re
from typing import NamedTuple

from apps.common.encryption import MASK

_ADDRESS = re.compile(r"(?P<scheme>[^:/?#]+://)(?P<authority>[^/?#]*)(?P<rest>.*)", re.DOTALL)


class PasswordMissing(Exception):
    """The masked password belongs to another scheme, user or host."""


class _Parts(NamedTuple):
    # Scheme, user and host: the password may be sent only there.
    place: tuple[str, str, str]
    password: str
    rest: str


def masked_address(url: str) -> str:
    """Return an address with its password masked."""
    parts = _parts(url)
    return _joined(parts, MASK) if parts.password else url


def with_stored_password(url: str, stored: str) -> str:
    """Return an address in which the stored password replaces the mask.

    Raises PasswordMissing unless scheme, user and host equal the stored ones. Otherwise a user who
    may change the address could have the password sent to a server of their own.
    """
    parts, known = _parts(url), _parts(stored)
    if parts.password != MASK:
        return url
    if not known.password or known.place != parts.place:
        raise PasswordMissing
    return _joined(parts, known.password)


def _parts(url: str) -> _Parts:
    found = _ADDRESS.fullmatch(url)
    if found is None:
        return _Parts(("", "", ""), "", url)
    who, _, host = found["authority"].rpartition("@")
    user, _, password = who.partition(":")
    return _Parts((found["scheme"].lower(), user, host.lower()), password, found["rest"])


def _joined(parts: _Parts, password: str) -> str:
    scheme, user, host = parts.place
    return f"{scheme}{user}:{password}@{host}{parts.rest}"
