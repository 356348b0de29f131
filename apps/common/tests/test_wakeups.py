from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest
from celery import Celery
from redis.exceptions import ConnectionError as RedisDown

from apps.common.silence import redis_client
from apps.common.wakeups import WokenTask, send_wake_up, wake


@pytest.fixture
def sent() -> Iterator[mock.Mock]:
    with mock.patch.object(Celery, "send_task") as send:
        yield send


def started() -> None:
    task: Any = WokenTask()
    task.name = "tests.wake"
    task.before_start("id", (), {})


def test_of_a_thousand_wake_ups_one_waits(sent: mock.Mock) -> None:
    for _ in range(1000):
        send_wake_up("tests.wake")
    assert sent.call_count == 1
    started()
    send_wake_up("tests.wake")
    assert sent.call_count == 2


def test_a_wake_up_for_later_keeps_none_of_now_back(sent: mock.Mock) -> None:
    send_wake_up("tests.wake", after=2.0)
    send_wake_up("tests.wake")
    assert [call.kwargs for call in sent.call_args_list] == [
        {"retry": False, "countdown": 2.0},
        {"retry": False},
    ]


def test_a_wake_up_that_could_not_be_sent_stops_no_later_one(sent: mock.Mock) -> None:
    sent.side_effect = OSError
    send_wake_up("tests.wake")
    send_wake_up("tests.wake")
    assert sent.call_count == 2


def test_without_redis_the_wake_up_is_tried_all_the_same(sent: mock.Mock) -> None:
    with mock.patch.object(redis_client(), "execute_command", side_effect=RedisDown):
        send_wake_up("tests.wake")
        started()
    assert sent.call_count == 1


@pytest.mark.django_db
def test_workers_are_woken_after_commit(
    sent: mock.Mock, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        wake("tests.wake")
        assert sent.call_count == 0
    assert sent.call_count == 1
