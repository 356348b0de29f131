"""The tables of a run, as Markdown, which is also what is printed."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from tests.bench.report import percentile
from tests.load.agents import Agent
from tests.load.counting import Counts
from tests.load.disk import Disk
from tests.load.faults import Faults
from tests.load.meta import Meta, Phones
from tests.load.record import Record, Window
from tests.load.size import Size
from tests.load.watching import Watch

MEGABYTE = 1_000_000
# A run holds its rate when messages reach a socket within this time, outside of faults, and no more
# than so many seconds of them wait at the end.
HELD_SECONDS, HELD_WAITING_SECONDS, HELD_SHARE = 2.0, 5.0, 0.97
# What is kept of a message for good, and what is purged after RETENTION_DAYS.
PURGED = {"inbound_inboundevent", "tickets_delivery"}
SMALLEST_SHARE = 0.01


@dataclass
class Run:
    size: Size
    record: Record
    watch: Watch
    faults: Faults
    meta: Meta
    phones: Phones
    agents: list[Agent]
    counts: Counts
    before: Disk
    after: Disk
    # The moments of the load's beginning and end, and until all was worked off.
    began: float
    ended: float
    drained: float | None
    heard_at: list[float]
    waiting_at_end: int

    @property
    def offered(self) -> int:
        return self.meta.offered + self.phones.offered

    @property
    def heard_rate(self) -> float:
        """Return the messages a second that reached a socket while the load lasted."""
        return sum(at <= self.ended for at in self.heard_at) / (self.ended - self.began)

    @property
    def is_held(self) -> bool:
        times = self.record.milliseconds("message to socket")
        wanted = self.size.rate * (self.ended - self.began)
        return bool(
            times
            and percentile(times, 0.95) <= HELD_SECONDS * 1000
            and self.waiting_at_end <= HELD_WAITING_SECONDS * self.size.rate
            and self.offered >= HELD_SHARE * wanted
        )


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return a Markdown table whose columns after the first are figures."""
    return [
        f"| {' | '.join(head)} |",
        f"|---|{'---:|' * (len(head) - 1)}",
        *(f"| {' | '.join(row)} |" for row in rows),
        "",
    ]


def number(value: float) -> str:
    return f"{value:,.1f}" if abs(value) < 100 else f"{value:,.0f}"


def _three(times: Sequence[float]) -> list[str]:
    if not times:
        return ["", "", ""]
    return [number(percentile(times, share)) for share in (0.5, 0.95, 0.99)]


def report(run: Run) -> str:
    """Return a run as Markdown: its verdict, counts, latencies, faults, CPU, memory and disk."""
    lines = [
        "# A run of `make load`",
        "",
        f"{date.today()}, {os.cpu_count()} cores, which the generator shares with the product. "
        f"{run.size.line()}.",
        "",
        *_verdict(run),
        *_counts(run),
        *_latencies(run),
        *_faults(run),
        *_errors(run),
        *_uses(run),
        *_disk(run),
    ]
    return "\n".join(lines)


def _verdict(run: Run) -> list[str]:
    wanted = run.size.rate
    offered = run.offered / (run.ended - run.began)
    held = "**held**" if run.is_held else "**not held**"
    drained = "it was not in its time" if run.drained is None else f"{run.drained:.0f} s"
    most = max((events for _, events, _ in run.watch.waiting), default=0)
    return [
        f"The rate was {held}: {offered:.1f} of {wanted:g} messages a second were posted, "
        f"{run.heard_rate:.1f} reached a socket. At the end of the load {run.waiting_at_end:,} "
        f"events and messages waited (at most {most:,} events on the way); until all was worked "
        f"off: {drained}. Counts at both ends: "
        f"{'**equal**' if run.counts.is_equal else '**NOT EQUAL**'}.",
        "",
    ]


def _counts(run: Run) -> list[str]:
    facts = [[name, f"{count:,}"] for name, count in run.counts.facts.items()]
    faults = [[name, f"{count:,}"] for name, count in run.counts.faults.items()]
    return [
        "## Counts",
        "",
        *table(["What", "Count"], facts),
        *table(["What must be zero", "Count"], faults),
        *(f"- {example}" for example in run.counts.examples),
        *([""] if run.counts.examples else []),
    ]


def _latencies(run: Run) -> list[str]:
    rows = []
    for name in run.record.names():
        times = run.record.milliseconds(name)
        rows.append([name, f"{run.record.count(name):,}", *_three(times)])
    return [
        "## Latencies outside of faults",
        "",
        "Milliseconds; a message's time runs from the moment at which it was due, so what the "
        "generator or the product is behind is in it.",
        "",
        *table(["What", "All of them", "p50", "p95", "p99"], rows),
    ]


def _faults(run: Run) -> list[str]:
    rows = []
    for window in run.record.windows:
        times = run.record.milliseconds("message to socket", window)
        went_on = run.faults.went_on.get(window.name)
        rows.append(
            [
                window.name,
                f"{window.mended - window.began:.1f}",
                "not in time" if went_on is None else f"{went_on:.1f}",
                number(percentile(times, 0.5)) if times else "",
                number(max(times)) if times else "",
                f"{_errors_of(run, window):,}",
            ]
        )
    head = ["Fault", "lasted, s", "goes on after, s", "message to socket, p50, ms", "slowest, ms"]
    return ["## Faults", "", *table([*head, "failed calls"], rows)]


def _errors_of(run: Run, window: Window) -> int:
    return sum(run.record.errors_by_window().get(window.name, {}).values())


def _errors(run: Run) -> list[str]:
    rows = [
        [window or "outside of faults", kind, f"{count:,}"]
        for window, kinds in run.record.errors_by_window().items()
        for kind, count in kinds.most_common()
    ]
    refused = [
        ["refused as it should be", kind, f"{n:,}"] for kind, n in run.record.refused.items()
    ]
    return [
        "## Failed calls",
        "",
        *table(["When", "What", "Count"], [*rows, *refused]),
        *(f"- {each}" for each in run.faults.failed),
    ]


def _uses(run: Run) -> list[str]:
    seconds, messages = run.watch.seconds, max(1, run.offered)
    rows = [
        [
            kind,
            f"{use.cpu / seconds * 100:.1f}",
            f"{use.cpu * 1000 / messages:.1f}",
            number(use.rss),
            number(use.pss),
        ]
        for kind, use in sorted(run.watch.uses().items())
    ]
    own = run.watch.generator_cpu
    rows.append(
        ["the generator", f"{own / seconds * 100:.1f}", f"{own * 1000 / messages:.1f}", "", ""]
    )
    head = [
        "Process",
        "CPU, % of a core",
        "CPU of a message in, ms",
        "most RSS, MB",
        "most PSS, MB",
    ]
    return [
        "## CPU and memory",
        "",
        "CPU is all that was done meanwhile (calls, answers, statuses, sockets) divided by the "
        f"messages in. Of the machine's processors {run.watch.idle_share * 100:.0f} % were idle.",
        "",
        *table(head, rows),
    ]


def _disk(run: Run) -> list[str]:
    messages = max(
        1, run.counts.facts["messages in, stored"] + run.counts.facts["messages out, stored"]
    )
    grown = {name: size - run.before.tables.get(name, 0) for name, size in run.after.tables.items()}
    whole = max(1, sum(grown.values()))
    rows = [
        [f"{name}{', purged in time' if name in PURGED else ''}", number(size / messages)]
        for name, size in sorted(grown.items(), key=lambda each: -each[1])
        if size / whole >= SMALLEST_SHARE
    ]
    log = run.after.log - run.before.log
    media = run.after.media - run.before.media
    commits = run.after.commits - run.before.commits
    pictures = max(1, run.meta.pictures)
    return [
        "## Disk",
        "",
        *table(
            ["Of a message in or out", "Bytes"],
            [
                ["database, all tables with their indexes", number(whole / messages)],
                *rows,
                ["write-ahead log, kept until its checkpoint", number(log / messages)],
                ["media, of a picture", number(media / pictures)],
                ["transactions, those that only read too", number(commits / messages)],
            ],
        ),
    ]
