"""A connection is deleted while its gateway commits, Meta posts and a worker handles what came."""

import hashlib
import hmac
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any

import orjson
import pytest
from django.apps import apps
from django.db import connection as database
from django.db import connections
from django.test import Client

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection, QrAddress, QrSession, QrSessionKey
from apps.inbound.models import InboundEvent
from apps.inbound.services import processing
from apps.tickets.models import Message, Ticket
from conftest import ClientFor
from tests.factories import make_connection
from tests.gateway import (
    SECRET,
    call,
    commit,
    event,
    lease,
    make_qr_connection,
    message_event,
    session_event,
)

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

APP_SECRET = "the app's secret"
BEFORE, FEW = 12, 4
PEOPLE = 4
PATIENCE_SECONDS = 60.0


@pytest.fixture(autouse=True)
def _secrets(settings: Any) -> None:
    settings.GATEWAY_SECRET = SECRET
    settings.META_APP_SECRET = APP_SECRET


class Traffic:
    """Threads that each do one thing again and again, until it says that it is over."""

    def __init__(self) -> None:
        self.done: dict[str, list[int]] = {}
        self.is_deleted = threading.Event()
        self._until = time.monotonic() + PATIENCE_SECONDS

    def repeat(self, name: str, step: Callable[[int], int | None]) -> Callable[[], None]:
        """Return a thread's work; `step` answers with a status, or None at its end."""
        answers = self.done.setdefault(name, [])

        def work() -> None:
            try:
                for number in count():
                    assert time.monotonic() < self._until, f"{name} does not end"
                    status = step(number)
                    if status is None:
                        return
                    answers.append(status)
            finally:
                connections.close_all()

        return work

    def wait_for(self, name: str, how_many: int) -> None:
        while len(self.done[name]) < how_many:
            assert time.monotonic() < self._until, f"Only {len(self.done[name])} of {name}"
            time.sleep(0.01)


def deadlocks() -> int:
    with database.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        return int(cursor.fetchone()[0])


def handle(traffic: Traffic) -> Callable[[int], int | None]:
    """Return a worker's step, which goes on a little after the deletion."""

    def step(number: int) -> int | None:
        handled = processing.process_due(limit=10)
        if traffic.is_deleted.is_set() and not handled:
            return None
        if not handled:
            time.sleep(0.01)
        return 200

    return step


def delete(
    traffic: Traffic, client: Client, pk: int, after: tuple[str, int]
) -> Callable[[int], int | None]:
    """Return the admin's step: again while messages are still coming, as the page says."""

    def step(number: int) -> int | None:
        if traffic.is_deleted.is_set():
            return None
        traffic.wait_for(*after)
        status = client.delete(f"/api/whatsapp/{pk}").status_code
        if status == 200:
            traffic.is_deleted.set()
        return int(status)

    return step


def run(traffic: Traffic, *steps: tuple[str, Callable[[int], int | None]]) -> None:
    works = [traffic.repeat(name, step) for name, step in steps]
    with ThreadPoolExecutor(len(works)) as pool:
        for each in [pool.submit(work) for work in works]:
            each.result(PATIENCE_SECONDS * 2)


def check_nothing_is_left(pk: int) -> None:
    """Whatever has a column of the connection's has none of this one; what was said stays."""
    assert not Connection.objects.filter(pk=pk).exists()
    left = {}
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if field.related_model is Connection:
                left[f"{model.__name__}.{field.name}"] = model._default_manager.filter(
                    **{field.attname: pk}
                ).count()
    assert len(left) > 5
    assert not any(left.values()), left
    assert not Ticket.objects.exclude(status="closed").exists()


@pytest.mark.parametrize("turn", range(3))
def test_a_gateway_that_commits_meanwhile_is_told_that_the_session_is_gone(
    client_for: ClientFor, admin: User, acme: Company, turn: int
) -> None:
    qr, traffic, before = make_qr_connection(acme), Traffic(), deadlocks()
    [claimed] = lease()["claimed"]
    epoch = claimed["epoch"]
    assert commit(qr.pk, epoch, session_event("CONNECTED")).status_code == 200

    def events(number: int) -> list[dict[str, Any]]:
        said = [message_event(f"55119888877{n:02d}", f"Oi {number}") for n in range(PEOPLE)]
        status = {"ids": [said[0]["payload"]["externalId"]], "status": "read"}
        told = {"contacts": [{"number": f"55119888877{number % 90:02d}", "name": "Ana"}]}
        return [*said, event("status", "p", status), event("contacts", "contacts", told)]

    def committing(number: int) -> int | None:
        if traffic.done["commits"][-1:] == [410]:
            return None
        told = [*events(number), session_event("CONNECTED")]
        keys = {"session": {f"k{number % 7}": {"a": number}}}
        answer = commit(qr.pk, epoch, *told, keys=keys, credentials={"n": number})
        return int(answer.status_code)

    def reading(number: int) -> int | None:
        if traffic.done["reads"][-1:] == [410]:
            return None
        wanted = {"epoch": epoch, "wanted": {"session": ["k1", "k2"]}}
        return int(call(f"sessions/{qr.pk}/keys/read", wanted).status_code)

    def leasing(number: int) -> int | None:
        if traffic.is_deleted.is_set():
            return None
        lease(held={qr.pk: epoch})
        return 200

    run(
        traffic,
        ("commits", committing),
        ("reads", reading),
        ("leases", leasing),
        ("work", handle(traffic)),
        ("deletions", delete(traffic, client_for(admin), qr.pk, ("commits", BEFORE))),
    )
    assert set(traffic.done["commits"]) == set(traffic.done["reads"]) == {200, 410}
    assert traffic.done["commits"].count(410) == 1
    assert traffic.done["deletions"][-1] == 200 and set(traffic.done["deletions"]) <= {200, 409}
    check_nothing_is_left(qr.pk)
    # Its owner logs it out when it reports next, and then nothing of it is left either.
    answer = lease(held={qr.pk: epoch})
    assert answer["stop"] == [{"session": qr.pk, "epoch": epoch, "logout": True}]
    lease(held={})
    for model in (QrSession, QrSessionKey, QrAddress, InboundEvent):
        assert not model._default_manager.exists(), model
    assert Message.objects.filter(from_me=False).count() >= PEOPLE * BEFORE
    assert deadlocks() == before


@pytest.mark.parametrize("turn", range(3))
def test_meta_that_posts_meanwhile_is_always_answered(
    client_for: ClientFor, admin: User, acme: Company, turn: int
) -> None:
    number = make_connection(acme, phone_number_id="100000000000009", waba_id="2")
    traffic, before = Traffic(), deadlocks()

    def posting(worker: int) -> Callable[[int], int | None]:
        after, pause = iter(range(3)), 0.4 * worker

        def step(at: int) -> int | None:
            # Beside many a second the deletion is refused for ever, as its rule says.
            if traffic.is_deleted.wait(pause) and next(after, None) is None:
                return None
            said = [
                {
                    "from": f"55119888877{person:02d}",
                    "id": f"wamid.{worker}.{at}.{person}",
                    "timestamp": str(int(time.time())),
                    "type": "text",
                    "text": {"body": f"Oi {at}"},
                }
                for person in range(PEOPLE)
            ]
            metadata = {"phone_number_id": number.phone_number_id}
            value = {"messaging_product": "whatsapp", "metadata": metadata, "messages": said}
            entry = {"id": "2", "changes": [{"field": "messages", "value": value}]}
            body = orjson.dumps({"object": "whatsapp_business_account", "entry": [entry]})
            seal = hmac.new(APP_SECRET.encode(), body, hashlib.sha256).hexdigest()
            answer = Client().post(
                "/webhooks/whatsapp",
                body,
                content_type="application/json",
                headers={"X-Hub-Signature-256": f"sha256={seal}"},
            )
            return int(answer.status_code)

        return step

    run(
        traffic,
        ("posts", posting(1)),
        ("more posts", posting(2)),
        ("work", handle(traffic)),
        ("deletions", delete(traffic, client_for(admin), number.pk, ("posts", FEW))),
    )
    assert set(traffic.done["posts"]) == set(traffic.done["more posts"]) == {200}
    assert traffic.done["deletions"][-1] == 200 and set(traffic.done["deletions"]) <= {200, 409}
    check_nothing_is_left(number.pk)
    assert not InboundEvent.objects.exists()
    assert Message.objects.filter(from_me=False).count() >= PEOPLE * FEW
    assert deadlocks() == before
