"""What a campaign would take and cost, and what was billed."""

from datetime import UTC, date, timedelta
from decimal import Decimal
from importlib import import_module
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.apps import apps

from apps.accounts.models import User
from apps.campaigns.models import Campaign, CampaignRecipient, ContactList, OptOut
from apps.campaigns.pacing import days_of_limit
from apps.campaigns.services.costs import billed_cost
from apps.campaigns.services.sending import send_due
from apps.campaigns.tests.conftest import Clock, Make, make_filled_list
from apps.campaigns.tests.test_sending import settings
from apps.companies.models import Company
from apps.connections.models import Connection, SendPace
from apps.connections.providers.inbound import InboundStatus, Pricing
from apps.connections.services import note_begun
from apps.contacts.models import Contact
from apps.costs.models import CostMeter, MessageCost, MessagePrice, ServiceAllowance
from apps.costs.queries.prices import Cost
from apps.costs.services.repricing import mark_stale, price_stale
from apps.tickets.models import Ack, Message
from apps.tickets.services.outbox.statuses import apply_statuses
from conftest import ClientFor
from tests.factories import (
    make_connection,
    make_contact,
    make_contact_list,
    make_message,
    make_segment,
    make_tag,
    make_ticket,
)
from tests.graph import GraphServer

pytestmark = pytest.mark.django_db
SAO_PAULO = ZoneInfo("America/Sao_Paulo")
NO_COST: dict[str, Any] = {"currency": None, "amount": "0", "isComplete": True, "lines": []}


@pytest.fixture
def client(client_for: ClientFor, admin: User) -> Any:
    return client_for(admin)


def estimate(client: Any, campaign: Campaign) -> dict[str, Any]:
    answer = client.get(f"/api/campaigns/{campaign.pk}/estimate")
    assert answer.status_code == 200, answer.content
    row: dict[str, Any] = answer.json()
    row["leftOut"] = {each["reason"]: each["count"] for each in row["leftOut"]}
    return row


def template(graph: GraphServer, category: str = "MARKETING") -> dict[str, Any]:
    """Have Meta list a template; return the fields of a campaign that names it."""
    body = {"type": "BODY", "text": "Oi!"}
    graph.templates = [
        {
            "id": "1",
            "name": "oi",
            "language": "pt_BR",
            "status": "APPROVED",
            "category": category,
            "components": [body],
        }
    ]
    return {"template_name": "oi", "template_language": "pt_BR"}


def price(amount: str, country: str = "BR", category: str = "MARKETING") -> None:
    MessagePrice.objects.create(
        category=category,
        country=country,
        currency="BRL",
        price=Decimal(amount),
        valid_from=date(2020, 1, 1),
    )


def wrote(clock: Clock, company: Company, connection: Connection, number: str) -> Contact:
    """Have somebody write to a connection an hour ago."""
    contact = make_contact(company, number=number)
    make_ticket(
        company,
        contact=contact,
        connection=connection,
        status="closed",
        last_inbound_at=clock.now - timedelta(hours=1),
    )
    return contact


def test_who_is_left_out_is_counted_as_the_start_will_do(
    clock: Clock, client: Any, acme: Company, qr: Connection, due: Make, people: ContactList
) -> None:
    tag = make_tag(acme)
    people.items.filter(number__endswith="0").update(is_whatsapp_valid=False)
    OptOut.objects.create(company=acme, canonical_number="5511984321101")
    tagged = [make_contact(acme, number=f"55119843211{place:02}") for place in (2, 3)]
    nameless = make_contact(acme, number="", canonical_number="lid:1")
    for contact in (*tagged, nameless):
        make_ticket(acme, contact=contact, connection=qr, status="closed").tags.add(tag)
        contact.extra_info.create(name="cidade", value="Recife")
    campaign = due(tag=tag, segment=make_segment(acme, city="recife"))
    told = estimate(client, campaign)
    # Of the list the third alone; she carries the tag too. The segment brings the same again.
    assert told["recipients"] == 3 - 1
    assert told["leftOut"] == {
        "not_reachable": 1,
        "opted_out": 1,
        "no_number": 1,
        "duplicate": 4,
    }
    assert told["cost"] == NO_COST
    send_due(limit=10)
    recipients = CampaignRecipient.objects.filter(campaign=campaign)
    assert recipients.filter(state="pending").count() == told["recipients"]
    skipped = sorted(recipients.filter(state="skipped").values_list("reason_code", flat=True))
    assert skipped == ["no_number", "not_reachable", "opted_out"]
    again = estimate(client, Campaign.objects.get(pk=campaign.pk))
    assert again["recipients"] == 2
    assert again["leftOut"] == {"no_number": 1, "not_reachable": 1, "opted_out": 1}


def test_outside_the_window_nobody_is_written_to_without_a_template(
    clock: Clock, client: Any, acme: Company, connection: Connection, due: Make
) -> None:
    wrote(clock, acme, connection, "5511984321102")
    told = estimate(client, due(connection=connection))
    assert (told["recipients"], told["leftOut"]) == (1, {"window_closed": 2})
    assert (told["tierLimit"], told["isAboveTier"]) == (None, False)


def test_a_template_costs_by_category_and_country_where_no_text_can_go(
    clock: Clock,
    client: Any,
    acme: Company,
    connection: Connection,
    due: Make,
    graph: GraphServer,
) -> None:
    numbers = ["5511984321100", "5521984321101", "5511984321102", "351912345678"]
    listed = make_contact_list(acme, people=[(f"Pessoa {n}", n) for n in numbers])
    wrote(clock, acme, connection, numbers[2])
    price("0.3625")
    campaign = due(connection=connection, contact_list=listed, **template(graph))
    told = estimate(client, campaign)
    assert (told["recipients"], told["leftOut"]) == (4, {})
    brazil = {
        "category": "MARKETING",
        "country": "BR",
        "recipients": 2,
        "price": "0.3625",
        "amount": "0.725",
    }
    portugal = {
        "category": "MARKETING",
        "country": "PT",
        "recipients": 1,
        "price": None,
        "amount": None,
    }
    text = {**brazil, "category": "SERVICE", "recipients": 1, "price": None, "amount": None}
    assert told["cost"] == {
        "currency": "BRL",
        "amount": "0.725",
        "isComplete": False,
        "lines": [brazil, portugal, text],
    }
    price("1", country="*")
    assert estimate(client, campaign)["cost"]["amount"] == "1.725"


@pytest.mark.parametrize(
    ("category", "texts", "asking", "charged"),
    [
        # One wrote within the window and gets a text, two did not and get the template.
        ("MARKETING", ["Oi"], [], {"MARKETING": 2, "SERVICE": 1}),
        ("MARKETING", [], [], {"MARKETING": 3}),
        ("UTILITY", [], [], {"UTILITY": 3}),
        # The request goes by the template where no text can go; the answer opens the window.
        ("MARKETING", ["Oi"], ["Pode?"], {"MARKETING": 2, "SERVICE": 4}),
        ("MARKETING", [], ["Pode?"], {"MARKETING": 5, "SERVICE": 1}),
        ("UTILITY", [], ["Pode?"], {"UTILITY": 5, "SERVICE": 1}),
    ],
)
def test_texts_in_the_window_are_charged_as_templates_are(
    clock: Clock,
    client: Any,
    acme: Company,
    connection: Connection,
    due: Make,
    graph: GraphServer,
    category: str,
    texts: list[str],
    asking: list[str],
    charged: dict[str, int],
) -> None:
    wrote(clock, acme, connection, "5511984321102")
    price("1", category=category)
    price("0.1", category="SERVICE")
    named = template(graph, category)
    campaign = due(connection=connection, texts=texts, asking=asking, **named)
    told = estimate(client, campaign)["cost"]
    assert {line["category"]: line["recipients"] for line in told["lines"]} == charged
    amount = charged[category] + Decimal("0.1") * charged.get("SERVICE", 0)
    assert (Decimal(told["amount"]), told["isComplete"]) == (amount, True)


def test_without_a_template_texts_and_files_in_the_window_are_charged(
    clock: Clock, client: Any, acme: Company, connection: Connection, due: Make, media: None
) -> None:
    wrote(clock, acme, connection, "5511984321102")
    files = make_filled_list(acme, "Catálogo", "Preços")
    campaign = due(connection=connection, file_list=files)
    cost = estimate(client, campaign)["cost"]
    service = {"category": "SERVICE", "country": "BR", "recipients": 3}
    unpriced = {**service, "price": None, "amount": None}
    assert cost == {"currency": None, "amount": None, "isComplete": False, "lines": [unpriced]}
    price("0.04", category="SERVICE")
    assert estimate(client, campaign)["cost"]["amount"] == "0.12"


def test_without_the_template_nobody_knows_the_cost(
    clock: Clock, client: Any, connection: Connection, due: Make, graph: GraphServer
) -> None:
    campaign = due(connection=connection, template_name="sumiu", template_language="pt_BR")
    told = estimate(client, campaign)
    assert told["cost"] == {"currency": None, "amount": None, "isComplete": False, "lines": []}


def test_those_above_the_numbers_limit_are_told(
    clock: Clock,
    client: Any,
    acme: Company,
    connection: Connection,
    due: Make,
    graph: GraphServer,
) -> None:
    Connection.objects.filter(pk=connection.pk).update(messaging_limit=2)
    numbers = [f"551198432110{place}" for place in range(5)]
    listed = make_contact_list(acme, people=[(f"Pessoa {n}", n) for n in numbers])
    wrote(clock, acme, connection, numbers[0])
    price("1")
    campaign = due(connection=connection, contact_list=listed, **template(graph))
    told = estimate(client, campaign)
    # Who wrote counts for nothing; of four others two are the first, two wait a day.
    assert (told["recipients"], told["leftOut"], told["aboveTier"]) == (5, {}, 2)
    assert (told["tierLimit"], told["isAboveTier"]) == (2, True)
    assert 24 * 3600 <= told["durationSeconds"] < 25 * 3600
    assert told["cost"]["amount"] == "4"
    # Over two days it may write to four.
    settings(acme, messageInterval=20, longerIntervalAfter=1, greaterInterval=60 * 60 * 7)
    told = estimate(client, campaign)
    assert (told["isAboveTier"], told["aboveTier"]) == (False, 0)
    Connection.objects.filter(pk=connection.pk).update(messaging_limit=-1)
    assert estimate(client, campaign)["tierLimit"] is None


def test_a_qr_session_shares_no_limit(client: Any, due: Make) -> None:
    told = estimate(client, due())
    assert (told["tierLimit"], told["aboveTier"], told["portfolioNumbers"]) == (None, 0, [])
    assert (told["portfolioUsed"], told["portfolioPlanned"]) == (None, None)


def test_numbers_of_a_portfolio_share_its_room(
    clock: Clock,
    client: Any,
    acme: Company,
    globex: Company,
    connection: Connection,
    due: Make,
    graph: GraphServer,
) -> None:
    settings(acme, messageInterval=0, longerIntervalAfter=0, greaterInterval=0)
    Connection.objects.filter(pk=connection.pk).update(messaging_limit=10, portfolio_id="9")
    other = make_connection(acme, name="Vendas", messaging_limit=10, portfolio_id="9")
    make_connection(acme, name="Outro portfólio", messaging_limit=10, portfolio_id="8")
    stranger = make_connection(globex, messaging_limit=10, portfolio_id="9")
    for each, people in ((other, (1, 2)), (stranger, (3, 4, 5))):
        note_begun([(each.pk, person, person) for person in people], at=clock.now)
    filled = template(graph)
    campaign = due(connection=connection, **filled)
    told = estimate(client, campaign)
    assert (told["portfolioNumbers"], told["portfolioUsed"]) == (["Vendas"], 2)
    assert (told["portfolioPlanned"], told["aboveTier"]) == (0, 0)
    # Ten have room: two were begun with, six are planned beside it, three are ours.
    listed = make_contact_list(acme, people=[(f"P{n}", f"5511970000{n:03}") for n in range(6)])
    due(connection=other, contact_list=listed, **filled)
    # What starts later than a day after it, or is not planned, takes nothing; nor does a campaign
    # that writes only inside the window, or of another number.
    due(connection=other, contact_list=listed, scheduled_at=clock.now + timedelta(days=2), **filled)
    due(connection=other, contact_list=listed, scheduled_at=None, **filled)
    due(connection=other, contact_list=listed)
    told = estimate(client, campaign)
    assert (told["tierLimit"], told["portfolioUsed"], told["portfolioPlanned"]) == (10, 2, 6)
    assert (told["aboveTier"], told["isAboveTier"]) == (1, True)
    assert told["durationSeconds"] == 24 * 3600
    # What was begun counts no more when a later campaign starts.
    later = due(connection=connection, scheduled_at=clock.now + timedelta(hours=25), **filled)
    told = estimate(client, later)
    assert (told["portfolioUsed"], told["portfolioPlanned"]) == (2, 9 + 6)


@pytest.mark.parametrize(
    ("people", "taken", "limit", "days", "last"),
    [
        (1, 0, 1, 0, 1),
        (2, 0, 1, 1, 1),
        (5, 0, 5, 0, 5),
        (6, 0, 5, 1, 1),
        (3, 5, 5, 1, 3),
        (3, 4, 5, 1, 2),
        (20, 3, 5, 4, 3),
        (1, 100, 5, 20, 1),
    ],
)
def test_the_limit_spreads_people_over_days(
    people: int, taken: int, limit: int, days: int, last: int
) -> None:
    assert days_of_limit(people, taken=taken, limit=limit) == (days, last)


def test_the_slower_of_the_settings_and_the_connection_decides_when_it_ends(
    clock: Clock, client: Any, acme: Company, qr: Connection, due: Make
) -> None:
    settings(acme, messageInterval=20, longerIntervalAfter=0, greaterInterval=0)
    noon = (clock.now + timedelta(days=1)).astimezone(SAO_PAULO)
    begins = noon.replace(hour=12, minute=0, second=0, microsecond=0)
    campaign = due(scheduled_at=begins)

    def seconds() -> int:
        told = estimate(client, campaign)
        finish = begins + timedelta(seconds=told["durationSeconds"])
        assert told["finishAt"] == finish.astimezone(UTC).isoformat().replace("+00:00", "Z")
        return int(told["durationSeconds"])

    assert seconds() == 30
    Connection.objects.filter(pk=qr.pk).update(send_pause_seconds=60, send_jitter_seconds=60)
    assert seconds() == 3 * 90
    # A young number begins to write to one more person each day, from one on.
    young = {"warmup_contacts": 1, "warmup_growth": 1, "warmup_days": 14}
    Connection.objects.filter(pk=qr.pk).update(**young)
    told = estimate(client, campaign)
    assert timedelta(hours=12) < timedelta(seconds=told["durationSeconds"]) < timedelta(hours=13)


def test_a_young_numbers_days_are_counted_on(
    clock: Clock, client: Any, acme: Company, qr: Connection, due: Make
) -> None:
    settings(acme, messageInterval=0, longerIntervalAfter=0, greaterInterval=0)
    young = {"warmup_contacts": 1, "warmup_growth": 0, "warmup_days": 14}
    Connection.objects.filter(pk=qr.pk).update(**young)
    today = clock.now.date()
    SendPace.objects.create(connection=qr, first_date=today - timedelta(days=11))
    campaign = due()
    # The 12th, 13th and 14th day take one each.
    told = estimate(client, campaign)
    assert timedelta(days=1) < timedelta(seconds=told["durationSeconds"]) < timedelta(days=2)
    wrote(clock, acme, qr, "5511984321100")
    told = estimate(client, campaign)
    assert timedelta(seconds=told["durationSeconds"]) < timedelta(days=1)


def test_one_with_a_confirmation_ends_when_people_answer(
    clock: Clock, client: Any, due: Make
) -> None:
    told = estimate(client, due(asking=["Pode?"]))
    assert (told["finishAt"], told["durationSeconds"] > 0) == (None, True)


def test_an_empty_one_takes_and_costs_nothing(clock: Clock, client: Any, due: Make) -> None:
    told = estimate(client, due(contact_list=None))
    assert (told["recipients"], told["leftOut"]) == (0, {})
    assert (told["finishAt"], told["durationSeconds"], told["cost"]) == (None, 0, NO_COST)


def test_the_number_of_queries_does_not_depend_on_the_people(
    clock: Clock,
    client: Any,
    acme: Company,
    qr: Connection,
    due: Make,
    django_assert_max_num_queries: Any,
) -> None:
    many = [(f"Pessoa {n}", f"55119{n:08d}") for n in range(300)]
    campaign = due(contact_list=make_contact_list(acme, people=many))
    with django_assert_max_num_queries(14):
        assert estimate(client, campaign)["recipients"] == 300


PAID = Pricing(is_billable=True, category="MARKETING", model="PMP", type="regular")
TEXT = Pricing(is_billable=True, category="SERVICE", model="PMP", type="regular")
FREE = Pricing(is_billable=False, category="SERVICE", model="PMP", type="free_entry_point")


def of_campaign(campaign: Campaign, number: str, pricing: Pricing | None, ack: int) -> None:
    """Have a message of a campaign reach a tick."""
    contact = make_contact(campaign.company, number=number)
    connection = campaign.connection
    assert connection is not None
    ticket = make_ticket(campaign.company, contact=contact, connection=connection, status="closed")
    message = make_message(
        ticket,
        from_me=True,
        source="campaign",
        origin=f"campaign:{campaign.pk}",
        ack=Ack.SENT,
    )
    told = InboundStatus(message.external_id or "", ack, pricing=pricing)
    apply_statuses([(connection, told)])


def test_the_cost_is_that_of_the_ledger(
    clock: Clock, client: Any, acme: Company, due: Make, django_assert_num_queries: Any
) -> None:
    settings(acme, messageInterval=0, longerIntervalAfter=0, greaterInterval=0)
    connection = make_connection(acme, name="Oficial")
    campaign, other = due(connection=connection), due(connection=connection)
    assert billed_cost(campaign) == Cost(currency="", amount=Decimal(0))
    of_campaign(campaign, "351912345678", PAID, Ack.DELIVERED)
    assert billed_cost(campaign) == Cost(currency="", amount=None, is_complete=False)
    price("0.5")
    price("0.01", category="SERVICE")
    ServiceAllowance.objects.create(messages=1, valid_from=date(2026, 1, 1))
    price_stale()
    for each, number, pricing, ack in [
        (campaign, "5511984321100", PAID, Ack.DELIVERED),
        (campaign, "5521984321101", PAID, Ack.READ),
        (campaign, "5511984321102", FREE, Ack.DELIVERED),
        # The first is free by the allowance.
        (campaign, "5511984321103", TEXT, Ack.DELIVERED),
        (campaign, "5511984321104", TEXT, Ack.DELIVERED),
        # Sent, and not delivered: Meta charges nothing yet.
        (campaign, "5511984321105", PAID, Ack.SERVER),
        (campaign, "5511984321106", None, Ack.DELIVERED),
        (other, "5511984321107", PAID, Ack.DELIVERED),
    ]:
        of_campaign(each, number, pricing, ack)
    with django_assert_num_queries(1):
        cost = billed_cost(campaign)
    assert (cost.currency, cost.amount, cost.is_complete) == ("BRL", Decimal("1.01"), False)
    # The page of costs says the same.
    rows = client.get("/api/costs?groupBy=campaign").json()["groups"]
    [row] = [each for each in rows if each["id"] == campaign.pk]
    assert row["figures"]["amounts"] == [{"currency": "BRL", "amount": "1.01"}]
    assert row["figures"]["unpriced"] == 1


def test_campaigns_of_before_the_ledger_keep_their_cost(
    clock: Clock, acme: Company, due: Make
) -> None:
    connection = make_connection(acme, name="Oficial")
    campaign = due(connection=connection)
    price("0.5")
    for number, ack in (("5511984321100", Ack.DELIVERED), ("5511984321101", Ack.READ)):
        of_campaign(campaign, number, PAID, ack)
    of_campaign(campaign, "5511984321102", PAID, Ack.SERVER)
    before, rows = billed_cost(campaign), MessageCost.objects.order_by("message_id")
    values = list(rows.values("message_id", "origin", "country", "amount", "delivered_on"))
    for message in Message.objects.filter(source="campaign"):
        held = {"message": message} if message.ack < Ack.READ else {"confirmation_message": message}
        CampaignRecipient.objects.create(
            company=acme,
            campaign=campaign,
            name="Ana",
            number=message.contact.number,
            canonical_number=message.contact.canonical_number,
            state="sent",
            **held,
        )
    rows.delete()
    CostMeter.objects.all().delete()
    upgrade = import_module("apps.campaigns.migrations.0009_ledger_of_sent")
    for _ in range(2):
        upgrade.write_rows(apps, None)
    assert billed_cost(campaign).amount is None
    price_stale()
    assert (billed_cost(campaign), before.amount) == (before, Decimal(1))
    found = rows.all().values("message_id", "origin", "country", "amount", "delivered_on")
    assert list(found) == values


def test_the_estimate_takes_what_was_really_billed_lately(
    clock: Clock,
    client: Any,
    acme: Company,
    connection: Connection,
    due: Make,
    graph: GraphServer,
) -> None:
    wrote(clock, acme, connection, "5511984321102")
    price("1")
    price("0.1", category="SERVICE")
    campaign = due(connection=connection, **template(graph))
    assert estimate(client, campaign)["cost"]["amount"] == "2.1"
    paid = Pricing(is_billable=True, category="SERVICE", type="regular")
    free = Pricing(is_billable=False, category="SERVICE", type="free_entry_point")
    light = Pricing(is_billable=False, category="MARKETING_LITE", type="free_entry_point")
    other = make_connection(acme)
    for number, pricing, days in [
        *[(connection, paid, 1)] * 5,
        *[(connection, free, 27)] * 3,
        (connection, light, 3),
        *[(other, free, 1)] * 4,
        *[(connection, free, 30)] * 9,
    ]:
        at = clock.now - timedelta(days=days)
        ticket = make_ticket(acme, contact=make_contact(acme), connection=number, status="closed")
        message = make_message(ticket, from_me=True, ack=Ack.SENT, created_at=at)
        status = InboundStatus(message.external_id or "", Ack.READ, pricing=pricing, at=at)
        apply_statuses([(number, status)])
    told = estimate(client, campaign)
    # Of eight service messages five; of marketing none, so it costs in full.
    assert told["billedShares"] == [{"category": "SERVICE", "share": "0.625"}]
    assert told["cost"]["amount"] == "2.0625"
    assert [line["recipients"] for line in told["cost"]["lines"]] == [2, 1]
    # One of them more is free by the allowance.
    ServiceAllowance.objects.create(messages=1, valid_from=date(2020, 1, 1))
    mark_stale(since=date(2020, 1, 1))
    price_stale()
    assert estimate(client, campaign)["billedShares"] == [{"category": "SERVICE", "share": "0.5"}]
