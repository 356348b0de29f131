"""Who may send more than 1 MB, judged before it is read (rules/wire §7)."""

import pytest
from rest_framework_simplejwt.tokens import AccessToken

from apps.accounts.models import User
from apps.accounts.tokens import make_access_token
from apps.common.errors import SessionExpired
from apps.connections.models import Connection
from apps.connections.services.tokens import issue_token, revoke_token
from apps.tickets.services.messages.messages_api import InvalidToken
from config.bodies import admit_large

# As outside of a request: connections are renewed, which no transaction survives.
pytestmark = pytest.mark.django_db(transaction=True)

SESSIONS = ("/api/messages/1", "/api/queue", "/api/schedules")
PROGRAMS = ("/api/messages/send", "/api/messages/send/", "/api/api/messages/send")


def bearer(token: str) -> dict[bytes, bytes]:
    return {b"authorization": f"Bearer {token}".encode()}


@pytest.mark.parametrize("path", SESSIONS)
def test_where_people_send_a_token_has_to_be_ours(path: str, agent: User) -> None:
    token = make_access_token(agent)
    admit_large(path, bearer(token))
    head, claims, signature = token.split(".")
    forged = f"{head}.{claims}.{signature[::-1]}"
    for headers in ({}, bearer(""), bearer(forged), {b"token": token.encode()}):
        with pytest.raises(SessionExpired):
            admit_large(path, headers)


def test_a_token_that_ended_is_refused_by_the_call_itself(agent: User) -> None:
    token: AccessToken = AccessToken(make_access_token(agent))  # type: ignore[arg-type]
    token.payload["exp"] = 1
    admit_large("/api/messages/1", bearer(str(token)))


@pytest.mark.parametrize("path", PROGRAMS)
def test_where_programs_send_a_token_has_to_be_a_connections(
    path: str, admin: User, connection: Connection
) -> None:
    token = issue_token(actor=admin, connection=connection)
    admit_large(path, bearer(token))
    admit_large(path, {b"token": token.encode()})
    revoke_token(actor=admin, connection=connection)
    for headers in (bearer(token), bearer(make_access_token(admin)), {}):
        with pytest.raises(InvalidToken):
            admit_large(path, headers)


@pytest.mark.parametrize("path", ["/webhooks/whatsapp", "/nowhere"])
def test_what_asks_for_no_token_has_other_bounds(path: str) -> None:
    admit_large(path, {})
