"""What is on the disk: the database by tables, its log, and media."""

from dataclasses import dataclass
from pathlib import Path

import psycopg

TABLES = (
    "SELECT relname, pg_total_relation_size(oid) FROM pg_class"
    " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
)
COMMITS = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"


@dataclass(frozen=True)
class Disk:
    """Bytes; `log` is the position in the write-ahead log.

    `commits` counts those that only read, too.
    """

    tables: dict[str, int]
    log: int
    commits: int
    media: int

    @property
    def database(self) -> int:
        return sum(self.tables.values())


def measure(url: str, media: Path) -> Disk:
    """Look at the sizes; indexes and long values belong to their table."""
    with psycopg.connect(url, autocommit=True) as database:
        tables = {str(name): int(size) for name, size in database.execute(TABLES).fetchall()}
        [[log]] = database.execute("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn").fetchall()
        [[commits]] = database.execute(COMMITS).fetchall()
    files = (each for each in media.rglob("*") if each.is_file())
    return Disk(tables, int(log), int(commits), sum(each.stat().st_size for each in files))
