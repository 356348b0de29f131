"""Authentication by access token (rules/accounts §5), for calls and for sockets."""

from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from apps.accounts.models import User
from apps.accounts.services.sessions import find_refresh_session, refuse_overdue, user_of_claims
from apps.accounts.tokens import Claims, read_access_token
from apps.common.errors import SessionExpired
from apps.companies.queries import is_overdue


def user_of_token(token: str) -> User:
    """Return the user of an access token that is good for the whole product, in one query.

    Raises AccessTokenExpired (403), SessionExpired (401), CompanyDisabled (401) or CompanyExpired
    (402).
    """
    claims = read_access_token(token)
    user = user_of_claims(claims)
    refuse_overdue(user, claims)
    return user


def user_of_refresh_cookie(value: str) -> User | None:
    """Return the user of a living refresh token, in one query; None when it is refused.

    For sockets of older browsers: the token is not rotated by it.
    """
    session = find_refresh_session(value)
    if session is None:
        return None
    company = session.user.company
    return None if not company.is_enabled or is_overdue(company) else session.user


class TokenAuthentication(BaseAuthentication):
    """Bearer access tokens; `request.auth` holds their claims."""

    def authenticate(self, request: Request) -> tuple[User, Claims] | None:
        """Return the token's user, None without a token; refuses a malformed or older one.

        An overdue company is `AccessPermission`'s to refuse, which knows the call.
        """
        header = request.META.get("HTTP_AUTHORIZATION", "").strip()
        if not header:
            return None
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer":
            raise SessionExpired
        claims = read_access_token(token.strip())
        return user_of_claims(claims), claims

    def authenticate_header(self, request: Request) -> str:
        """Name the scheme."""
        return "Bearer"
