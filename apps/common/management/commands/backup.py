"""`manage.py backup FILE`: the whole installation in one archive."""

import os
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.common.backups import BackupFailed, write_backup


class Command(BaseCommand):
    """Write an archive that only its owner may read; the product may go on running."""

    help = "Writes database, media and the secret key into one archive, while the product runs."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the archive to make; - for standard output")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        """Write it under a temporary name until it is complete; raises CommandError."""
        try:
            notices = self._to_output() if file == "-" else self._to_file(Path(file))
        except BackupFailed as error:
            raise CommandError(str(error)) from error
        for notice in notices:
            self.stderr.write(notice)

    def _to_output(self) -> list[str]:
        if sys.stdout.isatty():
            raise CommandError("An archive is nothing to read: send it to a file with > FILE.")
        notices = write_backup(sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return notices

    def _to_file(self, path: Path) -> list[str]:
        if path.exists():
            raise CommandError(f"{path} is there already: name another file.")
        if path.resolve().is_relative_to(Path(settings.MEDIA_ROOT).resolve()):
            raise CommandError(f"{path} would be a part of itself: choose a place outside media.")
        partial = path.with_name(path.name + ".part")
        try:
            partial.unlink(missing_ok=True)
            number = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror}.") from error
        try:
            with os.fdopen(number, "wb") as archive:
                notices = write_backup(archive)
                archive.flush()
                os.fsync(number)
            partial.rename(path)
        finally:
            partial.unlink(missing_ok=True)
        self.stderr.write(f"{path} holds everything of this moment. Keep it elsewhere.")
        return notices
