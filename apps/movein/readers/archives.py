"""Reading the tables of an unpacked archive of a company, as a `Reader` of a database is read."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from apps.movein.readers.reader import Reader, Row, SourceUnreadable

ENDING = ".jsonl"
# A message with the longest text and the largest JSON stays far below.
LONGEST_LINE = 16 * 1024 * 1024


class ArchiveReader(Reader):
    """The files of an archive; `keys` names the key of each table, by which its rows are sorted.

    `counts` are the rows of each table that the manifest tells.
    """

    def __init__(self, folder: Path, *, keys: Mapping[str, str], counts: Mapping[str, int]) -> None:
        super().__init__(
            tables={name: [keys[name]] for name in counts},
            stream=lambda _statement, _values: iter(()),
            fetch=lambda _statement, _values: (),
            close=lambda: None,
        )
        self._folder, self._keys, self._counts = folder, keys, counts

    def count(self, table: str) -> int:
        return self._counts.get(table, 0)

    def largest(self, table: str, column: str) -> int:
        return 0

    def rows(
        self,
        table: str,
        *,
        order: Sequence[str] = (),
        after: Sequence[Any] | None = None,
        given: str = "",
        leaves_out: Sequence[str] = (),
    ) -> Iterator[Row]:
        """Yield the rows behind the key `after`; `given` names a column that must have a value.

        Raises SourceUnreadable for what is no row, is not in order, or is not all.
        """
        key, last, count = self._keys[table], 0, 0
        path = self._folder / f"{table}{ENDING}"
        if not path.is_file():
            if self._counts.get(table):
                raise SourceUnreadable(f"The archive lacks {table}: it is damaged.")
            return
        begin = int(after[0]) if after else 0
        with path.open("rb") as lines:
            while line := lines.readline(LONGEST_LINE + 1):
                count += 1
                row = _row(line, f"row {count} of {table}")
                own = row.get(key)
                if type(own) is not int or own <= last:
                    raise SourceUnreadable(f"The ids of {table} are not in order at row {count}.")
                last = own
                if own > begin and (not given or row.get(given) is not None):
                    yield row
        if count != self.count(table):
            raise SourceUnreadable(
                f"The archive has {count} rows of {table} and names {self.count(table)}."
            )


def _row(line: bytes, place: str) -> Row:
    if len(line) > LONGEST_LINE:
        raise SourceUnreadable(f"{place.capitalize()} is too long.")
    try:
        row = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise SourceUnreadable(f"{place.capitalize()} can't be read: {error}.") from error
    if not isinstance(row, dict):
        raise SourceUnreadable(f"{place.capitalize()} is no row.")
    return row


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no value")
