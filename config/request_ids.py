"""Gives each request an id, which the log's lines and the answer's header X-Request-ID have."""

import re
import secrets
from collections.abc import Callable, Iterable
from typing import Any

from opentelemetry.trace import SpanKind

from apps.common import log_ids
from apps.common.traces import traced

HEADER = "X-Request-ID"
# A proxy may have given one; anything else is replaced, for a stranger may send it.
KNOWN = re.compile(r"[0-9A-Za-z_-]{8,64}", re.ASCII)

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class RequestIds:
    """A WSGI application that names the request and passes it on."""

    def __init__(self, application: Wsgi) -> None:
        self.application = application

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        given = environ.get("HTTP_X_REQUEST_ID", "")
        name = given if KNOWN.fullmatch(given) else secrets.token_hex(8)
        log_ids.begin(request=name)

        def named(status: str, headers: list[tuple[str, str]], *rest: Any) -> Any:
            return start(status, [*headers, (HEADER, name)], *rest)

        with traced("request", SpanKind.SERVER):
            return self.application(environ, named)
