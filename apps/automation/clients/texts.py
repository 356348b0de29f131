"""Texts: what a contact wrote, and long ones in messages that WhatsApp takes."""

from apps.automation.clients.base import Turn

MAX_TEXT = 4096
# Their bodies are records, a position or a card, and not what somebody wrote.
WORDLESS = frozenset({"vcard", "locationMessage", "sticker", "unknown", "call_log"})


def text_of(turn: Turn) -> str:
    """Return what the contact wrote, '' for what is no text."""
    return "" if turn.media_type in WORDLESS else turn.text.strip()


def split_text(text: str, limit: int = MAX_TEXT) -> list[str]:
    """Return text in parts of at most `limit` characters, cut between paragraphs, lines, words."""
    parts, rest = [], text.strip()
    while len(rest) > limit:
        for sign in ("\n\n", "\n", " "):
            end = rest.rfind(sign, limit // 2, limit + 1)
            if end > 0:
                break
        else:
            end = limit
        parts.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    return [*parts, rest] if rest else parts
