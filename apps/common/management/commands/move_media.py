"""`manage.py move_media`: the files of the folder into the bucket."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.common.media import bucket
from apps.common.media_moving import Moved, move_files

SHOWN_FAULTS = 20


class Command(BaseCommand):
    """Move stored files to the S3 store while the product runs; given again it goes on."""

    help = (
        "Moves the files of DATA_DIR/media into S3_BUCKET while the product runs. Interrupted, it"
        " goes on when it is given again."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Tell every 200 files how far it is; raises CommandError."""
        store = bucket()
        if store is None:
            raise CommandError("S3_BUCKET is not set: there is no bucket to move files to.")
        moved = move_files(store, self._tell)
        self._tell(moved)
        for fault in moved.faults[:SHOWN_FAULTS]:
            self.stderr.write(fault)
        if moved.faults:
            raise CommandError(
                f"{len(moved.faults)} files stay in the folder, and are read there. Give the"
                " command again."
            )
        self.stdout.write("The folder is empty: all files are in the bucket.")

    def _tell(self, moved: Moved) -> None:
        self.stdout.write(
            f"moved {moved.files} files, {moved.bytes} bytes; there already {moved.known};"
            f" not moved {len(moved.faults)}"
        )
