"""A worker killed while it publishes the bot's forms: each is at Meta once (rules/bot §12)."""

import json
import os
import signal
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.db import transaction

from apps.companies.models import Company
from apps.connections.models import Connection, QuestionForm
from apps.connections.services import published_forms, want_forms
from apps.queues.models import Queue
from tests.graph import graph_error
from tests.test_crash import PATIENCE, Run, run_worker, wait_for

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]
__all__ = ["run_worker"]

FORMS = 4
Answer = tuple[int, dict[str, Any]]


class FlowServer:
    """The flows of an account, as Meta keeps them: names are unique, only drafts change.

    `after` hears of each change that was made, before it is answered.
    """

    def __init__(self) -> None:
        self.flows: dict[str, dict[str, str]] = {}
        self.refused: list[str] = []
        self.after: Callable[[str, int], None] = lambda step, count: None
        self.made: dict[str, int] = {}
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def change(self, node: str, edge: str, raw: bytes) -> Answer:
        with self._lock:
            status, body = self._change(node, edge, raw)
            if status != 200:
                self.refused.append(edge)
                return status, body
            count = self.made[edge] = self.made.get(edge, 0) + 1
        self.after(edge, count)
        return status, body

    def _change(self, node: str, edge: str, raw: bytes) -> Answer:
        if edge == "subscribed_apps":
            return 200, {"success": True}
        if edge == "flows":
            name = json.loads(raw)["name"]
            if any(each["name"] == name for each in self.flows.values()):
                return graph_error(100, details="Flow name is not unique")
            flow_id = str(700 + len(self.flows))
            self.flows[flow_id] = {"id": flow_id, "name": name, "status": "DRAFT", "asset": ""}
            return 200, {"id": flow_id}
        flow = self.flows[node]
        if flow["status"] != "DRAFT":
            return graph_error(139001)
        if edge == "assets":
            flow["asset"] = "flow.json"
            return 200, {"success": True, "validation_errors": []}
        if not flow["asset"]:
            return graph_error(139002)
        flow["status"] = "PUBLISHED"
        return 200, {"success": True}

    def _handler(server: "FlowServer") -> type[BaseHTTPRequestHandler]:
        class Handler(BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: Any) -> None:
                pass

            def _answer(self, answer: Answer) -> None:
                status, body = answer
                raw = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            def do_GET(self) -> None:
                if self.path.partition("?")[0].endswith("/flows"):
                    self._answer((200, {"data": list(server.flows.values())}))
                else:
                    self._answer(graph_error(2, 503))

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers["Content-Length"]))
                node, _, edge = self.path.rpartition("/")
                self._answer(server.change(node.rpartition("/")[2], edge, raw))

        return Handler


@pytest.fixture
def graph() -> Iterator[FlowServer]:
    """What `run_worker` has the worker call."""
    server = FlowServer()
    yield server
    server.stop()


@pytest.mark.parametrize("step", ["flows", "assets", "publish"])
def test_a_worker_killed_while_it_publishes_makes_no_form_twice_and_goes_on(
    acme: Company,
    queue: Queue,
    connection: Connection,
    graph: FlowServer,
    run_worker: Run,
    step: str,
) -> None:
    for place in range(FORMS):
        first = queue.options.create(title=f"Nome {place}", asks="name", asks_together=True)
        queue.options.create(title="E-mail", asks="email", parent=first)
    with transaction.atomic():
        want_forms(acme.pk)
    workers = [run_worker()]

    def die_in_mid_answer(made: str, count: int) -> None:
        if made == step and count == FORMS // 2:
            os.kill(workers[0].pid, signal.SIGKILL)

    graph.after = die_in_mid_answer
    workers[0].wait(timeout=PATIENCE)
    assert QuestionForm.objects.filter(published_at=None).exists()
    workers.append(run_worker())
    wait_for(
        lambda: len(published_forms([connection])[connection.pk]) == FORMS, "all to be published"
    )
    rows = QuestionForm.objects.values_list("flow_id", "name", "state", "reason")
    assert sorted(rows) == sorted(
        (each["id"], each["name"], "done", "") for each in graph.flows.values()
    )
    assert {each["status"] for each in graph.flows.values()} == {"PUBLISHED"}
    assert (len(graph.flows), graph.refused) == (FORMS, [])
