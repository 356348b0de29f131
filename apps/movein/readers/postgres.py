"""Reads an older product's tables from PostgreSQL, in one snapshot and in batches."""

from collections.abc import Iterator, Sequence
from typing import Any

import psycopg

from apps.movein.readers.reader import CHUNK, Reader, SourceUnreadable

_COLUMNS = """
    SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
      AND a.attnum > 0 AND NOT a.attisdropped
    ORDER BY c.relname, a.attnum
"""


def open_postgres(address: str) -> Reader:
    """Open a database by its address; raises SourceUnreadable.

    All is read from one snapshot, so what the older product writes meanwhile changes nothing.
    """
    try:
        connection = psycopg.connect(address, connect_timeout=10, autocommit=True)
        connection.read_only = True
        connection.execute("SET TIME ZONE 'UTC'")
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        tables: dict[str, list[str]] = {}
        for table, column in connection.execute(_COLUMNS):
            tables.setdefault(table, []).append(column)
    except (psycopg.Error, UnicodeError) as error:
        raise SourceUnreadable(f"The database could not be opened: {error}") from error

    def stream(statement: str, parameters: Sequence[Any]) -> Iterator[Sequence[Any]]:
        with connection.cursor(name="movein_rows") as cursor:
            cursor.itersize = CHUNK
            cursor.execute(statement.encode(), parameters or None)
            yield from cursor

    def fetch(statement: str, parameters: Sequence[Any]) -> Sequence[Sequence[Any]]:
        return connection.execute(statement.encode(), parameters or None).fetchall()

    return Reader(tables=tables, stream=stream, fetch=fetch, close=connection.close)
