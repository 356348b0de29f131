"""What comes from `ticketz-oss/ticketz`."""

import pytest

from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.contacts.models import Contact
from apps.movein.services.report import Report
from apps.movein.tests.bakery import shop_b
from apps.movein.tests.conftest import Sourced, go
from apps.movein.tests.shop import LID, later
from apps.queues.models import Queue, QueueOption
from apps.tickets.models import Message, Ticket, TicketTag, TrackingCycle

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.fixture
def report(operator_company: Company, source: Sourced) -> Report:
    return go(source(shop_b()))


def test_a_bakery_comes(report: Report) -> None:
    company = Company.objects.get(name="Padaria")
    assert str(company.due_date) == "2030-01-31" and company.recurrence == "ANUAL"
    assert not company.plan.is_public
    hours = {each["weekdayEn"]: (each["startTime"], each["endTime"]) for each in company.schedules}
    assert hours["monday"] == ("08:00", "18:00") and hours["sunday"] == ("00:00", "00:00")
    assert hours["lunchTime"] == ("12:00", "13:00")
    settings = dict(CompanySetting.objects.for_company(company).values_list("key", "value"))
    assert settings == {"reopenWindowMinutes": "90", "timeZone": "America/Bahia"}
    # The only one of WhatsApp, so it is the default.
    connection = Connection.objects.get()
    assert (connection.name, connection.is_default) == ("Padaria", True)
    assert QueueOption.objects.get().redirection_queue == Queue.objects.get(name="Forno")
    contact = Contact.objects.get()
    assert (contact.lid, contact.number) == (LID, "5571987650001")


def test_of_two_live_tickets_the_newer_stays_live(report: Report) -> None:
    older, newer = Ticket.objects.order_by("pk")
    assert (older.status, newer.status) == ("closed", "open")
    assert TrackingCycle.objects.get(finished_at=None).ticket == newer
    assert older.closed_at == TrackingCycle.objects.get(ticket=older).finished_at
    # A contact's tag goes to its live ticket.
    assert TicketTag.objects.get().ticket == newer


def test_a_message_in_two_tickets_of_one_connection_comes_once(report: Report) -> None:
    same, failed = Message.objects.order_by("pk")
    assert (same.external_id, same.created_at) == ("SAME", later(0))
    assert (failed.ack, failed.error_code) == (-1, "131026")
    codes = {code: note["count"] for code, note in report.notes.items()}
    assert codes["message_repeated"] == codes["two_live"] == 1
    assert codes["hours_simplified"] >= 1 and codes["currency"] == 1
    assert codes["other_channel"] == 1 and codes["disable_bot_lost"] == 1
    assert report.strangers == []
