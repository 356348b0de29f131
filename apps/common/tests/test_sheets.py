"""The reader of sheets: what it takes for a text with separators, and what it refuses."""

import json
import struct
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from apps.common.errors import DomainError
from apps.common.sheet_parsing import LAST_COLUMN, LINE_LENGTH, MEGABYTE
from apps.common.sheets import READER_BYTES, check_file, opened_sheets
from tests.sheets import compound_file, shared_xlsx, with_part, xlsx

ROWS = [["Nome", "Número"], ["José; o 2º", "5511999990001"]]


def read(content: bytes) -> list[list[list[Any]]]:
    """Return the sheets of a file."""
    with opened_sheets(BytesIO(content)) as sheets:
        return [[list(row) for _, row in cells] for cells in sheets]


def take(content: bytes, name: str = "contatos.csv") -> str:
    """Return the code by which an upload is refused, '' where it is taken."""
    try:
        check_file(BytesIO(content), name=name, size=len(content))
    except DomainError as refusal:
        return refusal.code
    return ""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("separator", [";", ",", "\t"])
@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
def test_a_text_is_read_however_spreadsheets_write_it(
    encoding: str, separator: str, end: str
) -> None:
    text = end.join(separator.join(f'"{cell}"' for cell in row) for row in ROWS)
    content = text.encode(encoding)
    assert take(content) == ""
    assert ROWS in read(content)


@pytest.mark.parametrize(
    ("content", "name", "code"),
    [
        (b"nome;numero", "contatos.exe", "ERR_SHEET_TYPE"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "foto.csv", "ERR_SHEET_TYPE"),
        (b"nome;numero\nAna;551199\x009990001", "contatos.csv", "ERR_SHEET_TYPE"),
        (b"nome;numero\nAna \x81;1", "contatos.csv", "ERR_SHEET_TYPE"),
        (b"PK\x03\x04 quebrado", "contatos.csv", "ERR_SHEET_UNREADABLE"),
        (b"n" * (20 * 1024 * 1024 + 1), "contatos.csv", "ERR_SHEET_TOO_LARGE"),
        (b"nome;numero", "contatos.xls", ""),
        (xlsx([]), "contatos.csv", ""),
    ],
    ids=[
        "name",
        "picture",
        "NUL",
        "no letter",
        "broken",
        "too large",
        "text as xls",
        "xlsx as csv",
    ],
)
def test_content_tells_what_a_file_is_and_wrong_ones_are_refused(
    content: bytes, name: str, code: str
) -> None:
    assert take(content, name) == code


@pytest.mark.parametrize(
    "content",
    [b"n" * LINE_LENGTH * 2, b'nome;numero\n"Ana;' + b"1;\n" * 100_000],
    ids=["one huge line", "a quote that never ends"],
)
def test_a_text_that_would_be_held_whole_is_refused(content: bytes) -> None:
    assert take(content) == ""
    with pytest.raises(DomainError) as refusal:
        read(content)
    assert refusal.value.code == "ERR_SHEET_UNREADABLE"


SPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
SHEET, TEXTS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
MOST_MEGABYTES = 20


TEXT_BOMBS = {
    "a row of many lines": b'nome;numero\n"' + b'\n";"' * 3_000_000,
    "a text of separators": b"nome;numero\n" + (b";" * 15_000 + b"\n") * 1_300,
}


def sheet_of(data: str) -> bytes:
    """Return an .xlsx whose sheet has this between its header and its end."""
    head = '<row r="1"><c r="A1" t="inlineStr"><is><t>nome</t></is></c></row>'
    part = f"<worksheet {SPACE}><sheetData>{head}{data}</sheetData></worksheet>"
    return with_part(xlsx([]), SHEET, part.encode())


def bomb_of(kind: str) -> bytes:
    """Return a small file that the readers of spreadsheets make large."""
    match kind:
        case "cells":
            return sheet_of(f"<row>{'<c/>' * 4_000_000}</row>")
        case "cells of many rows":
            return sheet_of(f"<row>{'<c/>' * LAST_COLUMN}</row>" * 400)
        case "one address":
            return sheet_of("<row>" + '<c r="A2"/>' * 4_000_000 + "</row>")
        case "rows":
            return sheet_of("<row/>" * 4_000_000)
        case "runs":
            runs = "<r><t>a</t></r>" * 2_000_000
            return sheet_of(f'<row><c t="inlineStr"><is>{runs}</is></c></row>')
        case "long text":
            text = "a" * 150_000_000
            return sheet_of(f'<row><c t="inlineStr"><is><t>{text}</t></is></c></row>')
        case "formula":
            return sheet_of(f"<row><c><f>{'A' * 150_000_000}</f><v>1</v></c></row>")
        case "attribute":
            return sheet_of(f'<row a="{"A" * 150_000_000}"/>')
        case "nesting":
            return sheet_of(f"<row><c>{'<a>' * 5_000_000}")
        case "shared text":
            table = f"<sst {SPACE}><si>{'<r><t>a</t></r>' * 2_000_000}</si></sst>"
            return with_part(shared_xlsx([]), TEXTS, table.encode())
        case "phonetic":
            table = f"<sst {SPACE}><si>{'<rPh><t>a</t></rPh>' * 2_000_000}</si></sst>"
            return with_part(shared_xlsx([]), TEXTS, table.encode())
        case "entities":
            names = ['<!ENTITY a0 "aaaaaaaaaa">']
            names += [f'<!ENTITY a{n + 1} "{10 * (f"&a{n};")}">' for n in range(9)]
            part = (
                f"<!DOCTYPE w [{''.join(names)}]><worksheet {SPACE}><sheetData><row>"
                '<c t="inlineStr"><is><t>&a9;</t></is></c></row></sheetData></worksheet>'
            )
            return with_part(xlsx([]), SHEET, part.encode())
    raise ValueError(kind)


def content_of(kind: str) -> bytes:
    """Return what the named bomb's file holds."""
    if kind == "corners of an .xls":
        return corners()
    return TEXT_BOMBS.get(kind) or bomb_of(kind)


def corners() -> bytes:
    """Return an .xls with a number in the last column of each row: readers fill all before it."""
    numbers = [struct.pack("<HHHHHi", 0x27E, 10, row, 255, 0, 2) for row in range(65_536)]
    return compound_file("Workbook", workbook_of(b"".join(numbers)))


def workbook_of(cells: bytes) -> bytes:
    """Return the stream of an .xls with one sheet of these records."""
    begin = struct.pack("<HHHHHHII", 0x809, 16, 0x600, 0x5, 0x0DBB, 0x07CC, 0, 6)
    begin_sheet = struct.pack("<HHHHHHII", 0x809, 16, 0x600, 0x10, 0x0DBB, 0x07CC, 0, 6)
    end = struct.pack("<HH", 0x0A, 0)
    start = len(begin) + 4 + 6 + 2 + 1 + len(end)
    sheet = struct.pack("<HHIBBBB", 0x85, 9, start, 0, 0, 1, 0) + b"A"
    return begin + sheet + end + begin_sheet + cells + end


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("cells", "ERR_SHEET_TOO_FULL"),
        ("cells of many rows", "ERR_SHEET_TOO_FULL"),
        ("one address", "ERR_SHEET_TOO_FULL"),
        ("rows", "ERR_SHEET_TOO_FULL"),
        ("runs", "ERR_SHEET_TOO_FULL"),
        ("long text", "ERR_SHEET_TOO_FULL"),
        ("formula", ""),  # it is not kept
        ("attribute", "ERR_SHEET_TOO_FULL"),
        ("nesting", "ERR_SHEET_TOO_FULL"),
        ("shared text", "ERR_SHEET_TOO_FULL"),
        ("phonetic", "ERR_SHEET_TOO_FULL"),
        ("entities", "ERR_SHEET_UNREADABLE"),
        ("corners of an .xls", "ERR_SHEET_TOO_FULL"),
        ("a row of many lines", "ERR_SHEET_TOO_FULL"),
        ("a text of separators", "ERR_SHEET_TOO_FULL"),
    ],
)
def test_a_small_file_that_grows_is_refused_and_the_worker_keeps_its_memory(
    kind: str, code: str, tmp_path: Path
) -> None:
    path = tmp_path / "bomba"
    path.write_bytes(content_of(kind))
    done = subprocess.run(
        [sys.executable, "-c", READ_ALONE, str(path)], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["code"] == code
    assert told["grown"] <= MOST_MEGABYTES
    assert told["reader"] <= READER_BYTES // MEGABYTE + MOST_MEGABYTES


READ_ALONE = """
import json, resource, sys
import django
django.setup()
from apps.common.errors import DomainError
from apps.common import sheets

def peak(who):
    return resource.getrusage(who).ru_maxrss // 1024

sheets.READER_CPU_SECONDS = 10
before, code = peak(resource.RUSAGE_SELF), ""
try:
    with open(sys.argv[1], "rb") as file, sheets.opened_sheets(file) as found:
        for cells in found:
            for row in cells:
                pass
except DomainError as refusal:
    code = refusal.code
grown = peak(resource.RUSAGE_SELF) - before
print(json.dumps({"code": code, "grown": grown, "reader": peak(resource.RUSAGE_CHILDREN)}))
"""


def test_a_row_that_is_formatted_to_its_last_column_is_read() -> None:
    row = f'<row r="2">{"<c/>" * (LAST_COLUMN - 1)}</row><row r="3"><c r="A3"><v>7</v></c></row>'
    assert read(sheet_of(row)) == [[["nome", *[""] * 59], ["7", *[""] * 59]]]


@pytest.mark.parametrize("way", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA], ids=["bzip2", "lzma"])
def test_a_part_packed_as_no_spreadsheet_packs_it_is_refused_unopened(way: int) -> None:
    file = BytesIO(xlsx([]))
    with zipfile.ZipFile(file, "a", way) as parts:
        parts.writestr("xl/worksheets/sheet2.xml", "<worksheet/>")
    assert take(file.getvalue()) == "ERR_SHEET_UNREADABLE"
