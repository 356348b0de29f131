"""A number, a customer who wrote a moment ago, and a product that takes webhooks."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from apps.simulator.models import SimConversation, SimCustomer, SimNumber, SimWebhook
from apps.simulator.services import conversations, posting

NUMBER = "100000000000001"
CUSTOMER = "5511984321107"
TOKEN = {"Authorization": "Bearer simulator-access-token"}


@pytest.fixture(autouse=True)
def _no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests post by hand, so that no thread outlives them."""
    monkeypatch.setattr(posting, "start_posting", lambda: None)


@pytest.fixture(autouse=True)
def _simulator_alone(settings: Any) -> None:
    """Nothing of the product is needed to play WhatsApp."""
    settings.ROOT_URLCONF = "apps.simulator.tests.urls"


@pytest.fixture
def number(db: None) -> SimNumber:
    return conversations.number_for(NUMBER)


@pytest.fixture
def conversation(number: SimNumber) -> SimConversation:
    customer = SimCustomer.objects.create(wa_id=CUSTOMER, name="Mariana Albuquerque")
    chat = conversations.conversation_of(number, customer)
    chat.last_customer_at = timezone.now()
    chat.save()
    return chat


class Graph:
    """Calls the fake Graph API as the business does."""

    def __init__(self) -> None:
        self.client = Client()

    def send(self, **body: Any) -> Any:
        full = {
            "messaging_product": "whatsapp",
            "recipient_type": "individual",
            "to": CUSTOMER,
            "type": "text",
            "text": {"body": "Bom dia!"},
            **body,
        }
        return self.post(f"{NUMBER}/messages", {k: v for k, v in full.items() if v is not None})

    def post(self, path: str, body: Any, **headers: str) -> Any:
        return self.client.post(
            f"/simulator/graph/v26.0/{path}",
            body,
            content_type="application/json",
            headers={**TOKEN, **headers},
        )

    def get(self, path: str, **query: str) -> Any:
        return self.client.get(f"/simulator/graph/v26.0/{path}", query, headers=TOKEN)


@pytest.fixture
def graph() -> Graph:
    return Graph()


@dataclass
class Product:
    """A receiver of webhooks that answers what `answers` says, then 200."""

    port: int = 0
    answers: list[int] = field(default_factory=list)
    taken: list[tuple[bytes, str]] = field(default_factory=list)

    def values(self) -> list[dict[str, Any]]:
        return [json.loads(body)["entry"][0]["changes"][0]["value"] for body, _ in self.taken]

    def statuses(self) -> list[str]:
        return [value["statuses"][0]["status"] for value in self.values() if "statuses" in value]


@pytest.fixture
def product(settings: Any) -> Iterator[Product]:
    receiver = Product()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            code = receiver.answers.pop(0) if receiver.answers else 200
            if code == 200 and self.path == "/webhooks/whatsapp":
                receiver.taken.append((body, self.headers["X-Hub-Signature-256"]))
            self.send_response(code)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    receiver.port = settings.PORT = server.server_port
    yield receiver
    server.shutdown()
    server.server_close()
    thread.join()


def webhook_values() -> list[dict[str, Any]]:
    """The values of all stored webhooks, oldest first."""
    bodies = [json.loads(body) for body in SimWebhook.objects.values_list("body", flat=True)]
    return [body["entry"][0]["changes"][0]["value"] for body in bodies]
