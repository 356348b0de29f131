"""Who works on a DATA_DIR alone: a running `manage.py up`, or a restore. Plain Python."""

import fcntl
from pathlib import Path
from typing import IO


class AlreadyRuns(Exception):
    """Another process holds the folder."""


def hold(directory: Path) -> IO[str]:
    """Return the folder's lock, held until it is closed.

    Raises AlreadyRuns, and OSError for a place where nothing can be written.
    """
    lock = (directory / "up.lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise AlreadyRuns(str(directory)) from None
    return lock
