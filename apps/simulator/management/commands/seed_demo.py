"""`manage.py seed_demo`: the demo company, so that a newcomer sees a living inbox."""

from typing import Any

from django.core.management.base import BaseCommand

from apps.simulator.demo.seeding import seed_demo


class Command(BaseCommand):
    """Make the demo data once; running it again changes nothing."""

    help = "Makes the demo company with its tickets and messages (simulator only)."

    def handle(self, *args: Any, **options: Any) -> None:
        """Seed and say what was done."""
        made = seed_demo()
        self.stdout.write("Demo company made." if made else "The demo company is there already.")
