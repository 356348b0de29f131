"""An address holds so many sockets, and each signs in soon or is closed (rules/realtime §1)."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as connect_async
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from apps.accounts.models import User
from apps.accounts.tokens import make_access_token
from tests.product import wait_for
from tests.sockets import RealtimeServer, SocketClients, connected, realtime_servers

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]

SERVERS = ("uvicorn", "daphne")
FLOOD = 800
UNSIGNED = 200
SECONDS = 3
ENGINE = "/socket.io/?EIO=4&transport="


@pytest.fixture(scope="module", params=SERVERS)
def server(request: Any, django_db_setup: None) -> Iterator[RealtimeServer]:
    """A realtime process with the defaults but for a shorter deadline."""
    with realtime_servers(request.param, SOCKET_SIGN_IN_SECONDS=str(SECONDS)) as [running]:
        yield running


@pytest.fixture(scope="module", params=SERVERS)
def small(request: Any, django_db_setup: None) -> Iterator[RealtimeServer]:
    """A realtime process that takes four sockets of an address, behind a proxy of this machine."""
    with realtime_servers(
        request.param,
        SOCKETS_PER_ADDRESS="4",
        SOCKETS_UNSIGNED_PER_ADDRESS="2",
        SOCKET_SIGN_IN_SECONDS=str(SECONDS),
        TRUSTED_PROXIES="127.0.0.1",
    ) as [running]:
        yield running


def websocket_url(server: RealtimeServer, rest: str = "") -> str:
    return f"{server.url.replace('http', 'ws')}{ENGINE}websocket{rest}"


def open_polling(server: RealtimeServer, **headers: str) -> str:
    """Return the address of a new session that polls."""
    greeting = httpx.get(f"{server.url}{ENGINE}polling", headers=headers)
    assert greeting.status_code == 200, greeting.text
    return f"{server.url}{ENGINE}polling&sid={json.loads(greeting.text[1:])['sid']}"


def is_open(session: str) -> bool:
    """Tell whether a session that polls is there yet."""
    return httpx.post(session, content="3").status_code == 200


def sign_in(client: Any, token: str) -> None:
    """Have a WebSocket's user let in."""
    client.recv(timeout=10)
    client.send("40" + json.dumps({"token": token}))
    assert str(client.recv(timeout=10)).startswith("40")


def end_of(client: Any) -> ConnectionClosed:
    """Read until the server closes, which it does at the deadline."""
    with pytest.raises(ConnectionClosed) as ended:
        while True:
            client.recv(timeout=SECONDS + 5)
    return ended.value


def test_a_flood_of_unsigned_websockets_is_closed_and_a_user_gets_in(
    server: RealtimeServer, clients: SocketClients, agent: User
) -> None:
    async def accepted(few: asyncio.Semaphore) -> ClientConnection | None:
        async with few:
            try:
                return await connect_async(websocket_url(server), ping_interval=None)
            except (InvalidStatus, ConnectionClosed):
                return None

    async def flood() -> None:
        few = asyncio.Semaphore(50)
        opened = await asyncio.gather(*(accepted(few) for _ in range(FLOOD)))
        strangers = [each for each in opened if each is not None]
        token = make_access_token(agent)
        user = await asyncio.to_thread(lambda: connected(clients.open(server, token=token)))
        ends = [asyncio.create_task(each.wait_closed()) for each in strangers]
        for end in islice(asyncio.as_completed(ends), max(len(ends) - UNSIGNED, 0)):
            await asyncio.wait_for(end, 1)  # long before the deadline of the last
        await asyncio.wait_for(asyncio.gather(*ends), SECONDS + 5)
        await asyncio.to_thread(user.emit, "joinNotification")
        await asyncio.to_thread(user.close)

    asyncio.run(flood())


def test_a_flood_of_unsigned_sessions_that_poll_is_closed_and_a_user_gets_in(
    server: RealtimeServer, clients: SocketClients, agent: User
) -> None:
    sessions = [open_polling(server) for _ in range(UNSIGNED + 20)]
    assert not any(is_open(each) for each in sessions[:20])
    token = make_access_token(agent)
    user = connected(clients.open(server, token=token, transports=("polling",)))
    wait_for(lambda: not is_open(sessions[-1]), "the end of the last session", SECONDS + 5)
    user.emit("joinNotification")
    user.close()


@pytest.mark.parametrize("transports", [("polling",), ("websocket",), ("polling", "websocket")])
@pytest.mark.parametrize("version", [3, 4])
def test_who_signed_in_stays_beyond_the_deadline(
    server: RealtimeServer,
    clients: SocketClients,
    agent: User,
    version: int,
    transports: tuple[str, ...],
) -> None:
    token = make_access_token(agent)
    user = connected(clients.open(server, token=token, version=version, transports=transports))
    with connect(websocket_url(server)) as stranger:
        end_of(stranger)  # which came later
    assert user.events() == []
    user.close()


def test_wrong_tokens_bring_no_more_time(server: RealtimeServer) -> None:
    with connect(websocket_url(server)) as stranger:
        stranger.recv(timeout=10)
        with pytest.raises(ConnectionClosed):
            while True:
                stranger.send("40" + json.dumps({"token": "a.b.c"}))
                assert str(stranger.recv(timeout=SECONDS + 5)).startswith("44")


def test_who_signs_out_has_to_sign_in_anew(server: RealtimeServer, agent: User) -> None:
    with connect(websocket_url(server)) as client:
        sign_in(client, make_access_token(agent))
        client.send("41")
        end_of(client)


def test_an_upgrade_that_is_never_finished_is_closed(server: RealtimeServer) -> None:
    session = open_polling(server).partition("&sid=")[2]
    with connect(websocket_url(server, f"&sid={session}")) as upgrade:
        end_of(upgrade)


def test_a_session_is_polled_by_so_many_at_once(server: RealtimeServer) -> None:
    async def poll() -> list[int]:
        session = open_polling(server)
        async with httpx.AsyncClient(timeout=SECONDS + 10) as client:
            answers = await asyncio.gather(*(client.get(session) for _ in range(12)))
        return sorted(answer.status_code for answer in answers)

    assert asyncio.run(poll()) == [400] * 4 + [429] * 8


def signed_in(stack: ExitStack, server: RealtimeServer, token: str, address: str) -> Any:
    """Return a WebSocket of an address whose user was let in."""
    headers = {"X-Forwarded-For": address}
    client = stack.enter_context(connect(websocket_url(server), additional_headers=headers))
    sign_in(client, token)
    return client


def test_an_address_holds_so_many_and_no_more_until_one_leaves(
    small: RealtimeServer, agent: User
) -> None:
    token = make_access_token(agent)
    programs = small.url.replace("http", "ws") + f"/ws/events/?token={token}"
    forwarded = {"X-Forwarded-For": "203.0.113.9"}
    with ExitStack() as stack:
        first, *_ = (signed_in(stack, small, token, "203.0.113.9") for _ in range(4))
        for url in (websocket_url(small), programs):
            with pytest.raises(InvalidStatus) as refused:
                connect(url, additional_headers=forwarded)
            assert refused.value.response.status_code == 403
        answer = httpx.get(f"{small.url}{ENGINE}polling", headers=forwarded)
        assert (answer.status_code, answer.json()["code"]) == (429, "ERR_TOO_MANY_REQUESTS")
        assert answer.headers["Retry-After"] == "5"
        signed_in(stack, small, token, "203.0.113.10")  # another address
        first.close()

        def is_let_in() -> bool:
            try:
                stack.enter_context(connect(programs, additional_headers=forwarded))
            except InvalidStatus:
                return False
            return True

        wait_for(is_let_in, "the place of who left", 5)


def test_of_ipv6_a_network_is_counted_and_the_oldest_unsigned_gives_way(
    small: RealtimeServer,
) -> None:
    sessions = [
        open_polling(small, **{"X-Forwarded-For": f"2001:db8:0:{net}::{host}"})
        for net, host in ((1, 1), (2, 1), (1, 2), (1, 3))
    ]
    assert [is_open(each) for each in sessions] == [False, True, True, True]


def test_a_proxy_that_names_nobody_is_not_counted(small: RealtimeServer) -> None:
    sessions = [open_polling(small) for _ in range(6)]
    assert all(is_open(each) for each in sessions)
    wait_for(lambda: not is_open(sessions[-1]), "the deadline", SECONDS + 5)
