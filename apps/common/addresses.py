"""Where a request comes from."""

from ipaddress import ip_address

from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle


def client_address(request: Request | HttpRequest) -> str | None:
    """Return the caller's IP address, None when it is unknown.

    `X-Forwarded-For` counts only behind as many proxies as the operator declared (`NUM_PROXIES`).
    """
    text = BaseThrottle().get_ident(request) or ""  # type: ignore[arg-type]
    try:
        return str(ip_address(text.strip()))
    except ValueError:
        return None
