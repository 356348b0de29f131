"""The part of a text that a search found, for a row of one line."""

import re
from functools import lru_cache

from apps.common.search import fold

# A row shows some forty characters: the hit must be among them.
LEAD = 18
LENGTH = 160
_BLANKS = re.compile(r"\s+")
# The name in bold that browsers put before what is written (frontend/src/lib/markup.ts).
_SIGNATURE = re.compile(r"\*[^*\n]{1,60}:\*\s+(?=\S)")
_folded = lru_cache(maxsize=4096)(fold)


def excerpt(text: str, term: str) -> str:
    """Return `text` on one line, cut so that the folded `term` stands near its beginning.

    Whole when it is short or does not hold the term; what was cut off shows as an ellipsis, but for
    the name that signs it, which is there only for who looks for it.
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
        # From the beginning of a word, if one begins within reach.
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
        # Folding drops blanks at the ends, and a blank is all that one stands for.
        folded = _folded(letter) or (" " if letter.isspace() else "")
        letters.append(folded)
        origins.extend([index] * len(folded))
    found = "".join(letters).find(term)
    return origins[found] if found >= 0 else None
