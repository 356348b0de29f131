"""Contacts whose messages are ignored: nothing of them is stored (rules/contacts §14)."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.campaigns.models import OptOut
from apps.common.leases import LeaseState
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.connections.providers.inbound import (
    InboundCall,
    InboundIdentity,
    InboundMedia,
    InboundMessage,
)
from apps.contacts.models import Contact
from apps.contacts.services import (
    follow_identity,
    merge_by_hand,
    undo_merge,
)
from apps.inbound.services import process_due
from apps.inbound.tests.test_processing import message_event
from apps.tickets.models import Delivery, MediaFetch, Message, Ticket
from apps.tickets.services.messages.history import import_history
from apps.tickets.services.receiving.calls import receive_call
from apps.tickets.services.receiving.messages import receive_message
from apps.tickets.tests.test_receiving import GROUP, NUMBER, inbound
from conftest import ClientFor
from tests.factories import make_contact, make_message, make_ticket

pytestmark = pytest.mark.django_db


@pytest.fixture
def ignored(acme: Company) -> Contact:
    return make_contact(acme, name="Maria", number=NUMBER, canonical_number=NUMBER, is_ignored=True)


def receive(connection: Connection, **fields: Any) -> Message | None:
    with transaction.atomic():
        return receive_message(connection=connection, inbound=inbound(**fields))


def nothing_is_stored() -> bool:
    stored = (Message, Ticket, MediaFetch, Delivery)
    return not any(model._default_manager.exists() for model in stored)


def test_a_message_is_handled_and_leaves_nothing_behind(
    connection: Connection, ignored: Contact, emitted: list[Any]
) -> None:
    event = message_event(connection, "wamid.A", sender=NUMBER, body="Olá")
    other = message_event(connection, "wamid.B", sender="5511911112222", body="Oi")
    assert process_due(limit=10) == 2
    for each in (event, other):
        each.refresh_from_db()
        assert each.state == LeaseState.DONE
    assert Message.objects.get().body == "Oi"
    assert Ticket.objects.get().contact.number == "5511911112222"
    assert all(NUMBER not in str(payload) for _, payload in emitted)
    assert process_due(limit=10) == 0


@pytest.mark.usefixtures("ignored")
def test_neither_files_nor_history_nor_the_own_side_on_the_phone_are_kept(
    connection: Connection,
) -> None:
    picture = InboundMedia(media_id="1", mime="image/png", name="a.png")
    assert receive(connection, media_type="image", media=picture) is None
    assert receive(connection, from_me=True, body="Do celular") is None
    past = InboundMessage(
        external_id="wamid.past",
        sender=NUMBER,
        sender_name="Maria",
        media_type="conversation",
        body="Ontem",
        sent_at=timezone.now() - timedelta(days=1),
        is_history=True,
    )
    with transaction.atomic():
        assert import_history(connection=connection, messages=[past]) == 0
    assert nothing_is_stored()


@pytest.mark.usefixtures("ignored")
def test_a_call_is_neither_rejected_nor_answered(acme: Company, connection: Connection) -> None:
    CompanySetting.objects.create(company=acme, key="call", value="disabled")
    call = InboundCall(call_id="c", sender=NUMBER, sender_name="Maria", at=timezone.now())
    assert receive_call(connection=connection, call=call) is None
    assert nothing_is_stored()


def test_an_open_conversation_gets_no_more_messages_but_corrections(
    acme: Company, connection: Connection, agent: User, ignored: Contact
) -> None:
    ticket = make_ticket(acme, contact=ignored, connection=connection, status="open", user=agent)
    old = make_message(ticket, external_id="wamid.old", body="Um")
    assert receive(connection, external_id="wamid.new", body="Dois") is None
    assert receive(connection, external_id="wamid.edit", body="Três", edits="wamid.old") is None
    old.refresh_from_db()
    ticket.refresh_from_db()
    assert (old.body, old.is_edited, ticket.unread_count) == ("Três", True, 0)
    assert Message.objects.count() == 1


def test_in_a_group_only_the_group_can_be_ignored(
    acme: Company, connection: Connection, ignored: Contact
) -> None:
    CompanySetting.objects.create(company=acme, key="CheckMsgIsGroup", value="disabled")
    said = {"sender": GROUP, "is_group": True, "participant": NUMBER}
    message = receive(connection, external_id="wamid.1", **said)
    assert message is not None
    assert message.participant == ignored
    Contact.objects.filter(pk=message.contact_id).update(is_ignored=True)
    assert receive(connection, external_id="wamid.2", **said) is None


def test_an_opt_out_word_counts_all_the_same(
    acme: Company, connection: Connection, ignored: Contact
) -> None:
    assert receive(connection, body="Sair!") is None
    assert receive(connection, body="Não vou sair hoje") is None
    assert nothing_is_stored()
    assert OptOut.objects.get().canonical_number == ignored.canonical_number


def test_the_switch_is_audited_and_undone(
    client_for: ClientFor,
    agent: User,
    connection: Connection,
    emitted: list[Any],
    events: list[dict[str, Any]],
) -> None:
    client = client_for(agent)
    body = {"name": "Maria", "number": f"+{NUMBER}", "ignoreMessages": True}
    made = client.post("/api/contacts", body, format="json").json()
    assert made["ignoreMessages"] is True
    listed = client.get("/api/contacts/").json()["contacts"]
    assert [each["ignoreMessages"] for each in listed] == [True]
    assert receive(connection) is None
    path = f"/api/contacts/{made['id']}"
    # A form that does not know the field changes nothing.
    assert client.put(path, {"name": "Ana"}, format="json").json()["ignoreMessages"] is True
    heard = client.put(path, {"ignoreMessages": False}, format="json")
    assert (heard.status_code, heard.json()["ignoreMessages"]) == (200, False)
    assert events[-1]["payload"]["contact"]["ignoreMessages"] is False
    assert client.put(path, {"ignoreMessages": False}, format="json").status_code == 200
    message = receive(connection)
    assert message is not None
    told = emitted[-1][1]["ticket"]["contact"]
    assert (told["ignoreMessages"], message.contact_id) == (False, made["id"])
    audited = AuditEntry.objects.filter(action__startswith="contact.").order_by("id")
    assert list(audited.values_list("action", "actor_id", "object_id")) == [
        ("contact.ignored", agent.pk, str(made["id"])),
        ("contact.heard", agent.pk, str(made["id"])),
    ]
    assert audited[0].detail == {"name": "Maria", "number": NUMBER}


def test_who_is_found_to_be_an_ignored_person_stays_ignored(
    acme: Company, connection: Connection, ignored: Contact
) -> None:
    """One message carries the number and the LID of two contacts, of which one is ignored."""
    by_lid = make_contact(
        acme, name="?", number="77@lid", canonical_number="lid:77", lid="77", is_ignored=True
    )
    Contact.objects.filter(pk=ignored.pk).update(is_ignored=False)
    assert receive(connection, lid="77") is None
    kept = Contact.objects.get()
    assert (kept.pk, kept.lid, kept.is_ignored) == (ignored.pk, "77", True)
    assert by_lid.pk != kept.pk
    change = InboundIdentity(number=NUMBER, lid="", new_number="5511933334444", new_lid="")
    follow_identity(company_id=acme.pk, identity=change)
    assert receive(connection, sender="5511933334444") is None
    assert nothing_is_stored()


def test_a_merge_by_hand_keeps_the_switch_of_the_survivor_and_gives_the_other_back(
    acme: Company, admin: User, ignored: Contact
) -> None:
    keep = make_contact(acme, name="Ana")
    merge = merge_by_hand(contact_id=keep.pk, other_id=ignored.pk, actor=admin)
    keep.refresh_from_db()
    assert keep.is_ignored is False
    undo_merge(merge_id=merge.pk, actor=admin)
    ignored.refresh_from_db()
    keep.refresh_from_db()
    assert (ignored.is_ignored, keep.is_ignored) == (True, False)
