from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from apps.common.bulk import insert_row, insert_rows, take_keys, update_rows
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.inbound.models import InboundEvent
from apps.queues.models import Queue
from apps.tickets.models import Ticket, TrackingCycle
from tests.factories import make_ticket


def test_each_row_gets_its_own_values_in_one_statement(
    acme: Company, connection: Connection, django_assert_num_queries: Any
) -> None:
    first, second = (make_ticket(acme, connection=connection) for _ in range(2))
    untouched = make_ticket(acme, connection=connection)
    moment = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
    first.last_message, first.last_inbound_at = "100% 'Olá'", moment
    second.last_message, second.user = "", None
    Ticket.objects.update(unread_count=5)
    with django_assert_num_queries(1):
        update_rows(
            [first, second],
            ["last_message", "last_inbound_at", "user"],
            added={"unread_count": {first.pk: 2}},
        )
    fields = ("last_message", "last_inbound_at", "user_id", "unread_count")
    stored = Ticket.objects.in_bulk()
    found = [[getattr(stored[each.pk], name) for name in fields] for each in (first, second)]
    assert found == [["100% 'Olá'", moment, None, 7], ["", None, None, 5]]
    assert stored[untouched.pk].unread_count == 5


def test_nothing_to_write_costs_nothing(db: None, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        update_rows([], ["last_message"])


def test_a_new_row_is_stored_as_saving_stores_it(acme: Company, connection: Connection) -> None:
    def new() -> InboundEvent:
        return InboundEvent(connection=connection, event_id="e", kind="k", payload={"a": [1, None]})

    saved = new()
    saved.save()
    kept = InboundEvent.objects.values().get()
    saved.delete()
    row = new()
    row.next_attempt_at, row.received_at = saved.next_attempt_at, saved.received_at
    assert insert_row(row)
    assert InboundEvent.objects.values().get() == {**kept, "id": row.pk}
    row.kind = "changed"
    row.save()  # it is known as stored
    assert InboundEvent.objects.get().kind == "changed"


def test_a_second_row_of_the_same_unique_values_is_refused_or_left_out(
    acme: Company, connection: Connection
) -> None:
    def new() -> InboundEvent:
        return InboundEvent(connection=connection, event_id="e", kind="k", payload={})

    assert insert_row(new())
    assert not insert_row(new(), ignores_conflicts=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_row(new())
    assert InboundEvent.objects.count() == 1


def test_generated_columns_are_the_databases(acme: Company, connection: Connection) -> None:
    ticket = make_ticket(acme, connection=connection)
    at = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
    shared = {"company": acme, "ticket": ticket, "contact": ticket.contact, "queued_at": at}
    TrackingCycle.objects.all().delete()
    saved = TrackingCycle.objects.create(**shared)
    kept = TrackingCycle.objects.values().get()
    saved.delete()
    row = TrackingCycle(**shared)
    insert_row(row)
    assert TrackingCycle.objects.values().get() == {**kept, "id": row.pk}


def test_new_rows_are_stored_as_they_are(
    acme: Company, connection: Connection, django_assert_num_queries: Any
) -> None:
    moment = datetime(2020, 1, 5, 12, 0, tzinfo=UTC)
    first, second = take_keys(Queue, 2)
    assert first < second
    told = {"company": acme, "created_at": moment, "updated_at": moment}
    rows = [
        Queue(pk=first, name="Tab\t'\\N", color="#000001", schedules=[{"a": None}], **told),
        Queue(pk=second, name="", color="#000002", order=None, **told),
    ]
    insert_rows(rows)
    insert_rows([])
    stored = Queue.objects.in_bulk([first, second])
    assert [stored[pk].name for pk in (first, second)] == ["Tab\t'\\N", ""]
    assert stored[first].schedules == [{"a": None}] and stored[second].order is None
    assert stored[first].created_at == stored[second].updated_at == moment
    assert Queue.objects.create(company=acme, name="Nova", color="#000003").pk > second


def test_columns_that_the_database_computes_are_left_to_it(
    acme: Company, connection: Connection
) -> None:
    ticket = make_ticket(acme, connection=connection)
    began = datetime(2020, 1, 5, 12, 0, tzinfo=UTC)
    [pk] = take_keys(TrackingCycle, 1)
    insert_rows(
        [
            TrackingCycle(
                pk=pk,
                company=acme,
                ticket=ticket,
                contact=ticket.contact,
                queued_at=began,
                started_at=began,
                finished_at=began.replace(hour=13),
            )
        ]
    )
    assert TrackingCycle.objects.get(pk=pk).support_microseconds == 3_600_000_000
