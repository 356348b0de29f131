import os
import signal
import time
from collections.abc import Iterator

import pytest
import redis

from apps.common import silence
from tests.services import RedisServer


@pytest.fixture
def frozen() -> Iterator[RedisServer]:
    server = RedisServer()
    yield server
    os.kill(server.process.pid, signal.SIGCONT)
    server.stop()
    silence._Silence.until = 0.0


def test_one_call_waits_for_a_redis_that_hangs_and_no_other(frozen: RedisServer) -> None:
    client = silence.Client.from_url(frozen.url, **silence.CLIENT_OPTIONS)
    client.set("known", "1")
    os.kill(frozen.process.pid, signal.SIGSTOP)
    with pytest.raises(redis.TimeoutError):
        client.get("known")
    assert silence.is_silent()
    started_at = time.monotonic()
    for _ in range(50):
        with pytest.raises(redis.TimeoutError):
            client.get("known")
    assert time.monotonic() - started_at < 10 * silence.WAIT_SECONDS
    os.kill(frozen.process.pid, signal.SIGCONT)
    silence._Silence.until = 0.0
    assert client.get("known") == b"1"


def test_a_redis_that_refuses_is_asked_again_at_once(frozen: RedisServer) -> None:
    client = silence.Client.from_url(frozen.url, **silence.CLIENT_OPTIONS)
    frozen.stop()
    with pytest.raises(redis.ConnectionError):
        client.get("known")
    assert not silence.is_silent()
    frozen.start()
    assert client.get("known") is None
