"""A Redis that hangs instead of refusing holds nobody up."""

import json
import os
import signal
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from apps.tickets.models import Ack
from config.up import DEMO_PASSWORD
from tests.product import Product, wait_for

pytestmark = [pytest.mark.alone, pytest.mark.xdist_group("processes")]

LONGEST_DELAY = 2.0


@pytest.fixture
def product() -> Iterator[Product]:
    running = Product()
    yield running
    running.remove()


class Person:
    """Calls the product, and notes how long the slowest call took."""

    def __init__(self, product: Product) -> None:
        self.product = product
        self.token = ""
        self.slowest = 0.0

    def call(self, path: str, **body: Any) -> tuple[int, Any]:
        request = urllib.request.Request(
            self.product.address + path,
            data=json.dumps(body).encode() if body else None,
            headers={"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"},
        )
        started_at = time.monotonic()
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                status, text = answer.status, answer.read()
        except urllib.error.HTTPError as refusal:
            status, text = refusal.code, refusal.read()
        self.slowest = max(self.slowest, time.monotonic() - started_at)
        return status, json.loads(text) if text else None

    def sign_in(self, password: str = DEMO_PASSWORD) -> int:
        self.token = ""
        status, answer = self.call("/api/auth/login", email="ana@demo.local", password=password)
        self.token = answer.get("token", "")
        return status


class Poller:
    """A socket by polling, as a browser's begins; notes how long it took to be let in."""

    def __init__(self, person: Person) -> None:
        self.address = f"{person.product.address}/socket.io/?EIO=4&transport=polling"
        started_at = time.monotonic()
        self.address += f"&sid={json.loads(self._ask()[1:])['sid']}"
        assert self._ask("40" + json.dumps({"token": person.token})) == "OK"
        assert self._ask().startswith("40{")
        self.seconds = time.monotonic() - started_at

    def _ask(self, text: str = "") -> str:
        request = urllib.request.Request(self.address, data=text.encode() or None)
        with urllib.request.urlopen(request, timeout=60) as answer:
            heard: str = answer.read().decode()
        return heard

    def is_cut_off(self) -> bool:
        """Wait for the next packets; tell whether the server has ended the connection."""
        try:
            return "1" in self._ask().split("\x1e")
        except urllib.error.HTTPError as refusal:
            return refusal.code == 400  # a session that it has forgotten


def work_a_while(person: Person, ticket: int, name: str) -> float:
    """Sign in, mistype, read and write, twice; return the seconds of the slowest call."""
    person.slowest = 0.0
    for number in range(2):
        assert person.sign_in("wrong password") == 401
        assert person.sign_in() == 200
        assert person.call("/api/tickets?status=open")[0] == 200
        for text in ("a", "b"):
            status, message = person.call(f"/api/messages/{ticket}", body=f"{name}{number}{text}")
            assert status in {200, 201}, message
    person.call("/health/ready/")
    return person.slowest


def is_sent(person: Person, ticket: int, text: str) -> bool:
    messages = person.call(f"/api/messages/{ticket}")[1]["messages"]
    return any(each["body"] == text and each["ack"] >= Ack.SENT for each in messages)


def test_no_request_waits_long_for_a_redis_that_hangs(product: Product) -> None:
    person = Person(product)
    assert person.sign_in() == 200
    ticket = person.call("/api/tickets?status=open")[1]["tickets"][0]["id"]
    wait_for(lambda: product.get("/health/ready/")[0] == 200, "a worker")
    usual = work_a_while(person, ticket, "usual")
    valkey = product.child("valkey")
    os.kill(valkey, signal.SIGSTOP)
    try:
        # The first socket of its process, which has yet to ask Redis for what others publish.
        socket = Poller(person)
        assert socket.seconds - usual < LONGEST_DELAY
        assert work_a_while(person, ticket, "frozen") - usual < LONGEST_DELAY
        status, checks = person.call("/health/ready/")
        assert (status, checks["redis"], checks["database"]) == (503, False, True)
        # A worker finds by itself what nobody can wake it for.
        wait_for(lambda: is_sent(person, ticket, "frozen1b"), "what was written to be sent", 30)
    finally:
        os.kill(valkey, signal.SIGCONT)
    # What it missed meanwhile it reads when it connects anew.
    wait_for(socket.is_cut_off, "the socket to be cut off", 15)
    wait_for(lambda: product.get("/health/ready/")[0] == 200, "everything to be back", 60)
