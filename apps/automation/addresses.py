"""The password in an integration's address: a secret like any other (rules/automation §6)."""

import re
from typing import NamedTuple

from apps.common.encryption import MASK

_ADDRESS = re.compile(r"(?P<scheme>[^:/?#]+://)(?P<authority>[^/?#]*)(?P<rest>.*)", re.DOTALL)


class PasswordMissing(Exception):
    """The mask stands for the password of another place."""


class _Parts(NamedTuple):
    # Scheme, user and host: whom the password is for.
    place: tuple[str, str, str]
    password: str
    rest: str


def masked_address(url: str) -> str:
    """Return an address as everybody may see it."""
    parts = _parts(url)
    return _joined(parts, MASK) if parts.password else url


def with_stored_password(url: str, stored: str) -> str:
    """Return an address with the stored one's password in the place of its mask.

    Whoever may change the address must not be told the password by sending it to a server of
    theirs: raises PasswordMissing unless scheme, user and host are the stored ones.
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
