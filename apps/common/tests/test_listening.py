from collections.abc import Iterator
from unittest import mock

import pytest
import redis

from apps.common.listening import ListenThread
from apps.common.silence import redis_client
from apps.common.wakeups import send_wake_up, woken_key


class Ended(BaseException):
    pass


@pytest.fixture(autouse=True)
def no_pause() -> Iterator[mock.Mock]:
    redis_client().delete(woken_key("celery"), woken_key("sending"))
    with mock.patch("time.sleep") as pause:
        yield pause


def heard_by(*queues: str) -> list[str]:
    """Let a worker of these queues hear until all wake-ups are taken."""
    starter = mock.Mock(queues=queues)
    send_wake_up("companies.remove")  # the last of its queue
    starter.start.side_effect = [None, Ended] if len(queues) == 1 else [None, None, Ended]
    with pytest.raises(Ended):
        ListenThread(starter).run()
    return [call.args[0] for call in starter.start.call_args_list]


def test_a_worker_hears_the_wake_ups_of_its_queues_in_order() -> None:
    for name in ("inbound.process", "tickets.deliver"):
        send_wake_up(name)
    assert heard_by("celery") == ["inbound.process", "companies.remove"]
    assert redis_client().zrange(woken_key("sending"), 0, -1) == [b"tickets.deliver"]


def test_a_worker_of_both_queues_hears_both() -> None:
    for name in ("inbound.process", "tickets.deliver"):
        send_wake_up(name)
    heard = heard_by("celery", "sending")
    assert sorted(heard) == ["companies.remove", "inbound.process", "tickets.deliver"]


def test_it_goes_on_after_an_outage_and_after_any_fault(no_pause: mock.Mock) -> None:
    starter = mock.Mock(queues=["celery"])
    starter.start.side_effect = [RuntimeError("x"), Ended]
    thread = ListenThread(starter)
    answers = [
        redis.ConnectionError,
        redis.TimeoutError,
        ("key", "inbound.process", 1.0),
        None,
        ("key", "inbound.process", 1.0),
    ]
    with (
        mock.patch.object(redis.Redis, "bzpopmin", side_effect=answers),
        pytest.raises(Ended),
    ):
        thread.run()
    assert starter.start.call_count == 2
    assert no_pause.call_count == 3
