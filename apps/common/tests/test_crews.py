import threading
from typing import Any
from unittest import mock

import pytest
from celery import Celery
from django.core.cache import cache
from redis.exceptions import ConnectionError as RedisDown

from apps.common.claiming import retry_delay
from apps.common.crews import Crew, WakeTask


@pytest.fixture
def task() -> Any:
    app = Celery("test", broker="memory://", set_as_current=False)

    @app.task(base=WakeTask, name="tests.wake")  # type: ignore[untyped-decorator]
    def wake() -> None:
        pass

    return wake


def test_of_a_thousand_wake_ups_one_waits(task: Any) -> None:
    with mock.patch("celery.Task.apply_async") as send:
        for _ in range(1000):
            task.apply_async()
        assert send.call_count == 1
        task.before_start("id", (), {})
        task.apply_async()
        assert send.call_count == 2


def test_a_wake_up_for_later_keeps_none_of_now_back(task: Any) -> None:
    with mock.patch("celery.Task.apply_async") as send:
        task.apply_async(countdown=2.0)
        task.apply_async()
    assert send.call_count == 2


def test_a_wake_up_that_could_not_be_sent_stops_no_later_one(task: Any) -> None:
    with mock.patch("celery.Task.apply_async", side_effect=OSError), pytest.raises(OSError):
        task.apply_async()
    with mock.patch("celery.Task.apply_async") as send:
        task.apply_async()
        assert send.call_count == 1


def test_without_redis_the_wake_up_is_tried_all_the_same(task: Any) -> None:
    with (
        mock.patch.object(cache, "add", side_effect=RedisDown),
        mock.patch.object(cache, "delete", side_effect=RedisDown),
        mock.patch("celery.Task.apply_async") as send,
    ):
        task.apply_async()
        task.before_start("id", (), {})
    assert send.call_count == 1


def test_a_crew_works_until_nothing_is_due_and_calls_help_for_much() -> None:
    steps = iter([5, 5, 2, 0])
    help_calls: list[int] = []
    Crew(1).work(lambda: next(steps), full=5, rounds=10, call_help=lambda: help_calls.append(1))
    assert list(steps) == []
    assert help_calls == [1]


def test_a_long_day_is_handed_to_a_successor() -> None:
    help_calls: list[int] = []
    Crew(1).work(lambda: 1, full=5, rounds=3, call_help=lambda: help_calls.append(1))
    assert help_calls == [1]


def test_who_finds_the_crew_complete_makes_it_look_again() -> None:
    crew = Crew(1)
    inside, go_on = threading.Event(), threading.Event()
    steps: list[int] = []

    def step() -> int:
        steps.append(1)
        if len(steps) == 1:
            inside.set()
            go_on.wait(10)
        return 0

    first = threading.Thread(
        target=lambda: crew.work(step, full=5, rounds=10, call_help=lambda: None)
    )
    first.start()
    assert inside.wait(10)
    crew.work(step, full=5, rounds=10, call_help=lambda: None)
    assert len(steps) == 1
    go_on.set()
    first.join(10)
    assert len(steps) == 2


def test_a_fault_gives_the_place_back() -> None:
    crew = Crew(1)

    def fail() -> int:
        raise ValueError

    for _ in range(2):
        with pytest.raises(ValueError):
            crew.work(fail, full=5, rounds=10, call_help=lambda: None)


def test_pauses_between_tries_double_up_to_five_minutes() -> None:
    assert 1 <= retry_delay(1) <= 2
    assert 4 <= retry_delay(3) <= 8
    assert 150 <= retry_delay(50) <= 300
    assert 150 <= retry_delay(5000) <= 300
