"""Who makes a call, and from where."""

import re
from functools import cache
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import TYPE_CHECKING, TypeAlias, cast

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request

if TYPE_CHECKING:
    # For type checkers alone: this app lies below that of the users.
    from apps.accounts import models

    User: TypeAlias = models.User

# Some proxies append the port to the address.
_WITH_PORT = re.compile(r"([\d.]+):\d+|\[(.+)\](?::\d+)?")


def caller_of(request: Request | HttpRequest) -> "User":
    """Return the signed-in user, for calls that ask for a role (`config.access`)."""
    return cast("User", request.user)


def is_own_origin(origin: str, host: str) -> bool:
    """Tell whether pages of an origin are our own: the public address, or the address called."""
    return origin == settings.PUBLIC_URL or (bool(host) and origin.partition("://")[2] == host)


def is_older_browser(request: Request | HttpRequest) -> bool:
    """Tell whether a page of another origin calls (rules/wire §9). The answer must vary by Origin.

    Our own page names no origin when it reads, programs never name one.
    """
    origin = request.headers.get("Origin", "")
    return bool(origin) and not is_own_origin(origin, request.META.get("HTTP_HOST", ""))


def client_address(request: Request | HttpRequest) -> str | None:
    """Return the caller's IP address, None when it is unknown.

    Each proxy appends the address of its client to `X-Forwarded-For`. The header is read from its
    end: an entry is trusted while the proxy that appended it is in `TRUSTED_PROXIES`; anything
    before the first untrusted address may be forged.
    """
    return address_behind(
        request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_X_FORWARDED_FOR", "")
    )


def address_behind(peer: str, forwarded_for: str) -> str | None:
    """Return the client of a peer according to `X-Forwarded-For`, as `client_address` does."""
    client = _address(peer)
    if is_trusted_proxy(peer):
        for hop in reversed(forwarded_for.split(",")):
            address = _address(hop)
            if address is None:
                break
            client = address
            if not is_trusted_proxy(hop):
                break
    return str(client) if client else None


def counted_address(peer: str, forwarded_for: str) -> str:
    """Return the address that a peer's calls count for; "" if they are not counted. An IPv6 client
    counts as its network, whose addresses it can all use. A proxy without `X-Forwarded-For` is not
    counted: all of its clients would be one.
    """
    address = address_behind(peer, forwarded_for)
    if address is None or is_trusted_proxy(address):
        return ""
    return network_of(address)


def network_of(address: str) -> str:
    """Return the address, for IPv6 its /64 network, because each customer line gets a whole /64."""
    if ip_address(address).version == 4:
        return address
    return str(ip_network(f"{address}/64", strict=False))


def preferred_language(request: Request | HttpRequest) -> str:
    """Return the language that the caller prefers, as 'pt'; '' when none is given."""
    first = request.headers.get("Accept-Language", "").partition(",")[0]
    return re.split(r"[-;]", first)[0].strip().lower()


def is_trusted_proxy(peer: str) -> bool:
    """Tell whether an address is one of the operator's proxies; None is a Unix socket."""
    address = _address(peer)
    if address is None:
        return "unix" in settings.TRUSTED_PROXIES
    return any(address in network for network in _networks(tuple(settings.TRUSTED_PROXIES)))


@cache
def _networks(entries: tuple[str, ...]) -> list[IPv4Network | IPv6Network]:
    return [ip_network(entry) for entry in entries if entry != "unix"]


def _address(text: str) -> IPv4Address | IPv6Address | None:
    bare = _WITH_PORT.fullmatch(text.strip())
    try:
        address = ip_address((bare[1] or bare[2]) if bare else text.strip())
    except ValueError:
        return None
    # A dual-stack socket shows IPv4 addresses as mapped IPv6 ones.
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
