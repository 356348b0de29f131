import threading

import pytest

from apps.common.workers import WorkerPool


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
