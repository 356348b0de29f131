"""Who works on a DATA_DIR: one `manage.py up`, whoever serves, or a restore alone. Plain Python."""

import fcntl
from pathlib import Path
from typing import IO


class AlreadyRuns(Exception):
    """Another process holds the folder."""


def hold(directory: Path) -> IO[str]:
    """Return the lock of the one `up`, held until it is closed.

    Raises AlreadyRuns, and OSError for a place where nothing can be written.
    """
    return _locked(directory / "up.lock", fcntl.LOCK_EX, directory)


def share(directory: Path) -> IO[str]:
    """Return the lock of each process that serves or works; raises as `hold`.

    On a folder that containers or machines share, too.
    """
    return _locked(directory / "serving.lock", fcntl.LOCK_SH, directory)


def hold_alone(directory: Path) -> IO[str]:
    """Return the lock that nobody has while a process serves or works; raises as `hold`."""
    return _locked(directory / "serving.lock", fcntl.LOCK_EX, directory)


def _locked(path: Path, operation: int, directory: Path) -> IO[str]:
    lock = path.open("w")
    try:
        fcntl.flock(lock, operation | fcntl.LOCK_NB)
    except OSError as error:  # a network's file system may have no locks at all
        lock.close()
        if isinstance(error, BlockingIOError):
            raise AlreadyRuns(str(directory)) from None
        raise
    return lock
