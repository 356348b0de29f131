"""Where a file has its people (rules/contacts §12, rules/contact-lists §2)."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, dropwhile, islice, takewhile
from threading import BoundedSemaphore
from typing import IO, Any

from django.core.files.uploadedfile import UploadedFile

from apps.common.errors import DomainError
from apps.common.search import fold
from apps.common.sheets import (
    CELL_LENGTH,
    HEADER_ROWS,
    Cells,
    SheetEmpty,
    check_file,
    opened_sheets,
)

# How many people are shown before anything is stored.
TOP_ROWS = 20
# A request waits for it, so it is shorter than an import; 100,000 rows of twenty columns are
# counted in eight seconds.
PREVIEW_CPU_SECONDS = 20
# Each reader may take READER_BYTES beside the web process.
_READERS = BoundedSemaphore(2)
SHORTEST_NUMBER = 8
FIELDS = ("name", "number", "email", "username", "user_id")
# Titles are compared by letters and digits only: 'Nº' equals 'no', and 'E-mail' equals 'email'.
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
    "correo": "email",
    "username": "username",
    "usuario": "username",
    "nomedeusuario": "username",
    "nombredeusuario": "username",
    "userid": "user_id",
    "iddousuario": "user_id",
    "iddeusuario": "user_id",
    "bsuid": "user_id",
    "lid": "user_id",
}


class PreviewBusy(DomainError):
    """This process reads two files for previews already; `Retry-After` is in seconds."""

    status = 429
    code = "ERR_PREVIEW_BUSY"
    message = "Outras planilhas estão sendo lidas. Tente de novo em alguns segundos."


@dataclass(frozen=True)
class SheetLayout:
    """Where a file has its people: the sheet, from 0, its header's row and the columns, from 0.

    A text file is a sheet for each separator. A `header` of 0 means that there is none. A column is
    None if the file has none for it.
    """

    sheet: int
    header: int
    name: int | None = None
    number: int | None = None
    email: int | None = None
    username: int | None = None
    user_id: int | None = None

    def columns(self) -> dict[str, int]:
        """Return the columns that the file has, by field."""
        places = {field: getattr(self, field) for field in FIELDS}
        return {field: place for field, place in places.items() if place is not None}


@dataclass(frozen=True)
class SheetNeeds:
    """What an import needs of a layout, and the refusal of a file without it."""

    are_met: Callable[[SheetLayout], bool]
    missing: type[DomainError]

    def check(self, layout: SheetLayout | None) -> None:
        """Raise `missing` for a layout that lacks a column; without a layout it is guessed."""
        if layout is not None and not self.are_met(layout):
            raise self.missing


@dataclass(frozen=True)
class FoundSheet:
    """The sheet with the people: its layout, the titles of its columns, and the rows under them."""

    layout: SheetLayout
    titles: Sequence[str]
    cells: Cells


def title_key(title: str) -> str:
    """Return the letters and digits of a title, by which titles are compared."""
    return re.sub(r"[^a-z0-9]", "", fold(title))


@contextmanager
def opened_sheet(
    content: IO[bytes], layout: SheetLayout | None, needs: SheetNeeds
) -> Iterator[FoundSheet]:
    """Give the sheet of a layout; without one, the first sheet whose header meets the needs.

    Raises what `opened_sheets` does, and `needs.missing`.
    """
    with opened_sheets(content) as sheets:
        yield _found(sheets, needs) if layout is None else _chosen(sheets, layout, needs)


def first_rows(
    upload: UploadedFile[Any], layout: SheetLayout | None, needs: SheetNeeds
) -> FoundSheet:
    """Return the first rows of a file and the titles of all its columns, for a preview.

    Without a layout and a header that meets the needs, the sheet with the most columns is taken,
    and its first row is the header unless that has a number. Raises PreviewBusy, `needs.missing`
    for a sheet that is not there, SheetEmpty where nothing is under a guessed header, and what
    `check_file` and `opened_sheets` raise.
    """
    check_file(upload, name=upload.name or "", size=upload.size or 0)
    if not _READERS.acquire(blocking=False):
        raise PreviewBusy(headers={"Retry-After": "5"})
    try:
        with opened_sheets(upload, cpu_seconds=PREVIEW_CPU_SECONDS) as sheets:
            tops = [list(islice(cells, HEADER_ROWS + TOP_ROWS)) for cells in sheets]
    finally:
        _READERS.release()
    is_guessed = layout is None
    if layout is None:
        layout = _guessed(tops, needs)
    elif layout.sheet >= len(tops):
        raise needs.missing
    top, header = tops[layout.sheet], layout.header
    under = [(row, values) for row, values in top if row > header]
    if is_guessed and not under:
        raise SheetEmpty
    titles = next((values for row, values in top if row == header), ())
    named = _cut(titles)
    blank = [""] * (_width(top) - len(named))
    return FoundSheet(layout, (*named, *blank), iter(under))


def _guessed(tops: Sequence[Sequence[tuple[int, Sequence[str]]]], needs: SheetNeeds) -> SheetLayout:
    found = [(sheet, top) for sheet, top in enumerate(tops) if top]
    if not found:
        raise SheetEmpty
    for sheet, top in found:
        for row, values in top:
            layout = _titled(sheet, row, values)
            if row <= HEADER_ROWS and needs.are_met(layout):
                return layout
    sheet, top = max(found, key=lambda each: _width(each[1]))
    row, values = top[0]
    has_number = any(len(re.sub(r"\D", "", value)) >= SHORTEST_NUMBER for value in values)
    return _titled(sheet, 0 if has_number else row, values)


def _titled(sheet: int, header: int, titles: Sequence[str]) -> SheetLayout:
    """Return the layout of a header; of two columns of one field the first counts."""
    places: dict[str, int] = {}
    for place, title in enumerate(titles):
        field = HEADERS.get(title_key(title[:CELL_LENGTH]))
        if field is not None:
            places.setdefault(field, place)
    return SheetLayout(sheet, header, **places)


def _found(sheets: Iterator[Cells], needs: SheetNeeds) -> FoundSheet:
    for sheet, cells in enumerate(sheets):
        for row, titles in takewhile(lambda each: each[0] <= HEADER_ROWS, cells):
            layout = _titled(sheet, row, titles)
            if needs.are_met(layout):
                return FoundSheet(layout, _cut(titles), cells)
    raise needs.missing


def _chosen(sheets: Iterator[Cells], layout: SheetLayout, needs: SheetNeeds) -> FoundSheet:
    cells = next(islice(sheets, layout.sheet, None), None)
    if cells is None:
        raise needs.missing
    first = next(dropwhile(lambda each: each[0] < layout.header, cells), None)
    if first is None or first[0] == layout.header:
        return FoundSheet(layout, _cut(first[1] if first else ()), cells)
    # There is no such row: this one has people already.
    return FoundSheet(layout, (), chain([first], cells))


def _width(rows: Sequence[tuple[int, Sequence[str]]]) -> int:
    """Return how many columns rows have, without the empty ones at their ends."""
    return max((len(_cut(values)) for _, values in rows), default=0)


def _cut(titles: Sequence[str]) -> Sequence[str]:
    """Return titles without the empty ones at the end, which an .xlsx has."""
    width = max((place for place, title in enumerate(titles, 1) if title), default=0)
    return tuple(title[:CELL_LENGTH] for title in titles[:width])
