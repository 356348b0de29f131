"""The reader of sheets: what it takes for a text with separators, and what it refuses."""

from io import BytesIO
from typing import Any

import pytest

from apps.common.errors import DomainError
from apps.common.sheets import LINE_LENGTH, check_file, opened_sheets
from tests.sheets import xlsx

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


def test_lists_take_no_text() -> None:
    with pytest.raises(DomainError) as refusal:
        check_file(BytesIO(b"nome;numero"), name="contatos.csv", size=11)
    assert refusal.value.code == "ERR_SHEET_TYPE"
