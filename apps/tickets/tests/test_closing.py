"""Resolving asks for a reason and for fields of the contact, where the company wants them."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.companies.models import Company, CompanySetting
from apps.tickets.models import Ticket, TicketActivity, TrackingCycle
from conftest import ClientFor


def ask(company: Company, **settings: str) -> None:
    for key, value in settings.items():
        CompanySetting.objects.create(company=company, key=key, value=value)


def resolve(client: Any, ticket: Ticket, **more: Any) -> Any:
    answer = client.put(f"/api/tickets/{ticket.pk}", {"status": "closed", **more})
    ticket.refresh_from_db()
    return answer


def test_without_a_list_nothing_is_asked_and_no_reason_is_taken(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    client = client_for(agent)
    refused = resolve(client, ticket, closingReason="Vendido")
    assert (refused.status_code, refused.json()["fieldCodes"]) == (
        400,
        {"closingReason": "invalid_choice"},
    )
    assert ticket.status == "open"
    assert resolve(client, ticket).status_code == 200


def test_a_reason_of_the_list_is_kept_with_the_cycle_and_its_line(
    client_for: ClientFor, acme: Company, agent: User, ticket: Ticket
) -> None:
    ask(acme, closingReasons="Vendido\nSem interesse")
    client = client_for(agent)
    refused = resolve(client, ticket)
    assert (refused.status_code, refused.json()["code"]) == (400, "ERR_CLOSING_REASON_REQUIRED")
    assert refused.json()["reasons"] == ["Vendido", "Sem interesse"]
    assert resolve(client, ticket, closingReason="Outro").status_code == 400
    assert (ticket.status, TicketActivity.objects.count()) == ("open", 0)
    assert resolve(client, ticket, closingReason=" Vendido ").status_code == 200
    assert TrackingCycle.objects.get().closing_reason == "Vendido"
    assert TicketActivity.objects.get().detail["closingReason"] == "Vendido"


def test_a_reason_belongs_to_a_resolution_alone(
    client_for: ClientFor, acme: Company, agent: User, ticket: Ticket
) -> None:
    ask(acme, closingReasons="Vendido")
    answer = client_for(agent).put(
        f"/api/tickets/{ticket.pk}", {"status": "pending", "closingReason": "Vendido"}
    )
    assert (answer.status_code, answer.json()["fieldCodes"]) == (400, {"closingReason": "unused"})
    assert not TicketActivity.objects.exists()


@pytest.mark.parametrize("name", ["email", "E-mail", "cpf", "CPF", "Endereço"])
def test_the_contact_must_have_the_fields(
    client_for: ClientFor, acme: Company, agent: User, ticket: Ticket, name: str
) -> None:
    ask(acme, closingFields=name)
    contact, client = ticket.contact, client_for(agent)
    contact.email = ""
    contact.save()
    contact.extra_info.create(name="CPF", value="  ")
    refused = resolve(client, ticket)
    assert (refused.status_code, refused.json()["code"]) == (400, "ERR_CONTACT_FIELDS_REQUIRED")
    assert refused.json()["missing"] == [name]
    assert ticket.status == "open"
    contact.email = "lia@example.com"
    contact.save()
    contact.extra_info.create(name="cpf", value="529.982.247-25")
    contact.extra_info.create(name="endereco", value="Rua A, 1")
    assert resolve(client, ticket).status_code == 200


def test_another_company_asks_for_nothing_here(
    client_for: ClientFor, globex: Company, agent: User, ticket: Ticket
) -> None:
    ask(globex, closingReasons="Vendido", closingFields="CPF")
    assert resolve(client_for(agent), ticket).status_code == 200


def test_a_group_has_no_fields_to_fill_in(
    client_for: ClientFor, acme: Company, agent: User, ticket: Ticket
) -> None:
    ask(acme, closingFields="CPF")
    Ticket.objects.update(is_group=True)
    assert resolve(client_for(agent), ticket).status_code == 200
