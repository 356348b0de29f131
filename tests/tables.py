"""The tables of a migrated database with nothing in them, kept from one run to the next.

Going through all migrations takes 6 s of a processor. What they lead to is kept beside pytest's
cache, as a file of SQLite and as a dump of PostgreSQL, under a name that is made of the migrations
and of what they import: another migration, and the tables are made by them anew.
"""

import hashlib
import os
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path

import pytest
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from psycopg.conninfo import make_conninfo

from apps.common.direct import direct_connection
from tests.services import postgres_program

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / ".pytest_cache" / "tables"
MADE_OF = (
    "requirements.txt",
    "apps/*/migrations/*.py",
    "apps/*/models.py",
    "apps/*/models/*.py",
    "apps/common/encryption.py",
    "apps/common/search.py",
)


@cache
def _name() -> str:
    digest = hashlib.sha256()
    for pattern in MADE_OF:
        for path in sorted(ROOT.glob(pattern)):
            digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()[:20]


def kept(kind: str) -> Path:
    """Return where the tables of `kind`, `sqlite3` or `sql`, are kept; they may not be yet."""
    return KEPT / f"{_name()}.{kind}"


def keep(kind: str, write: Callable[[Path], object]) -> Path:
    """Keep tables that `write` puts into a file, in the place of older ones, and return it."""
    place = kept(kind)
    place.parent.mkdir(parents=True, exist_ok=True)
    written = place.with_name(f"{place.name}.{os.getpid()}")
    write(written)
    written.replace(place)
    for older in KEPT.glob(f"*.{kind}"):
        if older != place:
            older.unlink(missing_ok=True)
    return place


def keep_sqlite(source: sqlite3.Connection) -> Path:
    """Keep the tables of an open SQLite database."""

    def write(path: Path) -> None:
        with closing(sqlite3.connect(path)) as target:
            source.backup(target)

    return keep("sqlite3", write)


def fill_sqlite(target: sqlite3.Connection) -> None:
    """Put the kept tables into an open SQLite database that has none."""
    with closing(sqlite3.connect(kept("sqlite3"))) as source:
        source.backup(target)


def keep_postgres(address: str) -> Path:
    """Keep the tables of a PostgreSQL database."""
    command = [postgres_program("pg_dump"), "--no-owner", "--no-comments", "--dbname", address]
    return keep("sql", lambda path: subprocess.run([*command, "--file", str(path)], check=True))


def fill_postgres(address: str) -> None:
    """Put the kept tables into a PostgreSQL database that has none."""
    subprocess.run(
        [postgres_program("psql"), "--quiet", "--no-psqlrc", "--single-transaction"]
        + ["--set=ON_ERROR_STOP=1", "--file", str(kept("sql")), "--dbname", address],
        check=True,
        stdout=subprocess.DEVNULL,
    )


@contextmanager
def made_from_kept(database: BaseDatabaseWrapper) -> Iterator[None]:
    """Have Django's test database made of the kept tables, if there are any."""
    if not kept(_kind_of(database)).exists():
        yield
        return

    def fill(sender: object, connection: BaseDatabaseWrapper, **kwargs: object) -> None:
        # Not `is not`: `database` stands for whichever connection the thread has.
        if connection != database:  # Django's own, by which it makes the database
            return
        connection_created.disconnect(fill)
        if connection.vendor == "sqlite":
            fill_sqlite(connection.connection)
        else:
            fill_postgres(_address_of(connection.settings_dict["NAME"]))

    connection_created.connect(fill)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(database.settings_dict["TEST"], "MIGRATE", False)
        yield


def keep_made(database: BaseDatabaseWrapper) -> None:
    """Keep the tables of Django's test database, if none are kept yet."""
    if kept(_kind_of(database)).exists():
        return
    # pytest-django makes no test database for tests of which none asks for it.
    if "django_migrations" not in database.introspection.table_names():
        return
    if database.vendor == "sqlite":
        keep_sqlite(database.connection)
    else:
        keep_postgres(_address_of(database.settings_dict["NAME"]))


def _kind_of(database: BaseDatabaseWrapper) -> str:
    return "sqlite3" if database.vendor == "sqlite" else "sql"


def _address_of(name: str) -> str:
    # Past a pooler, in whose sessions a dump's empty search path would stay.
    told = direct_connection().settings_dict
    wanted = {"host": "HOST", "port": "PORT", "user": "USER", "password": "PASSWORD"}
    given = {key: told[of] for key, of in wanted.items()}
    return make_conninfo(dbname=name, **{key: value for key, value in given.items() if value})
