"""Traces as a collector gets them: over HTTP, from the real processes."""

import subprocess
import sys
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import httpx
import pytest
from django.utils import timezone
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from apps.accounts.models import User
from apps.companies.models import Company
from apps.tickets.models import Delivery, Ticket
from tests.factories import PASSWORD, make_user
from tests.graph import GraphServer
from tests.product import ROOT
from tests.services import free_port
from tests.sockets import RealtimeServer, realtime_servers
from tests.test_crash import Run, graph, run_worker, tickets, wait_for

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
__all__ = ["graph", "run_worker", "tickets"]

WORDS = "o segredo da cliente"
SOON = {"OTEL_BSP_SCHEDULE_DELAY": "200"}


class Span:
    """A span with its attributes and events as plain values."""

    def __init__(self, service: str, wire: Any) -> None:
        self.service = service
        self.name = wire.name
        self.id, self.parent, self.trace = wire.span_id, wire.parent_span_id, wire.trace_id
        self.about = _values(wire.attributes)
        self.events = [(event.name, _values(event.attributes)) for event in wire.events]


def _values(pairs: Any) -> dict[str, Any]:
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in pairs}


class Collector:
    """Takes traces by OTLP over HTTP."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.raw = b""
        self.asked: set[tuple[str, str]] = set()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(handler) -> None:
                body = handler.rfile.read(int(handler.headers["Content-Length"]))
                self.asked.add((handler.path, handler.headers.get("X-Key", "")))
                self.take(body)
                handler.send_response(200)
                handler.send_header("Content-Length", "0")
                handler.end_headers()

            def log_message(handler, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        Thread(target=self._server.serve_forever, daemon=True).start()

    def take(self, body: bytes) -> None:
        told = ExportTraceServiceRequest.FromString(body)
        self.raw += body
        for group in told.resource_spans:
            service = _values(group.resource.attributes)["service.name"]
            for scope in group.scope_spans:
                self.spans += [Span(service, span) for span in scope.spans]

    def named(self, name: str) -> list[Span]:
        return [span for span in self.spans if span.name == name]

    def within(self, span: Span) -> list[Span]:
        return [each for each in self.spans if each.parent == span.id]

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def collector() -> Iterator[Collector]:
    running = Collector()
    yield running
    running.stop()


@pytest.fixture
def ana(acme: Company) -> User:
    return make_user(acme, email="ana@acme.example", profile="admin")


def sign_in(server: RealtimeServer, user: User) -> httpx.Client:
    client = httpx.Client(base_url=f"{server.url}/api", timeout=20)
    told = client.post("/auth/login", json={"email": user.email, "password": PASSWORD})
    assert told.status_code == 200, told.text
    client.headers["Authorization"] = f"Bearer {told.json()['token']}"
    return client


def test_a_call_its_statements_and_the_send_that_it_leads_to_are_traced(
    collector: Collector, graph: GraphServer, run_worker: Run, tickets: list[Ticket], ana: User
) -> None:
    ticket = tickets[0]
    Ticket.objects.update(last_inbound_at=timezone.now())
    there = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
        "OTEL_EXPORTER_OTLP_HEADERS": "X-Key=ours",
        **SOON,
    }
    with realtime_servers("uvicorn", GRAPH_API_URL=graph.url, **there) as [server]:
        client = sign_in(server, ana)
        run_worker(**there)
        sent = client.post(f"/messages/{ticket.pk}", json={"body": WORDS})
        assert sent.status_code == 201, sent.text
        for _ in range(2):  # the second one is a hot read
            client.get(f"/tickets?searchParam={WORDS}").raise_for_status()
        request = sent.headers["X-Request-ID"]

        def is_complete() -> bool:
            names = {span.name for span in collector.spans}
            return {"POST 127.0.0.1", "tickets.deliver"} <= names and any(
                span.about.get("balcao.request") == request for span in collector.spans
            )

        wait_for(is_complete, "the traces")
    [answered] = [
        span
        for span in collector.spans
        if span.about.get("balcao.request") == request and not span.parent
    ]
    assert answered.service == "balcao-web" and answered.name.startswith("POST ")
    assert answered.about["http.response.status_code"] == 201
    assert answered.about["balcao.company"] == ticket.company_id
    assert answered.about["balcao.user"] == ana.pk
    statements = collector.within(answered)
    assert {"SELECT", "INSERT"} <= {span.name for span in statements}
    assert all(span.about["db.system.name"] == "postgresql" for span in statements)

    [call] = collector.named("POST 127.0.0.1")
    assert call.service == "balcao-worker" and call.about["balcao.ticket"] == ticket.pk
    [work] = [span for span in collector.spans if span.id == call.parent]
    delivery = Delivery.objects.get(message__ticket=ticket)
    rows = [about for name, about in work.events if name == "row"]
    assert work.name == "tickets.deliver"
    assert (delivery.pk, "delivery") in {(row["balcao.row"], row["balcao.work"]) for row in rows}

    assert collector.asked == {("/v1/traces", "ours")}
    number = ticket.contact.number
    token = client.headers["Authorization"].removeprefix("Bearer ")
    for secret in (PASSWORD, WORDS, ana.email, number, token, WORDS.replace(" ", "%20")):
        assert secret.encode() not in collector.raw, secret


def test_a_hot_read_has_the_name_of_its_view(collector: Collector, ana: User) -> None:
    with realtime_servers("uvicorn", OTEL_EXPORTER_OTLP_ENDPOINT=collector.url, **SOON) as [server]:
        client = sign_in(server, ana)
        for _ in range(3):
            client.get("/tickets").raise_for_status()
        wait_for(lambda: len(collector.named("GET tickets-list")) == 3, "three spans")
    assert all(collector.within(span) for span in collector.named("GET tickets-list"))


def test_an_exception_is_told_by_its_kind_alone(
    collector: Collector, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = (
        "import django; django.setup()\n"
        "from apps.common.traces import send_traces, traced\n"
        "send_traces('balcao-web')\n"
        "with traced('work'):\n"
        f"    raise ValueError('{WORDS}')\n"
    )
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=False
    )
    assert WORDS.encode() in ended.stderr
    [span] = collector.named("work")
    assert span.about["error.type"] == "ValueError"
    assert WORDS.encode() not in collector.raw


def test_a_share_of_zero_sends_nothing(collector: Collector, ana: User) -> None:
    with realtime_servers(
        "uvicorn",
        OTEL_EXPORTER_OTLP_ENDPOINT=collector.url,
        OTEL_TRACES_SAMPLER_ARG="0",
        **SOON,
    ) as [server]:
        sign_in(server, ana).get("/tickets").raise_for_status()
    assert not collector.spans  # the process has ended: what it had to send it would have sent


def test_a_collector_that_is_away_delays_no_answer_and_no_end(ana: User) -> None:
    nobody = f"http://127.0.0.1:{free_port()}"
    with realtime_servers("uvicorn", OTEL_EXPORTER_OTLP_ENDPOINT=nobody, **SOON) as [server]:
        client = sign_in(server, ana)
        for _ in range(5):
            client.get("/tickets").raise_for_status()
        time.sleep(1)  # it is trying
        server.process.terminate()
        server.process.wait(10)


def test_without_a_collector_no_exporter_is_loaded() -> None:
    program = (
        "import django; django.setup()\n"
        "import sys\n"
        "from apps.common.traces import send_traces\n"
        "send_traces('balcao-web')\n"
        "print([name for name in sys.modules if name.startswith('opentelemetry.exporter')])\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == "[]"


@pytest.mark.parametrize("share", ["-0.1", "2", "all", "nan"])
def test_a_share_that_is_none_is_refused(share: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from config.environment import Misconfigured, env_share

    monkeypatch.setenv("OTEL_TRACES_SAMPLER_ARG", share)
    with pytest.raises(Misconfigured, match="a number from 0 to 1"):
        env_share("OTEL_TRACES_SAMPLER_ARG", 1.0)
