"""The product as in production, on a durable PostgreSQL: web, sockets' server, Celery."""

import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Self

from django.db import connections
from pytest import UsageError

from tests.product import ROOT, children_of, wait_for
from tests.services import PostgresServer, RedisServer, free_port

APP_SECRET = "bench-app-secret"
# Seconds for a process to answer: a few, unless others fill the machine.
PATIENCE = 120.0
TICKS = os.sysconf("SC_CLK_TCK")
CELERY = (
    *("celery", "--app=config.celery", "worker", "--pool=threads"),
    *("--without-gossip", "--without-mingle", "--without-heartbeat"),
)
# Those of the units and of Compose.
SERVED_THREADS, SENDER_NICE = "30", 10


def cpu_seconds(pid: int) -> float:
    """Return the CPU time that a process, its children and its ended children have used."""
    total = 0.0
    for each in [pid, *children_of(pid)]:
        try:
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        total += sum(map(int, fields[11:15])) / TICKS
    return total


def memory_megabytes(pid: int) -> float:
    """Return a process's own share of memory: its pages, shared ones divided."""
    with suppress(FileNotFoundError, ProcessLookupError):  # a child that has ended
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    return 0.0


def forget_peak_memory(pid: int) -> None:
    """Have a process's greatest memory counted from now on."""
    Path(f"/proc/{pid}/clear_refs").write_text("5")


def peak_megabytes(pid: int) -> float:
    """Return the most memory that a process has had at one time since `forget_peak_memory`."""
    status = Path(f"/proc/{pid}/status").read_text()
    [line] = [each for each in status.splitlines() if each.startswith("VmHWM:")]
    return int(line.split()[1]) / 1024


def accepts(port: int) -> bool:
    """Tell whether somebody listens on a loopback port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def raise_file_limit() -> None:
    """Let this process and its children open as many sockets as the system allows."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


class Stack:
    """Servers and processes; as a context manager it ends them all."""

    def __init__(self) -> None:
        raise_file_limit()
        self.directory = Path(tempfile.mkdtemp(prefix="balcao-bench-"))
        self.postgres = PostgresServer(fsync=True)
        self.redis = RedisServer()
        self.web_port, self.realtime_port = free_port(), free_port()
        self.web_address = f"http://127.0.0.1:{self.web_port}"
        self.environment = {
            "DATABASE_URL": self.postgres.url(),
            "REDIS_URL": self.redis.url,
            "DATA_DIR": str(self.directory),
            "PUBLIC_URL": self.web_address,
            "SECRET_KEY": "a key for the bench only",
            "META_APP_SECRET": APP_SECRET,
            "META_VERIFY_TOKEN": "bench-verify-token",
            # Nothing is sent; whatever would be, finds nobody.
            "GRAPH_API_URL": "http://127.0.0.1:9",
            "SIMULATOR": "0",
            # All of them come from this machine.
            "SOCKETS_PER_ADDRESS": "6000",
            "DEBUG": "0",
            "LOG_LEVEL": "WARNING",
            "PYTHONWARNINGS": "ignore",
            "MALLOC_ARENA_MAX": "2",
            "MALLOC_MMAP_THRESHOLD_": "1048576",
            "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
            "WEB_BIND": f"127.0.0.1:{self.web_port}",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        os.environ.update(self.environment)
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        with ExitStack() as ends:  # one that fails keeps none of the others from its end
            ends.callback(shutil.rmtree, self.directory, ignore_errors=True)
            ends.callback(self.postgres.stop)
            # PostgreSQL waits for its clients, and this process is one.
            ends.callback(connections.close_all)
            ends.callback(self.redis.stop)
            for name in list(self.processes):
                ends.callback(self.stop, name)

    def _start(self, name: str, *command: str, **variables: str) -> None:
        with (self.directory / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, "-m", *command],
                cwd=ROOT,
                env=os.environ | variables,
                stdout=log,
                stderr=log,
            )

    def start_web(self) -> None:
        """Start the web process and wait until it answers."""
        self._start("web", "config.serve", "web")
        wait_for(lambda: self._answers(self.web_address + "/health/"), "the web process", PATIENCE)

    def start_realtime(self) -> None:
        """Start the sockets' server and wait until it answers."""
        os.environ["PORT"] = str(self.realtime_port)
        self._start("realtime", "config.serve")
        address = f"http://127.0.0.1:{self.realtime_port}/health/"
        wait_for(lambda: self._answers(address), "the sockets' server", PATIENCE)

    def start_worker(self, *, beats: bool = False) -> None:
        """Start one worker of eight threads that does all, or the embedded one with its timer."""
        if beats:
            self._start("worker", "config.worker", WORKER_THREADS=SERVED_THREADS)
            return
        self._start("worker", *CELERY, "--concurrency=8")

    def start_workers(self) -> None:
        """Start a worker and a sender as the units in systemd/ do."""
        threads = SERVED_THREADS
        for name, queue in (("worker", "celery"), ("sender", "sending")):
            options = (f"--concurrency={threads}", f"--queues={queue}")
            self._start(name, *CELERY, *options, WORKER_THREADS=threads)
        os.setpriority(os.PRIO_PROCESS, self.processes["sender"].pid, SENDER_NICE)

    def start_bare(self, recorded: bytes) -> str:
        """Serve recorded answers (`bare`); return the address."""
        file, port = self.directory / "recorded", free_port()
        file.write_bytes(recorded)
        self._start("bare", "tests.bench.bare", str(file), str(port))
        wait_for(lambda: accepts(port), "the bare server")
        return f"http://127.0.0.1:{port}"

    def stop(self, name: str) -> None:
        process = self.processes.pop(name)
        process.terminate()
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def kill(self, name: str) -> None:
        """Kill one process, which has no time for a word."""
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def kill_redis(self) -> None:
        """Kill Redis with all that it holds; it stays away until `redis.start`."""
        self.redis.process.kill()
        self.redis.process.wait()

    def kill_postgres(self) -> None:
        """Kill all of PostgreSQL at once; `start_postgres` recovers what was committed."""
        lock = self.postgres.directory / "data" / "postmaster.pid"
        server = int(lock.read_text().split()[0])
        # Those it makes meanwhile end by themselves: they look for it.
        for pid in [server, *children_of(server)]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        # Itself, or who lends it an account: that one takes leave of it.
        self.postgres.process.wait()

    def start_postgres(self) -> None:
        """Start it as a supervisor does: once more while a child of the killed one is left."""

        def starts() -> bool:
            with suppress(UsageError):
                self.postgres.start()
                return True
            return False

        wait_for(starts, "PostgreSQL", PATIENCE)

    def cpu(self, *names: str) -> float:
        """Return the CPU seconds of some processes; `postgres` is the whole database server."""
        return sum(
            cpu_seconds(self.postgres.process.pid if n == "postgres" else self.processes[n].pid)
            for n in names
        )

    def own_cpu(self, name: str) -> float:
        """Return the CPU seconds of one process without children, to the nanosecond."""
        clock = (~self.processes[name].pid) << 3 | 2  # clock_getcpuclockid(3)
        return time.clock_gettime(clock)

    def memory(self) -> dict[str, float]:
        """Return every process's memory in megabytes."""
        pids = {name: process.pid for name, process in self.processes.items()}
        pids["redis"] = self.redis.process.pid
        return {
            name: sum(memory_megabytes(each) for each in [pid, *children_of(pid)])
            for name, pid in pids.items()
        }

    @staticmethod
    def _answers(address: str) -> bool:
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False
