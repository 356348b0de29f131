"""A service account of Google's, its key made for the tests."""

import json
from functools import lru_cache
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa


@lru_cache(maxsize=1)
def _private_key() -> str:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()


def service_account(**fields: Any) -> str:
    """Return the JSON that Google Cloud lets one download, with any field changed."""
    return json.dumps(
        {
            "type": "service_account",
            "project_id": "loja-bot",
            "private_key_id": "k1",
            "private_key": _private_key(),
            "client_email": "bot@loja-bot.iam.gserviceaccount.com",
            "client_id": "1",
            "auth_uri": "https://accounts.google.com/o/oauth2/auth",
            "token_uri": "https://oauth2.googleapis.com/token",
            **fields,
        }
    )
