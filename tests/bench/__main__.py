"""Runs the measurements and prints their tables; ends by itself, each part within its time."""

import argparse
import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from tests.bench import older
from tests.bench.limits import Deadline, end_on_terminate
from tests.bench.report import Figure
from tests.bench.stack import Stack
from tests.product import ROOT

if TYPE_CHECKING:
    from tests.bench.dataset import Business

SMALL, LARGE, TIMED, HUGE = 2_000, 20_000, 100_000, 200_000
# Each part with the seconds that it may take; on a quiet machine it takes a fraction of them.
PARTS = {
    "embedded": 100,
    "idle": 140,
    "lists": 150,
    "reads": 240,
    "search": 240,
    "calls": 420,
    "inbound": 120,
    "writes": 240,
    "history": 240,
    "bot": 90,
    "login": 120,
    "sockets": 90,
    "held": 420,
    "slow": 120,
    "first": 180,
    "opening": 120,
    "scroll": 100,
    "scale": 180,
    "timers": 120,
    "dashboard": 300,
    "reports": 1800,
    "campaigns": 300,
    "crashes": 900,
    "imports": 600,
    "rehearsal": 1200,
    "daily": 240,
    "gateway": 420,
    "movein": 1200,
    "years": 10_800,
}
# Hours, so it runs only by its name.
BY_NAME = {"years"}
EMBEDDED = {"embedded", "idle"}
# Those that need nothing of the product's processes.
ALONE = {"gateway", "movein", "years"}
# Migrating alone takes minutes where others fill the machine.
START_SECONDS = 360
# Each part may need the whole of its own time on a busy machine.
RUN_SECONDS = float(START_SECONDS + sum(PARTS.values()))
Measured = Callable[[], list[Figure]]


def say(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)


class Run:
    """The parts that were asked for, their figures, and those that came to nothing."""

    def __init__(self, parts: set[str], shrink: int) -> None:
        self.parts = parts
        self.shrink = shrink
        self.figures: list[Figure] = []
        self.failed: list[str] = []
        self.deadline = Deadline(RUN_SECONDS)
        # Done before each part: what the one before left to be tidied is no part of this one.
        self.settle: Callable[[], None] = lambda: None

    def size(self, tickets: int) -> int:
        """Return how many of them this run makes."""
        return max(200, tickets // self.shrink)

    def attempt(self, part: str, measured: Measured, *, name: str = "") -> None:
        """Measure a part within its time, if it was asked for; a failure ends this part alone."""
        if part not in self.parts or part in self.failed:
            return
        say(f"  {name or part}")
        self.settle()
        started_at = time.monotonic()
        try:
            with self.deadline.at_most(PARTS[part]):
                self.figures += measured()
        except Exception as error:  # the others are measured
            self.failed.append(part)
            say(f"    failed after {time.monotonic() - started_at:.0f} s: {_reason(error)}")


def _reason(error: Exception) -> str:
    text = str(error).strip()
    return f"{type(error).__name__}: {text[:600]}" if text else type(error).__name__


def log_in(stack: Stack) -> str:
    """Return an access token of the admin."""
    import httpx

    from tests.factories import PASSWORD

    answer = httpx.post(
        f"{stack.web_address}/api/auth/login",
        json={"email": "admin@bench.example", "password": PASSWORD},
        timeout=30,
    )
    answer.raise_for_status()
    token: str = answer.json()["token"]
    return token


def prepare(stack: Stack, tickets: int) -> "Business":
    """Migrate, start the processes and make the company at its small size."""
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, check=True, timeout=START_SECONDS
    )
    import django

    django.setup()
    from tests.bench.dataset import grow, make_business

    business = make_business()
    grow(business, tickets=tickets)
    stack.start_web()
    stack.start_realtime()
    stack.start_worker()
    return business


def production(run: Run) -> None:
    """Measure the processes of production on a PostgreSQL that waits for the disk."""
    small, large, huge = run.size(SMALL), run.size(LARGE), run.size(HUGE)
    with Stack() as stack:
        say(f"  starting, with {small:,} tickets")
        with run.deadline.at_most(START_SECONDS):
            business = prepare(stack, small)
        from tests.bench import (
            bot,
            campaigns,
            crashes,
            daily,
            dashboard,
            first,
            held,
            history,
            imports,
            inbound,
            lists,
            logins,
            opening,
            ordinary,
            reads,
            rehearsal,
            reports,
            scale,
            scrolling,
            slow,
            timers,
            writes,
        )
        from tests.bench.dataset import grow, say_more, settle

        run.settle = settle
        said = run.size(reads.MESSAGES)
        found: dict[str, lists.Timing] = {}

        def lists_small() -> list[Figure]:
            found.update(lists.measure(stack, lists.pages(business), log_in(stack)))
            return lists.queries(business)

        def lists_large() -> list[Figure]:
            grow(business, tickets=large)
            timings = lists.measure(stack, lists.pages(business), log_in(stack))
            return lists.figures(business, found, timings, (small, large))

        def read(called: "Callable[[Business], dict[str, str]]") -> list[Figure]:
            grow(business, tickets=large, messages_per_ticket=reads.MESSAGES_PER_TICKET)
            say_more(business, messages=said)
            return reads.measure(stack, business, log_in(stack), called(business), reads.HOT)

        def ordinary_calls() -> list[Figure]:
            grow(business, tickets=large, messages_per_ticket=reads.MESSAGES_PER_TICKET)
            ordinary.fill(business)
            settle()
            called = ordinary.addresses(business)
            return reads.measure(stack, business, log_in(stack), called, ordinary.BOUNDS)

        def inbound_all() -> list[Figure]:
            figures = asyncio.run(inbound.latency(stack, business, log_in(stack)))
            return figures + inbound.throughput(stack, business)

        def at_scale() -> list[Figure]:
            grow(business, tickets=large, messages_per_ticket=scale.MESSAGES_PER_TICKET)
            pages = scale.ticket_lists(business)
            before = lists.measure(stack, pages, log_in(stack))
            grow(business, tickets=huge, messages_per_ticket=scale.MESSAGES_PER_TICKET)
            token = log_in(stack)
            after = lists.measure(stack, pages, token)
            return scale.figures(before, after, huge) + scale.export(stack, token)

        def dashboards() -> list[Figure]:
            cycles = dashboard.fill(
                business,
                tickets=run.size(dashboard.TICKETS),
                messages=run.size(dashboard.MESSAGES),
            )
            figures = dashboard.measure(stack, log_in(stack))
            return [Figure("cycles that the dashboard counts", cycles), *figures]

        def boss_reports() -> list[Figure]:
            made = reports.fill(business, conversations=run.size(reports.CONVERSATIONS))
            figures = reports.measure(stack, business, log_in(stack))
            return [Figure("conversations that the reports read", made), *figures]

        def beside_timers() -> list[Figure]:
            grow(business, tickets=run.size(TIMED), messages_per_ticket=1)
            return timers.measure(stack, business, log_in(stack))

        run.attempt("lists", lists_small, name=f"lists at {small:,} tickets")
        run.attempt("inbound", inbound_all)
        run.attempt("writes", lambda: writes.measure(stack, business, log_in(stack)))
        run.attempt(
            "history",
            lambda: history.imported(
                stack, business, log_in(stack), messages=run.size(history.MESSAGES)
            ),
        )
        run.attempt("first", lambda: first.measure(stack, business))
        run.attempt("opening", lambda: opening.measure(stack, business))
        run.attempt("bot", lambda: bot.decisions() + bot.throughput(stack, business))
        run.attempt("login", lambda: logins.measure(stack, business))
        run.attempt("sockets", lambda: asyncio.run(inbound.fan_out(stack, business, log_in(stack))))
        run.attempt(
            "held",
            lambda: asyncio.run(held.measure(stack, log_in(stack), run.size(held.SOCKETS))),
        )
        run.attempt("slow", lambda: slow.measure(stack, business))
        run.attempt("lists", lists_large, name=f"lists at {large:,} tickets")
        run.attempt("reads", lambda: read(reads.addresses), name=f"reads of {said:,} messages")
        run.attempt("search", lambda: read(reads.searches), name=f"search in {said:,} messages")
        run.attempt("calls", ordinary_calls, name="ordinary calls")
        run.attempt(
            "scroll", lambda: scrolling.measure(stack, business, run.size(scrolling.MESSAGES))
        )
        run.attempt("scale", at_scale, name=f"scale: {huge:,} tickets")
        run.attempt("dashboard", dashboards, name=f"dashboard: {huge:,} tickets")
        run.attempt("reports", boss_reports, name="reports of a million conversations")
        run.attempt("timers", beside_timers)
        run.attempt(
            "campaigns",
            lambda: campaigns.rates(stack, business, people=run.size(campaigns.FEW)),
            name="campaigns, recipients a second",
        )
        run.attempt(
            "campaigns",
            lambda: campaigns.inbox(
                stack, business, log_in(stack), people=run.size(campaigns.MANY)
            ),
            name="campaigns, the inbox beside one",
        )
        run.attempt(
            "crashes",
            lambda: crashes.survived(stack, business, people=run.size(crashes.PEOPLE)),
        )
        run.attempt(
            "imports",
            lambda: imports.measure(stack, business, log_in(stack), rows=run.size(imports.ROWS)),
        )
        run.attempt(
            "rehearsal",
            lambda: rehearsal.measure(stack, business, run.size(rehearsal.TICKETS)),
            name="rehearsals",
        )
        # The last: afterwards there are thousands of companies.
        run.attempt(
            "daily", lambda: daily.measure(stack, business, companies=run.size(daily.COMPANIES))
        )
        run.figures += [
            Figure(f"memory of {name} after the load", size, "MB", 190 if name == "web" else None)
            for name, size in stack.memory().items()
        ]


def main() -> int:
    """Measure what was asked for, all of it by default."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument(
        "parts", nargs="*", help=f"any of {', '.join(PARTS)}; default: all but {', '.join(BY_NAME)}"
    )
    parser.add_argument(
        "--shrink", type=int, default=1, help="divide all sizes, to see that a part runs at all"
    )
    parser.add_argument("--strict", action="store_true", help="fail when a budget is missed")
    options = parser.parse_args()
    parts = set(options.parts or set(PARTS) - BY_NAME)
    if unknown := parts - set(PARTS):
        parser.error(f"There is no {', '.join(unknown)}.")
    if options.shrink < 1:
        parser.error("Sizes are divided by 1 or more.")
    end_on_terminate()
    started_at = time.monotonic()
    run = Run(parts, options.shrink)
    if parts & EMBEDDED:
        from tests.bench import embedded, idle

        run.attempt("embedded", embedded.measure)
        run.attempt("idle", idle.measure)
    if "gateway" in parts:
        from tests.bench import gateway

        limit = PARTS["gateway"] - 10
        run.attempt("gateway", lambda: gateway.measure(options.shrink, limit))
    if "movein" in parts:
        from tests.bench import movein

        run.attempt("movein", lambda: movein.measure(run.size(movein.MESSAGES)))
    if "years" in parts:
        from tests.bench import years

        for messages in years.SIZES:
            size = run.size(messages)
            run.attempt("years", partial(years.measure, size), name=f"{size:,} messages")
    if parts - EMBEDDED - ALONE:
        production(run)
    say(f"\nMeasured in {time.monotonic() - started_at:.0f} s on {os.cpu_count()} cores\n")
    for figure in run.figures:
        say(figure.line())
    for table in (older.table(run.figures), older.openings(run.figures)):
        say("\n".join(["", *table]))
    missed = [figure for figure in run.figures if not figure.is_kept]
    say(f"\n{len(missed)} budgets missed." if missed else "\nAll budgets kept.")
    if run.failed:
        say(f"Came to nothing: {', '.join(run.failed)}.")
    return 1 if run.failed or (missed and options.strict) else 0


if __name__ == "__main__":
    sys.exit(main())
