"""CSV files in the dialect of spreadsheets on Windows, for all exports."""

import csv
import re
from collections.abc import Iterable
from io import StringIO

# Excel recognises UTF-8 only by this byte order mark.
BYTE_ORDER_MARK = "\ufeff"
# The beginnings of formulas (OWASP, 'CSV Injection'). East Asian spreadsheets accept full-width
# forms, and a spreadsheet may start a cell after each comma, semicolon or line end.
_SEPARATORS = frozenset(';,\t\r\n"')
_BEGINS_FORMULA = frozenset("=+-@\t\r＝＋－＠")
_ESCAPED = re.compile(r"(\A|[;,\t\r\n\"])'(?=\s*[=+\-@\t\r＝＋－＠])")
# A number with its sign is no formula.
_SIGNED_NUMBER = re.compile(r"[+-][\d\s().-]*")


def plain_cell(text: str) -> str:
    """Escape a cell so that no spreadsheet evaluates it, whatever its separator is."""
    if _SIGNED_NUMBER.fullmatch(text):
        return text
    if _BEGINS_FORMULA.isdisjoint(text):
        return text
    pieces = []
    # From the end, so that each run of white space is scanned once: does a formula begin after it?
    is_formula_next = False
    for character in reversed(text):
        if is_formula_next and character in _SEPARATORS:
            pieces.append("'")
        pieces.append(character)
        if character in _BEGINS_FORMULA:
            is_formula_next = True
        elif not character.isspace():
            is_formula_next = False
    if is_formula_next:
        pieces.append("'")
    return "".join(reversed(pieces))


def meant_text(cell: str) -> str:
    """Undo `plain_cell`."""
    return _ESCAPED.sub(r"\1", cell)


def csv_head(names: Iterable[str]) -> bytes:
    """Return the first line of a file, with our column names."""
    return f"{BYTE_ORDER_MARK}{';'.join(names)}\r\n".encode()


def csv_rows(rows: Iterable[Iterable[object]]) -> bytes:
    """Return lines of a file; the caller escapes people's texts with `plain_cell`."""
    lines = StringIO(newline="")
    writer = csv.writer(lines, delimiter=";", lineterminator="\r\n", quoting=csv.QUOTE_ALL)
    writer.writerows(rows)
    return lines.getvalue().encode()
