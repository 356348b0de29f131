"""What the dashboard's breakdown and its workbook say, and the facts that cycles keep for them."""

from datetime import timedelta
from io import BytesIO
from typing import Any

import openpyxl
import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.companies.models import Company
from apps.companies.queries import zone_of
from apps.connections.models import Connection
from apps.contacts.models import Contact
from apps.queues.models import Queue
from apps.tickets.models import MessageSource, TrackingCycle
from conftest import ClientFor
from tests.factories import (
    make_connection,
    make_contact,
    make_message,
    make_queue,
    make_tag,
    make_ticket,
)

pytestmark = pytest.mark.django_db


def test_a_finished_cycle_keeps_its_queue_and_the_first_words_of_a_person(
    client_for: ClientFor,
    admin: User,
    agent: User,
    acme: Company,
    connection: Connection,
    queue: Queue,
) -> None:
    client = client_for(agent)
    ticket = make_ticket(acme, connection=connection, queue=queue)
    began_at = timezone.now() - timedelta(minutes=30)
    TrackingCycle.objects.filter(ticket=ticket).update(queued_at=began_at)

    def said(minutes: int, source: str) -> None:
        at = began_at + timedelta(minutes=minutes)
        make_message(ticket, from_me=source != "contact", source=source, created_at=at)

    said(-5, MessageSource.AGENT)  # of the cycle before
    said(1, MessageSource.CONTACT)
    said(2, MessageSource.BOT)
    said(7, MessageSource.PHONE)
    said(9, MessageSource.AGENT)
    assert client.put(f"/api/tickets/{ticket.pk}", {"status": "open", "userId": agent.pk}).data
    answer = client.put(f"/api/tickets/{ticket.pk}", {"status": "closed"})
    assert answer.status_code == 200, answer.content
    cycle = TrackingCycle.objects.get(ticket=ticket)
    assert (cycle.queue_id, cycle.contact_id) == (queue.pk, ticket.contact_id)
    assert cycle.first_answer_at == began_at + timedelta(minutes=7)
    shown = client_for(admin).get("/api/dashboard/breakdown?days=2").json()
    assert shown["firstResponse"] == {"count": 1, "average": 7.0}
    [row] = [each for each in shown["queues"] if each["id"] == queue.pk]
    assert (row["tickets"], row["finished"], row["avgFirstResponseTime"]) == (1, 1, 7.0)


def test_who_waits_longest_is_named(
    client_for: ClientFor, admin: User, acme: Company, connection: Connection
) -> None:
    now = timezone.now()
    other = make_queue(acme)
    for minutes, status in ((5, "pending"), (50, "pending"), (90, "open"), (300, "closed")):
        ticket = make_ticket(acme, connection=connection, queue=other, status=status)
        TrackingCycle.objects.filter(ticket=ticket).update(
            queued_at=now - timedelta(minutes=minutes),
            started_at=now if status == "open" else None,
        )
    waiting = client_for(admin).get("/api/dashboard/breakdown?days=1").json()["waiting"]
    assert waiting["count"] == 2
    oldest = TrackingCycle.objects.filter(ticket__status="pending").order_by("queued_at")[0].ticket
    assert waiting["oldest"]["uuid"] == str(oldest.uuid)
    assert waiting["oldest"]["contactName"] == oldest.contact.name
    assert waiting["oldest"]["queueId"] == other.pk


def test_cycles_follow_merged_contacts_and_part_with_them(
    client_for: ClientFor, admin: User, acme: Company
) -> None:
    keep, gone = make_contact(acme), make_contact(acme)
    tickets = [
        make_ticket(acme, contact=each, connection=make_connection(acme)) for each in (keep, gone)
    ]
    client = client_for(admin)

    def leads() -> int:
        shown = client.get("/api/dashboard?days=2").json()
        return int(shown["counters"]["leads"])

    def contacts() -> list[Any]:
        found = TrackingCycle.objects.filter(ticket__in=tickets).order_by("ticket_id")
        return list(found.values_list("contact_id", flat=True))

    assert leads() == 2
    answer = client.post(f"/api/contacts/{keep.pk}/merge", {"contactId": gone.pk}, format="json")
    assert answer.status_code == 200, answer.content
    assert (contacts(), leads()) == ([keep.pk, keep.pk], 1)
    answer = client.post(f"/api/contacts/merges/{answer.json()['merge']['id']}/undo")
    assert answer.status_code == 200, answer.content
    parted = Contact.objects.filter(company=acme).exclude(pk=keep.pk).get()
    assert (contacts(), leads()) == ([keep.pk, parted.pk], 2)


@pytest.mark.parametrize("language", ["pt-BR", "en", "es"])
def test_the_workbook_holds_every_table_and_computes_nothing(
    client_for: ClientFor, admin: User, acme: Company, connection: Connection, language: str
) -> None:
    formula = '=HYPERLINK("http://example.com";"clique")'
    hostile = make_queue(acme, name=formula[:50])
    User.objects.filter(pk=admin.pk).update(name="+cmd|' /C calc'!A0\x07")
    tag = make_tag(acme, name="@SUM(1+1)")
    ticket = make_ticket(acme, connection=connection, queue=hostile)
    ticket.tags.add(tag)
    answer = client_for(admin).get(
        "/api/dashboard/export?days=7", headers={"Accept-Language": language}
    )
    assert answer.status_code == 200
    assert answer["Content-Disposition"] == 'attachment; filename="dashboard.xlsx"'
    book = openpyxl.load_workbook(BytesIO(answer.content))
    assert len(book.sheetnames) == 7
    cells = [cell for page in book for row in page.iter_rows() for cell in row]
    assert {cell.data_type for cell in cells} <= {"s", "n"}
    texts = {cell.value for cell in cells}
    assert {formula[:50], "+cmd|' /C calc'!A0", "@SUM(1+1)"} <= texts
    summary = dict(book.worksheets[0].iter_rows(min_row=2, values_only=True))
    since = TrackingCycle.objects.get(ticket=ticket).queued_at.astimezone(zone_of(acme.pk))
    assert list(summary.values())[-2:] == [ticket.contact.name, f"{since:%d/%m/%Y %H:%M}"]
    attendants, queues = book.worksheets[1], book.worksheets[2]
    assert attendants.max_row == 2
    rows = {row[0]: row[1:] for row in queues.iter_rows(values_only=True)}
    assert rows[formula[:50]][:3] == (1, 1, 0)
    entry = AuditEntry.objects.get(action="dashboard.exported")
    assert (entry.actor_id, entry.company_id) == (admin.pk, acme.pk)
