"""Moves stored files from the folder to the bucket, while the product runs.

Each file is copied, then removed from the folder. It is interrupted at any point without loss, and
given again it goes on with what is left. What is read meanwhile is found in one of the two
(`apps.common.media_store`).
"""

import mimetypes
import os
import stat
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings

from apps.common.media_store import BucketStorage

# Files that are moved at the same time; each thread mostly waits for the store.
THREADS, BATCH = 8, 200


@dataclass
class Moved:
    """Files and bytes that were moved, were in the bucket already, or could not be moved."""

    files: int = 0
    bytes: int = 0
    known: int = 0
    faults: list[str] = field(default_factory=list)


def files_left(root: Path) -> Iterator[Path]:
    """Yield the regular files of a folder; those that vanish meanwhile are left out."""
    for directory, _, names in os.walk(root):
        for name in sorted(names):
            path = Path(directory, name)
            try:
                is_file = stat.S_ISREG(path.lstat().st_mode)
            except FileNotFoundError:
                continue
            if is_file:
                yield path


def move_files(store: BucketStorage, told: Callable[[Moved], None] = lambda moved: None) -> Moved:
    """Move all files of MEDIA_ROOT into the bucket; return what was moved.

    `told` is called after each batch. A file that could not be moved stays, and the others go on.
    """
    root, moved = Path(settings.MEDIA_ROOT), Moved()
    with ThreadPoolExecutor(THREADS) as pool:
        for paths in _batches(root):
            for size, is_known, fault in pool.map(lambda path: _move(store, root, path), paths):
                moved.known += is_known
                moved.files += not is_known and not fault and size >= 0
                moved.bytes += 0 if is_known or fault else max(size, 0)
                if fault:
                    moved.faults.append(fault)
            told(moved)
    _remove_empty_folders(root)
    return moved


def _batches(root: Path) -> Iterator[list[Path]]:
    left = files_left(root)
    while batch := list(islice(left, BATCH)):
        yield batch


def _move(store: BucketStorage, root: Path, path: Path) -> tuple[int, bool, str]:
    """Move a file; return its size (-1 if it is gone), whether it was there, and why it stays."""
    name = path.relative_to(root).as_posix()
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            mime = mimetypes.guess_type(name)[0] or "application/octet-stream"
            tag = store.put_new(name, file, mime=mime)
        head = store.head(name)
        if head is not None and head.size != size:
            return size, False, f"{name}: the bucket has {head.size} of {size} bytes"
        if not path.exists():
            # Deleted meanwhile: what the bucket then lacked must not come back. Another file of
            # this name has another tag.
            if tag and head is not None and head.tag == tag:
                store.drop(name)
            return -1, False, ""
        if head is None:
            return size, False, f"{name}: the bucket does not have it"
        path.unlink(missing_ok=True)
        return size, not tag, ""
    except FileNotFoundError:
        return -1, False, ""
    except (BotoCoreError, ClientError, OSError) as error:
        return 0, False, f"{name}: {error}"


def _remove_empty_folders(root: Path) -> None:
    for directory, _, _ in os.walk(root, topdown=False):
        if directory != str(root):
            try:
                Path(directory).rmdir()
            except OSError:
                continue  # a file that stays is in it
