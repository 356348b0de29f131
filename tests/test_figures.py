"""The board and the alerts ask for figures that the product has."""

import json
import re
from collections.abc import Iterator
from typing import Any

import promql_parser
import pytest
import yaml
from prometheus_client import REGISTRY

from apps.common.metrics import gauges
from apps.realtime import server
from config import hot_lane
from tests.product import ROOT

pytestmark = pytest.mark.sources

BOARD = json.loads((ROOT / "deploy" / "grafana" / "balcao.json").read_text())
RULES = yaml.safe_load((ROOT / "deploy" / "prometheus" / "rules.yaml").read_text())
GUIDE = (ROOT / "docs" / "operator-guide.md").read_text()
# Of those that are read from the database when they are scraped.
GAUGES = {"balcao_waiting_rows", "balcao_oldest_due_seconds", "balcao_sockets"}


def expressions() -> Iterator[str]:
    for panel in BOARD["panels"]:
        for target in panel["targets"]:
            yield target["expr"].replace("$job", ".*")
    for group in RULES["groups"]:
        for rule in group["rules"]:
            yield rule["expr"]


def figures() -> set[str]:
    """Return the names of ours that are shown, as Prometheus stores them."""
    assert hot_lane.FAULTS  # registers its own
    names = {
        sample
        for family in REGISTRY.collect()
        if family.name.startswith("balcao_")
        for sample in (
            [f"{family.name}_bucket"]
            if family.type == "histogram"
            else [f"{family.name}_total" if family.type == "counter" else family.name]
        )
    }
    return names | GAUGES


@pytest.mark.parametrize("expression", sorted(set(expressions())))
def test_every_expression_is_promql_about_figures_that_exist(expression: str) -> None:
    promql_parser.parse(expression)
    asked = set(re.findall(r"balcao_\w+", expression))
    assert asked
    assert asked <= figures()


def test_every_figure_is_on_the_board_and_in_the_guide() -> None:
    asked = {
        name
        for panel in BOARD["panels"]
        for target in panel["targets"]
        for name in re.findall(r"balcao_\w+", target["expr"])
    }
    assert asked == figures()
    for name in figures():
        assert f"`{name.removesuffix('_bucket')}`" in GUIDE, name


def test_a_wrong_expression_would_be_seen() -> None:
    with pytest.raises(ValueError, match=r".+"):
        promql_parser.parse("sum(rate(balcao_x[5m])")


def test_panels_do_not_overlap_and_every_alert_says_what_to_do() -> None:
    places: list[dict[str, Any]] = [panel["gridPos"] for panel in BOARD["panels"]]
    assert len({(each["x"], each["y"]) for each in places}) == len(places)
    for rule in RULES["groups"][0]["rules"]:
        assert rule["annotations"]["summary"]
        assert rule["annotations"]["description"]
        assert rule["labels"]["severity"] in {"critical", "warning", "info"}


def test_the_sockets_of_a_process_are_counted() -> None:
    counts = server.limits.counts
    assert set(counts) == {"open", "signed_in"}
    found = {
        sample.labels["state"]: sample.value
        for collector in (server.OpenSockets(),)
        for family in collector.collect()
        for sample in family.samples
    }
    assert found == {name: float(count) for name, count in counts.items()}
    assert gauges is not REGISTRY
