"""The operator's account at a local Efí."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from apps.automation.tests.wire import wire_server
from apps.billing.tests.efi import Efi

# With it the bank shows who it is.
WEBHOOK_SECRET = "s" * 40


@contextmanager
def local_bank() -> Iterator[tuple[Efi, dict[str, str]]]:
    """Serve an Efí until the block ends; gives it with what a product is told of it."""
    with TemporaryDirectory() as folder, wire_server() as server:
        certificate = Path(folder) / "efi.pem"
        certificate.write_text("-----BEGIN CERTIFICATE-----")
        bank = Efi()
        server.handler = bank
        variables = {
            "PIX_PROVIDER": "efi",
            "PIX_KEY": "pix@balcao.example",
            "PIX_WEBHOOK_SECRET": WEBHOOK_SECRET,
            "EFI_CLIENT_ID": "client",
            "EFI_CLIENT_SECRET": "segredo",
            "EFI_CERTIFICATE": str(certificate),
            "EFI_URL": server.url,
        }
        yield bank, variables
