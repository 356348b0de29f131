"""Answers hot reads in front of Django, whose middleware costs more than most of these reads.

The views' own methods (`apps.common.reads.hot`) answer, after the views' own authentication and
permissions: what is read, by whom, and which 403 or 404 a read answers is defined there alone. All
other calls go to Django, as do unusual or failing ones and those refused before the read; Django
also replaces a broken connection to the database.
"""

import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from re import Pattern
from typing import Any

from django.db import close_old_connections
from django.http import Http404, QueryDict
from django.urls import ResolverMatch, URLResolver
from prometheus_client import Counter
from rest_framework.exceptions import APIException

from apps.common.database_connections import renew_connections
from apps.common.errors import DomainError, exception_handler
from apps.common.metrics import count_request
from apps.common.reads import is_hot
from apps.common.renderers import means_json, to_json
from apps.common.traces import name_request

logger = logging.getLogger(__name__)

FAULTS = Counter("balcao_hot_read_faults", "Hot reads that broke and went to Django", ["view"])

Headers = list[tuple[str, str]]
Start = Callable[..., Any]
Wsgi = Callable[[dict[str, Any], Start], Iterable[bytes]]

PREFIX = "/api/"
LENGTH = "Content-Length"
# Django shortens ids of more digits (`apps.common.refusals`).
ID_DIGITS = 18
# Longer queries are not cached.
KEPT_LENGTH = 500
# A call with a token may have any Host and Origin.
MOST_KINDS = 1000
OK, REFUSALS = "200 OK", {403: "403 Forbidden", 404: "404 Not Found"}


@dataclass(frozen=True)
class _Address:
    """Where a hot read is mounted, beneath `/api/`."""

    pattern: Pattern[str]
    view: Any
    method: str
    match: ResolverMatch


class _Call:
    """The part of a request that authentication, permissions and hot reads use."""

    method = "GET"
    user: Any = None
    auth: Any = None

    def __init__(self, environ: dict[str, Any], match: ResolverMatch) -> None:
        self.META = environ
        self.resolver_match = match
        query = environ["QUERY_STRING"]
        read = _query if len(query) <= KEPT_LENGTH else _query.__wrapped__
        self.GET = self.query_params = read(query)


@lru_cache(maxsize=1024)
def _query(text: str) -> QueryDict:
    """Parse a query; cached, because browsers repeat the same ones."""
    return QueryDict(text.encode("latin-1"))


class HotLane:
    """A WSGI application that answers hot reads and passes the rest to Django.

    The headers of an answer are those of Django's first answer of its kind and status.
    """

    def __init__(self, django: Wsgi, patterns: Iterable[Any]) -> None:
        self._django = django
        self._addresses = [*_hot_addresses(patterns)]
        self._headers: dict[tuple[Any, ...], Headers] = {}

    def __call__(self, environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        address, names = self._find(environ)
        if address is None:
            return self._django(environ, start)
        kind = _kind(address, environ)
        if (OK, *kind) not in self._headers:
            return self._django(environ, self._learning(kind, start))
        started_at = time.perf_counter()
        status, body = _read(address, environ, names)
        headers = self._headers.get((status, *kind))
        if headers is None:
            return self._django(environ, self._learning(kind, start))
        seconds = time.perf_counter() - started_at
        count_request(address.match.view_name, "GET", int(status[:3]), seconds)
        name_request(address.match.view_name, "GET", int(status[:3]))
        start(status, [*headers, (LENGTH, str(len(body)))])
        return [body]

    def _find(self, environ: dict[str, Any]) -> tuple[_Address | None, dict[str, str]]:
        path = environ["PATH_INFO"]
        if (
            environ["REQUEST_METHOD"] == "GET"
            and path.startswith(PREFIX)
            and environ.get("CONTENT_LENGTH") in {None, "", "0"}
            and "%00" not in environ["QUERY_STRING"]
        ):
            path = path[len(PREFIX) :]
            for each in self._addresses:
                found = each.pattern.fullmatch(path)
                if found and all(len(given) <= ID_DIGITS for given in found.groups()):
                    return each, found.groupdict()
        return None, {}

    def _learning(self, kind: tuple[Any, ...], start: Start) -> Start:
        def learn(status: str, headers: Headers, *rest: Any) -> Any:
            names = {name for name, _ in headers}
            is_ours = status == OK or status in REFUSALS.values()
            if is_ours and LENGTH in names and "Set-Cookie" not in names:
                if len(self._headers) >= MOST_KINDS:
                    self._headers.clear()
                self._headers[status, *kind] = [each for each in headers if each[0] != LENGTH]
            return start(status, headers, *rest)

        return learn


def _hot_addresses(patterns: Iterable[Any]) -> Iterable[_Address]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _hot_addresses(pattern.url_patterns)
            continue
        callback: Any = pattern.callback
        view = getattr(callback, "cls", None)
        method = getattr(callback, "actions", {"get": "get"}).get("get", "")
        if is_hot(getattr(view, method, None)):
            match = ResolverMatch(callback, (), {}, pattern.name)
            yield _Address(pattern.pattern.regex, view, method, match)


def _kind(address: _Address, environ: dict[str, Any]) -> tuple[Any, ...]:
    """Return the values that Django's headers may depend on."""
    told = environ.get("HTTP_X_FORWARDED_PROTO")
    return (
        address.match.url_name,
        environ["wsgi.url_scheme"],
        environ.get("HTTP_HOST"),
        environ.get("HTTP_ORIGIN"),
        told,
        told and environ["REMOTE_ADDR"],
    )


def _read(address: _Address, environ: dict[str, Any], names: dict[str, str]) -> tuple[str, bytes]:
    """Return the answer's status and bytes; "" as the status if Django has to answer."""
    renew_connections()  # as before and after every request of Django
    try:
        call: Any = _Call(environ, address.match)
        view = address.view()
        if not (_is_let(call, view) and means_json(call)):
            return "", b""
        try:
            return OK, getattr(view, address.method)(call, **names).content
        except (DomainError, Http404) as refusal:
            told: Any = exception_handler(refusal, {})
            return REFUSALS.get(told.status_code, ""), to_json(told.data)
    except Exception:  # Django raises it again and reports it
        FAULTS.labels(address.match.view_name).inc()
        logger.warning("A hot read of %s broke", address.match.view_name, exc_info=True)
        return "", b""
    finally:
        close_old_connections()


def _is_let(call: Any, view: Any) -> bool:
    """Tell whether the caller may read; Django answers the refusal, with no further query."""
    try:
        for authenticator in view.get_authenticators():
            shown = authenticator.authenticate(call)
            if shown is not None:  # None: the call has no token
                call.user, call.auth = shown
                break
        return all(each.has_permission(call, view) for each in view.get_permissions())
    except (DomainError, APIException):
        return False
