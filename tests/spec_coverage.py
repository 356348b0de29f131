"""Which test shows which line of the specification: `python -m tests.spec_coverage <folder>`.

The table's columns: the specification's file and line, the line's first words, a test's id. A test
is pytest's `path::function`, or Vitest's `path::title`; `-` stands where a line has nothing to
show, and a line that no test shows is not in the table. The command compares the table with the
specification in `folder`, prints the lines that are missing or whose words are others now, and
fails while there are any.
"""

import ast
import csv
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests" / "spec_coverage.csv"
WORDS = 60
NOTHING_TO_SHOW = "-"
MARKS = re.compile(r"^(?:[-*|]|\d+\.(?=\s)|\s)+")
# Headings, and the rulers of tables.
SAYS_NOTHING = re.compile(r"^(?:#|[|\s:-]*$)")


@dataclass(frozen=True)
class Row:
    """One line of the specification with a test that shows it."""

    file: str
    line: int
    words: str
    test: str


def rows() -> list[Row]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        return [
            Row(each["file"], int(each["line"]), each["words"], each["test"])
            for each in csv.DictReader(file)
        ]


def words_of(line: str) -> str:
    """Return the words by which the table knows a line; nothing of one that states nothing."""
    return "" if SAYS_NOTHING.match(line) else MARKS.sub("", line)[:WORDS].strip()


def missing_tests(table: list[Row]) -> list[str]:
    """Return the ids of tests that do not exist, in order."""
    named = {row.test for row in table} - {NOTHING_TO_SHOW}
    return sorted(test for test in named if not _exists(test))


def uncovered(table: list[Row], folder: Path) -> Iterator[str]:
    """Return the specification's lines that the table does not have, or has with other words."""
    known = {(row.file, row.line): row.words for row in table}
    for path in sorted(folder.glob("*.md")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            words = words_of(line)
            if words and known.get((path.name, number)) != words:
                yield f"{path.name}:{number}: {words}"


def _exists(test: str) -> bool:
    path, _, name = test.partition("::")
    file = ROOT / path
    if not name or not file.is_file():
        return False
    return name in _functions(file) if path.endswith(".py") else name in _text(file)


@cache
def _functions(file: Path) -> frozenset[str]:
    tree = ast.parse(_text(file))
    return frozenset(
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
    )


@cache
def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def main(folder: Path) -> int:
    """Print what the table lacks; returns the exit status."""
    table = rows()
    lacking = [*missing_tests(table), *uncovered(table, folder)]
    covered = len({(row.file, row.line) for row in table})
    sys.stdout.write("\n".join([*lacking, f"{covered} lines with a test, {len(lacking)} without"]))
    sys.stdout.write("\n")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
