"""The executor of HTTP's threads: who was idle last works next, and nothing is lost."""

import threading
from queue import SimpleQueue
from typing import Any

from config.warm_threads import LastIdleFirst, warm_threads
from tests.product import wait_for


def test_work_goes_to_who_was_idle_last() -> None:
    queue, heard = LastIdleFirst(), SimpleQueue[Any]()

    def listen(name: str) -> None:
        heard.put((name, queue.get()))

    for count, name in enumerate(("first", "second", "last"), 1):
        threading.Thread(target=listen, args=[name], daemon=True).start()
        wait_for(lambda count=count: len(queue._idle) == count, f"{name} to wait")  # type: ignore[misc]
    for work, name in ((1, "last"), (2, "second"), (3, "first")):
        queue.put(work)
        assert heard.get(timeout=20) == (name, work)


def test_what_nobody_waits_for_is_kept_in_order() -> None:
    queue = LastIdleFirst()
    for work in range(3):
        queue.put(work)
    assert [queue.get(), queue.get_nowait(), queue.get()] == [0, 1, 2]


def test_all_is_done_and_the_threads_end() -> None:
    with warm_threads(4) as threads:
        assert sorted(threads.map(lambda n: n * 2, range(500))) == list(range(0, 1000, 2))
        workers = list(threads._threads)
    assert not any(each.is_alive() for each in workers)
