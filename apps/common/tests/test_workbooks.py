"""A streamed .xlsx holds what it was given, and only a part of it is in memory."""

import tracemalloc
from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from io import BytesIO
from typing import Any

import pytest
from openpyxl import load_workbook

from apps.common import workbooks
from apps.common.workbooks import StreamedValue, stream_workbook


def read(parts: Any) -> list[tuple[str, list[tuple[Any, ...]]]]:
    book = load_workbook(BytesIO(b"".join(parts)))
    return [(sheet.title, list(sheet.values)) for sheet in book]


def test_each_value_comes_back_as_its_kind() -> None:
    rows: list[list[StreamedValue]] = [
        [7, "=1+1", datetime(2026, 11, 30, 16, 5, 7), timedelta(hours=30, seconds=5)],
        [Decimal("0.125"), 'a <b> & "c"\x01\n', None, True],
    ]
    [(title, values)] = read(stream_workbook("Conversas", ["a", "b", "c", "d"], rows))
    assert title == "Conversas"
    assert values == [
        ("a", "b", "c", "d"),
        (7, "=1+1", datetime(2026, 11, 30, 16, 5, 7), timedelta(hours=30, seconds=5)),
        (0.125, 'a <b> & "c"\n', None, True),
    ]


def test_no_text_is_a_formula() -> None:
    book = load_workbook(BytesIO(b"".join(stream_workbook("T", ["=A2"], [["=1+1"], ["@x"]]))))
    assert [cell.data_type for [cell] in book.active.iter_rows()] == ["s", "s", "s"]


def test_without_rows_there_are_the_heads() -> None:
    assert read(stream_workbook("T", ["a", "b"], [])) == [("T", [("a", "b")])]


def test_what_a_sheet_does_not_hold_goes_on_in_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbooks, "MOST_ROWS", 4)
    sheets = read(stream_workbook("T", ["n"], [[number] for number in range(6)]))
    assert sheets == [
        ("T", [("n",), (0,), (1,), (2,)]),
        ("T 2", [("n",), (3,), (4,), (5,)]),
    ]


def test_a_long_table_is_never_whole_in_memory() -> None:
    rows: Iterator[list[StreamedValue]] = (
        [number, f"linha {number}" * 4] for number in range(30_000)
    )
    tracemalloc.start()
    try:
        total = sum(len(part) for part in stream_workbook("T", ["n", "texto"], rows))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert total > 150_000
    assert peak < 2_000_000
