"""What the bench says of its figures; the measuring itself is `make bench`."""

import os
import subprocess
import sys

import pytest

from tests.bench import older, opening
from tests.bench.__main__ import PARTS, RUN_SECONDS
from tests.bench.report import Figure


def measured(value: float) -> list[Figure]:
    """Return a figure of each name that the table asks for."""
    return [Figure(call.measured, value, "ms") for call in older.CALLS]


def test_the_table_has_every_call_with_its_ratio_and_its_bare_limit() -> None:
    figures = [*measured(4.0), Figure("messages, the same bare", 0.9, "ms")]
    lines = older.table(figures)
    assert len(lines) == 3 + len(older.CALLS)
    row = next(line for line in lines if line.startswith("  messages"))
    assert row.split() == [
        "messages",
        "22",
        "7.8",
        "2.82",
        "×",
        "4",
        "5.5",
        "×",
        "0.9",
    ]


def test_nothing_is_said_of_what_was_not_measured() -> None:
    assert older.table([]) == []
    assert older.openings([Figure("open list, CPU of the server", 1, "ms")]) == []


def test_a_click_stands_beside_what_it_took_before() -> None:
    figures = [
        figure
        for kind, took in (("cold", 180.0), ("cold, pointer rested", 60.0), ("warm", 41.0))
        for figure in opening.figures(kind, [(took, 9.0)])
    ]
    head, _, _, *lines = older.openings(figures)
    assert head == "From the click to the text"
    assert [line.split() for line in lines] == [
        ["warm", "550", "to", "1200", "41", "≤", "100"],
        ["cold", "1400", "180", "≤", "400"],
    ]
    assert [each.budget for each in older.OPENINGS] == [
        opening.WARM_BUDGET_MS,
        opening.COLD_BUDGET_MS,
    ]


@pytest.mark.parametrize(
    ("kind", "median", "worst"),
    [("warm", 100, 200), ("cold", 400, 800), ("cold, pointer rested", 400, 800)],
)
def test_the_worst_click_has_a_bound_too(kind: str, median: float, worst: float) -> None:
    half, slowest, _ = opening.figures(kind, [(9.0, 9.0), (9.0, 9.0), (worst + 1, 9.0)])
    assert (half.budget, half.is_kept) == (median, True)
    assert (slowest.budget, slowest.is_kept) == (worst, False)


def test_the_product_as_it_is_started_is_measured_without_any_settings() -> None:
    without = {**os.environ}
    for name in ("DJANGO_SETTINGS_MODULE", "DATABASE_URL", "SECRET_KEY"):
        without.pop(name, None)
    began = subprocess.run(
        [sys.executable, "-c", "from tests.bench import embedded, idle"],
        env=without,
        capture_output=True,
        text=True,
        check=False,
    )
    assert began.returncode == 0, began.stderr


def test_the_older_figures_are_named_as_those_of_another_run() -> None:
    head, *_ = older.table(measured(4.0))
    assert head == "Beside the older product, measured in November 2026 in another run"


def test_no_part_may_take_longer_than_the_run() -> None:
    assert max(PARTS.values()) < RUN_SECONDS
