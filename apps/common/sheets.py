"""Reading spreadsheets without trusting them (rules/contact-lists §3).

What a file is can be seen before it is kept. Its rows are read in a process of its own with a
limit of memory and of time (`apps.common.sheet_parsing`).
"""

import json
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from typing import IO, NoReturn, cast

from django.conf import settings

from apps.common.errors import DomainError
from apps.common.sheet_parsing import (
    MAX_SHEETS,
    MEGABYTE,
    NO_SUCH_SHEET,
    OLE,
    TOO_LARGE,
    UNREADABLE,
    ZIP,
    TooLargeFile,
    UnreadableFile,
    check_parts,
    encoding_of,
)

MAX_FILE_BYTES = 20 * MEGABYTE
MAX_ROWS = 100_000
# What reading may take: of the memory the interpreter has some 20 MB. The time is shorter than the
# lease of an import; 100,000 rows of twenty columns take 25 seconds.
READER_BYTES = 220 * MEGABYTE
READER_CPU_SECONDS = 120
# Where the header is looked for.
HEADER_ROWS = 10
CELL_LENGTH = 300
_SUFFIX = re.compile(r"\.(xlsx?|csv|tsv|txt)\Z", re.IGNORECASE)


class SheetTypeRefused(DomainError):
    """Neither a text with separators nor a spreadsheet."""

    status = 415
    code = "ERR_SHEET_TYPE"
    message = "Envie um arquivo .csv, .xls ou .xlsx."


class SheetTooLarge(DomainError):
    """A larger file than a sheet of people is."""

    status = 413
    code = "ERR_SHEET_TOO_LARGE"
    message = (
        f"A planilha é grande demais: o limite é de {MAX_FILE_BYTES // MEGABYTE} MB. "
        "Deixe nela só as colunas nome, numero e email."
    )


class SheetTooFull(DomainError):
    """More cells or texts than a sheet of people has, however small its file is."""

    status = 413
    code = "ERR_SHEET_TOO_FULL"
    message = (
        "A planilha tem células ou textos demais. Deixe nela só as colunas que importam, "
        "sem linhas vazias formatadas, e envie outra vez."
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
    code = "ERR_SHEET_EMPTY"
    message = "A planilha não tem nenhuma linha depois do título."


class TooManyRows(DomainError):
    """More people than one sheet takes."""

    code = "ERR_SHEET_TOO_MANY_ROWS"
    message = "A planilha tem mais de 100.000 linhas. Divida-a em várias e envie uma de cada vez."


class ReaderEnded(Exception):
    """The process that reads a sheet was ended by something else than the sheet."""


Cells = Iterator[tuple[int, Sequence[str]]]


def check_file(content: IO[bytes], *, name: str, size: int) -> None:
    """Refuse, before it is kept, what can be seen to be no sheet of people.

    A text with separators is one too. Raises SheetTypeRefused, SheetTooLarge,
    SheetTooFull and SheetUnreadable; leaves the file at its start.
    """
    if not _SUFFIX.search(name):
        raise SheetTypeRefused
    if size > MAX_FILE_BYTES:
        raise SheetTooLarge
    content.seek(0)
    start = content.read(8)
    if start.startswith(ZIP):
        try:
            check_parts(content)
        except TooLargeFile as error:
            raise SheetTooFull from error
        except UnreadableFile as error:
            raise SheetUnreadable from error
    elif not start.startswith(OLE) and not (start and _is_text(content)):
        raise SheetTypeRefused
    content.seek(0)


@contextmanager
def opened_sheets(
    content: IO[bytes], *, cpu_seconds: int = READER_CPU_SECONDS
) -> Iterator[Iterator[Cells]]:
    """Give the sheets of a file, each as its rows that have a text, with their numbers, from 1.

    A text is a sheet for each separator that it may have. Reading one may take `cpu_seconds`. Both
    iterators raise SheetTooFull and SheetUnreadable.
    """
    with ExitStack() as started, tempfile.TemporaryFile() as file:
        content.seek(0)
        shutil.copyfileobj(content, file)
        file.flush()
        yield _sheets(file, started, cpu_seconds)


def _sheets(file: IO[bytes], started: ExitStack, cpu_seconds: int) -> Iterator[Cells]:
    for index in range(MAX_SHEETS + 1):
        file.seek(0)
        reader = started.enter_context(_reader(file, index, cpu_seconds))
        # An empty line tells that there is such a sheet.
        if not _lines(reader).readline():
            if reader.wait() == NO_SUCH_SHEET:
                return
            _refuse(reader)
        yield _cells(reader)


def _cells(reader: "subprocess.Popen[bytes]") -> Cells:
    for line in _lines(reader):
        if line.endswith(b"\n"):
            number, texts = json.loads(line)
            yield number, texts
    if reader.wait():
        _refuse(reader)


def _lines(reader: "subprocess.Popen[bytes]") -> IO[bytes]:
    return cast("IO[bytes]", reader.stdout)  # it was asked for


def _refuse(reader: "subprocess.Popen[bytes]") -> NoReturn:
    """Say why a reader did not come to the end of its sheet."""
    if reader.returncode in {TOO_LARGE, -signal.SIGXCPU}:
        raise SheetTooFull
    if reader.returncode in {UNREADABLE, -signal.SIGSEGV, -signal.SIGABRT}:
        raise SheetUnreadable
    raise ReaderEnded(f"The reader of a spreadsheet ended with {reader.returncode}")


@contextmanager
def _reader(file: IO[bytes], index: int, cpu_seconds: int) -> "Iterator[subprocess.Popen[bytes]]":
    """Start the process that reads a sheet; it ends with the block."""
    limits = [str(READER_BYTES), str(cpu_seconds)]
    # It reads a stranger's file: none of the product's secrets are in its environment.
    with subprocess.Popen(  # noqa: S603  the command is ours
        [sys.executable, "-W", "ignore", "-m", "apps.common.sheet_parsing", str(index), *limits],
        cwd=settings.BASE_DIR,
        env={},
        stdin=file,
        stdout=subprocess.PIPE,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def count_of(rows: Iterable[object]) -> int:
    """Take rows to their end and count them; raises SheetEmpty.

    TooManyRows comes as soon as it is known.
    """
    count = sum(1 for _ in islice(rows, MAX_ROWS + 1))
    if count > MAX_ROWS:
        raise TooManyRows
    if not count:
        raise SheetEmpty
    return count


def _is_text(content: IO[bytes]) -> bool:
    content.seek(0)
    return encoding_of(content.read()) is not None
