"""Take in a company's archive of another installation."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.common.errors import DomainError
from apps.movein.services.archive_importing import import_archive
from apps.movein.words import LANGUAGES


class Command(BaseCommand):
    """`manage.py import_company`; without `--go` it only reports what would come."""

    help = (
        "Take in the archive that an admin of a company made in another installation, as a new"
        " company. Without --go nothing is written: the report says what comes, what is lost and"
        " what needs care."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("archive", type=Path, help="the path of the archive")
        parser.add_argument("--go", action="store_true", help="write; a second run goes on")
        parser.add_argument("--language", choices=sorted(LANGUAGES), default="pt")
        parser.add_argument("--report", type=Path, help="write the report to this file as JSON too")

    def handle(self, *args: Any, **options: Any) -> None:
        """Take in, or report; raises CommandError that says what to correct."""
        say = self.stderr.write if options["verbosity"] > 1 else (lambda _line: None)
        try:
            report = import_archive(path=options["archive"], goes=options["go"], say=say)
        except DomainError as error:
            raise CommandError(error.sentence) from error
        self.stdout.write(report.text(options["language"]))
        if options["report"]:
            told = json.dumps(report.plain(options["language"]), ensure_ascii=False, indent=2)
            options["report"].write_text(f"{told}\n", encoding="utf-8")
