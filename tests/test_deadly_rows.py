"""Rows whose worker died at each try: they end by their own rules and are not begun again.

Work that must be done is put off instead, and what stands behind it goes on.
"""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.campaigns.models import (
    Campaign,
    CampaignRecipient,
    CampaignStatus,
    ContactListCheck,
    ContactListItem,
)
from apps.campaigns.services import checking, sending
from apps.common.leases import DEADLY_ATTEMPTS, LeasedRow
from apps.companies.models import Company, CompanyRemoval, RetentionRun
from apps.companies.services import removal, retention
from apps.connections.models import Connection
from apps.contacts.models import Contact, ContactImport, ContactPicture
from apps.contacts.services import pictures
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
from apps.tickets.services.outbox import deliveries, departure
from conftest import ClientFor
from tests.factories import (
    make_campaign,
    make_contact_list,
    make_message,
    make_schedule,
    make_ticket,
)
from tests.graph import GraphServer
from tests.mailbox import Mailbox
from tests.sheets import upload_of

__all__ = ["mailbox"]

pytestmark = [
    pytest.mark.django_db,
    # The login goes over loopback.
    pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS"),
]


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
        attempts=departure.MAX_ATTEMPTS,
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
        company=acme, ticket=ticket, first_message=message, attempts=pause_worker.MAX_ATTEMPTS
    )
    pause_worker.end_due(limit=1)
    assert BotPause.objects.get().state == "failed"


@pytest.mark.parametrize(
    ("status", "ends_as", "goes_on_as"),
    [
        (CampaignStatus.RUNNING, CampaignStatus.CANCELLED, CampaignStatus.FINISHED),
        (CampaignStatus.SCHEDULED, CampaignStatus.INACTIVE, CampaignStatus.RUNNING),
    ],
)
def test_a_campaign(
    acme: Company,
    admin: User,
    agent: User,
    connection: Connection,
    client_for: ClientFor,
    events: list[dict[str, Any]],
    mailbox: Mailbox,
    status: str,
    ends_as: str,
    goes_on_as: str,
) -> None:
    people = make_contact_list(acme, people=[("Lia", "5511900001111"), ("Rui", "5511900002222")])
    fields: dict[str, Any] = {
        "contact_list": people,
        "connection": connection,
        "status": status,
    }
    deadly = make_campaign(acme, name="Natal", attempts=DEADLY_ATTEMPTS, **fields)
    behind = make_campaign(acme, **fields)
    for campaign in (deadly, behind):
        if status == CampaignStatus.RUNNING:
            CampaignRecipient.objects.create(
                company=acme,
                campaign=campaign,
                name="Lia",
                number="5511900001111",
                canonical_number="5511900001111",
            )
    sending.send_due(limit=20)
    answer = client_for(admin).get(f"/api/campaigns/{deadly.pk}")
    row = json.loads(answer.getvalue())
    assert (row["status"], row["waitCode"], row["scheduledAt"] is None) == (
        ends_as,
        "internal",
        ends_as == CampaignStatus.INACTIVE,
    )
    told = [each["payload"]["record"] for each in events if each["event"] == "campaign"]
    standing = [(each["id"], each["status"], each["waitCode"]) for each in told]
    assert (deadly.pk, ends_as, "internal") in standing
    entry = AuditEntry.objects.get(action="campaign.stopped")
    assert (entry.actor, entry.company, entry.detail) == (None, acme, {"name": "Natal"})
    [mail] = Mail.objects.all()
    assert (mail.recipient, mail.subject) == (admin.email, "A campanha Natal parou")
    behind.refresh_from_db()
    # The one behind it went on: to its start, or to its end, outside the recipient's window.
    assert (behind.status, behind.wait_code, behind.attempts) == (goes_on_as, "", 0)


class Killed(BaseException):
    """Ends the worker, as far as its rows can tell."""


# What makes a row, what does the work, and where in it the worker is killed.
CLAIMED_TOGETHER: dict[str, tuple[Any, Any, str]] = {
    "campaigns": (
        lambda ticket: make_campaign(
            ticket.company,
            connection=ticket.connection,
            contact_list=make_contact_list(ticket.company, people=[("Lia", "5511900001111")]),
        ),
        sending.send_due,
        "apps.campaigns.services.sending.start_campaign",
    ),
    "schedules": (
        lambda ticket: make_schedule(
            ticket.company, contact=ticket.contact, send_at=timezone.now() - timedelta(minutes=1)
        ),
        send_due,
        "apps.schedules.services.sending.latest_connection_of",
    ),
    "mails": (
        lambda ticket: write_mail(
            company_id=ticket.company_id,
            recipient="ana@example.com",
            template="accounts/mail/password_changed",
            language="pt",
        ),
        deliver_mails,
        "apps.mail.services.outbox._message_of",
    ),
    "pictures": (
        lambda ticket: ContactPicture.objects.create(
            contact=ticket.contact, connection=ticket.connection
        ),
        pictures.fetch_due,
        "apps.contacts.services.pictures.provider_for",
    ),
    "files": (
        lambda ticket: MediaFetch.objects.create(
            message=make_message(ticket), connection=ticket.connection, media_id="m1"
        ),
        fetching.fetch_due,
        "apps.tickets.services.messages.fetching.provider_for",
    ),
}


def killed_worker(path: str, monkeypatch: pytest.MonkeyPatch, work: Any) -> None:
    """Do work whose worker is killed at the function of this path."""

    def kill(*args: Any, **kwargs: Any) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(path, kill)
        with pytest.raises(Killed):
            work(limit=20)


@pytest.mark.parametrize("kind", CLAIMED_TOGETHER)
def test_an_attempt_counts_for_the_row_that_ends_its_worker_and_for_no_other(
    kind: str,
    acme: Company,
    connection: Connection,
    mailbox: Mailbox,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make, work, path = CLAIMED_TOGETHER[kind]
    rows = [make(make_ticket(acme, connection=connection)) for _ in range(2)]
    killed_worker(path, monkeypatch, work)
    for row in rows:
        row.refresh_from_db()
    assert [(row.attempts, row.state) for row in rows] == [(1, "waiting"), (0, "waiting")]


def test_a_pause_that_was_attempted_before_costs_no_other_an_attempt(
    acme: Company, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses = []
    for _ in range(2):
        ticket = make_ticket(acme, connection=connection)
        pause = BotPause(company=acme, ticket=ticket, first_message=make_message(ticket))
        pauses.append(pause)
    BotPause.objects.bulk_create(pauses)
    # New ones are judged together, so the first death counts for both.
    for attempts in ([1, 1], [2, 1], [3, 1]):
        killed_worker(
            "apps.tickets.services.bot.pause_worker.judge_heard", monkeypatch, pause_worker.end_due
        )
        rows = BotPause.objects.order_by("pk")
        assert list(rows.values_list("attempts", flat=True)) == attempts
    pause_worker.end_due(limit=20)
    assert list(BotPause.objects.values_list("pk", "state")) == [(pauses[0].pk, "failed")]


def test_internal_errors_never_stop_a_campaign(
    acme: Company, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = make_contact_list(acme, people=[("Lia", "5511900001111")])
    campaign = make_campaign(acme, contact_list=people, connection=connection)

    def fail(campaign: Campaign) -> None:
        raise RuntimeError("disk")

    monkeypatch.setattr(sending, "start_campaign", fail)
    for _ in range(DEADLY_ATTEMPTS + 2):
        Campaign.objects.update(next_attempt_at=timezone.now())
        assert sending.send_due(limit=1) == 1
    campaign.refresh_from_db()
    assert (campaign.status, campaign.wait_code) == (CampaignStatus.SCHEDULED, "internal")
    monkeypatch.undo()
    # A worker died once after them.
    Campaign.objects.update(attempts=F("attempts") + 1, next_attempt_at=timezone.now())
    sending.send_due(limit=1)
    campaign.refresh_from_db()
    assert (campaign.status, campaign.wait_code) == (CampaignStatus.RUNNING, "")


def test_a_stopped_campaign_that_is_restarted_counts_anew(
    acme: Company, admin: User, connection: Connection, client_for: ClientFor
) -> None:
    people = make_contact_list(acme, people=[("Lia", "5511900001111")])
    campaign = make_campaign(acme, contact_list=people, connection=connection)
    sending.send_due(limit=1)
    Campaign.objects.update(attempts=DEADLY_ATTEMPTS, next_attempt_at=timezone.now())
    sending.send_due(limit=1)
    client = client_for(admin)
    saved = client.put(f"/api/campaigns/{campaign.pk}", {"name": "Natal"}, "json").json()
    assert (saved["status"], saved["waitCode"]) == (CampaignStatus.CANCELLED, "")
    assert client.post(f"/api/campaigns/{campaign.pk}/restart").status_code == 200
    campaign.refresh_from_db()
    assert (campaign.status, campaign.attempts) == (CampaignStatus.RUNNING, 0)


def test_a_check_of_numbers(acme: Company, connection: Connection) -> None:
    lists = [make_contact_list(acme, people=[("Lia", "5511900001111")]) for _ in range(2)]
    ContactListItem.objects.update(is_whatsapp_valid=None)
    deadly, _ = (ContactListCheck.objects.create(company=acme, contact_list=each) for each in lists)
    ContactListCheck.objects.filter(pk=deadly.pk).update(attempts=DEADLY_ATTEMPTS)
    checking.check_due(limit=4)
    validity = dict(ContactListItem.objects.values_list("contact_list", "is_whatsapp_valid"))
    assert list(validity.values()) == [None, True]
    a_day_later(deadly)
    checking.check_due(limit=4)
    assert not ContactListItem.objects.filter(is_whatsapp_valid=None).exists()


def test_a_check_that_waited_long_survives_one_death(acme: Company) -> None:
    people = make_contact_list(acme, people=[("Lia", "5511900001111")])
    ContactListItem.objects.update(is_whatsapp_valid=None)
    check = ContactListCheck.objects.create(company=acme, contact_list=people)
    for _ in range(DEADLY_ATTEMPTS + 2):  # no session is connected
        ContactListCheck.objects.update(next_attempt_at=timezone.now())
        checking.check_due(limit=1)
    ContactListCheck.objects.update(attempts=F("attempts") + 1, next_attempt_at=timezone.now())
    checking.check_due(limit=1)
    check.refresh_from_db()
    assert check.next_attempt_at < timezone.now() + timedelta(hours=1)


def test_a_removal_of_a_company(acme: Company, globex: Company, super_user: User) -> None:
    for company in (acme, globex):
        removal.delete_company(company_id=company.pk, actor=super_user)
    deadly = CompanyRemoval.objects.get(company=acme)
    CompanyRemoval.objects.filter(pk=deadly.pk).update(attempts=DEADLY_ATTEMPTS)
    removal.remove_due(limit=1)
    removal.remove_due(limit=1)
    assert set(Company.objects.exclude(deleted_at=None)) == {acme}
    a_day_later(deadly)
    removal.remove_due(limit=1)
    assert not Company.objects.exclude(deleted_at=None).exists()


def test_a_run_of_retention(acme: Company, globex: Company) -> None:
    limits = {"messages": timezone.now().isoformat()}
    deadly, other = (
        RetentionRun.objects.create(company=company, limits=limits) for company in (acme, globex)
    )
    RetentionRun.objects.filter(pk=deadly.pk).update(attempts=DEADLY_ATTEMPTS)
    retention.run_due(limit=2)
    other.refresh_from_db()
    assert other.state == "done"
    a_day_later(deadly)
    retention.run_due(limit=1)
    deadly.refresh_from_db()
    assert deadly.state == "done"


def a_day_later(row: LeasedRow) -> None:
    """Assert that a row is put off by a day, and let that day pass."""
    row.refresh_from_db()
    assert (row.state, row.is_held) == ("waiting", False)
    assert timedelta(hours=23) < row.next_attempt_at - timezone.now() <= timedelta(days=1)
    type(row)._default_manager.filter(pk=row.pk).update(next_attempt_at=timezone.now())
