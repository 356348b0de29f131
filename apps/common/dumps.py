"""Copies of the database: made while others write, checked, and put in place of the present
database.
"""

import fcntl
import os
import shutil
import sqlite3
import subprocess
from contextlib import closing, suppress
from pathlib import Path
from typing import IO, Any, Protocol

from django.db import connection

from apps.common.direct import direct_connection, has_own_sessions
from apps.common.moves import Moves

SENTENCE_LENGTH = 400
IN_USE = (
    "Another process has the database open. Stop everything that works on it first: web, realtime,"
    " workers, beat, and consoles."
)
POOLED = (
    "DATABASE_URL leads to a pooler, whose connections programs that copy databases must not use."
    " Set DATABASE_DIRECT_URL to PostgreSQL's own address."
)
# Options of a connection and libpq's variables for them.
_LIBPQ = {
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
    "options": "PGOPTIONS",
}
# SQLite's os.h, SHARED_FIRST: a process with an open database in WAL mode locks these bytes.
_SHARED_FIRST, _SHARED_SIZE = 0x40000000 + 2, 510


class DumpFailed(Exception):
    """A sentence about why a database could not be copied, checked or replaced."""


class Database(Protocol):
    name: str
    file_name: str

    def dump(self, to: Path) -> None:
        """Write a consistent copy; raises DumpFailed."""

    def check(self, dump: Path) -> None:
        """Raise DumpFailed unless a copy can be loaded."""

    def is_in_use(self) -> bool:
        """Tell whether another process has the present database open."""

    def replace(self, dump: Path, aside: Path, moves: Moves) -> str:
        """Replace the present database by a copy; return where the former one is now.

        Raises DumpFailed; `moves` then undoes every change.
        """

    def is_empty(self) -> bool:
        """Tell whether the present database is empty."""

    def is_replaced(self, aside: Path, *, was_empty: bool) -> bool:
        """Tell whether an interrupted `replace` had completed and cannot be undone."""


def present_database() -> Database:
    """Return the database that the settings name; raises DumpFailed."""
    return Sqlite() if connection.vendor == "sqlite" else Postgres()


class Sqlite:
    """A SQLite file; `-wal` and `-shm` files beside it hold its last changes."""

    name = "sqlite"
    file_name = "database.sqlite3"

    def __init__(self) -> None:
        self.path = Path(connection.settings_dict["NAME"])

    def dump(self, to: Path) -> None:
        """Copy it in one reading transaction, while others write."""
        if not self.path.is_file():
            raise DumpFailed(f"There is no database at {self.path}. Is DATA_DIR the right one?")
        try:
            with (
                closing(sqlite3.connect(self.path, timeout=30)) as source,
                closing(sqlite3.connect(to)) as copy,
            ):
                source.backup(copy)
                copy.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.Error as error:
            raise DumpFailed(f"The database could not be copied: {error}.") from error
        self.check(to)

    def check(self, dump: Path) -> None:
        """Have SQLite look at every page."""
        try:
            with closing(sqlite3.connect(f"{dump.absolute().as_uri()}?mode=ro", uri=True)) as copy:
                found = copy.execute("PRAGMA integrity_check(1)").fetchone()[0]
        except sqlite3.Error as error:
            found = str(error)
        if found != "ok":
            raise DumpFailed(f"The copy of the database is damaged: {found}.")

    def is_in_use(self) -> bool:
        """Test the locks of processes that have it open; the file is not changed."""
        connection.close()
        with suppress(FileNotFoundError), self.path.open("r+b") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, _SHARED_SIZE, _SHARED_FIRST)
            except BlockingIOError:
                return True
        return False

    def replace(self, dump: Path, aside: Path, moves: Moves) -> str:
        """Move the file with its companions away, then the copy into its place."""
        place = ""
        # SQLite would apply a remaining `-wal` to the restored file and corrupt it.
        for suffix in ("", "-wal", "-shm", "-journal"):
            present = self.path.with_name(self.path.name + suffix)
            if present.exists():
                moves.move(present, aside / present.name)
                place = str(aside / self.path.name)
        moves.move(dump, self.path)
        return place

    def is_empty(self) -> bool:
        return not self.path.exists()

    def is_replaced(self, aside: Path, *, was_empty: bool) -> bool:
        """Return False: every move can be undone."""
        return False


class Postgres:
    """A PostgreSQL server, copied with pg_dump, pg_restore and psql."""

    name = "postgresql"
    file_name = "database.dump"

    def __init__(self) -> None:
        if not has_own_sessions():
            raise DumpFailed(POOLED)
        self.connection = direct_connection()
        self.settings: dict[str, Any] = self.connection.settings_dict

    def dump(self, to: Path) -> None:
        """Dump one snapshot, without the schemas that a restore moved aside."""
        self._run(
            *("pg_dump", "--format=custom", "--no-owner", "--no-privileges", "--no-comments"),
            *("--no-password", "--exclude-schema=before_restore_*", f"--file={to}"),
        )

    def check(self, dump: Path) -> None:
        """Make pg_restore read the whole copy."""
        self._program("psql")
        self._run("pg_restore", "--file=/dev/null", str(dump))

    def is_in_use(self) -> bool:
        """Look for other sessions; those of the server itself have no user."""
        with self.connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                " AND usesysid IS NOT NULL AND pid <> pg_backend_pid()"
            )
            others: int = cursor.fetchone()[0]
        self.connection.close()
        return others > 0

    def is_empty(self) -> bool:
        """Look for a table that every Balcão database has."""
        return not self._is_there("to_regclass('public.django_migrations')")

    def is_replaced(self, aside: Path, *, was_empty: bool) -> bool:
        """Look for the schema that the transaction created."""
        if was_empty:
            return not self.is_empty()
        return self._is_there(f"to_regnamespace('{_schema_of(aside)}')")

    def _is_there(self, name: str) -> bool:
        with self.connection.cursor() as cursor:
            cursor.execute(f"SELECT {name} IS NOT NULL")
            (is_there,) = cursor.fetchone()
        self.connection.close()
        return bool(is_there)

    def replace(self, dump: Path, aside: Path, moves: Moves) -> str:
        """Move the present tables to another schema and load the copy, in one transaction."""
        schema = _schema_of(aside)
        command = [self._program("psql"), "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1"]
        failure: DumpFailed | None = None
        with subprocess.Popen(  # noqa: S603  the command is ours
            [*command, "--no-password", "--output=/dev/null"],
            env=self._environment(),
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as psql:
            assert psql.stdin is not None and psql.stderr is not None  # noqa: S101  for mypy
            try:
                self._feed(psql.stdin, schema, dump)
            except BrokenPipeError:
                pass  # psql ended with an error, which is reported below
            except DumpFailed as error:
                failure = error  # without COMMIT everything is rolled back
            with suppress(BrokenPipeError):
                psql.stdin.close()
            told = psql.stderr.read().decode(errors="replace")
        if IN_USE in told:
            raise DumpFailed(IN_USE)
        if psql.returncode:
            raise DumpFailed(f"psql did not load the copy: {_last_words(told)}")
        if failure:
            raise failure
        return f"the schema {schema} of the database"

    def _feed(self, psql: IO[bytes], schema: str, dump: Path) -> None:
        psql.write(b"BEGIN;\nSET LOCAL lock_timeout = '10s';\n")
        aside = _SCHEMA_ASIDE.replace("{schema}", schema).replace("{in_use}", IN_USE)
        psql.write(aside.encode())
        psql.flush()
        self._run("pg_restore", "--no-owner", "--no-privileges", "--file=-", str(dump), to=psql)
        psql.write(b"\nCOMMIT;\n")
        psql.flush()

    def _environment(self) -> dict[str, str]:
        given = {
            "PGHOST": self.settings.get("HOST"),
            "PGPORT": self.settings.get("PORT"),
            "PGUSER": self.settings.get("USER"),
            # not an argument: other users can see arguments
            "PGPASSWORD": self.settings.get("PASSWORD"),
            "PGDATABASE": self.settings.get("NAME"),
            "PGCONNECT_TIMEOUT": "10",
        }
        options = self.settings.get("OPTIONS", {})
        given |= {variable: options.get(name) for name, variable in _LIBPQ.items()}
        return dict(os.environ) | {name: str(value) for name, value in given.items() if value}

    def _program(self, name: str) -> str:
        program = shutil.which(name)
        if program is None:
            raise DumpFailed(
                f"The program {name} is missing: install PostgreSQL's client programs"
                " (the package postgresql-client), as new as the server or newer."
            )
        return program

    def _run(self, name: str, *arguments: str, to: IO[bytes] | None = None) -> None:
        done = subprocess.run(  # noqa: S603  the command is ours
            [self._program(name), *arguments],
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            stdout=to or subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
        )
        if done.returncode:
            told = _last_words(done.stderr.decode(errors="replace"))
            raise DumpFailed(f"{name} failed: {told}")


def _schema_of(aside: Path) -> str:
    return aside.name.replace("-", "_")


def _last_words(told: str) -> str:
    return " ".join(told.split())[-SENTENCE_LENGTH:]


# Extensions stay and serve the new data: the objects of pg_trgm belong to the server's superuser,
# and nobody else may move them. Indexes that use its operators can be moved. An object that is not
# moved here conflicts with the copy, which is then not loaded. A session that connected since the
# check has seen the former data: then everything is rolled back. Later sessions wait for the locks
# of the tables and see the complete copy.
_SCHEMA_ASIDE = """
DO $aside$
DECLARE command text;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'public') THEN
        RETURN;
    END IF;
    CREATE SCHEMA {schema};
    FOR command IN
        -- Indexes, and sequences of columns, go with their table.
        SELECT format('ALTER %s %s SET SCHEMA {schema}',
            CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW'
                WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'f' THEN 'FOREIGN TABLE'
                WHEN 'c' THEN 'TYPE' ELSE 'TABLE' END, oid::regclass)
        FROM pg_class
        WHERE relnamespace = 'public'::regnamespace
            AND relkind IN ('r', 'p', 'S', 'v', 'm', 'f', 'c')
            AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass
                AND objid = pg_class.oid AND deptype IN ('e', 'a', 'i')
                AND (deptype = 'e' OR relkind = 'S'))
        UNION ALL
        SELECT format('ALTER ROUTINE %s SET SCHEMA {schema}', oid::regprocedure)
        FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace
            AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass
                AND objid = pg_proc.oid AND deptype = 'e')
        UNION ALL
        SELECT format('ALTER TYPE %s SET SCHEMA {schema}', oid::regtype)
        FROM pg_type
        WHERE typnamespace = 'public'::regnamespace AND typtype IN ('d', 'e', 'r')
            AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_type'::regclass
                AND objid = pg_type.oid AND deptype = 'e')
        UNION ALL
        SELECT format('ALTER STATISTICS %I.%I SET SCHEMA {schema}', 'public', stxname)
        FROM pg_statistic_ext WHERE stxnamespace = 'public'::regnamespace
    LOOP
        EXECUTE command;
    END LOOP;
    -- A second for those that are just ending, our own of a moment ago too.
    FOR look IN 1..20 LOOP
        PERFORM pg_stat_clear_snapshot();
        EXIT WHEN NOT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
            AND usesysid IS NOT NULL AND pid <> pg_backend_pid());
        IF look = 20 THEN
            RAISE EXCEPTION '{in_use}';
        END IF;
        PERFORM pg_sleep(0.05);
    END LOOP;
END
$aside$;
"""
