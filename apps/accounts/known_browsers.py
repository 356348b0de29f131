"""Browsers in which an account has signed in before (rules/accounts §5).

A signed cookie holds a random name for the browser, and digests of the e-mails that have signed in
there. It does not disclose the e-mails.
"""

import hashlib
import secrets
from dataclasses import dataclass

from django.core import signing

COOKIE = "known_browser"
LIFETIME_SECONDS = 180 * 24 * 3600
# Many accounts may share a browser; the least recently used one is forgotten first.
MOST_ACCOUNTS = 10
_SALT = "known browser"


def email_digest(email: str) -> str:
    """Return the digest of an e-mail, ignoring case."""
    # Upper-case first, as a database does when it ignores case: a dotless i then equals an i.
    return hashlib.sha256(email.strip().upper().lower().encode()).hexdigest()[:32]


@dataclass(frozen=True)
class KnownBrowser:
    """A browser's random name, and the digests of the accounts that have signed in there."""

    name: str
    accounts: tuple[str, ...] = ()

    def knows(self, email: str) -> bool:
        """Tell whether this account has signed in here."""
        return email_digest(email) in self.accounts

    def cookie_after(self, email: str) -> str:
        """Return the cookie's new value after a sign-in of the account."""
        own = email_digest(email)
        others = [each for each in self.accounts if each != own]
        accounts = [own, *others][:MOST_ACCOUNTS]
        return signing.dumps({"name": self.name, "accounts": accounts}, salt=_SALT)


def read_known_browser(cookie: str) -> KnownBrowser:
    """Return the browser of a cookie; a new browser when the cookie is forged, malformed or too
    old.
    """
    try:
        stored = signing.loads(cookie, salt=_SALT, max_age=LIFETIME_SECONDS)
        return KnownBrowser(str(stored["name"]), tuple(map(str, stored["accounts"])))
    except (signing.BadSignature, KeyError, TypeError, ValueError):
        return KnownBrowser(secrets.token_hex(16))
