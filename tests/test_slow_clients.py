"""Clients that send or read slowly stop nobody: the real server, alone and behind nginx.

`tests/bench/slow.py` measures what others notice of a thousand of them.
"""

import hashlib
import hmac
import json
import select
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from urllib.parse import urlsplit

import httpx
import pytest

from apps.accounts.models import User
from apps.accounts.tokens import make_access_token
from apps.common.media import delete_media, media_url, store_media
from config.incoming import STRANGERS_BYTES
from tests.factories import PASSWORD
from tests.proxies import guides_nginx
from tests.sockets import RealtimeServer, realtime_servers

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]

# Three times the threads that there are.
CLIENTS = 24
SECRET = "the app's secret"
# More than the system keeps for a socket that nobody reads.
FILE = bytes(range(256)) * 32768


@pytest.fixture(scope="module")
def server(django_db_setup: None) -> Iterator[RealtimeServer]:
    with realtime_servers("uvicorn", META_APP_SECRET=SECRET, WEB_THREADS="8") as [running]:
        yield running


@pytest.fixture(scope="module", params=["alone", "behind nginx"])
def address(
    request: pytest.FixtureRequest,
    server: RealtimeServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[str]:
    if request.param == "alone":
        yield server.url
        return
    with guides_nginx(tmp_path_factory.mktemp("nginx"), server.port) as behind_nginx:
        yield behind_nginx


def ask(address: str, head: str) -> socket.socket:
    """Send the beginning of a request; the answer is read in small parts, or not at all."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
    client.settimeout(30)
    client.connect(("127.0.0.1", urlsplit(address).port))
    client.sendall(head.replace("\n", "\r\n").encode())
    return client


def works(address: str, user: User) -> bool:
    body = {"email": user.email, "password": PASSWORD}
    assert httpx.get(f"{address}/health/", timeout=20).status_code == 200
    return httpx.post(f"{address}/api/auth/login", json=body, timeout=20).status_code == 200


def test_half_a_body_holds_nobody_up(address: str, agent: User) -> None:
    head = "POST /api/auth/login HTTP/1.1\nHost: 127.0.0.1\nContent-Type: application/json\n"
    with ExitStack() as ends:
        for length in ("Content-Length: 900", "Transfer-Encoding: chunked") * (CLIENTS // 2):
            ends.enter_context(ask(address, f'{head}{length}\n\n5\n{{"ema'))
        assert works(address, agent)


def test_strangers_hold_so_much_in_all_and_nobody_up(server: RealtimeServer, agent: User) -> None:
    """Each has a signature, as far as that can be told, and keeps its last byte."""
    size = 4 * 1024 * 1024
    head = (
        "POST /webhooks/whatsapp HTTP/1.1\nHost: 127.0.0.1\nContent-Type: application/json\n"
        f"X-Hub-Signature-256: sha256={'a' * 64}\nContent-Length: {size}\n\n"
    )
    with ExitStack() as ends:
        clients = []
        for _ in range(STRANGERS_BYTES // size + 1):
            client = ends.enter_context(ask(server.url, head))
            clients.append(client)
            # Who is refused is read for a moment more, and then no longer.
            with suppress(ConnectionError):
                client.sendall(bytes(size - 1))
        answered, _, _ = select.select(clients, [], [], 20)
        assert [client.recv(12) for client in answered] == [b"HTTP/1.1 503"]
        assert works(server.url, agent)


def test_a_head_without_an_end_is_refused(address: str, agent: User) -> None:
    endless = "GET / HTTP/1.1\nHost: 127.0.0.1\nX-Endless: " + "a" * 40_000
    with ask(address, endless) as client:
        status = client.recv(12)
    # nginx says 400 for it.
    assert status in {b"HTTP/1.1 431", b"HTTP/1.1 400"}
    assert works(address, agent)


def test_who_does_not_read_holds_nobody_up_and_gets_it_all(address: str, agent: User) -> None:
    stored = store_media(company_id=agent.company_id, content=FILE, name="a.zip", mime="")
    url = urlsplit(media_url(stored.path))
    head = f"GET {url.path}?{url.query} HTTP/1.1\nHost: 127.0.0.1\nConnection: close\n\n"
    with ExitStack() as ends:
        ends.callback(delete_media, stored.path)
        clients = [ends.enter_context(ask(address, head)) for _ in range(CLIENTS)]
        begun = [client.recv(12) for client in clients]
        assert set(begun) == {b"HTTP/1.1 200"}
        assert works(address, agent)
        answer = b""
        while part := clients[0].recv(65536):
            answer += part
        content = answer.partition(b"\r\n\r\n")[2]
        assert hashlib.sha256(content).digest() == hashlib.sha256(FILE).digest()


def test_bodies_in_chunks_are_read_webhooks_too(address: str, agent: User) -> None:
    body = json.dumps({"email": agent.email, "password": PASSWORD}).encode()
    headers = {"Content-Type": "application/json"}
    login = f"{address}/api/auth/login"
    whole = httpx.post(login, content=iter([body[:9], body[9:]]), headers=headers, timeout=20)
    assert whole.status_code == 200, whole.text
    event = b'{"object": "whatsapp_business_account", "entry": []}'
    sign = "sha256=" + hmac.new(SECRET.encode(), event, hashlib.sha256).hexdigest()
    webhook = f"{address}/webhooks/whatsapp"
    for signature, status in ((sign, 200), (sign[:-1], 401)):
        sent = headers | {"X-Hub-Signature-256": signature}
        answer = httpx.post(
            webhook, content=iter([event[:20], event[20:]]), headers=sent, timeout=20
        )
        assert answer.status_code == status, answer.text
    endless = httpx.post(login, content=iter([b" " * 9000] * 2), headers=headers, timeout=20)
    assert (endless.status_code, endless.json()["code"]) == (413, "ERR_REQUEST_TOO_LARGE")


def test_a_polling_socket_sends_in_chunks_and_no_more_than_a_packet(
    address: str, agent: User
) -> None:
    address = f"{address}/socket.io/?EIO=4&transport=polling"
    hello = httpx.get(address, timeout=20).text
    session = f"{address}&sid={json.loads(hello[1:])['sid']}"
    packet = "40" + json.dumps({"token": make_access_token(agent)})
    parts = iter([packet[:9].encode(), packet[9:].encode()])
    assert httpx.post(session, content=parts, timeout=20).text == "OK"
    assert '40{"sid":' in httpx.get(session, timeout=20).text
    endless = httpx.post(session, content=iter([b"4" * 60_000] * 2), timeout=20)
    assert (endless.status_code, endless.json()["code"]) == (413, "ERR_REQUEST_TOO_LARGE")
