"""Parsing SQL dumps of pg_dump and mysqldump, line by line and in bounded memory.

pg_dump writes `COPY "Table" (columns) FROM stdin;` with a line for each row, or INSERTs when it was
asked to. mysqldump writes INSERTs with many rows in a line, after a CREATE TABLE with the columns.
"""

import re
from collections.abc import Iterator
from typing import IO

from apps.movein.readers.reader import SourceUnreadable

# A table's name, its columns, and the values of a row: text, or None for NULL.
Parsed = tuple[str, list[str], list[str | None]]
# A value that does not end within so many characters is none.
LONGEST_TEXT = 1 << 28
# White space between two rows.
LONGEST_GAP = 1000
_COPY = re.compile(r'COPY (?:"?\w+"?\.)?"?(\w+)"? \((.*)\) FROM stdin;')
_INSERT = re.compile(r'INSERT INTO (?:["`]?\w+["`]?\.)?["`]?(\w+)["`]? (?:\(([^)]*)\) )?VALUES\s*')
_CREATE = re.compile(r"CREATE TABLE (?:IF NOT EXISTS )?(?:[\"`]?\w+[\"`]?\.)?[\"`]?(\w+)[\"`]? \(")
# PostgreSQL quotes a name that has capitals; words of constraints have nothing else.
_COLUMN = re.compile(r"\s+(?:[\"`](\w+)[\"`]|([a-z_]\w*)) ")
_COPY_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_ESCAPES = {"0": "\0", "n": "\n", "r": "\r", "t": "\t", "b": "\b", "Z": "\x1a"}
_COPY_ESCAPED = re.compile(r"\\(.)")
# Of PostgreSQL's texts only those with an E before them have escapes.
_PLAIN = r"'(?P<plain>[^']*(?:''[^']*)*)'"
_ESCAPING = r"'(?P<escaping>[^'\\]*(?:(?:''|\\.)[^'\\]*)*)'"
_REST = r"(?P<null>NULL)|(?P<bare>[^,()'\s]+))\s*(?P<end>[,)])"
_POSTGRES = re.compile(rf"\s*(?:E{_ESCAPING}|{_PLAIN}|{_REST}", re.DOTALL)
_MYSQL = re.compile(rf"\s*(?:(?:_binary )?{_ESCAPING}|(?P<plain>(?!))|{_REST}", re.DOTALL)
_ESCAPED = re.compile(r"''|\\(.)", re.DOTALL)


def parse_dump(lines: IO[str]) -> Iterator[Parsed]:
    """Yield the rows of all tables; raises SourceUnreadable where the dump is cut off."""
    created: dict[str, list[str]] = {}
    is_mysql = False
    for line in lines:
        if found := _COPY.match(line):
            columns = [each.strip().strip('"') for each in found[2].split(",")]
            created[found[1]] = columns
            yield from ((found[1], columns, row) for row in _copied(lines))
        elif found := _INSERT.match(line):
            named = [each.strip().strip('"`') for each in (found[2] or "").split(",") if each]
            columns = named or created.get(found[1], [])
            of_mysql = is_mysql or "`" in found[0]
            for row in _inserted(line[found.end() :], lines, is_mysql=of_mysql):
                if len(row) != len(columns):
                    raise SourceUnreadable(f"A row of {found[1]} has not the columns of its table.")
                yield found[1], columns, row
        elif found := _CREATE.match(line):
            is_mysql = is_mysql or "`" in line
            created[found[1]] = _columns(lines)


def _columns(lines: IO[str]) -> list[str]:
    columns = []
    for line in lines:
        if line.startswith(")"):
            break
        if found := _COLUMN.match(line):
            columns.append(found[1] or found[2])
    return columns


def _copied(lines: IO[str]) -> Iterator[list[str | None]]:
    for line in lines:
        if line == "\\.\n":
            return
        yield [_copied_value(each) for each in line.rstrip("\n").split("\t")]
    raise SourceUnreadable("The dump ends within the rows of a table.")


def _copied_value(text: str) -> str | None:
    if text == "\\N":
        return None
    if "\\" not in text:
        return text
    return _COPY_ESCAPED.sub(lambda found: _COPY_ESCAPES.get(found[1], found[1]), text)


def _inserted(text: str, lines: IO[str], *, is_mysql: bool) -> Iterator[list[str | None]]:
    """Yield the rows of an INSERT's VALUES, `(…),(…);`, which may go on in the next lines."""
    place = 0
    row: list[str | None] | None = None
    while True:
        if row is None:
            # Between two rows, or before the first.
            rest = text[place : place + LONGEST_GAP].lstrip()
            if rest.startswith(";"):
                return
            if rest.startswith("("):
                place, row = text.index("(", place) + 1, []
                continue
            if rest.startswith(","):
                place = text.index(",", place) + 1
                continue
        elif found := (_MYSQL.match(text, place) if is_mysql else _POSTGRES.match(text, place)):
            row.append(_literal(found))
            place = found.end()
            if found["end"] == ")":
                yield row
                row = None
            continue
        more = next(lines, "")
        if not more or len(text) - place > LONGEST_TEXT:
            raise SourceUnreadable(
                "The dump ends, or is not understood, within the rows of a table."
            )
        text, place = text[place:] + more, 0


def _literal(found: "re.Match[str]") -> str | None:
    if found["null"]:
        return None
    if found["bare"] is not None:
        return found["bare"]
    if found["plain"] is not None:
        return found["plain"].replace("''", "'")
    text = found["escaping"]
    return _ESCAPED.sub(_unescaped, text) if "'" in text or "\\" in text else text


def _unescaped(found: "re.Match[str]") -> str:
    return "'" if found[1] is None else _ESCAPES.get(found[1], found[1])
