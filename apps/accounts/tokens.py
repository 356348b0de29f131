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
# Checking a signature costs a tenth of a short call, and a browser shows its token many times in
# the quarter of an hour that it lives. Who the token names is looked up for every call.
_MOST_READ = 20_000
_read: "dict[str, tuple[Claims, float]]" = {}


class AccessTokenExpired(SessionExpired):
    """The token was good once: 403 drives the browser's refresh."""

    status = 403


@dataclass(frozen=True)
class Claims:
    """What an access token says; `scope` is empty for a whole session."""

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
    """Tell whether an access token is one that we made, even if it has ended."""
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
    """Return the token that follows in the rotation.

    It is derived with the server's secret instead of drawn: parallel refreshes of one browser then
    all receive the same successor, though only hashes are stored.
    """
    key = hashlib.sha256(b"refresh token rotation:" + settings.SECRET_KEY.encode()).digest()
    return hmac.new(key, token.encode(), hashlib.sha256).hexdigest()


def token_hash(token: str) -> str:
    """Return what is stored of a refresh token."""
    return hashlib.sha256(token.encode()).hexdigest()
