"""`manage.py migrate`:

Django's command, which refuses databases that it could migrate only in part, and ends at once if
there is nothing to do.
"""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

from apps.common import former_migrations, pending_migrations
from apps.common.checks import ENVIRONMENT

# With one of these it does or tells something else than to apply what is pending.
OTHER_WAYS = ("app_label", "plan", "check_unapplied", "fake", "fake_initial", "run_syncdb", "prune")


class Command(migrate.Command):
    """Django's `migrate`; it refuses a database that has only part of the former migrations."""

    requires_system_checks = (ENVIRONMENT,)

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate, unless only a part of the migrations of before 1.0.0rc1 was applied."""
        database = options["database"]
        is_plain = not any(options[name] for name in OTHER_WAYS)
        if is_plain and pending_migrations.is_up_to_date(database):
            if options["verbosity"] > 0:
                self.stdout.write("No migrations to apply.")
            return
        if not options["skip_checks"]:
            self.check(databases=[database])
        recorder = MigrationRecorder(connections[database])
        if refusal := former_migrations.refusal(set(recorder.applied_migrations())):
            raise CommandError(refusal)
        super().handle(*args, **options)
