import threading
from collections import defaultdict
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connections
from django.utils import timezone

from apps.companies.models import Company
from apps.connections.models import Connection
from apps.inbound.models import InboundEvent, InboundState
from apps.inbound.services import process_due, processing, retry_failed
from apps.tickets.models import Delivery, Message, Ticket
from tests.factories import make_contact, make_message, make_ticket


def message_event(connection: Connection, wamid: str, *, sender: str, body: str) -> InboundEvent:
    message = {
        "from": sender,
        "id": wamid,
        "timestamp": "1767614400",
        "type": "text",
        "text": {"body": body},
    }
    return InboundEvent.objects.create(
        connection=connection,
        event_id=f"message:{wamid}",
        kind="message",
        partition=sender,
        payload={
            "field": "messages",
            "metadata": {"phone_number_id": connection.phone_number_id},
            "contact": {"wa_id": sender, "profile": {"name": "Maria"}},
            "message": message,
        },
    )


def status_event(connection: Connection, wamid: str, status: str, **fields: Any) -> InboundEvent:
    body = {"id": wamid, "status": status, "recipient_id": "551", "timestamp": "1767614400"}
    return InboundEvent.objects.create(
        connection=connection,
        event_id=f"status:{wamid}:{status}",
        kind="status",
        partition="551",
        payload={"field": "messages", "status": {**body, **fields}},
    )


def process(limit: int = 100) -> int:
    return process_due(owner="worker", limit=limit)


def test_a_stored_message_becomes_a_ticket(connection: Connection) -> None:
    event = message_event(connection, "wamid.A", sender="5511900000001", body="Olá")
    assert process() == 1
    event.refresh_from_db()
    assert (event.state, event.owner) == (InboundState.DONE, "")
    assert event.processed_at is not None
    assert Message.objects.get().body == "Olá"
    assert process() == 0


def test_events_of_one_contact_are_handled_in_order_of_arrival(connection: Connection) -> None:
    for number in range(5):
        message_event(connection, f"w{number}", sender="5511900000001", body=str(number))
        message_event(connection, f"v{number}", sender="5511900000002", body=str(number))
    while process(limit=3):
        pass
    bodies = defaultdict(list)
    for sender, body in Message.objects.order_by("id").values_list("contact__number", "body"):
        bodies[sender].append(body)
    assert list(bodies.values()) == [list("01234")] * 2
    assert set(Ticket.objects.values_list("unread_count", flat=True)) == {5}


def test_a_failing_event_is_undone_tried_again_and_holds_its_conversation(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = message_event(connection, "bad", sender="5511900000001", body="1")
    behind = message_event(connection, "behind", sender="5511900000001", body="2")
    other = message_event(connection, "other", sender="5511900000002", body="3")
    handle = processing.handle  # type: ignore[attr-defined]
    broken = [True]

    def fail(event: InboundEvent, connection: Connection) -> None:
        handle(event, connection)
        if event == bad and broken:
            raise ValueError("a fault after the row was stored")

    monkeypatch.setattr(processing, "handle", fail)
    process()
    bad.refresh_from_db()
    behind.refresh_from_db()
    other.refresh_from_db()
    assert (bad.state, bad.attempts) == (InboundState.WAITING, 1)
    assert "a fault after the row was stored" in bad.error
    assert bad.next_attempt_at > timezone.now()
    assert (behind.state, behind.attempts, behind.owner) == (InboundState.WAITING, 0, "")
    assert other.state == InboundState.DONE
    assert Message.objects.count() == 1
    assert process() == 0
    broken.clear()
    InboundEvent.objects.update(next_attempt_at=timezone.now())
    assert process() == 2
    assert list(Message.objects.order_by("id").values_list("body", flat=True)) == ["3", "1", "2"]


def test_after_the_last_try_an_event_is_parked_and_the_next_ones_go_on(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = message_event(connection, "bad", sender="5511900000001", body="1")
    message_event(connection, "behind", sender="5511900000001", body="2")
    InboundEvent.objects.filter(pk=bad.pk).update(attempts=processing.MAX_ATTEMPTS - 1)
    handle = processing.handle  # type: ignore[attr-defined]

    def fail(event: InboundEvent, connection: Connection) -> None:
        if event == bad:
            raise ValueError("never")
        handle(event, connection)

    monkeypatch.setattr(processing, "handle", fail)
    process()
    bad.refresh_from_db()
    assert (bad.state, bad.attempts) == (InboundState.FAILED, processing.MAX_ATTEMPTS)
    assert "never" in bad.error
    assert Message.objects.get().body == "2"
    monkeypatch.setattr(processing, "handle", handle)
    assert retry_failed(event_ids=[bad.pk]) == 1
    process()
    assert Message.objects.count() == 2


def test_two_workers_in_one_row_look_a_second_time(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    message_event(connection, "wamid.A", sender="5511900000001", body="1")
    handle = processing.handle  # type: ignore[attr-defined]
    conflicts = [True]

    def conflict(event: InboundEvent, connection: Connection) -> None:
        if conflicts:
            conflicts.clear()
            raise IntegrityError
        handle(event, connection)

    monkeypatch.setattr(processing, "handle", conflict)
    process()
    event = InboundEvent.objects.get()
    assert (event.state, event.attempts) == (InboundState.DONE, 0)


def test_a_claim_is_respected_until_its_lease_ends(connection: Connection) -> None:
    message_event(connection, "a", sender="5511900000001", body="1")
    message_event(connection, "b", sender="5511900000001", body="2")
    ahead = timezone.now() + timedelta(minutes=1)
    first = InboundEvent.objects.order_by("id")[:1].get()
    InboundEvent.objects.filter(pk=first.pk).update(
        state="claimed", owner="dead", lease_expires_at=ahead
    )
    assert process() == 0  # the second is behind the first
    InboundEvent.objects.filter(pk=first.pk).update(
        lease_expires_at=timezone.now() - timedelta(seconds=1)
    )
    assert process() == 2
    assert Message.objects.count() == 2


def test_a_worker_that_lost_its_claim_changes_nothing(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    message_event(connection, "a", sender="5511900000001", body="1")
    take = processing.EVENTS.claim

    def claim_and_lose(*args: Any, **kwargs: Any) -> Any:
        claimed = take(*args, **kwargs)
        InboundEvent.objects.update(owner="another")
        return claimed

    monkeypatch.setattr(type(processing.EVENTS), "claim", lambda self, **kw: claim_and_lose(**kw))
    process()
    assert InboundEvent.objects.get().owner == "another"
    assert not Message.objects.exists()


def test_a_status_moves_the_tick(acme: Company, connection: Connection) -> None:
    ticket = make_ticket(acme, connection=connection)
    message = make_message(ticket, from_me=True, external_id="wamid.A", ack=1)
    status_event(connection, "wamid.A", "read")
    process()
    message.refresh_from_db()
    assert message.ack == 4


def test_a_status_that_is_ahead_of_our_own_record_waits_for_it(
    acme: Company, connection: Connection
) -> None:
    ticket = make_ticket(acme, connection=connection, contact=make_contact(acme))
    message = make_message(ticket, from_me=True, external_id=None)
    row = Delivery.objects.create(
        company=acme,
        connection=connection,
        contact=ticket.contact,
        message=message,
        state="sending",
    )
    event = status_event(connection, "wamid.A", "delivered")
    process()
    event.refresh_from_db()
    assert (event.state, event.attempts) == (InboundState.WAITING, 0)
    Message.objects.filter(pk=message.pk).update(external_id="wamid.A", ack=1)
    Delivery.objects.filter(pk=row.pk).update(state="done")
    InboundEvent.objects.update(next_attempt_at=timezone.now())
    process()
    message.refresh_from_db()
    assert message.ack == 3


def test_a_status_of_a_message_of_another_program_is_done_with(connection: Connection) -> None:
    event = status_event(connection, "wamid.unknown", "read")
    process()
    event.refresh_from_db()
    assert event.state == InboundState.DONE


def test_a_message_costs_few_statements(
    connection: Connection, django_assert_max_num_queries: Any
) -> None:
    message_event(connection, "first", sender="5511900000001", body="0")
    process()
    for number in range(10):
        message_event(connection, f"w{number}", sender="5511900000001", body=str(number))
    # The claim, the events and their connections; then per message with its savepoint.
    with django_assert_max_num_queries(3 + 10 * 9):
        assert process() == 10


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_many_threads_keep_order_and_lose_nothing(connection: Connection) -> None:
    for number in range(60):
        sender = f"551190000000{number % 5}"
        message_event(connection, f"w{number}", sender=sender, body=str(number))
    faults: list[BaseException] = []

    def work() -> None:
        try:
            while InboundEvent.objects.filter(state__in=["waiting", "claimed"]).exists():
                process(limit=4)
        except BaseException as error:
            faults.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert faults == []
    assert Message.objects.count() == 60
    for ticket in Ticket.objects.all():
        bodies = ticket.messages.order_by("id").values_list("body", flat=True)
        assert [int(body) for body in bodies] == sorted(int(body) for body in bodies)
        assert ticket.unread_count == 12
    assert Ticket.objects.count() == 5
