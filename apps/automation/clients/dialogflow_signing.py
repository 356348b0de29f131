"""A service account's own token for an API of Google's (google.aip.dev/auth/4111).

The library's own classes for service accounts do more: they look up the account's regions in a
thread of their own and may ask a token server. Import this module late: it brings the library.
"""

from datetime import UTC, datetime, timedelta
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
        signer = crypt.RSASigner
        self._signer = signer.from_string(private_key, key_id or None)  # type: ignore[no-untyped-call]

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
