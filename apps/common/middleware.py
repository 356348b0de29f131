"""What every request and every answer gets: proxies believed, a policy, a place in the metrics."""

import time
from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from apps.common.callers import is_trusted_proxy
from apps.common.metrics import count_request

Handler = Callable[[HttpRequest], HttpResponseBase]


def signup_sources() -> tuple[str, ...]:
    """Return where Meta's signup comes from, its script first; nowhere when it is not set up."""
    if not (settings.META_APP_ID and settings.META_CONFIG_ID and settings.META_APP_SECRET):
        return ()
    sources = [origin_of(settings.FACEBOOK_SDK_URL), origin_of(settings.FACEBOOK_URL)]
    if sources[1] == "https://www.facebook.com":
        # The script asks these whether somebody is signed in there.
        sources += ["https://web.facebook.com", "https://graph.facebook.com"]
    return tuple(sources)


def origin_of(address: str) -> str:
    """Return the scheme and host of an address."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def content_security_policy(public_url: str, signup: tuple[str, ...] = ()) -> str:
    """Return the policy of the application's pages; `signup` as `signup_sources` gives it.

    Styles are written into the page by the component library, pictures of contacts come from the
    provider's servers, recordings are played and sent from blobs. `public_url` is named beside
    'self' because the page may be open under another name of the same server.
    """
    socket_url = public_url.replace("http", "ws", 1)
    script = "".join(f" {source}" for source in signup[:1])
    others = "".join(f" {source}" for source in signup[1:])
    policy = {
        "default-src": "'self'",
        "script-src": f"'self'{script}",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": f"'self' data: blob: https: {public_url}",
        "media-src": f"'self' data: blob: {public_url}",
        "font-src": "'self' data:",
        "connect-src": f"'self' blob: {public_url} {socket_url}{others}",
        "frame-src": f"'self' blob: {public_url}{others}",
        "worker-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in policy.items())


def content_policy(get_response: Handler) -> Handler:
    """Add the content policy to every page that does not bring its own."""
    policy = content_security_policy(settings.PUBLIC_URL, signup_sources())

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
