"""CPU, memory and what waits, looked at from a thread while a run goes on."""

import threading
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, process_time

import psycopg

from tests.bench.stack import TICKS, cpu_seconds
from tests.load.installation import Installation
from tests.product import children_of

EVERY_SECONDS = 5.0
WAITING = (
    "SELECT (SELECT count(*) FROM inbound_inboundevent WHERE NOT state IN ('done', 'failed')),"
    " (SELECT count(*) FROM tickets_delivery WHERE NOT state IN ('done', 'failed'))"
)


@dataclass
class Use:
    """What a kind of process took: seconds of CPU, and the most memory at one time, in MB."""

    cpu: float = 0.0
    rss: float = 0.0
    pss: float = 0.0


class Watch:
    """Looks every few seconds from `begin` to `end`; a kind is a name without its number."""

    def __init__(self, installation: Installation) -> None:
        self._installation = installation
        self._cpu: dict[tuple[str, int], tuple[float, float]] = {}
        self._most: dict[str, tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))
        # The moment, unhandled events, and messages that wait to leave.
        self.waiting: list[tuple[float, int, int]] = []
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._began = self._own = self._ended = self._own_spent = 0.0
        self._idle: tuple[float, float] = (0.0, 0.0)
        self.idle_share = 0.0

    def begin(self) -> None:
        self._began, self._own = monotonic(), process_time()
        self._idle = _machine()
        self._look(is_first=True)
        self._thread.start()

    def end(self) -> None:
        """Stop the thread after a last reading of CPU and memory."""
        self._ends.set()
        self._thread.join()
        self._look()
        self._ended, self._own_spent = monotonic(), process_time() - self._own
        idle, whole = _machine()
        self.idle_share = (idle - self._idle[0]) / max(1e-9, whole - self._idle[1])

    @property
    def seconds(self) -> float:
        return self._ended - self._began

    @property
    def generator_cpu(self) -> float:
        """Return the CPU seconds of this process: sockets, people, Meta."""
        return self._own_spent

    def uses(self) -> dict[str, Use]:
        """Return what each kind of process took."""
        found: dict[str, Use] = defaultdict(Use)
        for (kind, _), (first, last) in self._cpu.items():
            found[kind].cpu += last - first
        for kind, (rss, pss) in self._most.items():
            found[kind].rss, found[kind].pss = rss, pss
        return dict(found)

    def _run(self) -> None:
        while not self._ends.wait(EVERY_SECONDS):
            self._look()
            self._count()

    def _look(self, *, is_first: bool = False) -> None:
        memory: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        for name, pid in self._installation.roots().items():
            kind = name.rstrip(" 0123456789")
            spent = cpu_seconds(pid)
            # One that began during the run has spent all of it in the run.
            first, last = self._cpu.get((kind, pid), (spent if is_first else 0.0, 0.0))
            self._cpu[kind, pid] = (first, max(last, spent))
            for each in [pid, *children_of(pid)]:
                rss, pss = _memory(each)
                memory[kind][0] += rss
                memory[kind][1] += pss
        for kind, (rss, pss) in memory.items():
            most_rss, most_pss = self._most[kind]
            self._most[kind] = (max(most_rss, rss), max(most_pss, pss))

    def _count(self) -> None:
        with (
            suppress(psycopg.Error, TypeError),
            psycopg.connect(self._installation.postgres.url(), connect_timeout=3) as database,
        ):
            row = database.execute(WAITING).fetchone()
            if row is not None:
                self.waiting.append((monotonic(), int(row[0]), int(row[1])))


def _memory(pid: int) -> tuple[float, float]:
    """Return a process's resident pages, and its share of them, in MB."""
    rss = pss = 0.0
    with suppress(FileNotFoundError, ProcessLookupError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Rss:"):
                rss = int(line.split()[1]) / 1024
            elif line.startswith("Pss:"):
                pss = int(line.split()[1]) / 1024
    return rss, pss


def _machine() -> tuple[float, float]:
    """Return the idle and all seconds of the machine's processors."""
    fields = [int(each) for each in Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
    return (fields[3] + fields[4]) / TICKS, sum(fields) / TICKS
