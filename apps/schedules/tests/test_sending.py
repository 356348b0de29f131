import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.db import connection as database
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.common import leases
from apps.common.media import store_media
from apps.common.sweeps import sweep
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundStatus
from apps.connections.services import delete_connection
from apps.contacts.models import Contact
from apps.schedules.events import SCHEDULE
from apps.schedules.models import Schedule
from apps.schedules.services.schedules import retry_schedule
from apps.schedules.services.sending import send_due
from apps.schedules.tests.conftest import Make, later
from apps.tickets.models import Ack, Delivery, Message, Ticket
from apps.tickets.services.outbox import resend
from apps.tickets.services.outbox.deliveries import deliver_due
from apps.tickets.services.outbox.statuses import apply_statuses
from apps.tickets.services.tickets.updates import delete_ticket
from tests.events import Told
from tests.factories import make_connection, make_contact, make_schedule, make_ticket
from tests.graph import GraphServer, graph_error

pytestmark = pytest.mark.django_db


def send(limit: int = 100) -> int:
    return send_due(limit=limit)


def deliver() -> int:
    return deliver_due(limit=100)


def reread(schedule: Schedule) -> Schedule:
    return Schedule.objects.get(pk=schedule.pk)


def test_a_due_one_arrives_and_says_so(
    ticket: Ticket, agent: User, due: Make, graph: GraphServer, told: list[Told]
) -> None:
    schedule = due(user=agent, body="Olá, {{firstName}}! Protocolo {{protocol}}.{{nada}}")
    assert send() == 1
    schedule = reread(schedule)
    assert (schedule.status, schedule.sent_at, schedule.state) == ("AGENDADA", None, "done")
    assert deliver() == 1
    schedule = reread(schedule)
    assert (schedule.status, schedule.error_reason) == ("ENVIADA", "")
    assert schedule.sent_at is not None
    assert schedule.connection == ticket.connection
    message = schedule.message
    assert message is not None
    assert (message.ticket, message.user, message.source) == (ticket, agent, "schedule")
    protocol = f"{ticket.created_at:%Y%m%d}{ticket.pk:06d}"
    assert graph.messages[0]["text"]["body"] == f"Olá, Maria! Protocolo {protocol}."
    states = [each.payload["schedule"]["status"] for each in told if each.event == SCHEDULE.name]
    assert states == ["AGENDADA", "ENVIADA"]


def test_one_whose_time_has_not_come_waits(ticket: Ticket, due: Make) -> None:
    due(send_at=later(minutes=1))
    assert send() == 0


def test_a_late_one_still_goes(ticket: Ticket, due: Make) -> None:
    schedule = due(send_at=later(days=-9))
    assert send() == 1
    assert reread(schedule).status == "AGENDADA"


def test_none_goes_twice(ticket: Ticket, due: Make) -> None:
    due()
    assert (send(), send(), Message.objects.count()) == (1, 0, 1)


def test_a_claim_whose_worker_died_is_taken_over_and_an_old_one_changes_nothing(
    ticket: Ticket, due: Make
) -> None:
    alive = due(state="claimed", owner="a", lease_expires_at=later(seconds=60))
    dead = due(state="claimed", owner="b", lease_expires_at=later(seconds=-1))
    assert send() == 1
    assert (reread(alive).status, reread(dead).status) == ("PENDENTE", "AGENDADA")


def test_the_company_s_zone_fills_the_hour(
    acme: Company, ticket: Ticket, due: Make, graph: GraphServer
) -> None:
    CompanySetting.objects.create(company=acme, key="timeZone", value="Asia/Tokyo")
    due(body="Agora são {{hora}}")
    send()
    moment = timezone.now() + timedelta(hours=9)
    expected = {f"Agora são {moment - timedelta(minutes=late):%H:%M}" for late in (0, 1)}
    assert Message.objects.get().body in expected


def test_nothing_is_opened_nor_read_and_the_newest_ticket_gets_it(
    acme: Company, agent: User, connection: Connection, contact: Contact, due: Make
) -> None:
    make_ticket(acme, contact=contact, connection=connection, status="closed")
    live = make_ticket(
        acme,
        contact=contact,
        connection=connection,
        status="open",
        user=agent,
        unread_count=3,
        last_inbound_at=timezone.now(),
    )
    schedule = due(user=agent)
    send()
    live.refresh_from_db()
    message = reread(schedule).message
    assert message is not None
    assert message.ticket == live
    assert (live.status, live.unread_count, live.last_message) == ("open", 3, message.body)
    assert Ticket.objects.count() == 2


def test_the_contact_s_last_connection_goes_before_the_default_one(
    acme: Company, connection: Connection, contact: Contact, due: Make
) -> None:
    other = make_connection(acme)
    now = timezone.now()
    make_ticket(acme, contact=contact, connection=connection, status="closed", last_inbound_at=now)
    make_ticket(acme, contact=contact, connection=other, status="closed", last_inbound_at=now)
    schedule = due()
    send()
    assert reread(schedule).connection == other


def test_a_contact_never_spoken_to_gets_a_ticket_that_is_born_closed(
    acme: Company, contact: Contact, due: Make, monkeypatch: pytest.MonkeyPatch, queue: Any
) -> None:
    connection = make_connection(acme, queues=[queue])
    # A provider without a window: the official one would refuse.
    monkeypatch.setattr("apps.tickets.services.messages.addressing.is_window_open", lambda *_: True)
    schedule, second = due(), due(body="E mais uma coisa")
    send()
    ticket = Ticket.objects.get()
    assert (ticket.status, ticket.connection, ticket.queue) == ("closed", connection, queue)
    assert (ticket.user, ticket.unread_count) == (None, 0)
    assert not ticket.cycles.exists()
    assert Message.objects.filter(ticket=ticket, schedule__in=[schedule, second]).count() == 2


def test_without_any_connection_it_fails_in_words(
    contact: Contact, due: Make, told: list[Told]
) -> None:
    schedule = due()
    assert send() == 1
    schedule = reread(schedule)
    assert (schedule.status, schedule.error_code) == ("ERRO", "ERR_NO_DEF_WAPP_FOUND")
    assert "conexão" in schedule.error_reason
    assert told[0].payload["schedule"]["errorReason"] == schedule.error_reason
    assert send() == 0


def test_outside_the_window_nothing_is_sent(
    connection: Connection, contact: Contact, ticket: Ticket, due: Make
) -> None:
    Ticket.objects.update(last_inbound_at=timezone.now() - timedelta(hours=25))
    schedule = due()
    stranger = due(contact=make_contact(contact.company))
    send()
    for each in (schedule, stranger):
        failed = reread(each)
        assert (failed.status, failed.error_code) == ("ERRO", "ERR_OUTSIDE_24H_WINDOW")
        assert "24 horas" in failed.error_reason
    assert not Message.objects.exists()
    assert Ticket.objects.count() == 1


def test_a_contact_that_lost_its_number_fails_in_words(
    ticket: Ticket, contact: Contact, due: Make
) -> None:
    schedule = due()
    Contact.objects.filter(pk=contact.pk).update(number="")
    send()
    assert reread(schedule).error_code == "ERR_WAPP_INVALID_CONTACT"


def test_a_text_of_unknown_variables_alone_fails_in_words(ticket: Ticket, due: Make) -> None:
    schedule = due(body="{{nada}} {{disso}}")
    send()
    assert reread(schedule).error_code == "ERR_SCHEDULE_EMPTY"
    assert not Message.objects.exists()


@pytest.fixture
def media(acme: Company) -> dict[str, Any]:
    stored = store_media(
        company_id=acme.pk, content=b"%PDF-1.4 x", name="boleto.pdf", mime="application/pdf"
    )
    return {
        "media_path": stored.path,
        "media_name": stored.name,
        "media_mime": stored.mime,
        "media_size": stored.size,
    }


def test_a_file_goes_with_the_text_as_caption_and_outlives_the_schedule(
    ticket: Ticket,
    agent: User,
    due: Make,
    graph: GraphServer,
    media: dict[str, Any],
    client_for: Any,
    django_capture_on_commit_callbacks: Any,
) -> None:
    schedule = due(body="Segue o boleto, {{firstName}}", **media)
    send()
    deliver()
    sent = graph.messages[0]
    assert sent["type"] == "document"
    assert sent["document"]["caption"] == "Segue o boleto, Maria"
    assert sent["document"]["filename"] == "boleto.pdf"
    assert reread(schedule).status == "ENVIADA"
    with django_capture_on_commit_callbacks(execute=True):
        client_for(agent).delete(f"/api/schedules/{schedule.pk}")
    assert default_storage.exists(media["media_path"])


def test_sound_takes_no_caption_so_the_text_goes_before_it(
    acme: Company, ticket: Ticket, due: Make
) -> None:
    stored = store_media(company_id=acme.pk, content=b"ID3 x", name="oi.mp3", mime="audio/mpeg")
    schedule = due(
        body="Escute isto",
        media_path=stored.path,
        media_name=stored.name,
        media_mime=stored.mime,
        media_size=stored.size,
    )
    send()
    text, sound = Message.objects.all()
    assert (text.body, text.media_path) == ("Escute isto", "")
    assert (sound.media_type, reread(schedule).message) == ("audio", sound)


def test_a_text_too_long_for_a_caption_goes_before_the_file(
    ticket: Ticket, due: Make, graph: GraphServer, media: dict[str, Any]
) -> None:
    schedule = due(body="x" * 1025, **media)
    send()
    deliver()
    assert [sent["type"] for sent in graph.messages] == ["text", "document"]
    assert "caption" not in graph.messages[1]["document"]
    assert reread(schedule).status == "ENVIADA"
    assert reread(schedule).message == Message.objects.last()


def test_a_file_that_is_gone_fails_in_words(
    ticket: Ticket, due: Make, media: dict[str, Any]
) -> None:
    schedule = due(**media)
    default_storage.delete(media["media_path"])
    send()
    assert reread(schedule).error_code == "ERR_MEDIA_NOT_FOUND"
    assert not Message.objects.exists()


def test_a_refusal_of_the_provider_is_the_reason_and_sending_again_uses_the_same_message(
    ticket: Ticket, agent: User, due: Make, graph: GraphServer
) -> None:
    schedule = due(user=agent)
    graph.fault = lambda payload: graph_error(131026)
    send()
    deliver()
    schedule = reread(schedule)
    assert (schedule.status, schedule.sent_at) == ("ERRO", None)
    message = schedule.message
    assert message is not None
    assert schedule.error_reason == message.error_reason != ""
    graph.fault = lambda payload: False
    retry_schedule(user=agent, schedule_id=schedule.pk)
    assert send() == 1
    assert reread(schedule).status == "AGENDADA"
    deliver()
    schedule = reread(schedule)
    assert (schedule.status, schedule.message, schedule.error_reason) == ("ENVIADA", message, "")
    assert Message.objects.count() == 1


def test_sent_again_from_the_conversation_it_succeeds(
    acme: Company,
    connection: Connection,
    agent: User,
    contact: Contact,
    due: Make,
    graph: GraphServer,
) -> None:
    make_ticket(
        acme,
        contact=contact,
        connection=connection,
        status="open",
        user=agent,
        last_inbound_at=timezone.now(),
    )
    schedule = due()
    graph.fault = lambda payload: graph_error(131026)
    send()
    deliver()
    graph.fault = lambda payload: False
    message = reread(schedule).message
    assert message is not None
    resend(message=message, user=agent)
    # Somebody presses 'send again' at the schedule as well: it is on its way already.
    retry_schedule(user=agent, schedule_id=schedule.pk)
    send()
    deliver()
    assert (reread(schedule).status, len(graph.messages)) == ("ENVIADA", 1)


def test_a_late_failure_takes_the_success_back_and_a_delivery_gives_it_again(
    ticket: Ticket, connection: Connection, due: Make, graph: GraphServer
) -> None:
    schedule = due()
    send()
    deliver()
    message = reread(schedule).message
    assert message is not None

    def report(ack: int, *, code: str = "", error: str = "") -> None:
        external_id = message.external_id or ""
        status = InboundStatus(external_id=external_id, ack=ack, code=code, error=error)
        apply_statuses([(connection, status)])

    report(Ack.ERROR, code="131047", error="Faz mais de 24 horas.")
    failed = reread(schedule)
    assert (failed.status, failed.sent_at) == ("ERRO", None)
    assert (failed.error_code, failed.error_reason) == ("131047", "Faz mais de 24 horas.")
    report(Ack.DELIVERED)
    assert reread(schedule).status == "ENVIADA"


def test_statuses_of_other_messages_cost_no_look_at_schedules(
    ticket: Ticket, connection: Connection
) -> None:
    message = Message.objects.create(
        company=ticket.company,
        connection=connection,
        ticket=ticket,
        contact=ticket.contact,
        from_me=True,
        source="agent",
        external_id="wamid.1",
        callback_id=uuid.uuid4(),
    )
    with CaptureQueriesContext(database) as queries:
        apply_statuses([(connection, InboundStatus(external_id="wamid.1", ack=Ack.SENT))])
    assert not [each for each in queries if "schedules_schedule" in (each["sql"] or "")]
    message.refresh_from_db()
    assert message.ack == Ack.SENT


def test_a_deleted_connection_fails_what_it_was_to_send(
    acme: Company, admin: User, ticket: Ticket, connection: Connection, due: Make
) -> None:
    schedule = due()
    send()
    delete_connection(connection=connection, actor=admin)
    schedule = reread(schedule)
    assert (schedule.status, schedule.error_code) == ("ERRO", "ERR_NO_WAPP_FOUND")


def test_a_deleted_ticket_fails_what_was_on_its_way(admin: User, ticket: Ticket, due: Make) -> None:
    schedule = due()
    send()
    delete_ticket(user=admin, ticket_id=ticket.pk)
    assert "schedules.send" in sweep(), "nobody else wakes a worker for it"
    send()
    assert "schedules.send" not in sweep()
    schedule = reread(schedule)
    assert (schedule.status, schedule.error_reason) == (
        "ERRO",
        "O atendimento foi excluído antes do envio.",
    )


@pytest.mark.parametrize(
    "change", [{"due_date": timezone.now().date() - timedelta(days=9)}, {"is_enabled": False}]
)
def test_a_company_long_overdue_or_off_waits(
    acme: Company, ticket: Ticket, due: Make, change: dict[str, Any]
) -> None:
    schedule = due()
    Company.objects.filter(pk=acme.pk).update(**change)
    assert send() == 0
    assert reread(schedule).status == "PENDENTE"


def test_a_fault_of_our_own_is_tried_again_and_then_said(
    ticket: Ticket, due: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    schedule = due()

    def break_down(*_: Any, **__: Any) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr("apps.schedules.services.sending.write_message", break_down)
    send()
    schedule = reread(schedule)
    assert (schedule.status, schedule.state, schedule.attempts) == ("PENDENTE", "waiting", 1)
    assert schedule.next_attempt_at > timezone.now()
    Schedule.objects.update(next_attempt_at=timezone.now(), attempts=7)
    send()
    assert (reread(schedule).status, Message.objects.count()) == ("ERRO", 0)


def test_the_message_and_the_new_status_are_one_transaction(
    ticket: Ticket, due: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    schedule = due()

    def break_down(*_: Any) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr("apps.schedules.services.sending._finish", break_down)
    send()
    assert reread(schedule).status == "PENDENTE"
    assert not Message.objects.exists()
    assert not Delivery.objects.exists()


def test_a_hundred_thousand_to_come_do_not_slow_the_look_for_what_is_due(
    acme: Company, contact: Contact
) -> None:
    make_schedule(acme, contact=contact)
    with database.cursor() as cursor:
        if database.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
            explain = "EXPLAIN "
        else:
            explain = "EXPLAIN QUERY PLAN "
        cursor.execute(
            explain + "SELECT id FROM schedules_schedule AS work"
            f" WHERE {leases.UNFINISHED_SQL} AND {leases.DUE_SQL}",
            {"now": "2000-01-01"},
        )
        plan = " ".join(str(row) for row in cursor.fetchall())
    assert "schedule_due" in plan
