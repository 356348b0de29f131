"""The columns of a file of contacts (rules/contacts §12)."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

from apps.common.errors import DomainError
from apps.contacts.sheet_layouts import FoundSheet, SheetLayout, SheetNeeds, opened_sheet, title_key

VALUE_LENGTH = 5000
LINE_NAME_LENGTH = 100
TITLES = {
    "name": "nome",
    "number": "numero",
    "email": "email",
    "username": "username",
    "user_id": "userId",
}
# The columns that our file of errors adds. They are ignored when the corrected file is imported.
FAULT_HEADS = {
    "pt": ("linha do arquivo", "erro da importação"),
    "en": ("line of the file", "import error"),
    "es": ("línea del archivo", "error de la importación"),
}


class ContactColumnsMissing(DomainError):
    """None of the first rows has a column that identifies contacts."""

    code = "ERR_CONTACT_FILE_COLUMNS"
    message = (
        "O arquivo precisa de uma linha de título com a coluna numero (ou whatsapp) ou userId; "
        "nome, email e username são opcionais."
    )


_IGNORED = {title_key(head) for heads in FAULT_HEADS.values() for head in heads}
NEEDS = SheetNeeds(
    lambda layout: layout.number is not None or layout.user_id is not None, ContactColumnsMissing
)


@dataclass(frozen=True)
class Columns:
    """The positions of columns:

    `own` by the contact's field, `extra` by the name of the extra info.
    """

    heads: tuple[str, ...]
    own: dict[str, int]
    extra: dict[str, int]


@dataclass(frozen=True)
class ContactRow:
    """A row of the file: `row` is its number, from 1, and `texts` are all its cells."""

    row: int
    columns: Columns
    texts: tuple[str, ...]

    def own(self, field: str) -> str:
        """Return the row's value for a field of the contact, or ''."""
        place = self.columns.own.get(field)
        return "" if place is None else self.texts[place]

    def extra(self) -> dict[str, str]:
        """Return the row's extra info: values by the names of their columns."""
        places = self.columns.extra.items()
        return {name: text for name, place in places if (text := self.texts[place])}


@contextmanager
def contact_rows(
    content: IO[bytes], layout: SheetLayout | None = None
) -> Iterator[Iterator[ContactRow]]:
    """Yield the non-empty rows under the header; raises what `opened_sheet` does."""
    with opened_sheet(content, layout, NEEDS) as sheet:
        yield rows_of_sheet(sheet)


def rows_of_sheet(sheet: FoundSheet) -> Iterator[ContactRow]:
    """Yield the rows that have a text in a named column."""
    columns = _columns(sheet)
    width = len(columns.heads)
    named = {*columns.own.values(), *columns.extra.values()}
    for row, values in sheet.cells:
        # One character more than allowed shows that the value is too long.
        texts = [
            value[: VALUE_LENGTH + 1] if place in named else ""
            for place, value in enumerate(values[:width])
        ]
        if any(texts):
            yield ContactRow(row, columns, (*texts, *[""] * (width - len(texts))))


def _columns(sheet: FoundSheet) -> Columns:
    """Return the columns of a sheet; a titled one that is no field's is extra info.

    A field's column without a title is named by the field, so that the file of errors can be read.
    """
    own, extra = sheet.layout.columns(), dict[str, int]()
    width = max(len(sheet.titles), *(place + 1 for place in own.values()), 0)
    heads = [*sheet.titles, *[""] * (width - len(sheet.titles))]
    for field, place in own.items():
        heads[place] = heads[place] or TITLES[field]
    for place, head in enumerate(sheet.titles):
        if head and place not in own.values() and title_key(head) not in _IGNORED:
            extra.setdefault(head[:LINE_NAME_LENGTH], place)
    return Columns(tuple(heads), own, extra)
