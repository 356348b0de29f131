"""The product as on one machine: two web processes behind nginx, one of everything else."""

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path

from tests.bench.stack import CELERY, PATIENCE, SENDER_NICE, SERVED_THREADS, Stack
from tests.product import GATEWAY_SECRET, ROOT, children_of, wait_for
from tests.services import free_port
from tests.whatsapp import FakeWhatsApp, running_whatsapp

WEBS = ("web 1", "web 2")
REALTIMES = "realtime 1", "realtime 2"
WORKER, SENDER, BEAT, GATEWAY = "worker", "sender", "beat", "gateway"
# As the units and Compose do it.
RESTART_SECONDS = 2.0
DRAIN_SECONDS = 10


class Installation(Stack):
    """What runs, by name; a process that is started again has its port and its place."""

    def __init__(self) -> None:
        super().__init__()
        self._ends = ExitStack()
        self.ports = {name: free_port() for name in (*WEBS, *REALTIMES, GATEWAY)}
        self.meta_port, self.front_port = free_port(), free_port()
        self.whatsapp: FakeWhatsApp
        self.proxy_pid = 0
        self.own: dict[str, int] = {}
        self.front = f"http://127.0.0.1:{self.front_port}"
        self.environment |= {
            "PUBLIC_URL": self.front,
            "TRUSTED_PROXIES": "127.0.0.1",
            "GRAPH_API_URL": f"http://127.0.0.1:{self.meta_port}",
            "GATEWAY_SECRET": GATEWAY_SECRET,
            "BALCAO_URL": f"http://127.0.0.1:{self.ports[WEBS[0]]}",
            # Read by versions that drain.
            "DRAIN_SECONDS": str(DRAIN_SECONDS),
        }
        os.environ.update(self.environment)

    def __exit__(self, *reason: object) -> None:
        with ExitStack() as ends:
            ends.callback(_end_the_rest)
            ends.callback(super().__exit__, *reason)
            ends.callback(self._ends.close)

    def start_all(self) -> None:
        """Start everything on a migrated database, and wait until all of it answers."""
        for name in (*WEBS, *REALTIMES):
            self.start(name)
        self.start_workers()
        self.start(BEAT)
        for name in (*WEBS, *REALTIMES):
            self.wait_for(name)
        self._start_proxy()
        self.whatsapp = self._ends.enter_context(running_whatsapp())
        os.environ["WHATSAPP_URL"] = self.whatsapp.url
        os.environ["WHATSAPP_MEDIA_URL"] = self.whatsapp.media_url
        self.start(GATEWAY)

    def start(self, name: str) -> None:
        """Start one process by its name, without waiting for it."""
        if name in WEBS:
            self._start(name, "config.serve", "web", WEB_BIND=f"127.0.0.1:{self.ports[name]}")
        elif name in REALTIMES:
            self._start(name, "config.serve", PORT=str(self.ports[name]))
        elif name == BEAT:
            schedule = str(self.directory / "celerybeat-schedule")
            self._start(name, "celery", "--app=config.celery", "beat", f"--schedule={schedule}")
        elif name == GATEWAY:
            self._start_gateway()
        else:
            queue = {WORKER: "celery", SENDER: "sending"}[name]
            options = (f"--concurrency={SERVED_THREADS}", f"--queues={queue}")
            self._start(name, *CELERY, *options, WORKER_THREADS=SERVED_THREADS)
            if name == SENDER:
                os.setpriority(os.PRIO_PROCESS, self.processes[name].pid, SENDER_NICE)

    def wait_for(self, name: str) -> None:
        """Wait until a process that serves HTTP answers."""
        address = f"http://127.0.0.1:{self.ports[name]}/health/"
        wait_for(lambda: self._answers(address), name, PATIENCE)

    def _start_gateway(self) -> None:
        secrets = {"SECRET_KEY", "DATABASE_URL", "REDIS_URL", "META_APP_SECRET"}
        kept = {name: value for name, value in os.environ.items() if name not in secrets}
        with (self.directory / "gateway.log").open("ab") as log:
            self.processes[GATEWAY] = subprocess.Popen(
                ["node", "dist/main.js"],
                cwd=ROOT / "gateway",
                env=kept
                | {
                    "NODE_ENV": "production",
                    "GATEWAY_NAME": "load",
                    "GATEWAY_PORT": str(self.ports[GATEWAY]),
                },
                stdout=log,
                stderr=log,
            )

    def _start_proxy(self) -> None:
        from tests.proxies import nginx, write_proxies  # needs Django, which needs what is here

        folder = self.directory / "nginx"
        folder.mkdir()
        write_proxies(folder, "127.0.0.1")
        text = (ROOT / "docker" / "nginx.conf").read_text()
        text = text.replace("listen 80 default_server", f"listen 127.0.0.1:{self.front_port}")
        # Docker's name server is not here, nor is a name that leads to several.
        text = re.sub(r"^\s*resolver .*$", "", text, flags=re.MULTILINE)
        for kind, names in (("web", WEBS), ("realtime", REALTIMES)):
            servers = [f"server 127.0.0.1:{self.ports[name]}\\1;" for name in names]
            text, found = re.subn(
                rf"server {kind}:8000(?: resolve)?([^;]*);", " ".join(servers), text
            )
            assert found == 1, kind
        before = set(_processes_named("nginx"))
        self._ends.enter_context(
            nginx(folder, self.front_port, text, log=str(self.directory / "nginx.log"))
        )
        [self.proxy_pid] = [
            pid for pid in _processes_named("nginx") if pid not in before and _is_child(pid)
        ]

    def roll(self) -> None:
        """Restart what serves, one process after another, as an update does."""
        for name in (*WEBS, *REALTIMES):
            self.stop(name)
            self.start(name)
            self.wait_for(name)

    def replace(self, name: str) -> None:
        """Kill a process; another takes its place after the pause of its supervisor."""
        self.kill(name)
        time.sleep(RESTART_SECONDS)
        self.start(name)
        if name in self.ports and name != GATEWAY:
            self.wait_for(name)

    def freeze_redis(self, seconds: float) -> None:
        """Have Redis hang instead of refusing."""
        self.redis.process.send_signal(signal.SIGSTOP)
        try:
            time.sleep(seconds)
        finally:
            self.redis.process.send_signal(signal.SIGCONT)

    def restart_postgres(self) -> None:
        """Restart PostgreSQL as `pg_ctl restart` does: who is connected is cut off."""
        lock = self.postgres.directory / "data" / "postmaster.pid"
        os.kill(int(lock.read_text().split()[0]), signal.SIGINT)
        self.postgres.process.wait(60)
        self.start_postgres()

    def roots(self) -> dict[str, int]:
        """Return the process ids of what runs, by name; their children belong to them."""
        return {
            **{name: process.pid for name, process in list(self.processes.items())},
            "postgres": self.postgres.process.pid,
            "redis": self.redis.process.pid,
            "nginx": self.proxy_pid,
        }


def _end_the_rest() -> None:
    """End what was being started when the run was ended, and has no name yet."""
    for pid in children_of(os.getpid()):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def migrate() -> None:
    """Make the tables in the database that the environment names."""
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, check=True, timeout=360
    )


def _processes_named(name: str) -> list[int]:
    found = []
    for file in Path("/proc").glob("[0-9]*/comm"):
        try:
            if file.read_text().strip() == name:
                found.append(int(file.parent.name))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def _is_child(pid: int) -> bool:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return int(fields[1]) == os.getpid()
