"""Writes .xlsx files of a few tables."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from openpyxl.cell import WriteOnlyCell

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
Value = str | int | float | None
WIDTH, FIRST_WIDTH = 18, 32


@dataclass(frozen=True)
class Sheet:
    """One table; its title has at most 31 characters and none of []:*?/\\."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[Value]] = field(default_factory=list)


def workbook_of(sheets: Sequence[Sheet]) -> bytes:
    """Return an .xlsx of some tables.

    Every text is stored as text, whatever it begins with: no formula is evaluated (OWASP, 'CSV
    Injection').
    """
    # Large, so imported at the first use.
    from openpyxl import Workbook  # noqa: PLC0415
    from openpyxl.styles import Font  # noqa: PLC0415
    from openpyxl.utils import get_column_letter  # noqa: PLC0415

    book = Workbook(write_only=True)
    bold = Font(bold=True)
    for sheet in sheets:
        page = book.create_sheet(sheet.title)
        page.freeze_panes = "A2"
        for column in range(len(sheet.heads)):
            width = WIDTH if column else FIRST_WIDTH
            page.column_dimensions[get_column_letter(column + 1)].width = width
        heads = [_cell(page, head) for head in sheet.heads]
        for head in heads:
            head.font = bold
        page.append(heads)
        for row in sheet.rows:
            page.append([_cell(page, value) for value in row])
    content = BytesIO()
    book.save(content)
    return content.getvalue()


def _cell(page: object, value: Value) -> "WriteOnlyCell":
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE  # noqa: PLC0415

    if not isinstance(value, str):
        return WriteOnlyCell(page, value)
    cell = WriteOnlyCell(page, ILLEGAL_CHARACTERS_RE.sub("", value))
    cell.data_type = "s"
    return cell
