"""CSV files as spreadsheets of Windows read them: one dialect for all that are given out."""

import csv
import re
from collections.abc import Iterable
from io import StringIO

# Spreadsheets of Windows take UTF-8 for it only when it begins so.
BYTE_ORDER_MARK = "\ufeff"
# What a spreadsheet would compute: OWASP, 'CSV Injection'; full-width forms count in East Asian
# ones, and one that takes commas, semicolons or line ends for separators begins a cell behind each.
_SEPARATORS = frozenset(';,\t\r\n"')
_BEGINS_FORMULA = frozenset("=+-@\t\r＝＋－＠")
_ESCAPED = re.compile(r"(\A|[;,\t\r\n\"])'(?=\s*[=+\-@\t\r＝＋－＠])")
# A number with its sign is no formula.
_SIGNED_NUMBER = re.compile(r"[+-][\d\s().-]*")


def plain_cell(text: str) -> str:
    """Return a cell that a spreadsheet shows and never runs, whatever it takes for a separator."""
    if _SIGNED_NUMBER.fullmatch(text):
        return text
    if _BEGINS_FORMULA.isdisjoint(text):
        return text
    pieces = []
    # From the end, so that white space is looked at once: does a formula begin behind it?
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
    """Return what a cell of ours says: `plain_cell` undone."""
    return _ESCAPED.sub(r"\1", cell)


def csv_head(names: Iterable[str]) -> bytes:
    """Return how a file with columns of our own naming begins."""
    return f"{BYTE_ORDER_MARK}{';'.join(names)}\r\n".encode()


def csv_rows(rows: Iterable[Iterable[object]]) -> bytes:
    """Return lines of a file; what people wrote in them has been through `plain_cell`."""
    lines = StringIO(newline="")
    writer = csv.writer(lines, delimiter=";", lineterminator="\r\n", quoting=csv.QUOTE_ALL)
    writer.writerows(rows)
    return lines.getvalue().encode()
