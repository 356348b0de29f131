import threading
from collections.abc import Callable
from unittest import mock

import pytest
from celery import current_app

from apps.common.leases import leased_models
from apps.common.wakeups import queue_of
from apps.common.workers import Starter, WorkerPool


def test_a_pool_works_until_nothing_is_due_and_calls_help_for_much() -> None:
    steps = iter([5, 5, 2, 0])
    help_calls: list[int] = []
    WorkerPool(1).work(
        lambda: next(steps), full=5, rounds=10, call_help=lambda: help_calls.append(1)
    )
    assert list(steps) == []
    assert help_calls == [1]


def test_a_long_day_is_handed_to_a_successor() -> None:
    help_calls: list[int] = []
    WorkerPool(1).work(lambda: 1, full=5, rounds=3, call_help=lambda: help_calls.append(1))
    assert help_calls == [1]


def test_who_finds_the_pool_full_makes_it_look_again() -> None:
    pool = WorkerPool(1)
    inside, go_on = threading.Event(), threading.Event()
    steps: list[int] = []

    def step() -> int:
        steps.append(1)
        if len(steps) == 1:
            inside.set()
            go_on.wait(10)
        return 0

    first = threading.Thread(
        target=lambda: pool.work(step, full=5, rounds=10, call_help=lambda: None)
    )
    first.start()
    assert inside.wait(10)
    pool.work(step, full=5, rounds=10, call_help=lambda: None)
    assert len(steps) == 1
    go_on.set()
    first.join(10)
    assert len(steps) == 2


def test_a_fault_gives_the_place_back() -> None:
    pool = WorkerPool(1)

    def fail() -> int:
        raise ValueError

    for _ in range(2):
        with pytest.raises(ValueError):
            pool.work(fail, full=5, rounds=10, call_help=lambda: None)


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of work that was done; "tickets.deliver" of the other queue is work as well."""
    done: list[str] = []

    def fail() -> None:
        done.append("schedules.send")
        raise ValueError

    works = {
        "inbound.process": lambda: done.append("inbound.process"),
        "tickets.deliver": lambda: done.append("tickets.deliver"),
        "schedules.send": fail,
    }
    monkeypatch.setattr("apps.common.workers._works", works)
    return done


def test_of_many_starts_of_a_task_one_waits_for_a_thread(done: list[str]) -> None:
    waiting: list[Callable[[], None]] = []
    starter = Starter(waiting.append, ["celery"])
    for _ in range(100):
        starter.start("inbound.process")
    assert len(waiting) == 1
    waiting.pop()()
    assert done == ["inbound.process"]
    starter.start("inbound.process")
    assert len(waiting) == 1


def test_only_work_of_the_own_queues_is_started(done: list[str]) -> None:
    starter = Starter(lambda work: work(), ["celery"])
    for name in ("tickets.deliver", "no.work", "inbound.process"):
        starter.start(name)
    assert done == ["inbound.process"]


def test_a_start_that_fails_stops_no_later_one(done: list[str]) -> None:
    submit = mock.Mock(side_effect=RuntimeError)  # the threads of a worker that ends
    starter = Starter(submit, ["celery"])
    for _ in range(2):
        with pytest.raises(RuntimeError):
            starter.start("inbound.process")
    assert submit.call_count == 2
    failing = Starter(lambda work: work(), ["celery"])
    for _ in range(2):
        failing.start("schedules.send")
    assert done == ["schedules.send"] * 2


def test_what_the_sweep_finds_is_started_whatever_its_rows_are() -> None:
    current_app.loader.import_default_modules()
    woken = {model.wakes for model in leased_models() if model.wakes}
    started: list[Callable[[], None]] = []
    for name in woken:
        Starter(started.append, [queue_of(name)]).start(name)
    assert len(started) == len(woken) > 10
