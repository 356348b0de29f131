"""Requests to join that the database does not answer: nobody stays deaf (rules/realtime §3)."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection as database
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from apps.accounts.models import User
from apps.accounts.tokens import make_access_token
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets.models import Ticket
from tests.factories import make_ticket
from tests.sockets import RealtimeServer, SocketClients, connected
from tests.test_realtime import said, tell

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]


@contextmanager
def unreadable_tickets() -> Iterator[None]:
    """Have the database refuse what a join reads."""
    table = Ticket._meta.db_table
    with database.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} RENAME TO elsewhere")
    try:
        yield
    finally:
        with database.cursor() as cursor:
            cursor.execute(f"ALTER TABLE elsewhere RENAME TO {table}")


@pytest.mark.parametrize("version", [3, 4])
def test_a_socket_that_could_not_join_connects_anew_and_hears(
    servers: list[RealtimeServer],
    clients: SocketClients,
    agent: User,
    queue: Queue,
    connection: Connection,
    version: int,
) -> None:
    ticket = make_ticket(agent.company, queue=queue, connection=connection)
    token = make_access_token(agent)
    socket = connected(clients.open(servers[0], version=version, token=token))
    with unreadable_tickets():
        clients.send(op="emit", id=socket.id, event="joinChatBox", args=[ticket.pk])
        assert socket.expect("disconnect") in {"transport close", "transport error"}
    connected(socket)
    socket.emit("joinChatBox", ticket.pk)
    tell(ticket, "heard")
    assert socket.expect(f"company-{agent.company_id}-appMessage") == said("heard")


def test_a_program_that_could_not_join_is_told_to_connect_anew(
    servers: list[RealtimeServer], agent: User
) -> None:
    for server in servers:
        with connect(
            f"{server.url.replace('http', 'ws')}/ws/events/",
            additional_headers={"Authorization": f"Bearer {make_access_token(agent)}"},
        ) as program:
            assert json.loads(program.recv(timeout=10))["event"] == "connected"
            with unreadable_tickets():
                program.send(json.dumps({"join": "ticket", "id": 1}))
                with pytest.raises(ConnectionClosed) as closed:
                    program.recv(timeout=10)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4410
