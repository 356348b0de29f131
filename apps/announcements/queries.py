from django.db.models import QuerySet
from django_filters import CharFilter, FilterSet

from apps.accounts.models import User
from apps.announcements.models import Announcement, Help
from apps.common.search import sought


class AnnouncementFilters(FilterSet):
    """Filters of the list of announcements: a part of title or text."""

    searchParam = CharFilter(method="search")

    def search(self, rows: QuerySet[Announcement], name: str, text: str) -> QuerySet[Announcement]:
        """Keep the rows that contain the text; accents and case are ignored."""
        folded = sought(text)
        return rows.filter(search_text__contains=folded) if folded else rows


class HelpFilters(FilterSet):
    """Filters of the list of helps: a part of title or description."""

    searchParam = CharFilter(method="search")

    def search(self, rows: QuerySet[Help], name: str, text: str) -> QuerySet[Help]:
        """Keep the rows that contain the text; accents and case are ignored."""
        folded = sought(text)
        return rows.filter(search_text__contains=folded) if folded else rows


def super_users() -> list[User]:
    """Return the users who also get events of inactive announcements."""
    return list(User.objects.filter(is_super=True))
