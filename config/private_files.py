"""What is stored in DATA_DIR is for the user of the product alone."""

import os
from contextlib import suppress
from pathlib import Path


def keep_private(directory: Path) -> None:
    """Take the rights of others from a folder and all entries directly in it: files of an earlier
    version were readable for everybody. What belongs to another user stays as it is.
    """
    if not directory.is_dir():
        return
    for path in (directory, *directory.iterdir()):
        # A journal of the database may be gone by now.
        with suppress(OSError):
            status = path.lstat()
            if status.st_uid == os.geteuid() and status.st_mode & 0o077 and not path.is_symlink():
                path.chmod(status.st_mode & 0o700)
