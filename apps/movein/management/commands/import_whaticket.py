"""Import an installation of an older product of the family."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.common.errors import DomainError
from apps.movein.services.importing import import_source
from apps.movein.words import LANGUAGES


class Command(BaseCommand):
    """`manage.py import_whaticket`; without `--go` it only reports what would come."""

    help = (
        "Import companies, users, contacts, tickets, messages and all else from the database of an"
        " older product of the family, or from a dump of it. Without --go nothing is written: the"
        " report says what comes, what is merged, what is lost and what needs care."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "source", help="postgres://…, mysql://… (also mariadb://…), or the path of a dump"
        )
        parser.add_argument("--go", action="store_true", help="write; a second run goes on")
        parser.add_argument(
            "--dry-run", action="store_true", help="only report, which is the default"
        )
        parser.add_argument("--media", type=Path, help="the older product's folder `public`")
        parser.add_argument("--name", help="the installation's name, to tell several apart")
        parser.add_argument("--language", choices=sorted(LANGUAGES), default="pt")
        parser.add_argument("--report", type=Path, help="write the report to this file as JSON too")

    def handle(self, *args: Any, **options: Any) -> None:
        """Import, or report; raises CommandError that says what to correct."""
        if options["go"] and options["dry_run"]:
            raise CommandError("Choose one of --go and --dry-run.")
        say = self.stderr.write if options["verbosity"] > 1 else (lambda _line: None)
        try:
            report = import_source(
                address=options["source"],
                name=options["name"] or _name_of(options["source"]),
                goes=options["go"],
                media=options["media"],
                say=say,
            )
        except DomainError as error:
            raise CommandError(error.sentence) from error
        self.stdout.write(report.text(options["language"]))
        if options["report"]:
            told = json.dumps(report.plain(options["language"]), ensure_ascii=False, indent=2)
            options["report"].write_text(f"{told}\n", encoding="utf-8")


def _name_of(source: str) -> str:
    """Return the host and name of a database, or the name of a file: never a password."""
    if "://" not in source:
        return Path(source).name[:100]
    parts = urlsplit(source)
    return f"{parts.hostname or ''}:{parts.port or ''}{parts.path}"[:100]
