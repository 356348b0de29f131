"""The executor of HTTP's threads: who was idle last works next, and nothing is lost."""

import threading
from concurrent.futures import wait

import pytest

from config.warm_threads import WarmThreads


def test_work_goes_to_who_was_idle_last() -> None:
    with WarmThreads(3) as threads:
        both = threading.Barrier(2)
        wait([threads.submit(both.wait, 20) for _ in range(2)])
        last = threads.submit(threading.get_ident).result(20)
        assert all(threads.submit(threading.get_ident).result(20) == last for _ in range(20))


def test_what_nobody_waits_for_is_kept_in_order() -> None:
    done: list[int] = []
    held = threading.Event()
    with WarmThreads(1) as threads:
        threads.submit(held.wait, 20)
        for work in range(3):
            threads.submit(done.append, work)
        assert done == []
        held.set()
    assert done == [0, 1, 2]


def test_all_is_done_and_the_threads_end() -> None:
    before = threading.active_count()
    with WarmThreads(4) as threads:
        assert sorted(threads.map(lambda n: n * 2, range(500))) == list(range(0, 1000, 2))
        assert threading.active_count() <= before + 4
    assert threading.active_count() == before
    with pytest.raises(RuntimeError, match="after shutdown"):
        threads.submit(print)


def test_what_fails_is_raised_to_who_asked_and_the_thread_goes_on() -> None:
    with WarmThreads(1) as threads:
        with pytest.raises(ZeroDivisionError):
            threads.submit(lambda: 1 / 0).result(20)
        assert threads.submit(lambda: 1).result(20) == 1
