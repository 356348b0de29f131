"""The cast: company `acme` with `admin` and `agent`, company `globex` with `outsider`."""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management.color import no_style
from django.db import connection as database
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.common.renderers import to_json
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.queues.models import Queue
from tests import factories

ClientFor = Callable[[User | None], APIClient]


@pytest.fixture(autouse=True)
def _clean_cache() -> Iterator[None]:
    """Forget throttles and presence of other tests."""
    yield
    cache.clear()


@pytest.fixture
def operator_company(db: None) -> Company:
    """Company 1, which runs the service."""
    company = factories.make_company(pk=1, name="Balcão")
    with database.cursor() as cursor:  # PostgreSQL's sequence does not see the given id
        for statement in database.ops.sequence_reset_sql(no_style(), [Company]):
            cursor.execute(statement)
    return company


@pytest.fixture
def super_user(operator_company: Company) -> User:
    """The one super user."""
    return factories.make_admin(operator_company, is_super=True, email="super@balcao.local")


@pytest.fixture
def acme(operator_company: Company) -> Company:
    """The company of most tests."""
    return factories.make_company(name="Acme")


@pytest.fixture
def queue(acme: Company) -> Queue:
    """A queue of acme."""
    return factories.make_queue(acme, name="Vendas", color="#3E7BD6")


@pytest.fixture
def connection(acme: Company, queue: Queue) -> Connection:
    """A connected official number of acme that leads to its queue."""
    return factories.make_connection(acme, queues=[queue], name="Loja")


@pytest.fixture
def admin(acme: Company) -> User:
    """An admin of acme."""
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
def events(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What accounts, companies, contacts and queues emit: event, payload, company_id, rooms.

    Also what has sockets judged anew: event `recheck_user` or `recheck_company` with its `id`.
    """
    seen: list[dict[str, Any]] = []

    def emit(
        event: str, payload: Any, *, company_id: int, rooms: Any = None, raw: bool = False
    ) -> None:
        to_json(payload)  # it must have a wire form
        row = {"event": event, "payload": payload, "company_id": company_id, "rooms": rooms}
        seen.append(row)

    for app in ("accounts", "automation", "companies", "contacts", "library", "queues"):
        module = import_module(f"apps.{app}.events")
        monkeypatch.setattr(module, "emit", emit)
        for name in ("recheck_user", "recheck_company"):
            if hasattr(module, name):
                monkeypatch.setattr(
                    module, name, lambda id, name=name: seen.append({"event": name, "id": id})
                )
    return seen
