"""What the bot's texts cost, and that an admin stops and resumes them (rules/costs §7)."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.companies.models import Company, CompanySetting
from apps.companies.queries import setting_of
from apps.connections.models import Connection, ConnectionStatus
from apps.costs.models import StoppedText
from apps.costs.tests.test_ledger import allow, apply, price, sent, told
from apps.queues.models import Queue
from apps.tickets.models import Ticket
from apps.tickets.services.outbox import greet_accepted
from apps.tickets.services.tickets.ratings import tell_resolved
from apps.tickets.tests.bot import receive
from conftest import ClientFor
from tests.factories import make_connection, make_contact, make_queue, make_ticket

pytestmark = pytest.mark.django_db
PATH = "/api/costs/automatic-texts"
DAY = timedelta(days=1)


@pytest.fixture
def client(client_for: ClientFor, admin: User) -> Any:
    return client_for(admin)


@pytest.fixture
def ticket(acme: Company, connection: Connection, queue: Queue) -> Ticket:
    contact = make_contact(acme, name="Ana", number="5511984321100")
    return make_ticket(acme, contact=contact, connection=connection, queue=queue)


def deliver(ticket: Ticket, *origins: str, days_ago: int = 0, source: str = "bot") -> None:
    at = timezone.now() - days_ago * DAY
    assert ticket.connection is not None
    apply(
        ticket.connection,
        [told(sent(ticket, source=source, origin=each, created_at=at), at=at) for each in origins],
    )


def texts(client: Any) -> list[dict[str, Any]]:
    answer = client.get(PATH)
    assert answer.status_code == 200, answer.content
    shown: list[dict[str, Any]] = answer.json()["texts"]
    return shown


def stop(client: Any, origin: str, record_id: int | None = None) -> Any:
    return client.post(f"{PATH}/stop", {"origin": origin, "id": record_id}, format="json")


def resume(client: Any, origin: str, record_id: int | None = None) -> Any:
    return client.post(f"{PATH}/resume", {"origin": origin, "id": record_id}, format="json")


def since(days: int) -> Any:
    return timezone.localdate() - days * DAY


def test_the_dearest_text_comes_first_with_what_it_costs_in_a_month(
    client: Any, queue: Queue, connection: Connection, ticket: Ticket
) -> None:
    price("0.05", valid_from=since(60))
    allow(2, valid_from=since(100).replace(day=1))
    queue.greeting_message = "Olá, é das vendas."
    queue.save()
    connection.completion_message = "Até logo!"
    connection.save()
    greeting = f"greeting:{queue.pk}"
    deliver(ticket, "farewell", "farewell")
    deliver(ticket, *[greeting] * 3, "menu", *["farewell"] * 2)
    deliver(ticket, greeting, days_ago=31)
    deliver(ticket, "", source="agent")
    shown = texts(client)
    figures = [(each["origin"], each["id"], each["figures"]["messages"]) for each in shown]
    assert figures == [("greeting", queue.pk, 3), ("farewell", None, 4), ("menu", None, 1)]
    first, second, menu = shown
    assert first["figures"]["amounts"] == [{"currency": "BRL", "amount": "0.15"}]
    # Two of the farewells were free by the allowance.
    assert (second["figures"]["billable"], second["figures"]["free"]) == (2, 2)
    assert [each["state"] for each in shown] == ["sent", "sent", "fixed"]
    assert first["name"] == "Vendas"
    assert first["places"] == [
        {
            "kind": "queue",
            "id": queue.pk,
            "name": "Vendas",
            "text": "Olá, é das vendas.",
            "beginsMenu": False,
        }
    ]
    assert [(each["kind"], each["name"]) for each in second["places"]] == [("connection", "Loja")]
    assert menu["places"] == []


def test_what_has_no_price_is_counted(client: Any, ticket: Ticket, queue: Queue) -> None:
    deliver(ticket, "inactive", "inactive")
    [row] = texts(client)
    assert (row["figures"]["unpriced"], row["figures"]["amounts"]) == (2, [])
    assert (row["state"], row["places"]) == ("unset", [])


def test_a_stopped_greeting_is_sent_to_nobody_and_resumed_as_it_was(
    client: Any,
    admin: User,
    acme: Company,
    connection: Connection,
    queue: Queue,
    ticket: Ticket,
    events: list[dict[str, Any]],
    django_capture_on_commit_callbacks: Any,
) -> None:
    other = make_queue(acme, name="Outra", order=2)
    connection.greeting_message = "Bem-vindo!"
    connection.save()
    connection.queues.add(other)
    queue.greeting_message = "Olá, {{firstName}}!"
    queue.save()
    deliver(ticket, f"greeting:{queue.pk}")
    events.clear()
    with django_capture_on_commit_callbacks(execute=True):
        answer = stop(client, "greeting", queue.pk)
    assert answer.status_code == 200, answer.content
    row = answer.json()
    assert (row["state"], row["places"], row["name"]) == ("stopped", [], "Vendas")
    assert row["stoppedAt"]
    assert [each["event"] for each in events] == ["queue"]
    assert events[0]["payload"]["queue"]["greetingMessage"] == ""
    entry = AuditEntry.objects.get(action="costs.text_stopped")
    assert (entry.actor_id, entry.company_id) == (admin.pk, acme.pk)
    assert entry.detail == {
        "origin": f"greeting:{queue.pk}",
        "name": "Vendas",
        "places": [{"kind": "queue", "id": queue.pk}],
    }
    receive(connection, "Oi")
    assert receive(connection, "1") == []

    assert stop(client, "greeting", queue.pk).status_code == 404
    row = resume(client, "greeting", queue.pk).json()
    assert (row["state"], row["stoppedAt"]) == ("sent", None)
    queue.refresh_from_db()
    assert queue.greeting_message == "Olá, {{firstName}}!"
    assert AuditEntry.objects.filter(action="costs.text_resumed").exists()
    refused = resume(client, "greeting", queue.pk)
    assert (refused.status_code, refused.json()["code"]) == (404, "ERR_NO_AUTOMATIC_TEXT")


def test_a_greeting_that_begins_a_menu_says_so(client: Any, queue: Queue, ticket: Ticket) -> None:
    queue.greeting_message = "Olá!"
    queue.save()
    queue.options.create(title="Comprar", message="Ótimo!")
    deliver(ticket, f"greeting:{queue.pk}")
    assert texts(client)[0]["places"][0]["beginsMenu"] is True


def test_a_farewell_is_stopped_in_every_queue_and_official_number(
    client: Any, acme: Company, connection: Connection, queue: Queue, ticket: Ticket
) -> None:
    # A number that is down can be changed too, and nothing asks Meta about it.
    Connection.objects.filter(pk=connection.pk).update(
        completion_message="Tchau!", status=ConnectionStatus.DISCONNECTED, access_token=""
    )
    session = make_connection(
        acme, provider="beta", phone_number_id=None, completion_message="Adeus!"
    )
    Queue.objects.filter(pk=queue.pk).update(completion_message="Até logo!")
    silent = make_queue(acme, name="Sem despedida")
    assert stop(client, "farewell").status_code == 200
    for each in (connection, session, queue, silent):
        each.refresh_from_db()
    assert (connection.completion_message, queue.completion_message) == ("", "")
    # What costs nothing goes on.
    assert session.completion_message == "Adeus!"
    entry = AuditEntry.objects.get(action="connection.updated")
    assert entry.detail == {"fields": ["completion_message"], "verifies": False}
    ticket = Ticket.objects.get(pk=ticket.pk)
    tell_resolved(ticket=ticket, was_held=False)
    assert not ticket.messages.filter(origin="farewell").exists()
    # Somebody gave the queue another text meanwhile, which stays.
    Queue.objects.filter(pk=queue.pk).update(completion_message="Valeu!")
    assert resume(client, "farewell").status_code == 200
    for each in (connection, queue, silent):
        each.refresh_from_db()
    assert (connection.completion_message, queue.completion_message) == ("Tchau!", "Valeu!")
    assert silent.completion_message == ""


def test_a_text_that_was_stopped_in_two_steps_is_resumed_as_a_whole(
    client: Any, connection: Connection, queue: Queue
) -> None:
    Queue.objects.filter(pk=queue.pk).update(completion_message="Até logo!")
    stop(client, "farewell")
    Connection.objects.filter(pk=connection.pk).update(completion_message="Tchau!")
    stop(client, "farewell")
    resume(client, "farewell")
    connection.refresh_from_db()
    queue.refresh_from_db()
    assert (connection.completion_message, queue.completion_message) == ("Tchau!", "Até logo!")


@pytest.mark.parametrize(
    ("origin", "key"),
    [
        ("accepted", "sendGreetingAccepted"),
        ("transferred", "sendMsgTransfTicket"),
        ("rating", "userRating"),
        ("audio_alert", "alertReceivingAudio"),
    ],
)
def test_a_notice_is_stopped_by_its_setting(
    client: Any, acme: Company, agent: User, ticket: Ticket, origin: str, key: str
) -> None:
    assert stop(client, origin).status_code == 404
    CompanySetting.objects.create(company=acme, key=key, value="enabled")
    row = stop(client, origin).json()
    assert (row["state"], setting_of(acme.pk, key)) == ("stopped", "disabled")
    greet_accepted(ticket=ticket, user=agent)
    assert not ticket.messages.exists()
    # It is shown, to be resumed, although it was not delivered in these days.
    assert [(each["origin"], each["state"]) for each in texts(client)] == [(origin, "stopped")]
    assert resume(client, origin).json()["state"] == "sent"
    assert setting_of(acme.pk, key) == "enabled"
    assert texts(client) == []


def test_out_of_hours_texts_of_numbers_and_of_a_queue_are_two(
    client: Any, connection: Connection, queue: Queue
) -> None:
    Connection.objects.filter(pk=connection.pk).update(out_of_hours_message="Fechado.")
    Queue.objects.filter(pk=queue.pk).update(out_of_hours_message="Vendas fechou.")
    assert stop(client, "out_of_hours").status_code == 200
    connection.refresh_from_db()
    queue.refresh_from_db()
    assert (connection.out_of_hours_message, queue.out_of_hours_message) == ("", "Vendas fechou.")
    assert stop(client, "out_of_hours", queue.pk).status_code == 200
    queue.refresh_from_db()
    assert queue.out_of_hours_message == ""
    assert set(StoppedText.objects.values_list("origin", flat=True)) == {
        "out_of_hours",
        f"out_of_hours:{queue.pk}",
    }


@pytest.mark.parametrize("origin", ["menu", "queue", "option", "fallback", "call", "opt_out"])
def test_what_a_contact_needs_is_not_stopped(client: Any, queue: Queue, origin: str) -> None:
    refused = stop(client, origin, queue.pk)
    assert (refused.status_code, refused.json()["code"]) == (409, "ERR_AUTOMATIC_TEXT_NEEDED")
    assert not StoppedText.objects.exists()


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "origin"),
        ({"origin": "oi"}, "origin"),
        ({"origin": "greeting"}, "id"),
        ({"origin": "farewell", "id": 1}, "id"),
        ({"origin": "greeting", "id": "x"}, "id"),
        ({"origin": "greeting", "id": 2**70}, "id"),
    ],
)
def test_a_name_of_no_text_is_refused(client: Any, body: dict[str, Any], field: str) -> None:
    for verb in ("stop", "resume"):
        refused = client.post(f"{PATH}/{verb}", body, format="json")
        assert refused.status_code == 400
        assert list(refused.json()["fields"]) == [field]


def test_only_admins_and_only_their_company(
    client_for: ClientFor, agent: User, outsider: User, queue: Queue, ticket: Ticket, admin: User
) -> None:
    queue.greeting_message = "Olá!"
    queue.save()
    deliver(ticket, f"greeting:{queue.pk}")
    stranger, person = client_for(outsider), client_for(agent)
    assert texts(stranger) == []
    assert stop(stranger, "greeting", queue.pk).status_code == 404
    assert stop(stranger, "farewell").status_code == 404
    assert person.get(PATH).status_code == 403
    assert stop(person, "greeting", queue.pk).status_code == 403
    queue.refresh_from_db()
    assert queue.greeting_message == "Olá!"
    stop(client_for(admin), "greeting", queue.pk)
    assert resume(stranger, "greeting", queue.pk).status_code == 404
    assert resume(person, "greeting", queue.pk).status_code == 403
    queue.refresh_from_db()
    assert queue.greeting_message == ""


def test_the_list_takes_as_many_queries_for_many_texts(
    client: Any, acme: Company, ticket: Ticket, django_assert_max_num_queries: Any
) -> None:
    queues = [
        make_queue(acme, greeting_message="Olá!", out_of_hours_message="Fechado.")
        for _ in range(30)
    ]
    deliver(ticket, *(f"greeting:{each.pk}" for each in queues), "farewell", "rating")
    deliver(ticket, *(f"out_of_hours:{each.pk}" for each in queues), "menu")
    for each in queues[:5]:
        stop(client, "greeting", each.pk)
    with django_assert_max_num_queries(14):
        assert len(texts(client)) >= 50
