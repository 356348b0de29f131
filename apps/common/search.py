"""Text folded for searching: accents and case ignored (rules/wire §3)."""

import unicodedata

LONGEST_SEARCH = 200
# What is kept of a text that came from outside, and shown to browsers.
LONGEST_TEXT = 65_536


def fold(text: str) -> str:
    """Return text in lower case, without accents, runs of white space as one blank."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(c for c in decomposed if not unicodedata.combining(c)).split())


def sought(text: str) -> str:
    """Return what to look for: the beginning of what was asked for, folded."""
    return fold(text[:LONGEST_SEARCH])
