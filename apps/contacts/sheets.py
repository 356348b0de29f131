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
# By letters and digits alone: 'Nº' and 'E-mail' are no other columns than 'no' and 'email'.
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
# What our own file of errors says beside a row: it may be put right and sent again.
FAULT_HEADS = {
    "pt": ("linha do arquivo", "erro da importação"),
    "en": ("line of the file", "import error"),
    "es": ("línea del archivo", "error de la importación"),
}
IDENTITIES = {"number", "user_id"}


class ContactColumnsMissing(DomainError):
    """No row of its beginning names a column by which somebody is known."""

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
    """Where what stands: `own` by the contact's field, `extra` by the line's name, in any order."""

    heads: tuple[str, ...]
    own: dict[str, int]
    extra: dict[str, int]


@dataclass(frozen=True)
class ContactRow:
    """A row as it stands there; `row` is its number in the file, from 1, `texts` all its cells."""

    row: int
    columns: Columns
    texts: tuple[str, ...]

    def own(self, field: str) -> str:
        """Return what it says of a field of a contact's own."""
        place = self.columns.own.get(field)
        return "" if place is None else self.texts[place]

    def extra(self) -> dict[str, str]:
        """Return its extra info: values by the names of their columns."""
        places = self.columns.extra.items()
        return {name: text for name, place in places if (text := self.texts[place])}


@contextmanager
def contact_rows(content: IO[bytes]) -> Iterator[Iterator[ContactRow]]:
    """Give the rows under the header, without empty ones, from the first sheet that has one.

    Raises what `opened_sheets` does, and ContactColumnsMissing.
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
    """Return what a header names; of two columns for one field the second is extra info."""
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
        # One more than is taken shows that it is too long.
        texts = [
            value[: VALUE_LENGTH + 1] if place in named else ""
            for place, value in enumerate(values[:width])
        ]
        if any(texts):
            yield ContactRow(row, columns, (*texts, *[""] * (width - len(texts))))
