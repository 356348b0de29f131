from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier, Event
from typing import Any

import pytest
from django.db import connection as database
from django.db import transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets.models import Message, Ticket, TicketActivity, TrackingCycle
from apps.tickets.origins import Origin
from apps.tickets.services.bot import timers
from apps.tickets.services.bot.timers import run_timers
from apps.tickets.services.outbox import write_automatic_text
from tests.factories import (
    make_company,
    make_connection,
    make_message,
    make_queue,
    make_ticket,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def timed_connection(acme: Company, queue: Queue) -> Connection:
    """A number of two queues; who waits ten minutes without one goes to Vendas."""
    return make_connection(
        acme,
        queues=[queue, make_queue(acme)],
        name="Geral",
        transfer_queue=queue,
        minutes_to_transfer=10,
        ticket_expires_minutes=30,
        inactive_message="{{firstName}}, encerramos por falta de resposta.",
    )


def waiting(timed_connection: Connection, *, minutes: float = 11, **fields: Any) -> Ticket:
    ticket = make_ticket(timed_connection.company, connection=timed_connection, **fields)
    ticket.last_inbound_at = timezone.now()
    ticket.save()
    at = timezone.now() - timedelta(minutes=minutes)
    TrackingCycle.objects.filter(ticket=ticket).update(queued_at=at)
    return ticket


def answered(timed_connection: Connection, *, minutes: float = 31, **fields: Any) -> Ticket:
    """An open ticket where our side spoke last, so long ago."""
    fields.setdefault("status", "open")
    by_us = fields.pop("by_us", True)
    ack = fields.pop("ack", 2)
    ticket = make_ticket(timed_connection.company, connection=timed_connection, **fields)
    ticket.contact.name = "Maria Silva"
    ticket.contact.save()
    ticket.last_inbound_at = timezone.now() - timedelta(minutes=minutes + 1)
    ticket.latest_message = make_message(ticket, from_me=by_us, ack=ack)
    ticket.updated_at = timezone.now() - timedelta(minutes=minutes)
    ticket.save()
    return ticket


def fresh(ticket: Ticket) -> Ticket:
    return Ticket.objects.get(pk=ticket.pk)


def sent(ticket: Ticket) -> list[str]:
    rows = Message.objects.filter(ticket=ticket, source="bot").order_by("id")
    return list(rows.values_list("body", flat=True))


def test_who_waits_too_long_without_a_queue_is_moved_and_greeted(
    timed_connection: Connection, queue: Queue, emitted: list[Any]
) -> None:
    queue.greeting_message = "Aqui é a Vendas."
    queue.save()
    ticket = waiting(timed_connection)
    assert run_timers() == 1
    ticket = fresh(ticket)
    assert (ticket.queue, ticket.status) == (queue, "pending")
    assert sent(ticket) == ["Aqui é a Vendas."]
    event = TicketActivity.objects.get(ticket=ticket)
    assert (event.kind, event.detail) == ("queued", {"queue": "Vendas", "by": "timer"})
    assert any(payload.get("event") for event, payload in emitted if event == "ticket")
    assert run_timers() == 0


def test_a_transfer_by_time_is_told_where_transfers_are(
    timed_connection: Connection, queue: Queue
) -> None:
    CompanySetting.objects.create(
        company=timed_connection.company, key="sendMsgTransfTicket", value="enabled"
    )
    ticket = waiting(timed_connection)
    run_timers()
    assert sent(fresh(ticket))[0].startswith(
        "*Mensagem Automática:*\nSeu atendimento foi transferido para a fila *Vendas*"
    )


def test_a_contact_who_goes_on_writing_waits_no_longer_for_it(timed_connection: Connection) -> None:
    ticket = waiting(timed_connection)
    make_message(ticket)
    Ticket.objects.filter(pk=ticket.pk).update(updated_at=timezone.now())
    assert run_timers() == 1


def test_only_unheld_tickets_without_a_queue_move_and_only_in_time(
    acme: Company, timed_connection: Connection, queue: Queue, agent: User
) -> None:
    other = make_queue(acme)
    kept = [
        waiting(timed_connection, minutes=9),
        waiting(timed_connection, queue=other),
        waiting(timed_connection, is_group=True),
        waiting(timed_connection, status="closed"),
        waiting(timed_connection, status="open", user=agent),
        waiting(make_connection(acme, queues=[queue, other], transfer_queue=queue)),
        waiting(make_connection(acme, queues=[queue, other], minutes_to_transfer=1)),
    ]
    queues = [ticket.queue_id for ticket in kept]
    assert run_timers() == 0
    assert [fresh(ticket).queue_id for ticket in kept] == queues


def test_a_silent_contact_is_told_and_the_ticket_closes(
    timed_connection: Connection, agent: User, emitted: list[Any]
) -> None:
    ticket = answered(timed_connection, user=agent)
    assert run_timers() == 1
    ticket = fresh(ticket)
    assert ticket.status == "closed" and ticket.closed_at is not None
    assert sent(ticket) == ["Maria, encerramos por falta de resposta."]
    assert TrackingCycle.objects.get(ticket=ticket).finished_at is not None
    event = TicketActivity.objects.get(ticket=ticket)
    assert (event.kind, event.actor) == ("expired", None)
    removal = [payload for event, payload in emitted if payload["action"] == "delete"]
    assert removal == [{"action": "delete", "ticketId": ticket.pk, "oldStatus": "open"}]
    assert run_timers() == 0


def test_no_rating_is_asked_of_who_fell_silent(timed_connection: Connection, agent: User) -> None:
    for key in ("userRating", "closePending"):
        CompanySetting.objects.create(company=timed_connection.company, key=key, value="enabled")
    timed_connection.completion_message = "Obrigado!"
    timed_connection.inactive_message = ""
    timed_connection.save()
    ticket = answered(timed_connection, user=agent)
    run_timers()
    assert (fresh(ticket).status, sent(ticket)) == ("closed", [])


def test_the_queue_must_let_its_chats_expire(timed_connection: Connection, queue: Queue) -> None:
    ticket = answered(timed_connection, queue=queue)
    assert run_timers() == 0
    queue.expire_chat = True
    queue.save()
    assert run_timers() == 1
    assert fresh(ticket).status == "closed"


def test_pending_tickets_expire_where_the_company_says_so(timed_connection: Connection) -> None:
    ticket = answered(timed_connection, status="pending")
    TrackingCycle.objects.filter(ticket=ticket).update(queued_at=timezone.now())
    assert run_timers() == 0
    CompanySetting.objects.create(
        company=timed_connection.company, key="closePending", value="enabled"
    )
    assert run_timers() == 1
    assert fresh(ticket).status == "closed"
    assert TicketActivity.objects.filter(ticket=ticket, kind="expired").exists()


@pytest.mark.parametrize(
    "fields",
    [
        {"by_us": False},
        {"ack": -1},
        {"ack": 0},
        {"is_group": True},
        {"minutes": 29},
        {"status": "closed"},
    ],
)
def test_what_is_not_a_silent_contact_stays_as_it_is(
    timed_connection: Connection, fields: dict[str, Any]
) -> None:
    ticket = answered(timed_connection, **fields)
    assert run_timers() == 0
    assert fresh(ticket).status == ticket.status


def test_without_a_time_nothing_expires(timed_connection: Connection) -> None:
    timed_connection.ticket_expires_minutes = 0
    timed_connection.save()
    answered(timed_connection, minutes=100_000)
    assert run_timers() == 0


def test_a_closed_window_closes_the_ticket_without_words(timed_connection: Connection) -> None:
    ticket = answered(timed_connection, minutes=25 * 60)
    assert run_timers() == 1
    assert (fresh(ticket).status, sent(ticket)) == ("closed", [])


def test_each_line_has_its_own_time(acme: Company, timed_connection: Connection) -> None:
    slow = make_connection(acme, ticket_expires_minutes=60)
    kept = answered(slow)
    closed = answered(timed_connection)
    assert run_timers() == 1
    assert (fresh(kept).status, fresh(closed).status) == ("open", "closed")
    assert run_timers(now=timezone.now() + timedelta(minutes=30)) == 1


def test_finding_costs_the_same_however_many_tickets_there_are(
    timed_connection: Connection,
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(database) as captured:
            assert run_timers() == 0
        return len(captured)

    before = queries()
    for _ in range(5):
        waiting(timed_connection, minutes=1)
        answered(timed_connection, minutes=1)
    # Two statements for each of the four rules: the times that connections set, and whom they are
    # over for.
    assert queries() == before <= 4 * 2


def test_a_run_ends_in_time_and_leaves_the_rest_to_the_next(timed_connection: Connection) -> None:
    for _ in range(3):
        waiting(timed_connection)
    assert [run_timers(longest=0) for _ in range(4)] == [1, 1, 1, 0]


def test_a_ticket_that_fails_keeps_no_other_from_its_turn(
    timed_connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = answered(timed_connection), answered(timed_connection)
    write = write_automatic_text

    def breaks(ticket: Ticket, text: str, origin: Origin) -> Any:
        if ticket.pk == first.pk:
            raise RuntimeError
        return write(ticket, text, origin)

    with monkeypatch.context() as broken:
        broken.setattr(timers, "write_automatic_text", breaks)
        assert run_timers() == 1
    assert (fresh(first).status, fresh(second).status) == ("open", "closed")
    assert run_timers() == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_do_a_thing_once() -> None:
    company = make_company()
    queue = make_queue(company)
    timed_connection = make_connection(
        company,
        ticket_expires_minutes=30,
        inactive_message="Encerrado.",
        minutes_to_transfer=10,
        transfer_queue=queue,
    )
    silent = [answered(timed_connection) for _ in range(8)]
    moved = [waiting(timed_connection) for _ in range(8)]
    start = Barrier(2)

    def work(_: int) -> int:
        start.wait(timeout=10)
        try:
            return run_timers()
        finally:
            database.close()

    with ThreadPoolExecutor(2) as pool:
        changed = sum(pool.map(work, range(2)))
    assert changed + run_timers() == 16
    for ticket in silent:
        assert (fresh(ticket).status, sent(ticket)) == ("closed", ["Encerrado."])
    assert TicketActivity.objects.filter(ticket__in=silent, kind="expired").count() == 8
    assert TicketActivity.objects.filter(ticket__in=moved, kind="queued").count() == 8


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_ticket_that_someone_acts_on_is_not_waited_for() -> None:
    timed_connection = make_connection(make_company(), ticket_expires_minutes=30)
    held, free = answered(timed_connection), answered(timed_connection)
    locked, done = Event(), Event()

    def act() -> None:
        try:
            with transaction.atomic():
                ticket = Ticket.objects.select_for_update().get(pk=held.pk)
                locked.set()
                done.wait(timeout=10)
                ticket.updated_at = timezone.now()
                ticket.save()
        finally:
            database.close()

    with ThreadPoolExecutor(1) as pool:
        acting = pool.submit(act)
        assert locked.wait(timeout=10)
        assert run_timers() == 1
        done.set()
        acting.result(timeout=10)
    assert (fresh(held).status, fresh(free).status) == ("open", "closed")
    assert run_timers() == 0


@pytest.mark.django_db(transaction=True)
def test_no_transaction_touches_more_than_one_ticket(
    timed_connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever reads or writes beside the timers waits for one ticket at most."""
    tickets = [waiting(timed_connection) for _ in range(4)]
    tickets += [answered(timed_connection) for _ in range(4)]
    touched: dict[int, list[int]] = {}

    def noting(change: Any) -> Any:
        def noted(ticket: Ticket) -> None:
            begun = [each for each in queries if (each["sql"] or "").startswith("BEGIN")]
            touched.setdefault(len(begun), []).append(ticket.pk)
            change(ticket)

        return noted

    for name in ("_move", "_expire"):
        monkeypatch.setattr(timers, name, noting(getattr(timers, name)))
    with CaptureQueriesContext(database) as queries:
        run_timers()
        assert not database.in_atomic_block
    assert sorted(pk for pks in touched.values() for pk in pks) == [each.pk for each in tickets]
    assert max(map(len, touched.values())) == 1
