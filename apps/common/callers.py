"""Who makes a call, and from where."""

from ipaddress import ip_address
from typing import TYPE_CHECKING, cast

from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

if TYPE_CHECKING:
    # What AUTH_USER_MODEL names, which this app stands too low to import.
    from django.contrib.auth.models import _User as User


def caller_of(request: Request | HttpRequest) -> "User":
    """Return the signed-in user, for calls that ask for a role (`config.access`)."""
    return cast("User", request.user)


def client_address(request: Request | HttpRequest) -> str | None:
    """Return the caller's IP address, None when it is unknown.

    `X-Forwarded-For` counts only behind as many proxies as the operator declared (`NUM_PROXIES`).
    """
    text = BaseThrottle().get_ident(request) or ""  # type: ignore[arg-type]
    try:
        return str(ip_address(text.strip()))
    except ValueError:
        return None
