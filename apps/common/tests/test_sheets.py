"""The reader of sheets: what it takes for a text with separators, and what it refuses."""

import json
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from apps.common.errors import DomainError
from apps.common.sheet_parsing import LINE_LENGTH, MEGABYTE
from apps.common.sheets import READER_BYTES, check_file, opened_sheets
from tests.sheets import shared_xlsx, with_part, xlsx

ROWS = [["Nome", "Número"], ["José; o 2º", "5511999990001"]]


def read(content: bytes) -> list[list[list[Any]]]:
    """Return the sheets of a file."""
    with opened_sheets(BytesIO(content)) as sheets:
        return [[list(row) for _, row in cells] for cells in sheets]


def take(content: bytes, name: str = "contatos.csv") -> str:
    """Return the code by which an upload is refused, '' where it is taken."""
    try:
        check_file(BytesIO(content), name=name, size=len(content), takes_text=True)
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


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("cells", "ERR_SHEET_TOO_LARGE"),
        ("one address", "ERR_SHEET_TOO_LARGE"),
        ("rows", "ERR_SHEET_TOO_LARGE"),
        ("runs", "ERR_SHEET_TOO_LARGE"),
        ("long text", "ERR_SHEET_TOO_LARGE"),
        ("formula", ""),  # it is not kept
        ("attribute", "ERR_SHEET_TOO_LARGE"),
        ("nesting", "ERR_SHEET_TOO_LARGE"),
        ("shared text", "ERR_SHEET_TOO_LARGE"),
        ("phonetic", "ERR_SHEET_TOO_LARGE"),
        ("entities", "ERR_SHEET_UNREADABLE"),
    ],
)
def test_a_small_file_that_grows_is_refused_and_the_worker_keeps_its_memory(
    kind: str, code: str, tmp_path: Path
) -> None:
    path = tmp_path / "bomba.xlsx"
    path.write_bytes(bomb_of(kind))
    done = subprocess.run(
        [sys.executable, "-c", READ_ALONE, str(path)], capture_output=True, check=True, text=True
    )
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


def test_lists_take_no_text() -> None:
    with pytest.raises(DomainError) as refusal:
        check_file(BytesIO(b"nome;numero"), name="contatos.csv", size=11)
    assert refusal.value.code == "ERR_SHEET_TYPE"
