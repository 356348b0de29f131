"""The cast: company `acme` with `admin` and `agent`, company `globex` with `outsider`."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.cache import caches
from django.db import connection as database
from django.db.models.signals import post_save
from django.test import Client, override_settings
from pytest_django import DjangoDbBlocker
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.automation.services.webhook_events import known
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.desk.services.known import known as known_desks
from apps.queues.models import Queue
from apps.realtime import emit as realtime
from tests import factories, tables
from tests.answers import answer_faults
from tests.events import Listeners, Told, faults_of
from tests.graph import GraphServer

ClientFor = Callable[[User | None], APIClient]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None,
) -> Iterator[None]:
    """Have the test database made of the tables that an earlier run kept."""
    with tables.made_from_kept(database):
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Keep the tables for the next run."""
    with django_db_blocker.unblock():
        tables.keep_made(database)


@pytest.fixture(autouse=True)
def _clean_cache(request: pytest.FixtureRequest) -> Iterator[None]:
    """Forget throttles and presence of other tests."""
    yield
    if request.node.get_closest_marker("sources"):
        return  # there is no Redis, and nothing was kept
    for each in caches.settings:
        caches[each].clear()


@pytest.fixture(autouse=True)
def _nobody_listens() -> None:
    """Begin without outgoing webhooks and distribution, and know it: no query to look for some."""
    known.be_sure_of_none()
    known_desks.be_sure_of_none()


@pytest.fixture(scope="session", autouse=True)
def _static_files_as_asked() -> Iterator[None]:
    """Look a static file up when it is asked for: every client would list all of them anew."""
    with override_settings(WHITENOISE_AUTOREFRESH=True):
        yield


class _QuickHasher(Argon2PasswordHasher):
    """Argon2 without the labour, which is for those who guess."""

    time_cost = 1
    memory_cost = 8
    parallelism = 1


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords() -> Iterator[None]:
    hasher = f"{__name__}.{_QuickHasher.__qualname__}"
    with override_settings(PASSWORD_HASHERS=[hasher]):
        yield


@pytest.fixture(scope="session", autouse=True)
def _audited_in_words() -> Iterator[None]:
    """Fail whoever records in a company what the page of the audit log has no words for."""
    texts = Path(__file__).parent / "frontend" / "src" / "i18n" / "pt" / "audit.json"
    words = json.loads(texts.read_text(encoding="utf-8"))["actions"]

    def judge(instance: AuditEntry, **_: Any) -> None:
        kind, _dot, deed = instance.action.partition(".")
        if instance.company_id is not None and deed not in words.get(kind, {}):
            raise AssertionError(f"audit.json has no words for {instance.action}.")

    post_save.connect(judge, sender=AuditEntry, weak=False, dispatch_uid="words")
    yield
    post_save.disconnect(sender=AuditEntry, dispatch_uid="words")


@pytest.fixture
def operator_company(db: None) -> Company:
    """Company 1, which runs the service."""
    return factories.make_operator_company()


@pytest.fixture
def super_user(operator_company: Company) -> User:
    return factories.make_admin(operator_company, is_super=True, email="super@balcao.local")


@pytest.fixture
def acme(operator_company: Company) -> Company:
    """The company of most tests."""
    return factories.make_company(name="Acme")


@pytest.fixture
def queue(acme: Company) -> Queue:
    return factories.make_queue(acme, name="Vendas", color="#3E7BD6")


@pytest.fixture
def connection(acme: Company, queue: Queue) -> Connection:
    """A connected official number of acme that leads to its queue."""
    return factories.make_connection(acme, queues=[queue], name="Loja")


@pytest.fixture
def admin(acme: Company) -> User:
    return factories.make_admin(acme, email="admin@acme.example", name="Alice")


@pytest.fixture
def agent(acme: Company, queue: Queue) -> User:
    """An attendant of acme who works in the queue."""
    return factories.make_user(acme, queues=[queue], email="agent@acme.example", name="Bob")


@pytest.fixture
def globex(operator_company: Company) -> Company:
    """Another tenant."""
    return factories.make_company(name="Globex")


@pytest.fixture
def outsider(globex: Company) -> User:
    """An admin of the other tenant."""
    return factories.make_admin(globex, email="outsider@globex.example", name="Charlie")


@pytest.fixture
def client_for() -> ClientFor:
    """Return a function that makes an API client signed in as a user, or as nobody."""

    def build(user: User | None) -> APIClient:
        client = APIClient()
        if user is not None:
            client.force_authenticate(user)
        return client

    return build


@pytest.fixture
def graph(settings: Any) -> Iterator[GraphServer]:
    """A provider that speaks the Graph API's wire."""
    server = GraphServer()
    settings.GRAPH_API_URL = server.url
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def wrong_answers(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What the API answered otherwise than the OpenAPI schema says; it fails the test."""
    faults: list[str] = []
    call = Client.request

    def call_and_check(client: Client, **environment: Any) -> Any:
        response: Any = call(client, **environment)
        asked = response.request
        faults.extend(answer_faults(asked["REQUEST_METHOD"], asked["PATH_INFO"], response))
        return response

    monkeypatch.setattr(Client, "request", call_and_check)
    yield faults
    if faults:
        pytest.fail("\n".join(faults))


@pytest.fixture
def event_faults() -> Iterator[list[str]]:
    """What was told otherwise than declared; it fails the test."""
    faults: list[str] = []
    yield faults
    # Only at its end: what is raised in the middle of a job may be caught and tried again.
    if faults:
        pytest.fail("\n".join(faults))


@pytest.fixture(autouse=True)
def listeners(event_faults: list[str], monkeypatch: pytest.MonkeyPatch) -> Listeners:
    """Who hears every event that the test emits, its payload checked."""
    hearing: Listeners = []
    publish = realtime._publish

    def check_and_publish(
        event: realtime.LiveEvent, payload: dict[str, Any], company_id: int, rooms: list[str]
    ) -> None:
        event_faults.extend(faults_of(event, payload))
        for hear in hearing:
            for name in dict.fromkeys((event.name, *event.names(company_id)[1:])):
                hear(Told(name, payload, company_id, rooms))
        publish(event, payload, company_id, rooms)

    monkeypatch.setattr(realtime, "_publish", check_and_publish)
    return hearing


@pytest.fixture
def events(listeners: Listeners, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What browsers are told: event, payload, company_id, rooms.

    Also what has sockets judged anew: event `recheck_user`, `recheck_company` or `recheck_token`
    with its `id`.
    """
    seen: list[dict[str, Any]] = []
    listeners.append(lambda told: seen.append(vars(told)))

    def recheck(**judged: int) -> None:
        ((name, record_id),) = judged.items()
        seen.append({"event": f"recheck_{name.removesuffix('_id')}", "id": record_id})

    monkeypatch.setattr(realtime, "_recheck", recheck)
    return seen
