"""A decision reads what it gives, with 100,000 open tickets and 500 people (rules/desk §3)."""

import time
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection as database
from django.utils import timezone

from apps.accounts.models import User, UserQueue
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.desk.decisions.assignment import Mode, Presence, decide
from apps.desk.models import Assignment, AssignmentLog, AssignmentPolicy, Seat, Turn
from apps.desk.queries.sla import has_answered, waits_for_us
from apps.desk.queries.snapshots import MOST_AT_ONCE, read_snapshot
from apps.desk.services.known import known
from apps.queues.models import Queue
from apps.tickets.models import Message, MessageSource
from tests.factories import make_message, make_queue, make_ticket
from tests.test_plans import MOST_READ_PER_ROW, SETTLED, SMALL, Explain, explained

__all__ = ["explained"]

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

PEOPLE, HELD, WAITING = 500, 80_000, 20_000
# What a decision may take of the processor, and how often it is tried.
MOST_SECONDS, TRIES = 0.005, 20


@pytest.fixture
def large(acme: Company, queue: Queue) -> Queue:
    """A queue in which 20,000 tickets wait, while 500 people hold 80,000."""
    with database.cursor() as cursor:
        # The tickets themselves take no part in a decision.
        cursor.execute("SET LOCAL session_replication_role = replica")
    User.objects.bulk_create(
        User(company=acme, name=f"Pessoa {n}", email=f"p{n}@large.example") for n in range(PEOPLE)
    )
    users = list(User.objects.filter(email__endswith="@large.example").order_by("pk"))
    other = make_queue(acme)
    UserQueue.objects.bulk_create(
        UserQueue(user=user, queue=each) for user in users for each in (queue, other)
    )
    now = timezone.now()
    Seat.objects.bulk_create(
        Seat(
            user=user,
            company=acme,
            presence=Presence.ONLINE,
            is_away=False,
            seen_until=now + timedelta(hours=1),
            capacity=200,
            load=160,
        )
        for user in users
    )
    for each in (queue, other):
        AssignmentPolicy.objects.create(company=acme, queue=each, mode=Mode.ROUND_ROBIN)
        Turn.objects.bulk_create(Turn(queue=each, user=user, count=160) for user in users)
    first = users[0].pk
    log, rows = AssignmentLog._meta.db_table, Assignment._meta.db_table
    with database.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {log} (company_id, ticket_id, queue_id, to_user_id, why, number, at)"
            f" SELECT {acme.pk}, n, {queue.pk}, {first} + n % {PEOPLE}, 'turn', 1 + n / {PEOPLE},"
            f" now() - (200000 - n) * interval '1 minute' FROM generate_series(0, {HELD - 1}) AS n"
        )
        cursor.execute(
            f"INSERT INTO {rows} (ticket_id, company_id, queue_id, user_id, channel, points,"
            " is_ready, since, opened_at, priority, returned_by, returns, aside, is_apart)"
            f" SELECT n, {acme.pk}, CASE WHEN n % 2 = 0 THEN {queue.pk} ELSE {other.pk} END,"
            f" CASE WHEN n <= {HELD} THEN {first} + n % {PEOPLE} END, 'whatsapp',"
            f" CASE WHEN n <= {HELD} THEN 1 ELSE 0 END, n > {HELD},"
            " now() - n * interval '1 second', now() - n * interval '1 second', 3, '[]', 0, '',"
            f" false FROM generate_series(1, {HELD + WAITING}) AS n"
        )
        cursor.execute("SET LOCAL session_replication_role = origin")
        cursor.execute("ANALYZE")
    return queue


def test_a_decision_reads_little_more_than_it_takes_in(
    acme: Company, large: Queue, explained: Explain
) -> None:
    read = partial(read_snapshot, acme.pk, [large.pk], timezone.now())
    for _ in range(SETTLED):
        snapshot = read()
    assert len(snapshot.waiting) == MOST_AT_ONCE
    assert len(snapshot.people) == PEOPLE
    with database.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE reltuples < %s", [SMALL])
        small = {name for (name,) in cursor.fetchall()}
    most: dict[str, int] = {
        # The limit's row of the log, one a person and queue.
        AssignmentLog._meta.db_table: PEOPLE,
        Assignment._meta.db_table: MOST_AT_ONCE,
        UserQueue._meta.db_table: PEOPLE * 2,
        Turn._meta.db_table: PEOPLE,
    }
    too_much: list[Any] = [
        (table, count, statement.sql)
        for statement in explained(read)
        for table, count in statement.read.items()
        if table not in small and count > MOST_READ_PER_ROW * most.get(table, PEOPLE)
    ]
    assert not too_much


def test_a_decision_costs_five_milliseconds_at_most(acme: Company, large: Queue) -> None:
    took = []
    for _ in range(TRIES):
        began = time.process_time()
        # With what it reads: that is the greater part.
        decision = decide(read_snapshot(acme.pk, [large.pk], timezone.now()))
        took.append((time.process_time() - began) / len(decision.given))
    assert len(decision.given) == MOST_AT_ONCE
    assert min(took) <= MOST_SECONDS


def test_clocks_read_the_last_words_of_a_long_conversation_alone(
    acme: Company, queue: Queue, connection: Connection, explained: Explain
) -> None:
    ticket = make_ticket(acme, queue=queue, connection=connection)
    first = make_message(ticket, from_me=True, source=MessageSource.PHONE)
    own = {"id", "external_id", "callback_id", "from_me"}
    fields = {
        each.attname: getattr(first, each.attname)
        for each in Message._meta.concrete_fields
        if each.name not in own
    }
    Message.objects.bulk_create(Message(**fields, from_me=n % 2 == 0) for n in range(2000))
    with database.cursor() as cursor:
        cursor.execute("ANALYZE")
    for call in (waits_for_us, has_answered):
        for _ in range(SETTLED):
            call(ticket)
        read = [
            statement.read[Message._meta.db_table] for statement in explained(partial(call, ticket))
        ]
        assert max(read) <= MOST_READ_PER_ROW


def test_who_has_something_on_is_read_without_the_other_settings(
    acme: Company, explained: Explain
) -> None:
    fields = {"plan": acme.plan, "due_date": acme.due_date}
    made = Company.objects.bulk_create(Company(name=f"Grande {n}", **fields) for n in range(200))
    CompanySetting.objects.bulk_create(
        CompanySetting(company=each, key=f"key{n}", value="enabled")
        for each in made
        for n in range(30)
    )
    with database.cursor() as cursor:
        cursor.execute("ANALYZE")

    def ask() -> None:
        known.forget()
        assert known.is_on(acme.pk)

    for _ in range(SETTLED):
        ask()
    table = CompanySetting._meta.db_table
    assert sum(statement.read[table] for statement in explained(ask)) <= MOST_READ_PER_ROW
