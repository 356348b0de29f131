"""The contact behind an inbound message (rules/contacts §3)."""

import threading
from typing import Any

import pytest
from django.db import connections

from apps.companies.models import Company
from apps.connections.models import Connection
from apps.contacts.models import Contact
from apps.contacts.services import Sender, upsert_contact, upsert_contacts
from apps.tickets.models import Ticket
from tests.factories import make_contact, make_message, make_ticket


@pytest.mark.django_db
def test_the_name_is_the_push_name_or_the_number_and_stays(acme: Company) -> None:
    named = upsert_contact(company_id=acme.pk, number="5511987654321", name=" Maria \x00")
    assert named.name == "Maria"
    again = upsert_contact(company_id=acme.pk, number="551187654321", name="Outra")
    assert (again.pk, again.name) == (named.pk, "Maria")
    nameless = upsert_contact(company_id=acme.pk, number="12125550100")
    assert nameless.name == "12125550100"
    assert len(upsert_contact(company_id=acme.pk, number="12125550101", name="x" * 90).name) == 50


@pytest.mark.django_db
def test_a_known_contact_costs_one_query(acme: Company, django_assert_num_queries: Any) -> None:
    upsert_contact(company_id=acme.pk, number="5511987654321")
    with django_assert_num_queries(1):
        upsert_contact(company_id=acme.pk, number="5511987654321")


@pytest.mark.django_db
def test_a_new_contact_remembers_its_connection_and_is_told(
    acme: Company, connection: Connection, events: list[dict[str, Any]]
) -> None:
    contact = upsert_contact(
        company_id=acme.pk, number="5511987654321", name="Zé", connection_id=connection.pk
    )
    (event,) = events
    assert event["payload"]["contact"]["whatsapp"] == {"id": connection.pk, "name": "Loja"}
    assert contact.search_text == "ze 5511987654321"


@pytest.mark.django_db
def test_a_group_is_a_contact_of_its_own(acme: Company) -> None:
    group = upsert_contact(
        company_id=acme.pk, number="5511987654321-1419876543", name="Família", is_group=True
    )
    person = upsert_contact(company_id=acme.pk, number="5511987654321")
    assert group.is_group
    assert group.pk != person.pk


@pytest.mark.django_db
def test_a_lid_and_a_number_become_one_contact_once_both_are_known(acme: Company) -> None:
    by_lid = upsert_contact(company_id=acme.pk, number="", lid="99887766554433", name="Ana")
    assert by_lid.canonical_number == "lid:99887766554433"
    same = upsert_contact(company_id=acme.pk, number="", lid="99887766554433@lid")
    assert same.pk == by_lid.pk
    known = upsert_contact(company_id=acme.pk, number="551187654321", lid="99887766554433")
    assert (known.pk, known.number, known.name) == (by_lid.pk, "551187654321", "Ana")
    assert known.canonical_number == "5511987654321"
    assert upsert_contact(company_id=acme.pk, number="", lid="99887766554433").pk == by_lid.pk


@pytest.mark.django_db
def test_two_rows_of_one_person_are_merged_with_their_conversations(
    acme: Company, connection: Connection
) -> None:
    by_number = upsert_contact(company_id=acme.pk, number="5511987654321", name="Ana")
    by_lid = upsert_contact(company_id=acme.pk, number="", lid="99887766554433")
    by_lid.extra_info.create(name="CPF", value="1")
    closed = make_ticket(acme, contact=by_number, connection=connection, status="closed")
    live = make_ticket(acme, contact=by_lid, connection=connection)
    message = make_message(live)
    merged = upsert_contact(company_id=acme.pk, number="5511987654321", lid="99887766554433")
    assert (merged.pk, merged.lid, merged.name) == (by_number.pk, "99887766554433", "Ana")
    assert not Contact.objects.filter(pk=by_lid.pk).exists()
    assert set(Ticket.objects.values_list("pk", "contact")) == {
        (closed.pk, merged.pk),
        (live.pk, merged.pk),
    }
    message.refresh_from_db()
    assert message.contact_id == merged.pk
    assert merged.extra_info.count() == 1


@pytest.mark.django_db
def test_another_companys_contact_is_never_taken(acme: Company, globex: Company) -> None:
    foreign = make_contact(globex, number="5511987654321", lid="99887766554433")
    own = upsert_contact(company_id=acme.pk, number="5511987654321", lid="99887766554433")
    assert own.pk != foreign.pk
    assert own.company_id == acme.pk


@pytest.mark.django_db
def test_many_senders_get_their_contacts_in_their_order(
    acme: Company, globex: Company, events: list[dict[str, Any]]
) -> None:
    known = upsert_contact(company_id=acme.pk, number="5511987654321", name="Ana")
    events.clear()
    found = upsert_contacts(
        [
            Sender(acme.pk, "5511900000002", "Bia"),
            Sender(acme.pk, "551187654321", "Outra"),
            Sender(acme.pk, "5511900000002", "Bia de novo"),
            Sender(globex.pk, "5511900000002", "Caio"),
        ]
    )
    assert [contact.name for contact in found] == ["Bia", "Ana", "Bia", "Caio"]
    assert found[1] == known
    assert found[0] is found[2]
    assert [contact.company_id for contact in found] == [acme.pk] * 3 + [globex.pk]
    assert [event["payload"]["action"] for event in events] == ["update", "create", "create"]
    known.refresh_from_db()
    assert known.number == "551187654321"
    assert Contact.objects.get(pk=found[3].pk).search_text == "caio 5511900000002"


@pytest.mark.django_db
def test_senders_of_one_batch_that_are_one_person_are_one_contact(acme: Company) -> None:
    lid = "99887766554433"
    found = upsert_contacts(
        [
            Sender(acme.pk, "", "Ana", lid=lid),
            Sender(acme.pk, "5511987654321", "Ana", lid=lid),
            Sender(acme.pk, "5511987654321", "Ana"),
        ]
    )
    assert len({contact.pk for contact in found}) == 1
    contact = Contact.objects.get()
    assert (contact.number, contact.lid) == ("5511987654321", lid)
    assert contact.search_text == f"ana 5511987654321 {lid}"


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_workers_that_meet_a_new_contact_at_once_get_the_same_row(acme: Company) -> None:
    start = threading.Barrier(6)
    found: list[int] = []

    def meet() -> None:
        start.wait()
        found.append(upsert_contact(company_id=acme.pk, number="5511987654321").pk)
        connections.close_all()

    threads = [threading.Thread(target=meet) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    assert len(set(found)) == 1


@pytest.mark.django_db
def test_what_a_program_types_changes_no_name_that_whatsapp_told(
    acme: Company, events: list[dict[str, Any]]
) -> None:
    upsert_contact(company_id=acme.pk, number="551187654321")
    events.clear()
    typed = upsert_contact(company_id=acme.pk, number="5511987654321", is_typed=True)
    assert typed.number == "551187654321"
    assert events == []


@pytest.mark.django_db
def test_a_user_id_that_is_learnt_is_told(acme: Company, events: list[dict[str, Any]]) -> None:
    upsert_contact(company_id=acme.pk, number="5511987654321")
    events.clear()
    upsert_contact(company_id=acme.pk, number="5511987654321", lid="BR.1")
    assert [event["payload"]["contact"]["userId"] for event in events] == ["BR.1"]


NUMBER, USER_ID = "5511987654321", "BR.1349"


@pytest.mark.django_db
@pytest.mark.parametrize("known", ["number", "user id", "both", "none"])
def test_two_rows_of_one_person_in_a_batch_are_one_contact(acme: Company, known: str) -> None:
    """Each part of a batch is one that may have been stored before, or not."""
    if known in {"number", "both"}:
        upsert_contact(company_id=acme.pk, number=NUMBER, name="Ana")
    if known in {"user id", "both"}:
        upsert_contact(company_id=acme.pk, number="", lid=USER_ID, name="Ana")
    found = upsert_contacts(
        [
            Sender(acme.pk, "", "Ana", lid=USER_ID),
            Sender(acme.pk, NUMBER, "Ana"),
            Sender(acme.pk, NUMBER, "Ana", lid=USER_ID),
            Sender(acme.pk, "", "Ana", lid=USER_ID),
            Sender(acme.pk, "5511900000002", "Bia"),
        ]
    )
    contact = Contact.objects.get(name="Ana")
    assert [each.pk for each in found[:4]] == [contact.pk] * 4
    assert (contact.number, contact.canonical_number, contact.user_id) == (NUMBER, NUMBER, USER_ID)
    assert Contact.objects.count() == 2
