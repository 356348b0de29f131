"""Set up a production instance: company 1, its plan and the super user."""

import getpass
import sys
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.validators import validate_email

from apps.accounts.services import set_up_operator
from apps.common.errors import DomainError
from config.environment import env

MIN_PASSWORD_LENGTH = 8
MAX_PASSWORD_LENGTH = 50


class Command(BaseCommand):
    """`manage.py bootstrap`; running it again changes nothing."""

    help = (
        "Create company 1, its plan and the super user, without demo data. The password comes from "
        "--password, from BOOTSTRAP_PASSWORD or from a prompt. What exists is left as it is."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--email", help="the super user's e-mail")
        parser.add_argument("--password", help="8 to 50 characters; better not in a shell history")
        parser.add_argument("--name", default="Administrador", help="the super user's name")

    def handle(self, *args: Any, **options: Any) -> None:
        """Create what is missing; raises CommandError that says what to correct."""
        email = options["email"] or env("BOOTSTRAP_EMAIL")
        if not email:
            raise CommandError("Say who the super user is: --email or BOOTSTRAP_EMAIL.")
        try:
            validate_email(email)
        except ValidationError as error:
            raise CommandError(f"{email} is not an e-mail address.") from error
        if not 2 <= len(options["name"].strip()) <= 50:
            raise CommandError("The name needs 2 to 50 characters.")
        try:
            user, is_new = set_up_operator(
                email=email, password=self._password(options["password"]), name=options["name"]
            )
        except DomainError as error:
            raise CommandError(error.sentence) from error
        if is_new:
            self.stdout.write(self.style.SUCCESS(f"Super user {user.email} created."))
        else:
            self.stdout.write(f"The super user is {user.email} already; nothing was changed.")

    def _password(self, given: str | None) -> str:
        password = given or env("BOOTSTRAP_PASSWORD")
        if not password:
            if not sys.stdin.isatty():
                raise CommandError("Give a password: --password or BOOTSTRAP_PASSWORD.")
            password = getpass.getpass("Password of the super user: ")
            if getpass.getpass("Again: ") != password:
                raise CommandError("The two passwords differ.")
        if not MIN_PASSWORD_LENGTH <= len(password) <= MAX_PASSWORD_LENGTH:
            raise CommandError(
                f"The password needs {MIN_PASSWORD_LENGTH} to {MAX_PASSWORD_LENGTH} characters."
            )
        if len(set(password)) < 4:
            raise CommandError("The password repeats too few characters.")
        return password
