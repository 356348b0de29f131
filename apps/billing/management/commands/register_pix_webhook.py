"""`manage.py register_pix_webhook`: registers this installation's webhook at Efí."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.billing.services.clients import WebhookNotRegistered, register_efi_webhook


class Command(BaseCommand):
    help = "Have Efí notify this installation of what PIX_KEY receives."

    def handle(self, *args: Any, **options: Any) -> None:
        """Register the address. Efí calls it during the registration to check that it answers."""
        try:
            address = register_efi_webhook()
        except WebhookNotRegistered as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Efí notifies {address} from now on.")
