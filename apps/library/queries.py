"""Reads of quick messages."""

from typing import Any

from django.db.models import QuerySet

from apps.common.search import fold
from apps.library.models import QuickMessage


def search_quick_messages(user: Any, text: str) -> QuerySet[QuickMessage]:
    """Return what the user may use, by shortcode, whose shortcode, text or file name holds `text`.

    Accents and case do not matter; '/troca' finds 'troca'.
    """
    rows = QuickMessage.objects.visible_to(user)
    folded = fold(text.replace("\x00", "")).lstrip("/")
    return rows.filter(search_text__contains=folded) if folded else rows
