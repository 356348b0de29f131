"""The ledger reads what it sums, however much there is."""

import json
from collections import Counter
from datetime import date
from typing import Any

import pytest
from django.db import connection as database
from django.db.models import QuerySet

from apps.companies.models import Company
from apps.connections.models import Connection
from apps.costs.models import COUNTS, CostMeter, MessageCost
from apps.costs.queries.ledger import FIGURES, Asked, groups_of
from tests.bench.dataset import insert

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
ROWS = 60_000
DAYS = 60
ALLOWANCE = 1000


@pytest.fixture
def meter(acme: Company, globex: Company, connection: Connection) -> CostMeter:
    """Return one of two meters with 30,000 messages each; another company has as many."""
    meters = []
    for company, number in ((acme, connection.phone_number_id), (globex, "1")):
        for month in (date(2026, 10, 1), date(2026, 11, 1)):
            made = CostMeter.objects.create(company=company, number=number or "", month=month)
            meters.append(made)
            first = f"{meters.index(made) * ROWS}"
            insert(
                MessageCost,
                f"generate_series(1, {ROWS // 2}) AS n",
                message_id=f"{first} + n",
                company_id=str(company.pk),
                meter_id=str(made.pk),
                ticket_id=f"{first} + n / 10",
                source="'bot'",
                category="CASE WHEN n % 10 = 0 THEN 'MARKETING' ELSE 'SERVICE' END",
                is_billable="true",
                amount="0.03",
                currency="'BRL'",
                delivered_on=f"date '{month}' + n % 30",
                delivered_at=f"date '{month}' + n * interval '1 minute'",
            )
    with database.cursor() as cursor:
        cursor.execute(f"ANALYZE {MessageCost._meta.db_table}")
    return meters[0]


def read(rows: "QuerySet[Any, Any]") -> int:
    """Return how many rows of the ledger PostgreSQL read."""
    plan = json.loads(rows.explain(format="json", analyze=True))
    found: Counter[str] = Counter()
    nodes = [plan[0]["Plan"]]
    while nodes:
        node = nodes.pop()
        nodes += node.get("Plans", [])
        if node.get("Relation Name") == MessageCost._meta.db_table:
            count = node["Actual Rows"] + node.get("Rows Removed by Filter", 0)
            found["rows"] += round(count * node["Actual Loops"])
    return found["rows"]


def test_indexes_lead_to_what_is_asked_for(acme: Company, meter: CostMeter) -> None:
    costs = MessageCost.objects.all()
    assert read(costs.filter(message_id__in=range(5, 105))) <= 100
    of_ticket = costs.filter(company=acme, ticket=7).order_by()
    assert read(of_ticket.values("company").annotate(**FIGURES)) <= 10
    last_free = costs.filter(COUNTS, meter=meter.pk).order_by("delivered_at", "message_id")
    assert read(last_free[ALLOWANCE - 1 : ALLOWANCE]) <= ALLOWANCE
    three_days = Asked(acme.pk, date(2026, 11, 4), date(2026, 11, 6), "ticket")
    assert read(groups_of(three_days)[:21]) <= ROWS // 2 // 30 * 3
