"""Text folded for searching: accents and case ignored (rules/wire §3)."""

import re
from itertools import groupby, islice
from typing import Literal
from unicodedata import combining, normalize

LONGEST_SEARCH = 200
# What is kept of a text that came from outside, and shown to browsers.
LONGEST_TEXT = 65_536
# Marks in a row that Unicode's stream-safe texts have at most (UAX 15, section 13).
MOST_MARKS = 30
_SAID = re.compile(r"[^\W_](?:.*[^\W_])?", re.DOTALL)


class _WithoutAccents(dict[int, str]):
    """What each character is without accents, by its code point; filled as characters are met."""

    most = 4096

    def __missing__(self, code: int) -> str:
        if len(self) >= self.most:
            self.clear()
        plain = "".join(c for c in normalize("NFKD", chr(code)) if not combining(c))
        self[code] = plain
        return plain


_WITHOUT_ACCENTS = _WithoutAccents()


def without_accents(text: str) -> str:
    """Return the text in form NFKD without its combining marks.

    Each character is normalised alone: Unicode's order of marks takes a time that grows with the
    square of their number, and here every mark is dropped.
    """
    return text if text.isascii() else text.translate(_WITHOUT_ACCENTS)


def fold(text: str) -> str:
    """Return text in lower case, without accents, runs of white space as one blank."""
    return " ".join(without_accents(text.casefold()).split())


def bare(text: str) -> str:
    """Return the folded text without the signs and emojis around it."""
    said = _SAID.search(fold(text))
    return said[0] if said else ""


def sought(text: str) -> str:
    """Return what to look for: the beginning of what was asked for, folded."""
    return fold(text[:LONGEST_SEARCH])


def composed(text: str, form: Literal["NFC", "NFKC"] = "NFC") -> str:
    """Return the text in a composed form; of marks in a row only the first MOST_MARKS are kept.

    Unicode's order of marks takes a time that grows with the square of their number.
    """
    if text.isascii():
        return text
    runs = groupby(text, _is_mark)
    return normalize(
        form, "".join("".join(islice(run, MOST_MARKS if marks else None)) for marks, run in runs)
    )


def _is_mark(character: str) -> bool:
    # Some characters that are no marks themselves are made of marks alone.
    return not character.isascii() and combining(normalize("NFKD", character)[0]) != 0
