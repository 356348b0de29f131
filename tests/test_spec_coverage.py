"""The table of the specification's lines names tests that exist."""

from pathlib import Path

import pytest

from tests import spec_coverage
from tests.spec_coverage import Row, missing_tests, rows, uncovered, words_of

pytestmark = pytest.mark.sources


def test_every_named_test_exists() -> None:
    table = rows()
    assert len(table) > 300
    assert missing_tests(table) == []


def test_a_test_that_is_gone_is_noticed() -> None:
    here = "tests/test_spec_coverage.py"
    table = [
        Row("1.md", 1, "A", f"{here}::test_a_test_that_is_gone_is_noticed"),
        Row("1.md", 2, "B", "-"),
        Row("1.md", 3, "C", f"{here}::test_of_another_day"),
        Row("1.md", 4, "D", "tests/test_of_another_day.py::test_a"),
        Row("1.md", 5, "E", "frontend/src/App.tsx::of another day"),
    ]
    assert missing_tests(table) == sorted(row.test for row in table[2:])


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("# Heading", ""),
        ("|---|:-:|", ""),
        ("", ""),
        ("- **Tag**: id, name.", "Tag**: id, name."),
        ("| ticket | update |", "ticket | update |"),
        ("6.7 **External API**", "6.7 **External API**"),
        ("1. First", "First"),
    ],
)
def test_what_a_line_is_known_by(line: str, words: str) -> None:
    assert words_of(line) == words


def test_a_line_without_a_test_is_told(tmp_path: Path) -> None:
    (tmp_path / "1.md").write_text("# One\n\n- Known.\n- Unknown.\n- Another now.\n")
    table = [Row("1.md", 3, "Known.", "-"), Row("1.md", 5, "Another.", "-")]
    assert list(uncovered(table, tmp_path)) == ["1.md:4: Unknown.", "1.md:5: Another now."]


def test_the_command_fails_while_a_line_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "1.md").write_text("- Known.\n- Unknown.\n")
    table = tmp_path / "table.csv"
    table.write_text("file,line,words,test\n1.md,1,Known.,-\n")
    monkeypatch.setattr(spec_coverage, "TABLE", table)
    assert spec_coverage.main(tmp_path) == 1
    assert capsys.readouterr().out == "1.md:2: Unknown.\n1 lines with a test, 1 without\n"
