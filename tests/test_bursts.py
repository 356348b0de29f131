"""Who writes in bursts, from Meta's notifications to the worker, by the clock (rules/bot §3)."""

import hashlib
import hmac
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import orjson
import pytest
from django.test import Client
from django.utils import timezone

from apps.companies.models import Company
from apps.connections.models import FALLBACK_MESSAGE, Connection
from apps.inbound.services import process_due
from apps.queues.models import Queue
from apps.tickets.models import BotPause, Message, Ticket
from apps.tickets.services.bot.pause_worker import end_due
from tests.factories import make_queue

pytestmark = pytest.mark.django_db

SECRET = "app-secret"
ENTRIES = "\n\n*1* - Vendas\n*2* - Pedidos"
MENU = f"Bem-vindo!{ENTRIES}"
MENU_AGAIN = f"Não entendi. Escolha uma opção:{ENTRIES}"
BURST = ["Oi", "boa noite", "o preço da dipirona", "tem?"]
# How often the worker looks.
TICK = 0.5


class Clock:
    """The time, which stands still until it is moved; ahead of what the database filled in."""

    def __init__(self) -> None:
        self.time = timezone.now() + timedelta(hours=1)

    def now(self) -> datetime:
        return self.time

    def pass_by(self, seconds: float) -> None:
        """Let time go by, while the worker does what is due."""
        until = self.time + timedelta(seconds=seconds)
        while self.time < until:
            self.time = min(self.time + timedelta(seconds=TICK), until)
            end_due(limit=100)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(timezone, "now", clock.now)
    return clock


@pytest.fixture
def number(acme: Company, connection: Connection) -> Connection:
    """A number as it comes: two queues, three seconds of patience, three menus."""
    connection.queues.add(make_queue(acme, name="Pedidos", order=1))
    connection.greeting_message = "Bem-vindo!"
    connection.bot_quiet_seconds = 3
    connection.save()
    return connection


@pytest.fixture
def write(number: Connection, clock: Clock, settings: Any) -> Callable[[str], None]:
    """Let the contact write: Meta notifies of it, and the worker handles that."""
    settings.META_APP_SECRET = SECRET
    client: Any = Client()

    def notify(text: str) -> None:
        message = {
            "from": "5511987654321",
            "id": f"wamid.{Message.objects.count()}",
            "timestamp": str(int(clock.now().timestamp())),
            "type": "text",
            "text": {"body": text},
        }
        value = {
            "metadata": {"phone_number_id": number.phone_number_id},
            "contacts": [{"wa_id": message["from"], "profile": {"name": "Maria"}}],
            "messages": [message],
        }
        body = orjson.dumps({"entry": [{"changes": [{"field": "messages", "value": value}]}]})
        signature = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        headers = {"X-Hub-Signature-256": f"sha256={signature}"}
        response = client.post(
            "/webhooks/whatsapp", data=body, content_type="application/json", headers=headers
        )
        assert response.status_code == 200
        assert process_due(limit=10) == 1

    return notify


def written() -> list[str]:
    """What our side wrote, in order."""
    return list(Message.objects.filter(from_me=True).order_by("pk").values_list("body", flat=True))


@pytest.mark.parametrize("apart", [0.4, 3])
def test_a_burst_gets_one_menu_and_the_choice_after_it_counts(
    write: Callable[[str], None], clock: Clock, queue: Queue, apart: float
) -> None:
    for text in BURST:
        write(text)
        clock.pass_by(apart)
    assert written() == []
    clock.pass_by(5)
    assert written() == [MENU]
    write("1")
    clock.pass_by(5)
    assert Ticket.objects.get().queue == queue
    assert Message.objects.filter(from_me=False).count() == 5
    assert not BotPause.objects.exists()


def test_who_writes_too_slowly_to_be_read_together_is_not_dropped(
    write: Callable[[str], None], clock: Clock
) -> None:
    for text in BURST:
        write(text)
        clock.pass_by(8)
    assert written() == [MENU, MENU_AGAIN, MENU_AGAIN, FALLBACK_MESSAGE]
    assert Ticket.objects.get().queue is not None
    write("2")
    clock.pass_by(5)
    ticket = Ticket.objects.get()
    assert ticket.queue is not None
    assert ticket.queue.name == "Pedidos"
