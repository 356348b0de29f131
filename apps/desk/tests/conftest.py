"""A company that distributes, with people who are there."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.desk.decisions.assignment import Mode, Presence
from apps.desk.models import AssignmentPolicy, RuleTick, Seat, Tick
from apps.desk.services.following import follow
from apps.desk.services.known import known
from apps.desk.services.rules.working import run_due as run_rules_due
from apps.desk.services.running import run_due
from apps.queues.models import Queue
from apps.tickets.models import Ticket
from tests.factories import make_ticket, make_user

Sit = Callable[..., Seat]
Arrive = Callable[..., Ticket]


@pytest.fixture
def acme(acme: Company) -> Iterator[Company]:
    """Acme, which distributes."""
    CompanySetting.objects.create(company=acme, key="assignment", value="enabled")
    known.forget()
    yield acme
    known.be_sure_of_none()


@pytest.fixture
def policy(acme: Company, queue: Queue) -> AssignmentPolicy:
    return AssignmentPolicy.objects.create(company=acme, queue=queue, mode=Mode.ROUND_ROBIN)


@pytest.fixture
def sit() -> Sit:
    """Return a function that seats a user, online with an open browser."""

    def build(user: User, **fields: Any) -> Seat:
        fields.setdefault("presence", Presence.ONLINE)
        fields.setdefault("is_away", False)
        fields.setdefault("seen_until", timezone.now() + timedelta(hours=1))
        return Seat.objects.create(user=user, company=user.company, **fields)

    return build


@pytest.fixture
def colleague(acme: Company, queue: Queue) -> User:
    """Somebody else who works in the queue."""
    return make_user(acme, queues=[queue], name="Dora")


@pytest.fixture
def arrive(acme: Company, queue: Queue, connection: Connection) -> Arrive:
    """Return a function that has a ticket wait in the queue, or be as it is told."""

    def build(**fields: Any) -> Ticket:
        fields.setdefault("queue", queue)
        ticket = make_ticket(acme, connection=connection, **fields)
        follow([ticket], [])
        return ticket

    return build


def work() -> None:
    """Do what is due, until nothing is."""
    while run_due(limit=100) + run_rules_due(limit=100):
        pass


def make_due() -> None:
    """Have everything that is planned be due."""
    for table in (Tick, RuleTick):
        table.objects.update(next_attempt_at=timezone.now() - timedelta(seconds=1))


def loads() -> dict[str, int]:
    return dict(Seat.objects.order_by("pk").values_list("user__name", "load"))
