"""Secrets at rest: a text column whose value is encrypted with the operator's keys."""

import base64
from functools import lru_cache
from typing import Any

from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import models

MASK = "••••••••"


@lru_cache(maxsize=4)
def _cipher(keys: tuple[str, ...]) -> MultiFernet:
    def derive(key: str) -> Fernet:
        hkdf = HKDF(
            algorithm=hashes.SHA256(), length=32, salt=None, info=b"balcao field encryption"
        )
        return Fernet(base64.urlsafe_b64encode(hkdf.derive(key.encode())))

    return MultiFernet([derive(key) for key in keys])


def encrypt(text: str) -> str:
    """Return text encrypted with the newest key."""
    return _cipher(tuple(settings.FIELD_ENCRYPTION_KEYS)).encrypt(text.encode()).decode()


def decrypt(token: str) -> str:
    """Return the text behind a token; raises cryptography.fernet.InvalidToken for foreign ones."""
    return _cipher(tuple(settings.FIELD_ENCRYPTION_KEYS)).decrypt(token.encode()).decode()


class EncryptedTextField(models.TextField[str, str]):
    """Text that is plain in Python and encrypted in the database; it can't be searched."""

    def get_prep_value(self, value: Any) -> Any:
        """Encrypt the value; an empty one stays empty."""
        value = super().get_prep_value(value)
        return encrypt(value) if value else value

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return decrypt(value) if value else value


def masked(secret: str) -> str:
    """Return a fixed mask for a secret, or '' when none is set."""
    return MASK if secret else ""


def is_unchanged(value: str | None) -> bool:
    """Tell whether a dialog sent the mask, so that the stored secret stays.

    See rules/automation §6.
    """
    return not value or value == MASK
