"""What messages mean for rules, live and in rehearsals (rules/desk §12 and §16)."""

from datetime import datetime

from apps.desk.decisions.following import Word
from apps.desk.decisions.rules import Event, When


def event_of_word(word: Word, at: datetime, *, text: str = "", media: str = "") -> Event | None:
    """Return what a message starts; None for what no person of ours wrote."""
    if word.is_ours:
        when = When.MESSAGE_OUT if word.is_by_person else None
    else:
        when = When.CALL_MISSED if word.is_call else When.MESSAGE_IN
    return Event(when, at, text=text, media=media) if when is not None else None


def after_word(
    word: Word, at: datetime, unanswered_since: datetime | None
) -> tuple[datetime | None, datetime | None]:
    """Return our last word, None if the contact wrote last, and the first one without answer."""
    if word.is_ours:
        return at, None if word.is_by_person else unanswered_since
    return None, unanswered_since or at
