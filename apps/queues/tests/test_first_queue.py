"""The only queue of a company: its maker attends it, and the only number leads to it."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.companies.models import Company
from apps.connections import services as connections
from apps.connections.models import Connection
from conftest import ClientFor
from tests.factories import make_connection, make_queue, make_user

pytestmark = pytest.mark.django_db
NEW = {"name": "Vendas", "color": "#112233", "orderQueue": 1}


def make(client: Any, **fields: Any) -> dict[str, Any]:
    answer = client.post("/api/queue", {**NEW, **fields}, format="json")
    assert answer.status_code == 201, answer.content
    return dict(answer.json())


def make_number(admin: User, **values: Any) -> Connection:
    """Add a QR connection as the form or Meta's window does."""
    made: Any = {"name": "Loja", "provider": "beta", **values}
    return connections.create_connection(actor=admin, values=made)


def queues_of(connection: Connection) -> list[int]:
    return list(connection.queues.values_list("pk", flat=True))


def test_the_first_queue_gets_its_maker_and_the_only_number(
    client_for: ClientFor, admin: User, globex: Company, events: list[dict[str, Any]]
) -> None:
    colleague = make_user(admin.company)
    number, foreign = make_connection(admin.company), make_connection(globex)
    events.clear()
    queue = make(client_for(admin))
    assert (queue["hasConnection"], queue["hasAttendants"]) == (True, True)
    assert queues_of(number) == [queue["id"]]
    assert [each.pk for each in admin.queues.all()] == [queue["id"]]
    assert not colleague.queues.exists()
    assert not foreign.queues.exists()
    # Each screen hears what changed; the queue last, as it is reached by then.
    names = [event["event"] for event in events]
    assert names == ["user", "recheck_user", "whatsapp", "queue"]
    told = events[-1]["payload"]["queue"]
    assert (told["hasConnection"], told["hasAttendants"]) == (True, True)
    entry = AuditEntry.objects.get(action="connection.updated")
    assert (entry.actor_id, entry.detail["fields"]) == (admin.pk, ["queue_ids"])


def test_a_number_that_comes_after_the_queue_leads_to_it(
    client_for: ClientFor, admin: User
) -> None:
    queue = make(client_for(admin))
    assert (queue["hasConnection"], queue["hasAttendants"]) == (False, True)
    assert queues_of(make_number(admin)) == [queue["id"]]
    # Who makes the second one chooses.
    assert queues_of(make_number(admin, name="Outra")) == []


def test_a_number_whose_maker_chose_no_queue_gets_none(admin: User) -> None:
    make_queue(admin.company)
    assert queues_of(make_number(admin, queue_ids=[])) == []


def test_a_first_number_among_several_queues_gets_none(admin: User) -> None:
    make_queue(admin.company)
    make_queue(admin.company)
    assert queues_of(make_number(admin)) == []


def test_a_second_queue_gets_nobody_and_no_number(client_for: ClientFor, admin: User) -> None:
    number = make_connection(admin.company)
    first = make(client_for(admin))
    second = make(client_for(admin), name="Suporte", color="#223344")
    assert (second["hasConnection"], second["hasAttendants"]) == (False, False)
    assert queues_of(number) == [first["id"]]
    assert [each.pk for each in admin.queues.all()] == [first["id"]]


def test_the_first_of_two_numbers_is_not_guessed(client_for: ClientFor, admin: User) -> None:
    numbers = [make_connection(admin.company), make_connection(admin.company)]
    queue = make(client_for(admin))
    assert (queue["hasConnection"], queue["hasAttendants"]) == (False, True)
    assert [queues_of(number) for number in numbers] == [[], []]


def test_a_number_that_a_flow_answers_keeps_answering_by_it(
    client_for: ClientFor, admin: User
) -> None:
    flow: Any = admin.company.integrations.create(name="Fluxo", type="webhook")
    number = make_connection(admin.company, integration=flow)
    assert make(client_for(admin))["hasConnection"] is False
    assert queues_of(number) == []
