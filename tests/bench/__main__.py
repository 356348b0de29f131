"""Runs the measurements and prints one table; ends by itself within a few minutes."""

import argparse
import asyncio
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from tests.bench.report import Figure
from tests.bench.stack import Stack
from tests.product import ROOT

if TYPE_CHECKING:
    from tests.bench.dataset import Business

SMALL, LARGE, HUGE = 2_000, 20_000, 200_000
PARTS = ("embedded", "inbound", "sockets", "lists", "scroll", "scale")


def say(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)


def log_in(stack: Stack) -> str:
    """Return an access token of the admin."""
    import httpx

    from tests.factories import PASSWORD

    answer = httpx.post(
        f"{stack.web_address}/api/auth/login",
        json={"email": "admin@bench.example", "password": PASSWORD},
    )
    answer.raise_for_status()
    token: str = answer.json()["token"]
    return token


def prepare(stack: Stack) -> "Business":
    """Migrate, start the processes and make the company at its small size."""
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, check=True)
    import django

    django.setup()
    from tests.bench.dataset import grow, make_business

    business = make_business()
    grow(business, tickets=SMALL)
    stack.start_web()
    stack.start_realtime()
    stack.start_worker()
    return business


def production(parts: set[str], large: int) -> list[Figure]:
    """Measure the processes of production on a PostgreSQL that waits for the disk."""
    figures: list[Figure] = []
    with Stack() as stack:
        business = prepare(stack)
        from tests.bench import inbound, lists, scrolling
        from tests.bench.dataset import grow

        token = log_in(stack)
        if "lists" in parts:
            say("  lists, small")
            small = lists.measure(stack, lists.pages(business), token)
            figures += lists.queries(business)
        if "inbound" in parts:
            say("  inbound")
            figures += asyncio.run(inbound.latency(stack, business, token))
            figures += inbound.throughput(stack, business)
        if "sockets" in parts:
            say("  sockets")
            figures += asyncio.run(inbound.fan_out(stack, business, token))
        if parts & {"lists", "scroll", "scale"}:
            say(f"  growing to {large:,} tickets")
            grow(business, tickets=large)
        if "lists" in parts:
            say("  lists, large")
            found = lists.measure(stack, lists.pages(business), log_in(stack))
            sizes = (f"{SMALL // 1000}k/100k", f"{large // 1000}k/{large // 20}k")
            figures += lists.figures(business, small, found, sizes)
        if "scroll" in parts:
            say("  a conversation in a browser")
            figures += scrolling.measure(stack, business)
        if "scale" in parts:
            figures += at_scale(stack, business)
        budgets = {"web": 190.0}
        figures += [
            Figure(f"memory of {name} after the load", size, "MB", budgets.get(name))
            for name, size in stack.memory().items()
        ]
    return figures


def at_scale(stack: Stack, business: "Business") -> list[Figure]:
    """Measure at ten times the tickets and contacts, with few messages each."""
    from tests.bench import lists, scale
    from tests.bench.dataset import grow

    token = log_in(stack)
    large = lists.measure(stack, scale.ticket_lists(business), token)
    say(f"  growing to {HUGE:,} tickets")
    grow(business, tickets=HUGE, messages_per_ticket=2)
    say("  lists and export, huge")
    token = log_in(stack)
    huge = lists.measure(stack, scale.ticket_lists(business), token)
    lines = scale.figures(large, huge, f"{HUGE // 1000}k")
    return lines + scale.export(stack, token)


def main() -> int:
    """Measure what was asked for, all of it by default."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"any of {', '.join(PARTS)}; default: all")
    parser.add_argument("--tickets", type=int, default=LARGE, help="the large size")
    parser.add_argument("--strict", action="store_true", help="fail when a budget is missed")
    options = parser.parse_args()
    parts = set(options.parts or PARTS)
    if unknown := parts - set(PARTS):
        parser.error(f"There is no {', '.join(unknown)}.")
    started_at = time.monotonic()
    figures: list[Figure] = []
    if "embedded" in parts:
        from tests.bench import embedded

        say("  embedded")
        figures += embedded.measure()
    if parts - {"embedded"}:
        figures += production(parts, options.tickets)
    say(f"\nMeasured in {time.monotonic() - started_at:.0f} s on {os.cpu_count()} cores\n")
    for figure in figures:
        say(figure.line())
    missed = [figure for figure in figures if not figure.is_kept]
    say(f"\n{len(missed)} budgets missed." if missed else "\nAll budgets kept.")
    return 1 if missed and options.strict else 0


if __name__ == "__main__":
    sys.exit(main())
