"""Reads of quick messages."""

from django.db.models import QuerySet
from django_filters import CharFilter, FilterSet

from apps.common.search import sought
from apps.library.models import QuickMessage


class QuickMessageFilters(FilterSet):
    """What narrows the list of quick messages: a part of shortcode, text or file name."""

    searchParam = CharFilter(method="search")

    def search(self, rows: QuerySet[QuickMessage], name: str, text: str) -> QuerySet[QuickMessage]:
        """Keep those that hold the text, accents and case ignored; '/troca' finds 'troca'."""
        folded = sought(text).lstrip("/")
        return rows.filter(search_text__contains=folded) if folded else rows
