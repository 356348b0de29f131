"""Locks of a DATA_DIR: one `manage.py up`; processes that serve or work; or a restore, exclusively.

Plain Python.
"""

import fcntl
from pathlib import Path
from typing import IO


class AlreadyRuns(Exception):
    """Another process holds the folder."""


def hold(directory: Path) -> IO[str]:
    """Return the lock of the single `up`, held until it is closed.

    Raises AlreadyRuns, and OSError for a folder that is not writable.
    """
    return _locked(directory / "up.lock", fcntl.LOCK_EX, directory)


def share(directory: Path) -> IO[str]:
    """Return the shared lock of a process that serves or works; raises as `hold`.

    It also works on a folder that containers or machines share.
    """
    return _locked(directory / "serving.lock", fcntl.LOCK_SH, directory)


def hold_alone(directory: Path) -> IO[str]:
    """Return the exclusive lock, which no process gets while another serves or works; raises as
    `hold`.
    """
    return _locked(directory / "serving.lock", fcntl.LOCK_EX, directory)


def _locked(path: Path, operation: int, directory: Path) -> IO[str]:
    lock = path.open("w")
    try:
        fcntl.flock(lock, operation | fcntl.LOCK_NB)
    except OSError as error:  # network file systems may have no locks
        lock.close()
        if isinstance(error, BlockingIOError):
            raise AlreadyRuns(str(directory)) from None
        raise
    return lock
