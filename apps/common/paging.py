"""Pages of lists: `pageNumber` from 1, `{<name>, count, hasMore}` (rules/wire §2)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import QuerySet
from rest_framework.request import Request

from apps.common.errors import InvalidInput

PAGE_SIZE = 20
MAX_PAGE_NUMBER = 1_000_000

Row = TypeVar("Row")


@dataclass(frozen=True)
class Page(Generic[Row]):
    """One page of a list: its rows, the whole list's length, and whether another page follows."""

    rows: Sequence[Row]
    count: int
    has_more: bool

    def body(self, name: str, rows: Sequence[Any] | None = None) -> dict[str, Any]:
        """Return the wire shape; `rows` replaces the page's rows by their serialized form."""
        return {
            name: self.rows if rows is None else rows,
            "count": self.count,
            "hasMore": self.has_more,
        }


def page_number(request: Request) -> int:
    """Return the query's `pageNumber`, 1 when absent; raises InvalidInput when it is no page."""
    text = request.query_params.get("pageNumber") or "1"
    digits = text.lstrip("0") if text.isascii() and text.isdigit() else ""
    if not digits or len(digits) > 7 or int(digits) > MAX_PAGE_NUMBER:
        raise InvalidInput(
            "A página pedida não existe.",
            fields={"pageNumber": ["Informe um número a partir de 1."]},
            rule="min_value",
        )
    return int(digits)


def paginate(queryset: "QuerySet[Any, Row]", number: int, size: int = PAGE_SIZE) -> Page[Row]:
    """Return page `number` (from 1) of an ordered queryset, in one query if it has the whole list,
    else in two.
    """
    start = (number - 1) * size
    rows = list(queryset[start : start + size + 1])
    has_more = len(rows) > size
    if has_more or (not rows and start):
        length = queryset.order_by().count()
    else:
        length = start + len(rows)
    return Page(rows[:size], length, has_more)


def first_page(rows: Sequence[Row], count: Callable[[], int], size: int = PAGE_SIZE) -> Page[Row]:
    """Return the first page, of its rows and one more; `count` is asked if there is one more."""
    has_more = len(rows) > size
    return Page(rows[:size], count() if has_more else len(rows), has_more)


def page_within(rows: Sequence[Row], number: int, size: int = PAGE_SIZE) -> Page[Row]:
    """Return page `number` (from 1) of a list that is read as a whole."""
    start, end = (number - 1) * size, number * size
    return Page(rows[start:end], len(rows), len(rows) > end)


def paginate_after(
    queryset: "QuerySet[Any, Row]", after_id: int, size: int = PAGE_SIZE
) -> Page[Row]:
    """Return the page after the row of an id, of a queryset in the order of ids.

    No earlier row is read, however deep the page is.
    """
    rows = list(queryset.filter(pk__gt=after_id)[: size + 1])
    return Page(rows[:size], queryset.order_by().count(), len(rows) > size)
