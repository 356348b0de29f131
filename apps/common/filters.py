"""What narrows the lists of records: django-filter sets, and the words that people look for."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.db.models import QuerySet
from django_filters import FilterSet
from django_filters.utils import translate_validation
from rest_framework.request import Request

from apps.common.search import fold, sought

Rows = TypeVar("Rows", bound="QuerySet[Any]")


def narrowed(rows: Rows, filters: type[FilterSet], request: Request) -> Rows:
    """Return the rows that the query asks for; raises ValidationError with all that is wrong."""
    asked = filters(request.query_params, rows)
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
    """Return the rows whose columns hold the text, accents and case ignored.

    `shown` makes of the columns' texts those that count. Two queries, and the words are compared
    here: for what a company has a few hundred of at most.
    """
    term = sought(text)
    if not term:
        return rows
    found = rows.values_list("pk", *columns)
    return rows.filter(pk__in=[pk for pk, *texts in found if term in fold(" ".join(shown(*texts)))])
