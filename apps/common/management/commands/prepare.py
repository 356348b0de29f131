"""`manage.py prepare`: migrations and first-boot data, before the embedded product starts."""

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand

from apps.common.checks import ENVIRONMENT


class Command(BaseCommand):
    """Bring the database up to date; a second run changes nothing."""

    requires_system_checks = (ENVIRONMENT,)
    help = "Migrates, and makes the demo company where the simulator is on and it is missing."

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate, then seed or say how to make the first login."""
        settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
        call_command("migrate", interactive=False, verbosity=0, skip_checks=False)
        if settings.SIMULATOR:
            call_command("seed_demo")
        elif not get_user_model().objects.exists():
            self.stdout.write("There is no login yet: run `manage.py bootstrap`.")
