"""Who else has a conversation open: two realtime processes on one Redis, and real clients."""

from typing import Any

import pytest
from django.conf import settings

from apps.accounts.models import User
from apps.accounts.tokens import make_access_token
from apps.common.silence import redis_client
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.realtime.emit import recheck_user
from apps.tickets.models import Ticket
from tests.factories import make_queue, make_ticket, make_user
from tests.product import wait_for
from tests.sockets import RealtimeServer, Socket, SocketClients, connected

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]


@pytest.fixture
def ticket(acme: Company, queue: Queue, connection: Connection) -> Ticket:
    return make_ticket(acme, queue=queue, connection=connection)


def event_of(company: Company) -> str:
    return f"company-{company.pk}-ticketViewers"


def names(payload: Any, ticket: Ticket) -> list[str]:
    assert (payload["action"], payload["ticketId"]) == ("update", ticket.pk)
    assert all(viewer.keys() == {"id", "name"} for viewer in payload["viewers"])
    return [viewer["name"] for viewer in payload["viewers"]]


def open_by(
    clients: SocketClients, server: RealtimeServer, user: User, ticket: Ticket, **options: Any
) -> Socket:
    """Open a conversation in a browser of a user."""
    socket = connected(clients.open(server, token=make_access_token(user), **options))
    socket.emit("joinChatBox", ticket.pk)
    return socket


def test_two_users_see_each_other_until_one_leaves(
    servers: list[RealtimeServer],
    clients: SocketClients,
    agent: User,
    admin: User,
    outsider: User,
    ticket: Ticket,
) -> None:
    event = event_of(ticket.company)
    first = open_by(clients, servers[0], agent, ticket)
    stranger = open_by(clients, servers[0], outsider, ticket)
    idle = connected(clients.open(servers[0], token=make_access_token(admin)))
    second = open_by(clients, servers[1], admin, ticket, namespace="/api", version=3)
    both = sorted([agent.name, admin.name])
    told = first.expect(event)
    assert names(told, ticket) == both
    assert names(second.expect(event), ticket) == both

    second.emit("leaveChatBox", ticket.pk)
    left = first.expect(event)
    assert names(left, ticket) == [agent.name]
    assert left["at"] > told["at"]
    # Another company joins no room, and who has only the list open views nothing.
    assert stranger.events() == []
    assert idle.events() == []

    second.emit("joinChatBox", str(ticket.uuid))
    assert names(first.expect(event), ticket) == both
    second.close()
    assert names(first.expect(event), ticket) == [agent.name]


def test_a_second_tab_and_an_own_reload_are_the_same_person(
    servers: list[RealtimeServer],
    clients: SocketClients,
    agent: User,
    admin: User,
    ticket: Ticket,
) -> None:
    event = event_of(ticket.company)
    tabs = [open_by(clients, server, agent, ticket) for server in servers]
    # Who is alone is told nothing; both tabs are known before somebody else comes.
    place = f"{settings.CHANNEL_PREFIX}:viewers:{ticket.pk}"
    wait_for(lambda: redis_client().zcard(place) == 2, "both tabs to be noted")
    boss = open_by(clients, servers[0], admin, ticket)
    both = sorted([agent.name, admin.name])
    for each in (*tabs, boss):
        assert names(each.expect(event), ticket) == both
    # One tab less changes nothing for the others; one more is told who is here.
    tabs[0].close()
    again = open_by(clients, servers[0], agent, ticket)
    assert names(again.expect(event), ticket) == both
    assert names(boss.expect(event), ticket) == both
    tabs[1].close()
    again.close()
    assert names(boss.expect(event), ticket) == [admin.name]
    assert boss.events() == [event] * 3


def test_who_may_no_longer_read_the_conversation_is_neither_told_nor_named(
    servers: list[RealtimeServer],
    clients: SocketClients,
    agent: User,
    admin: User,
    acme: Company,
    queue: Queue,
    ticket: Ticket,
) -> None:
    event = event_of(acme)
    socket = open_by(clients, servers[0], agent, ticket)
    boss = open_by(clients, servers[1], admin, ticket)
    for each in (socket, boss):
        each.expect(event)
    agent.queues.set([make_queue(acme)])
    recheck_user(agent.pk)
    assert names(boss.expect(event), ticket) == [admin.name]
    colleague = make_user(acme, profile="admin")
    open_by(clients, servers[0], colleague, ticket)
    assert names(boss.expect(event), ticket) == sorted([admin.name, colleague.name])
    assert socket.events() == [event]
