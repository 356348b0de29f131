"""Rows whose worker died at each try: they end by their own rules and are not begun again."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.contacts.models import Contact, ContactImport
from apps.contacts.services.file_importing import import_due
from apps.mail.models import Mail
from apps.mail.services import deliver_due as deliver_mails
from apps.mail.services import outbox as mails
from apps.mail.services import write_mail
from apps.mail.tests.test_mail import mailbox
from apps.schedules.models import Schedule, ScheduleStatus
from apps.schedules.services.sending import MAX_ATTEMPTS, send_due
from apps.tickets.models import Ack, BotPause, Delivery, MediaFetch, MediaState
from apps.tickets.services.bot import pause_worker
from apps.tickets.services.messages import fetching
from apps.tickets.services.outbox import deliveries
from conftest import ClientFor
from tests.factories import make_message, make_schedule, make_ticket
from tests.graph import GraphServer
from tests.mailbox import Mailbox
from tests.sheets import upload_of

__all__ = ["mailbox"]

pytestmark = [
    pytest.mark.django_db,
    # The login goes over loopback.
    pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS"),
]


@pytest.fixture
def graph(settings: Any) -> Iterator[GraphServer]:
    server = GraphServer()
    settings.GRAPH_API_URL = server.url
    yield server
    server.stop()


def test_a_file_of_contacts(
    client_for: ClientFor, agent: User, settings: Any, tmp_path: Any
) -> None:
    settings.MEDIA_ROOT = tmp_path
    client = client_for(agent)
    file = {"file": upload_of(b"numero\n5511999990001", "contatos.csv")}
    assert client.post("/api/contacts/import-file", file, format="multipart").status_code == 202
    ContactImport.objects.update(attempts=5)
    import_due(limit=1)
    told = client.get("/api/contacts/imports/current").json()["import"]
    assert (told["status"], told["errorCode"]) == ("failed", "ERR_IMPORT_FAILED")
    assert not Contact.objects.exists()


def test_a_schedule(acme: Company, connection: Connection) -> None:
    ticket = make_ticket(acme, connection=connection, last_inbound_at=timezone.now())
    due = timezone.now() - timedelta(minutes=1)
    make_schedule(acme, contact=ticket.contact, send_at=due, attempts=MAX_ATTEMPTS)
    send_due(limit=1)
    failed = Schedule.objects.get()
    assert (failed.status, failed.message) == (ScheduleStatus.ERROR, None)
    assert failed.last_error == "Erro interno ao enviar a mensagem."


def test_a_received_file(acme: Company, connection: Connection, graph: GraphServer) -> None:
    graph.media["m1"] = ("application/pdf", b"%PDF-1.4")
    message = make_message(
        make_ticket(acme, connection=connection),
        media_type="application",
        media_state=MediaState.FETCHING,
    )
    MediaFetch.objects.create(
        message=message, connection=connection, media_id="m1", attempts=fetching.MAX_ATTEMPTS
    )
    fetching.fetch_due(limit=1)
    message.refresh_from_db()
    assert (message.media_state, message.error_reason) == (
        MediaState.FAILED,
        "Erro interno ao buscar o arquivo.",
    )


def test_a_message(acme: Company, connection: Connection, graph: GraphServer) -> None:
    ticket = make_ticket(acme, connection=connection, status="open")
    message = make_message(ticket, from_me=True, external_id=None)
    Delivery.objects.create(
        company=acme,
        connection=connection,
        contact=ticket.contact,
        message=message,
        attempts=deliveries.MAX_ATTEMPTS,
    )
    deliveries.deliver_due(limit=1)
    message.refresh_from_db()
    assert (message.ack, message.error_reason) == (Ack.ERROR, "Erro interno ao enviar a mensagem.")
    assert not graph.messages


def test_an_email(acme: Company, mailbox: Mailbox) -> None:
    write_mail(
        company_id=acme.pk,
        recipient="ana@example.com",
        template="accounts/mail/password_changed",
        language="pt",
    )
    Mail.objects.update(attempts=mails.MAX_ATTEMPTS)
    deliver_mails(limit=1)
    assert (Mail.objects.get().state, mailbox.taken) == ("failed", [])


def test_a_pause_of_the_bot(acme: Company, connection: Connection) -> None:
    ticket = make_ticket(acme, connection=connection)
    message = make_message(ticket)
    BotPause.objects.create(
        company=acme, ticket=ticket, first_message=message, attempts=pause_worker.TRIES
    )
    pause_worker.end_due(limit=1)
    assert BotPause.objects.get().state == "failed"
