"""The text of a contact's message, and long texts split for WhatsApp."""

from apps.automation.clients.base import Turn

MAX_TEXT = 4096
# The bodies of these types are not text that the contact wrote.
WORDLESS = frozenset({"vcard", "locationMessage", "sticker", "unknown", "call_log"})


def text_of(turn: Turn) -> str:
    """Return the contact's text, '' for a message of another type."""
    return "" if turn.media_type in WORDLESS else turn.text.strip()


def split_text(text: str, limit: int = MAX_TEXT) -> list[str]:
    """Split text into parts of at most `limit` characters, between paragraphs, lines or words."""
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
