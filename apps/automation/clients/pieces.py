"""Long texts in messages that WhatsApp takes."""

MAX_TEXT = 4096


def pieces(text: str, limit: int = MAX_TEXT) -> list[str]:
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
