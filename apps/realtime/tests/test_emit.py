"""Emitting: after commit, and never in the caller's way."""

import asyncio
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import orjson
import pytest
import redis
from django.conf import settings as configured
from django.db import transaction
from pytest_django import Settings
from rest_framework import serializers

from apps.common.silence import redis_client
from apps.realtime import backplane, history
from apps.realtime.emit import (
    LiveEvent,
    emit,
    emit_to_all,
    recheck_company,
    recheck_token,
    recheck_user,
)
from tests.product import wait_for
from tests.services import RedisServer, free_port

COUNT = LiveEvent("count", at={"n": serializers.IntegerField()})
OLD = LiveEvent("old", also="company{company_id}-older", at={"n": serializers.IntegerField()})
NEWS = LiveEvent("news", is_common=True, at={"n": serializers.IntegerField()})
ROW = LiveEvent(
    "row",
    update={
        "at": serializers.DateTimeField(),
        "uuid": serializers.UUIDField(),
        "price": serializers.FloatField(),
        "text": serializers.CharField(),
    },
)


class Listener:
    """Hears one group as a realtime process would."""

    def __init__(self, group: str, url: str = "") -> None:
        client: Any = redis.Redis.from_url(url or configured.REDIS_URL)
        self.client = client  # once collected, it closes the subscription's connection
        self.subscription = client.pubsub()
        self.subscription.subscribe(backplane.channel_of(group))
        wait_for(lambda: bool(self.subscription.get_message(timeout=1)), "the subscription")

    def next(self, seconds: float = 5) -> Any:
        deadline = time.monotonic() + seconds
        while True:
            rest = max(0.0, deadline - time.monotonic())
            frame = self.subscription.get_message(timeout=rest, ignore_subscribe_messages=True)
            if frame:
                return orjson.loads(frame["data"])
            if not rest:
                return None


def kept_events(company_id: int) -> list[history.KeptEvent]:
    """Return all events that a company's programs may still read, from the first second of 1970."""
    start = history.Position("", 1, 0)
    return asyncio.run(history.read_after(company_id, start))


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    """Drop what a test had kept for programs."""
    yield
    client: Any = redis_client()
    client.execute_command(*history.forget_command(0))


@pytest.fixture
def servers() -> Iterator[Listener]:
    listener = Listener(backplane.SERVERS)
    yield listener
    listener.subscription.close()


@pytest.mark.django_db(transaction=True)
def test_an_event_leaves_after_commit_and_not_after_a_rollback(servers: Listener) -> None:
    with transaction.atomic():
        emit(COUNT, "at", {"n": 1}, company_id=7)
        emit(COUNT, "at", {"n": 2}, company_id=7, rooms=["a", "b"])
        assert servers.next(0) is None
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        emit(COUNT, "at", {"n": 3}, company_id=7)
        raise ZeroDivisionError
    emit(OLD, "at", {"n": 4}, company_id=7)
    emit(COUNT, "at", {"n": 5}, company_id=7, rooms=[])  # nobody to tell
    heard = [servers.next() for _ in range(4)]
    assert [(each["event"], each["data"], each["rooms"]) for each in heard] == [
        ("company-7-count", '{"action":"at","n":1}', ["company:7"]),
        ("company-7-count", '{"action":"at","n":2}', ["a", "b"]),
        ("company-7-old", '{"action":"at","n":4}', ["company:7"]),
        ("company7-older", '{"action":"at","n":4}', ["company:7"]),
    ]
    assert servers.next(0.05) is None


@pytest.mark.django_db(transaction=True)
def test_values_have_the_form_of_rest_answers(servers: Listener) -> None:
    at = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    uuid = UUID("12345678-1234-5678-1234-567812345678")
    payload = {"at": at, "uuid": uuid, "price": Decimal("1.50"), "text": "é 😀"}
    emit(ROW, "update", payload, company_id=7)
    assert orjson.loads(servers.next()["data"]) == {
        "action": "update",
        "at": "2026-01-02T03:04:05Z",
        "uuid": str(uuid),
        "price": 1.5,
        "text": "é 😀",
    }


@pytest.mark.django_db(transaction=True)
def test_programs_hear_their_own_companys_events_and_every_recheck(servers: Listener) -> None:
    programs, own = Listener(backplane.PROGRAMS), Listener(backplane.programs_group(7))
    asyncio.run(history.listen(7, now_ms=1))
    emit(COUNT, "at", {"n": 1}, company_id=8)
    emit(COUNT, "at", {"n": 2}, company_id=7)
    recheck_user(3)
    recheck_company(7)
    recheck_token(5)
    assert own.next() == backplane.NEWS
    (kept,) = kept_events(7)
    assert (kept.event, kept.kind, kept.rooms) == (
        "company-7-count",
        "count",
        frozenset({"company:7"}),
    )
    assert kept_events(8) == []
    assert [servers.next()["type"] for _ in range(5)] == [
        "realtime.event",
        "realtime.event",
        *["realtime.recheck"] * 2,
        "realtime.recheck",
    ]
    nobody = {"type": "realtime.recheck", "company": None, "user": None, "token": None}
    assert programs.next() == {**nobody, "user": 3}
    assert programs.next() == {**nobody, "company": 7}
    assert programs.next() == {**nobody, "token": 5}


@pytest.mark.django_db(transaction=True)
def test_what_is_told_to_all_is_published_once_however_many_companies_there_are(
    servers: Listener,
) -> None:
    asyncio.run(history.listen(7, now_ms=1))
    asyncio.run(history.listen(8, now_ms=1))
    emit_to_all(COUNT, "at", {"n": 1})
    emit_to_all(NEWS, "at", {"n": 2})
    emit(NEWS, "at", {"n": 3}, company_id=7)
    heard = [servers.next() for _ in range(3)]
    assert [(each["event"], each["rooms"]) for each in heard] == [
        ("company-{company}-count", ["everyone"]),
        ("company-news", ["everyone"]),
        ("company-news", ["company:7"]),
    ]
    told = [each["event"] for each in heard]
    assert [each.event for each in kept_events(7)] == told
    assert [each.event for each in kept_events(8)] == told[:2]
    assert servers.next(0.05) is None


@pytest.mark.django_db(transaction=True)
def test_a_dead_redis_fails_nobody_and_is_made_good_for(settings: Settings) -> None:
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    redis_client.cache_clear()
    try:
        with transaction.atomic():
            emit(COUNT, "at", {"n": 1}, company_id=7)
            recheck_user(3)
        emit(COUNT, "at", {"n": 2}, company_id=8)
        emit_to_all(COUNT, "at", {"n": 2})
        assert backplane.publisher.owes
        server = RedisServer()
        try:
            listener = Listener(backplane.SERVERS, server.url)
            settings.REDIS_URL = server.url
            redis_client.cache_clear()
            wait_for(lambda: not backplane.publisher.owes, "what was missed to be told")
            told = {listener.next()["company"] for _ in range(3)}
            assert told == {7, 8, None}
            emit(COUNT, "at", {"n": 3}, company_id=7)
            while (message := listener.next())["type"] != "realtime.event":
                assert message["type"] == "realtime.catch_up"
            assert message["data"] == '{"action":"at","n":3}'
        finally:
            server.stop()
    finally:
        redis_client.cache_clear()


@pytest.mark.django_db(transaction=True)
def test_a_fault_of_another_kind_is_logged_once_and_made_good_for(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(backplane, "RETRY_SECONDS", 0.01)
    settings.REDIS_URL = "nothing://that-is-an-address"  # a ValueError
    redis_client.cache_clear()
    try:
        emit(COUNT, "at", {"n": 1}, company_id=7)
        recheck_user(3)
        assert backplane.publisher.owes
        # Each attempt asks for the client anew.
        before = redis_client.cache_info().misses
        wait_for(lambda: redis_client.cache_info().misses > before + 3, "more attempts")
        logged = [each for each in caplog.records if "missed events" in each.getMessage()]
        assert len(logged) == 1
        server = RedisServer()
        try:
            listener = Listener(backplane.SERVERS, server.url)
            settings.REDIS_URL = server.url
            redis_client.cache_clear()
            wait_for(lambda: not backplane.publisher.owes, "what was missed to be told")
            assert listener.next() == {"type": "realtime.catch_up", "company": 7}
        finally:
            server.stop()
    finally:
        redis_client.cache_clear()


@pytest.mark.django_db(transaction=True)
def test_a_repair_that_could_not_begin_begins_with_the_next_event(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    redis_client.cache_clear()

    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    try:
        with monkeypatch.context() as full:
            full.setattr(threading.Thread, "start", refuse)
            emit(COUNT, "at", {"n": 1}, company_id=7)
        server = RedisServer()
        try:
            listener = Listener(backplane.SERVERS, server.url)
            settings.REDIS_URL = server.url
            redis_client.cache_clear()
            emit(COUNT, "at", {"n": 2}, company_id=8)
            wait_for(lambda: not backplane.publisher.owes, "what was missed to be told")
            assert {listener.next()["company"] for _ in range(2)} == {7, 8}
        finally:
            server.stop()
    finally:
        redis_client.cache_clear()
