"""A small load run with all its kills; the whole one is `make load`."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.load.record import Record, Window
from tests.load.size import size_of
from tests.product import ROOT, children_of, is_alive, wait_for

pytestmark = pytest.mark.xdist_group("processes")

LONGEST_SECONDS = 420
FAULTS = (
    *("web killed", "worker killed", "gateway killed", "Redis frozen", "PostgreSQL restarted"),
    *("rolling restart", "provider answers 429", "provider answers garbage"),
)


def started(report: Path, *arguments: str) -> "subprocess.Popen[str]":
    # It has servers of its own, which the tests' variables must not hide.
    foreign = {"DATABASE_URL", "REDIS_URL", "DATA_DIR", "SIMULATOR", "DEBUG"}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.load", "--shrink=20", f"--report={report}", *arguments],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name not in foreign},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_each_part_is_killed_once_and_both_ends_count_the_same(tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    process = started(report)
    try:
        printed, _ = process.communicate(timeout=LONGEST_SECONDS)
    finally:
        process.terminate()
        process.wait(60)
    assert process.returncode == 0, printed[-6000:]
    told = report.read_text()
    assert "Counts at both ends: **equal**" in told
    assert all(f"| {fault}" in told for fault in FAULTS)


def test_ended_in_the_middle_it_ends_all_that_it_started(tmp_path: Path) -> None:
    process = started(tmp_path / "report.md")
    try:
        wait_for(
            lambda: any("config.serve" in each for each in children_of(process.pid).values()),
            "the processes",
            LONGEST_SECONDS,
        )
        children = children_of(process.pid)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 128 + signal.SIGTERM
    wait_for(lambda: not any(map(is_alive, children)), f"the end of {children}")


def test_a_shrunken_run_has_all_that_a_whole_one_has() -> None:
    whole, small = size_of(), size_of(shrink=20)
    assert (whole.companies, whole.people, whole.agents_each, whole.rate) == (50, 20, 4, 100)
    assert small.companies >= 2
    assert small.seconds <= 60
    assert min(small.people, small.agents_each, small.rate, small.qr_rate) > 0


def test_what_a_fault_touches_is_counted_with_it_alone() -> None:
    record = Record()
    record.windows = [Window("Redis frozen", 100.0, 120.0, 121.0)]
    for start, end in ((10.0, 10.5), (99.5, 119.0), (130.0, 130.1)):
        record.note("call", start, end)
    record.errors += [("call", "502", 110.0, 110.1), ("call", "502", 140.0, 140.1)]
    assert record.milliseconds("call") == pytest.approx([500, 100], rel=0.01)
    assert record.milliseconds("call", record.windows[0]) == pytest.approx([19_500])
    assert {name: sum(kinds.values()) for name, kinds in record.errors_by_window().items()} == {
        "Redis frozen": 1,
        "": 1,
    }
