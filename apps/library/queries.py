"""Reads of quick messages and file lists."""

from typing import Any

from django.db.models import QuerySet
from django_filters import CharFilter, FilterSet

from apps.common.media import StoredMedia
from apps.common.search import sought
from apps.library.models import FileList, FileListItem, QuickMessage


class QuickMessageFilters(FilterSet):
    """Filters of quick messages: a part of shortcode, text or file name."""

    searchParam = CharFilter(method="search")

    def search(self, rows: QuerySet[QuickMessage], name: str, text: str) -> QuerySet[QuickMessage]:
        """Keep those that contain the text, ignoring accents and case ('/troca' finds 'troca')."""
        folded = sought(text).lstrip("/")
        return rows.filter(search_text__contains=folded) if folded else rows


class FileListFilters(FilterSet):
    """Filters of file lists: a part of name or text."""

    searchParam = CharFilter(method="search")

    def search(self, rows: QuerySet[FileList], name: str, text: str) -> QuerySet[FileList]:
        """Keep those that contain the text, ignoring accents and case."""
        folded = sought(text)
        return rows.filter(search_text__contains=folded) if folded else rows


def sendable_file(user: Any, path: str) -> StoredMedia | None:
    """Return the stored file at a path.

    None unless a quick message that the user may read, or a file list of the company, has it.
    """
    quick = QuickMessage.objects.visible_to(user).filter(media_path=path).first()
    items = FileListItem.objects.filter(file_list__company=user.company_id)
    found = quick or items.filter(media_path=path).first()
    return found.media if found else None
