"""Browsers in which an account has signed in before (rules/accounts §5).

A signed cookie that says nothing to whoever reads it: a name drawn for the browser, and digests of
the e-mails that signed in there.
"""

import hashlib
import secrets
from dataclasses import dataclass

from django.core import signing

COOKIE = "known_browser"
LIFETIME_SECONDS = 180 * 24 * 3600
# A desk that many share; who was there longest ago is forgotten first.
MOST_ACCOUNTS = 10
_SALT = "known browser"


def email_digest(email: str) -> str:
    """Return what stands for an e-mail, whatever its case."""
    # Large first, as a database compares without case: a dotless i is then an i.
    return hashlib.sha256(email.strip().upper().lower().encode()).hexdigest()[:32]


@dataclass(frozen=True)
class KnownBrowser:
    """A browser's name, and for whom it is known."""

    name: str
    accounts: tuple[str, ...] = ()

    def knows(self, email: str) -> bool:
        """Tell whether this account has signed in here."""
        return email_digest(email) in self.accounts

    def cookie_after(self, email: str) -> str:
        """Return the cookie's new text once the account has signed in here."""
        own = email_digest(email)
        others = [each for each in self.accounts if each != own]
        accounts = [own, *others][:MOST_ACCOUNTS]
        return signing.dumps({"name": self.name, "accounts": accounts}, salt=_SALT)


def read_known_browser(cookie: str) -> KnownBrowser:
    """Return the browser of a cookie; one that is not ours, or too old, is a new browser's."""
    try:
        stored = signing.loads(cookie, salt=_SALT, max_age=LIFETIME_SECONDS)
        return KnownBrowser(str(stored["name"]), tuple(map(str, stored["accounts"])))
    except (signing.BadSignature, KeyError, TypeError, ValueError):
        return KnownBrowser(secrets.token_hex(16))
