"""Reading a MySQL or MariaDB database."""

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import unquote, urlsplit

import pymysql
from pymysql.cursors import Cursor, SSCursor

from apps.movein.readers.reader import CHUNK, Reader, SourceUnreadable

_COLUMNS = """
    SELECT table_name, column_name FROM information_schema.columns
    WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position
"""


def open_mysql(address: str) -> Reader:
    """Open a database by `mysql://user:password@host:port/name`; raises SourceUnreadable.

    Rows are streamed on a connection of their own, because one connection reads one result at a
    time.
    """
    parts = urlsplit(address)
    options: dict[str, Any] = {
        "host": parts.hostname or "127.0.0.1",
        "port": parts.port or 3306,
        "user": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
        "database": parts.path.strip("/"),
        "charset": "utf8mb4",
        "connect_timeout": 10,
        "init_command": "SET time_zone = '+00:00', sql_mode = 'ANSI_QUOTES'",
    }
    try:
        streaming, asking = pymysql.connect(**options), pymysql.connect(**options)
        tables: dict[str, list[str]] = {}
        with asking.cursor(Cursor) as cursor:
            cursor.execute(_COLUMNS)
            for table, column in cursor.fetchall():
                tables.setdefault(table, []).append(column)
        # A batch of ours may take longer to store than the server waits for its reader.
        with streaming.cursor(Cursor) as cursor:
            cursor.execute("SET SESSION net_write_timeout = 3600")
    except pymysql.Error as error:
        raise SourceUnreadable(f"The database could not be opened: {error}") from error

    def stream(statement: str, parameters: Sequence[Any]) -> Iterator[Sequence[Any]]:
        with streaming.cursor(SSCursor) as cursor:
            cursor.execute(statement, parameters or None)
            while rows := cursor.fetchmany(CHUNK):
                yield from rows

    def fetch(statement: str, parameters: Sequence[Any]) -> Sequence[Sequence[Any]]:
        with asking.cursor(Cursor) as cursor:
            cursor.execute(statement, parameters or None)
            found: Sequence[Sequence[Any]] = cursor.fetchall()
            return found

    def close() -> None:
        streaming.close()
        asking.close()

    return Reader(tables=tables, stream=stream, fetch=fetch, close=close)
