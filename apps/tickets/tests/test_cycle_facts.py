"""Cycles of before the dashboard learn what it reads of them as the tables are migrated."""

from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module
from itertools import product
from random import Random
from typing import Any

import pytest
from django.db import connection as database
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from apps.companies.models import Company
from apps.tickets.models import MessageSource, Rating, Ticket, TrackingCycle
from tests.factories import make_connection, make_message, make_queue, make_ticket

pytestmark = pytest.mark.django_db(transaction=True)

BEFORE, FILLED = ("tickets", "0026_polls"), ("tickets", "0028_known_cycles")


def migrate(*targets: tuple[str, str]) -> None:
    """Migrate to some migrations, or to the last ones of all."""
    executor = MigrationExecutor(database)
    executor.migrate(list(targets) or executor.loader.graph.leaf_nodes())


@pytest.fixture(autouse=True)
def latest_tables() -> Iterator[None]:
    """Leave the tables to other tests as they are now."""
    yield
    migrate()


def facts() -> list[Any]:
    return list(
        TrackingCycle.objects.order_by("pk").values_list(
            "pk", "contact_id", "queue_id", "first_answer_at"
        )
    )


def make_cycles(acme: Company) -> None:
    """Make tickets that were attended twice, each time answered otherwise, and one that waits."""
    began_at = timezone.now() - timedelta(days=2)
    sources = [MessageSource.CONTACT, MessageSource.BOT, MessageSource.PHONE, MessageSource.AGENT]

    def cycle(ticket: Ticket, hours: int, answered: int | None) -> None:
        queued_at = began_at + timedelta(hours=hours)
        TrackingCycle.objects.create(
            company=acme,
            ticket=ticket,
            contact=ticket.contact,
            queue=ticket.queue,
            queued_at=queued_at,
            first_answer_at=None if answered is None else queued_at + timedelta(minutes=answered),
            finished_at=queued_at + timedelta(minutes=30),
        )

    for queue in (make_queue(acme), None, make_queue(acme)):
        ticket = make_ticket(acme, connection=make_connection(acme), queue=queue, status="closed")
        for place, source in enumerate(sources):
            at = began_at + timedelta(minutes=5 * place)
            make_message(ticket, from_me=place > 0, source=source, created_at=at)
        cycle(ticket, 0, answered=10)
        late = began_at + timedelta(hours=3, minutes=31)
        make_message(ticket, from_me=True, source=MessageSource.AGENT, created_at=late)
        cycle(ticket, 3, answered=None)
    make_ticket(acme, connection=make_connection(acme), queue=make_queue(acme))


def test_every_cycle_that_there_was_gets_its_facts(
    acme: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_cycles(acme)
    expected = facts()
    assert len(expected) == 7
    monkeypatch.setattr(import_module("apps.tickets.migrations.0028_known_cycles"), "BATCH", 3)
    migrate(BEFORE)
    migrate()
    assert facts() == expected


def test_what_an_older_process_has_made_meanwhile_is_filled_in_too(acme: Company) -> None:
    make_cycles(acme)
    expected = facts()
    migrate(BEFORE)
    migrate(FILLED)
    assert facts() == expected
    late = [pk for pk, *_ in expected[2:5]]
    nothing = {"contact_id": None, "queue_id": None, "first_answer_at": None}
    TrackingCycle.objects.filter(pk__in=late).update(**nothing)
    migrate()
    assert facts() == expected


def test_every_rating_that_there_was_is_on_its_cycle(
    acme: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_cycles(acme)
    rates = {}
    for place, cycle in enumerate(TrackingCycle.objects.order_by("pk")):
        rates[cycle.pk] = (None, 1, 2, 3)[place % 4]
        if rate := rates[cycle.pk]:
            Rating.objects.create(company=acme, cycle=cycle, ticket=cycle.ticket, rate=rate)
    monkeypatch.setattr(import_module("apps.tickets.migrations.0031_known_rates"), "BATCH", 3)
    migrate(FILLED)
    migrate()
    assert dict(TrackingCycle.objects.values_list("pk", "rate")) == rates


def test_the_database_keeps_how_long_a_cycle_took(acme: Company) -> None:
    random = Random(7)
    began_at = timezone.now().replace(microsecond=0)
    moments = [None, began_at, began_at.replace(month=2, day=28, microsecond=1)]
    moments += [
        began_at + timedelta(microseconds=random.randrange(-(10**13), 10**13)) for _ in "ab"
    ]
    ticket = make_ticket(acme, status="closed")
    for started_at, answered_at, finished_at in product(moments, repeat=3):
        TrackingCycle.objects.create(
            company=acme,
            ticket=ticket,
            contact=ticket.contact,
            queued_at=random.choice([each for each in moments if each]),
            started_at=started_at,
            first_answer_at=answered_at,
            finished_at=finished_at or began_at,
        )
    microsecond = timedelta(microseconds=1)
    cycles = list(TrackingCycle.objects.all())
    assert len(cycles) == 125
    for cycle in cycles:
        for kept, end, start in (
            (cycle.support_microseconds, cycle.finished_at, cycle.started_at),
            (cycle.wait_microseconds, cycle.started_at, cycle.queued_at),
            (cycle.answer_microseconds, cycle.first_answer_at, cycle.queued_at),
        ):
            assert kept == ((end - start) // microsecond if end and start else None)
