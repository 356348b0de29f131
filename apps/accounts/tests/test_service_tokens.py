"""Service tokens: what they are, whom they act for, and when they end (rules/accounts §12)."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from apps.accounts.models import Scope, ServiceToken, User
from apps.accounts.services import service_tokens
from apps.accounts.services.service_tokens import create_token
from apps.audit.models import AuditEntry
from apps.common import attempts
from apps.connections.models import Connection
from apps.tickets.models import Message, TicketActivity
from conftest import ClientFor
from tests.factories import make_contact, make_queue, make_ticket

pytestmark = pytest.mark.django_db


def program(text: str) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return client


def made(maker: User, *scopes: str, **fields: Any) -> tuple[APIClient, ServiceToken]:
    """Return a program's client and its token."""
    given = {"name": "Robô de vendas", "scopes": scopes or Scope.values, **fields}
    created = create_token(actor=maker, fields=given)
    return program(created.text), created.row


def test_the_text_is_shown_once_and_only_its_hash_is_stored(
    client_for: ClientFor, admin: User
) -> None:
    client = client_for(admin)
    end = timezone.now() + timedelta(days=30)
    body = {"name": "ERP", "scopes": ["tickets", "read"], "expiresAt": end.isoformat()}
    answer = client.post("/api/service-tokens", body, "json")
    assert answer.status_code == 201
    created = answer.json()
    assert created["token"].startswith("balcao_") and len(created["token"]) >= 50
    assert (created["name"], created["scopes"]) == ("ERP", ["read", "tickets"])
    (listed,) = client.get("/api/service-tokens").json()["serviceTokens"]
    assert "token" not in listed
    assert listed == {key: created[key] for key in created if key != "token"}
    assert (listed["createdBy"], listed["lastUsedAt"]) == (admin.name, None)
    row = ServiceToken.objects.get()
    assert created["token"] not in str(vars(row)) and len(row.token_hash) == 64
    entry = AuditEntry.objects.get(action="service_token.created")
    assert (entry.actor, entry.detail["scopes"]) == (admin, ["read", "tickets"])


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"name": "x"}, "name"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["admin"]}, "scopes.0"),
        ({"expiresAt": "2020-01-01"}, "expiresAt"),
        ({"expiresAt": "amanhã"}, "expiresAt"),
    ],
)
def test_a_wrong_field_is_refused_at_its_place(
    client_for: ClientFor, admin: User, changed: dict[str, Any], field: str
) -> None:
    body = {"name": "ERP", "scopes": ["read"], **changed}
    answer = client_for(admin).post("/api/service-tokens", body, "json")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, [field])


def test_a_company_has_a_bounded_number_of_tokens(
    client_for: ClientFor, admin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_tokens, "MOST_TOKENS", 1)
    body = {"name": "ERP", "scopes": ["read"]}
    assert client_for(admin).post("/api/service-tokens", body, "json").status_code == 201
    answer = client_for(admin).post("/api/service-tokens", body, "json")
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_SERVICE_TOKEN_LIMIT")


def test_a_revoked_token_is_unknown_and_the_audit_keeps_its_name(
    client_for: ClientFor, admin: User, events: list[dict[str, Any]]
) -> None:
    client, row = made(admin)
    assert client.get("/api/tags/list").status_code == 200
    assert client_for(admin).delete(f"/api/service-tokens/{row.pk}").status_code == 200
    answer = client.get("/api/tags/list")
    assert (answer.status_code, answer.json()["code"]) == (401, "ERR_UNKNOWN_TOKEN")
    assert AuditEntry.objects.get(action="service_token.revoked").detail["name"] == row.name
    assert {"event": "recheck_token", "id": row.pk} in events
    again = client_for(admin).delete(f"/api/service-tokens/{row.pk}")
    assert (again.status_code, again.json()["code"]) == (404, "ERR_NO_SERVICE_TOKEN_FOUND")


def test_a_token_ends_at_its_time(admin: User, monkeypatch: pytest.MonkeyPatch) -> None:
    end = timezone.now() + timedelta(hours=1)
    client, _ = made(admin, expires_at=end)
    monkeypatch.setattr(timezone, "now", lambda: end - timedelta(seconds=1))
    assert client.get("/api/tags/list").status_code == 200
    monkeypatch.setattr(timezone, "now", lambda: end)
    answer = client.get("/api/tags/list")
    assert (answer.status_code, answer.json()["code"]) == (401, "ERR_TOKEN_EXPIRED")


def test_unknown_tokens_of_an_address_have_to_wait_and_known_ones_do_not(admin: User) -> None:
    client, _ = made(admin)
    for _each in range(50):
        assert program("balcao_unknown").get("/api/tags/list").status_code == 401
    answer = program("balcao_unknown").get("/api/tags/list")
    assert answer.status_code == 429 and int(answer["Retry-After"]) > 0
    assert client.get("/api/tags/list").status_code == 200


def test_a_token_has_its_calls_a_minute(
    admin: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SERVICE_CALLS_PER_MINUTE = 2
    (client, _), (other, _) = made(admin), made(admin)
    monkeypatch.setattr(attempts, "time", SimpleNamespace(time=lambda: 60_030.0))
    assert [client.get("/api/tags/list").status_code for _ in range(3)] == [200, 200, 429]
    assert client.get("/api/tags/list")["Retry-After"] == "30"
    assert other.get("/api/tags/list").status_code == 200


def test_the_last_use_is_stored_at_most_once_a_minute(
    admin: User,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    client, row = made(admin)
    first = datetime(2026, 11, 29, 10, tzinfo=UTC)

    def use(seconds: int) -> datetime | None:
        monkeypatch.setattr(timezone, "now", lambda: first + timedelta(seconds=seconds))
        assert client.get("/api/tags/list").status_code == 200
        row.refresh_from_db()
        return row.last_used_at

    assert use(0) == first
    assert use(59) == first
    with django_assert_num_queries(2):  # the token and the tags
        client.get("/api/tags/list")
    assert use(60) == first + timedelta(seconds=60)


def test_the_token_belongs_to_the_company_and_outlives_its_makers_account(
    client_for: ClientFor, admin: User
) -> None:
    client, row = made(admin)
    User.objects.filter(pk=admin.pk).update(is_active=False)
    assert client.get("/api/tags/list").status_code == 200
    User.objects.filter(pk=admin.pk).delete()
    assert client.get("/api/tags/list").status_code == 200
    row.refresh_from_db()
    assert row.user is None


def test_no_session_of_a_person_begins_or_ends_by_a_token(admin: User) -> None:
    before = (admin.token_version, admin.refresh_sessions.count())
    client, _ = made(admin)
    answer = client.get("/api/tags/list")
    client.delete("/api/auth/logout")
    admin.refresh_from_db()
    assert (admin.token_version, admin.refresh_sessions.count()) == before
    assert not answer.cookies
    assert not AuditEntry.objects.filter(action="session.opened").exists()


def test_a_token_serves_as_long_as_the_company_does(admin: User) -> None:
    client, _ = made(admin)
    company, plan = admin.company, admin.company.plan
    plan.use_external_api = False
    plan.save()
    answer = client.get("/api/tags/list")
    assert (answer.status_code, answer.json()["code"]) == (403, "ERR_PLAN_FEATURE")
    plan.use_external_api = True
    plan.save()
    company.due_date = timezone.now().date() - timedelta(days=2)
    company.save()
    answer = client.get("/api/tags/list")
    assert (answer.status_code, answer.json()["code"]) == (402, "ERR_COMPANY_EXPIRED")
    company.is_enabled = False
    company.save()
    answer = client.get("/api/tags/list")
    assert (answer.status_code, answer.json()["code"]) == (401, "ERR_COMPANY_DISABLED")


def test_a_token_reads_the_tickets_of_every_queue(admin: User, connection: Connection) -> None:
    queue = make_queue(admin.company, name="Outra")
    ids = {
        make_ticket(admin.company, connection=connection, queue=each, status="pending").pk
        for each in (queue, None)
    }
    client, _ = made(admin, "read")
    shown = client.get("/api/tickets?status=pending").json()["tickets"]
    assert {ticket["id"] for ticket in shown} == ids


def test_a_program_holds_no_ticket_and_what_it_does_names_the_token(
    admin: User, agent: User, connection: Connection, queue: Any
) -> None:
    ticket = make_ticket(admin.company, connection=connection, queue=queue, status="pending")
    client, row = made(admin, "tickets")
    answer = client.put(f"/api/tickets/{ticket.pk}", {"status": "open"}, "json")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["userId"])
    given = {"status": "open", "userId": agent.pk}
    answer = client.put(f"/api/tickets/{ticket.pk}", given, "json")
    assert (answer.status_code, answer.json()["userId"]) == (200, agent.pk)
    answer = client.put(f"/api/tickets/{ticket.pk}", {"status": "closed"}, "json")
    assert (answer.status_code, answer.json()["userId"]) == (200, agent.pk)
    lines = TicketActivity.objects.filter(ticket=ticket).order_by("pk")
    assert [(line.kind, line.actor, line.detail["actor"]) for line in lines] == [
        ("transferred", None, row.name),
        ("resolved", None, row.name),
    ]
    assert client.delete(f"/api/tickets/{ticket.pk}").status_code == 200
    entry = AuditEntry.objects.get(action="ticket.deleted")
    assert (entry.actor, entry.actor_name) == (None, row.name)


def test_a_programs_message_is_the_apis_and_nobodys(
    admin: User, agent: User, connection: Connection, queue: Any
) -> None:
    ticket = make_ticket(
        admin.company,
        connection=connection,
        queue=queue,
        user=agent,
        status="open",
        last_inbound_at=timezone.now(),
    )
    client, _ = made(admin, "messages")
    body = {"body": "Seu pedido saiu.", "clientId": "0d2f7c0e-51a4-4a3c-8a4e-2f0c6c3d7a10"}
    for _each in range(2):  # the same submission again is the same message
        answer = client.post(f"/api/messages/{ticket.pk}", body, "json")
        assert answer.status_code in (200, 201), answer.content
    message = Message.objects.get()
    assert (message.user, message.source, message.body) == (None, "api", "Seu pedido saiu.")


def test_a_programs_number_needs_its_country_code(admin: User) -> None:
    client, _ = made(admin, "contacts")
    body = {"name": "Lia", "number": "11987654321"}
    answer = client.post("/api/contacts", body, "json")
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_NUMBER_WITHOUT_COUNTRY")
    assert answer.json()["completed"] == "5511987654321"
    answer = client.post("/api/contacts", {**body, "completeNumbers": True}, "json")
    assert (answer.status_code, answer.json()["number"]) == (201, "5511987654321")
    contact = make_contact(admin.company)
    given = {"name": contact.name, "number": "11912345678"}
    answer = client.put(f"/api/contacts/{contact.pk}", given, "json")
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_NUMBER_WITHOUT_COUNTRY")
    contact.refresh_from_db()
    assert contact.number != "5511912345678"


def test_the_pairing_of_a_telephone_is_not_shown(admin: User) -> None:
    connection = admin.company.connections.create(
        name="Celular", provider="beta", qrcode="2@segredo", pairing_code="ABCD-1234"
    )
    client, _ = made(admin, "messages")
    (row,) = client.get("/api/whatsapp").json()
    one = client.get(f"/api/whatsapp/{connection.pk}").json()
    for each in (row, one):
        assert (each["qrcode"], each["pairingCode"]) == ("", "")


def test_only_an_admin_manages_tokens(client_for: ClientFor, agent: User) -> None:
    client = client_for(agent)
    assert client.get("/api/service-tokens").status_code == 403
    body = {"name": "ERP", "scopes": ["read"]}
    assert client.post("/api/service-tokens", body, "json").status_code == 403
