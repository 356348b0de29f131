"""Where stored files lie on this machine."""

import errno
import shutil
import tempfile
from pathlib import Path

from django.conf import settings

# The errors of a full disk, a used up quota, and a file that is larger than the system allows.
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def media_folder() -> Path | None:
    """Return the folder of stored files; none where they are in an S3 store."""
    backend = str(settings.STORAGES["default"]["BACKEND"])
    return Path(settings.MEDIA_ROOT) if backend.endswith(".FileSystemStorage") else None


def require_writable() -> None:
    """Write and remove a small file in the folder; raises OSError.

    Only writing detects a full disk, a read-only mount and a folder of another user.
    """
    folder = media_folder()
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"is there room?" * 512)
            file.flush()


def has_room() -> bool:
    """Tell whether the folder's disk has MEDIA_FREE_MB left; raises OSError."""
    folder = media_folder()
    return folder is None or shutil.disk_usage(folder).free >= settings.MEDIA_FREE_MB * 1024 * 1024
