"""Reading spreadsheets without trusting them (rules/contact-lists §3).

An `.xlsx` is streamed. What its parts unpack to is known before any is opened, for a few kilobytes
can stand for gigabytes, and no cell's address makes room for what lies before it: a reader that
holds the sheet as a rectangle is ended by one cell in its last corner. An `.xls` is bounded by its
own size and by its format's 65,536 rows. Text is read line by line, and no line is long.
"""

import codecs
import csv
import io
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from itertools import islice
from typing import IO, Any, NamedTuple

import openpyxl
import xlrd

from apps.common.errors import DomainError
from apps.common.media import MEGABYTE
from apps.common.search import fold

MAX_FILE_BYTES = 20 * MEGABYTE
MAX_ROWS = 100_000
# What an .xlsx unpacks to: people's sheets of 100,000 rows and twenty columns have 80 MB. Texts
# are held in memory while it is read, styles and the like as trees.
MAX_SHEET_BYTES = 200 * MEGABYTE
MAX_TEXT_BYTES = 48 * MEGABYTE
MAX_PART_BYTES = 8 * MEGABYTE
MAX_PARTS = 2000
# Where the header is looked for.
MAX_SHEETS, HEADER_ROWS, COLUMNS = 20, 10, 60
LAST_ROW = 1_048_576  # of an .xlsx
CELL_LENGTH = 300
# Of a text file; what a page of rows needs has a few thousand.
LINE_LENGTH = 1_000_000
# Commas last: they stand in texts too.
SEPARATORS = ";\t,"
_SUFFIX = re.compile(r"\.xlsx?\Z", re.IGNORECASE)
_SUFFIX_OR_TEXT = re.compile(r"\.(xlsx?|csv|tsv|txt)\Z", re.IGNORECASE)
_OLE = b"\xd0\xcf\x11\xe0"
_ZIP = b"PK\x03\x04"
# What is read of an .xlsx beside sheets and texts.
_READ_WHOLE = re.compile(
    r"\[Content_Types\]\.xml|.*\.rels|docProps/.*|xl/(workbook|styles)\.xml|xl/theme/.*"
)


class SheetTypeRefused(DomainError):
    """Neither an .xls nor an .xlsx."""

    status = 415
    code = "ERR_SHEET_TYPE"
    message = "Envie uma planilha .xls ou .xlsx."


class SheetTooLarge(DomainError):
    """Larger than a sheet of people is, packed or unpacked."""

    status = 413
    code = "ERR_SHEET_TOO_LARGE"
    message = (
        f"A planilha é grande demais: o limite é de {MAX_FILE_BYTES // MEGABYTE} MB. "
        "Deixe nela só as colunas nome, numero e email."
    )


class SheetUnreadable(DomainError):
    """Damaged, protected by a password, or something else under this name."""

    code = "ERR_SHEET_UNREADABLE"
    message = (
        "A planilha não pôde ser lida: está danificada ou protegida por senha. "
        "Salve-a de novo como .xlsx, sem senha, e envie outra vez."
    )


class SheetColumnsMissing(DomainError):
    """No sheet of it begins with the header."""

    code = "ERR_SHEET_COLUMNS"
    message = (
        "A planilha precisa de uma linha de título com as colunas nome e numero (email é opcional)."
    )


class SheetEmpty(DomainError):
    """Nobody stands under its header."""

    code = "ERR_SHEET_EMPTY"
    message = "A planilha não tem nenhuma linha depois do título."


class TooManyRows(DomainError):
    """More people than one sheet takes."""

    code = "ERR_SHEET_TOO_MANY_ROWS"
    message = "A planilha tem mais de 100.000 linhas. Divida-a em várias e envie uma de cada vez."


Cells = Iterator[tuple[int, Sequence[Any]]]


def check_file(content: IO[bytes], *, name: str, size: int, takes_text: bool = False) -> None:
    """Refuse, before it is kept, what can be seen to be no sheet of people.

    With `takes_text` a text with separators is one too. Raises SheetTypeRefused, SheetTooLarge and
    SheetUnreadable; leaves the file at its start.
    """
    if not (_SUFFIX_OR_TEXT if takes_text else _SUFFIX).search(name):
        raise SheetTypeRefused
    if size > MAX_FILE_BYTES:
        raise SheetTooLarge
    content.seek(0)
    start = content.read(8)
    if start.startswith(_ZIP):
        _check_parts(content)
    elif not start.startswith(_OLE) and not (takes_text and _is_text(content)):
        raise SheetTypeRefused
    content.seek(0)


@contextmanager
def opened_sheets(content: IO[bytes]) -> Iterator[Iterator[Cells]]:
    """Give the sheets of a file, each as its rows with their numbers, from 1.

    A text is a sheet for each separator that it may have. Raises what `check_file` does; while rows
    are taken SheetUnreadable.
    """
    content.seek(0)
    start = content.read(4)
    content.seek(0)
    if start == _ZIP:
        book = _open_xlsx(content)
    elif start == _OLE:
        book = _open_xls(content)
    else:
        book = _open_text(content)
    try:
        yield book.sheets
    finally:
        book.close()


def columns_of(header: Sequence[Any], names: Mapping[str, str]) -> dict[str, int]:
    """Return where each column stands, by folded names; of two with one name the first counts."""
    found: dict[str, int] = {}
    for place, cell in enumerate(header):
        column = names.get(fold(cell)) if isinstance(cell, str) else None
        if column is not None:
            found.setdefault(column, place)
    return found


def count_of(rows: Iterable[Any]) -> int:
    """Take rows to their end and count them; raises SheetEmpty.

    TooManyRows comes as soon as it is known.
    """
    count = sum(1 for _ in islice(rows, MAX_ROWS + 1))
    if count > MAX_ROWS:
        raise TooManyRows
    if not count:
        raise SheetEmpty
    return count


def cell_text(value: Any, length: int = CELL_LENGTH) -> str:
    """Return what a cell says, as one reads it there; a number without decimals has no point."""
    if value is None:
        return ""
    if isinstance(value, datetime | date):
        return value.strftime("%d/%m/%Y")
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e17:
        value = int(value)
    return " ".join(str(value).replace("\x00", "").split())[:length]


class _Book(NamedTuple):
    sheets: Iterator[Cells]
    close: Callable[[], None]


def _check_parts(content: IO[bytes]) -> None:
    """Refuse an .xlsx that unpacks to more than it should; the sizes it states bind its reader."""
    try:
        with zipfile.ZipFile(content) as parts:
            found = parts.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise SheetUnreadable from error
    if len(found) > MAX_PARTS:
        raise SheetTooLarge
    sheets = 0
    for part in found:
        name = part.filename.removeprefix("/")
        if name.startswith("xl/worksheets/"):
            sheets += part.file_size
        if part.file_size > _most_bytes(name):
            raise SheetTooLarge
    if sheets > MAX_SHEET_BYTES:
        raise SheetTooLarge
    if not any(part.filename.removeprefix("/") == "xl/workbook.xml" for part in found):
        raise SheetUnreadable


def _most_bytes(part: str) -> int:
    if part == "xl/sharedStrings.xml":
        return MAX_TEXT_BYTES
    # Pictures and the like are not read.
    return MAX_PART_BYTES if _READ_WHOLE.fullmatch(part) else MAX_SHEET_BYTES


def _open_xlsx(content: IO[bytes]) -> _Book:
    _check_parts(content)
    content.seek(0)
    try:
        book = openpyxl.load_workbook(content, read_only=True, data_only=True, keep_links=False)
        sheets = book.worksheets[:MAX_SHEETS]
    except Exception as error:  # of damaged files it says many things
        raise SheetUnreadable from error
    return _Book(map(_cells_of_xlsx, sheets), book.close)


def _cells_of_xlsx(sheet: Any) -> Cells:
    rows = sheet.iter_rows(max_row=LAST_ROW, max_col=COLUMNS, values_only=True)
    return enumerate(_guarded(rows), start=1)


def _open_xls(content: IO[bytes]) -> _Book:
    try:
        book = xlrd.open_workbook(
            file_contents=content.read(), on_demand=True, ragged_rows=True, logfile=_Silent()
        )
        count = min(book.nsheets, MAX_SHEETS)
    except Exception as error:  # of damaged files it says many things
        raise SheetUnreadable from error
    return _Book((_cells_of_xls(book, index) for index in range(count)), book.release_resources)


def _cells_of_xls(book: Any, index: int) -> Cells:
    def rows() -> Iterator[Sequence[Any]]:
        sheet = book.sheet_by_index(index)
        for row in range(sheet.nrows):
            # An error's value is a number; text shows that it is none.
            yield [
                "#" if cell.ctype == xlrd.XL_CELL_ERROR else cell.value
                for cell in sheet.row(row)[:COLUMNS]
            ]
        book.unload_sheet(index)

    return enumerate(_guarded(rows()), start=1)


def _is_text(content: IO[bytes]) -> bool:
    content.seek(0)
    return _encoding_of(content.read()) is not None


def _encoding_of(data: bytes) -> str | None:
    """Return how a text is written, None where it is none: Excel writes any of these."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encodings = ["utf-16"]
    else:
        encodings = ["utf-8-sig", "cp1252"]
    return next((each for each in encodings if _can_be_read(data, each)), None)


def _can_be_read(data: bytes, encoding: str) -> bool:
    try:
        with io.TextIOWrapper(io.BytesIO(data), encoding) as text:
            while part := text.read(MEGABYTE):
                if "\x00" in part:
                    return False
    except UnicodeError:
        return False
    return True


def _open_text(content: IO[bytes]) -> _Book:
    data = content.read()
    encoding = _encoding_of(data)
    if encoding is None:
        raise SheetUnreadable
    return _Book((_cells_of_text(data, encoding, each) for each in SEPARATORS), lambda: None)


def _cells_of_text(data: bytes, encoding: str, separator: str) -> Cells:
    rows = csv.reader(_lines(data, encoding), delimiter=separator)
    return enumerate(_guarded(row[:COLUMNS] for row in rows), start=1)


def _lines(data: bytes, encoding: str) -> Iterator[str]:
    with io.TextIOWrapper(io.BytesIO(data), encoding, newline="") as text:
        while line := text.readline(LINE_LENGTH):
            if len(line) == LINE_LENGTH:
                raise SheetUnreadable
            yield line


class _Silent:
    """Takes what the reader of .xls files would print."""

    def write(self, text: str) -> int:
        """Drop a text."""
        return len(text)


def _guarded(rows: Iterator[Sequence[Any]]) -> Iterator[Sequence[Any]]:
    """Give rows; a fault of the reader in the middle is the file's."""
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except Exception as error:  # of damaged files it says many things
            raise SheetUnreadable from error
        yield row
