"""What a contact may ask for: all that is known of them, and to be forgotten (LGPD)."""

import json
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.audit.services import record
from apps.automation.models import IntegrationCall
from apps.campaigns.models import CampaignRecipient, OptOut, OptOutSource, RecipientState
from apps.common.errors import NotFound
from apps.common.leases import LeaseState
from apps.common.media import delete_media, open_media, store_media
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.contacts.models import Contact, ContactField, TicketNote
from apps.inbound.models import InboundEvent
from apps.mail.models import Mail
from apps.tickets.models import Delivery, MessageSource, Rating, TrackingCycle
from apps.tickets.services.outbox import Text, write_message
from conftest import ClientFor
from tests.factories import (
    make_campaign,
    make_contact,
    make_contact_list,
    make_integration,
    make_message,
    make_schedule,
    make_ticket,
)

pytestmark = pytest.mark.django_db
NUMBER, FORMER = "5511987650001", "551187650001"
# Each row about the person has one of these.
MARKS = (NUMBER, FORMER, "Marina", "marina@example.com", "BR.998877")


@pytest.fixture
def person(acme: Company, connection: Connection, agent: User, admin: User) -> Contact:
    """Somebody of whom each app has something."""
    contact = make_contact(
        acme,
        name="Marina Prado",
        number=NUMBER,
        user_id="BR.998877",
        username="marina",
        email="marina@example.com",
    )
    ContactField.objects.create(contact=contact, name="Filha", value="Marina Júnior")
    ticket = make_ticket(acme, contact=contact, connection=connection)
    TicketNote.objects.create(
        company=acme, contact=contact, ticket=ticket, note="Marina é alérgica"
    )
    exam = b"%PDF-1.4 exame de Marina"
    stored = store_media(company_id=acme.pk, content=exam, name="exame.pdf", mime="application/pdf")
    make_message(ticket, body="Sou a Marina", raw={"from": NUMBER})
    make_message(
        ticket,
        body="",
        media_type="application",
        media_state="ready",
        media_path=stored.path,
        media_name="exame da Marina.pdf",
    )
    cycle = TrackingCycle.objects.get(ticket=ticket)
    Rating.objects.create(company=acme, cycle=cycle, ticket=ticket, rate=3)
    IntegrationCall.objects.create(
        company=acme,
        integration=make_integration(acme),
        ticket=ticket,
        event_id=ticket.uuid,
        request_body={"contact": {"name": "Marina"}},
    )
    make_schedule(acme, contact=contact, body="Feliz aniversário, Marina")
    make_contact_list(acme, people=[("Marina Prado", NUMBER)])
    for state in (RecipientState.SENT, RecipientState.PENDING):
        CampaignRecipient.objects.create(
            company=acme,
            campaign=make_campaign(acme),
            name="Marina Prado",
            number=NUMBER,
            canonical_number=NUMBER,
            email="marina@example.com",
            state=state,
        )
    for partition in (NUMBER, FORMER, "BR.998877", "BR.998877@lid"):
        InboundEvent.objects.create(
            connection=connection,
            event_id=f"message:{partition}",
            kind="message",
            partition=partition,
            payload={"name": "Marina", "from": NUMBER},
            state=LeaseState.DONE,
        )
    for number, is_written in enumerate((True, False)):
        Mail.objects.create(
            company=acme,
            recipient="Marina@Example.com",
            subject="Oi" if is_written else "Outra conta",
            body="Olá!",
            is_written=is_written,
            message_id=f"<{number}@example.com>",
        )
    record(
        action="contact.merged",
        actor=admin,
        company_id=acme.pk,
        target=contact,
        detail={"name": "Marina", "otherId": 5, "otherName": "Marina P."},
    )
    return contact


def archive_of(answer: Any) -> ZipFile:
    return ZipFile(BytesIO(answer.getvalue()))


def test_the_archive_has_what_each_app_knows(
    client_for: ClientFor, admin: User, person: Contact
) -> None:
    answer = client_for(admin).get(f"/api/contacts/{person.pk}/data")
    assert answer["Content-Type"] == "application/zip"
    archive = archive_of(answer)
    assert archive.testzip() is None
    known = json.loads(archive.read("dados.json"))
    assert {kind: len(rows) for kind, rows in known.items()} == {
        "contact": 1,
        "emails": 1,
        "notes": 1,
        "tickets": 1,
        "ratings": 1,
        "messages": 2,
        "schedules": 1,
        "contact_lists": 1,
        "campaigns": 2,
        "opt_outs": 0,
    }
    assert known["contact"][0]["extra_info"] == [{"name": "Filha", "value": "Marina Júnior"}]
    assert known["messages"][0]["body"] == "Sou a Marina"
    name = known["messages"][1]["file"]
    assert archive.read(name) == b"%PDF-1.4 exame de Marina"
    entry = AuditEntry.objects.get(action="contact.data_exported")
    assert (entry.actor, entry.object_id) == (admin, str(person.pk))


def test_a_file_that_is_gone_is_named_and_keeps_nothing_back(
    client_for: ClientFor, admin: User, person: Contact
) -> None:
    path = person.tickets.get().messages.exclude(media_path="").get().media_path
    delete_media(path)
    archive = archive_of(client_for(admin).get(f"/api/contacts/{person.pk}/data"))
    missing = archive.read("arquivos-ausentes.txt").decode()
    assert missing.endswith("exame da Marina.pdf")
    assert missing not in archive.namelist()


def rows_that_name(*marks: str) -> list[str]:
    """Return each row of the database that holds one of the texts."""
    encoder = DjangoJSONEncoder(ensure_ascii=False)
    found = []
    for model in apps.get_models(include_auto_created=True):
        for row in model._default_manager.values():
            text = encoder.encode(row)
            found += [f"{model.__name__}: {text}" for mark in marks if mark in text]
    return found


def test_who_is_erased_stands_nowhere_any_more(
    client_for: ClientFor, admin: User, person: Contact, django_capture_on_commit_callbacks: Any
) -> None:
    assert {row.partition(":")[0] for row in rows_that_name(*MARKS)} >= {
        *("Contact", "ContactField", "TicketNote", "Message", "IntegrationCall", "Schedule"),
        *("ContactListItem", "CampaignRecipient", "InboundEvent", "AuditEntry"),
    }
    path = person.tickets.get().messages.exclude(media_path="").get().media_path
    with django_capture_on_commit_callbacks(execute=True):
        answer = client_for(admin).post(f"/api/contacts/{person.pk}/erase")
    assert answer.status_code == 200
    # Events keep their ids and the order they came in, so that no replay counts, and no content.
    assert list(InboundEvent.objects.values_list("payload", flat=True)) == [{}] * 4
    InboundEvent.objects.all().delete()
    # To a user of the same address the product wrote, not the company.
    assert list(Mail.objects.values_list("subject", flat=True)) == ["Outra conta"]
    Mail.objects.all().delete()
    assert rows_that_name(*MARKS) == []
    with pytest.raises(NotFound):
        open_media(path)
    entry = AuditEntry.objects.get(action="contact.erased")
    assert (entry.actor, entry.detail, entry.object_id) == (admin, {}, str(person.pk))


def test_campaigns_keep_their_figures_and_write_to_nobody_who_is_erased(
    client_for: ClientFor, admin: User, person: Contact
) -> None:
    client_for(admin).post(f"/api/contacts/{person.pk}/erase")
    states = CampaignRecipient.objects.order_by("pk").values_list("state", "name", "number")
    assert list(states) == [
        (RecipientState.SENT, "—", ""),
        (RecipientState.SKIPPED, "—", ""),
    ]


def test_what_a_campaign_has_on_its_way_to_who_is_erased_does_not_go(
    client_for: ClientFor, admin: User, person: Contact
) -> None:
    recipient = CampaignRecipient.objects.get(state=RecipientState.PENDING)
    recipient.message = write_message(
        Text("Oi, Marina!"), ticket=person.tickets.get(), user=None, source=MessageSource.CAMPAIGN
    )
    recipient.state = RecipientState.QUEUED
    recipient.save()
    assert client_for(admin).post(f"/api/contacts/{person.pk}/erase").status_code == 200
    assert not Delivery.objects.exists()
    recipient.refresh_from_db()
    assert (recipient.state, recipient.reason_code) == (RecipientState.SKIPPED, "opted_out")


def test_who_opted_out_stays_out(client_for: ClientFor, admin: User, person: Contact) -> None:
    OptOut.objects.create(company=person.company, canonical_number=NUMBER, source=OptOutSource.WORD)
    client_for(admin).post(f"/api/contacts/{person.pk}/erase")
    assert OptOut.objects.filter(canonical_number=NUMBER).exists()


@pytest.mark.parametrize(("method", "deed"), [("get", "data"), ("post", "erase")])
def test_attendants_and_other_companies_may_neither(
    client_for: ClientFor, agent: User, outsider: User, person: Contact, method: str, deed: str
) -> None:
    url = f"/api/contacts/{person.pk}/{deed}"
    assert getattr(client_for(agent), method)(url).status_code == 403
    assert getattr(client_for(outsider), method)(url).status_code == 404
    assert Contact.objects.filter(pk=person.pk).exists()
