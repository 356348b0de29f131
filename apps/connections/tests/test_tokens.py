"""/whatsapp/{id}/token: shown once, kept as a hash, ended, audited, and only in some plans."""

import hashlib
from typing import Any

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.billing.models import Plan
from apps.common.encryption import MASK
from apps.connections.models import Connection
from apps.connections.services import connection_of_token
from conftest import ClientFor
from tests.factories import make_connection


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


TYPED = "token-de-um-programa"  # 20 characters, as short as it may be


def save(client_for: ClientFor, who: User, connection: Connection, token: str) -> Any:
    path = f"/api/whatsapp/{connection.pk}"
    return client_for(who).put(path, {"name": connection.name, "token": token}, format="json")


def test_a_token_typed_in_an_older_dialog_is_taken(
    client_for: ClientFor, admin: User, connection: Connection
) -> None:
    answer = save(client_for, admin, connection, TYPED)
    assert (answer.status_code, answer.json()["token"]) == (200, MASK)
    assert connection_of_token(TYPED) == connection
    for unchanged in ("", MASK, TYPED):
        assert save(client_for, admin, connection, unchanged).status_code == 200
    assert connection_of_token(TYPED) == connection
    assert AuditEntry.objects.filter(action="connection.token_issued").count() == 1


def test_a_new_connection_of_an_older_dialog_has_its_token(
    client_for: ClientFor, admin: User
) -> None:
    body = {"name": "Vendas", "provider": "beta", "token": TYPED}
    answer = client_for(admin).post("/api/whatsapp", body, format="json")
    assert answer.status_code == 201
    assert connection_of_token(TYPED) == Connection.objects.get(pk=answer.json()["id"])


def test_a_short_token_is_refused_aloud_and_nothing_is_saved(
    client_for: ClientFor, admin: User, connection: Connection
) -> None:
    path = f"/api/whatsapp/{connection.pk}"
    body = {"name": "Outro nome", "token": TYPED[:-1]}
    answer = client_for(admin).put(path, body, format="json")
    assert answer.status_code == 400
    assert answer.json()["fields"] == {"token": ["O token precisa ter ao menos 20 caracteres."]}
    assert answer.json()["fieldCodes"] == {"token": "min_length"}
    kept = Connection.objects.get()
    assert (kept.name, kept.token_hash) == (connection.name, None)


def test_the_token_of_another_connection_is_refused(
    client_for: ClientFor, admin: User, outsider: User, connection: Connection
) -> None:
    save(client_for, admin, connection, TYPED)
    theirs = make_connection(outsider.company)
    answer = save(client_for, outsider, theirs, TYPED)
    assert (answer.status_code, answer.json()["fieldCodes"]) == (400, {"token": "taken"})
    assert connection_of_token(TYPED) == connection


def test_a_typed_token_needs_the_plan_too(
    client_for: ClientFor, admin: User, connection: Connection
) -> None:
    Plan.objects.filter(pk=admin.company.plan_id).update(use_external_api=False)
    answer = save(client_for, admin, connection, TYPED)
    assert (answer.status_code, answer.json()["code"]) == (403, "ERR_PLAN_FEATURE")
    assert connection_of_token(TYPED) is None
