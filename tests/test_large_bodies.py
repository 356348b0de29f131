"""Who may send more than 16 kB, judged before it is read (rules/wire §7)."""

import time
from typing import Any

import pytest
from rest_framework_simplejwt.tokens import AccessToken

from apps.accounts.models import User
from apps.accounts.tokens import make_access_token
from apps.common.errors import SessionExpired
from apps.connections.models import Connection
from apps.connections.providers.beta.signing import signed_headers
from apps.connections.services.gateway_calls import WrongSignature
from apps.connections.services.tokens import issue_token, revoke_token
from apps.tickets.services.messages.messages_api import InvalidToken
from config.bodies import PUBLIC_BYTES, NotSigned, admit, most_bytes_at
from tests.gateway import SECRET

# As outside of a request: connections are renewed, which no transaction survives.
pytestmark = pytest.mark.django_db(transaction=True)

SESSIONS = ("/api/messages/1", "/api/queue", "/api/schedules")
PROGRAMS = ("/api/messages/send", "/api/messages/send/", "/api/api/messages/send")


def bearer(token: str) -> dict[bytes, bytes]:
    return {b"authorization": f"Bearer {token}".encode()}


def is_known(path: str, headers: dict[bytes, bytes]) -> bool:
    scope = {"method": "POST", "path": path, "raw_path": path.encode(), "query_string": b""}
    return admit(scope, headers)


@pytest.mark.parametrize("path", SESSIONS)
def test_where_people_send_a_token_has_to_be_ours(path: str, agent: User) -> None:
    token = make_access_token(agent)
    assert is_known(path, bearer(token))
    head, claims, signature = token.split(".")
    forged = f"{head}.{claims}.{signature[::-1]}"
    for headers in ({}, bearer(""), bearer(forged), {b"token": token.encode()}):
        with pytest.raises(SessionExpired):
            is_known(path, headers)


def test_a_token_that_ended_is_refused_by_the_call_itself(agent: User) -> None:
    token: AccessToken = AccessToken(make_access_token(agent))  # type: ignore[arg-type]
    token.payload["exp"] = 1
    assert is_known("/api/messages/1", bearer(str(token)))


@pytest.mark.parametrize("path", PROGRAMS)
def test_where_programs_send_a_token_has_to_be_a_connections(
    path: str, admin: User, connection: Connection
) -> None:
    token = issue_token(actor=admin, connection=connection)
    assert is_known(path, bearer(token))
    assert is_known(path, {b"token": token.encode()})
    revoke_token(actor=admin, connection=connection)
    for headers in (bearer(token), bearer(make_access_token(admin)), {}):
        with pytest.raises(InvalidToken):
            is_known(path, headers)


@pytest.mark.parametrize("path", ["/nowhere", "/admin/", "/socket.io/", "/api/auth/login"])
def test_who_has_nothing_to_show_is_a_stranger(path: str) -> None:
    assert not is_known(path, {})


def test_a_notification_shows_a_signature_whose_sender_is_still_a_stranger() -> None:
    path, signature = "/webhooks/whatsapp", b"sha256=" + b"a" * 64
    assert not is_known(path, {b"x-hub-signature-256": signature})
    for wrong in ({}, {b"x-hub-signature-256": signature[:-1]}):
        with pytest.raises(NotSigned):
            is_known(path, wrong)


COMMIT = "/internal/gateway/sessions/7/commit"


def of_gateway(secret: str = SECRET, path: str = COMMIT, **changed: str) -> dict[bytes, bytes]:
    """Return the headers of a call with a body of 1 MB."""
    headers = signed_headers(secret, method="POST", target=path, body=bytes(1_000_000)) | {
        f"X-Gateway-{name}": text for name, text in changed.items()
    }
    return {name.lower().encode(): text.encode() for name, text in headers.items() if text}


def test_a_gateway_is_known_by_its_head(settings: Any) -> None:
    settings.GATEWAY_SECRET = SECRET
    assert is_known(COMMIT, of_gateway())
    # One of an earlier release.
    assert not is_known(COMMIT, of_gateway(Body=""))
    late = str(int(time.time()) - 120)
    for headers in (
        {},
        of_gateway("another secret"),
        of_gateway(path="/internal/gateway/sessions/8/commit"),
        of_gateway(Body="0" * 64),
        of_gateway(Time=late),
        of_gateway(Body="", Time=late),
        of_gateway(Body="", Time="9" * 5000),
        of_gateway(Body="", Id=""),
        of_gateway(Body="", Signature="sha256=" + "g" * 64),
    ):
        with pytest.raises(WrongSignature):
            is_known(COMMIT, headers)
    settings.GATEWAY_SECRET = ""
    for headers in (of_gateway(""), of_gateway("", Body="")):
        with pytest.raises(WrongSignature):
            is_known(COMMIT, headers)


@pytest.mark.parametrize("path", ["/nowhere", "/", "/health/", "/settings", "/api/nowhere"])
def test_where_nothing_is_sent_nothing_large_is_taken(path: str) -> None:
    assert most_bytes_at(path, "application/json") == PUBLIC_BYTES
