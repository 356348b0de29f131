"""Generated calls to what the OpenAPI schema does not know, over the network: no fault.

Meta's webhook, gateways' calls, the simulator, the operator's login page and the first frames of
sockets. Each body is one that is taken, in places of which something else may stand.
"""

import copy
import hashlib
import hmac
import json
import re
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
import requests
from hypothesis import given, seed, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from apps.companies.models import Company
from apps.connections.providers.beta.signing import digest_of, signature
from apps.connections.tests.test_official_webhook import body_of
from tests.factories import PASSWORD
from tests.gateway import make_qr_connection
from tests.lengths import cases
from tests.product import GATEWAY_SECRET
from tests.served import META_SECRET, Line, line, server
from tests.sockets import RealtimeServer
from tests.test_generated_calls import OPTIONS, _same_in_every_run
from tests.worlds import World, world

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("generated calls"),
]
__all__ = ["_same_in_every_run", "line", "server", "world"]

# By the clock, of each test; who is late makes one call of a kind. The rest of the five minutes is
# `test_generated_calls`'.
MOST_SECONDS = 5
EXAMPLES = cases(12)

ODD: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.sampled_from([-1, 2**31, 2**53, 2**70, 1e308, "", "\0", "\ud800", "a" * 70_000, "9" * 30])
    | st.integers()
    | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)


def places_in(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield where something stands in a body: what holds it, and under what."""
    named = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in list(named):
        yield value, key
        if isinstance(each, dict | list):
            yield from places_in(each)


@st.composite
def spoiled(draw: st.DrawFn, good: Any) -> bytes:
    """Return a good body as JSON, with something else in three places at most."""
    body = copy.deepcopy(good)
    for _ in range(draw(st.integers(0, 3))):
        places = list(places_in(body))
        if not places:
            break
        holder, key = places[draw(st.integers(0, len(places) - 1))]
        holder[key] = draw(ODD)
    return json.dumps(body).encode()


Prepared = Callable[[bytes], requests.PreparedRequest]


def prepared(
    line: Line, method: str, path: str, body: bytes | None = None, **headers: str
) -> requests.PreparedRequest:
    kind = {"Content-Type": "application/json"} if body is not None else {}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return requests.Request(method, line.address + path, data=body, headers=kind | named).prepare()


def faults_of(
    line: Line, name: str, prepare: Prepared, bodies: st.SearchStrategy[bytes]
) -> list[str]:
    """Make generated calls of one kind; return those that failed."""
    faults: list[str] = []
    is_late = time.monotonic() - line.opened_at > MOST_SECONDS

    @seed(len(name))
    @settings(OPTIONS, max_examples=1 if is_late else EXAMPLES)
    @given(bodies)
    def call(body: bytes) -> None:
        sent, answer = line.send(prepare(body))
        if answer.status_code >= 500:
            faults.append(f"{sent}\n{answer.content[:2000]!r}")

    call()
    return faults


def test_what_is_signed_as_metas_is_taken_or_refused(line: Line) -> None:
    def signed(body: bytes) -> requests.PreparedRequest:
        digest = hmac.new(META_SECRET.encode(), body, hashlib.sha256).hexdigest()
        named = {"X_Hub_Signature_256": f"sha256={digest}"}
        return prepared(line, "POST", "/webhooks/whatsapp", body, **named)

    def unsigned(body: bytes) -> requests.PreparedRequest:
        return prepared(line, "POST", "/webhooks/whatsapp", body, X_Hub_Signature_256="sha256=a")

    def asked(body: bytes) -> requests.PreparedRequest:
        query: dict[str, Any] = {
            "hub.mode": "subscribe",
            "hub.verify_token": body,
            "hub.challenge": body,
        }
        return requests.Request("GET", f"{line.address}/webhooks/whatsapp", params=query).prepare()

    for name in ("batch_messages", "batch_statuses", "other_fields"):
        assert not faults_of(line, name, signed, spoiled(body_of(name)))
    assert not faults_of(line, "unsigned", unsigned, st.binary(max_size=300))
    assert not faults_of(line, "not JSON", signed, st.binary(max_size=300))
    assert not faults_of(line, "verified", asked, st.binary(max_size=30))


def gateway_calls(session: int) -> dict[str, Any]:
    """Return what gateways call, with bodies that are taken."""
    event = {
        **{"id": "m:5511@s.whatsapp.net:A", "kind": "message", "partition": "5511", "at": 1},
        "payload": {"body": "Oi", "from": {"number": "5511988887777", "lid": "", "name": "Ana"}},
    }
    owned = {"epoch": 1}
    return {
        "lease": {
            **{"version": 1, "gateway": "gw", "address": "http://127.0.0.1:9", "room": 3},
            **{"held": [{"session": session, "epoch": 1}], "call": 1},
        },
        f"sessions/{session}/keys/read": owned | {"wanted": {"session": ["a", "b"]}},
        f"sessions/{session}/commit": owned
        | {"keys": {"session": {"a": {"b": 1}}}, "credentials": {"me": {}}, "events": [event]},
        f"sessions/{session}/wipe": owned | {"reason": "logged_out"},
    }


def test_what_gateways_call_is_taken_or_refused(acme: Company, request: Any) -> None:
    connection = make_qr_connection(acme)
    connection.qr_session.gateway, connection.qr_session.epoch = "gw", 1
    connection.qr_session.save()
    opened: Line = request.getfixturevalue("line")

    def signed(method: str, path: str, body: bytes) -> requests.PreparedRequest:
        target, at, call_id = f"/internal/gateway/{path}", str(int(time.time())), str(uuid.uuid4())
        says = {"method": method, "target": target, "at": at, "call_id": call_id}
        mark = signature(GATEWAY_SECRET, **says, digest=digest_of(body))
        named = {"X_Gateway_Time": at, "X_Gateway_Id": call_id, "X_Gateway_Signature": mark}
        return prepared(opened, method, target, body if method == "POST" else None, **named)

    for path, body in gateway_calls(connection.pk).items():
        prepare = lambda body, path=path: signed("POST", path, body)  # noqa: E731
        assert not faults_of(opened, path, prepare, spoiled(body))
    tokens = st.from_regex(re.compile(r"[\w:.=-]{1,100}", re.ASCII), fullmatch=True)
    files = tokens.map(str.encode)
    named = lambda token: signed("GET", f"files/{token.decode()}", b"")  # noqa: E731
    assert not faults_of(opened, "files", named, files)


CHAT = {"number": "5511999990001", "customer": "5511900000001"}
SIMULATED: dict[str, Any] = {
    "api/numbers": {"phone_number_id": CHAT["number"], "verified_name": "Loja", "waba_id": "1"},
    "api/customers": {"wa_id": CHAT["customer"], "name": "Ana", "number": CHAT["number"]},
    "api/signup": {"display_phone_number": "5511999990002", "verified_name": "Loja"},
    "api/send": CHAT | {"type": "text", "body": "Oi"},
    "api/echo": CHAT | {"body": "Oi"},
    "api/open": CHAT,
    "api/call": CHAT,
    "api/hang-up": {"message": "a"},
    "api/play": {"message": "a"},
    "api/faults": {"kind": "down", "number": CHAT["number"], "times": 1},
    "api/report": {"number": CHAT["number"], "field": "account_update", "value": {"event": "a"}},
    f"graph/v20.0/{CHAT['number']}/messages": {
        **{"messaging_product": "whatsapp", "to": CHAT["customer"], "type": "text"},
        "text": {"body": "Oi"},
    },
    "graph/v20.0/1/message_templates": {"name": "a", "language": "pt_BR", "components": [{}]},
    f"graph/v20.0/{CHAT['number']}/register": {"messaging_product": "whatsapp", "pin": "123456"},
}


def test_what_the_simulator_is_asked_is_taken_or_refused(server: Any, request: Any) -> None:
    for path in ("api/numbers", "api/customers"):
        address = f"{server.url}/simulator/{path}"
        assert requests.post(address, json=SIMULATED[path], timeout=20).status_code == 200
    opened: Line = request.getfixturevalue("line")
    for path, body in SIMULATED.items():
        prepare = lambda body, path=path: prepared(  # noqa: E731
            opened,
            "POST",
            f"/simulator/{path}",
            body,
            Authorization="Bearer simulator-access-token",
        )
        assert not faults_of(opened, path, prepare, spoiled(body))


def test_the_operators_login_page_takes_or_refuses(line: Line) -> None:
    page = requests.get(f"{line.address}/admin/login/", timeout=20)
    mark = page.cookies["csrftoken"]
    fields = {"csrfmiddlewaretoken": mark, "username": "a@b.example", "password": PASSWORD}
    fields["next"] = "/admin/"

    def filled(body: bytes) -> requests.PreparedRequest:
        given: dict[str, Any] = json.loads(body)
        said = {
            name: json.dumps(value) if isinstance(value, dict | list) else value
            for name, value in given.items()
        }
        said = {
            name: value.encode(errors="surrogatepass") if isinstance(value, str) else value
            for name, value in said.items()
        }
        said["csrfmiddlewaretoken"] = said.get("csrfmiddlewaretoken") or mark
        headers = {"Cookie": f"csrftoken={mark}", "Referer": line.address}
        address = f"{line.address}/admin/login/"
        return requests.Request("POST", address, data=said, headers=headers).prepare()

    good = {name: value for name, value in fields.items() if name != "csrfmiddlewaretoken"}
    assert not faults_of(line, "login", filled, spoiled(good))


FRAMES = (
    st.sampled_from(["", "4", "40", "41", "42", "42[]", "42[1]", "451-[]", "9", "40/x,{", "\0"])
    | st.text(max_size=60)
    | st.text(max_size=40).map(lambda text: f"42{text}")
    | ODD.map(lambda value: f"40{json.dumps(value)}")
    | ODD.map(lambda value: f"42{json.dumps(['joinTicket', value])}")
    | ODD.map(lambda value: json.dumps({"join": "tickets", "status": value}))
    | st.binary(max_size=60)
)


@pytest.mark.parametrize("path", ["socket.io/?EIO=4&transport=websocket", "ws/events/"])
def test_first_frames_of_sockets_stop_nobody(
    server: RealtimeServer, world: World, path: str
) -> None:
    address = f"{server.url.replace('http', 'ws')}/{path}"
    refused: list[int] = []

    @seed(len(path))
    @settings(OPTIONS, max_examples=3 * EXAMPLES)
    @given(st.lists(FRAMES, min_size=1, max_size=3))
    def say(frames: list[str | bytes]) -> None:
        try:
            with suppress(ConnectionClosed), connect(address, open_timeout=20) as socket:
                for frame in frames:
                    if isinstance(frame, str):
                        socket.send(frame.encode(errors="replace").decode())
                    else:
                        socket.send(frame)
        except InvalidStatus as refusal:
            refused.append(refusal.response.status_code)

    say()
    assert not [status for status in refused if status >= 500]
    assert requests.get(f"{server.url}/health/", timeout=20).status_code == 200
    greeting = requests.get(f"{server.url}/socket.io/?EIO=4&transport=polling", timeout=20)
    assert greeting.status_code == 200
