"""The columns of a file of contacts (rules/contacts §12)."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from typing import IO

from apps.common.errors import DomainError
from apps.common.search import fold
from apps.common.sheets import CELL_LENGTH, HEADER_ROWS, Cells, opened_sheets

VALUE_LENGTH = 5000
LINE_NAME_LENGTH = 100
# Keys are compared by letters and digits only: 'Nº' equals 'no', and 'E-mail' equals 'email'.
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
# The columns that our file of errors adds. They are ignored when the corrected file is imported.
FAULT_HEADS = {
    "pt": ("linha do arquivo", "erro da importação"),
    "en": ("line of the file", "import error"),
    "es": ("línea del archivo", "error de la importación"),
}
IDENTITIES = {"number", "user_id"}


class ContactColumnsMissing(DomainError):
    """None of the first rows has a column that identifies contacts."""

    code = "ERR_CONTACT_FILE_COLUMNS"
    message = (
        "O arquivo precisa de uma linha de título com a coluna numero (ou whatsapp) ou userId; "
        "nome, email e username são opcionais."
    )


def _key(head: str) -> str:
    return re.sub(r"[^a-z0-9]", "", fold(head))


_IGNORED = {_key(head) for heads in FAULT_HEADS.values() for head in heads}


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
def contact_rows(content: IO[bytes]) -> Iterator[Iterator[ContactRow]]:
    """Yield the non-empty rows under the header, of the first sheet that has a header.

    Raises the errors of `opened_sheets`, and ContactColumnsMissing.
    """
    with opened_sheets(content) as sheets:
        yield _rows(sheets)


def _rows(sheets: Iterator[Cells]) -> Iterator[ContactRow]:
    for cells in sheets:
        for _, header in takewhile(lambda row: row[0] <= HEADER_ROWS, cells):
            columns = _columns(header)
            if IDENTITIES & columns.own.keys():
                return _rows_under(cells, columns)
    raise ContactColumnsMissing


def _columns(header: Sequence[str]) -> Columns:
    """Return the columns of a header; a second column of the same field is extra info."""
    heads = tuple(head[:CELL_LENGTH] for head in header)
    own: dict[str, int] = {}
    extra: dict[str, int] = {}
    for place, head in enumerate(heads):
        field, name = HEADERS.get(_key(head), ""), head[:LINE_NAME_LENGTH]
        if field and field not in own:
            own[field] = place
        elif name and _key(head) not in _IGNORED:
            extra.setdefault(name, place)
    return Columns(heads, own, extra)


def _rows_under(cells: Cells, columns: Columns) -> Iterator[ContactRow]:
    width = len(columns.heads)
    named = {*columns.own.values(), *columns.extra.values()}
    for row, values in cells:
        # One character more than allowed shows that the value is too long.
        texts = [
            value[: VALUE_LENGTH + 1] if place in named else ""
            for place, value in enumerate(values[:width])
        ]
        if any(texts):
            yield ContactRow(row, columns, (*texts, *[""] * (width - len(texts))))
