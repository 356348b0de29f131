"""Reading of environment variables for the settings module."""

import ipaddress
import os
import re
from typing import Any

import dj_database_url

from config.variables import NAMES

DATABASE_SCHEMES = ("postgres", "postgresql", "sqlite")


class Misconfigured(SystemExit):
    """A sentence for the operator about an invalid variable; it is printed without a traceback."""


def env(name: str, default: str = "") -> str:
    """Return the variable's text; an empty one counts as unset.

    Raises LookupError for a name that config/variables.py does not have.
    """
    if name not in NAMES:
        raise LookupError(f"{name} is not in config/variables.py")
    return os.environ.get(name, "") or default


def env_bool(name: str, *, default: bool) -> bool:
    """Return the variable as a switch: 1, true, yes and on are on; any other text is off."""
    text = env(name)
    return text.lower() in {"1", "true", "yes", "on"} if text else default


def env_choice(name: str, default: str, *others: str) -> str:
    """Return the variable as one of the words that it may be; raises Misconfigured for another."""
    text = env(name, default)
    if text not in (default, *others):
        words = ", ".join((default, *others))
        raise Misconfigured(f"{name} is {text}, but has to be one of these: {words}.")
    return text


def env_int(name: str, default: int) -> int:
    """Return the variable as a whole number; raises Misconfigured when it is none."""
    text = env(name, str(default))
    try:
        return int(text)
    except ValueError:
        raise Misconfigured(f"{name} is {text}, but has to be a whole number.") from None


def env_share(name: str, default: float) -> float:
    """Return the variable as a share, 0 to 1; raises Misconfigured when it is none."""
    text = env(name, str(default))
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise Misconfigured(f"{name} is {text}, but has to be a number from 0 to 1.")
    return share


def env_database(name: str, default: str) -> dict[str, Any]:
    """Return Django's description of the database at a URL; raises Misconfigured for another text.

    The text is not repeated: it may hold a password.
    """
    url = env(name, default)
    try:
        if url.partition(":")[0] not in DATABASE_SCHEMES:
            raise ValueError(url)
        return dict(dj_database_url.parse(url, conn_max_age=600))
    except ValueError:
        raise Misconfigured(
            f"{name} is not the address of a database. Set it to"
            " postgres://user:password@host:5432/name, with special characters of the password"
            " written as in URLs (%40 for @), or leave it out to use SQLite in DATA_DIR."
        ) from None


def env_targets(name: str, default: str) -> list[str]:
    """Return networks and hosts, or `*` for a switch that is on.

    Raises Misconfigured for an entry that is neither.
    """
    if env(name).lower() in {"0", "false", "no", "off"}:
        return []
    if env_bool(name, default=False):
        return ["*"]
    entries = env_list(name) or default.split()
    for entry in entries:
        try:
            ipaddress.ip_network(entry, strict=False)
        except ValueError:
            if re.fullmatch(r"(?=.*[A-Za-z])[\w.-]+", entry) is None:
                raise Misconfigured(
                    f"{name} has {entry}, which is neither a network (10.1.0.0/16), nor an"
                    " address, nor the name of a host."
                ) from None
    return entries


def env_networks(name: str) -> list[str]:
    """Return addresses and networks, `unix` among them for a socket of this machine.

    Raises Misconfigured for another entry.
    """
    entries = env_list(name)
    for entry in entries:
        try:
            if entry != "unix":
                ipaddress.ip_network(entry)
        except ValueError:
            raise Misconfigured(
                f"{name} has {entry}, which is neither an address (127.0.0.1) nor a network"
                " (10.1.0.0/16)."
            ) from None
    return entries


def env_list(name: str) -> list[str]:
    """Return the variable's comma-separated parts without blanks."""
    return [part.strip() for part in env(name).split(",") if part.strip()]
