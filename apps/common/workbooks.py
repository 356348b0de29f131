"""Writes .xlsx files: of a few tables, and of one table that may be longer than memory."""

import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from io import BytesIO, RawIOBase
from itertools import chain, islice
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from openpyxl.cell import WriteOnlyCell

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
Value = str | int | float | None
WIDTH, FIRST_WIDTH = 18, 32
# A value of a streamed table; times are those that the sheet shows, without a zone.
StreamedValue = Value | Decimal | date | datetime | timedelta
# What a sheet holds, and a cell (Microsoft, 'Excel specifications and limits').
MOST_ROWS, MOST_CHARACTERS = 1_048_576, 32_767
# Rows between two parts of a streamed file.
ROWS_A_PART = 200


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


def stream_workbook(
    title: str, heads: Sequence[str], rows: Iterable[Sequence[StreamedValue]]
) -> Iterator[bytes]:
    """Yield an .xlsx of one table in parts; only a part of it is in memory at any time.

    Texts are stored as texts, as in `workbook_of`. What one sheet does not hold goes on in another,
    under the same heads. The title has at most 28 characters and none of []:*?/\\.
    """
    out = _Sent()
    names: list[str] = []
    left = iter(rows)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as book:
        while True:
            page = list(islice(left, 1))
            if names and not page:
                break
            names.append(f"{title} {len(names) + 1}" if names else title)
            with book.open(f"xl/worksheets/sheet{len(names)}.xml", "w", force_zip64=True) as sheet:
                sheet.write(_SHEET_HEAD + _columns(len(heads)) + b"<sheetData>")
                sheet.write(_row(1, [(head, _BOLD) for head in heads]))
                shown = chain(page, islice(left, MOST_ROWS - 2))
                number = 1
                while part := list(islice(shown, ROWS_A_PART)):
                    lines = []
                    for row in part:
                        number += 1
                        lines.append(_row(number, [(value, None) for value in row]))
                    sheet.write(b"".join(lines))
                    yield out.taken()
                sheet.write(b"</sheetData></worksheet>")
            yield out.taken()
        for path, content in _frame(names).items():
            book.writestr(path, content)
    yield out.taken()


class _Sent(RawIOBase):
    """A file that is only written on, whose content is taken away while it grows."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def taken(self) -> bytes:
        content, self._parts = b"".join(self._parts), []
        return content


# The styles of `_STYLES` by their place there.
_BOLD, _MOMENT, _DURATION, _DATE = 1, 2, 3, 4
_EPOCH, _DAY = datetime(1899, 12, 30), timedelta(days=1)
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_PARTS = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_SHEET_HEAD = (
    f'{_XML}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">'
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
    "</sheetView></sheetViews>"
).encode()
_STYLES = (
    f'{_XML}<styleSheet xmlns="{_MAIN}"><numFmts count="3">'
    '<numFmt numFmtId="164" formatCode="dd/mm/yyyy\\ hh:mm:ss"/>'
    '<numFmt numFmtId="165" formatCode="[h]:mm:ss"/>'
    '<numFmt numFmtId="166" formatCode="dd/mm/yyyy"/></numFmts>'
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>'
    '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
    '<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
    '<xf numFmtId="166" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
    '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>'
    "</styleSheet>"
)


def _columns(count: int) -> bytes:
    widths = [FIRST_WIDTH, *[WIDTH] * (count - 1)]
    made = (
        f'<col min="{place}" max="{place}" width="{width}" customWidth="1"/>'
        for place, width in enumerate(widths, 1)
    )
    return f"<cols>{''.join(made)}</cols>".encode()


def _row(number: int, cells: Iterable[tuple[StreamedValue, int | None]]) -> bytes:
    return f'<row r="{number}">{"".join(_streamed(*cell) for cell in cells)}</row>'.encode()


def _streamed(value: StreamedValue, style: int | None) -> str:
    """Return a cell; without an address it follows the one before."""
    if value is None:
        return "<c/>"
    if isinstance(value, str):
        text = escape(_NOT_XML.sub("", value)[:MOST_CHARACTERS])
        styled = f' s="{style}"' if style else ""
        return f'<c t="inlineStr"{styled}><is><t xml:space="preserve">{text}</t></is></c>'
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    if isinstance(value, datetime):
        return f'<c s="{_MOMENT}"><v>{(value - _EPOCH) / _DAY!r}</v></c>'
    if isinstance(value, date):
        days = (datetime.combine(value, time()) - _EPOCH) // _DAY
        return f'<c s="{_DATE}"><v>{days}</v></c>'
    if isinstance(value, timedelta):
        return f'<c s="{_DURATION}"><v>{value / _DAY!r}</v></c>'
    return f"<c><v>{value}</v></c>"


def _frame(names: Sequence[str]) -> dict[str, str]:
    """Return what a workbook has besides its sheets, by path."""
    places = range(1, len(names) + 1)
    sheets = (
        f'<sheet name="{escape(name)}" sheetId="{place}" r:id="rId{place}"/>'
        for place, name in zip(places, names, strict=True)
    )
    of_book = [
        *((f"rId{place}", "worksheet", f"worksheets/sheet{place}.xml") for place in places),
        ("rId0", "styles", "styles.xml"),
    ]
    overrides = [
        ("/xl/workbook.xml", "sheet.main+xml"),
        ("/xl/styles.xml", "styles+xml"),
        *((f"/xl/worksheets/sheet{place}.xml", "worksheet+xml") for place in places),
    ]
    types = (
        f'<Override PartName="{path}" ContentType="{_PARTS}.{kind}"/>' for path, kind in overrides
    )
    return {
        "xl/workbook.xml": f'{_XML}<workbook xmlns="{_MAIN}" xmlns:r="{_DOCUMENT}">'
        f"<sheets>{''.join(sheets)}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": _relations(of_book),
        "xl/styles.xml": _STYLES,
        "_rels/.rels": _relations([("rId1", "officeDocument", "xl/workbook.xml")]),
        "[Content_Types].xml": f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels"'
        ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{"".join(types)}</Types>',
    }


def _relations(made: Iterable[tuple[str, str, str]]) -> str:
    lines = (
        f'<Relationship Id="{name}" Type="{_DOCUMENT}/{kind}" Target="{target}"/>'
        for name, kind, target in made
    )
    return f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">{"".join(lines)}</Relationships>'
