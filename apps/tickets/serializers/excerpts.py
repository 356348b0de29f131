"""The part of a text that a search found, for a row of one line."""

import re
from functools import lru_cache

from apps.common.search import fold

# A row shows about forty characters, and the match must be among them.
LEAD = 18
LENGTH = 160
_BLANKS = re.compile(r"\s+")
# The name in bold that browsers put before a message (frontend/src/lib/markup.ts).
_SIGNATURE = re.compile(r"\*[^*\n]{1,60}:\*\s+(?=\S)")
_folded = lru_cache(maxsize=4096)(fold)


def excerpt(text: str, term: str) -> str:
    """Return `text` on one line, cut so that the folded `term` is near its beginning.

    A short text is not cut. A text without the term is cut at its end. An ellipsis stands for what
    was cut off. The name that signs the text is left out without an ellipsis if the term is in the
    rest.
    """
    line = _BLANKS.sub(" ", text).strip()
    signature = _SIGNATURE.match(text)
    unsigned = _BLANKS.sub(" ", text[signature.end() :]).strip() if signature else line
    place = _place(unsigned, term)
    if place is None and signature:
        place = _place(line, term)
    else:
        line = unsigned
    start = 0
    if place is not None and place > LEAD:
        # Begin at a word, if one begins within reach.
        start = line.find(" ", place - LEAD, place) + 1 or place - LEAD
    end = start + LENGTH
    head = "…" if start else ""
    tail = "…" if end < len(line) else ""
    return f"{head}{line[start:end].rstrip()}{tail}"


def _place(line: str, term: str) -> int | None:
    """Return where in `line` the folded term begins."""
    origins: list[int] = []
    letters: list[str] = []
    for index, letter in enumerate(line):
        # Folding strips blanks at the ends, so a letter that is a blank becomes empty.
        folded = _folded(letter) or (" " if letter.isspace() else "")
        letters.append(folded)
        origins.extend([index] * len(folded))
    found = "".join(letters).find(term)
    return origins[found] if found >= 0 else None
