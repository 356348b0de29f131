"""Realtime processes, socket.io clients and installations, for the tests beside this file."""

from collections.abc import Iterator

import pytest

from tests.installations import installations, postgres_installations, postgres_owner
from tests.sockets import RealtimeServer, SocketClients, realtime_servers

__all__ = ["installations", "postgres_installations", "postgres_owner"]


@pytest.fixture(scope="module")
def servers(django_db_setup: None) -> Iterator[list[RealtimeServer]]:
    """One process of each program that can serve sockets, on one Redis."""
    with realtime_servers("uvicorn", "daphne") as running:
        yield running


@pytest.fixture
def clients() -> Iterator[SocketClients]:
    """The real socket.io clients, of both protocols."""
    process = SocketClients()
    yield process
    process.stop()
