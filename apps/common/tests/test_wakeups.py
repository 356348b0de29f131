import os
import signal
import time
from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest
from celery import Celery
from kombu.exceptions import OperationalError
from redis.exceptions import ConnectionError as RedisDown
from redis.exceptions import RedisError

from apps.common.silence import redis_client
from apps.common.wakeups import send_wake_up, wake, woken_key
from config.celery import app
from tests.services import RedisServer

NAMES = {"celery": "inbound.process", "sending": "tickets.deliver"}


@pytest.fixture(autouse=True)
def nothing_waits() -> None:
    redis_client().delete(*(woken_key(queue) for queue in NAMES))


@pytest.fixture
def sent() -> Iterator[mock.Mock]:
    with mock.patch.object(Celery, "send_task") as send:
        yield send


def waiting(queue: str) -> list[Any]:
    return list(redis_client().zrange(woken_key(queue), 0, -1))


def test_of_a_thousand_wake_ups_one_waits() -> None:
    for _ in range(1000):
        send_wake_up("inbound.process")
    assert waiting("celery") == [b"inbound.process"]
    redis_client().zpopmin(woken_key("celery"))
    send_wake_up("inbound.process")
    assert waiting("celery") == [b"inbound.process"]


def test_each_queue_has_its_own_and_the_first_woken_comes_first() -> None:
    for name in ("schedules.send", "inbound.process", "tickets.deliver", "schedules.send"):
        send_wake_up(name)
    assert waiting("celery") == [b"schedules.send", b"inbound.process"]
    assert waiting("sending") == [b"tickets.deliver"]


def test_a_wake_up_for_later_keeps_none_of_now_back(sent: mock.Mock) -> None:
    send_wake_up("inbound.process", after=2.0)
    assert waiting("celery") == []
    send_wake_up("inbound.process")
    assert waiting("celery") == [b"inbound.process"]
    sent.assert_called_once_with("inbound.process", retry=False, countdown=2.0)


def test_a_wake_up_without_redis_is_left_to_the_sweep(sent: mock.Mock) -> None:
    sent.side_effect = OSError
    with mock.patch.object(redis_client(), "execute_command", side_effect=RedisDown):
        send_wake_up("inbound.process")
        send_wake_up("inbound.process", after=2.0)
    send_wake_up("inbound.process")
    assert waiting("celery") == [b"inbound.process"]


def test_a_worker_that_listens_without_end_plans_with_a_time_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    options = app.conf.broker_transport_options
    monkeypatch.setitem(app.conf, "broker_transport_options", {**options, "socket_timeout": None})
    redis = RedisServer()
    os.kill(redis.process.pid, signal.SIGSTOP)
    try:
        began_at = time.monotonic()
        with (
            app.connection_for_write(redis.url) as connection,
            pytest.raises((OperationalError, RedisError)),
        ):
            app.send_task("inbound.process", connection=connection, retry=False, countdown=2.0)
        assert time.monotonic() - began_at < 4
    finally:
        os.kill(redis.process.pid, signal.SIGCONT)
        redis.stop()


@pytest.mark.django_db
def test_workers_are_woken_after_commit(django_capture_on_commit_callbacks: Any) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        wake("inbound.process")
        assert waiting("celery") == []
    assert waiting("celery") == [b"inbound.process"]
