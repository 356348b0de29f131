"""/whatsapp/{id}/token: shown once, kept as a hash, ended, audited, and only in some plans."""

import hashlib

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.billing.models import Plan
from apps.common.encryption import MASK
from apps.connections.models import Connection
from apps.connections.services import connection_of_token
from conftest import ClientFor


def test_a_token_is_shown_once_and_kept_as_a_hash(
    client_for: ClientFor, admin: User, connection: Connection
) -> None:
    client = client_for(admin)
    answer = client.post(f"/api/whatsapp/{connection.pk}/token")
    assert answer.status_code == 201
    token = answer.json()["token"]
    assert len(token) >= 43  # 32 bytes in base 64
    connection.refresh_from_db()
    assert connection.token_hash == hashlib.sha256(token.encode()).hexdigest()
    assert client.get(f"/api/whatsapp/{connection.pk}").json()["token"] == MASK
    assert connection_of_token(token) == connection
    assert connection_of_token("") is connection_of_token("x") is None


def test_a_new_token_ends_the_one_before(
    client_for: ClientFor, admin: User, connection: Connection
) -> None:
    path = f"/api/whatsapp/{connection.pk}/token/"
    first = client_for(admin).post(path).json()["token"]
    second = client_for(admin).post(path).json()["token"]
    assert first != second
    assert connection_of_token(first) is None
    assert connection_of_token(second) == connection


def test_a_token_is_taken_back(client_for: ClientFor, admin: User, connection: Connection) -> None:
    path = f"/api/whatsapp/{connection.pk}/token"
    token = client_for(admin).post(path).json()["token"]
    assert client_for(admin).delete(path).status_code == 200
    assert connection_of_token(token) is None
    assert client_for(admin).get(f"/api/whatsapp/{connection.pk}").json()["token"] == ""
    assert client_for(admin).delete(path).status_code == 200
    rows = AuditEntry.objects.filter(action__startswith="connection.token").order_by("id")
    assert [row.action for row in rows] == ["connection.token_issued", "connection.token_revoked"]
    assert rows[0].actor == admin
    assert token not in str([row.detail for row in rows])


def test_saving_a_connection_leaves_its_token(
    client_for: ClientFor, admin: User, connection: Connection
) -> None:
    token = client_for(admin).post(f"/api/whatsapp/{connection.pk}/token").json()["token"]
    client_for(admin).put(f"/api/whatsapp/{connection.pk}", {"token": MASK}, format="json")
    assert connection_of_token(token) == connection


def test_a_plan_without_the_api_gives_no_token(
    client_for: ClientFor, admin: User, connection: Connection
) -> None:
    Plan.objects.filter(companies=admin.company).update(use_external_api=False)
    answer = client_for(admin).post(f"/api/whatsapp/{connection.pk}/token")
    assert (answer.status_code, answer.json()["code"]) == (403, "ERR_PLAN_FEATURE")
    assert answer.json()["feature"] == "useExternalApi"
    connection.refresh_from_db()
    assert connection.token_hash is None
