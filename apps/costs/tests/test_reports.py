"""The figures, meters and files of the ledger that admins get, and who is refused them."""

import csv
from datetime import date, timedelta
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.permissions import ALL, Permission
from apps.audit.models import AuditEntry
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.costs.queries.ledger import Asked, groups_of, read_groups
from apps.costs.queries.meters import meters_of
from apps.costs.tests.test_ledger import (
    FREE,
    MARKETING,
    NOON,
    allow,
    apply,
    price,
    sent,
    told,
)
from apps.queues.models import Queue, QueueOption
from apps.tickets.models import Ticket
from conftest import ClientFor
from tests.factories import (
    make_campaign,
    make_connection,
    make_contact,
    make_queue,
    make_role,
    make_ticket,
    make_user,
)

pytestmark = pytest.mark.django_db
NOVEMBER = "dateFrom=2026-11-01&dateTo=2026-11-30"
BRL = "BRL"


@pytest.fixture
def client(client_for: ClientFor, admin: User) -> Any:
    return client_for(admin)


@pytest.fixture
def ticket(acme: Company, connection: Connection, queue: Queue) -> Ticket:
    contact = make_contact(acme, name="Ana", number="5511984321100")
    return make_ticket(acme, contact=contact, connection=connection, queue=queue, status="open")


def costs(client: Any, group: str, query: str = NOVEMBER) -> dict[str, Any]:
    answer = client.get(f"/api/costs?groupBy={group}&{query}")
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def paid(body: dict[str, Any]) -> list[tuple[Any, int, list[str]]]:
    figures = [each["figures"] for each in body["groups"]]
    sums = [[of["amount"] for of in each["amounts"]] for each in figures]
    names = [each["name"] for each in body["groups"]]
    return list(zip(names, [each["messages"] for each in figures], sums, strict=True))


def test_groups_stand_with_the_dearest_first_and_the_sum_of_all(
    client: Any, acme: Company, connection: Connection, ticket: Ticket, agent: User
) -> None:
    price("0.03")
    price("0.3", "MARKETING")
    other = make_ticket(
        acme, contact=make_contact(acme, name="Bia", number="5511984321101"), connection=connection
    )
    apply(
        connection,
        [
            *(told(sent(ticket, user=agent, source="agent")) for _ in range(3)),
            told(sent(ticket, user=agent, source="agent"), pricing=FREE),
            told(sent(other, source="agent"), pricing=MARKETING),
        ],
    )
    by_ticket = costs(client, "ticket")
    assert paid(by_ticket) == [("Bia", 1, ["0.3"]), ("Ana", 4, ["0.09"])]
    assert by_ticket["groups"][0]["uuid"] == str(other.uuid)
    assert by_ticket["total"] == {
        "messages": 5,
        "billable": 4,
        "free": 0,
        "unpriced": 0,
        "amounts": [{"currency": BRL, "amount": "0.39"}],
    }
    assert (by_ticket["count"], by_ticket["hasMore"]) == (2, False)
    assert paid(costs(client, "queue")) == [(None, 1, ["0.3"]), ("Vendas", 4, ["0.09"])]
    assert paid(costs(client, "user")) == [(None, 1, ["0.3"]), (agent.name, 4, ["0.09"])]
    assert paid(costs(client, "connection")) == [(connection.name, 5, ["0.39"])]
    by_category = costs(client, "category")["groups"]
    assert [each["category"] for each in by_category] == ["MARKETING", "SERVICE"]
    assert costs(client, "ticket", "dateFrom=2026-12-01&dateTo=2026-12-02")["groups"] == []


def test_a_source_names_what_had_it_written(
    client: Any, acme: Company, connection: Connection, ticket: Ticket, queue: Queue
) -> None:
    price("0.03")
    allow(1)
    option = QueueOption.objects.create(queue=queue, title="Horários")
    campaign = make_campaign(acme, name="Natal", scheduled_at=None)
    gone = campaign.pk + 1
    given = [
        *[("bot", f"greeting:{queue.pk}")] * 7,
        *[("bot", f"option:{option.pk}")] * 6,
        *[("bot", "farewell")] * 5,
        *[("bot", "out_of_hours")] * 4,
        *[("campaign", f"campaign:{campaign.pk}")] * 3,
        *[("campaign", f"campaign:{gone}")] * 2,
        ("agent", ""),
    ]
    apply(connection, [told(sent(ticket, source=source, origin=of)) for source, of in given])
    groups = costs(client, "source")["groups"]
    assert [
        (each["source"], each["origin"], each["id"], each["name"], each["queue"]) for each in groups
    ] == [
        ("bot", "greeting", queue.pk, "Vendas", None),
        ("bot", "option", option.pk, "Horários", "Vendas"),
        ("bot", "farewell", None, None, None),
        ("bot", "out_of_hours", None, None, None),
        ("campaign", "campaign", campaign.pk, "Natal", None),
        ("campaign", "campaign", gone, None, None),
        ("agent", "", None, None, None),
    ]
    first = groups[0]["figures"]
    assert (first["free"], first["billable"], first["amounts"][0]["amount"]) == (1, 6, "0.18")
    by_campaign = costs(client, "campaign")
    assert paid(by_campaign) == [("Natal", 3, ["0.09"]), (None, 2, ["0.06"])]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("groupBy=colour", "groupBy"),
        ("dateFrom=yesterday", "dateFrom"),
        ("dateFrom=2026-11-02&dateTo=2026-11-01", "dateTo"),
        ("dateFrom=2020-01-01&dateTo=2026-11-01", "dateFrom"),
        ("pageNumber=-1", "pageNumber"),
    ],
)
def test_bad_questions_are_refused(client: Any, query: str, field: str) -> None:
    answer = client.get(f"/api/costs?{query}")
    assert answer.status_code == 400
    assert field in answer.json()["fields"]


def test_the_file_has_every_group_and_is_audited(
    client: Any, acme: Company, connection: Connection, ticket: Ticket
) -> None:
    price("0.03")
    tickets = [
        make_ticket(acme, contact=make_contact(acme, name="=1+1"), connection=connection)
        for _ in range(30)
    ]
    apply(connection, [told(sent(each)) for each in tickets])
    answer = client.get(f"/api/costs/export?groupBy=ticket&{NOVEMBER}")
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    rows = list(csv.DictReader(StringIO(text), delimiter=";"))
    assert {each["id"] for each in rows} == {str(each.pk) for each in tickets}
    assert {each["nome"] for each in rows} == {"'=1+1"}
    assert AuditEntry.objects.get(action="costs.exported").detail["groupBy"] == "ticket"
    assert costs(client, "ticket")["hasMore"] is True
    second = costs(client, "ticket", f"{NOVEMBER}&pageNumber=2")
    assert (len(second["groups"]), second["count"]) == (10, 30)


def test_who_sees_no_full_numbers_sees_none_as_a_contacts_name(
    client_for: ClientFor, acme: Company, connection: Connection, ticket: Ticket
) -> None:
    ticket.contact.name = ticket.contact.number
    ticket.contact.save()
    price("0.03")
    apply(connection, [told(sent(ticket))])
    hiding = client_for(make_user(acme, role=make_role(acme, *(ALL - {Permission.FULL_NUMBER}))))
    [row] = costs(hiding, "ticket")["groups"]
    assert row["name"] == "5511•••••••00"
    answer = hiding.get(f"/api/costs/export?groupBy=ticket&{NOVEMBER}")
    assert b"984321100" not in answer.getvalue()


def test_a_ticket_tells_its_cost(client: Any, connection: Connection, ticket: Ticket) -> None:
    price("0.03")
    apply(connection, [told(sent(ticket)), told(sent(ticket))])
    answer = client.get(f"/api/tickets/{ticket.pk}/cost")
    assert answer.json() == {
        "messages": 2,
        "billable": 2,
        "free": 0,
        "unpriced": 0,
        "amounts": [{"currency": BRL, "amount": "0.06"}],
    }


def test_the_meter_says_what_is_left_and_what_the_month_will_cost(
    acme: Company, connection: Connection, ticket: Ticket
) -> None:
    price("0.03")
    price("0.3", "MARKETING")
    allow(30)
    first = NOON - timedelta(days=9)  # the first of November
    statuses = [
        told(sent(ticket, created_at=first), at=first + timedelta(days=day, seconds=place))
        for day in range(10)
        for place in range(2)
    ]
    statuses.append(told(sent(ticket, created_at=first), pricing=MARKETING, at=first))
    apply(connection, statuses)
    [meter] = meters_of(acme.pk, date(2026, 11, 10))
    # 20 so far; nine days of two each before today, and twenty days to come.
    assert (meter.service, meter.allowance, meter.free_left) == (20, 30, 10)
    assert meter.projected_service == 60
    assert [each.amount for each in meter.amounts] == [Decimal("0.3")]
    expected = Decimal("0.3") + 30 * Decimal("0.03") + Decimal("0.3") / 9 * 20
    assert [each.amount for each in meter.projected_amounts] == [
        expected.quantize(Decimal("0.000001"))
    ]
    assert (meter.unpriced, meter.lacking) == (0, [])
    [later] = meters_of(acme.pk, date(2026, 12, 20))
    assert (later.service, later.free_left, later.projected_service) == (0, 30, 0)


def test_the_meter_names_what_the_operator_has_not_entered(
    client: Any, acme: Company, connection: Connection, ticket: Ticket
) -> None:
    now = timezone.now()
    apply(
        connection,
        [told(sent(ticket, created_at=now), at=now), told(sent(ticket), pricing=FREE, at=now)],
    )
    make_connection(acme, provider="beta", name="QR")
    body = client.get("/api/costs/meter").json()
    assert body["timeZone"] == "America/Sao_Paulo"
    [meter] = body["meters"]
    assert (meter["connectionId"], meter["service"]) == (connection.pk, 1)
    assert (meter["allowance"], meter["freeLeft"], meter["amounts"]) == (None, None, [])
    assert meter["unpriced"] == 1
    assert meter["lackingPrices"] == [{"category": "SERVICE", "country": "BR", "messages": 1}]


def test_the_queries_do_not_grow_with_the_groups(
    client: Any, acme: Company, connection: Connection, django_assert_max_num_queries: Any
) -> None:
    price("0.03")
    for _ in range(25):
        there = make_ticket(
            acme, connection=make_connection(acme), queue=make_queue(acme), status="open"
        )
        assert there.connection is not None
        apply(there.connection, [told(sent(there, source="bot", origin=f"queue:{there.queue_id}"))])
    for group in ("ticket", "queue", "user", "source", "campaign", "connection", "category"):
        with django_assert_max_num_queries(10):
            costs(client, group)
    with django_assert_max_num_queries(12):
        meters = client.get("/api/costs/meter").json()["meters"]
    assert len(meters) == 25 + 1


def test_another_companys_messages_are_in_no_figure(
    client_for: ClientFor, acme: Company, outsider: User, connection: Connection, ticket: Ticket
) -> None:
    price("0.03")
    apply(connection, [told(sent(ticket))])
    other = client_for(outsider)
    body = costs(other, "ticket")
    assert (body["groups"], body["total"]["messages"]) == ([], 0)
    assert other.get("/api/costs/meter").json()["meters"] == []
    assert other.get(f"/api/tickets/{ticket.pk}/cost").status_code == 404
    file: Any = other.get(f"/api/costs/export?{NOVEMBER}")
    exported = b"".join(file.streaming_content).decode()
    assert len(exported.splitlines()) == 1


def test_two_currencies_are_told_apart(
    acme: Company, connection: Connection, ticket: Ticket
) -> None:
    rate = price("0.03")
    apply(connection, [told(sent(ticket))])
    rate.delete()
    price("0.01", currency="USD")
    apply(connection, [told(sent(ticket))])
    asked = Asked(acme.pk, date(2026, 11, 1), date(2026, 11, 30), "ticket")
    [group] = read_groups(asked, list(groups_of(asked)))
    assert [(each.currency, each.amount) for each in group.figures.amounts] == [
        ("BRL", Decimal("0.03")),
        ("USD", Decimal("0.01")),
    ]
