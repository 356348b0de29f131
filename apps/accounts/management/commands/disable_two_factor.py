"""Remove a second factor, also that of the super user, whom no other user can help."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.accounts.models import User
from apps.accounts.services.two_factor import take_away


class Command(BaseCommand):
    """`manage.py disable_two_factor E-MAIL`; running it again changes nothing."""

    help = "Take the second factor off an account whose owner lost telephone and recovery codes."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="the account's e-mail")

    def handle(self, *args: Any, **options: Any) -> None:
        """Remove the second factor; raises CommandError for an unknown e-mail."""
        user = User.objects.filter(email__iexact=options["email"].strip()).first()
        if user is None:
            raise CommandError(f"No account has the e-mail {options['email']}.")
        if take_away(user=user, actor=None):
            self.stdout.write(self.style.SUCCESS(f"{user.email} signs in by password alone."))
        else:
            self.stdout.write(f"{user.email} has no second factor; nothing was changed.")
