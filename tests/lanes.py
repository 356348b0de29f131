"""The hot reads in front of Django, as a test asks them, and Django alone beside them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.db import connection as database

from config.hot_lane import HotLane
from config.urls import api


@dataclass(frozen=True)
class Answer:
    """What came back, and whether Django was asked."""

    status: str
    headers: list[tuple[str, str]]
    body: bytes
    is_django: bool = field(compare=False)


class Server:
    """The lane before Django, as `config.wsgi` has them, and Django alone."""

    def __init__(self) -> None:
        self.handler = WSGIHandler()
        self.lane = HotLane(self._django, api)
        self.asked = 0

    @property
    def names(self) -> set[str]:
        """Return the names of the addresses that are hot."""
        return {str(each.match.url_name) for each in self.lane._addresses}

    def _django(self, environ: dict[str, Any], start: Callable[..., Any]) -> Any:
        self.asked += 1
        return self.handler(environ, start)

    def get(self, address: str, token: str, **environ: str) -> Answer:
        return self._call(self.lane, address, token, environ)

    def get_of_django(self, address: str, token: str, **environ: str) -> Answer:
        return self._call(self._django, address, token, environ)

    def _call(self, app: Any, address: str, token: str, changed: dict[str, str]) -> Answer:
        parts, before, told = urlsplit(address), self.asked, []
        environ = {
            "REQUEST_METHOD": "GET",
            "SCRIPT_NAME": "",
            "PATH_INFO": parts.path,
            "QUERY_STRING": parts.query,
            "SERVER_NAME": "testserver",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "10.0.0.9",
            "HTTP_HOST": "testserver",
            "CONTENT_LENGTH": "0",
            "wsgi.url_scheme": "http",
            "wsgi.input": BytesIO(b"x" * 10),
            "wsgi.errors": BytesIO(),
            **({"HTTP_AUTHORIZATION": f"Bearer {token}"} if token else {}),
            **changed,
        }
        parts_of_body = app(environ, lambda status, headers: told.append((status, headers)))
        body = b"".join(parts_of_body)
        if hasattr(parts_of_body, "close"):
            parts_of_body.close()
        ((status, headers),) = told
        return Answer(status, sorted(headers), body, self.asked > before)


@contextmanager
def own_transaction(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep the test's transaction, as Django's own client does, where there is one."""
    if not database.in_atomic_block:
        yield
        return
    for name in ("close_old_connections", "renew_connections"):
        monkeypatch.setattr(f"config.hot_lane.{name}", lambda: None)
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)
