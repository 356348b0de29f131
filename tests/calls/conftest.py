"""The cast and the world of `tests.worlds`, made once for all tests of a module.

The rows are written in a transaction that lasts as long as the module. Each test runs in a
savepoint, which is rolled back at its end. These fixtures replace those of the root's `conftest`,
and `db` replaces the mark `django_db`.
"""

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from apps.accounts.models import User
from apps.automation.services.webhook_events import known
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.queues.models import Queue
from tests import factories
from tests.worlds import World, make_world, without_others


@dataclass
class Made:
    """Who and what a module's tests share; a test takes copies."""

    operator_company: Company
    acme: Company
    globex: Company
    admin: User
    agent: User
    outsider: User
    queue: Queue
    connection: Connection
    world: World


def make_all() -> Made:
    """Make the cast as the root's `conftest` does, and the world."""
    operator = factories.make_operator_company()
    acme = factories.make_company(name="Acme")
    globex = factories.make_company(name="Globex")
    queue = factories.make_queue(acme, name="Vendas", color="#3E7BD6")
    cast: dict[str, Any] = {
        "queue": queue,
        "connection": factories.make_connection(acme, queues=[queue], name="Loja"),
        "admin": factories.make_admin(acme, email="admin@acme.example", name="Alice"),
        "agent": factories.make_user(acme, queues=[queue], email="agent@acme.example", name="Bob"),
        "outsider": factories.make_admin(globex, email="outsider@globex.example", name="Charlie"),
    }
    world = make_world(acme, globex, **cast)
    return Made(operator_company=operator, acme=acme, globex=globex, world=world, **cast)


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Made]:
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_all()
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def db(made: Made) -> Iterator[None]:
    """Roll back what a test wrote."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def own(db: None, made: Made) -> Made:
    """Return copies, so that no test sees what another did to an object."""
    return copy.deepcopy(made)


@pytest.fixture
def world(own: Made, settings: Any) -> World:
    without_others(settings)
    known.forget()  # the world has a webhook
    return own.world


@pytest.fixture
def operator_company(own: Made) -> Company:
    return own.operator_company


@pytest.fixture
def acme(own: Made) -> Company:
    return own.acme


@pytest.fixture
def globex(own: Made) -> Company:
    return own.globex


@pytest.fixture
def admin(own: Made) -> User:
    return own.admin


@pytest.fixture
def agent(own: Made) -> User:
    return own.agent


@pytest.fixture
def outsider(own: Made) -> User:
    return own.outsider


@pytest.fixture
def queue(own: Made) -> Queue:
    return own.queue


@pytest.fixture
def connection(own: Made) -> Connection:
    return own.connection
