"""Installations of the product that tests back up and restore, as an operator does."""

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from apps.common.direct import direct_connection
from tests import tables
from tests.product import ROOT, migrate_database, migrated_database

SECRET = "the key of the installation that is backed up"
# An installation has a database of its own, in front of which no pooler stands.
FOREIGN = {"DATABASE_URL", "DATABASE_POOLED", "DATABASE_DIRECT_URL", "SECRET_KEY"}
LOCKS = {"up.lock", "serving.lock"}


class Installation:
    """A DATA_DIR with its database, and the commands an operator gives."""

    def __init__(
        self,
        directory: Path,
        database_url: str = "",
        make_tables: Callable[[], object] = lambda: None,
    ) -> None:
        self.directory = directory
        self.database_url = database_url
        self.make_tables = make_tables
        kept = {k: v for k, v in os.environ.items() if k not in FOREIGN}
        self.environment = kept | {"DATA_DIR": str(directory)}
        if database_url:
            self.environment["DATABASE_URL"] = database_url

    def make(self) -> "Installation":
        """Give it a key and a database."""
        self.directory.mkdir(mode=0o700)
        (self.directory / "secret_key").write_text(SECRET)
        self.make_tables()
        return self

    def manage(self, *command: str, **given: Any) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            check=False,
            timeout=300,
            **given,
        )

    def rows(self, query: str) -> list[Any]:
        if self.database_url:
            with psycopg.connect(self.database_url) as postgres:
                return postgres.execute(query).fetchall()
        with closing(sqlite3.connect(self.directory / "balcao.sqlite3")) as sqlite:
            return sqlite.execute(query).fetchall()

    def media_faults(self) -> tuple[int, list[str]]:
        """Return how many messages there are, and the files that are not as their rows say."""
        rows = self.rows("SELECT media_path, media_size FROM tickets_message")
        media = self.directory / "media"
        sizes = {str(p.relative_to(media)): p.stat().st_size for p in media.rglob("*.txt")}
        return len(rows), [path for path, size in rows if sizes.get(path) != size]

    def state(self) -> dict[str, str]:
        """Return what a refused restore must not touch."""
        return {
            str(path.relative_to(self.directory)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in self.directory.rglob("*")
            if path.is_file() and path.name not in {*LOCKS, "balcao.sqlite3-shm"}
        }


def said(command: "subprocess.CompletedProcess[bytes]") -> str:
    return (command.stderr + command.stdout).decode(errors="replace")


@pytest.fixture
def installations(tmp_path: Path) -> Callable[[str], Installation]:
    def build(name: str) -> Installation:
        directory = tmp_path / name
        return Installation(
            directory, make_tables=lambda: shutil.copy(migrated_database(), directory)
        )

    return build


class PostgresOwner:
    """A role of the tests' server, and a migrated database of it to copy.

    As the guide makes it: the owner of the databases, and nothing beside.
    """

    def __init__(self, login: str, address: str) -> None:
        self.name = f"backup_owner_{os.getpid()}"
        self._address = address
        self._made = [f"backup_migrated_{os.getpid()}"]
        self._administrator = psycopg.connect(f"postgres://{login}@{address}/postgres")
        self._administrator.autocommit = True
        self._say(f"CREATE ROLE {self.name} LOGIN PASSWORD 'own'")
        self._say(f"CREATE DATABASE {self._made[0]} OWNER {self.name}")
        if tables.kept("sql").exists():
            tables.fill_postgres(self.url(self._made[0]))
        else:
            migrate_database(self.url(self._made[0]))

    def _say(self, statement: str) -> None:
        self._administrator.execute(statement.encode())

    def url(self, name: str) -> str:
        return f"postgres://{self.name}:own@{self._address}/{name}"

    def create(self, name: str) -> str:
        """Make an empty database and return its address."""
        self._made.append(name)
        self._say(f"CREATE DATABASE {name} OWNER {self.name}")
        return self.url(name)

    def fill(self, name: str) -> None:
        """Give an empty database its tables."""
        self._say(f"DROP DATABASE {name}")
        self._say(f"CREATE DATABASE {name} OWNER {self.name} TEMPLATE {self._made[0]}")

    def drop(self, names: list[str]) -> None:
        for name in names:
            self._say(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def remove(self) -> None:
        self.drop(self._made)
        self._say(f"DROP ROLE {self.name}")
        self._administrator.close()


@pytest.fixture(scope="session")
def postgres_owner(django_db_setup: None, django_db_blocker: Any) -> Iterator[PostgresOwner]:
    with django_db_blocker.unblock():
        settings = direct_connection().settings_dict
    user, password = settings["USER"], settings["PASSWORD"]
    login = f"{user}:{password}" if password else user
    owner = PostgresOwner(login, f"{settings['HOST']}:{settings['PORT']}")
    yield owner
    owner.remove()


@pytest.fixture
def postgres_installations(
    tmp_path: Path, postgres_owner: PostgresOwner
) -> Iterator[Callable[[str], Installation]]:
    """Installations on new databases of the tests' server."""
    made: list[str] = []

    def build(name: str) -> Installation:
        made.append(f"backup_{name}_{os.getpid()}")
        url = postgres_owner.create(made[-1])
        return Installation(tmp_path / name, url, partial(postgres_owner.fill, made[-1]))

    yield build
    postgres_owner.drop(made)
