"""Renames that can all be undone, also by a later process after a crash. Plain Python."""

import errno
import json
import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

# The journal in DATA_DIR, from the first rename of a restore to its last.
JOURNAL = "restore-journal"


class Moves:
    """Renames, each journaled before it is made; `end` deletes the journal."""

    def __init__(self, journal: Path, **told: Any) -> None:
        """Begin the journal with the facts that a later process needs after a crash; raises
        OSError.
        """
        self._journal = journal
        self._done: list[tuple[Path, Path]] = []
        self.told = told
        self._write(told)

    def move(self, source: Path, target: Path) -> None:
        """Move a file or folder to a free path, also on another disk; raises OSError."""
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._write([str(source), str(target)])
        self._done.append((source, target))
        _move(source, target)

    def take_back(self) -> None:
        """Undo all moves and delete the journal."""
        while self._done:
            source, target = self._done[-1]
            if os.path.lexists(target):
                # On another disk: the copy is complete, the original may be partly deleted.
                _remove(source)
                source.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                _move(target, source)
            _remove(_partial(target))
            with suppress(OSError):  # only when it is empty
                target.parent.rmdir()
            self._done.pop()
        self.end()

    def end(self) -> None:
        """Delete the journal: all moves stay."""
        os.sync()
        self._journal.unlink()

    def _write(self, entry: Any) -> None:
        number = os.open(self._journal, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(number, "w") as file:
            file.write(f"{json.dumps(entry)}\n")
            file.flush()
            os.fsync(file.fileno())


def cut_off_moves(journal: Path) -> Moves | None:
    """Return the moves of an interrupted process; None if there are none."""
    try:
        lines = journal.read_text().splitlines()
    except FileNotFoundError:
        return None
    entries = []
    for line in lines:
        with suppress(ValueError):  # the last line, about a move that was not begun
            entries.append(json.loads(line))
    if not entries:  # interrupted in the first line: nothing was begun
        journal.unlink()
        return None
    moves = Moves.__new__(Moves)
    moves._journal = journal
    moves.told = entries[0]
    moves._done = [(Path(source), Path(target)) for source, target in entries[1:]]
    return moves


def _move(source: Path, target: Path) -> None:
    try:
        source.rename(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        # Written to a temporary file first, so that after a crash the old or the new one is
        # complete.
        partial = _partial(target)
        _remove(partial)
        if source.is_dir() and not source.is_symlink():
            shutil.copytree(source, partial, symlinks=True)
        else:
            shutil.copy2(source, partial, follow_symlinks=False)
        partial.rename(target)
        _remove(source)


def _partial(path: Path) -> Path:
    return path.with_name(f".{path.name}.partial")


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
