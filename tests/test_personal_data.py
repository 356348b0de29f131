"""What a contact may ask for: all that is known of them, and to be forgotten (LGPD)."""

import json
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection as database
from django.db.models import Model
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.audit.services import record
from apps.automation.models import IntegrationCall
from apps.campaigns.models import (
    CampaignRecipient,
    ContactListImport,
    ImportFault,
    OptOut,
    OptOutSource,
    RecipientState,
)
from apps.common.errors import NotFound
from apps.common.leases import LeaseState
from apps.common.media import delete_media, open_media, store_media
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.contacts.models import (
    Contact,
    ContactField,
    ContactImport,
    ContactImportFault,
    TicketNote,
)
from apps.contacts.services.merging import merge_by_hand
from apps.desk.models import AssignmentLog, RuleRun, RuleTicket, SlaClock
from apps.inbound.models import InboundEvent
from apps.inbound.services import process_due
from apps.mail.models import Mail
from apps.tickets.models import (
    ApiSend,
    Delivery,
    EarlyReference,
    Message,
    MessageSource,
    NoteMention,
    Rating,
    Ticket,
    TicketActivity,
    TicketDraft,
    TrackingCycle,
)
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
    make_webhook,
    make_webhook_delivery,
)
from tests.gateway import (
    SECRET,
    commit,
    event,
    lease,
    make_qr_connection,
    message_event,
)

pytestmark = pytest.mark.django_db
NUMBER, FORMER = "5511987650001", "551187650001"
# Of a contact that was merged into the person's.
OTHER_NUMBER, OTHER_FORMER = "5511987650002", "551187650002"
LID, USER_ID, EMAIL = "118273645500", "BR.998877", "marina@example.com"
# Each row about the person has one of these.
MARKS = (NUMBER, FORMER, OTHER_NUMBER, OTHER_FORMER, LID, USER_ID, "Marina", EMAIL)
GROUP = "120363000000000001@g.us"
STRANGER = "5511955550000"


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
    person.tickets.get().activities.create(
        kind="noted", detail={"actor": "Bob", "note": "Marina prefere a manhã", "mentions": []}
    )
    answer = client_for(admin).get(f"/api/contacts/{person.pk}/data")
    assert answer["Content-Type"] == "application/zip"
    archive = archive_of(answer)
    assert archive.testzip() is None
    known = json.loads(archive.read("dados.json"))
    assert known["contact"][0]["is_ignored"] is False
    assert {kind: len(rows) for kind, rows in known.items()} == {
        "contact": 1,
        "emails": 1,
        "notes": 1,
        "tickets": 1,
        "ratings": 1,
        "conversation_notes": 1,
        "messages": 2,
        "schedules": 1,
        "contact_lists": 1,
        "campaigns": 2,
        "opt_outs": 0,
    }
    assert known["contact"][0]["extra_info"] == [{"name": "Filha", "value": "Marina Júnior"}]
    assert known["conversation_notes"][0]["detail__note"] == "Marina prefere a manhã"
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


def cells_of(model: type[Model]) -> Iterator[tuple[str, str]]:
    """Return each cell of a table as text, with the name of its column; encrypted ones in clear."""
    for row in model._base_manager.values():
        for column, value in row.items():
            if isinstance(value, bytes | bytearray | memoryview):
                yield column, bytes(value).decode("utf-8", "replace")
            elif isinstance(value, str):
                yield column, value
            else:
                yield column, json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)


def cells_that_name(*marks: str) -> list[str]:
    """Return each cell of the database that holds one of the texts, after its table and column."""
    models = {model._meta.db_table: model for model in apps.get_models(include_auto_created=True)}
    # No table is passed over.
    tables = set(database.introspection.table_names())
    assert {table for table in tables - set(models) if not table.startswith("django_")} == set()
    return sorted(
        f"{table}.{column}: {text}"
        for table, model in models.items()
        for column, text in cells_of(model)
        if any(mark.casefold() in text.casefold() for mark in marks)
    )


def person_named(number: str, lid: str = "") -> dict[str, str]:
    return {"number": number, "lid": lid and f"{lid}@lid", "name": "Marina Prado"}


def group_message(by: dict[str, str], body: str, **payload: Any) -> dict[str, Any]:
    chat = {"number": "", "lid": "", "group": GROUP}
    sent = message_event(by["number"], body, chat=chat, sender=by, **payload)
    address = by["lid"] or f"{by['number']}@s.whatsapp.net"
    message_id = sent["payload"]["externalId"]
    return {**sent, "partition": GROUP, "id": f"m:{GROUP}:{message_id}:{address}"}


@pytest.fixture
def everywhere(
    client_for: ClientFor, person: Contact, admin: User, connection: Connection, settings: Any
) -> Contact:
    """The same person, in everything else that is stored of people."""
    acme, client = person.company, client_for(admin)
    other = make_contact(acme, name="Marina P.", number=OTHER_NUMBER, email="outra@example.com")
    merge_by_hand(contact_id=person.pk, other_id=other.pk, actor=admin)
    deleted = make_ticket(acme, contact=person, connection=connection, status="closed")
    assert client.delete(f"/api/tickets/{deleted.pk}").status_code == 200
    client.get(f"/api/contacts/{person.pk}/data")
    # A row of the person from before, which was deleted by hand.
    record(
        action="contact.deleted",
        actor=admin,
        company_id=acme.pk,
        detail={"name": "Marina", "number": FORMER},
    )

    # A phone by QR code: its address book, its keys, and conversations with people and a group.
    acme.settings.create(key="CheckMsgIsGroup", value="disabled")
    settings.GATEWAY_SECRET = SECRET
    qr = make_qr_connection(acme, name="Celular")
    (claimed,) = lease()["claimed"]
    marina, stranger = person_named(NUMBER, LID), {**person_named(STRANGER), "name": "Rui"}
    book = [{**marina, "isSaved": True}, {**person_named("", LID), "isSaved": False}]
    mention = {"contextInfo": {"participant": f"{NUMBER}@s.whatsapp.net"}}
    answer = commit(
        qr.pk,
        claimed["epoch"],
        event("contacts", "contacts", {"contacts": book}),
        message_event(FORMER, "Oi de novo, aqui é a Marina", sender=marina),
        group_message(marina, "Oi, grupo"),
        group_message(stranger, f"Obrigado, @{LID}", raw={"message": mention}),
        group_message(stranger, "Obrigado", data={"mentioned": [f"{NUMBER}@s.whatsapp.net"]}),
        event(
            "status",
            GROUP,
            {"externalId": "UNKNOWN", "ack": 3, "participant": f"{LID}@lid", "at": 1},
            event_id=f"s:UNKNOWN:{LID}@lid:3",
        ),
        event("identity", NUMBER, {"number": NUMBER, "lid": f"{LID}@lid"}),
        credentials={"me": "5511900000000"},
        keys={
            "session": {f"{NUMBER}.0": {"a": 1}, f"{LID}_1.0": {"a": 1}},
            "sender-key": {f"{GROUP}::{LID}_1::0": {"a": 1}},
            "lid-mapping": {NUMBER: LID, f"{LID}_reverse": NUMBER},
            "device-list": {NUMBER: ["0"]},
            "addressed": {NUMBER: f"{LID}@lid"},
        },
    )
    assert answer.status_code == 200, answer.content
    while process_due(limit=100):
        pass
    InboundEvent.objects.create(
        connection=qr,
        event_id=f"m:{NUMBER}@s.whatsapp.net:PARKED",
        kind="message",
        partition=f"{NUMBER}@s.whatsapp.net",
        payload={"sender": marina},
        state=LeaseState.FAILED,
        last_error=f"ValueError: {NUMBER}",
    )
    EarlyReference.objects.create(connection=qr, original_id="EARLY", report={"number": NUMBER})

    # What the team wrote of the person, and what the desk did with the conversation.
    ticket = person.tickets.get(connection=connection)
    told = {"actor": "Bob", "note": "Marina prefere a manhã", "mentions": []}
    note = TicketActivity.objects.create(ticket=ticket, kind="noted", detail=told)
    of_company: dict[str, Any] = {"company": acme, "ticket": ticket}
    NoteMention.objects.create(user=admin, note=note, **of_company)
    TicketDraft.objects.create(
        user=admin, text="Oi, Marina", note="Marina?", updated_at=timezone.now(), **of_company
    )
    AssignmentLog.objects.create(to_user=admin, why="turn", at=timezone.now(), **of_company)
    moments = {"started_at": timezone.now(), "left_seconds": 60.0}
    SlaClock.objects.create(kind="first_answer", minutes=1, **moments, **of_company)
    RuleTicket.objects.create(status="open", **of_company)
    RuleRun.objects.create(
        name="Saudação",
        actions=[{"do": "note", "text": "Marina"}],
        before={"email": ""},
        after={"email": EMAIL},
        sentence="Marina não recebe.",
        **of_company,
    )

    # On its way out, and out of the house.
    write_message(
        Text("Até logo, Marina"),
        ticket=person.tickets.get(connection=connection),
        user=admin,
        source=MessageSource.AGENT,
    )
    group = Ticket.objects.get(contact__is_group=True)
    quoting = write_message(Text("Sim"), ticket=group, user=admin, source=MessageSource.AGENT)
    Delivery.objects.filter(message=quoting).update(
        state=LeaseState.DONE, payload={"replyTo": {"participant": f"{NUMBER}@s.whatsapp.net"}}
    )
    webhook = make_webhook(acme)
    make_webhook_delivery(webhook, contact=person, payload={"contact": marina})
    make_webhook_delivery(webhook, contact=group.contact, payload={"sender": marina})
    IntegrationCall.objects.create(
        company=acme,
        integration=make_integration(acme),
        event_id=group.uuid,
        request_body={"number": NUMBER},
    )
    ApiSend.objects.create(connection=connection, company=acme, key=f"pedido-{NUMBER}")

    # Sheets whose row for the person was rejected.
    sheet = ContactImport.objects.create(company=acme, media_name="a.xlsx", columns=["Nome", "Tel"])
    cells = ["Marina Prado", "+55 (11) 8765-0001"]
    ContactImportFault.objects.create(contact_import=sheet, row=2, cells=cells, code="ERR")
    listed = make_contact_list(acme)
    imported = ContactListImport.objects.create(company=acme, contact_list=listed)
    for row in (
        {"number": "+55 11 98765-0001"},
        {"email": "MARINA@example.com"},
        {"name": "Marina Prado"},
    ):
        ImportFault.objects.create(list_import=imported, row=2, code="ERR", **row)
    person.refresh_from_db()
    assert person.lid == LID
    return person


def test_who_is_erased_stands_nowhere_any_more(
    client_for: ClientFor,
    admin: User,
    everywhere: Contact,
    django_capture_on_commit_callbacks: Any,
) -> None:
    tables = {cell.partition(".")[0] for cell in cells_that_name(*MARKS)}
    assert tables >= {
        *("contacts_contact", "contacts_contactfield", "contacts_ticketnote", "tickets_message"),
        *("contacts_contactmerge", "contacts_contactimportfault", "campaigns_importfault"),
        *("automation_integrationcall", "automation_webhookdelivery", "schedules_schedule"),
        *("campaigns_contactlistitem", "campaigns_campaignrecipient", "audit_auditentry"),
        *("connections_qraddress", "connections_qrsessionkey", "inbound_inboundevent"),
        *("tickets_ticketactivity", "tickets_ticketdraft", "desk_rulerun"),
        *("tickets_delivery", "tickets_earlyreference", "tickets_apisend", "mail_mail"),
    }
    path = Message.objects.filter(contact=everywhere).exclude(media_path="").get().media_path
    events = InboundEvent.objects.count()
    with django_capture_on_commit_callbacks(execute=True):
        answer = client_for(admin).post(f"/api/contacts/{everywhere.pk}/erase")
    assert answer.status_code == 200
    # To a user of the same address the product wrote, not the company.
    assert list(Mail.objects.values_list("subject", flat=True)) == ["Outra conta"]
    Mail.objects.all().delete()
    assert cells_that_name(*MARKS) == []
    assert InboundEvent.objects.count() == events
    for model in (NoteMention, AssignmentLog, SlaClock, RuleTicket):
        assert not model._base_manager.exists()
    with pytest.raises(NotFound):
        open_media(path)
    entry = AuditEntry.objects.get(action="contact.erased")
    assert (entry.actor, entry.detail, entry.object_id) == (admin, {}, str(everywhere.pk))
    # What others wrote in the group stays, without the person.
    bodies = Message.objects.filter(contact__is_group=True, from_me=False).order_by("pk")
    assert list(bodies.values_list("body", flat=True)) == [
        *("Oi, grupo", "Obrigado, @—", "Obrigado")
    ]


def test_a_replay_of_a_message_of_who_is_erased_brings_nobody_back(
    client_for: ClientFor, admin: User, person: Contact, settings: Any
) -> None:
    settings.GATEWAY_SECRET = SECRET
    qr = make_qr_connection(person.company, name="Celular")
    (claimed,) = lease()["claimed"]
    sent = message_event(NUMBER)
    commit(qr.pk, claimed["epoch"], sent)
    while process_due(limit=100):
        pass
    client_for(admin).post(f"/api/contacts/{person.pk}/erase")
    assert commit(qr.pk, claimed["epoch"], sent).json() == {"stored": [sent["id"]]}
    assert not process_due(limit=100)
    assert not Contact.objects.filter(canonical_number=NUMBER).exists()


def test_others_keep_what_is_theirs(
    client_for: ClientFor, admin: User, person: Contact, connection: Connection
) -> None:
    neighbour = make_contact(person.company, name="Vizinha", number="5511987650009")
    ticket = make_ticket(person.company, contact=neighbour, connection=connection)
    make_message(ticket, body="Meu", raw={"from": "5511987650009"})
    record(
        action="contact.deleted",
        actor=admin,
        company_id=person.company_id,
        detail={"name": "Vizinha", "number": "5511987650009"},
    )
    event_of = InboundEvent.objects.create(
        connection=connection,
        event_id="message:5511987650009",
        kind="message",
        partition="5511987650009",
        payload={"from": "5511987650009"},
        state=LeaseState.DONE,
    )
    client_for(admin).post(f"/api/contacts/{person.pk}/erase")
    event_of.refresh_from_db()
    assert (event_of.partition, event_of.payload) == ("5511987650009", {"from": "5511987650009"})
    assert AuditEntry.objects.get(action="contact.deleted").detail["name"] == "Vizinha"
    assert ticket.messages.get().raw == {"from": "5511987650009"}


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
