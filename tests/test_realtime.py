"""Two realtime processes on one Redis, driven by the real socket.io clients."""

import json
import time
from contextlib import suppress
from typing import Any

import httpx
import pytest
from django.db import connection as database
from pytest_django import Settings
from rest_framework import serializers
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from apps.accounts.models import User
from apps.accounts.permissions import ALL, Permission
from apps.accounts.services.roles import update_role
from apps.accounts.services.sessions import sign_in
from apps.accounts.tokens import make_access_token
from apps.common.silence import redis_client
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.realtime import backplane
from apps.realtime.emit import LiveEvent, emit, emit_to_all, recheck_company, recheck_user
from apps.realtime.sockets import THREADS
from apps.tickets.models import Ticket
from apps.tickets.rooms import ticket_rooms
from tests.factories import PASSWORD, make_queue, make_role, make_ticket, make_user
from tests.product import wait_for
from tests.services import RedisServer
from tests.sockets import (
    RealtimeServer,
    Socket,
    SocketClients,
    connected,
    realtime_servers,
)

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]


CONTACT = LiveEvent(
    "contact", needs=Permission.SEE_CONTACTS, update={"contact": serializers.DictField()}
)
SEGMENT = LiveEvent(
    "segment", needs=Permission.CAMPAIGNS, delete={"id": serializers.IntegerField()}
)
MESSAGE = LiveEvent("appMessage", create={"text": serializers.CharField()})
QUEUE = LiveEvent("queue", delete={"queueId": serializers.IntegerField()})
HELP = LiveEvent("help", delete={"id": serializers.IntegerField()})
NEWS = LiveEvent("announcement", is_common=True, delete={"id": serializers.IntegerField()})
PROMPT = LiveEvent("prompt", also="prompt", delete={"promptId": serializers.IntegerField()})


def tell(ticket: Ticket, text: str) -> None:
    rooms = ticket_rooms(ticket)
    emit(MESSAGE, "create", {"text": text}, company_id=ticket.company_id, rooms=rooms)


def said(text: str) -> dict[str, Any]:
    return {"action": "create", "text": text}


def tell_gone(company_id: int, queue_id: int = 1) -> None:
    emit(QUEUE, "delete", {"queueId": queue_id}, company_id=company_id)


def gone(queue_id: int = 1) -> dict[str, Any]:
    return {"action": "delete", "queueId": queue_id}


def test_numbers_are_masked_for_whose_role_hides_them_at_once_when_it_changes(
    servers: list[RealtimeServer], clients: SocketClients, acme: Company, admin: User
) -> None:
    role = make_role(acme, *(ALL - {Permission.FULL_NUMBER}))
    hiding = make_user(acme, role=role)
    shown = connected(clients.open(servers[0], token=make_access_token(admin)))
    hidden = connected(clients.open(servers[0], token=make_access_token(hiding)))
    alone = connected(clients.open(servers[1], token=make_access_token(hiding)))
    name = f"company-{acme.pk}-contact"

    def tell_number() -> None:
        contact = {"name": "Maria", "number": "5511987654321"}
        emit(CONTACT, "update", {"contact": contact}, company_id=acme.pk)

    tell_number()
    assert shown.expect(name)["contact"]["number"] == "5511987654321"
    for socket in (hidden, alone):
        assert socket.expect(name)["contact"]["number"] == "5511•••••••21"
    # What is told to all companies reaches such a socket once, too.
    emit_to_all(HELP, "delete", {"id": 1})
    assert alone.expect(f"company-{acme.pk}-help") == {"action": "delete", "id": 1}
    assert hidden.expect(f"company-{acme.pk}-help") == {"action": "delete", "id": 1}
    update_role(actor=admin, role_id=role.pk, fields={"permissions": sorted(ALL)})
    assert hidden.expect(f"company-{acme.pk}-role")["action"] == "update"

    def sees_all() -> bool:
        tell_number()
        return bool(hidden.expect(name)["contact"]["number"] == "5511987654321")

    wait_for(sees_all, "the number in full")


def test_who_sees_no_contacts_hears_of_none_until_the_role_allows_it(
    servers: list[RealtimeServer], clients: SocketClients, acme: Company, admin: User
) -> None:
    role = make_role(acme, Permission.CAMPAIGNS)
    socket = connected(
        clients.open(servers[0], token=make_access_token(make_user(acme, role=role)))
    )
    name = f"company-{acme.pk}-contact"

    def tell() -> None:
        emit(CONTACT, "update", {"contact": {"name": "Maria"}}, company_id=acme.pk)

    tell()
    emit(SEGMENT, "delete", {"id": 1}, company_id=acme.pk)
    assert socket.expect(f"company-{acme.pk}-segment")["id"] == 1
    assert name not in socket.events()
    chosen = [Permission.SEE_CONTACTS, Permission.FULL_NUMBER]
    update_role(actor=admin, role_id=role.pk, fields={"permissions": chosen})

    def hears() -> bool:
        tell()
        return name in socket.events()

    wait_for(hears, "the event of a contact")


def test_an_event_reaches_clients_of_both_processes_and_no_other_company(
    servers: list[RealtimeServer], clients: SocketClients, agent: User, outsider: User
) -> None:
    token, foreign = make_access_token(agent), make_access_token(outsider)
    first = connected(clients.open(servers[0], token=token))
    second = connected(clients.open(servers[1], version=3, token=token))
    stranger = connected(clients.open(servers[0], token=foreign))
    name = f"company-{agent.company_id}-queue"
    tell_gone(agent.company_id)
    for socket in (first, second):
        assert socket.expect(name) == gone()
    emit(PROMPT, "delete", {"promptId": 5}, company_id=agent.company_id)
    assert second.expect("prompt") == {"action": "delete", "promptId": 5}
    tell_gone(outsider.company_id)
    stranger.expect(f"company-{outsider.company_id}-queue")
    assert stranger.events() == [f"company-{outsider.company_id}-queue"]


def test_an_old_browser_gets_on_with_its_cookie_in_both_namespaces_and_several_sockets(
    servers: list[RealtimeServer], clients: SocketClients, agent: User
) -> None:
    cookie = sign_in(email=agent.email, password=PASSWORD, ip_address=None).refresh_token
    options_of_tabs: list[dict[str, Any]] = [
        {"query": {"companyId": agent.company_id}},
        {"query": {"companyId": agent.company_id}, "namespace": "/api"},
        {"query": {"userId": agent.pk}, "namespace": "/api"},
        {"query": {"companyId": agent.company_id}, "transports": ("polling", "websocket")},
    ]
    sockets = [
        connected(clients.open(servers[index % 2], version=3, cookie=cookie, **options))
        for index, options in enumerate(options_of_tabs)
    ]
    tell_gone(agent.company_id)
    for socket in sockets:
        assert socket.expect(f"company-{agent.company_id}-queue") == gone()


def test_what_is_told_to_all_reaches_every_company_under_the_name_that_it_listens_for(
    servers: list[RealtimeServer], clients: SocketClients, agent: User, outsider: User
) -> None:
    tokens = [make_access_token(agent), make_access_token(outsider)]
    sockets = [
        connected(clients.open(servers[0], token=tokens[0])),
        connected(clients.open(servers[1], token=tokens[1], namespace="/api")),
    ]
    with programs_frames(servers[0], tokens[1]) as program:
        assert next_frame(program)["event"] == "connected"
        emit_to_all(HELP, "delete", {"id": 3})
        emit_to_all(NEWS, "delete", {"id": 4})
        own = [f"company-{user.company_id}-help" for user in (agent, outsider)]
        assert [next_frame(program)["event"] for _ in range(2)] == [own[1], "company-announcement"]
    for socket, name in zip(sockets, own, strict=True):
        assert socket.expect(name) == {"action": "delete", "id": 3}
        assert socket.expect("company-announcement") == {"action": "delete", "id": 4}
        assert socket.events() == [name, "company-announcement"]


@pytest.mark.parametrize("namespace", ["", "/api"])
def test_who_is_not_who_the_query_says_is_refused(
    servers: list[RealtimeServer],
    clients: SocketClients,
    agent: User,
    outsider: User,
    namespace: str,
) -> None:
    token = make_access_token(agent)
    refused: list[dict[str, Any]] = [
        {},
        {"token": "rubbish"},
        {"cookie": "rubbish"},
        {"token": token, "query": {"companyId": outsider.company_id}},
        {"token": token, "query": {"userId": outsider.pk}},
        {"query": {"companyId": agent.company_id, "userId": agent.pk}},
    ]
    for options in refused:
        socket = clients.open(servers[0], namespace=namespace, **options)
        assert socket.expect("connect_error") == "ERR_SESSION_EXPIRED"
    connected(clients.open(servers[0], namespace=namespace, query={"token": token}))


def test_a_socket_is_pinged_every_18_seconds(servers: list[RealtimeServer]) -> None:
    opened = httpx.get(f"{servers[0].url}/socket.io/?EIO=4&transport=polling").text
    handshake = json.loads(opened.removeprefix("0"))
    assert (handshake["pingInterval"], handshake["pingTimeout"]) == (18_000, 18_000)


def test_rubbish_from_a_client_is_harmless(
    servers: list[RealtimeServer], clients: SocketClients, agent: User
) -> None:
    socket = connected(clients.open(servers[0], token=make_access_token(agent)))
    rubbish: list[Any] = ["undefined", "", None, 9**30, -1, True, {"a": 1}, ["x"], "x" * 5000, "é"]
    for event in ("joinChatBox", "leaveChatBox", "joinTickets", "joinNotification", "userStatus"):
        for argument in rubbish:
            socket.emit(event, argument)
        socket.emit(event)
        socket.emit(event, 1, 2, 3)
    for packet in ('["connect"]', '["disconnect","x"]', '[{"a":1}]', "[[]]", "[]", "{}", "", "[1"):
        socket.send_raw(f"2{packet}")
    tell_gone(agent.company_id)
    assert socket.expect(f"company-{agent.company_id}-queue") == gone()


def test_ticket_events_reach_only_sockets_that_joined_and_may_read(
    servers: list[RealtimeServer],
    clients: SocketClients,
    agent: User,
    admin: User,
    outsider: User,
    queue: Queue,
    connection: Connection,
) -> None:
    ticket = make_ticket(agent.company, queue=queue, connection=connection)
    other = make_ticket(agent.company, queue=make_queue(agent.company), connection=connection)
    token = make_access_token(agent)
    by_id, by_uuid, by_status, notified, idle = (
        connected(clients.open(servers[index % 2], token=token)) for index in range(5)
    )
    by_id.emit("joinChatBox", ticket.pk)
    by_uuid.emit("joinChatBox", str(ticket.uuid))
    by_status.emit("joinTickets", "pending")
    notified.emit("joinNotification")
    boss = connected(clients.open(servers[0], token=make_access_token(admin)))
    boss.emit("joinTickets", "pending")
    stranger = connected(clients.open(servers[0], token=make_access_token(outsider)))
    for event, argument in (("joinChatBox", ticket.pk), ("joinTickets", "pending")):
        stranger.emit(event, argument)
    by_id.emit("joinChatBox", other.pk)  # a queue that the agent does not work in

    tell(ticket, "for the queue")
    tell(other, "for another queue")
    name = f"company-{agent.company_id}-appMessage"
    for socket in (by_id, by_uuid, by_status, notified, boss):
        assert socket.expect(name) == said("for the queue")
    assert boss.expect(name) == said("for another queue")
    for socket in (by_id, by_uuid, by_status, notified):
        assert socket.events() == [name]
    assert idle.events() == []
    assert stranger.events() == []

    by_id.emit("leaveChatBox", ticket.pk)
    by_status.emit("leaveTickets", "pending")
    tell(ticket, "after leaving")
    by_uuid.expect(name)
    assert by_id.events() == [name]
    assert by_status.events() == [name]


def test_a_join_says_for_how_long_its_rooms_had_no_event(
    servers: list[RealtimeServer],
    clients: SocketClients,
    agent: User,
    queue: Queue,
    connection: Connection,
) -> None:
    ticket = make_ticket(agent.company, queue=queue, connection=connection)
    socket = connected(clients.open(servers[0], token=make_access_token(agent)))
    other = make_ticket(agent.company, queue=make_queue(agent.company), connection=connection)
    wait_for(lambda: socket.emit("joinTickets", "pending") > 300, "a quiet room")
    tell(other, "for a queue of others")
    socket.catch_up()
    assert socket.emit("joinTickets", "pending") > 300
    told_at = time.monotonic()
    tell(ticket, "for the queue")
    socket.catch_up()
    quiet = socket.emit("joinTickets", "pending")
    assert quiet <= (time.monotonic() - told_at) * 1000
    assert socket.emit("joinTickets", "open") > quiet
    assert socket.emit("joinTickets", "nothing") is None
    assert socket.emit("leaveTickets", "pending") is None


def test_the_first_join_of_a_process_knows_what_it_heard_before(
    clients: SocketClients, agent: User, queue: Queue, connection: Connection
) -> None:
    ticket = make_ticket(agent.company, queue=queue, connection=connection)
    with realtime_servers("uvicorn") as [server]:
        began_at = time.monotonic()
        time.sleep(1)
        told_at = time.monotonic()
        tell(ticket, "before there is a socket")
        time.sleep(0.3)
        socket = connected(clients.open(server, token=make_access_token(agent)))
        quiet = socket.emit("joinTickets", "pending")
        assert 0 < quiet <= (time.monotonic() - told_at) * 1000
        age = (time.monotonic() - began_at) * 1000
        assert age - 500 < socket.emit("joinTickets", "open")


def test_a_conversation_that_moves_out_of_reach_goes_silent(
    servers: list[RealtimeServer],
    clients: SocketClients,
    agent: User,
    admin: User,
    queue: Queue,
    connection: Connection,
) -> None:
    ticket = make_ticket(agent.company, queue=queue, connection=connection)
    socket = connected(clients.open(servers[0], token=make_access_token(agent)))
    boss = connected(clients.open(servers[1], token=make_access_token(admin)))
    for each in (socket, boss):
        each.emit("joinChatBox", ticket.pk)
    ticket.queue = make_queue(agent.company)
    ticket.save()
    tell(ticket, "secret")
    assert boss.expect(f"company-{agent.company_id}-appMessage") == said("secret")
    assert socket.events() == []


def test_rooms_follow_a_change_of_queues_and_of_the_spy_setting(
    servers: list[RealtimeServer],
    clients: SocketClients,
    agent: User,
    acme: Company,
    queue: Queue,
    connection: Connection,
) -> None:
    other = make_queue(acme)
    old_ticket = make_ticket(acme, queue=queue, connection=connection)
    new_ticket = make_ticket(acme, queue=other, connection=connection)
    nobodys = make_ticket(acme, connection=connection)
    socket = connected(clients.open(servers[1], token=make_access_token(agent)))
    socket.emit("joinTickets", "pending")
    socket.emit("joinChatBox", old_ticket.pk)
    name = f"company-{acme.pk}-appMessage"

    def hears(*tickets: Ticket) -> list[int]:
        for ticket in tickets:
            tell(ticket, str(ticket.pk))
        tell_gone(acme.pk)
        start = len(socket.heard)
        socket.expect(f"company-{acme.pk}-queue")
        return [int(data["text"]) for event, data in socket.heard[start:] if event == name]

    def eventually(expected: list[int]) -> None:
        for _ in range(100):
            heard = hears(old_ticket, new_ticket, nobodys)
            if heard == expected:
                return
        raise AssertionError(f"{heard} is not {expected}")

    eventually([old_ticket.pk])
    agent.queues.set([other])
    recheck_user(agent.pk)
    eventually([new_ticket.pk])
    spying = CompanySetting.objects.create(company=acme, key="allowToSpyMessage", value="enabled")
    recheck_company(acme.pk)
    eventually([old_ticket.pk, new_ticket.pk, nobodys.pk])
    spying.delete()
    recheck_company(acme.pk)
    eventually([new_ticket.pk])


def test_a_login_elsewhere_is_told_and_then_ends_the_older_socket(
    servers: list[RealtimeServer], clients: SocketClients, agent: User
) -> None:
    socket = connected(clients.open(servers[1], token=make_access_token(agent)))
    sign_in(email=agent.email, password=PASSWORD, ip_address=None)
    recheck_user(agent.pk)
    told = socket.expect(f"company-{agent.company_id}-auth")
    assert told["action"] == "update"
    assert told["user"]["id"] == agent.pk
    assert socket.expect("disconnect") == "io server disconnect"
    again = clients.open(servers[1], token=make_access_token(agent))
    assert again.expect("connect_error") == "ERR_SESSION_EXPIRED"


def test_a_sign_of_life_puts_the_user_online_and_tells_the_company_once(
    servers: list[RealtimeServer], clients: SocketClients, agent: User, admin: User
) -> None:
    watcher = connected(clients.open(servers[1], token=make_access_token(admin)))
    socket = connected(clients.open(servers[0], token=make_access_token(agent)))
    socket.emit("userStatus")
    told = watcher.expect(f"company-{agent.company_id}-user")
    assert (told["action"], told["user"]["id"], told["user"]["online"]) == (
        "update",
        agent.pk,
        True,
    )
    socket.emit("userStatus")
    connected(clients.open(servers[1], version=3, token=make_access_token(agent))).emit(
        "userStatus"
    )
    assert watcher.events().count(f"company-{agent.company_id}-user") == 1


def hears_again(socket: Socket, company_id: int) -> bool:
    tell_gone(company_id, 3)
    with suppress(AssertionError):
        return bool(socket.expect(f"company-{company_id}-queue", 0.5) == gone(3))
    return False


@pytest.mark.parametrize(("version", "under"), [(3, "daphne"), (4, "uvicorn")])
def test_after_a_restart_of_redis_clients_come_back_to_read_what_they_missed(
    clients: SocketClients,
    agent: User,
    version: int,
    under: str,
    settings: Settings,
) -> None:
    redis = RedisServer()
    try:
        settings.REDIS_URL = redis.url
        redis_client.cache_clear()
        with realtime_servers(under, REDIS_URL=redis.url) as (server,):
            token = make_access_token(agent)
            socket = connected(clients.open(server, version=version, token=token))
            name = f"company-{agent.company_id}-queue"
            tell_gone(agent.company_id, 1)
            assert socket.expect(name) == gone(1)
            redis.stop()
            tell_gone(agent.company_id, 2)  # nothing raises
            redis.start()
            assert socket.expect("disconnect") in {"transport close", "transport error"}
            connected(socket)
            wait_for(lambda: not backplane.publisher.owes, "the publisher to make good")
            wait_for(lambda: hears_again(socket, agent.company_id), "events")
    finally:
        redis_client.cache_clear()
        redis.stop()


def programs_frames(server: RealtimeServer, token: str) -> Any:
    return connect(
        f"{server.url.replace('http', 'ws')}/ws/events/",
        additional_headers={"Authorization": f"Bearer {token}"},
    )


def next_frame(program: Any) -> dict[str, Any]:
    frame: dict[str, Any] = json.loads(program.recv(timeout=10))
    return frame


@pytest.mark.parametrize("index", [0, 1])
def test_a_program_hears_the_same_events_over_a_plain_websocket(
    servers: list[RealtimeServer],
    agent: User,
    queue: Queue,
    connection: Connection,
    index: int,
) -> None:
    ticket = make_ticket(agent.company, queue=queue, connection=connection)
    other = make_ticket(agent.company, queue=make_queue(agent.company), connection=connection)
    with programs_frames(servers[index], make_access_token(agent)) as program:
        assert next_frame(program)["event"] == "connected"
        for rubbish in ("", "[", "[]", '{"join": "everything"}', '{"join": []}'):
            program.send(rubbish)
            assert next_frame(program)["event"] == "error"
        tell_gone(agent.company_id)
        heard = next_frame(program)
        assert (heard["event"], heard["data"]) == (f"company-{agent.company_id}-queue", gone())
        request = {"join": "tickets", "status": "pending"}
        program.send(json.dumps(request))
        joined = next_frame(program)
        assert (joined["event"], joined["data"]) == ("joined", request)
        for each in (other, ticket):
            tell(each, f"ticket {each.pk}")
        assert next_frame(program)["data"] == said(f"ticket {ticket.pk}")
        User.objects.filter(pk=agent.pk).update(is_active=False)
        recheck_user(agent.pk)
        with pytest.raises(ConnectionClosed) as closed:
            program.recv(timeout=10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401


def test_a_program_without_a_good_token_is_turned_away(servers: list[RealtimeServer]) -> None:
    for server in servers:
        with programs_frames(server, "rubbish") as program:
            with pytest.raises(ConnectionClosed) as closed:
                program.recv(timeout=10)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4401


def test_a_foreign_page_may_not_ride_on_the_cookie(
    servers: list[RealtimeServer], agent: User
) -> None:
    cookie = sign_in(email=agent.email, password=PASSWORD, ip_address=None).refresh_token
    for server in servers:
        for origin, is_let_in in (("https://evil.example", False), (server.url, True)):
            answer = httpx.get(
                f"{server.url}/socket.io/?EIO=4&transport=polling",
                headers={"Origin": origin, "Cookie": f"jrt={cookie}"},
            )
            assert (answer.status_code == 200) is is_let_in


def test_sockets_leave_no_database_connections_behind(
    servers: list[RealtimeServer], clients: SocketClients, agent: User
) -> None:
    token = make_access_token(agent)
    opened = [connected(clients.open(servers[index % 2], token=token)) for index in range(40)]
    for socket in opened:
        socket.emit("joinTickets", "open")
    with database.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        (connections,) = cursor.fetchone()
    assert connections <= len(servers) * THREADS + 1
