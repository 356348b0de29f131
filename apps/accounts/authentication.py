"""Authentication by access token (rules/accounts §5), for calls and for sockets."""

from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from apps.accounts.models import User
from apps.accounts.services.sessions import find_refresh_session, refuse_overdue, user_of_claims
from apps.accounts.tokens import Claims, read_access_token
from apps.common.errors import SessionExpired
from apps.companies.queries import is_overdue


def user_of_token(token: str) -> User:
    """Return the user of an access token, for a socket, in one query.

    An overdue company's admin hears of payments alone. Raises AccessTokenExpired (403), also for a
    token that is good for paying alone once that is done, SessionExpired (401), CompanyDisabled
    (401), or CompanyExpired (402) for an overdue company's `user`.
    """
    claims = read_access_token(token)
    user = user_of_claims(claims)
    if is_overdue(user.company) and user.is_admin:
        user.only_pays = True
    else:
        refuse_overdue(user, claims)
    return user


def user_of_refresh_cookie(value: str) -> User | None:
    """Return the user of a living refresh token, in one query; None when it is refused.

    For sockets of older browsers: the token is not rotated by it. An overdue company's admin hears
    of payments alone.
    """
    session = find_refresh_session(value)
    if session is None:
        return None
    user = session.user
    if not user.company.is_enabled:
        return None
    user.only_pays = is_overdue(user.company)
    return user if user.is_admin or not user.only_pays else None


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
        return "Bearer"
