"""`manage.py migrate`:

Django's command, which refuses databases that it could migrate only in part.
"""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

from apps.common import former_migrations


class Command(migrate.Command):
    """Django's `migrate`; it refuses a database that has only part of the former migrations."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate, unless only a part of the migrations of before 1.0.0rc1 was applied."""
        recorder = MigrationRecorder(connections[options["database"]])
        if refusal := former_migrations.refusal(set(recorder.applied_migrations())):
            raise CommandError(refusal)
        super().handle(*args, **options)
