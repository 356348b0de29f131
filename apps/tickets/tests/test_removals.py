import time
import uuid
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.db import connection as database
from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.services.users import set_active
from apps.common.leases import HELD
from apps.common.media import store_media
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.contacts.services import merge_contacts
from apps.queues.models import Queue
from apps.tickets.models import (
    Ack,
    BotTurn,
    Delivery,
    MediaFetch,
    Message,
    Ticket,
    TicketActivity,
    TrackingCycle,
)
from apps.tickets.services.outbox.statuses import advance, locked_messages
from apps.tickets.services.tickets.removals import close_tickets_of, note_number_of
from conftest import ClientFor
from tests.factories import (
    make_company,
    make_connection,
    make_contact,
    make_integration,
    make_message,
    make_prompt,
    make_ticket,
)


@pytest.fixture
def ticket(acme: Company, connection: Connection, queue: Queue, agent: User) -> Ticket:
    return make_ticket(acme, connection=connection, queue=queue, user=agent, status="open")


def test_the_open_tickets_of_a_deleted_user_wait_again(
    client_for: ClientFor, admin: User, agent: User, ticket: Ticket, told: list[Any]
) -> None:
    closed = make_ticket(ticket.company, user=agent, status="closed")
    assert client_for(admin).delete(f"/api/users/{agent.pk}").status_code == 200
    ticket.refresh_from_db()
    closed.refresh_from_db()
    assert (ticket.status, ticket.user_id, closed.status) == ("pending", None, "closed")
    assert TrackingCycle.objects.get(ticket=ticket).started_at is None
    assert TicketActivity.objects.get().kind == "returned"
    assert [each.payload["action"] for each in told] == ["delete", "update"]


def test_the_open_tickets_of_a_disabled_user_wait_again(
    admin: User, agent: User, ticket: Ticket, told: list[Any]
) -> None:
    set_active(user=agent, is_active=False, actor=admin)
    ticket.refresh_from_db()
    assert (ticket.status, ticket.user_id) == ("pending", None)
    assert TicketActivity.objects.get().kind == "returned"
    assert [each.payload["action"] for each in told] == ["delete", "update"]


def test_the_tickets_of_a_deleted_queue_have_none(
    client_for: ClientFor, admin: User, agent: User, queue: Queue, ticket: Ticket, told: list[Any]
) -> None:
    closed = make_ticket(ticket.company, queue=queue, status="closed")
    assert client_for(admin).delete(f"/api/queue/{queue.pk}").status_code == 200
    ticket.refresh_from_db()
    closed.refresh_from_db()
    assert (ticket.status, ticket.queue_id, ticket.user_id) == ("open", None, agent.pk)
    assert closed.queue_id is None
    removal, update = told
    assert removal.rooms == [f"tickets:{ticket.company_id}:open:queue-{queue.pk}"]
    assert update.payload["ticket"]["queue"] is None


def test_a_deleted_connection_closes_its_tickets_and_keeps_the_messages(
    client_for: ClientFor, admin: User, connection: Connection, ticket: Ticket
) -> None:
    kept = make_message(ticket)
    unsent = make_message(ticket, from_me=True, external_id=None)
    Delivery.objects.create(
        company=ticket.company, connection=connection, contact=ticket.contact, message=unsent
    )
    unfetched = make_message(ticket, media_type="image", media_state="fetching")
    MediaFetch.objects.create(message=unfetched, connection=connection, media_id="m1")
    response = client_for(admin).delete(f"/api/whatsapp/{connection.pk}")
    assert response.status_code == 200, response.content
    ticket.refresh_from_db()
    unsent.refresh_from_db()
    unfetched.refresh_from_db()
    assert (unfetched.media_state, unfetched.error_code) == ("failed", "ERR_WAPP_DOWNLOAD_MEDIA")
    assert unfetched.reason_code == "media_not_fetched"
    assert (ticket.status, ticket.connection_id) == ("closed", None)
    assert TrackingCycle.objects.get(ticket=ticket).finished_at is not None
    assert (unsent.ack, bool(unsent.error_reason)) == (-1, True)
    assert Message.objects.filter(pk=kept.pk).exists()
    assert not Delivery.objects.exists()


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        ("waiting", "connection_deleted"),
        ("claimed", "connection_deleted"),
        ("sending", "connection_deleted_sending"),
        ("unknown", "connection_deleted_sending"),
    ],
)
def test_of_what_was_being_sent_when_its_connection_went_nobody_knows_the_outcome(
    connection: Connection, ticket: Ticket, state: str, reason: str
) -> None:
    message = make_message(ticket, from_me=True, external_id=None)
    send_of(message, state=state)
    sent = make_message(ticket, from_me=True, external_id="wamid.1", ack=1)
    send_of(sent)
    close_tickets_of(connection)
    message.refresh_from_db()
    sent.refresh_from_db()
    assert (message.ack, message.reason_code) == (-1, reason)
    assert message.error_code == "ERR_NO_WAPP_FOUND"
    assert (sent.ack, sent.reason_code) == (1, "")


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("what", ["send", "fetch"])
def test_who_records_an_outcome_while_the_connection_goes_is_believed(what: str) -> None:
    company = make_company()
    connection = make_connection(company)
    ticket = make_ticket(company, connection=connection)
    if what == "send":
        message = make_message(ticket, from_me=True, external_id=None)
        send_of(message)
    else:
        message = make_message(ticket, media_type="image", media_state="fetching")
        MediaFetch.objects.create(message=message, connection=connection, media_id="m1")

    def close() -> None:
        with transaction.atomic():
            close_tickets_of(Connection.objects.get(pk=connection.pk))
        database.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            held = locked_messages().get(pk=message.pk)
            closing = pool.submit(close)
            wait_for_a_blocked_one(closing)
            if what == "send":
                advance(held, ack=Ack.SENT, external_id="wamid.1")
            else:
                Message.objects.filter(pk=message.pk).update(media_state="ready")
        closing.result(timeout=30)
    message.refresh_from_db()
    assert (message.ack, message.media_state) == ((1, "") if what == "send" else (0, "ready"))
    assert message.reason_code == ""


def send_of(message: Message, *, state: str = "waiting") -> None:
    Delivery.objects.create(
        company=message.company,
        connection_id=message.connection_id or 0,
        contact=message.contact,
        message=message,
        state=state,
        lease_expires_at=timezone.now() if state in HELD else None,
    )


def wait_for_a_blocked_one(work: Future[None]) -> None:
    """Wait until the work waits for a lock of this transaction's."""
    until = time.monotonic() + 30
    while time.monotonic() < until and not work.done():
        with database.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_locks"
                " WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
            )
            if cursor.fetchone()[0]:
                return
    pytest.fail(f"nobody waits: {work}")


def test_a_deleted_contact_takes_tickets_and_files_along(
    client_for: ClientFor,
    admin: User,
    ticket: Ticket,
    told: list[Any],
    settings: Any,
    tmp_path: Any,
    django_capture_on_commit_callbacks: Any,
) -> None:
    settings.MEDIA_ROOT = tmp_path
    stored = store_media(
        company_id=ticket.company_id, content=b"%PDF-1", name="a.pdf", mime="application/pdf"
    )
    make_message(ticket, media_type="application", media_path=stored.path)
    with django_capture_on_commit_callbacks(execute=True):
        response = client_for(admin).delete(f"/api/contacts/{ticket.contact_id}")
    assert response.status_code == 200
    assert not Ticket.objects.exists()
    assert not default_storage.exists(stored.path)
    assert [each.payload for each in told] == [{"action": "delete", "ticketId": ticket.pk}]


def test_merged_contacts_keep_one_live_ticket_and_every_message(
    acme: Company, connection: Connection, ticket: Ticket, told: list[Any]
) -> None:
    gone = make_contact(acme, lid="123", canonical_number="lid:123")
    double = make_ticket(acme, contact=gone, connection=connection)
    alone = make_ticket(acme, contact=gone, connection=make_connection(acme))
    messages = [make_message(each) for each in (ticket, double, alone)]
    merge_contacts(keep=ticket.contact, gone=gone)
    statuses = dict(Ticket.objects.values_list("pk", "status"))
    assert statuses == {ticket.pk: "open", double.pk: "closed", alone.pk: "pending"}
    assert set(Ticket.objects.values_list("contact", flat=True)) == {ticket.contact_id}
    for message in messages:
        message.refresh_from_db()
        assert message.contact_id == ticket.contact_id


def heard_in(told: list[Any], ticket: Ticket) -> list[dict[str, Any]]:
    """What came to the ticket's own room, where its conversation is open."""
    room = f"ticket:{ticket.pk}:"
    return [each.payload for each in told if any(name.startswith(room) for name in each.rooms)]


def test_a_merge_is_told_in_the_conversations_whose_contact_is_another(
    acme: Company, connection: Connection, ticket: Ticket, told: list[Any]
) -> None:
    gone = make_contact(acme, lid="123", canonical_number="lid:123")
    double = make_ticket(acme, contact=gone, connection=connection)
    alone = make_ticket(acme, contact=gone, connection=make_connection(acme))
    past = make_ticket(acme, contact=gone, connection=connection, status="closed")
    merge_contacts(keep=ticket.contact, gone=gone)
    [update] = heard_in(told, alone)
    assert (update["action"], update["ticket"]["contactId"]) == ("update", ticket.contact_id)
    # It was closed as well; what takes it from the lists would throw the attendant out.
    heard = heard_in(told, double)
    assert {each["action"] for each in heard} == {"update"}
    assert heard[-1]["ticket"]["contactId"] == ticket.contact_id
    assert heard[-1]["ticket"]["status"] == "closed"
    # Nothing is new in the one that stays, nor in what is over.
    assert heard_in(told, ticket) == heard_in(told, past) == []


def test_another_number_is_told_in_the_live_conversations(
    acme: Company, ticket: Ticket, told: list[Any]
) -> None:
    past = make_ticket(acme, contact=ticket.contact, status="closed")
    contact = ticket.contact
    contact.number = "5511955554444"
    contact.save(update_fields=["number"])
    note_number_of(contact)
    [update] = heard_in(told, ticket)
    assert (update["action"], update["event"]["kind"]) == ("update", "renumbered")
    assert update["ticket"]["contact"]["number"] == "5511955554444"
    assert heard_in(told, past) == []


@pytest.mark.parametrize("kind", ["prompt", "integration"])
def test_what_a_deleted_assistant_led_waits_for_a_person(
    client_for: ClientFor,
    admin: User,
    agent: User,
    connection: Connection,
    queue: Queue,
    told: list[Any],
    kind: str,
) -> None:
    acme = admin.company
    leader: Any = make_integration(acme)
    path = "queueIntegration"
    if kind == "prompt":
        leader, path = make_prompt(acme, queue=queue), "prompt"
    fields = {"connection": connection, "queue": queue, kind: leader}
    led = make_ticket(acme, status="pending", chatbot=True, use_integration=True, **fields)
    held = make_ticket(acme, contact=make_contact(acme), status="open", user=agent, **fields)
    turn = {"company": acme, "ticket": led, "message": make_message(led), "kind": kind}
    BotTurn.objects.create(**turn, **{kind: leader}, event_id=uuid.uuid4())
    assert client_for(admin).delete(f"/api/{path}/{leader.pk}").status_code == 200
    led.refresh_from_db()
    held.refresh_from_db()
    assert (led.chatbot, led.use_integration, led.status) == (False, False, "pending")
    assert (led.prompt_id, led.integration_id, held.user_id) == (None, None, agent.pk)
    detail = TicketActivity.objects.get(ticket=led).detail
    assert (detail["reason"], detail["reasonCode"]) == ("failed", f"{kind}_deleted")
    assert not TicketActivity.objects.filter(ticket=held).exists()
    assert [each.payload["ticket"]["id"] for each in told if "ticket" in each.payload] == [led.pk]
