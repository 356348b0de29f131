"""The columns of a spreadsheet of people (rules/contact-lists §2)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import dropwhile, islice, takewhile
from typing import IO

from apps.common.sheets import (
    CELL_LENGTH,
    HEADER_ROWS,
    Cells,
    SheetColumnsMissing,
    SheetEmpty,
    columns_of,
    opened_sheets,
)

# How many people are shown before anything is stored.
TOP_ROWS = 20
SHORTEST_NUMBER = 8
HEADERS = {
    "nome": "name",
    "name": "name",
    "nombre": "name",
    "numero": "number",
    "number": "number",
    "telefone": "number",
    "telefono": "number",
    "celular": "number",
    "phone": "number",
    "whatsapp": "number",
    "email": "email",
    "e-mail": "email",
    "correo": "email",
}


@dataclass(frozen=True)
class SheetRow:
    """A spreadsheet row of a person, not yet checked; `row` is its number, from 1."""

    row: int
    name: str
    number: str
    email: str


@dataclass(frozen=True)
class SheetLayout:
    """Where a file has its people: the sheet, from 0, its header's row and the columns, from 0.

    A text file is a sheet for each separator. A `header` of 0 means that there is none. A column is
    None if the file has none for it.
    """

    sheet: int
    header: int
    name: int | None
    number: int | None
    email: int | None = None

    @property
    def is_complete(self) -> bool:
        """Return whether a name and a number can be read."""
        return self.name is not None and self.number is not None

    def row_of(self, row: int, values: Sequence[str]) -> SheetRow:
        """Return name, number and e-mail from the columns of the layout, each '' where the row ends
        before its column, and cut to CELL_LENGTH.
        """
        texts = [
            values[place][:CELL_LENGTH] if place is not None and place < len(values) else ""
            for place in (self.name, self.number, self.email)
        ]
        return SheetRow(row, *texts)


@dataclass(frozen=True)
class SheetTop:
    """The layout of a file, the titles of its columns, and its first people."""

    layout: SheetLayout
    columns: list[str]
    rows: list[SheetRow]


@contextmanager
def sheet_rows(
    content: IO[bytes], layout: SheetLayout | None = None
) -> Iterator[Iterator[SheetRow]]:
    """Give the rows under the header, without empty ones.

    Without a layout they come from the first sheet with a header that has a name and a number.
    Raises what `opened_sheets` does, and SheetColumnsMissing.
    """
    with opened_sheets(content) as sheets:
        yield _people(sheets) if layout is None else _people_of(sheets, layout)


def sheet_top(content: IO[bytes], layout: SheetLayout | None, *, cpu_seconds: int) -> SheetTop:
    """Return the first people of a file, by a layout or by one that is guessed.

    Without a known header the sheet with the most columns is taken, and its first row is the header
    unless that has a number. Raises what `opened_sheets` does, and SheetEmpty where nothing is
    under the header.
    """
    with opened_sheets(content, cpu_seconds=cpu_seconds) as sheets:
        tops = [list(islice(cells, HEADER_ROWS + TOP_ROWS)) for cells in sheets]
    is_guessed = layout is None
    if layout is None:
        layout = _guessed(tops)
    elif layout.sheet >= len(tops):
        raise SheetColumnsMissing
    top = tops[layout.sheet]
    if is_guessed and all(row <= layout.header for row, _ in top):
        raise SheetEmpty
    titles = next((values for row, values in top if row == layout.header), [])
    width = max((len(values) for _, values in top), default=0)
    columns = [titles[place][:CELL_LENGTH] if place < len(titles) else "" for place in range(width)]
    under = (layout.row_of(row, values) for row, values in top if row > layout.header)
    rows = [each for each in under if each.name or each.number or each.email]
    return SheetTop(layout, columns, rows[:TOP_ROWS])


def _guessed(tops: Sequence[Sequence[tuple[int, Sequence[str]]]]) -> SheetLayout:
    found = [(sheet, top) for sheet, top in enumerate(tops) if top]
    if not found:
        raise SheetEmpty
    for sheet, top in found:
        for row, values in top:
            columns = columns_of(values, HEADERS)
            if row <= HEADER_ROWS and {"name", "number"} <= columns.keys():
                return _layout(sheet, row, columns)
    sheet, top = max(found, key=lambda each: max(len(values) for _, values in each[1]))
    row, values = top[0]
    has_number = any(len(re.sub(r"\D", "", value)) >= SHORTEST_NUMBER for value in values)
    return _layout(sheet, 0 if has_number else row, columns_of(values, HEADERS))


def _layout(sheet: int, header: int, columns: Mapping[str, int]) -> SheetLayout:
    name, number, email = (columns.get(each) for each in ("name", "number", "email"))
    return SheetLayout(sheet, header, name, number, email)


def _people(sheets: Iterator[Cells]) -> Iterator[SheetRow]:
    for cells in sheets:
        for _, header in takewhile(lambda row: row[0] <= HEADER_ROWS, cells):
            columns = columns_of(header, HEADERS)
            if {"name", "number"} <= columns.keys():
                return _rows_under(cells, _layout(0, 0, columns))
    raise SheetColumnsMissing


def _people_of(sheets: Iterator[Cells], layout: SheetLayout) -> Iterator[SheetRow]:
    cells = next(islice(sheets, layout.sheet, None), None)
    if cells is None:
        raise SheetColumnsMissing
    return _rows_under(dropwhile(lambda row: row[0] <= layout.header, cells), layout)


def _rows_under(cells: Cells, layout: SheetLayout) -> Iterator[SheetRow]:
    for row, values in cells:
        found = layout.row_of(row, values)
        if found.name or found.number or found.email:
            yield found
