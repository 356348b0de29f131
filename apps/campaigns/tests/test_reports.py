"""What became of a campaign, as its report, its chart, its table and its file tell it."""

import csv
import re
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.campaigns.models import (
    Campaign,
    CampaignRecipient,
    ContactList,
    ContactListItem,
    OptOut,
)
from apps.campaigns.queries.reports import recipients_of
from apps.campaigns.services.sending import send_due
from apps.campaigns.services.starting import start_campaign
from apps.campaigns.tests.conftest import Clock, Make
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundMessage
from apps.tickets.models import Ack, Message
from apps.tickets.services.outbox.statuses import advance, locked_messages
from apps.tickets.services.receiving.messages import receive_message
from conftest import ClientFor
from tests.factories import (
    make_connection,
    make_contact,
    make_contact_list,
    make_segment,
    make_ticket,
)

pytestmark = pytest.mark.django_db

NUMBERS = [f"551198432110{place}" for place in range(3)]


@pytest.fixture
def client(client_for: ClientFor, admin: User) -> Any:
    return client_for(admin)


@pytest.fixture
def sent(clock: Clock, due: Make) -> Campaign:
    """A campaign whose three messages are on their way."""
    campaign = due(texts=["Oi, {nome}!"])
    for _ in range(4):
        send_due(limit=10)
        clock.pass_time(seconds=21)
    return campaign


def tick(number: str, ack: int) -> None:
    message = locked_messages().get(contact__number=number, source="campaign")
    advance(message, ack=ack, external_id=f"out-{number}")


def answer(connection: Connection, number: str, body: str, sent_at: Any = None) -> None:
    receive_message(
        connection=connection,
        inbound=InboundMessage(
            external_id=f"in-{number}-{body}",
            sender=number,
            sender_name="",
            media_type="conversation",
            body=body,
            sent_at=sent_at or timezone.now(),
        ),
    )


def read(client: Any, campaign: Campaign, path: str) -> Any:
    answer = client.get(f"/api/campaigns/{campaign.pk}/{path}")
    assert answer.status_code == 200, answer.content
    return answer.json()


def recipient(number: str) -> CampaignRecipient:
    return CampaignRecipient.objects.get(number=number)


def test_ticks_are_noted_once_each(clock: Clock, sent: Campaign) -> None:
    tick(NUMBERS[0], Ack.SENT)
    assert recipient(NUMBERS[0]).reached_at is None
    first = clock.pass_time(seconds=5)
    tick(NUMBERS[0], Ack.DELIVERED)
    later = clock.pass_time(seconds=5)
    tick(NUMBERS[0], Ack.READ)
    clock.pass_time(seconds=5)
    tick(NUMBERS[0], Ack.PLAYED)
    found = recipient(NUMBERS[0])
    assert (found.reached_at, found.read_at) == (first, later)
    tick(NUMBERS[1], Ack.READ)
    other = recipient(NUMBERS[1])
    assert other.sent_at == other.reached_at == other.read_at == clock.now


def test_what_a_contact_writes_within_a_week_is_an_answer(
    clock: Clock, sent: Campaign, qr: Connection
) -> None:
    for number in NUMBERS:
        tick(number, Ack.SENT)
    at = clock.pass_time(days=1)
    answer(qr, NUMBERS[0], "Quero")
    clock.pass_time(days=1)
    answer(qr, NUMBERS[0], "Ainda tem?")
    assert recipient(NUMBERS[0]).answered_at == at
    # Written before the campaign came, and told late.
    answer(qr, NUMBERS[1], "Bom dia", sent_at=clock.now - timedelta(days=3))
    clock.pass_time(days=6)
    answer(qr, NUMBERS[1], "Oi")
    assert recipient(NUMBERS[1]).answered_at is None


def test_another_number_and_an_opt_out_word_are_no_answer(
    acme: Company, clock: Clock, sent: Campaign, qr: Connection
) -> None:
    for number in NUMBERS:
        tick(number, Ack.SENT)
    answer(make_connection(acme, provider="beta"), NUMBERS[0], "Oi")
    answer(qr, NUMBERS[1], "sair")
    assert not CampaignRecipient.objects.exclude(answered_at=None).exists()


def test_the_newest_of_two_campaigns_is_answered(
    clock: Clock, sent: Campaign, due: Make, qr: Connection
) -> None:
    tick(NUMBERS[0], Ack.SENT)
    second = due()
    for _ in range(4):
        send_due(limit=10)
        clock.pass_time(seconds=21)
    CampaignRecipient.objects.filter(campaign=second).update(sent_at=clock.now)
    answer(qr, NUMBERS[0], "Quero")
    answered = CampaignRecipient.objects.exclude(answered_at=None)
    assert [each.campaign_id for each in answered] == [second.pk]


def test_the_report_counts_all(
    client: Any, admin: User, sent: Campaign, qr: Connection, django_assert_num_queries: Any
) -> None:
    tick(NUMBERS[0], Ack.READ)
    tick(NUMBERS[1], Ack.DELIVERED)
    tick(NUMBERS[2], Ack.ERROR)
    CampaignRecipient.objects.filter(number=NUMBERS[2]).update(reason_code="marketing_stopped")
    answer(qr, NUMBERS[0], "Quero")
    CampaignRecipient.objects.create(
        company=admin.company,
        campaign=sent,
        number="5511900000000",
        canonical_number="5511900000000",
        state="skipped",
        reason_code="opted_out",
    )
    for number, source in ((NUMBERS[0], "meta"), (NUMBERS[1], "word"), (NUMBERS[2], "meta")):
        OptOut.objects.create(
            company=admin.company, canonical_number=number, campaign=sent, source=source
        )
    # The running campaign, looked for among the ended ones first, its figures, who opted out, what
    # was billed, what is left, the zone, settings of both kinds.
    with django_assert_num_queries(8):
        report = read(client, sent, "report")
    counts = {name: value for name, value in report.items() if isinstance(value, int)}
    assert counts == {
        "total": 4,
        "valid": 3,
        "delivered": 2,
        "reached": 2,
        "read": 1,
        "answered": 1,
        "confirmationRequested": 0,
        "confirmed": 0,
        "failed": 1,
        "skipped": 1,
        "notConfirmed": 0,
        "optedOut": 1,
        "blocked": 2,
    }
    assert {each["state"]: each["count"] for each in report["states"]} == {
        "sent": 2,
        "failed": 1,
        "skipped": 1,
    }
    assert {(each["state"], each["reason"]) for each in report["reasons"]} == {
        ("failed", "marketing_stopped"),
        ("skipped", "opted_out"),
    }
    assert report["variants"] == [
        {"number": 1, "sent": 3, "delivered": 2, "read": 1, "answered": 1}
    ]
    assert report["campaign"]["id"] == sent.pk
    assert report["cost"] == {"currency": None, "amount": "0", "isComplete": True}


@pytest.mark.parametrize(("status", "is_timed"), [("INATIVA", False), ("PROGRAMADA", True)])
def test_before_the_start_the_valid_are_those_whom_it_would_write_to(
    client: Any,
    acme: Company,
    due: Make,
    qr: Connection,
    people: ContactList,
    django_assert_num_queries: Any,
    status: str,
    is_timed: bool,
) -> None:
    at = timezone.now() + timedelta(days=1)
    campaign = due(scheduled_at=at) if is_timed else due(scheduled_at=None)
    assert (campaign.status, campaign.started_at) == (status, None)
    # The campaign, looked for among the ended ones first, its people, what was billed; of a planned
    # one settings of both kinds.
    count = 6 if is_timed else 4
    with django_assert_num_queries(count):
        report = read(client, campaign, "report")
    assert (report["total"], report["valid"], report["delivered"]) == (0, 3, 0)
    for place in range(30):
        number = f"55119843220{place:02}"
        people.items.create(company=acme, number=number, canonical_number=number)
    ContactListItem.objects.filter(number=NUMBERS[0]).update(is_whatsapp_valid=False)
    ContactListItem.objects.filter(number=NUMBERS[1]).update(is_whatsapp_valid=None)
    OptOut.objects.create(company=acme, canonical_number=NUMBERS[2])
    # Once more, and without a number.
    segment = make_segment(acme, city="recife")
    for number in (NUMBERS[1], ""):
        contact = make_contact(acme, number=number, canonical_number=number or "lid:1")
        contact.extra_info.create(name="cidade", value="Recife")
    Campaign.objects.update(segment=segment)
    with django_assert_num_queries(count):
        report = read(client, campaign, "report")
    assert (report["total"], report["valid"], report["skipped"]) == (0, 1 + 30, 0)


def test_the_start_keeps_what_the_report_said_before(
    client: Any, acme: Company, due: Make, people: ContactList
) -> None:
    people.items.filter(number=NUMBERS[0]).update(is_whatsapp_valid=False)
    # The window of none of them is open: that is seen when they are written to.
    official = make_connection(acme)
    campaign = due(connection=official)
    assert read(client, campaign, "report")["valid"] == 2
    start_campaign(campaign)
    report = read(client, campaign, "report")
    assert (report["total"], report["valid"], report["skipped"]) == (3, 2, 1)


@pytest.mark.parametrize(
    ("distance", "unit", "points"),
    [
        (timedelta(minutes=2), "minute", 3),
        (timedelta(hours=4), "hour", 5),
        (timedelta(days=6), "day", 7),
    ],
)
def test_the_timeline_goes_by_what_it_took(
    client: Any,
    clock: Clock,
    sent: Campaign,
    qr: Connection,
    distance: timedelta,
    unit: str,
    points: int,
) -> None:
    start = clock.now = clock.now.replace(minute=30, second=0, microsecond=0)
    Campaign.objects.update(started_at=start)
    tick(NUMBERS[0], Ack.SENT)
    tick(NUMBERS[1], Ack.SENT)
    clock.now += distance
    tick(NUMBERS[0], Ack.READ)
    told = read(client, sent, "timeline")
    assert (told["unit"], len(told["points"])) == (unit, points)
    first, last = told["points"][0], told["points"][-1]
    assert (first["delivered"], last["read"], last["answered"]) == (2, 1, 0)
    if unit == "day":  # a day of the company's begins at its midnight
        assert first["at"].endswith("T03:00:00Z")


def test_without_anything_sent_there_is_no_timeline(client: Any, due: Make) -> None:
    assert read(client, due(), "timeline") == {"unit": "minute", "points": []}


def test_recipients_are_found_by_text_and_state(
    client: Any, sent: Campaign, qr: Connection, django_assert_num_queries: Any
) -> None:
    tick(NUMBERS[0], Ack.READ)
    tick(NUMBERS[1], Ack.ERROR)
    CampaignRecipient.objects.filter(number=NUMBERS[1]).update(error_reason="Número recusado.")
    with django_assert_num_queries(2):
        page = read(client, sent, "recipients?pageNumber=1")
    first, second, third = page["records"]
    assert [page["count"], page["hasMore"]] == [3, False]
    assert (first["state"], first["ack"], first["variant"]) == ("sent", 4, 1)
    assert first["ticketUuid"] == str(Message.objects.earliest("id").ticket.uuid)
    assert (second["state"], second["detail"]) == ("failed", "Número recusado.")
    assert (third["state"], third["sentAt"]) == ("queued", None)

    def found(query: str) -> list[str]:
        return [each["name"] for each in read(client, sent, f"recipients?{query}")["records"]]

    assert found("state=sent") == ["Pessoa 1"]
    assert found("searchParam=pessoa 3&state=") == ["Pessoa 3"]
    assert found("searchParam=(11) 98432-1101") == ["Pessoa 2"]
    refused = client.get(f"/api/campaigns/{sent.pk}/recipients?state=lost")
    assert refused.status_code == 400


def test_the_last_page_of_recipients_reads_no_more_rows_than_the_first(
    client: Any, acme: Company, due: Make
) -> None:
    campaign = due()
    numbers = [f"55119{place:08d}" for place in range(3000)]
    CampaignRecipient.objects.bulk_create(
        CampaignRecipient(company=acme, campaign=campaign, number=each, canonical_number=each)
        for each in numbers
    )
    pages = [read(client, campaign, "recipients")]
    for _ in range(2):
        last_id = pages[-1]["records"][-1]["id"]
        pages.append(read(client, campaign, f"recipients?afterId={last_id}"))
    shown = [each["number"] for page in pages for each in page["records"]]
    assert shown == numbers[:60]
    assert {(page["count"], page["hasMore"]) for page in pages} == {(3000, True)}
    last_ids = CampaignRecipient.objects.order_by("-id").values_list("pk", flat=True)
    end = read(client, campaign, f"recipients?afterId={last_ids[20]}")
    assert (len(end["records"]), end["hasMore"]) == (20, False)
    plan = recipients_of(campaign).filter(pk__gt=last_ids[20])[:21].explain()
    assert re.search("recipient_by_campaign|campaignrecipient_pkey|INTEGER PRIMARY KEY", plan)


def test_the_file_has_what_the_table_has(client: Any, sent: Campaign) -> None:
    tick(NUMBERS[0], Ack.READ)
    CampaignRecipient.objects.filter(number=NUMBERS[1]).update(
        name="=1+1", state="skipped", reason_code="opted_out"
    )
    address = f"/api/campaigns/{sent.pk}/recipients/export"
    got = client.get(address, headers={"accept-language": "en-US"})
    text = b"".join(got.streaming_content).decode()
    assert text.startswith("\ufeffname;number;")
    rows = list(csv.reader(StringIO(text), delimiter=";"))[1:]
    assert [row[3] for row in rows] == ["sent", "skipped", "waiting to leave"]
    assert rows[1][0] == "'=1+1"
    assert rows[1][5] == "asked for no more campaigns"
    assert rows[0][8]
    only = client.get(f"{address}?state=sent&searchParam=pessoa")
    assert b"".join(only.streaming_content).decode().count("\r\n") == 2
    assert [each.action for each in AuditEntry.objects.all()] == ["campaign.exported"] * 2


def test_a_preview_is_for_somebody_real(
    client: Any, admin: User, globex: Company, due: Make, qr: Connection
) -> None:
    campaign = due(texts=["{{ms}}, {nome}! {cupom}{{protocol}}", "", "Tchau"], asking=["Pode?"])
    Campaign.objects.update(status="INATIVA", state="done")
    settings = {"settings": {"variables": [{"key": "cupom", "value": "MAIO "}]}}
    client.post("/api/campaign-settings", settings, format="json")
    told = read(client, campaign, "preview")
    assert told["name"] == "Pessoa 1"
    assert [each["number"] for each in told["messages"]] == [1, 3]
    assert told["messages"][0]["text"].endswith(", Pessoa 1! MAIO")
    assert told["confirmations"] == [{"number": 1, "text": "Pode?"}]
    contact = make_contact(admin.company, name="Lia")
    ticket = make_ticket(admin.company, contact=contact, connection=qr)
    told = read(client, campaign, f"preview?contactId={contact.pk}")
    assert f"Lia! MAIO {ticket.created_at:%Y%m%d}" in told["messages"][0]["text"]
    foreign = make_contact(globex)
    refused = client.get(f"/api/campaigns/{campaign.pk}/preview?contactId={foreign.pk}")
    assert (refused.status_code, refused.json()["code"]) == (404, "ERR_NO_CONTACT_FOUND")
    Campaign.objects.update(contact_list=make_contact_list(admin.company))
    refused = client.get(f"/api/campaigns/{campaign.pk}/preview")
    assert (refused.status_code, refused.json()["code"]) == (400, "ERR_CAMPAIGN_WITHOUT_RECIPIENTS")


def test_a_preview_has_the_templates_parameters_filled_in(
    client: Any, admin: User, due: Make
) -> None:
    def components(text: str, end: str) -> list[dict[str, Any]]:
        return [
            {"type": "body", "parameters": [{"type": "text", "text": text}]},
            {
                "type": "button",
                "sub_type": "url",
                "index": "0",
                "parameters": [{"type": "text", "text": end}],
            },
        ]

    campaign = due(
        texts=[],
        template_name="vitrine",
        template_language="pt_BR",
        template_components=components("{nome},\n{numero}{{protocol}} {email}", "{numero}"),
    )
    first = ContactListItem.objects.order_by("id")[0]
    contact = make_contact(admin.company, name="Lia", email="lia@example.com")
    told = read(client, campaign, "preview")
    written = f"Pessoa 1, {first.number} {first.email}".strip()
    assert told["templateComponents"] == components(written, first.number)
    told = read(client, campaign, f"preview?contactId={contact.pk}")
    written = f"Lia, {contact.number} lia@example.com"
    assert told["templateComponents"] == components(written, contact.number)
