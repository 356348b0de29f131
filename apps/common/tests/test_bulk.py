from datetime import UTC, datetime
from typing import Any

from apps.common.bulk import update_rows
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.tickets.models import Ticket
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
