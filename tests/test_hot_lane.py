"""The hot reads in front of Django answer to the letter as Django's own way does."""

import importlib
import logging
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import jwt
import psycopg
import pytest
from django.conf import settings
from django.db import connection as database
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import resolve
from django.utils import timezone
from prometheus_client import REGISTRY
from rest_framework_simplejwt.tokens import AccessToken

from apps.accounts.models import User
from apps.accounts.services.sessions import end_sessions
from apps.accounts.tokens import BILLING_SCOPE, make_access_token
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.contacts.models import Contact
from apps.queues.models import Queue
from apps.tickets.models import Ticket
from config.hot_lane import FAULTS, HotLane
from config.request_ids import RequestIds
from config.urls import api
from tests.factories import make_message, make_queue, make_tag, make_ticket, make_user
from tests.lanes import Answer, Server, own_transaction

pytestmark = pytest.mark.django_db

ORIGIN = "https://app.example"
ADDRESSES = (
    "/api/tickets?status=open&pageNumber=1&showAll=true&queueIds=%5B{queue}%5D",
    "/api/tickets?status=closed&pageNumber=1&showAll=true",
    "/api/tickets?pageNumber=1&showAll=true&searchParam=pedido",
    "/api/ticket/kanban?pageNumber=1&showAll=true",
    "/api/messages/{ticket}?pageNumber=1",
    "/api/tickets/{ticket}",
    "/api/contacts?pageNumber=1",
    "/api/contacts?pageNumber=1&searchParam=cliente%20",
)


@pytest.fixture(autouse=True)
def _connection_is_the_tests(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with own_transaction(monkeypatch):
        yield


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def ticket(acme: Company, connection: Connection, queue: Queue, agent: User) -> Ticket:
    """Return an open ticket with a message, beside one that is closed and one of nobody's."""
    ticket = make_ticket(acme, connection=connection, queue=queue, user=agent, status="open")
    make_message(ticket, body="Meu pedido chegou?")
    make_ticket(acme, connection=connection, queue=queue, user=agent, status="closed")
    make_ticket(acme, connection=connection, status="pending")
    return ticket


@pytest.fixture(params=ADDRESSES)
def address(request: Any, ticket: Ticket) -> str:
    """Return one of the hot reads' addresses."""
    return str(request.param).format(ticket=ticket.pk, queue=ticket.queue_id)


def the_same(server: Server, address: str, token: str, **environ: str) -> Answer:
    """Return what the lane answers, which is what Django answers."""
    answer = server.get(address, token, **environ)
    assert answer == server.get_of_django(address, token, **environ)
    return answer


def expired_token(user: User) -> str:
    token = AccessToken(make_access_token(user))  # type: ignore[arg-type]
    token.set_exp(from_time=timezone.now() - timedelta(days=1))
    return str(token)


def test_everybody_reads_what_they_would_read(
    server: Server, address: str, admin: User, agent: User, outsider: User
) -> None:
    server.get(address, make_access_token(admin))
    for user in (admin, agent, outsider):
        server.get(address, make_access_token(user))  # the first of its status
        answer = the_same(server, address, make_access_token(user))
        assert not answer.is_django
        is_found = user is not outsider or b'"count":0' in answer.body
        assert answer.status == ("200 OK" if is_found else "404 Not Found")
    if "pageNumber" in address and "closed" not in address:
        assert b"Cliente" in server.get(address, make_access_token(agent)).body


def test_a_colleague_of_another_queue_reads_no_more_than_django_shows(
    server: Server, address: str, acme: Company, agent: User
) -> None:
    server.get(address, make_access_token(agent))
    token = make_access_token(make_user(acme, queues=[make_queue(acme)]))
    server.get(address, token)
    answer = the_same(server, address, token)
    assert not answer.is_django
    assert b"pedido chegou" not in answer.body
    if "tickets/" in address or "messages/" in address:
        assert answer.status in {"403 Forbidden", "404 Not Found"}
    elif "contacts" not in address:
        assert b'"count":0' in answer.body or b'"count":1' in answer.body  # of no queue


def test_a_token_for_paying_alone_reads_nothing(server: Server, address: str, agent: User) -> None:
    server.get(address, make_access_token(agent))
    token = make_access_token(agent, scope=BILLING_SCOPE)
    # Paid meanwhile, the browser is to fetch a whole token; while it is not, to pay.
    for due_in, status in ((3, "403"), (-3, "402")):
        due_date = date.today() + timedelta(days=due_in)
        Company.objects.filter(pk=agent.company_id).update(due_date=due_date)
        answer = the_same(server, address, token)
        assert (answer.status[:3], answer.is_django) == (status, True)


@pytest.mark.parametrize("by", ["queueIds=[{queue}]", "tags=[{tag}]", "users=[{user}]"])
@pytest.mark.parametrize("path", ["/api/tickets?showAll=true&status=open", "/api/ticket/kanban?"])
def test_what_is_anothers_finds_nothing(
    server: Server, ticket: Ticket, agent: User, outsider: User, path: str, by: str
) -> None:
    """The outsider asks by acme's ids, and acme by the outsider's."""
    tag = make_tag(ticket.company, is_kanban=True)
    ticket.tags.add(tag)
    acmes = by.format(queue=ticket.queue_id, tag=tag.pk, user=agent.pk)
    globex = outsider.company
    others = by.format(
        queue=make_queue(globex).pk, tag=make_tag(globex, is_kanban=True).pk, user=outsider.pk
    )
    assert b"Cliente" in server.get(f"{path}&{acmes}", make_access_token(agent)).body
    for user, asked in ((outsider, acmes), (agent, others)):
        token = make_access_token(user)
        server.get(f"{path}&{asked}", token)
        answer = the_same(server, f"{path}&{asked}", token)
        assert (answer.status, answer.is_django) == ("200 OK", False)
        assert b"Cliente" not in answer.body


def test_a_refusal_is_found_once(
    server: Server, ticket: Ticket, agent: User, outsider: User
) -> None:
    for address in (f"/api/tickets/{ticket.pk}", f"/api/messages/{ticket.pk}"):
        token = make_access_token(outsider)
        server.get(address, make_access_token(agent))
        server.get(address, token)
        with CaptureQueriesContext(database) as ours:
            assert not server.get(address, token).is_django
        with CaptureQueriesContext(database) as of_django:
            server.get_of_django(address, token)
        assert [each["sql"] for each in ours] == [each["sql"] for each in of_django]


def test_who_may_not_is_refused_as_by_django(server: Server, address: str, agent: User) -> None:
    good = make_access_token(agent)
    assert server.get(address, good).status == "200 OK"
    assert not server.get(address, good).is_django
    for token, status in (("", 401), (expired_token(agent), 403), ("a.b.c", 401), (good[:-3], 401)):
        answer = the_same(server, address, token)
        assert answer.is_django
        assert answer.status.startswith(str(status))
    end_sessions(agent)
    assert the_same(server, address, good).status.startswith("401")
    again = make_access_token(agent)
    assert not server.get(address, again).is_django
    for change, status in (
        ({"due_date": date.today() - timedelta(days=3)}, 402),
        ({"is_enabled": False}, 401),
    ):
        Company.objects.filter(pk=agent.company_id).update(**change)
        assert the_same(server, address, again).status.startswith(str(status))
    Company.objects.filter(pk=agent.company_id).update(
        due_date=date.today() + timedelta(days=3), is_enabled=True
    )
    assert not server.get(address, again).is_django
    User.objects.filter(pk=agent.pk).update(is_active=False)
    assert the_same(server, address, again).status.startswith("401")


def headers_of_strangers(user: User) -> dict[str, str]:
    """Return an `Authorization` header of each kind that lets nobody in."""
    good, deleted = make_access_token(user), make_user(user.company)
    of_deleted = make_access_token(deleted)
    deleted.delete()
    foreign = jwt.encode({"id": user.pk, "token_type": "access"}, "another key" * 4, "HS256")
    unsigned = jwt.encode({"id": user.pk, "token_type": "access"}, "", "none")
    return {
        "no token": "",
        "an empty token": "Bearer ",
        "another scheme": f"Basic {good}",
        "no scheme": good,
        "garbage": "Bearer a.b.c",
        "bytes beyond ASCII": "Bearer \xff\xfe\xe9",
        "a cut token": f"Bearer {good[:-3]}",
        "an expired token": f"Bearer {expired_token(user)}",
        "a token of another key": f"Bearer {foreign}",
        "an unsigned token": f"Bearer {unsigned}",
        "the token of a deleted user": f"Bearer {of_deleted}",
        "two tokens": f"Bearer {good} {good}",
    }


def test_who_is_not_signed_in_is_no_fault(
    server: Server, address: str, agent: User, caplog: pytest.LogCaptureFixture
) -> None:
    def faults() -> dict[str, float]:
        ((*samples,),) = ([*each.samples] for each in FAULTS.collect())
        return {str(each.labels): each.value for each in samples}

    good = make_access_token(agent)
    server.get(address, good)
    assert not server.get(address, good).is_django
    before = faults()
    caplog.clear()
    for kind, header in headers_of_strangers(agent).items():
        answer = the_same(server, address, "", **({"HTTP_AUTHORIZATION": header} if header else {}))
        assert answer.is_django, kind
        assert answer.status[:3] in {"401", "403"}, kind
    assert faults() == before
    ours = [each for each in caplog.records if each.name.startswith("config.")]
    assert [each.getMessage() for each in ours if each.levelno >= logging.WARNING] == []


def test_each_hot_address_is_tried(server: Server) -> None:
    paths = {address.partition("?")[0].format(ticket=1, queue=1) for address in ADDRESSES}
    assert {resolve(path).url_name for path in paths} == server.names


UNUSUAL: dict[str, dict[str, str]] = {
    "a head": {"REQUEST_METHOD": "HEAD"},
    "what may be done": {"REQUEST_METHOD": "OPTIONS"},
    "another method": {"REQUEST_METHOD": "PATCH"},
    "another form": {"HTTP_ACCEPT": "text/html"},
    "another host": {"HTTP_HOST": "elsewhere.example:80:80"},
    "a body": {"CONTENT_LENGTH": "10"},
    "no page": {"QUERY_STRING": "pageNumber=0"},
    "a NUL": {"QUERY_STRING": "pageNumber=1&searchParam=%00"},
    "a format": {"QUERY_STRING": "format=xml"},
    "too much": {"QUERY_STRING": "&".join(["a=1"] * 1001)},
}


@pytest.mark.parametrize("unusual", UNUSUAL)
def test_the_unusual_is_djangos(server: Server, ticket: Ticket, agent: User, unusual: str) -> None:
    token = make_access_token(agent)
    for address in (f"/api/messages/{ticket.pk}", "/api/contacts", "/api/tickets"):
        server.get(address, token)
        assert not server.get(address, token).is_django
        assert the_same(server, address, token, **UNUSUAL[unusual]).is_django


@pytest.mark.parametrize(
    "other",
    [
        {"HTTP_ACCEPT": "application/json, text/plain, */*", "HTTP_ACCEPT_ENCODING": "gzip, br"},
        {"HTTP_COOKIE": "sessionid=of-the-django-admin; jrt=abc"},
        {"HTTP_IF_NONE_MATCH": "*", "HTTP_IF_MODIFIED_SINCE": "Sat, 01 Jan 2028 00:00:00 GMT"},
        {"HTTP_RANGE": "bytes=0-4"},
        {"HTTP_X_FORWARDED_PROTO": "https"},
        {"HTTP_X_FORWARDED_PROTO": "https", "REMOTE_ADDR": "127.0.0.1"},
        {"wsgi.url_scheme": "https"},
        {"HTTP_ORIGIN": ORIGIN},
        {"HTTP_ORIGIN": "https://stranger.example"},
    ],
    ids="+".join,
)
def test_headers_are_those_of_django(ticket: Ticket, agent: User, other: dict[str, str]) -> None:
    with override_settings(
        CORS_ALLOWED_ORIGINS=[ORIGIN],
        MIDDLEWARE=["corsheaders.middleware.CorsMiddleware", *settings.MIDDLEWARE],
        SECURE_HSTS_SECONDS=60,
        TRUSTED_PROXIES=["127.0.0.1"],
    ):
        server, token = Server(), make_access_token(agent)
        for address in ("/api/tickets", f"/api/messages/{ticket.pk}", "/api/contacts"):
            # Of another kind before it, whose headers are not its own.
            for _ in range(2):
                server.get(address, token)
            server.get(address, token, **other)
            answer = the_same(server, address, token, **other)
            assert not answer.is_django
            assert ("Content-Length", str(len(answer.body))) in answer.headers
            allowed = dict(answer.headers).get("access-control-allow-origin")
            assert allowed == (ORIGIN if other.get("HTTP_ORIGIN") == ORIGIN else None)


def test_with_a_slash_and_without(server: Server, address: str, agent: User) -> None:
    path, _, query = address.partition("?")
    token = make_access_token(agent)
    server.get(address, token)
    answer = the_same(server, f"{path}/?{query}", token)
    assert answer == server.get(address, token)
    assert not answer.is_django


def test_a_number_that_no_id_reaches_is_djangos(
    server: Server, ticket: Ticket, agent: User
) -> None:
    token = make_access_token(agent)
    server.get(f"/api/tickets/{ticket.pk}", token)
    answer = the_same(server, f"/api/tickets/{'9' * 5000}", token)
    assert (answer.status[:3], answer.is_django) == ("404", True)


def test_nothing_personal_is_remembered(ticket: Ticket, agent: User) -> None:
    def with_cookie(environ: dict[str, Any], start: Any) -> list[bytes]:
        start("200 OK", [("Content-Length", "2"), ("Set-Cookie", "jrt=secret")])
        return [b"{}"]

    server = Server()
    server.lane = HotLane(with_cookie, api)
    for _ in range(2):
        answer = server.get("/api/tickets", make_access_token(agent))
        assert ("Set-Cookie", "jrt=secret") in answer.headers


def test_it_asks_what_django_asks(server: Server, address: str, agent: User) -> None:
    token = make_access_token(agent)
    server.get(address, token)
    with CaptureQueriesContext(database) as ours:
        assert not server.get(address, token).is_django
    with CaptureQueriesContext(database) as of_django:
        server.get_of_django(address, token)
    assert [each["sql"] for each in ours] == [each["sql"] for each in of_django]
    assert 2 <= len(ours) <= 8


def test_reading_resets_what_was_unread(server: Server, ticket: Ticket, agent: User) -> None:
    token, address = make_access_token(agent), f"/api/messages/{ticket.pk}"
    server.get(address, token)
    Ticket.objects.filter(pk=ticket.pk).update(unread_count=2)
    peeked = server.get(f"{address}?peek=true", token)
    assert (peeked.is_django, b'"unreadMessages":2' in peeked.body) == (False, True)
    read = server.get(address, token)
    assert (read.is_django, b'"unreadMessages":0' in read.body) == (False, True)
    ticket.refresh_from_db()
    assert ticket.unread_count == 0


def test_each_answer_is_counted(server: Server, ticket: Ticket, agent: User) -> None:
    def counted() -> float:
        labels = {"view": "tickets-detail", "method": "GET", "status": "200"}
        return REGISTRY.get_sample_value("balcao_http_requests_total", labels) or 0

    token, address = make_access_token(agent), f"/api/tickets/{ticket.pk}"
    server.get(address, token)
    before = counted()
    assert not server.get(address, token).is_django
    assert counted() == before + 1


def test_what_breaks_is_djangos_to_tell(
    server: Server,
    ticket: Ticket,
    agent: User,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    token = make_access_token(agent)
    server.get("/api/contacts", token)
    monkeypatch.setattr(
        "apps.contacts.views.contacts.contact_rows_of", lambda rows: [Contact.objects.get(pk=-1)]
    )
    labels = {"view": "contacts-list"}
    before = REGISTRY.get_sample_value("balcao_hot_read_faults_total", labels) or 0
    answer = server.get("/api/contacts", token)
    assert (answer.status[:3], answer.is_django) == ("500", True)
    assert REGISTRY.get_sample_value("balcao_hot_read_faults_total", labels) == before + 1
    ours = [each for each in caplog.records if each.name == "config.hot_lane"]
    assert [(each.levelname, bool(each.exc_info)) for each in ours] == [("WARNING", True)]


def test_every_process_has_the_lane() -> None:
    served: Any = importlib.import_module("config.asgi").http
    assert isinstance(served.app, RequestIds)
    assert isinstance(served.app.application, HotLane)


@pytest.mark.postgres
@pytest.mark.own_sessions
@pytest.mark.django_db(transaction=True)
def test_a_broken_connection_is_replaced(server: Server, ticket: Ticket, agent: User) -> None:
    token, address = make_access_token(agent), f"/api/tickets/{ticket.pk}"
    server.get(address, token)
    with database.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    with psycopg.connect(**database.get_connection_params() | {"cursor_factory": None}) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [pid])
    assert server.get(address, token).status == "200 OK"
    assert not server.get(address, token).is_django
