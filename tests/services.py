"""A pytest plugin that gives each run a PostgreSQL and a Redis of its own.

Loaded by `-p tests.services` before Django reads its settings. `TEST_DATABASE=sqlite` runs on
SQLite instead, `TEST_DATABASE=pgbouncer` on PostgreSQL behind a PgBouncer that hands out
connections per transaction. A DATABASE_URL or REDIS_URL given in the environment is used as it is.

Of the processes of `pytest -n` each has a database of its own on the one PostgreSQL, and a Redis
and a DATA_DIR of its own. Tests that start processes themselves are one group (`xdist_group`): one
runs after the other, so that no two press each other. Those of backups, which no clock bounds, are
two more.
"""

import atexit
import gc
import os
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Generator, Iterable
from contextlib import suppress
from pathlib import Path

import pytest

ACCOUNT = "postgres"
# Below those that the system gives to whoever asks for any: another process must not be given the
# port before its server listens there, nor while that is stopped.
PORTS = range(20_000, 32_000)
# This process's claims on ports, held until it ends.
_claims: list[socket.socket] = []


def free_port() -> int:
    """Return a loopback port that nobody listens on and no other process of tests was given."""
    while True:
        port = secrets.choice(PORTS)
        if not _claim(port):
            continue
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def _claim(port: int) -> bool:
    # Linux lets one process have an abstract name, and takes it back when that process ends.
    claim = socket.socket(socket.AF_UNIX)
    try:
        claim.bind(f"\0balcao-test-port-{port}")
    except OSError:
        claim.close()
        return False
    _claims.append(claim)
    return True


def postgres_program(name: str) -> str:
    """Return the path of one of PostgreSQL's programs; raises pytest.UsageError without it."""
    versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    found = str(versions[0]) if versions else shutil.which(name)
    if not found:
        raise pytest.UsageError(f"PostgreSQL's {name} is missing: run `make test-services`.")
    return found


def _as_account(command: list[str]) -> list[str]:
    # PostgreSQL refuses to run as root, so root borrows the account its package made.
    return ["runuser", "-u", ACCOUNT, "--", *command] if os.geteuid() == 0 else command


class PostgresServer:
    """A throw-away PostgreSQL server on a loopback port, as durable as `fsync` says.

    `owner` is its first role, who may do everything and needs no password.
    """

    def __init__(self, *, fsync: bool = False, owner: str = "balcao") -> None:
        self.owner = owner
        self.directory = Path(tempfile.mkdtemp(prefix="balcao-postgres-"))
        if os.geteuid() == 0:
            account = pwd.getpwnam(ACCOUNT)
            os.chown(self.directory, account.pw_uid, account.pw_gid)
        self.port = free_port()
        data = self.directory / "data"
        subprocess.run(
            _as_account(
                [postgres_program("initdb"), "-D", str(data), "-U", owner, "-A", "trust"]
                + ["--locale=C.UTF-8", "--encoding=UTF8", "--no-sync"]
            ),
            check=True,
            capture_output=True,
            cwd="/",
        )
        durability = (
            [] if fsync else ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]
        )
        settings = [
            "listen_addresses=127.0.0.1",
            f"port={self.port}",
            f"unix_socket_directories={self.directory}",
            "max_connections=200",
            "shared_buffers=256MB",
            *durability,
        ]
        self._command = [postgres_program("postgres"), "-D", str(data)]
        for setting in settings:
            self._command += ["-c", setting]
        self.start()

    def start(self) -> None:
        """Start the server on its files and wait until it answers."""
        with (self.directory / "log").open("ab") as log:
            command = _as_account(self._command)
            self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd="/")
        self._wait()

    def _wait(self) -> None:
        deadline = time.monotonic() + 30
        command = [postgres_program("pg_isready"), "-h", "127.0.0.1", "-p", str(self.port)]
        while subprocess.run(command, capture_output=True, check=False).returncode:
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise pytest.UsageError((self.directory / "log").read_text())
            time.sleep(0.05)

    def url(self, database: str = "postgres") -> str:
        """Return the DATABASE_URL of one of its databases."""
        return f"postgres://{self.owner}@127.0.0.1:{self.port}/{database}"

    def stop(self) -> None:
        """End the server and remove its files."""
        self.process.terminate()
        self.process.wait(timeout=30)
        shutil.rmtree(self.directory, ignore_errors=True)


class PgBouncer:
    """A throw-away PgBouncer in front of all databases of a server, a connection per transaction.

    It resets nothing between two transactions: what a session of ours leaves behind, the next one
    finds.
    """

    def __init__(self, server: PostgresServer) -> None:
        program = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"
        if not Path(program).exists():
            raise pytest.UsageError("pgbouncer is missing: run `make test-services`.")
        self.server, self.port = server, free_port()
        users = server.directory / "users.txt"
        users.write_text(f'"{server.owner}" ""\n')
        configuration = server.directory / "pgbouncer.ini"
        lines = [
            "[databases]",
            f"* = host=127.0.0.1 port={server.port}",
            "[pgbouncer]",
            "listen_addr = 127.0.0.1",
            f"listen_port = {self.port}",
            "unix_socket_dir =",
            "auth_type = trust",
            f"auth_file = {users}",
            # Roles that tests make are looked up in the server.
            f"auth_user = {server.owner}",
            "pool_mode = transaction",
            f"admin_users = {server.owner}",
            "max_client_conn = 1000",
            # Tests hold transactions open on purpose, and wait for others that do.
            "default_pool_size = 60",
            "query_wait_timeout = 30",
            "server_idle_timeout = 30",
            # As the guide says: a PostgreSQL that is back is asked at once.
            "server_login_retry = 1",
            "ignore_startup_parameters = extra_float_digits",
        ]
        configuration.write_text("\n".join(lines) + "\n")
        # Only the account reads the folder, and pgbouncer refuses to run as root.
        for file in (users, configuration):
            file.chmod(0o644)
        with (server.directory / "pgbouncer.log").open("ab") as log:
            command = _as_account([program, "--quiet", str(configuration)])
            self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd="/")
        deadline = time.monotonic() + 30
        command = [postgres_program("pg_isready"), "-h", "127.0.0.1", "-p", str(self.port)]
        while subprocess.run(command, capture_output=True, check=False).returncode:
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise pytest.UsageError((server.directory / "pgbouncer.log").read_text())
            time.sleep(0.05)

    def url(self, database: str = "postgres") -> str:
        """Return the DATABASE_URL of one of the server's databases, through it."""
        return f"postgres://{self.server.owner}@127.0.0.1:{self.port}/{database}"

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=30)


class RedisServer:
    """A throw-away Redis server on a loopback port; `stop` and `start` keep its port."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        """Start the server and wait until it answers."""
        program = shutil.which("redis-server")
        if not program:
            raise pytest.UsageError("redis-server is missing: run `make test-services`.")
        self.process = subprocess.Popen(
            [program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""],
            stdout=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 10
        while True:
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=1):
                    return
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=10)


def _set_environment() -> None:
    os.environ.setdefault("SECRET_KEY", "a key for tests only")
    os.environ.setdefault("META_APP_SECRET", "app-secret-for-tests")
    os.environ.setdefault("SIMULATOR", "1")
    os.environ.setdefault("DEBUG", "1")
    os.environ.setdefault("META_VERIFY_TOKEN", "verify-token-for-tests")
    if "PYTEST_XDIST_WORKER" in os.environ:
        # Inherited from the process that hands out the tests; Redis's channels know no databases.
        for place in ("DATA_DIR", "REDIS_URL"):
            os.environ.pop(place, None)
    if "DATA_DIR" not in os.environ:
        directory = tempfile.mkdtemp(prefix="balcao-test-data-")
        os.environ["DATA_DIR"] = directory
        atexit.register(shutil.rmtree, directory, ignore_errors=True)
    if "DATABASE_URL" not in os.environ:
        if os.environ.get("TEST_DATABASE") == "sqlite":
            os.environ["DATABASE_URL"] = f"sqlite:///{os.environ['DATA_DIR']}/test.sqlite3"
        else:
            postgres = PostgresServer()
            atexit.register(postgres.stop)
            os.environ["DATABASE_URL"] = postgres.url()
            if os.environ.get("TEST_DATABASE") == "pgbouncer":
                pooler = PgBouncer(postgres)
                atexit.register(pooler.stop)
                os.environ["DATABASE_DIRECT_URL"] = postgres.url()
                os.environ["DATABASE_URL"] = pooler.url()
                os.environ["DATABASE_POOLED"] = "1"
    if "REDIS_URL" not in os.environ:
        redis = RedisServer()
        atexit.register(redis.stop)
        os.environ["REDIS_URL"] = redis.url


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests() -> Generator[None]:
    """Start the servers before pytest-django reads the settings."""
    _set_environment()
    yield


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Leave the test database behind a pooler to its server's end: the pooler stays connected."""
    if is_pooled():
        config.option.reuse_db = True


def is_pooled() -> bool:
    """Tell whether this run's database is behind a pooler."""
    return os.environ.get("TEST_DATABASE") == "pgbouncer"


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None]:
    """Spare the collector of garbage what stays for the whole run: thousands of tests."""
    gc.disable()
    yield
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the choice of the second run, on the other database."""
    parser.addoption(
        "--only-database", action="store_true", help="run only tests that touch the database"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what the run's database cannot run or, with `--only-database`, cannot change."""
    left_out: set[pytest.Item] = set()
    if os.environ["DATABASE_URL"].startswith("sqlite"):
        left_out |= needs_postgres(items)
    if is_pooled():
        left_out |= needs_own_sessions(items)
    if config.getoption("--only-database"):
        left_out |= independent_of_database(items)
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]


def needs_postgres(items: Iterable[pytest.Item]) -> set[pytest.Item]:
    """Return the tests that SQLite cannot run."""
    return {item for item in items if item.get_closest_marker("postgres")}


def needs_own_sessions(items: Iterable[pytest.Item]) -> set[pytest.Item]:
    """Return the tests that a pooler of transactions cannot run."""
    return {item for item in items if item.get_closest_marker("own_sessions")}


def independent_of_database(items: Iterable[pytest.Item]) -> set[pytest.Item]:
    """Return the tests that another database does not change.

    Of a test's parameters that is all but the first, which send the same statements with other
    values, unless it is marked `every_case`.
    """
    found: set[pytest.Item] = set()
    seen: set[str] = set()
    for item in items:
        test = item.nodeid.partition("[")[0]
        again = test in seen and not item.get_closest_marker("every_case")
        seen.add(test)
        if again or not _touches_database(item):
            found.add(item)
    return found


def _touches_database(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    return bool(fixtures & {"db", "transactional_db"}) or bool(item.get_closest_marker("django_db"))
