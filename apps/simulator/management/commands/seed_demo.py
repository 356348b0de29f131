"""`manage.py seed_demo`: creates a demo company with an inbox full of tickets."""

from typing import Any

from django.core.management.base import BaseCommand

from apps.simulator.demo.seeding import seed_demo


class Command(BaseCommand):
    """Creates the demo data once; running it again only extends due dates."""

    help = "Makes the demo company with its tickets and messages (simulator only)."

    def handle(self, *args: Any, **options: Any) -> None:
        made = seed_demo()
        self.stdout.write("Demo company made." if made else "The demo company is there already.")
