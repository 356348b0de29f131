import socket
import urllib.request
from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.utils import timezone
from prometheus_client import REGISTRY

from apps.common import metrics
from apps.common.leases import leased_models
from apps.connections.models import Connection
from apps.inbound.models import InboundEvent
from tests.services import free_port


def value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


def shown(client: Client, name: str, work: str) -> float:
    [line] = [
        line
        for line in client.get("/metrics").content.decode().splitlines()
        if line.startswith(f'{name}{{work="{work}"}}')
    ]
    return float(line.split()[-1])


def test_the_oldest_due_row_says_how_late_it_is(client: Client, connection: Connection) -> None:
    now = timezone.now()
    for number, (minutes, state) in enumerate(
        [(-3, "waiting"), (-1, "claimed"), (5, "waiting"), (-9, "done"), (-9, "failed")]
    ):
        InboundEvent.objects.create(
            connection=connection,
            event_id=str(number),
            kind="x",
            partition="",
            payload={},
            state=state,
            next_attempt_at=now + timedelta(minutes=minutes),
        )
    assert shown(client, "balcao_waiting_rows", "inbound") == 3
    assert shown(client, "balcao_waiting_rows", "inbound_failed") == 1
    assert 180 <= shown(client, "balcao_oldest_due_seconds", "inbound") < 200
    assert shown(client, "balcao_oldest_due_seconds", "deliveries") == 0


def test_every_table_of_work_has_a_name_of_its_own(client: Client, db: None) -> None:
    lines = client.get("/metrics").content.decode().splitlines()
    works = [line for line in lines if line.startswith("balcao_oldest_due_seconds{")]
    assert len(works) == len(set(works)) == len(leased_models())


def test_a_provider_that_invents_codes_makes_no_figures_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(metrics, "_codes", set())
    name, others = (
        "balcao_provider_errors_total",
        value("balcao_provider_errors_total", code="other"),
    )
    before = value(name, code="131042")
    metrics.count_provider_error("131042")
    assert value(name, code="131042") == before + 1
    for code in ("", "ERR_X", "12345678", "１３", "131042\n"):
        metrics.count_provider_error(code)
    assert value(name, code="other") == others + 5
    for number in range(300):
        metrics.count_provider_error(str(900_000 + number))
    codes = {
        sample.labels["code"]
        for family in REGISTRY.collect()
        if family.name == "balcao_provider_errors"
        for sample in family.samples
        if sample.name == name and sample.labels["code"].startswith("900")
    }
    assert len(codes) < metrics.MOST_CODES


def test_a_message_without_a_price_is_charged_and_costs_nothing_known() -> None:
    charged = value("balcao_charged_messages_total", category="utility")
    cost = value("balcao_message_cost_total", category="utility", currency="USD")
    metrics.count_charge("utility", None, "")
    metrics.count_charge("utility", Decimal("0.0068"), "USD")
    assert value("balcao_charged_messages_total", category="utility") == charged + 2
    after = value("balcao_message_cost_total", category="utility", currency="USD")
    assert after == pytest.approx(cost + 0.0068)


def test_a_worker_shows_its_figures_and_works_on_where_it_cannot(
    caplog: pytest.LogCaptureFixture,
) -> None:
    port = free_port()
    metrics.serve_figures(f"127.0.0.1:{port}")
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
        assert b"balcao_provider_errors_total" in answer.read()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        metrics.serve_figures(f"127.0.0.1:{taken.getsockname()[1]}")
        metrics.serve_figures("127.0.0.1")
    assert [each.levelname for each in caplog.records] == ["WARNING", "WARNING"]
