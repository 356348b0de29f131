"""The suites of `make test`, `make test-deep` and CI: how each is run, and how long it took.

`python -m tests.gate test` runs those of `make test`, `deep` those of `make test-deep`, and the
name of a suite runs it alone; `tests.deep` is what CI runs. What passes only on its second run is
told at the end and let through, three times in all suites together.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.deep_suites import SUITES
from tests.flaky import FILE, MOST_FLAKY, told
from tests.sqlite_tests import SQLITE

ROOT = Path(__file__).resolve().parent.parent
PYTEST = [str(Path(sys.executable).parent / "pytest"), "-q", "--reruns", "1"]
# Tests marked as a group run in one process, from the beginning; the other takes the rest.
GROUPS = ["-n", "2", "--dist", "loadgroup"]
STEALING = ["-n", "2", "--dist", "worksteal"]
VITEST = ["npx", "vitest", "run", "--retry=1", "--reporter=dot", "--reporter=../tests/flaky.mjs"]
# What only reads the sources is run by `make check`.
OF_BROWSER = ["--project=together", "--project=apart"]
ON_SQLITE = {"TEST_DATABASE": "sqlite"}
BEHIND_PGBOUNCER = {"TEST_DATABASE": "pgbouncer"}
AT_LENGTH = {"TEST_LENGTH": "full"}
# What ends at once after SIGTERM has so long to put away its servers.
GRACE_SECONDS = 20.0


@dataclass(frozen=True)
class Command:
    about: str
    arguments: Sequence[str]
    folder: Path = ROOT
    environment: Mapping[str, str] = field(default_factory=dict)


def on_postgres(marks: str, *arguments: str, **environment: str) -> Command:
    """Return the command for tests on PostgreSQL, two processes."""
    of_pytest = [*PYTEST, "-m", marks, *GROUPS, *arguments]
    return Command("pytest on PostgreSQL and Redis", of_pytest, environment=environment)


def alone(marks: str, *arguments: str) -> Command:
    """Return the command for tests that are bound to seconds, with nothing beside them."""
    return Command(
        "pytest on PostgreSQL: what is bound to seconds", [*PYTEST, "-m", marks, *arguments]
    )


def on_sqlite(marks: str, *arguments: str, **environment: str) -> Command:
    """Return the command for tests that touch the database, on the other one."""
    of_pytest = [*PYTEST, "--only-database", "-m", marks, *GROUPS, *arguments]
    return Command("pytest on SQLite", of_pytest, environment={**ON_SQLITE, **environment})


def in_browser(marks: str, *arguments: str) -> Command:
    """Return the command for journeys, two products beside each other."""
    of_pytest = [*PYTEST, "-m", marks, *STEALING, *(arguments or ["tests/journeys"])]
    return Command("journeys in a browser", of_pytest, environment=ON_SQLITE)


NODE = {
    "frontend": Command("Vitest", [*VITEST, *OF_BROWSER], ROOT / "frontend"),
    "gateway": Command("the gateway against its own WhatsApp", VITEST, ROOT / "gateway"),
}
# Those of a line run beside each other: the gateway's tests mostly wait.
TEST: list[dict[str, Command]] = [
    {"postgres": on_postgres("not journey and not alone and not deep and not sources")},
    {"sqlite": on_sqlite("sqlite", *SQLITE)},
    NODE,
    {"journeys": in_browser("journey and not deep")},
]
DEEP: list[dict[str, Command]] = [
    {"postgres": on_postgres("not journey and not alone and not sources", **AT_LENGTH)},
    {"alone": alone("alone", "tests")},
    {"sqlite": on_sqlite("not journey and not sources", **AT_LENGTH)},
    NODE,
    {"journeys": in_browser("journey and not telephone")},
    {"telephone": in_browser("telephone")},
]
# Only by their names.
ASKED: dict[str, Command] = {
    "pgbouncer": on_postgres("not journey and not alone and not sources", **BEHIND_PGBOUNCER)
}
CHECKS = {"checks": Command("make check", ["make", "check"])}


def of_suite(name: str) -> Command:
    """Return the command for the tests of a deep suite that `make test` left out."""
    suite = SUITES[name]
    if suite.place == "sqlite":
        return DEEP[2]["sqlite"]
    if suite.place == "journeys":
        return in_browser("deep", *suite.tests)
    if suite.place == "pgbouncer":
        return on_postgres("not alone and not sources", *suite.tests, **BEHIND_PGBOUNCER)
    if suite.place == "alone":
        return alone("alone", *suite.tests)
    if suite.at_length:
        return on_postgres("not alone", *suite.tests, **AT_LENGTH)
    return on_postgres("deep and not alone", *suite.tests)


@dataclass(frozen=True)
class Done:
    """A suite that was run; what it printed, unless that was seen at once."""

    name: str
    seconds: float
    code: int | None
    printed: str = ""

    @property
    def line(self) -> str:
        outcome = {0: "", None: "  STOPPED: its time was over"}.get(self.code, "  FAILED")
        return f"{minutes(self.seconds)}  {self.name}{outcome}"


def minutes(seconds: float) -> str:
    """Return a duration as `3:07`, in six columns."""
    return f"{int(seconds) // 60:3}:{int(seconds) % 60:02}"


_running: set["subprocess.Popen[bytes]"] = set()


def run(name: str, command: Command, *, is_seen: bool, until: float | None = None) -> Done:
    """Run a suite and return how it went; what is not done by `until` is ended."""
    started_at = time.monotonic()
    with tempfile.TemporaryFile() as kept:
        process = subprocess.Popen(
            command.arguments,
            cwd=command.folder,
            env=os.environ | command.environment,
            stdout=None if is_seen else kept,
            stderr=None if is_seen else subprocess.STDOUT,
            start_new_session=True,
        )
        _running.add(process)
        try:
            code: int | None = process.wait(None if until is None else until - started_at)
        except subprocess.TimeoutExpired:
            code = None
            end(process)
        finally:
            _running.discard(process)
        kept.seek(0)
        printed = kept.read().decode(errors="replace")
    return Done(name, time.monotonic() - started_at, code, printed)


def end(process: "subprocess.Popen[bytes]") -> None:
    """End a process and all of its session."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(GRACE_SECONDS)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


def run_beside(suites: Mapping[str, Command], *, until: float | None = None) -> list[Done]:
    """Run suites, those of one mapping beside each other."""
    for name, command in suites.items():
        print(f"{name}: {command.about}", flush=True)
    if len(suites) == 1:
        return [run(name, command, is_seen=True, until=until) for name, command in suites.items()]
    with ThreadPoolExecutor(len(suites)) as pool:
        waiting = [
            pool.submit(run, name, command, is_seen=False, until=until)
            for name, command in suites.items()
        ]
        done = [each.result() for each in waiting]
    for each in done:
        print(each.printed, flush=True)
    return done


def noted(place: Path) -> list[tuple[str, str]]:
    """Return the flaky tests that the suites noted, each with the trace of its failure."""
    lines = place.read_text().splitlines() if place.exists() else []
    return [(each["test"], each["why"]) for each in map(json.loads, lines)]


def report(done: Sequence[Done], flaky: Sequence[tuple[str, str]], untried: Sequence[str]) -> int:
    """Print how long each suite took and what was flaky; return the exit code."""
    print(*told(flaky), "", *(each.line for each in done), sep="\n")
    print(f"{minutes(sum(each.seconds for each in done))}  in all, one after the other")
    for line in untried:
        print(line)
    if flaky:
        print(f"{len(flaky)} FLAKY, mend them: {', '.join(test for test, _ in flaky)}")
    if len(flaky) > MOST_FLAKY:
        print(f"No more than {MOST_FLAKY} are let through.")
    sys.stdout.flush()
    return int(any(each.code != 0 for each in done) or len(flaky) > MOST_FLAKY)


@contextmanager
def counting_flaky() -> Iterator[Path]:
    """Have all that runs meanwhile note its flaky tests in one place; leave nothing running."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    with tempfile.TemporaryDirectory(prefix="balcao-gate-") as folder:
        place = Path(folder) / "flaky"
        os.environ[FILE] = str(place)
        try:
            yield place
        finally:
            for process in list(_running):
                end(process)


def of_one(name: str) -> list[dict[str, Command]]:
    """Return one suite; raises SystemExit for a name of none."""
    found = {name: command for line in (*DEEP, *TEST, ASKED) for name, command in line.items()}
    if name in found:
        return [{name: found[name]}]
    if name in SUITES:
        return [{name: of_suite(name)}]
    raise SystemExit(f"{name} is none of: {', '.join([*found, *SUITES])}.")


def main(name: str) -> int:
    """Run what the name stands for and return the exit code."""
    lines = {"test": TEST, "deep": DEEP}.get(name) or of_one(name)
    with counting_flaky() as place:
        done = [each for line in lines for each in run_beside(line)]
        return report(done, noted(place), [])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
