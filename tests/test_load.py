"""A small load run with all its kills; the whole one is `make load`."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.load.counting import Counts, count_heard, count_in, count_out
from tests.load.listeners import HeardFirst, Listener
from tests.load.record import Record, Window
from tests.load.shops import Contact, Person, Shop
from tests.load.size import size_of
from tests.product import ROOT, children_of, is_alive, wait_for

pytestmark = pytest.mark.xdist_group("processes")

LONGEST_SECONDS = 420
DISORDER = "conversations out of order at the provider"
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


def shop_of(company: int, *, messages: int) -> Shop:
    person = Person(company, company, "")
    shop = Shop(company, 1, 10 + company, f"phone{company}", "", [], [person], 1)
    for _ in range(messages):
        shop.next_body(Contact("5511900000001", 1, said=len(shop.due)), due=100.0)
    return shop


def hearing(shop: Shop, *packets: str, joined_at: float = 0.0) -> Listener:
    listener = Listener(shop, shop.people[0], HeardFirst(Record()))
    listener.joined_at = [joined_at]
    for packet in packets:
        listener.take(packet.encode(), 0.0)
    return listener


def event(company: int, number: int, said: int) -> str:
    """Return an event as it comes, of a contact's message."""
    body = f'"body":"load-{number}-1-{said}"'
    return f'["company-{company}-appMessage",{{"action":"create","message":{{{body}}}}}]'


def faults_of(counts: Counts) -> set[str]:
    return {name for name, count in counts.faults.items() if count}


@pytest.mark.parametrize(
    ("packets", "faults"),
    [
        ([event(1, 0, 1), event(1, 1, 2)], set()),
        ([event(1, 0, 1)], {"missed at a socket that stayed connected"}),
        ([event(1, 0, 1), event(1, 1, 2), event(1, 1, 2)], {"heard twice at a socket"}),
        ([event(1, 1, 2), event(1, 0, 1)], {"heard out of order"}),
        (
            [event(1, 0, 1), event(1, 1, 2), event(2, 0, 1)],
            {"heard at a socket of another company"},
        ),
    ],
)
def test_what_sockets_hear_is_counted(packets: list[str], faults: set[str]) -> None:
    shop, counts = shop_of(1, messages=2), Counts()
    count_heard(counts, [shop], [hearing(shop, *packets)], {}, [])
    assert faults_of(counts) == faults


@pytest.mark.parametrize(
    ("name", "cut_off_at", "is_missed"),
    [
        ("Redis frozen", 110.0, False),
        ("Redis frozen", 190.0, True),
        ("worker killed", 110.0, False),
        ("web killed", 130.0, True),
        ("gateway killed", 110.0, True),
    ],
)
def test_who_was_cut_off_in_time_has_read_what_a_fault_lost(
    name: str, cut_off_at: float, is_missed: bool
) -> None:
    shop, counts = shop_of(1, messages=1), Counts()
    listener = hearing(shop)
    listener.lost_at, listener.joined_at = [cut_off_at], [0.0, cut_off_at + 2]
    count_heard(counts, [shop], [listener], {}, [Window(name, 99.0, 105.0, 106.0)])
    assert bool(faults_of(counts)) == bool(counts.examples) == is_missed


FIRST = (1, 1, 11, "load-0-1-1", 0, "")
SECOND = (1, 1, 11, "load-1-1-2", 0, "")


@pytest.mark.parametrize(
    ("rows", "faults"),
    [
        ([FIRST, SECOND], set()),
        ([FIRST], {"messages in, lost"}),
        ([FIRST, SECOND, SECOND], {"messages in, stored twice"}),
        ([SECOND, FIRST], {"messages in, out of their conversation's order"}),
        (
            [FIRST, (2, *SECOND[1:])],
            {"messages in, lost", "messages in, of another company"},
        ),
    ],
)
def test_what_is_stored_is_counted(rows: list[object], faults: set[str], tmp_path: Path) -> None:
    counts = Counts()
    count_in(counts, [shop_of(1, messages=2)], rows, tmp_path)
    assert faults_of(counts) == faults


@pytest.mark.parametrize(
    ("stored", "arrived", "faults"),
    [
        ("ab", "ab", set()),
        ("a", "a", {"messages out, taken but not stored"}),
        ("ab", "a", {"messages out, never at the provider", DISORDER}),
        ("ab", "abb", {"messages out, twice at the provider", DISORDER}),
        ("ab", "ba", {DISORDER}),
        ("abb", "ab", {"messages out, stored twice", DISORDER}),
        ("ab", "abc", {"messages out, at the provider but not stored", DISORDER}),
    ],
)
def test_what_leaves_is_counted(stored: str, arrived: str, faults: set[str]) -> None:
    counts, number = Counts(), "5511900000001"
    rows = [(1, 11, number, body, 1) for body in stored]
    count_out(
        counts, [shop_of(1, messages=0)], {("phone1", number): [*arrived]}, {}, rows, ["a", "b"]
    )
    assert faults_of(counts) == faults


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
