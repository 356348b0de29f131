"""What a pace does to the outbox: who goes first, what waits, and that all of it goes."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.common import wakeups
from apps.companies.models import Company
from apps.connections.models import Connection, SendPace
from apps.contacts.models import Contact
from apps.inbound.services import process_due
from apps.queues.models import Queue
from apps.tickets.models import Ack, Delivery, DeliveryTurn, Message, MessageSource, Ticket
from apps.tickets.serializers.messages import message_row
from apps.tickets.services.outbox import Text, write_message
from apps.tickets.services.outbox.deliveries import deliver_due
from conftest import ClientFor
from tests.factories import make_contact, make_ticket
from tests.gateway import (
    SECRET,
    Gateway,
    commit,
    make_qr_connection,
    message_event,
    running_gateway,
)

pytestmark = pytest.mark.django_db
Travel = Callable[[timedelta], None]


@pytest.fixture
def gateway(settings: Any) -> Iterator[Gateway]:
    settings.GATEWAY_SECRET = SECRET
    with running_gateway() as gateway:
        yield gateway


@pytest.fixture
def qr(acme: Company, queue: Queue, gateway: Gateway) -> Connection:
    """A session that sends every two seconds, of a number that is no longer young."""
    connection = make_qr_connection(acme, queues=[queue], send_pause_seconds=2)
    gateway.own(connection)
    return connection


@pytest.fixture
def young(qr: Connection) -> Connection:
    """The same without a pause, of a number that may begin with two people on its first day."""
    qr.send_pause_seconds, qr.number = 0, "5511988887777"
    qr.warmup_contacts, qr.warmup_growth, qr.warmup_days = 2, 0, 5
    qr.save()
    return qr


@pytest.fixture
def travel(monkeypatch: pytest.MonkeyPatch) -> Travel:
    """Return a way to set the clock forward."""
    real: Callable[[], datetime] = timezone.now

    def go(by: timedelta) -> None:
        monkeypatch.setattr(timezone, "now", lambda: real() + by)

    return go


def write(
    connection: Connection,
    body: str,
    *,
    ticket: Ticket | None = None,
    source: str = MessageSource.API,
    wrote: bool = False,
) -> Message:
    """Write a message, to somebody new where no ticket is given."""
    written_at = timezone.now() - timedelta(hours=1) if wrote else None
    ticket = ticket or make_ticket(
        connection.company, connection=connection, status="open", last_inbound_at=written_at
    )
    return write_message(Text(body), ticket=ticket, user=None, source=source)


def pass_the_pause() -> None:
    SendPace.objects.update(people_from=0, others_from=0)


def sent(gateway: Gateway) -> list[str]:
    return [each.body["body"] for each in gateway.commands if each.name == "text"]


def drain() -> None:
    """Work until nothing is due, as a worker does."""
    while deliver_due(limit=4):
        pass


def test_one_message_leaves_in_each_pause(qr: Connection, gateway: Gateway) -> None:
    for number in range(3):
        write(qr, str(number))
    for count in (1, 2, 3):
        drain()
        assert sent(gateway) == ["0", "1", "2"][:count]
        pass_the_pause()
    assert set(Delivery.objects.values_list("state", "attempts")) == {("done", 1)}


def test_who_waits_for_a_turn_was_not_tried_and_is_free(qr: Connection, gateway: Gateway) -> None:
    write(qr, "a")
    write(qr, "b")
    assert deliver_due(limit=4) == 2
    row = Delivery.objects.get(message__body="b")
    assert (row.state, row.attempts, row.owner, row.last_error) == ("waiting", 0, "", "")
    assert deliver_due(limit=4) == 0  # and nobody claims it again before its turn


# A turn that is far off is found by the sweep: a broker keeps no long waits.
@pytest.mark.parametrize(("pause", "waits"), [(5, [5.0]), (300, [])])
def test_a_worker_is_woken_for_the_next_turn_if_it_is_near(
    pause: int,
    waits: list[float],
    qr: Connection,
    gateway: Gateway,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    woken: list[tuple[str, float]] = []
    monkeypatch.setattr(wakeups, "send_wake_up", lambda *wake: woken.append(wake))
    qr.send_pause_seconds, qr.send_jitter_seconds = pause, 0
    qr.save()
    write(qr, "a")
    with django_capture_on_commit_callbacks(execute=True):
        deliver_due(limit=4)
    assert [after for _, after in woken if after] == waits


def test_a_persons_message_goes_before_what_waited_longer(qr: Connection, gateway: Gateway) -> None:
    SendPace.objects.create(connection=qr, others_from=2**60, people_from=2**60)
    write(qr, "agendada", source=MessageSource.SCHEDULE, wrote=True)
    write(qr, "API")
    write(qr, "robô", source=MessageSource.BOT, wrote=True)
    write(qr, "pessoa", source=MessageSource.AGENT)
    for _ in range(4):
        pass_the_pause()
        drain()
    assert sent(gateway) == ["pessoa", "robô", "agendada", "API"]


def test_a_persons_message_waits_the_least_pause_and_no_jitter(
    qr: Connection, gateway: Gateway
) -> None:
    SendPace.objects.create(connection=qr, others_from=2**60, people_from=0)
    write(qr, "API")
    write(qr, "pessoa", source=MessageSource.AGENT)
    drain()
    assert sent(gateway) == ["pessoa"]


def test_what_stands_before_a_persons_message_goes_first_with_it(
    qr: Connection, gateway: Gateway
) -> None:
    SendPace.objects.create(connection=qr, others_from=2**60, people_from=2**60)
    write(qr, "antes", wrote=True)
    ticket = write(qr, "saudação").ticket
    write(qr, "resposta", ticket=ticket, source=MessageSource.AGENT)
    for _ in range(3):
        pass_the_pause()
        drain()
    assert sent(gateway) == ["saudação", "resposta", "antes"]


@pytest.mark.parametrize(
    ("source", "hours", "turn"),
    [
        ("agent", None, DeliveryTurn.PERSON),
        ("bot", 1, DeliveryTurn.ANSWER),
        ("ai", 23, DeliveryTurn.ANSWER),
        ("api", 1, DeliveryTurn.ANSWER),
        ("integration", 25, DeliveryTurn.REST),
        ("api", None, DeliveryTurn.REST),
        ("schedule", 1, DeliveryTurn.REST),
    ],
)
def test_the_turn_says_who_waits_for_it(
    acme: Company, connection: Connection, source: str, hours: int | None, turn: int
) -> None:
    wrote_at = timezone.now() - timedelta(hours=hours) if hours else None
    ticket = make_ticket(acme, connection=connection, last_inbound_at=wrote_at)
    write(connection, "Olá", ticket=ticket, source=source)
    assert Delivery.objects.get().turn == turn


def test_a_young_numbers_new_conversations_wait_for_the_next_day(
    young: Connection, gateway: Gateway, travel: Travel
) -> None:
    messages = [write(young, str(number)) for number in range(5)]
    drain()
    assert sent(gateway) == ["0", "1"]
    held = message_row(Message.objects.get(pk=messages[2].pk))
    assert (held["ack"], held["reasonCode"]) == (Ack.PENDING, "daily_ceiling")
    assert "amanhã" in held["errorReason"]
    row = Delivery.objects.get(message=messages[2])
    assert (row.state, row.attempts) == ("waiting", 0)
    assert row.next_attempt_at == SendPace.objects.get().day_ends_at
    drain()  # nothing goes again, and nothing is claimed, before that
    assert sent(gateway) == ["0", "1"]
    for days, gone in ((1, 4), (2, 5)):
        travel(timedelta(days=days))
        gateway.own(young)
        drain()
        assert sent(gateway) == ["0", "1", "2", "3", "4"][:gone]
    sent_at_last = message_row(Message.objects.get(pk=messages[2].pk))
    assert (sent_at_last["ack"], sent_at_last["reasonCode"]) == (Ack.SENT, "")


def test_who_was_begun_with_today_gets_more_today_and_in_order(
    young: Connection, gateway: Gateway
) -> None:
    first, second, third = (write(young, name).ticket for name in ("a1", "b1", "c1"))
    for ticket, body in ((first, "a2"), (third, "c2"), (second, "b2")):
        write(young, body, ticket=ticket)
    drain()
    assert sorted(sent(gateway)) == ["a1", "a2", "b1", "b2"]
    assert set(Delivery.objects.filter(contact=third.contact).values_list("state", flat=True)) == {
        "waiting"
    }


def test_who_ever_wrote_to_the_number_is_no_new_conversation(
    young: Connection, gateway: Gateway
) -> None:
    for number in range(5):
        write(young, str(number), wrote=True)
    group = make_contact(young.company, is_group=True, number="120363000000000000")
    in_group = make_ticket(young.company, connection=young, contact=group, is_group=True)
    write(young, "grupo", ticket=in_group)
    drain()
    assert len(sent(gateway)) == 6


def test_a_contact_who_writes_lets_go_what_waited(
    young: Connection, gateway: Gateway, agent: User
) -> None:
    for number in range(2):
        write(young, str(number))
    contact = make_contact(young.company, number="5511999990000")
    ticket = make_ticket(
        young.company, connection=young, contact=contact, status="open", user=agent
    )
    write(young, "lembrete", ticket=ticket)
    write(young, "outro")
    drain()
    told = commit(young.pk, 1, message_event(contact.number, "Oi"))
    assert told.status_code == 200
    while process_due(limit=10):
        pass
    write(young, "resposta", ticket=ticket, source=MessageSource.AGENT)
    drain()
    assert sent(gateway) == ["0", "1", "lembrete", "resposta"]


def test_a_higher_ceiling_lets_go_what_waited(
    young: Connection, gateway: Gateway, client_for: ClientFor, admin: User
) -> None:
    for number in range(5):
        write(young, str(number))
    drain()
    change = {"warmupContacts": 4}
    client_for(admin).put(f"/api/whatsapp/{young.pk}", change, format="json")
    drain()
    assert sent(gateway) == ["0", "1", "2", "3"]
    client_for(admin).put(f"/api/whatsapp/{young.pk}", {"warmupContacts": 0}, format="json")
    drain()
    assert sent(gateway) == ["0", "1", "2", "3", "4"]


def test_a_claim_asks_no_more_for_a_pace(
    young: Connection, gateway: Gateway, django_assert_num_queries: Any
) -> None:
    assert not Contact.objects.filter(company=young.company).exists()
    with django_assert_num_queries(3):  # what hangs, whose due day is doubtful, the claim
        assert deliver_due(limit=4) == 0


def test_two_contacts_that_are_one_person_let_go_what_waited(
    young: Connection, gateway: Gateway, client_for: ClientFor, admin: User
) -> None:
    for number in range(2):
        write(young, str(number))
    held = write(young, "lembrete").contact
    drain()
    keep = make_contact(young.company)
    wrote_at = timezone.now() - timedelta(days=3)
    make_ticket(
        young.company, connection=young, contact=keep, status="closed", last_inbound_at=wrote_at
    )
    merged = client_for(admin).post(
        f"/api/contacts/{keep.pk}/merge", {"contactId": held.pk}, format="json"
    )
    assert merged.status_code == 200, merged.content
    drain()
    assert sent(gateway) == ["0", "1", "lembrete"]
