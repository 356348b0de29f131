"""Reading a spreadsheet in a process of its own (rules/contact-lists §3).

`python -m apps.common.sheet_parsing 0 BYTES SECONDS < file` writes the first sheet's rows as lines
of JSON, each `[number, texts]`, behind an empty line, and tells by its exit code how that ended. A
stranger's file can make the readers of spreadsheets take many times its size: here they meet the
limits of their own process, and the worker keeps its memory. Without Django, so that it starts
quickly.
"""

import codecs
import csv
import io
import json
import os
import re
import resource
import sys
import zipfile
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import IO, Any
from xml.parsers import expat

MEGABYTE = 1024 * 1024
# What an .xlsx unpacks to: people's sheets of 100,000 rows and twenty columns have 80 MB. Texts
# are held in memory while it is read, styles and the like as trees.
MAX_SHEET_BYTES = 200 * MEGABYTE
MAX_TEXT_BYTES = 48 * MEGABYTE
MAX_PART_BYTES = 8 * MEGABYTE
MAX_PARTS = 2000
MAX_SHEETS, COLUMNS = 20, 60
# Cells of a sheet: all columns that are read, in as many rows as an import takes. Empty ones count,
# for they cost as much.
MAX_CELLS = COLUMNS * 100_000
LAST_ROW, LAST_COLUMN = 1_048_576, 16_384  # of an .xlsx
# More than any field takes, so that a text that is too long still shows it.
TEXT_LENGTH = 10_000
# The texts of one row: a worker holds the rows of a batch at a time.
ROW_LENGTH = 65_536
# Of a text file; what a page of rows needs has a few thousand.
LINE_LENGTH = 1_000_000
# Commas last: they stand in texts too.
SEPARATORS = ";\t,"
OLE = b"\xd0\xcf\x11\xe0"
ZIP = b"PK\x03\x04"
TEXTS = "xl/sharedStrings.xml"
# How a file's list of its parts begins each entry.
_ENTRY = b"PK\x01\x02"
# The two that the format has; unpacking others takes memory that no part's size tells of.
COMPRESSIONS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
# What is read of an .xlsx beside sheets and texts.
_READ_WHOLE = re.compile(
    r"\[Content_Types\]\.xml|.*\.rels|docProps/.*|xl/(workbook|styles)\.xml|xl/theme/.*"
)
_NO_MEMORY = expat.errors.codes[expat.errors.XML_ERROR_NO_MEMORY]
# Exit codes beside 0, which says that all rows were written.
NO_SUCH_SHEET, UNREADABLE, TOO_LARGE = 10, 11, 12

Rows = Iterator[Sequence[Any]]


class UnreadableFile(Exception):
    """Damaged, protected by a password, or something else under this name."""


class TooLargeFile(Exception):
    """Takes more than a sheet of people does."""


class _CellCounter:
    """Counts what a reader is about to make rows of, and raises TooLargeFile before it does."""

    def __init__(self, most_of_row: int = LAST_COLUMN) -> None:
        self.most_of_row = most_of_row
        self.rows = self.cells = self.of_row = 0

    def begin_row(self) -> None:
        self.rows += 1
        self.of_row = 0
        if self.rows > LAST_ROW:
            raise TooLargeFile

    def add(self, count: int = 1) -> None:
        self.cells += count
        self.of_row += count
        if self.of_row > self.most_of_row or self.cells > MAX_CELLS:
            raise TooLargeFile


def check_parts(content: IO[bytes]) -> None:
    """Refuse an .xlsx that unpacks to more than it should; the sizes it states bind its reader."""
    content.seek(0)
    # Counted before they are listed: a listed part takes ten times its entry.
    if content.read().count(_ENTRY) > MAX_PARTS:
        raise TooLargeFile
    try:
        with zipfile.ZipFile(content) as parts:
            found = parts.infolist()
    # The last is what zipfile raises for a version of the format that it does not read.
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise UnreadableFile from error
    sheets = 0
    for part in found:
        name = part.filename.removeprefix("/")
        if part.compress_type not in COMPRESSIONS:
            raise UnreadableFile
        if name.startswith("xl/worksheets/"):
            sheets += part.file_size
        if part.file_size > _most_bytes(name):
            raise TooLargeFile
    if sheets > MAX_SHEET_BYTES:
        raise TooLargeFile
    if not any(part.filename.removeprefix("/") == "xl/workbook.xml" for part in found):
        raise UnreadableFile


def encoding_of(data: bytes) -> str | None:
    """Return how a text is written, None where it is none: Excel writes any of these."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encodings = ["utf-16"]
    else:
        encodings = ["utf-8-sig", "cp1252"]
    return next((each for each in encodings if _can_be_read(data, each)), None)


def write_rows(content: IO[bytes], index: int, output: IO[bytes]) -> int:
    """Write the rows of a sheet that have a text; returns the exit code."""
    try:
        rows = _rows_of(content, index)
        if rows is None:
            return NO_SUCH_SHEET
        output.write(b"\n")  # there is such a sheet
        for number, row in enumerate(rows, start=1):
            texts = [cell_text(value) for value in row]
            if not any(texts):
                continue
            if sum(map(len, texts)) > ROW_LENGTH:
                return TOO_LARGE
            output.write(json.dumps([number, texts]).encode() + b"\n")
        output.flush()
    except BrokenPipeError:
        return 0  # nobody wants more
    # Alone: a tuple of exceptions would have to be built, for which there may be no memory either.
    except MemoryError:
        return TOO_LARGE
    except TooLargeFile:
        return TOO_LARGE
    except Exception:  # of damaged files the readers say many things
        return UNREADABLE
    return 0


def cell_text(value: Any) -> str:
    """Return what a cell says, as one reads it there; a number without decimals has no point."""
    if value is None:
        return ""
    if isinstance(value, datetime | date):
        return value.strftime("%d/%m/%Y")
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e17:
        value = int(value)
    text = " ".join(str(value).replace("\x00", "").split())[:TEXT_LENGTH]
    return text.encode(errors="replace").decode()  # a lone surrogate is no letter


def _rows_of(content: IO[bytes], index: int) -> Rows | None:
    """Return the rows of a sheet, None behind the last; a text has one for each separator."""
    content.seek(0)
    start = content.read(4)
    content.seek(0)
    if start == ZIP:
        return _rows_of_xlsx(content, index)
    if start == OLE:
        return _rows_of_xls(content, index)
    return _rows_of_text(content, index)


def _most_bytes(part: str) -> int:
    if part == TEXTS:
        return MAX_TEXT_BYTES
    # Pictures and the like are not read.
    return MAX_SHEET_BYTES if _may_be_sheet(part) else MAX_PART_BYTES


def _may_be_sheet(part: str) -> bool:
    return part != TEXTS and not _READ_WHOLE.fullmatch(part)


def _rows_of_xlsx(content: IO[bytes], index: int) -> Rows | None:
    import openpyxl  # noqa: PLC0415  large, and each process of ours imports this module

    check_parts(content)
    if index == 0:  # the first is read before the others
        _check_cells(content)
    content.seek(0)
    book = openpyxl.load_workbook(content, read_only=True, data_only=True, keep_links=False)
    sheets = book.worksheets[:MAX_SHEETS]
    if index >= len(sheets):
        return None
    rows: Rows = sheets[index].iter_rows(max_row=LAST_ROW, max_col=COLUMNS, values_only=True)
    return rows


def _check_cells(content: IO[bytes]) -> None:
    """Refuse an .xlsx one of whose sheets has too many cells.

    They are counted as the parser meets them: `openpyxl` keeps a row whole before it tells of it.
    """
    with zipfile.ZipFile(content) as parts:
        for name in parts.namelist():
            if name.endswith(".xml") and _may_be_sheet(name.removeprefix("/")):
                with parts.open(name) as part:
                    _count_cells(part)


def _count_cells(part: IO[bytes]) -> None:
    count = _CellCounter()

    def begin(name: str, attributes: Any) -> None:
        local = name.rpartition(" ")[2]
        if local == "c":
            count.add()
        elif local == "row":
            count.begin_row()

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = begin
    given = 0
    try:
        while data := part.read(MEGABYTE):
            parser.Parse(data)
            given += len(data)
            # A tag that has not ended: the parser looks at all of it again with each piece.
            if given - parser.CurrentByteIndex > MAX_PART_BYTES:
                raise TooLargeFile
    except expat.ExpatError as error:
        if error.code == _NO_MEMORY:
            raise TooLargeFile from error
        # What is broken is left to the reader: it may be a part that nobody reads.


def _rows_of_xls(content: IO[bytes], index: int) -> Rows | None:
    import xlrd  # noqa: PLC0415

    book = xlrd.open_workbook(
        file_contents=content.read(), on_demand=True, ragged_rows=True, logfile=_Silent()
    )
    if index >= min(book.nsheets, MAX_SHEETS):
        return None
    sheet = book.sheet_by_index(index)
    count = _CellCounter()
    for row in range(sheet.nrows):
        count.begin_row()
        count.add(sheet.row_len(row))
    # An error's value is a number; text shows that it is none.
    return (
        [
            "#" if cell.ctype == xlrd.XL_CELL_ERROR else cell.value
            for cell in sheet.row(row)[:COLUMNS]
        ]
        for row in range(sheet.nrows)
    )


def _rows_of_text(content: IO[bytes], index: int) -> Rows | None:
    if index >= len(SEPARATORS):
        return None
    data = content.read()
    encoding = encoding_of(data)
    if encoding is None:
        raise UnreadableFile
    return _rows_between(data, encoding, SEPARATORS[index])


def _rows_between(data: bytes, encoding: str, separator: str) -> Rows:
    # A row may have any number of lines, which are counted before it is there. Separators in quoted
    # texts count too: so many fit into the longest one that `csv` takes.
    count = _CellCounter(csv.field_size_limit())
    lines = _lines(data, encoding, separator, count)
    for row in csv.reader(lines, delimiter=separator):
        count.begin_row()
        yield row[:COLUMNS]


def _lines(data: bytes, encoding: str, separator: str, count: _CellCounter) -> Iterator[str]:
    with io.TextIOWrapper(io.BytesIO(data), encoding, newline="") as text:
        while line := text.readline(LINE_LENGTH):
            if len(line) == LINE_LENGTH:
                raise UnreadableFile
            count.add(line.count(separator) + 1)
            yield line


def _can_be_read(data: bytes, encoding: str) -> bool:
    try:
        with io.TextIOWrapper(io.BytesIO(data), encoding) as text:
            while part := text.read(MEGABYTE):
                if "\x00" in part:
                    return False
    except UnicodeError:
        return False
    return True


class _Silent:
    """Takes what the reader of .xls files would print."""

    def write(self, text: str) -> int:
        return len(text)


def main(index: int, memory_bytes: int, cpu_seconds: int) -> None:
    """Read standard input within limits of this process."""
    resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
    # At the first limit comes SIGXCPU, by which the worker knows it; SIGKILL at the second.
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open(0, "rb", closefd=False) as content, open(1, "wb", closefd=False) as output:
        # Without the interpreter's own end, which may need memory that is not there.
        os._exit(write_rows(content, index, output))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
