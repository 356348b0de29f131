"""Reading a dump: it is unpacked into a SQLite file first, because tables are read in our order."""

import gzip
import re
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import IO, Any

from apps.movein.readers.dumps import parse_dump
from apps.movein.readers.reader import CHUNK, Reader, SourceUnreadable

# Any but UTC's own.
_OFFSET = re.compile(r":\d\d(?:\.\d+)?[+-](?!00$)\d\d(?::?\d\d)?$")
_CUSTOM, _GZIP = b"PGDMP", b"\x1f\x8b"
# Columns by which rows are looked up or ordered.
_INDEXED = (("id",), ("createdAt", "id"), ("ticketId",), ("contactId",), ("companyId",))


def open_dump(path: Path) -> Reader:
    """Unpack a dump and open it; raises SourceUnreadable. The unpacked file goes with `close`.

    It may be plain SQL of pg_dump or mysqldump, the same compressed by gzip, or pg_dump's own
    format, which pg_restore unpacks.
    """
    folder = Path(tempfile.mkdtemp(prefix="movein-"))
    staged = folder / "dump.sqlite3"
    try:
        with _text_of(path) as lines:
            tables = _unpack(lines, staged)
    except (OSError, UnicodeError, EOFError) as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise SourceUnreadable(f"{path} could not be read: {error}") from error
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    database = sqlite3.connect(staged)

    def stream(statement: str, parameters: Sequence[Any]) -> Iterator[Sequence[Any]]:
        cursor = database.execute(statement, parameters)
        while rows := cursor.fetchmany(CHUNK):
            yield from rows

    def fetch(statement: str, parameters: Sequence[Any]) -> Sequence[Sequence[Any]]:
        return database.execute(statement, parameters).fetchall()

    def close() -> None:
        database.close()
        shutil.rmtree(folder, ignore_errors=True)

    return Reader(tables=tables, stream=stream, fetch=fetch, close=close, place="?")


@contextmanager
def _text_of(path: Path) -> Iterator[IO[str]]:
    with path.open("rb") as file:
        start = file.read(len(_CUSTOM))
    if start == _CUSTOM:
        program = shutil.which("pg_restore")
        if program is None:
            raise SourceUnreadable(
                "This dump has pg_dump's own format: install pg_restore (postgresql-client), or"
                " make a plain dump with `pg_dump --format=plain`."
            )
        command = [program, "--data-only", "--no-owner", "-f", "-", str(path)]
        with (
            tempfile.TemporaryFile() as complaints,
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaints) as process,  # noqa: S603
            TextIOWrapper(process.stdout or BytesIO(), encoding="utf-8", newline="\n") as unpacked,
        ):
            yield unpacked
            if process.wait():
                complaints.seek(0)
                told = complaints.read(500).decode("utf-8", "replace").strip()
                raise SourceUnreadable(f"pg_restore failed: {told}")
        return
    if start.startswith(_GZIP):
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
            yield lines
        return
    with path.open(encoding="utf-8", newline="\n") as lines:
        yield lines


def _unpack(lines: IO[str], staged: Path) -> dict[str, list[str]]:
    database = sqlite3.connect(staged, isolation_level=None)
    tables: dict[str, list[str]] = {}
    waiting: list[list[str | None]] = []
    current: tuple[str, list[str]] = ("", [])
    try:
        # A crash loses the file, and the next run makes another.
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("PRAGMA synchronous = OFF")
        database.execute("BEGIN")

        def store() -> None:
            if waiting:
                table, columns = current
                names = ", ".join(f'"{each}"' for each in columns)
                places = ", ".join(["?"] * len(columns))
                database.executemany(
                    f'INSERT INTO "{table}" ({names}) VALUES ({places})',  # noqa: S608
                    waiting,
                )
                waiting.clear()

        for table, columns, row in parse_dump(lines):
            if (table, columns) != current or len(waiting) >= CHUNK:
                store()
                current = (table, columns)
                if table not in tables:
                    tables[table] = columns
                    database.execute(_table(table, columns))
            waiting.append(_in_utc(columns, row))
        store()
        for table, columns in tables.items():
            for number, key in enumerate(_INDEXED):
                if set(key) <= set(columns):
                    names = ", ".join(f'"{each}"' for each in key)
                    database.execute(f'CREATE INDEX "{table} {number}" ON "{table}" ({names})')
        database.execute("COMMIT")
    finally:
        database.close()
    if not tables:
        raise SourceUnreadable("The dump has no rows of any table.")
    return tables


def _in_utc(columns: Sequence[str], row: list[str | None]) -> list[str | None]:
    """Write times that have an offset in UTC, so that their texts are in their order."""
    for place, name in enumerate(columns):
        value = row[place]
        if value and name.endswith("At") and _OFFSET.search(value):
            with suppress(ValueError):
                row[place] = datetime.fromisoformat(value).astimezone(UTC).isoformat(" ")
    return row


def _table(table: str, columns: Sequence[str]) -> str:
    # Ids are compared as numbers; those of messages, which may look like numbers, stay texts.
    texts = {
        "quotedMsgId",
        "messageId",
        *(["id"] if "Message" in table and "Chat" not in table and "Quick" not in table else []),
    }
    kinds = (
        "INTEGER" if name not in texts and (name == "id" or name.endswith("Id")) else "TEXT"
        for name in columns
    )
    described = ", ".join(f'"{name}" {kind}' for name, kind in zip(columns, kinds, strict=True))
    return f'CREATE TABLE "{table}" ({described})'
