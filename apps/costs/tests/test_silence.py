"""Numbers that Meta lets send and does not deliver for."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.common.reasons import Reason, ReasonCode
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundStatus
from apps.connections.services import dismiss_alerts, pause_sends
from apps.costs.tasks import look_at_numbers
from apps.costs.tests.test_ledger import apply, told
from apps.tickets.models import Ack, Message, Ticket
from tests.factories import make_message, make_ticket

pytestmark = pytest.mark.django_db(transaction=True)
LONG_AGO = timedelta(minutes=40)


@pytest.fixture
def ticket(acme: Company, connection: Connection) -> Ticket:
    return make_ticket(acme, connection=connection, status="open")


def accepted(ticket: Ticket, count: int, ago: timedelta = LONG_AGO, **fields: Any) -> list[Message]:
    at = timezone.now() - ago
    fields = {"from_me": True, "ack": Ack.SERVER, "source": "agent", "created_at": at, **fields}
    made = [make_message(ticket, **fields) for _ in range(count)]
    Message.objects.filter(pk__in=[each.pk for each in made]).update(updated_at=at)
    return made


def alerts(connection: Connection) -> list[str]:
    connection.refresh_from_db()
    return [each["kind"] for each in connection.alerts or []]


def delivered(connection: Connection, message: Message) -> None:
    connection.refresh_from_db()
    apply(connection, [told(message, at=timezone.now())])


def test_twenty_accepted_and_none_delivered_are_told_once_until_one_arrives(
    connection: Connection, ticket: Ticket, listeners: Any
) -> None:
    messages = accepted(ticket, 19)
    look_at_numbers()
    assert alerts(connection) == []
    messages += accepted(ticket, 1)
    look_at_numbers()
    assert alerts(connection) == ["NOT_DELIVERED"]
    [alert] = connection.alerts or []
    assert (alert["severity"], alert["until"]) == ("critical", None)
    look_at_numbers()
    assert connection.alerts == [alert] and alerts(connection) == ["NOT_DELIVERED"]
    delivered(connection, messages[3])
    assert alerts(connection) == []
    look_at_numbers()
    assert alerts(connection) == []


@pytest.mark.parametrize("ago", [timedelta(minutes=5), timedelta(days=2)])
def test_young_and_very_old_sends_prove_nothing(
    connection: Connection, ticket: Ticket, ago: timedelta
) -> None:
    accepted(ticket, 30, ago)
    look_at_numbers()
    assert alerts(connection) == []


def test_one_delivery_among_them_is_enough_and_failures_do_not_interrupt(
    connection: Connection, ticket: Ticket
) -> None:
    accepted(ticket, 10)
    accepted(ticket, 1, ack=Ack.ERROR)
    [arrived] = accepted(ticket, 1, ack=Ack.READ)
    accepted(ticket, 10)
    look_at_numbers()
    assert alerts(connection) == []
    Message.objects.filter(pk=arrived.pk).delete()
    look_at_numbers()
    assert alerts(connection) == ["NOT_DELIVERED"]


def test_what_waited_long_and_was_accepted_just_now_is_young(
    connection: Connection, ticket: Ticket
) -> None:
    accepted(ticket, 20)
    Message.objects.update(updated_at=timezone.now())
    look_at_numbers()
    assert alerts(connection) == []


def test_a_dismissed_one_comes_back_with_the_next_send(
    connection: Connection, ticket: Ticket, admin: User
) -> None:
    accepted(ticket, 20)
    look_at_numbers()
    dismiss_alerts(actor=admin, connection=connection)
    look_at_numbers()
    assert alerts(connection) == []
    accepted(ticket, 1, timedelta(minutes=31))
    Message.objects.filter(pk=Message.objects.latest("pk").pk).update(
        updated_at=timezone.now() - timedelta(minutes=30, seconds=1)
    )
    # As if the dismissal had been before that send.
    from apps.audit.models import AuditEntry

    AuditEntry.objects.update(created_at=timezone.now() - timedelta(hours=1))
    look_at_numbers()
    assert alerts(connection) == ["NOT_DELIVERED"]


def test_a_refusal_for_lack_of_payment_is_told_until_a_delivery(
    connection: Connection, ticket: Ticket
) -> None:
    first, second = accepted(ticket, 2)
    refused = InboundStatus(
        first.external_id or "", -1, code="131042", reason=Reason(ReasonCode.PAYMENT)
    )
    apply(connection, [refused])
    assert alerts(connection) == ["PAYMENT_MISSING"]
    # What was delivered before says nothing about now.
    connection.refresh_from_db()
    apply(connection, [told(second, at=timezone.now() - timedelta(minutes=30))])
    assert alerts(connection) == ["PAYMENT_MISSING"]
    delivered(connection, second)
    assert alerts(connection) == []


def test_the_answer_to_a_send_may_say_it_too(connection: Connection) -> None:
    until = timezone.now() + timedelta(hours=1)
    for _ in range(2):
        pause_sends(connection, until, "Pendência.", Reason(ReasonCode.PAYMENT))
    assert alerts(connection) == ["PAYMENT_MISSING"]


def test_another_numbers_sends_are_not_its_own(
    acme: Company, connection: Connection, ticket: Ticket
) -> None:
    accepted(ticket, 20, source="phone")
    accepted(ticket, 20, source="other")
    look_at_numbers()
    assert alerts(connection) == []
