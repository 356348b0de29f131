"""A local server that speaks whatever a test wants of the other side."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Received:
    """A request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Answer:
    """What the server says; `gate` is waited for first, `raw` goes out instead of HTTP."""

    status: int = 200
    body: bytes | str | dict[str, Any] | list[Any] = b""
    headers: dict[str, str] = field(default_factory=dict)
    gate: threading.Event | None = None
    raw: bytes | None = None


Handler = Callable[[Received], Answer]


class WireServer:
    """Answers with `handler`; `received` are the requests in order."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.handler: Handler = lambda request: Answer()
        outer = self

        class _Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _do(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                request = Received(
                    method=self.command,
                    path=self.path,
                    headers={name.lower(): value for name, value in self.headers.items()},
                    body=self.rfile.read(length),
                )
                outer.received.append(request)
                answer = outer.handler(request)
                if answer.gate is not None:
                    answer.gate.wait(20)
                try:
                    self._say(answer)
                except OSError:
                    self.close_connection = True

            def _say(self, answer: Answer) -> None:
                if answer.raw is not None:
                    self.wfile.write(answer.raw)
                    self.close_connection = True
                    return
                body = answer.body
                kind = "text/plain"
                if isinstance(body, dict | list):
                    body, kind = json.dumps(body), "application/json"
                if isinstance(body, str):
                    body = body.encode()
                self.send_response(answer.status)
                for name, value in {"Content-Type": kind, **answer.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _do

            def log_message(self, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    @property
    def url(self) -> str:
        host, port = self._server.server_address[:2]
        return f"http://{host!s}:{port}"

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@contextmanager
def wire_server() -> Iterator[WireServer]:
    """Serve until the block ends."""
    server = WireServer()
    try:
        yield server
    finally:
        server.stop()
