import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connections
from django.db import connection as database
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.common.leases import LeaseState
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.contacts.models import Contact
from apps.inbound import handler
from apps.inbound.handler import Report
from apps.inbound.models import InboundEvent
from apps.inbound.services import process_due, processing, retry_failed
from apps.realtime import backplane
from apps.tickets.models import Delivery, Message, Ticket
from apps.tickets.services.tickets.transitions import TicketChange
from apps.tickets.services.tickets.updates import update_ticket
from tests.factories import make_connection, make_contact, make_message, make_ticket


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
    return process_due(limit=limit)


def test_a_stored_message_becomes_a_ticket(connection: Connection) -> None:
    event = message_event(connection, "wamid.A", sender="5511900000001", body="Olá")
    assert process() == 1
    event.refresh_from_db()
    assert (event.state, event.owner) == (LeaseState.DONE, "")
    assert event.finished_at is not None
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

    def fail(reports: Sequence[Report]) -> None:
        handle(reports)
        if broken and any(report.event == bad for report in reports):
            raise ValueError("a fault after the row was stored")

    monkeypatch.setattr(processing, "handle", fail)
    process()
    bad.refresh_from_db()
    behind.refresh_from_db()
    other.refresh_from_db()
    assert (bad.state, bad.attempts) == (LeaseState.WAITING, 1)
    assert "a fault after the row was stored" in bad.last_error
    assert bad.next_attempt_at > timezone.now()
    assert (behind.state, behind.attempts, behind.owner) == (LeaseState.WAITING, 0, "")
    assert other.state == LeaseState.DONE
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

    def fail(reports: Sequence[Report]) -> None:
        if any(report.event == bad for report in reports):
            raise ValueError("never")
        handle(reports)

    monkeypatch.setattr(processing, "handle", fail)
    process()
    bad.refresh_from_db()
    assert (bad.state, bad.attempts) == (LeaseState.FAILED, processing.MAX_ATTEMPTS)
    assert "never" in bad.last_error
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

    def conflict(reports: Sequence[Report]) -> None:
        if conflicts:
            conflicts.clear()
            raise IntegrityError
        handle(reports)

    monkeypatch.setattr(processing, "handle", conflict)
    process()
    event = InboundEvent.objects.get()
    assert (event.state, event.attempts) == (LeaseState.DONE, 1)


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

    monkeypatch.setattr(
        type(processing.EVENTS), "claim", lambda self, *a, **kw: claim_and_lose(*a, **kw)
    )
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
    assert (event.state, event.attempts) == (LeaseState.WAITING, 0)
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
    assert event.state == LeaseState.DONE


def fill_up(connection: Connection, acme: Company, prefix: str, *, each: int) -> None:
    """Store what many contacts wrote, half of them for the first time, and statuses between."""
    for number in range(each * 4):
        sender = f"55119{prefix}{number % (each * 2):06d}"
        message_event(connection, f"{prefix}-{number}", sender=sender, body=str(number))
    for number in range(each):
        contact = make_contact(acme, number=f"55119{prefix}{number:06d}")
        ticket = make_ticket(acme, connection=connection, contact=contact, status="open")
        make_message(ticket, from_me=True, external_id=f"{prefix}-sent-{number}", ack=1)
        status_event(connection, f"{prefix}-sent-{number}", "read")


@pytest.mark.postgres  # SQLite cuts a long INSERT into several
def test_the_number_of_statements_does_not_depend_on_the_number_of_events(
    acme: Company, connection: Connection
) -> None:
    counts = []
    # The first status of a month makes the number's meter (rules/costs §3).
    fill_up(connection, acme, "00", each=1)
    assert process(limit=200) == 5
    for prefix, each in (("10", 1), ("20", 20)):
        fill_up(connection, acme, prefix, each=each)
        with CaptureQueriesContext(database) as captured:
            assert process(limit=200) == each * 5
        counts.append(len(captured))
    assert not InboundEvent.objects.exclude(state="done").exists()
    assert Message.objects.filter(from_me=False).count() == 88
    assert set(Message.objects.filter(from_me=True).values_list("ack", flat=True)) == {4}
    assert set(Ticket.objects.values_list("unread_count", flat=True)) == {2}
    assert Ticket.objects.count() == 44
    assert counts[0] == counts[1] <= 45


def test_one_batch_keeps_the_order_of_a_new_contact(
    connection: Connection,
) -> None:
    for number in range(6):
        message_event(connection, f"w{number}", sender="5511900000001", body=str(number))
    assert process() == 6
    ticket = Ticket.objects.select_related("latest_message").get()
    assert list(ticket.messages.order_by("id").values_list("body", flat=True)) == list("012345")
    assert (ticket.unread_count, ticket.last_message) == (6, "5")
    assert ticket.latest_message == ticket.messages.order_by("id").last()
    assert ticket.contact.search_text == "maria 5511900000001"
    assert set(ticket.messages.values_list("search_text", flat=True)) == set("012345")


def reaction_event(connection: Connection, wamid: str, *, sender: str, to: str) -> InboundEvent:
    event = message_event(connection, wamid, sender=sender, body="")
    event.payload["message"] |= {
        "type": "reaction",
        "reaction": {"message_id": to, "emoji": "👍"},
    }
    event.save()
    return event


def test_what_was_passed_on_says_so(acme: Company, connection: Connection) -> None:
    event = message_event(connection, "a", sender="5511900000001", body="Veja isto")
    event.payload["message"]["context"] = {"forwarded": True}
    event.save()
    assert process() == 1
    assert Message.objects.get().data == {"forwarded": True}


def test_what_is_not_plain_keeps_its_place_in_the_conversation(
    acme: Company, connection: Connection
) -> None:
    sender = "5511900000001"
    message_event(connection, "a", sender=sender, body="1")
    reaction_event(connection, "b", sender=sender, to="a")
    answer = message_event(connection, "c", sender=sender, body="2")
    answer.payload["message"]["context"] = {"id": "a"}
    answer.save()
    reaction_event(connection, "d", sender=sender, to="c")
    message_event(connection, "e", sender="5511900000002", body="3")
    assert process() == 5
    first, second = Message.objects.filter(contact__number=sender).order_by("id")
    assert (first.reactions.count(), second.reactions.count()) == (1, 1)
    assert second.quoted == first
    assert not InboundEvent.objects.exclude(state="done").exists()


def test_an_answer_quotes_a_message_of_its_own_batch(connection: Connection) -> None:
    message_event(connection, "a", sender="5511900000001", body="1")
    answer = message_event(connection, "b", sender="5511900000001", body="2")
    answer.payload["message"]["context"] = {"id": "a"}
    answer.save()
    process()
    first, second = Message.objects.order_by("id")
    assert second.quoted == first


def test_a_poisonous_event_in_the_middle_delays_no_other(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = [
        message_event(connection, f"w{number}", sender=f"551190000{number:04d}", body=str(number))
        for number in range(20)
    ]
    behind = message_event(connection, "behind", sender="5511900000007", body="behind")
    handle = processing.handle  # type: ignore[attr-defined]

    def fail(reports: Sequence[Report]) -> None:
        handle(reports)
        if any(report.event == events[7] for report in reports):
            raise ValueError("poison")

    monkeypatch.setattr(processing, "handle", fail)
    assert process() == 21
    waiting = InboundEvent.objects.exclude(state="done").order_by("id")
    assert list(waiting) == [events[7], behind]
    assert Message.objects.count() == 19
    assert set(Ticket.objects.values_list("unread_count", flat=True)) == {1}


def test_an_event_that_kills_its_process_is_parked_and_nothing_else_is(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        """The end of the process: nothing of ours runs after it."""

    events = [
        message_event(connection, f"w{number}", sender=f"551190000{number % 3:04d}", body="x")
        for number in range(9)
    ]
    handle = processing.handle  # type: ignore[attr-defined]
    deaths = []

    def die(reports: Sequence[Report]) -> None:
        if any(report.event == events[4] for report in reports):
            deaths.append(len(reports))
            raise Killed
        handle(reports)

    monkeypatch.setattr(processing, "handle", die)
    for _ in range(processing.MAX_ATTEMPTS):
        with pytest.raises(Killed):
            process()
        InboundEvent.objects.filter(state="claimed").update(
            lease_expires_at=timezone.now() - timedelta(seconds=1)
        )
    while process():
        pass
    parked = InboundEvent.objects.exclude(state="done").get()
    assert (parked, parked.state) == (events[4], LeaseState.FAILED)
    assert "O processo terminou" in parked.last_error
    assert deaths == [9] + [1] * (processing.MAX_ATTEMPTS - 1)
    assert Message.objects.count() == 8


def test_a_status_that_is_ahead_holds_up_its_own_conversation_alone(
    acme: Company, connection: Connection
) -> None:
    ticket = make_ticket(acme, connection=connection, contact=make_contact(acme))
    message = make_message(ticket, from_me=True, external_id=None)
    Delivery.objects.create(
        company=acme,
        connection=connection,
        contact=ticket.contact,
        message=message,
        state="sending",
    )
    status = status_event(connection, "wamid.A", "delivered")
    behind = message_event(connection, "behind", sender="551", body="1")
    message_event(connection, "other", sender="5511900000002", body="2")
    process()
    waiting = InboundEvent.objects.exclude(state="done").order_by("id")
    assert [(each, each.attempts) for each in waiting] == [(status, 0), (behind, 0)]
    assert Message.objects.get(from_me=False).body == "2"


def test_an_event_that_cannot_be_read_is_tried_again_alone(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = message_event(connection, "bad", sender="5511900000001", body="1")
    message_event(connection, "good", sender="5511900000002", body="2")
    parse = handler.PARSERS["official"]

    def fail(kind: str, payload: dict[str, Any]) -> Any:
        if payload["message"]["id"] == "bad":
            raise ValueError("not what we know")
        return parse(kind, payload)

    monkeypatch.setitem(handler.PARSERS, "official", fail)
    process()
    bad.refresh_from_db()
    assert (bad.state, bad.attempts) == (LeaseState.WAITING, 1)
    assert "not what we know" in bad.last_error
    assert Message.objects.get().body == "2"


@pytest.mark.django_db(transaction=True)
def test_browsers_are_told_of_a_batch_in_one_round_trip(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        message_event(connection, f"w{number}", sender=f"551190000000{number % 2}", body="x")
    sent: list[list[str]] = []

    def send(*all: Any, first: Any) -> None:
        assert len(first) == len(all)
        sent.append([message["event"] for message, _ in all])

    monkeypatch.setattr(backplane, "_send", send)
    process()
    (names,) = sent
    name = f"company-{connection.company_id}"
    assert names == ([f"{name}-contact"] * 2 + [f"{name}-ticket"] * 2 + [f"{name}-appMessage"] * 4)


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


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_workers_with_the_same_new_contacts_and_an_attendant_lose_nothing(
    acme: Company, admin: User, connection: Connection
) -> None:
    other = make_connection(acme)
    contacts = [f"551190000{number:04d}" for number in range(15)]
    for turn in range(3):
        for place, sender in enumerate(contacts):
            message_event(connection, f"a{turn}-{place}", sender=sender, body=str(turn))
        for place, sender in enumerate(reversed(contacts)):
            message_event(other, f"b{turn}-{place}", sender=sender, body=str(turn))
    start = threading.Barrier(3)
    faults: list[BaseException] = []

    def run(step: Callable[[], object]) -> None:
        start.wait(timeout=30)
        try:
            while InboundEvent.objects.filter(state__in=["waiting", "claimed"]).exists():
                step()
        except BaseException as error:
            faults.append(error)
        finally:
            connections.close_all()

    def accept() -> None:
        for ticket in Ticket.objects.filter(status="pending")[:3]:
            change = TicketChange.of({"status": "open", "user_id": admin.pk})
            update_ticket(user=admin, ticket_id=ticket.pk, change=change)

    steps = [lambda: process(limit=20), lambda: process(limit=20), accept]
    threads = [threading.Thread(target=run, args=[step]) for step in steps]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert faults == []
    assert not InboundEvent.objects.exclude(state="done").exists()
    assert Contact.objects.count() == 15
    assert Ticket.objects.count() == 30
    assert set(Ticket.objects.values_list("unread_count", flat=True)) == {3}
    for ticket in Ticket.objects.all():
        bodies = ticket.messages.filter(from_me=False).order_by("id")
        assert list(bodies.values_list("body", flat=True)) == list("012")
