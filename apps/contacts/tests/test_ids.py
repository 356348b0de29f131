"""WhatsApp's LID and Meta's user id of one person, side by side (rules/contacts §2, §3)."""

import pytest

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.providers.inbound import InboundIdentity
from apps.contacts.models import Contact
from apps.contacts.numbers import id_field
from apps.contacts.services import (
    Sender,
    follow_identity,
    join_identities,
    merge_by_hand,
    undo_merge,
    upsert_contact,
    upsert_contacts,
)
from apps.tickets.models import Delivery
from apps.tickets.services.outbox.content import send_context
from conftest import ClientFor
from tests.factories import make_connection, make_contact, make_message, make_ticket

pytestmark = pytest.mark.django_db
NUMBER, NEW = "5511987654321", "5511987654322"


def ids_of(contact: Contact) -> tuple[str, str | None, str | None]:
    contact.refresh_from_db()
    return contact.canonical_number, contact.lid, contact.user_id


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("BR.13491208655302741918", "user_id"),
        ("US.ENT.11815799212886844830", "user_id"),
        ("BR.7aB", "user_id"),
        ("99887766554433", "lid"),
        ("br.7", "lid"),
        ("BR.", "lid"),
        ("BR.7\n", "lid"),
        ("", "lid"),
    ],
)
def test_a_user_id_is_told_by_its_form(text: str, field: str) -> None:
    assert id_field(text) == field


def test_whoever_writes_to_both_kinds_of_number_is_known_by_each_name(acme: Company) -> None:
    contact = upsert_contact(company_id=acme.pk, number=NUMBER, lid="BR.1", name="Ana")
    upsert_contact(company_id=acme.pk, number=NUMBER, lid="777@lid")
    assert ids_of(contact) == (NUMBER, "777", "BR.1")
    for name in ("BR.1", "777"):
        assert upsert_contact(company_id=acme.pk, number="", lid=name) == contact
    assert Contact.objects.count() == 1
    assert contact.search_text == f"ana {NUMBER} br.1 777"


def test_two_that_are_one_keep_both_names(acme: Company) -> None:
    contact = upsert_contact(company_id=acme.pk, number=NUMBER, lid="777")
    upsert_contact(company_id=acme.pk, number="", lid="BR.1")
    join_identities(company_id=acme.pk, number=NUMBER, lid="BR.1")
    assert ids_of(contact) == (NUMBER, "777", "BR.1")
    upsert_contact(company_id=acme.pk, number="", lid="888")
    upsert_contact(company_id=acme.pk, number=NUMBER, lid="888")
    # What is told last is what they are called.
    assert ids_of(contact) == (NUMBER, "888", "BR.1")
    assert Contact.objects.count() == 1


def test_of_two_user_ids_the_last_is_kept(acme: Company) -> None:
    contact = upsert_contact(company_id=acme.pk, number=NUMBER, lid="BR.1")
    upsert_contact(company_id=acme.pk, number=NUMBER, lid="BR.2")
    assert ids_of(contact) == (NUMBER, None, "BR.2")


def test_each_name_is_one_persons_in_a_company(acme: Company, globex: Company) -> None:
    senders = [Sender(company.pk, "", lid=lid) for company in (acme, globex) for lid in ("7", "A")]
    senders += [Sender(company.pk, "", lid="BR.7") for company in (acme, globex)]
    assert len({contact.pk for contact in upsert_contacts(senders)}) == 6
    assert len({contact.pk for contact in upsert_contacts(senders)}) == 6


def test_who_was_written_to_without_a_number_is_found_when_it_is_known(acme: Company) -> None:
    contact = upsert_contact(company_id=acme.pk, number="", lid="BR.1")
    typed = contact.number
    upsert_contact(company_id=acme.pk, number=NUMBER, lid="BR.1")
    assert upsert_contact(company_id=acme.pk, number=typed, is_typed=True) == contact
    assert ids_of(contact) == (NUMBER, None, "BR.1")


def test_a_new_number_leaves_the_lid(acme: Company) -> None:
    contact = make_contact(acme, number=NUMBER, lid="777", user_id="BR.1")
    follow_identity(company_id=acme.pk, identity=InboundIdentity(NUMBER, "", NEW, ""))
    assert ids_of(contact) == (NEW, "777", None)
    follow_identity(company_id=acme.pk, identity=InboundIdentity(NEW, "", NUMBER, "BR.2"))
    assert ids_of(contact) == (NUMBER, "777", "BR.2")


def test_a_new_user_id_does_not_rename_who_is_known_by_the_lid(acme: Company) -> None:
    contact = make_contact(
        acme, number="777@lid", canonical_number="lid:777", lid="777", user_id="BR.1"
    )
    follow_identity(company_id=acme.pk, identity=InboundIdentity("", "BR.1", "", "BR.2"))
    assert ids_of(contact) == ("lid:777", "777", "BR.2")
    assert contact.number == "777@lid"


@pytest.mark.parametrize(
    ("provider", "number", "to"),
    [
        ("official", "777@lid", "BR.1@lid"),
        ("beta", "777@lid", "777@lid"),
        ("official", "BR.1@lid", "BR.1@lid"),
        ("beta", "BR.1@lid", "777@lid"),
        ("official", NUMBER, NUMBER),
        ("beta", NUMBER, NUMBER),
    ],
)
def test_each_provider_is_given_its_own_name(
    acme: Company, provider: str, number: str, to: str
) -> None:
    connection = make_connection(acme, provider=provider)
    key = number if number == NUMBER else f"lid:{number.removesuffix('@lid')}"
    contact = make_contact(acme, number=number, canonical_number=key, lid="777", user_id="BR.1")
    ticket = make_ticket(acme, contact=contact, connection=connection)
    quoted = make_message(ticket, external_id="wamid.1")
    message = make_message(ticket, from_me=True, quoted=quoted)
    delivery = Delivery(company=acme, connection=connection, contact=contact, message=message)
    context = send_context(delivery)
    assert context.quoted is not None
    assert (context.to, context.quoted.chat) == (to, to)


def test_the_user_id_is_shown_and_else_the_lid(
    acme: Company, admin: User, client_for: ClientFor
) -> None:
    client = client_for(admin)
    make_contact(acme, name="Ana", number=NUMBER, lid="777", user_id="BR.1")
    make_contact(acme, name="Bia", number=NEW, lid="888")
    rows = client.get("/api/contacts").json()["contacts"]
    assert [row["userId"] for row in rows] == ["BR.1", "888"]
    shown = [client.get(f"/api/contacts/{row['id']}").json()["userId"] for row in rows]
    assert shown == ["BR.1", "888"]
    exported = client.get("/api/contacts/export").getvalue().decode()
    assert [line.rpartition(";")[2] for line in exported.split()] == ["userId", '"BR.1"', '"888"']
    for text in ("777", "br.1"):
        [found] = client.get("/api/contacts", {"searchParam": text}).json()["contacts"]
        assert found["name"] == "Ana"


def test_a_merge_by_hand_fills_both_and_gives_both_back(acme: Company, admin: User) -> None:
    keep = make_contact(acme, number=NUMBER, lid="777")
    gone = make_contact(acme, number=NEW, lid="888", user_id="BR.1")
    merge = merge_by_hand(contact_id=keep.pk, other_id=gone.pk, actor=admin)
    assert ids_of(keep) == (NUMBER, "777", "BR.1")
    undo_merge(merge_id=merge.pk, actor=admin)
    assert ids_of(keep) == (NUMBER, "777", None)
    assert ids_of(gone) == (NEW, "888", "BR.1")


def test_who_came_by_either_name_since_is_the_one_that_is_there_again(
    acme: Company, admin: User
) -> None:
    keep = make_contact(acme, number=NUMBER, lid="777", user_id="BR.1")
    gone = make_contact(acme, number=NEW, lid="888", user_id="BR.2")
    merge = merge_by_hand(contact_id=keep.pk, other_id=gone.pk, actor=admin)
    came = [upsert_contact(company_id=acme.pk, number="", lid=lid) for lid in ("888", "BR.2")]
    assert len({each.pk for each in came}) == 2
    undo_merge(merge_id=merge.pk, actor=admin)
    assert ids_of(gone) == (NEW, "888", "BR.2")
    assert set(Contact.objects.values_list("pk", flat=True)) == {keep.pk, gone.pk}
