"""Sources of an import: databases and dumps, read alike."""

from pathlib import Path

from apps.movein.readers.mysql import open_mysql
from apps.movein.readers.postgres import open_postgres
from apps.movein.readers.reader import CHUNK, Reader, Row, SourceUnreadable
from apps.movein.readers.staging import open_dump

__all__ = ["CHUNK", "Reader", "Row", "SourceUnreadable", "open_reader"]


def open_reader(address: str) -> Reader:
    """Open `postgres://…`, `mysql://…` (also `mariadb://…`) or the path of a dump.

    Raises SourceUnreadable.
    """
    kind = address.partition("://")[0]
    if kind in {"postgres", "postgresql"}:
        return open_postgres(address)
    if kind in {"mysql", "mariadb"}:
        return open_mysql(address)
    path = Path(address)
    if not path.is_file():
        raise SourceUnreadable(f"{address} is neither the address of a database nor a file.")
    return open_dump(path)
