"""Clients of the Pix providers, with the operator's credentials."""

import base64
import binascii
import hashlib
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlencode

from django.conf import settings

from apps.billing.models import PixProvider
from apps.billing.pix.asaas import AsaasPix
from apps.billing.pix.base import PixClient, PixError
from apps.billing.pix.efi import EfiClient
from apps.billing.pix.manual import ManualClient

PEM = "-----BEGIN"


def client_of(provider: str) -> PixClient:
    """Return a provider's client; raises PixError when its credentials are not set.

    It need not be the current PIX_PROVIDER, since older charges outlive a change of this setting.
    """
    if provider == PixProvider.EFI:
        if not (settings.EFI_CLIENT_ID and settings.EFI_CLIENT_SECRET):
            raise PixError("EFI_CLIENT_ID or EFI_CLIENT_SECRET is not set.")
        return efi_client()
    if provider == PixProvider.ASAAS:
        if not settings.BILLING_ASAAS_TOKEN:
            raise PixError("BILLING_ASAAS_TOKEN is not set.")
        return AsaasPix(
            token=settings.BILLING_ASAAS_TOKEN, url=settings.ASAAS_URL, key=settings.PIX_KEY
        )
    return ManualClient(key=settings.PIX_KEY, name=settings.PIX_NAME, city=settings.PIX_CITY)


def efi_client() -> EfiClient:
    """Return the client of the operator's account at Efí; raises PixError."""
    return _efi_client(
        settings.EFI_CLIENT_ID,
        settings.EFI_CLIENT_SECRET,
        _certificate(settings.EFI_CERTIFICATE),
        settings.EFI_URL,
        settings.PIX_KEY,
    )


class WebhookNotRegistered(Exception):
    """The registration failed; the message tells the operator why."""


def register_efi_webhook() -> str:
    """Register this installation's webhook at Efí; returns the address without its secret.

    Raises WebhookNotRegistered.
    """
    if not settings.PIX_WEBHOOK_SECRET:
        raise WebhookNotRegistered("Set PIX_WEBHOOK_SECRET first.")
    address = f"{settings.PUBLIC_URL}/webhooks/efi"
    query = urlencode({"hmac": settings.PIX_WEBHOOK_SECRET})
    try:
        # Efí appends /pix, which then becomes the value of `ignorar`.
        efi_client().set_webhook(f"{address}?{query}&ignorar=")
    except PixError as error:
        raise WebhookNotRegistered(str(error)) from error
    return address


@lru_cache(maxsize=2)  # the client caches its access token
def _efi_client(
    client_id: str, client_secret: str, certificate: str, url: str, key: str
) -> EfiClient:
    return EfiClient(
        client_id=client_id,
        client_secret=client_secret,
        certificate=certificate,
        url=url,
        key=key,
    )


@lru_cache(maxsize=2)
def _certificate(given: str) -> str:
    """Return the path of the certificate; a PEM given as text or base64 is written to DATA_DIR.

    Raises PixError.
    """
    if not given.startswith(PEM) and len(given) < 250 and Path(given).is_file():
        return given
    text = given
    if not given.startswith(PEM):
        try:
            text = base64.b64decode(given, validate=True).decode()
        except (binascii.Error, ValueError) as error:
            raise PixError("EFI_CERTIFICATE is neither a file nor base64.") from error
    if not text.startswith(PEM):
        raise PixError("EFI_CERTIFICATE is no PEM certificate with its key.")
    folder = settings.DATA_DIR / "efi"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path: Path = folder / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.pem"
    path.touch(mode=0o600)
    path.write_text(text)
    return str(path)
