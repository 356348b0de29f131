"""Middleware of every request: trusted proxies, content policy, metrics."""

import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from apps.common.callers import is_trusted_proxy
from apps.common.content_policy import content_security_policy
from apps.common.metrics import count_request
from apps.common.traces import name_request

Handler = Callable[[HttpRequest], HttpResponseBase]


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
    """Drop X-Forwarded-Proto unless it comes from one of `TRUSTED_PROXIES`."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        is_said = "HTTP_X_FORWARDED_PROTO" in request.META
        if is_said and not is_trusted_proxy(request.META.get("REMOTE_ADDR", "")):
            del request.META["HTTP_X_FORWARDED_PROTO"]
        return get_response(request)

    return middleware


def request_metrics(get_response: Handler) -> Handler:
    def middleware(request: HttpRequest) -> HttpResponseBase:
        started_at = time.perf_counter()
        response = get_response(request)
        match, seconds = request.resolver_match, time.perf_counter() - started_at
        name = match.view_name if match else ""
        count_request(name, str(request.method), response.status_code, seconds)
        name_request(name, str(request.method), response.status_code)
        return response

    return middleware
