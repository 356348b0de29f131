"""What an import would make of a file's first rows (rules/contacts §12)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.core.files.uploadedfile import UploadedFile

from apps.common.search import fold
from apps.common.sheets import CELL_LENGTH, SheetTypeRefused
from apps.contacts.numbers import shown_number
from apps.contacts.services.file_imports import ContactFileRefused
from apps.contacts.services.file_plans import Batch, Outcome, planned_rows
from apps.contacts.sheet_layouts import TOP_ROWS, SheetLayout, first_rows
from apps.contacts.sheets import NEEDS, ContactRow, rows_of_sheet


@dataclass(frozen=True)
class PreviewRow:
    """The contact that a row would leave; a faulty one has its own texts and the `code`.

    `is_duplicate` tells that the contact is there already, or made by a row further up. Of its
    extra info only the lines that the row names are shown.
    """

    row: int
    name: str
    number: str
    email: str
    username: str
    user_id: str
    extra: list[dict[str, str]]
    code: str = ""
    is_duplicate: bool = False


@dataclass(frozen=True)
class FilePreview:
    """The layout, the titles of the columns and the first rows of a file."""

    layout: SheetLayout
    columns: Sequence[str]
    rows: list[PreviewRow]


def preview_contacts(
    *, company_id: int, upload: UploadedFile[Any], layout: SheetLayout | None
) -> FilePreview:
    """Return the first rows of a file as an import with this layout would keep them.

    Stores nothing. There are no rows if the layout identifies nobody. Raises ContactFileRefused and
    what `first_rows` raises.
    """
    try:
        sheet = first_rows(upload, layout, NEEDS)
    except SheetTypeRefused:
        raise ContactFileRefused from None
    rows: list[PreviewRow] = []
    if NEEDS.are_met(sheet.layout):
        batch = list(islice(rows_of_sheet(sheet), TOP_ROWS))
        rows += map(_shown, planned_rows(Batch(), company_id, batch, locks=False))
    return FilePreview(sheet.layout, sheet.titles, rows)


def _shown(outcome: Outcome) -> PreviewRow:
    row, contact = outcome.row, outcome.contact
    if contact is None:
        return _faulty(row, outcome.code)
    names = {fold(name) for name in row.extra()}
    return PreviewRow(
        row=row.row,
        name=contact.name,
        number=shown_number(contact.number) if contact.has_number else "",
        email=contact.email,
        username=contact.username,
        user_id=contact.user_id or contact.lid or "",
        extra=[
            {"name": line.name, "value": line.value[:CELL_LENGTH]}
            for line in outcome.lines
            if fold(line.name) in names
        ],
        is_duplicate=outcome.is_existing,
    )


def _faulty(row: ContactRow, code: str) -> PreviewRow:
    name, number, email, username, user_id = (
        row.own(field)[:CELL_LENGTH] for field in ("name", "number", "email", "username", "user_id")
    )
    extra = [{"name": name, "value": text[:CELL_LENGTH]} for name, text in row.extra().items()]
    return PreviewRow(row.row, name, number, email, username, user_id, extra, code)
