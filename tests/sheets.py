"""Spreadsheets for tests."""

import struct
import zipfile
from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import Any
from xml.sax.saxutils import escape

import openpyxl
from django.core.files.uploadedfile import SimpleUploadedFile

HEADER = ("nome", "numero", "email")


def xlsx(
    rows: Iterable[Sequence[Any]], header: Sequence[Any] = HEADER, *, before: str = ""
) -> bytes:
    """Return an .xlsx with these rows under a header, perhaps behind a sheet of something else."""
    book = openpyxl.Workbook(write_only=True)
    if before:
        book.create_sheet(before).append(["Total", 3])
    sheet = book.create_sheet("Contatos")
    for row in (header, *rows):
        sheet.append(list(row))
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def shared_xlsx(rows: Iterable[Sequence[str]], header: Sequence[str] = HEADER) -> bytes:
    """Return an .xlsx as spreadsheets save it: all texts in a table beside the cells."""
    texts: dict[str, int] = {}
    lines = []
    for place, row in enumerate((header, *rows), 1):
        cells = "".join(
            f'<c r="{column}{place}" t="s"><v>{texts.setdefault(text, len(texts))}</v></c>'
            for column, text in zip("ABCDEFGH", row, strict=False)
        )
        lines.append(f'<row r="{place}">{cells}</row>')
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    cells = f"<worksheet {space}><sheetData>{''.join(lines)}</sheetData></worksheet>"
    table = "".join(f"<si><t>{escape(text)}</t></si>" for text in texts)
    kinds = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    named = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kinds}.sharedStrings+xml"/>'
    book = xlsx([])
    with zipfile.ZipFile(BytesIO(book)) as parts:
        types = parts.read("[Content_Types].xml").decode().replace("</Types>", f"{named}</Types>")
    book = with_part(book, "[Content_Types].xml", types.encode())
    book = with_part(book, "xl/worksheets/sheet1.xml", cells.encode())
    return with_part(book, "xl/sharedStrings.xml", f"<sst {space}>{table}</sst>".encode())


def people(count: int) -> Iterable[tuple[str, str, str]]:
    """Give people with numbers of their own."""
    for number in range(count):
        yield f"Pessoa {number}", f"55119{number:08}", f"p{number}@example.com"


def with_part(content: bytes, name: str, part: bytes) -> bytes:
    """Return an .xlsx in which one part is another."""
    file = BytesIO()
    with (
        zipfile.ZipFile(BytesIO(content)) as old,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for each in old.namelist():
            if each != name:
                new.writestr(each, old.read(each))
        new.writestr(name, part)
    return file.getvalue()


def compound_file(name: str, stream: bytes) -> bytes:
    """Return the container of an .xls with one stream of 4 kB to 7 MB."""
    sector, end, free = 512, 0xFFFFFFFE, 0xFFFFFFFF
    data = -(-len(stream) // sector)
    tables = -(-(data + 110) // 128)
    chain = [0xFFFFFFFD] * tables + [end]  # the table itself, then the directory
    chain += [*range(tables + 2, tables + 1 + data), end]
    chain += [free] * (tables * 128 - len(chain))
    places = [*range(tables), *[free] * (109 - tables)]
    head = struct.pack(
        "<8s16x5H6x9I", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        0x3E, 3, 0xFFFE, 9, 6, 0, tables, tables, 0, 4096, end, 0, end, 0,
    )  # fmt: skip
    entries = [("Root Entry", 5, 1, end, 0), (name, 2, free, tables + 1, len(stream))]
    directory = b"".join(
        struct.pack(
            "<64sHBBIII36xII4x", each.encode("utf-16-le"), 2 * len(each) + 2, kind, 1,
            free, free, child, start, size,
        )
        for each, kind, child, start, size in entries
    )  # fmt: skip
    body = struct.pack(f"<{len(chain)}I", *chain) + directory.ljust(sector, b"\0")
    return head + struct.pack("<109I", *places) + body + stream.ljust(data * sector, b"\0")


def upload_of(content: bytes, name: str = "clientes.xlsx") -> SimpleUploadedFile:
    """Return what a browser uploads."""
    return SimpleUploadedFile(name, content, "application/octet-stream")
