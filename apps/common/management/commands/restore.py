"""`manage.py restore FILE`: an archive in the place of the present data."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.common.backups import BackupFailed, MigrationFailed, Restored, read_backup

NEXT = """
What to do next:
- Redis that is not `up`'s own: empty what REDIS_URL names (redis-cli -u "$REDIS_URL" FLUSHDB).
- What waited to be sent when the backup was made is sent once the product starts.
- Start it. Who signed in after the backup signs in again; open pages are to be reloaded.
- Once all is well, delete what was moved aside.
"""


class Command(BaseCommand):
    """Check an archive, move the present data aside, put the archive's in their place, migrate."""

    help = "Restores an archive of `manage.py backup`. The product has to be stopped."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the archive; - for standard input")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        """Restore and say what to do next; raises CommandError with nothing changed."""
        try:
            restored = self._restore(file)
        except BackupFailed as error:
            raise CommandError(f"{error} Nothing was changed.") from error
        except MigrationFailed as error:
            raise CommandError(
                f"The data are restored, but `manage.py migrate` failed on them: {error}"
            ) from error
        self.stdout.write(f"Restored: {restored.made_at}, Balcão {restored.version}.")
        for place in restored.aside:
            self.stdout.write(f"The former data are in {place}.")
        for notice in restored.notices:
            self.stdout.write(self.style.WARNING(notice))
        self.stdout.write(NEXT)

    def _restore(self, file: str) -> Restored:
        if file == "-":
            return read_backup(sys.stdin.buffer)
        try:
            archive = Path(file).open("rb")  # noqa: SIM115  what is read is not what is not there
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
        with archive:
            return read_backup(archive)
