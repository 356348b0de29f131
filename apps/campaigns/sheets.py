"""The rows of a spreadsheet of people (rules/contact-lists §2)."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

from apps.common.sheets import CELL_LENGTH, SheetColumnsMissing
from apps.contacts.sheet_layouts import FoundSheet, SheetLayout, SheetNeeds, opened_sheet

NEEDS = SheetNeeds(
    lambda layout: layout.name is not None and layout.number is not None, SheetColumnsMissing
)


@dataclass(frozen=True)
class SheetRow:
    """A spreadsheet row of a person, not yet checked; `row` is its number, from 1."""

    row: int
    name: str
    number: str
    email: str


@contextmanager
def sheet_rows(
    content: IO[bytes], layout: SheetLayout | None = None
) -> Iterator[Iterator[SheetRow]]:
    """Give the rows under the header, without empty ones; raises what `opened_sheet` does."""
    with opened_sheet(content, layout, NEEDS) as sheet:
        yield rows_of_sheet(sheet)


def rows_of_sheet(sheet: FoundSheet) -> Iterator[SheetRow]:
    """Give name, number and e-mail of each row that has one of them.

    Each is '' where the row ends before its column, and cut to CELL_LENGTH.
    """
    layout = sheet.layout
    places = (layout.name, layout.number, layout.email)
    for row, values in sheet.cells:
        texts = [
            values[place][:CELL_LENGTH] if place is not None and place < len(values) else ""
            for place in places
        ]
        if any(texts):
            yield SheetRow(row, *texts)
