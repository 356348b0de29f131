"""The reads that are made all day: quick, and as strict and as plain as every other call."""

import os
import subprocess
import sys
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection as database
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.accounts.services.sessions import end_sessions
from apps.accounts.tokens import make_access_token
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets.models import Ticket
from apps.tickets.serializers import ticket_row
from tests.factories import make_message, make_ticket

pytestmark = pytest.mark.django_db

ADDRESSES = (
    "/api/tickets?status=open&pageNumber=1&showAll=true",
    "/api/tickets?pageNumber=1&showAll=true&searchParam=pedido",
    "/api/ticket/kanban?pageNumber=1&showAll=true",
    "/api/messages/{ticket}?pageNumber=1",
    "/api/tickets/{ticket}",
    "/api/contacts?pageNumber=1",
    "/api/contacts?pageNumber=1&searchParam=cliente",
)


@pytest.fixture
def ticket(acme: Company, connection: Connection, queue: Queue, agent: User) -> Ticket:
    """Return an open ticket with a message."""
    ticket = make_ticket(acme, connection=connection, queue=queue, user=agent, status="open")
    make_message(ticket, body="Meu pedido chegou?")
    return ticket


@pytest.fixture(params=ADDRESSES)
def address(request: Any, ticket: Ticket) -> str:
    """Return one of the hot reads' addresses."""
    return str(request.param).format(ticket=ticket.pk)


def signed_in(user: User) -> APIClient:
    return APIClient(HTTP_AUTHORIZATION=f"Bearer {make_access_token(user)}")


def test_who_loses_the_right_is_refused_by_the_next_call(address: str, agent: User) -> None:
    client = signed_in(agent)
    assert client.get(address).status_code == 200
    User.objects.filter(pk=agent.pk).update(is_active=False)
    answer = client.get(address)
    assert (answer.status_code, answer.json()["code"]) == (401, "ERR_USER_DISABLED")


def test_an_ended_session_is_refused_by_the_next_call(address: str, agent: User) -> None:
    client = signed_in(agent)
    assert client.get(address).status_code == 200
    end_sessions(agent)
    answer = client.get(address)
    assert (answer.status_code, answer.json()["code"]) == (401, "ERR_SESSION_EXPIRED")
    assert APIClient().get(address).status_code == 401


@pytest.mark.parametrize(
    ("column", "value", "refusal"),
    [
        ("due_date", date.today() - timedelta(days=3), (402, "ERR_COMPANY_EXPIRED")),
        ("is_enabled", False, (401, "ERR_COMPANY_DISABLED")),
    ],
)
def test_a_company_that_may_not_is_refused_by_the_next_call(
    address: str, agent: User, column: str, value: Any, refusal: tuple[int, str]
) -> None:
    client = signed_in(agent)
    assert client.get(address).status_code == 200
    Company.objects.filter(pk=agent.company_id).update(**{column: value})
    answer = client.get(address)
    assert (answer.status_code, answer.json()["code"]) == refusal


def test_another_company_sees_nothing(address: str, ticket: Ticket, outsider: User) -> None:
    answer = signed_in(outsider).get(address)
    if address.partition("?")[0].endswith(f"/{ticket.pk}"):
        assert answer.status_code == 404
    else:
        assert answer.json()["count"] == 0
    assert "Cliente" not in answer.content.decode()


def test_no_session_of_django_is_looked_for(address: str, agent: User) -> None:
    """Calls carry tokens: a browser that has also used the Django admin costs no more."""
    client = signed_in(agent)
    client.cookies["sessionid"] = "of-the-django-admin"
    with CaptureQueriesContext(database) as asked:
        answer: Any = client.get(address)
    assert answer.status_code == 200
    assert not any("django_session" in (each["sql"] or "") for each in asked.captured_queries)
    again = len(asked)
    with CaptureQueriesContext(database) as asked:
        client.get(address)
    assert len(asked) <= again <= 8


def test_an_answer_says_what_every_answer_says(address: str, agent: User) -> None:
    answer = signed_in(agent).get(address)
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["Content-Length"] == str(len(answer.content))
    assert "GET" in answer.headers["Allow"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize(
    ("accept", "status"),
    [
        ("*/*", 200),
        ("application/json", 200),
        ("application/json, text/plain, */*", 200),
        ("application/*", 200),
        ("application/json; indent=4", 200),
        ("text/html", 406),
        ("application/jsonlines", 406),
    ],
)
def test_who_accepts_no_json_is_told_so(agent: User, accept: str, status: int) -> None:
    client = signed_in(agent)
    assert client.get("/api/contacts", HTTP_ACCEPT=accept).status_code == status
    assert client.get("/api/queue", HTTP_ACCEPT=accept).status_code == status
    assert client.get("/api/contacts?format=xml", HTTP_ACCEPT=accept).status_code == 404


def test_the_django_admin_still_asks_who_comes_and_from_where(super_user: User) -> None:
    client = Client(enforce_csrf_checks=True)
    assert client.get("/admin/").status_code == 302
    refused = client.post("/admin/login/", {"username": super_user.email, "password": "x"})
    assert refused.status_code == 403


@pytest.mark.postgres
@pytest.mark.own_sessions
def test_one_ticket_is_planned_once(ticket: Ticket) -> None:
    """Sought in a list of one, it was planned anew by every call."""
    for _ in range(12):
        ticket_row(ticket)
    with database.cursor() as cursor:
        cursor.execute(
            "SELECT sum(generic_plans) FROM pg_prepared_statements"
            " WHERE statement LIKE '%linked_tags%' AND statement NOT LIKE '%ANY%'"
        )
        (kept,) = cursor.fetchone()
    assert kept >= 6


@pytest.mark.parametrize(("origins", "is_asked"), [("", False), ("https://app.example", True)])
def test_other_sites_are_asked_for_only_where_there_are_any(origins: str, is_asked: bool) -> None:
    code = "from config import settings; print(*settings.MIDDLEWARE)"
    given = {**os.environ, "CORS_ALLOWED_ORIGINS": origins}
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, env=given, timeout=60
    )
    assert (b"corsheaders" in told.stdout) == is_asked
