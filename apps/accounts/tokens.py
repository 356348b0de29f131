"""Access tokens and refresh tokens (rules/accounts §5)."""

import hashlib
import hmac
import secrets
import time
from dataclasses import dataclass

from django.conf import settings
from rest_framework_simplejwt.exceptions import ExpiredTokenError, TokenError
from rest_framework_simplejwt.tokens import AccessToken

from apps.accounts.models import User
from apps.common.errors import SessionExpired

BILLING_SCOPE = "billing"
# Cache of verified tokens. Verifying a signature takes a tenth of a short request's time, and a
# browser sends its token many times within its 15 minutes. The user is still read for every
# request.
_MOST_READ = 20_000
_read: "dict[str, tuple[Claims, float]]" = {}


class AccessTokenExpired(SessionExpired):
    """The token was valid once. The status is 403, on which the browser refreshes it."""

    status = 403


@dataclass(frozen=True)
class Claims:
    """The claims of an access token; `scope` is empty when the token is valid for everything."""

    user_id: int
    company_id: int
    token_version: int
    scope: str


def make_access_token(user: User, *, scope: str = "") -> str:
    """Return a signed access token of 15 minutes for the user's current token version."""
    token = AccessToken()
    token["userId"] = user.pk
    token["companyId"] = user.company_id
    token["tokenVersion"] = user.token_version
    if scope:
        token["scope"] = scope
    return str(token)


def read_access_token(text: str) -> Claims:
    """Return a token's claims; raises AccessTokenExpired or SessionExpired."""
    known = _read.get(text)
    if known is not None and known[1] > time.time():
        return known[0]
    try:
        token = AccessToken(text)  # type: ignore[arg-type]
        claims = Claims(
            user_id=int(token["userId"]),
            company_id=int(token["companyId"]),
            token_version=int(token["tokenVersion"]),
            scope=str(token.get("scope", "")),
        )
        expires_at = float(token["exp"])
    except ExpiredTokenError as error:
        raise AccessTokenExpired from error
    except (TokenError, KeyError, TypeError, ValueError) as error:
        raise SessionExpired from error
    if len(_read) >= _MOST_READ:
        _read.clear()
    _read[text] = (claims, expires_at)
    return claims


def is_signed(text: str) -> bool:
    """Tell whether we signed the access token, even if it has expired."""
    try:
        read_access_token(text)
    except AccessTokenExpired:
        return True
    except SessionExpired:
        return False
    return True


def new_refresh_token() -> str:
    return secrets.token_urlsafe(32)


def next_refresh_token(token: str) -> str:
    """Return the successor of a refresh token.

    It is derived with the server's secret instead of generated at random: parallel refreshes of one
    browser then all receive the same successor, though only hashes are stored.
    """
    key = hashlib.sha256(b"refresh token rotation:" + settings.SECRET_KEY.encode()).digest()
    return hmac.new(key, token.encode(), hashlib.sha256).hexdigest()


def token_hash(token: str) -> str:
    """Return the hash of a refresh token, as it is stored."""
    return hashlib.sha256(token.encode()).hexdigest()
