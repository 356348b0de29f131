"""What every request and every answer gets: proxies believed, a policy, a place in the metrics."""

import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from apps.common.callers import is_trusted_proxy
from apps.common.metrics import count_request

Handler = Callable[[HttpRequest], HttpResponseBase]


def content_security_policy(public_url: str) -> str:
    """Return the policy of the application's pages.

    Styles are written into the page by the component library, pictures of contacts come from the
    provider's servers, recordings are played and sent from blobs. `public_url` is named beside
    'self' because the page may be open under another name of the same server.
    """
    socket_url = public_url.replace("http", "ws", 1)
    policy = {
        "default-src": "'self'",
        "script-src": "'self'",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": f"'self' data: blob: https: {public_url}",
        "media-src": f"'self' data: blob: {public_url}",
        "font-src": "'self' data:",
        "connect-src": f"'self' blob: {public_url} {socket_url}",
        "frame-src": f"'self' blob: {public_url}",
        "worker-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in policy.items())


def content_policy(get_response: Handler) -> Handler:
    """Add the content policy to every page that does not bring its own."""
    policy = content_security_policy(settings.PUBLIC_URL)

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if response.headers.get("Content-Type", "").startswith("text/html"):
            response.headers.setdefault("Content-Security-Policy", policy)
        return response

    return middleware


def believe_known_proxies(get_response: Handler) -> Handler:
    """Take X-Forwarded-Proto from the operator's proxies alone (`TRUSTED_PROXIES`)."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        is_said = "HTTP_X_FORWARDED_PROTO" in request.META
        if is_said and not is_trusted_proxy(request.META.get("REMOTE_ADDR", "")):
            del request.META["HTTP_X_FORWARDED_PROTO"]
        return get_response(request)

    return middleware


def request_metrics(get_response: Handler) -> Handler:
    """Count and time every request."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        started_at = time.perf_counter()
        response = get_response(request)
        match, seconds = request.resolver_match, time.perf_counter() - started_at
        name = match.view_name if match else ""
        count_request(name, str(request.method), response.status_code, seconds)
        return response

    return middleware
