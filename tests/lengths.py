"""How many cases a generated test takes: few in `make test`, all of them in `make test-deep`."""

import os

IS_FULL = os.environ.get("TEST_LENGTH") == "full"
# So much of a full run is enough to find what breaks a property everywhere.
SHARE = 5


def cases(full: int) -> int:
    """Return how many of the cases of a full run to try, one at least."""
    return full if IS_FULL else max(1, full // SHARE)
