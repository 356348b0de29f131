"""Filters of lists: django-filter sets and text search."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.db.models import QuerySet
from django_filters import FilterSet
from django_filters.utils import translate_validation
from rest_framework.request import Request

from apps.common.search import fold, sought

# No filter has one of these names, and none is required.
NO_FILTERS = {"pageNumber"}

Rows = TypeVar("Rows", bound="QuerySet[Any]")


def narrowed(rows: Rows, filters: type[FilterSet], request: Request) -> Rows:
    """Return the rows that the query asks for; raises ValidationError with all that is wrong.

    The filters are not built for a query that has none: that takes longer than reading the page.
    """
    if request.query_params.keys() <= NO_FILTERS:
        return rows
    asked = filters(request.query_params, rows, request=request)
    if not asked.is_valid():
        raise translate_validation(asked.errors)
    found: Rows = asked.qs
    return found


def sifted(
    rows: Rows,
    text: str,
    *columns: str,
    shown: Callable[..., Iterable[str]] = lambda *texts: texts,
) -> Rows:
    """Return the rows whose columns contain the text, accents and case ignored.

    `shown` maps the columns' values to the texts that are searched. Takes two queries and compares
    in Python: for kinds of records of which a company has a few hundred at most.
    """
    term = sought(text)
    if not term:
        return rows
    found = rows.values_list("pk", *columns)
    return rows.filter(pk__in=[pk for pk, *texts in found if term in fold(" ".join(shown(*texts)))])
