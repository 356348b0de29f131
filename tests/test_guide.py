"""The guide's way with systemd, an update, backup and restore, as they are written.

What the commands do to the whole machine goes to a folder: the paths and ports below stand for the
guide's, and the programs of `SHIMS` for those that would make users or start units. These start the
units' own command lines, with the variables that the units name.
"""

import os
import re
import shutil
import signal
import stat
import sys
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE, STDOUT, run

import httpx
import psycopg
import pytest

from tests.guide import SETTING, commands_for_systemd
from tests.product import ROOT, is_alive, wait_for
from tests.services import PostgresServer, RedisServer, free_port, postgres_program

pytestmark = [pytest.mark.postgres, pytest.mark.xdist_group("processes")]

PASSWORD = "uma-senha-de-teste"
NGINX_PATH = "/usr/sbin"

SHIMS = {
    "sudo": """
        #!/bin/bash
        # PostgreSQL knows the system's user by the local socket; here all users are one.
        export PGUSER=root
        while [ "$1" = -u ]; do export PGUSER="$2"; shift 2; done
        exec "$@"
    """,
    "chown": "#!/bin/sh\n",
    "ln": "#!/bin/sh\n",
    "useradd": "#!/bin/sh\n",
    "apt-get": "#!/bin/sh\n",
    "git": "#!/bin/sh\n",
    "install": """
        #!/bin/bash
        # But for user and group, which are not there.
        args=(); while [ $# -gt 0 ]; do
            if [ "$1" = -g ] || [ "$1" = -o ]; then shift 2; else args+=("$1"); shift; fi
        done
        exec /usr/bin/install "${args[@]}"
    """,
    "systemctl": f"""
        #!/bin/sh
        cd {ROOT} && exec {sys.executable} -m tests.test_guide "$@"
    """,
}


def start(units: list[str], directory: Path) -> None:
    """Do as systemd does: start what the units name; their process ids go to a file."""
    for unit in units:
        name = unit if "." in unit else f"{unit}.service"
        if name == "nginx.service":
            # It goes to the background by itself, and writes its id where the unit looks for it.
            options = f"pid {directory}/nginx.pid; error_log {directory}/nginx.log;"
            configuration = directory / "etc" / "nginx" / "nginx.conf"
            nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:{NGINX_PATH}")
            assert nginx, "Run `make test-services` first: nginx is missing."
            run([nginx, "-c", str(configuration), "-g", options], check=True)
            continue
        template, _, instance = name.removesuffix(".service").partition("@")
        file = f"{template}@.service" if instance else name
        text = (directory / "etc" / "systemd" / "system" / file).read_text()
        if name.endswith(".timer"):
            assert "OnCalendar=" in text
            # Its time comes once.
            come = directory / f"{name}.come"
            if come.exists():
                continue
            come.touch()
            start([name.replace(".timer", ".service")], directory)
            continue
        settings = SETTING.findall(text)
        of = dict(settings)
        environment = dict(os.environ)
        environment |= [
            value.split("=", 1) for setting, value in settings if setting == "Environment"
        ]
        lines = Path(of["EnvironmentFile"]).read_text().splitlines()
        environment |= dict(line.split("=", 1) for line in lines)
        environment["PGUSER"] = of["User"]
        for unset in of.get("UnsetEnvironment", "").split():
            environment.pop(unset, None)
        program = of["ExecStart"].replace("$$", "$").replace("%i", instance).replace("%%", "%")
        if of.get("Type") == "oneshot":
            run(["bash", "-c", program], env=environment, cwd=of["WorkingDirectory"], check=True)
            continue
        log = os.open(directory / f"{name}.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        pid = os.posix_spawn(
            "/usr/bin/env",
            ["env", "-C", of["WorkingDirectory"], "bash", "-c", f"exec {program}"],
            environment,
            file_actions=[(os.POSIX_SPAWN_DUP2, log, 1), (os.POSIX_SPAWN_DUP2, log, 2)],
            setsid=True,
        )
        (directory / "run" / unit).write_text(str(pid))


def stop(units: Iterable[str], directory: Path) -> None:
    """End what was started but for nginx, as systemd does."""
    files = [directory / "run" / unit for unit in units]
    pids = [int(file.read_text()) for file in files if file.exists()]
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
    for pid in pids:
        wait_for(lambda pid=pid: not is_alive(pid), f"the end of {pid}", 60)  # type: ignore[misc]
    for file in files:
        file.unlink(missing_ok=True)


class Machine:
    """A folder that stands for a machine on which PostgreSQL and Redis run."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.http, self.gateway = free_port(), free_port()
        self.web, self.realtime = ([free_port(), free_port()] for _ in range(2))
        names = ("web@8000", "web@8002", "realtime@8001", "realtime@8003")
        units = list(zip(names, self.web + self.realtime, strict=True))
        self.postgres, self.redis = PostgresServer(owner="postgres"), RedisServer()
        for folder in ("bin", "run", "enabled", "srv", "etc/nginx", "etc/systemd/system"):
            (directory / folder).mkdir(parents=True)
        for name, text in SHIMS.items():
            program = directory / "bin" / name
            program.write_text(textwrap.dedent(text).lstrip())
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
        self.places = {
            "mkdir -p /srv/balcao-1": "mkdir -p",
            "/srv/balcao-$(date +%F-%H%M)": str(ROOT),
            "/srv/balcao/systemd": f"{directory}/srv",
            "/srv/balcao/docker": f"{directory}/srv",
            "/srv/balcao": str(ROOT),
            "/var/lib/balcao": f"{directory}/var/lib/balcao",
            "/var/backups/balcao": f"{directory}/var/backups/balcao",
            "/etc/balcao.env": f"{directory}/etc/balcao.env",
            "/etc/systemd": f"{directory}/etc/systemd",
            "/etc/nginx/nginx.conf": f"{directory}/etc/nginx/nginx.conf",
            "/etc/nginx/proxies.conf": f"{directory}/etc/nginx/proxies.conf",
            "redis://127.0.0.1:6379/0": self.redis.url,
            **{f"127.0.0.1:{name[-4:]}": f"127.0.0.1:{port}" for name, port in units},
            **{f"balcao-{name}": f"balcao-{name[:-4]}{port}" for name, port in units},
            "/usr/bin/node": shutil.which("node") or "node",
            "http://127.0.0.1/": f"http://127.0.0.1:{self.http}/",
            "listen 80 ": f"listen 127.0.0.1:{self.http} ",
        }
        shutil.copy(ROOT / "docker" / "proxies.sh", directory / "srv")
        for path in (*(ROOT / "systemd").iterdir(), ROOT / "docker" / "nginx.conf"):
            (directory / "srv" / path.name).write_text(self.here(path.read_text()))
        programs = Path(postgres_program("psql")).parent
        self.environment = {
            "PATH": f"{directory / 'bin'}:{programs}:{os.environ['PATH']}:/usr/sbin:/usr/bin:/bin",
            "HOME": os.environ.get("HOME", "/"),
            "LANG": "C.UTF-8",
            "MACHINE": str(directory),
            # Where libpq finds the server when nothing is said.
            "PGHOST": str(self.postgres.directory),
            "PGPORT": str(self.postgres.port),
            # Not what the guide asks for: where this machine serves, and the answer to the prompt.
            "GATEWAY_PORT": str(self.gateway),
            "BOOTSTRAP_PASSWORD": PASSWORD,
        }

    def here(self, text: str) -> str:
        """Return a text of the guide or of a unit for this folder."""
        places = sorted(map(re.escape, self.places), key=len, reverse=True)
        return re.sub("|".join(places), lambda found: self.places[found.group()], text)

    def units(self) -> set[str]:
        """Return those that run."""
        return {
            file.name
            for file in (self.directory / "run").iterdir()
            if is_alive(int(file.read_text()))
        }

    def stop(self) -> None:
        """End all that was started."""
        nginx = self.directory / "nginx.pid"
        if nginx.exists():
            (self.directory / "run" / "nginx").write_text(nginx.read_text())
        stop(self.units(), self.directory)
        self.redis.stop()
        self.postgres.stop()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    """A machine on which nothing of ours is yet."""
    made = Machine(tmp_path)
    try:
        yield made
    finally:
        made.stop()


def test_the_commands_for_systemd_lead_to_a_product_that_works(machine: Machine) -> None:
    text = f"set -euo pipefail\n{machine.here(commands_for_systemd())}"
    done = run(
        ["bash", "-c", text],
        env=machine.environment,
        cwd=machine.directory,
        stdin=None,
        stdout=PIPE,
        stderr=STDOUT,
        text=True,
        check=False,
        timeout=420,
    )
    logs = "\n".join(path.read_text() for path in machine.directory.glob("*.log"))
    assert done.returncode == 0, f"{done.stdout[-6000:]}\n{logs[-3000:]}"
    assert "System check identified no issues" in done.stdout
    assert "Super user you@example.com created." in done.stdout
    services = {"balcao-worker", "balcao-sender", "balcao-beat", "balcao-gateway"}
    served = {f"balcao-web@{port}" for port in machine.web}
    served |= {f"balcao-realtime@{port}" for port in machine.realtime}
    assert machine.units() == services | served
    # What every installation has by the guide: a role that may do nothing outside its database.
    with psycopg.connect(machine.postgres.url("balcao")) as postgres:
        query = "SELECT rolsuper, rolcreatedb FROM pg_roles WHERE rolname = 'balcao'"
        roles = postgres.execute(query)
        assert roles.fetchall() == [(False, False)]
    environment_file = machine.directory / "etc" / "balcao.env"
    assert stat.S_IMODE(environment_file.stat().st_mode) == 0o640

    # As the proxy that ends HTTPS calls it.
    headers = {"Host": "balcao.example.com", "X-Forwarded-Proto": "https"}
    with httpx.Client(base_url=f"http://127.0.0.1:{machine.http}", headers=headers) as client:
        ready = client.get("/health/ready/")
        assert (ready.status_code, set(ready.json().values())) == (200, {True, "ok"}), ready.text
        body = {"email": "you@example.com", "password": PASSWORD}
        assert client.post("/api/auth/login", json=body).status_code == 200
        assert "<html" in client.get("/").text
        # A session's gateway is there again after an update and a restore.
        wait_for(lambda: _is_well(f"http://127.0.0.1:{machine.gateway}/health"), "the gateway", 60)
        polling = "/socket.io/?EIO=4&transport=polling"
        wait_for(lambda: client.get(polling).status_code == 200, "the sockets' server", 60)
    archives = list((machine.directory / "var" / "backups" / "balcao").iterdir())
    assert len(archives) == 2
    assert all(archive.stat().st_size > 10_000 for archive in archives)
    assert "The former data are in" in done.stdout


def _is_well(address: str) -> bool:
    """Tell whether a program that was just started answers that it is well."""
    with suppress(httpx.TransportError):
        return bool(httpx.get(address).json()["status"] == "ok")
    return False


if __name__ == "__main__":
    # The `systemctl` of the guide's commands.
    MACHINE = Path(os.environ["MACHINE"])
    RUN = MACHINE / "run"
    match sys.argv[1:]:
        case ["daemon-reload"]:
            pass
        case ["stop", "balcao-*"]:
            stop([file.name for file in RUN.iterdir()], MACHINE)
        case ["is-enabled", "--quiet", unit]:
            sys.exit(0 if (MACHINE / "enabled" / unit).exists() else 1)
        case ["enable", "--now", *named_units]:
            for unit in named_units:
                (MACHINE / "enabled" / unit).touch()
            start([unit for unit in named_units if not (RUN / unit).exists()], MACHINE)
        case ["restart", *named_units]:
            stop(named_units, MACHINE)
            start(named_units, MACHINE)
        case ["start", *named_units]:
            start(named_units, MACHINE)
        case other:
            sys.exit(f"systemctl {other}")
