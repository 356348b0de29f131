"""Text folded for searching: accents and case ignored (specification 4 §4.4)."""

import unicodedata


def fold(text: str) -> str:
    """Return text in lower case, without accents, runs of white space as one blank."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(c for c in decomposed if not unicodedata.combining(c)).split())


def escape_like(text: str) -> str:
    """Return text with LIKE's wildcards escaped by a backslash."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
