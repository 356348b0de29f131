"""A service account's own token for an API of Google's (google.aip.dev/auth/4111).

The library's own classes for service accounts do more: they look up the account's regions in a
thread of their own and may ask a token server. Import this module late: it brings the library.
"""

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from google.auth import crypt, jwt
from google.auth.credentials import Credentials

LIFETIME = timedelta(hours=1)


class SelfSigned(Credentials):
    """Signs with the account's key, and calls nobody; raises ValueError for an unusable key."""

    def __init__(self, *, email: str, private_key: str, key_id: str, audience: str) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._email = email
        self._audience = audience
        self._signer = _signer(private_key, key_id)

    def refresh(self, request: Any) -> None:
        """Sign a new token."""
        now = datetime.now(UTC)
        claims = {
            "iss": self._email,
            "sub": self._email,
            "aud": self._audience,
            "iat": int(now.timestamp()),
            "exp": int((now + LIFETIME).timestamp()),
        }
        self.token = jwt.encode(self._signer, claims).decode()  # type: ignore[no-untyped-call]
        # The library compares it with UTC without a zone.
        self.expiry = (now + LIFETIME).replace(tzinfo=None)


@lru_cache(maxsize=32)
def _signer(private_key: str, key_id: str) -> crypt.RSASigner:
    """Return a key, ready to sign; its check takes longer than all the rest of a turn."""
    signer = crypt.RSASigner
    return signer.from_string(private_key, key_id or None)  # type: ignore[no-untyped-call, no-any-return]
