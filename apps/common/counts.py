"""Counts of long lists, kept for a moment.

Counting 20,000 rows costs more than reading a page of them. Small counts, which people watch
change, are always exact.
"""

import time
from collections.abc import Callable, Hashable

LARGE_COUNT = 1000
LARGE_COUNT_SECONDS = 15.0
_MOST_KEPT = 10_000
_large_counts: dict[Hashable, tuple[float, int]] = {}


def kept_count(key: Hashable, count: Callable[[], int]) -> int:
    """Return the length of the list that `key` names; large counts are cached for a moment."""
    known = _large_counts.get(key)
    if known is not None and known[0] > time.monotonic():
        return known[1]
    counted = count()
    if counted >= LARGE_COUNT:
        if len(_large_counts) >= _MOST_KEPT:
            _large_counts.clear()
        _large_counts[key] = (time.monotonic() + LARGE_COUNT_SECONDS, counted)
    return counted
