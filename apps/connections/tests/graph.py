"""A Graph API of its own: a real HTTP server that records calls and answers what a test says."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import orjson

VERSION = "v26.0"


@dataclass
class Call:
    """A request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return orjson.loads(self.body)


@dataclass
class Answer:
    """What to send back; `hangs` sends nothing until the server is closed, `drops` hangs up."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hangs: bool = False
    drops: bool = False

    @property
    def raw(self) -> bytes:
        """Return the bytes of the body."""
        return self.body if isinstance(self.body, bytes) else orjson.dumps(self.body)


SENT = Answer({"messages": [{"id": "wamid.sent"}]})


class GraphServer:
    """Answers in order of `answers`; the last one is kept.

    The numbers of an account are those of `account`, or, without it, those that were asked for.
    What `places` says of an edge, the last part of a path, comes before all that.
    """

    def __init__(self) -> None:
        self.account: list[str] | None = None
        self.asked: list[str] = []
        self.places: dict[str, Answer] = {}
        self.calls: list[Call] = []
        self.answers: list[Answer] = [SENT]
        self._closing = threading.Event()
        graph = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _handle(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                body = self.rfile.read(length)
                headers = {name.lower(): value for name, value in self.headers.items()}
                graph.calls.append(Call(self.command, self.path, headers, body))
                answer = graph.next_answer(self.path)
                if answer.hangs:
                    graph._closing.wait(30)
                if answer.hangs or answer.drops:
                    self.close_connection = True
                    return
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(answer.raw)))
                self.end_headers()
                with suppress(BrokenPipeError):  # who took its message back waits for no answer
                    self.wfile.write(answer.raw)

            do_GET = do_POST = do_DELETE = _handle

            def log_message(self, *arguments: Any) -> None:
                """Stay quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def next_answer(self, path: str) -> Answer:
        place = path.partition("?")[0].rpartition("/")[2]
        if place in self.places:
            return self.places[place]
        if place == "phone_numbers" and (self.asked or self.account is not None):
            numbers = self.asked if self.account is None else self.account
            return Answer({"data": [{"id": number} for number in numbers]})
        if "display_phone_number" in path:
            self.asked.append(place)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def close(self) -> None:
        """Let hanging answers go and stop."""
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def graph_server() -> Iterator[GraphServer]:
    """Run a server for the length of a block."""
    server = GraphServer()
    try:
        yield server
    finally:
        server.close()


def fault(code: int, message: str = "(#1) Something", status: int = 400, **more: Any) -> Answer:
    """Return an error as the Graph API words it."""
    error = {"message": message, "type": "OAuthException", "code": code, "fbtrace_id": "A", **more}
    return Answer({"error": error}, status=status)
