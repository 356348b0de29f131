"""Databases as versions left them, to be upgraded by the code of today.

Each folder beside this file has the tables of one version as SQL, with the names of its migrations
but without other rows, and the checksums of its migrations, which stay as they are for ever.
`python -m tests.versions` writes the folder of the version in VERSION.
"""

import hashlib
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from tests.services import postgres_program

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent.parent
# The last commit with the migrations that those of 1.0.0rc1 replace.
BEFORE = "before-1.0.0rc1"
CHECKSUMS = "migrations.sha256"
KINDS = ("sqlite", "postgres")


def versions() -> list[str]:
    """Return the names of the folders."""
    return sorted(path.parent.name for path in FOLDER.glob("*/sqlite.sql"))


def restore_sqlite(version: str, path: Path) -> None:
    """Make a database of a version in a new file."""
    with closing(sqlite3.connect(path)) as database:
        database.executescript((FOLDER / version / "sqlite.sql").read_text())


def restore_postgres(version: str, address: str) -> None:
    """Make the tables of a version in an empty database."""
    fill_postgres((FOLDER / version / "postgres.sql").read_text(), address)


def fill_postgres(statements: str, address: str) -> None:
    """Make what `postgres_schema` has told of in an empty database."""
    subprocess.run(
        [postgres_program("psql"), "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1"]
        + ["--single-transaction", "--file", "-", "--dbname", address],
        input=statements,
        text=True,
        check=True,
        stdout=subprocess.DEVNULL,
    )


def sqlite_schema(path: Path) -> str:
    """Return the statements that made a database, in the order of the names of what they make."""
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute(
            "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
            " ORDER BY type DESC, name"
        ).fetchall()
    return "".join(f"{statement};\n" for (statement,) in rows)


def postgres_schema(address: str) -> str:
    """Return what pg_dump says of a database's tables, without its comments and its settings."""
    return _dump(address, "--schema-only")


def without_column_order(schema: str) -> set[str]:
    """Return SQLite's statements with the columns and constraints of each table sorted.

    SQLite puts a column that was altered at the end of its table.
    """
    return {_sorted_columns(line) for line in schema.splitlines()}


def _sorted_columns(statement: str) -> str:
    if not statement.startswith("CREATE TABLE"):
        return statement
    head, _, body = statement.removesuffix(");").partition(" (")
    parts, depth = [""], 0
    for sign in body:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return f"{head} ({', '.join(sorted(part.strip() for part in parts))});"


def write_sqlite(path: Path, folder: Path) -> None:
    """Write the tables of a migrated database."""
    with closing(sqlite3.connect(path)) as database:
        applied = database.execute("SELECT * FROM django_migrations ORDER BY id").fetchall()
    rows = "".join(f"INSERT INTO django_migrations VALUES {row};\n" for row in applied)
    (folder / "sqlite.sql").write_text(sqlite_schema(path) + rows)


def write_postgres(address: str, folder: Path) -> None:
    """Write the tables of a migrated database."""
    applied = _dump(address, "--data-only", "--inserts", "--table=django_migrations")
    (folder / "postgres.sql").write_text(postgres_schema(address) + applied)


def write_checksums(folder: Path) -> None:
    """Write the checksums of all migrations of our apps, in the form of sha256sum."""
    names = sorted(ROOT.glob("apps/*/migrations/[0-9]*.py"))
    (folder / CHECKSUMS).write_text(
        "".join(f"{checksum(path)}  {path.relative_to(ROOT)}\n" for path in names)
    )


def checksum(path: Path) -> str:
    """Return the checksum of a file as sha256sum says it."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _dump(address: str, *options: str) -> str:
    command = [postgres_program("pg_dump"), "--no-owner", "--no-comments", *options]
    done = subprocess.run(
        [*command, "--dbname", address], check=True, capture_output=True, text=True
    )
    # Newer ones begin and end with a key of their own.
    noise = ("--", "SET ", "SELECT pg_catalog.set_config", "\\restrict", "\\unrestrict")
    lines = [line for line in done.stdout.splitlines() if line and not line.startswith(noise)]
    return "".join(f"{line}\n" for line in lines)
