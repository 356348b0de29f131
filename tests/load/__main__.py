"""The product on one machine under load, with each of its parts killed in turn.

`make load`. It ends by itself: exit code 1 when the counts at both ends differ. A rate that the
machine does not hold is told, and fails nothing.
"""

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from tests.bench.limits import Deadline, end_on_terminate
from tests.load.installation import Installation, migrate
from tests.load.size import MINUTES, RATE, SOCKETS, Size, size_of

if TYPE_CHECKING:
    from tests.load.report import Run
    from tests.load.shops import Shop

REPORT = Path("load-report.md")
# Beside the load itself: migrating, companies, processes and sockets; then what still waits.
BEFORE_SECONDS, DRAIN_SECONDS, AFTER_SECONDS = 900.0, 900.0, 180.0
LOOK_SECONDS = 0.5


def most_seconds(size: Size) -> float:
    """Return how long a run may take in all."""
    return BEFORE_SECONDS + size.seconds + DRAIN_SECONDS + AFTER_SECONDS


def say(line: str) -> None:
    print(line, flush=True)


def prepared(installation: Installation, size: Size) -> "list[Shop]":
    """Make tables and companies, and start all processes."""
    migrate()
    import django

    django.setup()
    from tests.load.shops import make_shops

    say("  companies")
    shops = make_shops(size)
    say("  processes")
    installation.start_all()
    return shops


async def loaded(installation: Installation, shops: "list[Shop]", size: Size) -> "Run":
    """Load it, wait until all is worked off, and compare both ends."""
    from tests.load.agents import Agent, Office
    from tests.load.counting import compare, unfinished
    from tests.load.disk import measure
    from tests.load.faults import Faults
    from tests.load.listeners import Listeners
    from tests.load.meta import Meta, Phones
    from tests.load.record import Record
    from tests.load.report import Run
    from tests.load.shops import Person, link_phones
    from tests.load.watching import Watch
    from tests.load.wire import Client

    url, media = installation.postgres.url(), installation.directory / "media"
    record, front = Record(), Client(installation.front_port)
    office = Office(front, record)
    whatsapp = installation.whatsapp
    meta = Meta(shops, front, record, size)
    phones = Phones(shops, Client(whatsapp.control_port), record)
    queue_of = {shop.id: shop.queue_id for shop in shops}

    async def read_anew(person: Person) -> None:
        await office.lists(person, queue_of[person.company_id])

    listeners = Listeners(shops, installation.front_port, record, read_anew, office.token_of)
    agents = [
        Agent(office, shop, person) for shop in shops for person in shop.people[: shop.agents]
    ]
    await meta.start(installation.meta_port)
    watch = Watch(installation)
    faults = Faults(installation, meta, listeners.first, record, size)
    say("  sessions")
    await asyncio.gather(*(office.sign_in(each) for shop in shops for each in shop.people))
    say("  phones")
    await asyncio.to_thread(link_phones, shops, installation.front, whatsapp)
    say("  sockets")
    await listeners.open()
    say(f"  {listeners.joined():,} sockets joined; load for {size.seconds:.0f} s")
    before = await asyncio.to_thread(measure, url, media)
    began = monotonic()
    struck = asyncio.ensure_future(faults.strike(began, size.seconds))

    def is_over() -> bool:
        return struck.done() and monotonic() > began + size.seconds

    def gives_up() -> bool:
        return monotonic() > began + size.seconds + DRAIN_SECONDS / 2

    watch.begin()
    working = [
        asyncio.ensure_future(each.work(size.turn_seconds, is_over, gives_up)) for each in agents
    ]
    await asyncio.gather(
        meta.write(size.rate - size.qr_rate, is_over),
        phones.write(size.qr_rate, is_over),
    )
    await struck
    ended = monotonic()
    watch.end()
    waiting = await asyncio.to_thread(unfinished, url) or 0
    say(f"  draining {waiting:,}")
    await asyncio.wait(working, timeout=DRAIN_SECONDS)
    drained = await _drained(lambda: unfinished(url), meta.waiting, ended + DRAIN_SECONDS)
    # What was emitted last is on its way to the sockets.
    await asyncio.sleep(1.0)
    say("  comparing")
    sent = [text for agent in agents for text in agent.sent]
    counts = await asyncio.to_thread(
        compare, url, shops, meta, listeners, whatsapp, sent, media, record.windows
    )
    after = await asyncio.to_thread(measure, url, media)
    await meta.stop()
    listeners.close()
    for task in working:
        task.cancel()
    front.close()
    return Run(
        size=size,
        record=record,
        watch=watch,
        faults=faults,
        meta=meta,
        phones=phones,
        agents=agents,
        counts=counts,
        before=before,
        after=after,
        began=began,
        ended=ended,
        drained=None if drained is None else drained - ended,
        heard_at=list(listeners.first.at.values()),
        waiting_at_end=waiting,
    )


async def _drained(
    unfinished: Callable[[], int | None], untaken: Callable[[], int], last: float
) -> float | None:
    """Return the moment from which nothing waits anywhere; None when that does not come."""
    quiet_since: float | None = None
    while monotonic() < last:
        waits = untaken() or await asyncio.to_thread(unfinished) != 0
        if waits:
            quiet_since = None
        elif quiet_since is None:
            quiet_since = monotonic()
        elif monotonic() - quiet_since > 2.0:  # a status may be about to be posted
            return quiet_since
        await asyncio.sleep(LOOK_SECONDS)
    return None


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--sockets", type=int, default=SOCKETS)
    parser.add_argument("--rate", type=float, default=RATE, help="messages in, a second")
    parser.add_argument("--shrink", type=int, default=1, help="divide everything by this")
    parser.add_argument("--report", type=Path, default=REPORT, help="the Markdown file to write")
    parser.add_argument("--keep-logs", type=Path, help="a folder for the processes' logs")
    options = parser.parse_args()
    if options.shrink < 1 or options.minutes <= 0 or options.rate <= 0 or options.sockets < 1:
        parser.error("All of them are more than nothing.")
    size = size_of(
        minutes=options.minutes,
        sockets=options.sockets,
        rate=options.rate,
        shrink=options.shrink,
    )
    end_on_terminate()
    say(size.line())
    deadline = Deadline(most_seconds(size))
    with Installation() as installation:
        try:
            with deadline.at_most(BEFORE_SECONDS):
                shops = prepared(installation, size)
            with deadline.at_most(most_seconds(size)):
                run = _run(loaded(installation, shops, size))
        finally:
            if options.keep_logs is not None:
                _keep_logs(installation, options.keep_logs)
    from tests.load.report import report

    text = report(run)
    options.report.write_text(text + "\n")
    say(f"\n{text}\nWritten to {options.report}.")
    return int(not run.counts.is_equal or bool(run.faults.failed))


def _run(coroutine: "Coroutine[Any, Any, Run]") -> "Run":
    import uvloop

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(coroutine)


def _keep_logs(installation: Installation, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for log in installation.directory.glob("*.log"):
        with suppress(OSError):
            (folder / log.name).write_bytes(log.read_bytes())


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    sys.exit(main())
