"""Reading another product's database: the same few statements for each kind of database."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

Row = dict[str, Any]
# Rows in memory at a time.
CHUNK = 2000


class SourceUnreadable(Exception):
    """The source can't be opened or read; the text says why and what to do."""


class Reader:
    """A source's tables with their columns. Names are the source's; nothing is ever written to it.

    `stream(statement, parameters)` yields tuples in bounded memory; `fetch` returns all of them.
    """

    def __init__(
        self,
        *,
        tables: dict[str, list[str]],
        stream: Callable[[str, Sequence[Any]], Iterator[Sequence[Any]]],
        fetch: Callable[[str, Sequence[Any]], Sequence[Sequence[Any]]],
        close: Callable[[], None],
        quote: str = '"',
        place: str = "%s",
    ) -> None:
        self._tables = tables
        self._stream, self._fetch, self._place, self._mark = stream, fetch, place, quote
        self.close = close

    def tables(self) -> dict[str, list[str]]:
        """Return the columns of all tables."""
        return self._tables

    def has(self, table: str, *columns: str) -> bool:
        return set(columns) <= set(self._tables.get(table, ()))

    def count(self, table: str) -> int:
        """Return the number of rows; 0 for a table that the source lacks."""
        if table not in self._tables:
            return 0
        return int(self._fetch(f"SELECT COUNT(*) FROM {self._name(table)}", [])[0][0])  # noqa: S608

    def largest(self, table: str, column: str) -> int:
        if not self.has(table, column):
            return 0
        statement = f"SELECT MAX({self._name(column)}) FROM {self._name(table)}"  # noqa: S608
        return int(self._fetch(statement, [])[0][0] or 0)

    def rows(
        self,
        table: str,
        *,
        order: Sequence[str],
        after: Sequence[Any] | None = None,
        given: str = "",
        leaves_out: Sequence[str] = (),
    ) -> Iterator[Row]:
        """Yield the rows in this order, those behind the key `after` only.

        `given` names a column that must have a value. The columns of `leaves_out` are not read.
        """
        columns = [each for each in self._tables.get(table, ()) if each not in leaves_out]
        if not columns or not self.has(table, *order, *([given] if given else [])):
            return
        conditions, parameters = [], list(after or ())
        if after is not None:
            keys = ", ".join(map(self._name, order))
            places = ", ".join([self._place] * len(order))
            conditions.append(f"({keys}) > ({places})")
        if given:
            conditions.append(f"{self._name(given)} IS NOT NULL")
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        statement = (
            f"SELECT {', '.join(map(self._name, columns))} FROM {self._name(table)}{where}"  # noqa: S608
            f" ORDER BY {', '.join(map(self._name, order))}"
        )
        for values in self._stream(statement, parameters):
            yield dict(zip(columns, values, strict=True))

    def find(
        self, table: str, column: str, values: Sequence[Any], *, order: Sequence[str] = ("id",)
    ) -> list[Row]:
        """Return the rows whose column has one of the values; none where the source lacks it."""
        columns = self._tables.get(table, [])
        if not values or not self.has(table, column, *order):
            return []
        places = ", ".join([self._place] * len(values))
        statement = (
            f"SELECT {', '.join(map(self._name, columns))} FROM {self._name(table)}"  # noqa: S608
            f" WHERE {self._name(column)} IN ({places})"
            f" ORDER BY {', '.join(map(self._name, order))}"
        )
        found = self._fetch(statement, list(values))
        return [dict(zip(columns, each, strict=True)) for each in found]

    def distinct(self, table: str, column: str, *, ending: str) -> list[str]:
        """Return the different values of a text column with this ending."""
        if not self.has(table, column):
            return []
        name = self._name(column)
        statement = (
            f"SELECT DISTINCT {name} FROM {self._name(table)} WHERE {name} LIKE {self._place}"  # noqa: S608
        )
        return [str(each[0]) for each in self._fetch(statement, [f"%{ending}"])]

    def _name(self, name: str) -> str:
        return f"{self._mark}{name.replace(self._mark, self._mark * 2)}{self._mark}"
