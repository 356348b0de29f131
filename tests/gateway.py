"""A gateway as the server meets one: it makes signed calls, and answers signed commands."""

import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import orjson
from django.test import Client

from apps.companies.models import Company
from apps.connections.models import Connection, ProviderKind, QrSession, SessionWish
from apps.connections.providers.beta.signing import digest_of, is_signed, signature
from tests import factories
from tests.product import GATEWAY_SECRET

SECRET = GATEWAY_SECRET
NAME = "gw-1"


def make_qr_connection(company: Company, **fields: Any) -> Connection:
    """Make a QR connection whose session no gateway has yet."""
    none = {"phone_number_id": None, "waba_id": "", "access_token": "", "verified_at": None}
    fields = {**none, "provider": ProviderKind.BETA, **fields}
    connection = factories.make_connection(company, **fields)
    QrSession.objects.create(pk=connection.pk, connection=connection, wanted=SessionWish.RUN)
    return connection


def call(
    path: str,
    body: Any,
    *,
    method: str = "POST",
    secret: str = SECRET,
    at: float = 0.0,
    call_id: str = "",
    signed_body: bytes | None = None,
) -> Any:
    """Make a signed call; `at` is how many seconds the caller's clock is off."""
    content = body if isinstance(body, bytes) else orjson.dumps(body)
    target = f"/internal/gateway/{path}"
    moment, call_id = str(int(time.time() + at)), call_id or str(uuid.uuid4())
    sent = content if method == "POST" else b""
    headers = {
        "X-Gateway-Time": moment,
        "X-Gateway-Id": call_id,
        "X-Gateway-Signature": signature(
            secret,
            method=method,
            target=target,
            at=moment,
            call_id=call_id,
            digest=digest_of(sent if signed_body is None else signed_body),
        ),
    }
    if method == "GET":
        return Client().get(target, headers=headers)
    return Client().post(target, content, content_type="application/json", headers=headers)


def lease(name: str = NAME, held: dict[int, int] | None = None, **more: Any) -> dict[str, Any]:
    """Make a lease call and return its answer."""
    body = {
        "version": 1,
        "gateway": name,
        "address": "http://127.0.0.1:9",
        "room": 10,
        "held": [{"session": pk, "epoch": epoch} for pk, epoch in (held or {}).items()],
        **more,
    }
    answer = call("lease", body)
    assert answer.status_code == 200, answer.content
    told: dict[str, Any] = answer.json()
    return told


def commit(session: int, epoch: int, *events: dict[str, Any], **state: Any) -> Any:
    return call(f"sessions/{session}/commit", {"epoch": epoch, "events": list(events), **state})


def session_event(status: str, **payload: Any) -> dict[str, Any]:
    """Return the event of a session's status."""
    return event("session", "session", {"status": status, **payload})


def event(
    kind: str, partition: str, payload: dict[str, Any], *, event_id: str = ""
) -> dict[str, Any]:
    """Return an event of now."""
    return {
        "id": event_id or f"{kind}:{uuid.uuid4()}",
        "kind": kind,
        "partition": partition,
        "at": int(time.time() * 1000),
        "payload": payload,
    }


def message_event(
    number: str, body: str = "Oi", *, message_id: str = "", **payload: Any
) -> dict[str, Any]:
    """Return the event of a text that somebody wrote."""
    message_id = message_id or uuid.uuid4().hex.upper()
    person = {"number": number, "lid": ""}
    filled = {
        "externalId": message_id,
        "chat": {**person, "group": ""},
        "sender": {**person, "name": "Cliente"},
        "fromMe": False,
        "sentAt": int(time.time()),
        "type": "conversation",
        "body": body,
        "isHistory": False,
        "raw": {"key": {"id": message_id}},
        **payload,
    }
    jid = f"{number}@s.whatsapp.net"
    return event("message", jid, filled, event_id=f"m:{jid}:{message_id}")


@dataclass
class Command:
    """A command as it arrived."""

    session: int
    name: str
    body: dict[str, Any]


@dataclass
class Said:
    """What to answer; `drops` hangs up after the command was read, `hangs` says nothing."""

    body: Any = None
    status: int = 200
    drops: bool = False
    hangs: bool = False
    content_type: str = "application/json"
    name: str = ""


class Gateway:
    """Owns sessions: a real HTTP server that keeps commands and answers what a test says."""

    def __init__(self) -> None:
        self.commands: list[Command] = []
        self.wakes = 0
        self.answers: dict[str, Callable[[dict[str, Any]], Said]] = {}
        self._closing = threading.Event()
        gateway = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                said = gateway._say(self.path, body, dict(self.headers.items()))
                if said.hangs:
                    gateway._closing.wait(30)
                if said.hangs or said.drops:
                    self.close_connection = True
                    return
                raw = said.body if isinstance(said.body, bytes) else orjson.dumps(said.body)
                self.send_response(said.status)
                self.send_header("content-type", said.content_type)
                self.send_header("content-length", str(len(raw)))
                if said.name:
                    self.send_header("x-media-name", said.name)
                self.end_headers()
                self.wfile.write(raw)

            def log_message(self, *arguments: Any) -> None:
                """Stay quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def _say(self, path: str, body: bytes, headers: dict[str, str]) -> Said:
        given = {name.lower(): value for name, value in headers.items()}
        if not is_signed(
            SECRET,
            method="POST",
            target=path,
            digest=digest_of(body),
            at=given.get("x-gateway-time", ""),
            call_id=given.get("x-gateway-id", ""),
            given=given.get("x-gateway-signature", ""),
        ):
            return Said({"code": "ERR_GATEWAY_SIGNATURE"}, status=401)
        if path == "/wake":
            self.wakes += 1
            return Said({})
        _, _, session, name = path.split("/")
        parsed = orjson.loads(body)
        self.commands.append(Command(int(session), name, parsed))
        if name in self.answers:
            return self.answers[name](parsed)
        return Said({"externalId": parsed["id"]} if "id" in parsed else {})

    def own(self, connection: Connection, name: str = NAME) -> int:
        """Claim a session; returns the epoch."""
        answer = lease(name, address=self.url)
        epochs = {each["session"]: each["epoch"] for each in answer["claimed"]}
        epoch: int = epochs[connection.pk]
        return epoch

    def refuse(self, name: str, code: str, status: int = 400, **more: Any) -> None:
        """Refuse a command from now on."""
        said = {"code": code, "message": "Não.", "permanent": False, **more}
        self.answers[name] = lambda body: Said(said, status=status)

    def close(self) -> None:
        """Let hanging answers go and stop."""
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def running_gateway() -> Iterator[Gateway]:
    """Run a gateway for the length of a block."""
    gateway = Gateway()
    try:
        yield gateway
    finally:
        gateway.close()
