"""Authentication of requests and sockets by access token (rules/accounts §5)."""

from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from apps.accounts.models import ServiceToken, User
from apps.accounts.permissions import Permission
from apps.accounts.services.service_tokens import (
    ServiceTokenUnknown,
    caller_of_token,
    is_service_token,
    note_use,
)
from apps.accounts.services.sessions import find_refresh_session, refuse_overdue, user_of_claims
from apps.accounts.throttles import count_service_call, count_unknown_token
from apps.accounts.tokens import Claims, read_access_token
from apps.common import log_ids
from apps.common.errors import SessionExpired
from apps.companies.queries import is_overdue


def user_of_token(token: str) -> User:
    """Return the user of a socket's access token, in one query.

    An admin of an overdue company receives payment events only. Raises AccessTokenExpired (403) for
    an expired token, and for a token of billing scope after the company has paid; also
    SessionExpired (401), UserDisabled (401), CompanyDisabled (401), and CompanyExpired (402) for an
    overdue company's `user`.
    """
    claims = read_access_token(token)
    user = user_of_claims(claims)
    if is_overdue(user.company) and user.may(Permission.BILLING):
        user.only_pays = True
    else:
        refuse_overdue(user, claims)
    return user


def user_of_refresh_cookie(value: str) -> User | None:
    """Return the user of a valid refresh token, in one query; None when it is refused.

    Sockets of older browsers sign in with it. The token is not rotated. An admin of an overdue
    company receives payment events only.
    """
    session = find_refresh_session(value)
    if session is None:
        return None
    user = session.user
    if not user.company.is_enabled:
        return None
    user.only_pays = is_overdue(user.company)
    return user if not user.only_pays or user.may(Permission.BILLING) else None


def _program(request: Request, token: str) -> tuple[User, ServiceToken]:
    try:
        caller, row = caller_of_token(token)
    except ServiceTokenUnknown:
        count_unknown_token(request)
        raise
    count_service_call(row.pk)
    note_use(row)
    log_ids.note(company=caller.company_id, token=row.pk)
    return caller, row


class TokenAuthentication(BaseAuthentication):
    """Authenticates by bearer: an access token, whose claims `request.auth` holds, or a service
    token, whose row it holds.
    """

    def authenticate(self, request: Request) -> tuple[User, Claims | ServiceToken] | None:
        """Return the token's user and claims, or None without a token; raises for an invalid one.

        `AccessPermission` refuses overdue companies, since that depends on the view.
        """
        header = request.META.get("HTTP_AUTHORIZATION", "").strip()
        if not header:
            return None
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer":
            raise SessionExpired
        token = token.strip()
        if is_service_token(token):
            return _program(request, token)
        claims = read_access_token(token)
        user = user_of_claims(claims)
        log_ids.note(company=user.company_id, user=user.pk)
        return user, claims

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"
