"""The columns of a spreadsheet of people (rules/contact-lists §2)."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from typing import IO

from apps.common.sheets import (
    CELL_LENGTH,
    HEADER_ROWS,
    Cells,
    SheetColumnsMissing,
    columns_of,
    opened_sheets,
)

HEADERS = {
    "nome": "name",
    "name": "name",
    "nombre": "name",
    "numero": "number",
    "number": "number",
    "telefone": "number",
    "whatsapp": "number",
    "email": "email",
    "e-mail": "email",
}


@dataclass(frozen=True)
class SheetRow:
    """A spreadsheet row of a person, not yet checked; `row` is its number, from 1."""

    row: int
    name: str
    number: str
    email: str


@contextmanager
def sheet_rows(content: IO[bytes]) -> Iterator[Iterator[SheetRow]]:
    """Give the rows under the header, without empty ones, from the first sheet with a header.

    Raises what `opened_sheets` does, and SheetColumnsMissing.
    """
    with opened_sheets(content) as sheets:
        yield _people(sheets)


def _people(sheets: Iterator[Cells]) -> Iterator[SheetRow]:
    for cells in sheets:
        for _, header in takewhile(lambda row: row[0] <= HEADER_ROWS, cells):
            columns = columns_of(header, HEADERS)
            if {"name", "number"} <= columns.keys():
                return _rows_under(cells, columns)
    raise SheetColumnsMissing


def _rows_under(cells: Cells, columns: dict[str, int]) -> Iterator[SheetRow]:
    for row, values in cells:
        texts = {
            name: values[place][:CELL_LENGTH] if place < len(values) else ""
            for name, place in columns.items()
        }
        if any(texts.values()):
            yield SheetRow(row, texts["name"], texts["number"], texts.get("email", ""))
