"""Text folded for searching: accents and case ignored (rules/wire §3)."""

import unicodedata


def fold(text: str) -> str:
    """Return text in lower case, without accents, runs of white space as one blank."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(c for c in decomposed if not unicodedata.combining(c)).split())
