"""Spreadsheets for tests."""

import zipfile
from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import Any

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


def upload_of(content: bytes, name: str = "clientes.xlsx") -> SimpleUploadedFile:
    """Return what a browser uploads."""
    return SimpleUploadedFile(name, content, "application/octet-stream")
