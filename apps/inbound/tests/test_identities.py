"""Who changes the number or the user id at WhatsApp, as Meta's `system` messages tell."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundIdentity, InboundStatus
from apps.connections.providers.official.webhook import notices, parse_notice
from apps.contacts.models import Contact
from apps.contacts.services import Sender, upsert_contact, upsert_contacts
from apps.inbound.models import InboundEvent
from apps.inbound.services import process_due
from apps.tickets.models import Message, Ticket, TicketActivity, TicketStatus
from apps.tickets.services.outbox import statuses
from conftest import ClientFor
from tests.factories import make_connection, make_contact, make_message, make_ticket

OLD, NEW = "5511900000001", "5511900000002"
Told = Callable[..., InboundEvent]


def notification(system: dict[str, Any], *, sender: dict[str, str]) -> dict[str, Any]:
    message = {
        **sender,
        "id": f"wamid.{system}",
        "timestamp": "1767614400",
        "type": "system",
        "system": {"body": "User Ana changed", **system},
    }
    metadata = {"phone_number_id": "100000000000009"}
    value = {"messaging_product": "whatsapp", "metadata": metadata, "messages": [message]}
    return {"entry": [{"id": "2", "changes": [{"field": "messages", "value": value}]}]}


@pytest.fixture
def connection(acme: Company) -> Connection:
    return make_connection(acme)


@pytest.fixture
def told(connection: Connection) -> Told:
    """Have Meta say it of whoever had the old number, and handle it."""

    def tell(kind: str, **system: str) -> InboundEvent:
        sender = {} if kind == "user_changed_user_id" else {"from": OLD}
        body = notification({"type": kind, **system}, sender=sender)
        ((_, notice),) = notices(body)
        event = InboundEvent.objects.create(
            connection=connection,
            event_id=notice.event_id,
            kind=notice.kind,
            partition=notice.partition,
            payload=notice.payload,
        )
        assert process_due(limit=10) == 1
        event.refresh_from_db()
        assert event.state == "done", event.last_error
        return event

    return tell


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        (
            {"type": "user_changed_number", "wa_id": NEW},
            InboundIdentity(OLD, "", NEW, ""),
        ),
        (
            {
                "type": "user_changed_number",
                "wa_id": NEW,
                "user_id": "BR.2",
                "previous_user_id": "BR.1",
            },
            InboundIdentity(OLD, "BR.1", NEW, "BR.2"),
        ),
        (
            {"type": "customer_changed_number", "new_wa_id": NEW, "customer": OLD},
            InboundIdentity(OLD, "", NEW, ""),
        ),
        ({"type": "user_changed_number"}, None),
        ({"type": "customer_identity_changed", "identity": "x", "customer": OLD}, None),
        ({"type": "user_identity_changed", "user": OLD}, None),
        ({"type": {}}, None),
    ],
)
def test_metas_words_about_a_person(system: dict[str, Any], expected: Any) -> None:
    ((_, notice),) = notices(notification(system, sender={"from": OLD}))
    assert notice.partition == system.get("previous_user_id", OLD)
    assert parse_notice(notice.kind, notice.payload) == expected


def test_a_new_user_id_stands_in_the_order_of_the_old_one() -> None:
    system = {"type": "user_changed_user_id", "previous_user_id": "BR.1", "user_id": "BR.2"}
    ((_, notice),) = notices(notification(system, sender={}))
    assert notice.partition == "BR.1"
    expected = InboundIdentity("", "BR.1", "", "BR.2")
    assert parse_notice(notice.kind, notice.payload) == expected


@pytest.mark.django_db
def test_a_changed_identity_makes_no_message_and_no_ticket(told: Told) -> None:
    told("user_identity_changed", user=OLD)
    assert not Message.objects.exists()
    assert not Ticket.objects.exists()
    assert not Contact.objects.exists()


@pytest.mark.django_db
def test_who_changes_the_number_stays_the_same_contact(
    acme: Company, connection: Connection, told: Told, events: list[dict[str, Any]]
) -> None:
    contact = make_contact(acme, name="Ana", number=OLD, user_id="BR.1")
    ticket = make_ticket(acme, contact=contact, connection=connection)
    message = make_message(ticket)
    event = told("user_changed_number", wa_id=NEW, user_id="BR.2", previous_user_id="BR.1")
    contact.refresh_from_db()
    message.refresh_from_db()
    assert (contact.name, contact.number, contact.canonical_number) == ("Ana", NEW, NEW)
    assert (contact.user_id, message.contact_id) == ("BR.2", contact.pk)
    assert NEW in contact.search_text
    assert Message.objects.get() == message
    activity = TicketActivity.objects.get(ticket=ticket)
    assert (activity.kind, activity.detail) == ("renumbered", {"number": NEW})
    (update,) = [each["payload"] for each in events if each["event"] == "ticket"]
    assert (update["ticket"]["contact"]["number"], update["event"]["number"]) == (NEW, NEW)
    assert [each["payload"]["contact"]["number"] for each in events if each["event"] == "contact"]
    # Told once more, it changes nothing.
    InboundEvent.objects.filter(pk=event.pk).update(state="waiting")
    process_due(limit=10)
    assert TicketActivity.objects.count() == 1


@pytest.mark.django_db
def test_who_is_known_by_the_new_number_already_becomes_one_with_the_old(
    acme: Company, connection: Connection, told: Told
) -> None:
    before = make_contact(acme, name="Ana", number=OLD, user_id="BR.1")
    after = make_contact(
        acme, name="5511900000002", number=NEW, user_id="BR.2", email="ana@loja.com"
    )
    old = make_ticket(acme, contact=before, connection=connection, status=TicketStatus.CLOSED)
    new = make_ticket(acme, contact=after, connection=connection)
    told("user_changed_number", wa_id=NEW, user_id="BR.2")
    contact = Contact.objects.get()
    assert (contact.pk, contact.name, contact.number) == (before.pk, "Ana", NEW)
    assert (contact.user_id, contact.email) == ("BR.2", "ana@loja.com")
    assert set(contact.tickets.values_list("pk", flat=True)) == {old.pk, new.pk}


@pytest.mark.django_db
def test_a_new_number_without_a_user_id_ends_the_old_one(acme: Company, told: Told) -> None:
    contact = make_contact(acme, number=OLD, user_id="BR.1")
    told("user_changed_number", wa_id=NEW)
    contact.refresh_from_db()
    assert (contact.number, contact.user_id) == (NEW, None)


@pytest.mark.django_db
@pytest.mark.parametrize("number", [OLD, ""])
def test_a_new_user_id_alone_is_taken_over(acme: Company, told: Told, number: str) -> None:
    if number:
        contact = make_contact(acme, number=OLD, user_id="BR.1")
    else:
        contact = make_contact(acme, number="BR.1@lid", canonical_number="lid:BR.1", user_id="BR.1")
    told("user_changed_user_id", previous_user_id="BR.1", user_id="BR.2")
    contact.refresh_from_db()
    assert (contact.number, contact.user_id) == (number or "BR.2@lid", "BR.2")
    assert contact.canonical_number == (number or "lid:BR.2")
    assert not TicketActivity.objects.exists()


@pytest.mark.django_db
def test_nobody_known_is_nobody_made_and_another_companys_stay(
    acme: Company, globex: Company, told: Told
) -> None:
    foreign = make_contact(globex, number=OLD)
    told("user_changed_number", wa_id=NEW)
    foreign.refresh_from_db()
    assert foreign.number == OLD
    assert not Contact.objects.for_company(acme.pk).exists()


@pytest.fixture
def written(connection: Connection) -> Callable[..., Contact]:
    """Have somebody without a number write; returns the contact."""

    def write(external_id: str, **profile: str) -> Contact:
        message = {
            "from_user_id": "BR.77",
            "id": external_id,
            "timestamp": "1767614400",
            "type": "text",
            "text": {"body": "Oi"},
        }
        contact = {"profile": {"name": "Duda", **profile}, "user_id": "BR.77"}
        metadata = {"phone_number_id": "100000000000009"}
        value = {"metadata": metadata, "contacts": [contact], "messages": [message]}
        ((_, notice),) = notices({"entry": [{"changes": [{"field": "messages", "value": value}]}]})
        InboundEvent.objects.create(
            connection=connection,
            event_id=notice.event_id,
            kind=notice.kind,
            partition=notice.partition,
            payload=notice.payload,
        )
        assert process_due(limit=10) == 1
        return Contact.objects.get()

    return write


def test_who_has_a_username_and_no_number_is_shown_and_found_by_it(
    written: Callable[..., Contact], client_for: ClientFor, admin: User
) -> None:
    contact = written("wamid.1", username="duda.lima")
    client = client_for(admin)
    row = client.get(f"/api/contacts/{contact.pk}").json()
    assert (row["name"], row["username"], row["userId"]) == ("Duda", "duda.lima", "BR.77")
    for text in ("duda.lima", "Lima", "br.77"):
        [found] = client.get("/api/contacts", {"searchParam": text}).json()["contacts"]
        assert found == row | {"uuid": str(contact.tickets.get().uuid)}


def test_the_longest_user_id_is_kept_whole(
    acme: Company, admin: User, client_for: ClientFor
) -> None:
    longest = f"BR.ENT.{'9' * 128}"
    contact = upsert_contact(company_id=acme.pk, number="", lid=longest)
    # SQLite alone would keep anything.
    contact.full_clean(exclude=["search_text"])
    row = client_for(admin).get(f"/api/contacts/{contact.pk}").json()
    assert (row["userId"], row["number"]) == (longest, f"{longest}@lid")


def test_the_latest_username_is_kept_and_told(
    written: Callable[..., Contact], events: list[Any]
) -> None:
    written("wamid.1", username="duda.lima")
    events.clear()
    assert written("wamid.2", username="duda.reis").username == "duda.reis"
    told = [event for event in events if event["event"] == "contact"]
    assert [event["payload"]["contact"]["username"] for event in told] == ["duda.reis"]
    # Not said this time, which takes nothing away.
    assert written("wamid.3").username == "duda.reis"


def test_of_two_contacts_found_to_be_one_the_username_stays(acme: Company) -> None:
    upsert_contacts([Sender(acme.pk, "", "Duda", lid="BR.77", username="duda.lima")])
    upsert_contact(company_id=acme.pk, number=OLD)
    kept = upsert_contact(company_id=acme.pk, number=OLD, lid="BR.77")
    assert (kept.number, kept.user_id, kept.username) == (OLD, "BR.77", "duda.lima")
    assert Contact.objects.count() == 1


@pytest.fixture
def reached(
    connection: Connection, django_capture_on_commit_callbacks: Any
) -> Callable[..., InboundEvent]:
    """Have Meta tell how far the message 'wamid.out' got, and of whom."""

    def tell(step: str = "delivered", **recipient: str) -> InboundEvent:
        status = {"id": "wamid.out", "status": step, "timestamp": "1767614400", **recipient}
        metadata = {"phone_number_id": "100000000000009"}
        value = {"messaging_product": "whatsapp", "metadata": metadata, "statuses": [status]}
        ((_, notice),) = notices({"entry": [{"changes": [{"field": "messages", "value": value}]}]})
        event = InboundEvent.objects.create(
            connection=connection,
            event_id=f"{notice.event_id}-{InboundEvent.objects.count()}",
            kind=notice.kind,
            partition=notice.partition,
            payload=notice.payload,
        )
        with django_capture_on_commit_callbacks(execute=True):
            assert process_due(limit=10) == 1
        event.refresh_from_db()
        assert event.state == "done", event.last_error
        return event

    return tell


def written_to(connection: Connection, contact: Contact, **fields: Any) -> Message:
    ticket = make_ticket(contact.company, contact=contact, connection=connection, **fields)
    return make_message(ticket, from_me=True, external_id="wamid.out", ack=1)


@pytest.mark.django_db
def test_a_status_that_names_two_contacts_makes_them_one(
    acme: Company, connection: Connection, reached: Callable[..., InboundEvent]
) -> None:
    nameless = upsert_contact(company_id=acme.pk, number="", lid="BR.1", name="Ana")
    said = make_message(make_ticket(acme, contact=nameless, connection=connection))
    typed = make_contact(acme, number=OLD)
    out = written_to(connection, typed, status=TicketStatus.CLOSED)
    reached(recipient_id=OLD, recipient_user_id="BR.1")
    contact = Contact.objects.get()
    assert (contact.pk, contact.number, contact.user_id) == (typed.pk, OLD, "BR.1")
    out.refresh_from_db()
    said.refresh_from_db()
    assert (out.ack, said.contact_id) == (3, contact.pk)


@pytest.mark.django_db
@pytest.mark.parametrize("known", ["number", "user id"])
def test_a_status_tells_the_name_that_was_not_known(
    acme: Company, connection: Connection, reached: Callable[..., InboundEvent], known: str
) -> None:
    if known == "number":
        contact = make_contact(acme, number=OLD)
    else:
        contact = upsert_contact(company_id=acme.pk, number="", lid="BR.1")
    written_to(connection, contact)
    reached(recipient_id=OLD, recipient_user_id="BR.1")
    contact.refresh_from_db()
    assert (contact.canonical_number, contact.user_id) == (OLD, "BR.1")


@pytest.mark.django_db
def test_a_status_of_who_is_known_by_both_asks_for_nothing_more(
    acme: Company,
    connection: Connection,
    reached: Callable[..., InboundEvent],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    contact = make_contact(acme, number="5511987654321", user_id="BR.1")
    written_to(connection, contact)
    joined: list[Any] = []
    monkeypatch.setattr(statuses, "join_identities", lambda **names: joined.append(names))
    # As WhatsApp may spell it: without the ninth digit.
    reached("sent", recipient_id="551187654321", recipient_user_id="BR.1")
    reached("delivered", recipient_id=OLD)
    reached("read", recipient_user_id="BR.2")
    assert joined == []


@pytest.mark.django_db
def test_nobody_is_joined_by_a_status_of_a_group_or_of_what_we_did_not_send(
    acme: Company, globex: Company, connection: Connection, reached: Callable[..., InboundEvent]
) -> None:
    upsert_contact(company_id=acme.pk, number="", lid="BR.1")
    upsert_contact(company_id=acme.pk, number=OLD)
    upsert_contact(company_id=globex.pk, number=OLD)
    names = {"recipient_id": OLD, "recipient_user_id": "BR.1"}
    reached(**names)
    group = make_contact(acme, number="1203630@g.us", canonical_number="1203630", is_group=True)
    written_to(connection, group, is_group=True)
    reached(**names)
    reached("read", **names, recipient_type="group")
    assert Contact.objects.exclude(pk=group.pk).count() == 3


def test_whom_a_status_is_about() -> None:
    def read(contact: dict[str, str] | None = None, **status: str) -> tuple[str, str]:
        payload = {"contact": contact or {}, "status": {"id": "1", "status": "sent", **status}}
        found = parse_notice("status", payload)
        assert isinstance(found, InboundStatus)
        return found.number, found.user_id

    assert read(recipient_id=OLD, recipient_user_id="BR.1") == (OLD, "BR.1")
    assert read({"wa_id": OLD, "user_id": "BR.1"}) == (OLD, "BR.1")
    assert read(recipient_user_id="BR.1") == ("", "BR.1")
    assert read(recipient_id="BR.1", recipient_user_id="BR.1") == ("", "BR.1")
    assert read(recipient_id="1203630", recipient_user_id="BR.1", recipient_type="group") == (
        "",
        "",
    )
