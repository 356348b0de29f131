"""The whole product as a newcomer starts it: `manage.py up` on a fresh DATA_DIR."""

import atexit
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from functools import cache
from pathlib import Path

from tests import tables
from tests.services import free_port

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 90.0
# What the product shares with the gateways that tests play.
GATEWAY_SECRET = "a-secret-of-the-tests"
# What a developer or another test has set must not reach the product under test.
_FOREIGN = {
    *("DATABASE_POOLED", "DATABASE_DIRECT_URL"),
    *("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "META_APP_SECRET", "META_VERIFY_TOKEN"),
    *("GRAPH_API_URL", "DEBUG", "SIMULATOR", "PUBLIC_URL", "DJANGO_SETTINGS_MODULE"),
}


def wait_for(condition: Callable[[], bool], what: str, seconds: float = 30.0) -> None:
    """Return once the condition holds; raises AssertionError naming what never came."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"Waited {seconds} s for {what}"
        time.sleep(0.05)


def is_alive(pid: int) -> bool:
    """Tell whether the process runs; a zombie does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def children_of(pid: int) -> dict[int, str]:
    """Return the command lines of a process's descendants by process id."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
    found: dict[int, str] = {}
    wanted = {pid}
    while wanted:
        wanted = {child for child, parent in parents.items() if parent in wanted}
        for child in wanted:
            try:
                command = Path(f"/proc/{child}/cmdline").read_bytes()
            except (FileNotFoundError, ProcessLookupError):
                continue
            found[child] = command.replace(b"\0", b" ").decode(errors="replace")
    return found


def _own_environment(data_directory: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _FOREIGN}
    return kept | {"DATA_DIR": str(data_directory)}


def migrate_database(url: str) -> None:
    """Make all tables in a database."""
    with tempfile.TemporaryDirectory(prefix="balcao-migrating-") as directory:
        environment = _own_environment(Path(directory)) | {"DATABASE_URL": url, "SIMULATOR": "1"}
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity=0"],
            cwd=ROOT,
            env=environment | {"SECRET_KEY": "a key for tests only", "DEBUG": "1"},
            check=True,
            timeout=300,
        )


@cache
def migrated_database() -> Path:
    """Return an SQLite database with all tables and nothing in them, named as the product's.

    `tests/test_guide_embedded.py` starts without it, as a newcomer does.
    """
    directory = Path(tempfile.mkdtemp(prefix="balcao-migrated-"))
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    kept = tables.kept("sqlite3")
    if not kept.exists():
        tables.keep("sqlite3", lambda path: migrate_database(f"sqlite:///{path}"))
    return Path(shutil.copy(kept, directory / "balcao.sqlite3"))


class Product:
    """One running product; `stop` ends it and `start` starts it again on the same data.

    It finds its tables made; all else it does as on its first start.
    """

    def __init__(self, *, port: int | None = None, **environment: str) -> None:
        self.data_directory = Path(tempfile.mkdtemp(prefix="balcao-product-"))
        shutil.copy(migrated_database(), self.data_directory)
        self.port = port or free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = self.data_directory / "up.log"
        self._environment = environment
        self.start()

    def start(self) -> float:
        """Start it and wait for the announcement; return the seconds it took."""
        environment = _own_environment(self.data_directory) | {"PORT": str(self.port)}
        started_at = time.monotonic()
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, str(ROOT / "manage.py"), "up"],
                cwd=ROOT,
                env=environment | self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        try:
            wait_for(self._is_announced, "the first page", START_SECONDS)
        except AssertionError as late:
            self.process.kill()
            raise AssertionError(f"{late}\n{self.log.read_text()}") from None
        assert self.process.poll() is None, self.log.read_text()
        return time.monotonic() - started_at

    def _is_announced(self) -> bool:
        return self.process.poll() is not None or b"Balc\xc3\xa3o is ready" in self.log.read_bytes()

    def get(self, path: str) -> tuple[int, str]:
        """Return status and text of a page; status 0 while nobody listens."""
        try:
            with urllib.request.urlopen(self.address + path, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.read().decode()
        except OSError:
            return 0, ""

    def children(self) -> dict[int, str]:
        """Return its processes' command lines by process id."""
        return children_of(self.process.pid)

    def child(self, part: str) -> int:
        """Return the id of the process whose command line holds a text, 0 when there is none."""
        return next((pid for pid, line in self.children().items() if part in line), 0)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send the signal to the parent alone, wait for its end and return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(timeout=40)

    def remove(self) -> None:
        """Stop it and delete its data."""
        self.stop()
        shutil.rmtree(self.data_directory, ignore_errors=True)
