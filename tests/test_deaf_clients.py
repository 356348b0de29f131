"""Clients of the live events that read nothing are cut off, and little is kept for them."""

import json
from typing import Any

import httpx
import pytest
from rest_framework import serializers
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from apps.accounts.models import User
from apps.accounts.tokens import make_access_token
from apps.realtime.emit import LiveEvent, emit
from tests.product import wait_for
from tests.sockets import RealtimeServer, SocketClients, connected

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]

MESSAGE = LiveEvent("appMessage", create={"text": serializers.CharField()})
QUEUE = LiveEvent("queue", delete={"queueId": serializers.IntegerField()})
LARGE = {"text": "x" * 90_000}


def is_cut_off(client: Any) -> bool:
    """Tell whether a client that only ever sends finds the connection gone."""
    try:
        client.send("3")  # a pong, which keeps a socket
    except ConnectionClosed:
        return True
    return False


@pytest.mark.parametrize("kind", ["socket.io", "program"])
def test_a_client_that_reads_nothing_is_cut_off(
    servers: list[RealtimeServer], clients: SocketClients, agent: User, kind: str
) -> None:
    token = make_access_token(agent)
    address = servers[0].url.replace("http", "ws")
    path = "/socket.io/?EIO=4&transport=websocket" if kind == "socket.io" else "/ws/events/"
    other = connected(clients.open(servers[0], token=token))
    headers = {"Authorization": f"Bearer {token}"}
    # It reads no further than the first frame that nobody takes.
    with connect(f"{address}{path}", max_queue=1, additional_headers=headers) as deaf:
        if kind == "socket.io":
            deaf.recv(timeout=10)
            deaf.send("40" + json.dumps({"token": token}))
        deaf.recv(timeout=10)
        name = f"company-{agent.company_id}-appMessage"

        # 27 MB, of which the system itself takes ten: in less time than pings are waited for.
        for _ in range(300):
            emit(MESSAGE, "create", LARGE, company_id=agent.company_id)
            assert other.expect(name)["text"] == LARGE["text"]
            if is_cut_off(deaf):
                return
        wait_for(lambda: is_cut_off(deaf), "the end of a client that reads nothing", 5)


def test_of_a_client_that_does_not_poll_so_much_is_kept(
    servers: list[RealtimeServer], clients: SocketClients, agent: User
) -> None:
    token = make_access_token(agent)
    other = connected(clients.open(servers[0], token=token))
    polling = f"{servers[0].url}/socket.io/?EIO=4&transport=polling"
    session = f"{polling}&sid={json.loads(httpx.get(polling).text[1:])['sid']}"
    assert httpx.post(session, content=f"40{json.dumps({'token': token})}").text == "OK"
    assert '40{"sid":' in httpx.get(session).text
    emit(QUEUE, "delete", {"queueId": 1}, company_id=agent.company_id)
    other.expect(f"company-{agent.company_id}-queue")
    assert '"queueId":1' in httpx.get(session).text
    for _ in range(8):
        emit(MESSAGE, "create", LARGE, company_id=agent.company_id)
        other.expect(f"company-{agent.company_id}-appMessage")
    # It connects again, as after any fault of the network.
    assert httpx.get(session).status_code == 400
    assert httpx.get(polling).status_code == 200
