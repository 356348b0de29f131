"""Signing in, refreshing a session and signing out (rules/accounts §5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import connection as database
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Lower
from django.utils import timezone

from apps.accounts import events
from apps.accounts.devices import device_name
from apps.accounts.models import RefreshSession, User
from apps.accounts.permissions import Permission
from apps.accounts.services.two_factor import require_code
from apps.accounts.tokens import (
    BILLING_SCOPE,
    AccessTokenExpired,
    Claims,
    make_access_token,
    new_refresh_token,
    next_refresh_token,
    read_access_token,
    token_hash,
)
from apps.audit.services import record
from apps.billing.models import Plan
from apps.billing.services.invoices import make_invoices
from apps.common.bulk import insert_row
from apps.common.compiled_queries import CompiledQuery, columns_of, instance_of, kept_cursor
from apps.common.conditions import adapted
from apps.common.errors import DomainError, SessionExpired
from apps.common.reasons import Reason
from apps.companies.models import Company
from apps.companies.queries import is_overdue, zone_of
from apps.companies.services import CompanyDisabled, CompanyExpired
from apps.mail.services import write_mail


class InvalidCredentials(DomainError):
    """Unknown e-mail or wrong password; the answer does not say which."""

    status = 401
    code = "ERR_INVALID_CREDENTIALS"
    message = "E-mail ou Senha inválida. Por favor, tente novamente."


class UserDisabled(DomainError):
    """The account is switched off. The status is 401, since login never answers 403."""

    status = 401
    code = "ERR_USER_DISABLED"
    message = "Sua conta foi desativada. Fale com o administrador da sua empresa."


class SessionRenewed(DomainError):
    """The response to another request of this browser carries the new refresh token."""

    status = 409
    code = "ERR_SESSION_RENEWED"
    message = "A senha acabou de mudar. Tente de novo em alguns segundos."


class SignedInElsewhere(SessionExpired):
    """A later sign-in of the account ended this session. Older browsers read `SessionExpired`."""

    message = "Sua conta foi acessada em outro computador."

    def __init__(self) -> None:
        super().__init__(extra=Reason("ERR_SIGNED_IN_ELSEWHERE").on_wire())


# How long the response with a new refresh token may take to arrive.
RENEWING = timedelta(seconds=10)


@dataclass(frozen=True)
class Browser:
    """The browser of a sign-in: its user agent, its language, and whether the account has used
    it before.
    """

    device: str
    language: str
    is_known: bool


@dataclass(frozen=True)
class OpenedSession:
    """A session's two tokens; `overdue` is set when they have billing scope only."""

    user: User
    access_token: str
    refresh_token: str
    overdue: CompanyExpired | None


def _open(user: User, refresh_token: str) -> OpenedSession:
    """Return the session's tokens; raises CompanyExpired for an overdue company's `user`."""
    overdue = CompanyExpired(user.company.due_date) if is_overdue(user.company) else None
    if overdue and not user.may(Permission.BILLING):
        raise overdue
    scope = BILLING_SCOPE if overdue else ""
    return OpenedSession(user, make_access_token(user, scope=scope), refresh_token, overdue)


def sign_in(
    *,
    email: str,
    password: str,
    ip_address: str | None,
    code: str = "",
    browser: Browser | None = None,
) -> OpenedSession:
    """Open a session, the only one of the account; older ones end, and their browsers are notified.

    `code` is the second factor of an account that has one. A sign-in from an unknown browser is
    notified by e-mail, except the account's first. An admin of an overdue company gets a session of
    billing scope. Raises InvalidCredentials, UserDisabled, CompanyDisabled, SecondFactorMissing,
    and CompanyExpired for an overdue company's `user`.
    """
    rows = _BY_EMAIL.rows(email_text=email.strip().lower())
    user = _whole_user(rows[0]) if rows else None
    if user is None:
        make_password(password)  # takes the same time as for a known address
        raise InvalidCredentials
    if not user.check_password(password):
        raise InvalidCredentials
    if not user.is_active:
        raise UserDisabled
    if not user.company.is_enabled:
        raise CompanyDisabled
    require_code(user, code)
    is_first = user.last_login is None
    refresh_token = new_refresh_token()
    with transaction.atomic():
        _begin_version(user)
        session = _open(user, refresh_token)
        if session.overdue:
            make_invoices(company_id=user.company_id)  # its due date may have been changed just now
        _take_over(user)
        _keep(user, refresh_token)
        record(
            action="session.opened",
            actor=user,
            company_id=user.company_id,
            target=user,
            detail={
                **({"scope": BILLING_SCOPE} if session.overdue else {}),
                **({"device": browser.device} if browser else {}),
            },
            ip_address=ip_address,
        )
        events.signed_in_elsewhere(user)
        if browser is not None and not browser.is_known and not is_first:
            _tell_of_new_browser(user, browser, ip_address)
    return session


def _tell_of_new_browser(user: User, browser: Browser, ip_address: str | None) -> None:
    write_mail(
        company_id=user.company_id,
        recipient=user.email,
        template="accounts/mail/new_browser",
        language=browser.language,
        name=user.name,
        email=user.email,
        device=device_name(browser.device),
        ip_address=ip_address,
        moment=timezone.now().astimezone(zone_of(user.company_id)),
    )


def _begin_version(user: User) -> None:
    """Give the user the next token version, in one statement whose plan is kept."""
    table, now = database.ops.quote_name(User._meta.db_table), timezone.now()
    statement = f"""
        UPDATE {table} SET token_version = token_version + 1, last_login = %s
        WHERE id = %s RETURNING token_version
    """  # noqa: S608  nothing but the table's name
    with kept_cursor() as cursor:
        cursor.execute(statement, [adapted(now), user.pk])
        begun = cursor.fetchone()
    if begun is None:  # the account was deleted since it was read
        raise InvalidCredentials
    user.last_login, user.token_version = now, begun[0]


def _take_over(user: User) -> None:
    """End the user's sessions, but keep their rows until they expire, to explain the refusal."""
    table, now = database.ops.quote_name(RefreshSession._meta.db_table), timezone.now()
    statement = f"""
        UPDATE {table} SET is_taken_over = TRUE
        WHERE user_id = %s AND (NOT is_taken_over OR expires_at < %s) RETURNING expires_at < %s
    """  # noqa: S608  nothing but the table's name
    with kept_cursor() as cursor:
        cursor.execute(statement, [user.pk, adapted(now), adapted(now)])
        expired = [is_expired for (is_expired,) in cursor.fetchall()]
    if any(expired):
        RefreshSession.objects.filter(user=user, expires_at__lt=now).delete()


def _keep(user: User, refresh_token: str) -> None:
    now = timezone.now()
    insert_row(
        RefreshSession(
            user=user,
            current_hash=token_hash(refresh_token),
            rotated_at=now,
            token_version=user.token_version,
            expires_at=now + settings.REFRESH_TOKEN_LIFETIME,
        )
    )


def renew_own_session(user: User) -> str:
    """Invalidate every token of the user, and return a new refresh token for the calling browser.

    The browser's access token is refused as if it had expired; it can be renewed with the new
    refresh token only. The old rows are kept: a refresh that was sent before the new token arrived
    is answered with SessionRenewed, and the browser tries again.
    """
    refresh_token = new_refresh_token()
    User.objects.filter(pk=user.pk).update(token_version=F("token_version") + 1)
    user.refresh_from_db(fields=["token_version"])
    RefreshSession.objects.filter(user=user).update(rotated_at=timezone.now())
    _keep(user, refresh_token)
    events.signed_out(user)
    return refresh_token


def refresh_session(*, refresh_token: str) -> OpenedSession:
    """Rotate a refresh token; the previous one stays valid for a minute.

    Raises SessionExpired, SignedInElsewhere, SessionRenewed, UserDisabled, CompanyDisabled, and
    CompanyExpired as `sign_in` does.
    """
    session = find_refresh_session(refresh_token)
    if session is None:
        raise _why_refused(refresh_token)
    if not session.user.company.is_enabled:
        raise CompanyDisabled
    successor = next_refresh_token(refresh_token)
    opened = _open(session.user, successor)
    now = timezone.now()
    rotated = RefreshSession.objects.filter(
        pk=session.pk, current_hash=token_hash(refresh_token)
    ).update(
        current_hash=token_hash(successor),
        previous_hash=token_hash(refresh_token),
        rotated_at=now,
        expires_at=now + settings.REFRESH_TOKEN_LIFETIME,
    )
    # Either a parallel refresh has rotated the token to the same successor, or the session has just
    # ended.
    if (
        not rotated
        and not RefreshSession.objects.filter(
            pk=session.pk, current_hash=token_hash(successor)
        ).exists()
    ):
        raise SessionExpired
    return opened


def find_refresh_session(refresh_token: str) -> RefreshSession | None:
    """Return the valid session of a refresh token, with its user, company and plan; or None."""
    if not refresh_token:
        return None
    now = timezone.now()
    digest = token_hash(refresh_token)
    return (
        RefreshSession.objects.select_related("user__company__plan")
        .filter(
            Q(current_hash=digest)
            | Q(previous_hash=digest, rotated_at__gt=now - settings.REFRESH_TOKEN_GRACE),
            expires_at__gt=now,
            user__is_active=True,
            user__token_version=F("token_version"),
        )
        .first()
    )


def _why_refused(refresh_token: str) -> DomainError:
    digest = token_hash(refresh_token)
    session = (
        RefreshSession.objects.select_related("user")
        .filter(Q(current_hash=digest) | Q(previous_hash=digest))
        .first()
    )
    if session is None:
        return SessionExpired()
    if not session.user.is_active:
        return UserDisabled()
    if session.is_taken_over:
        return SignedInElsewhere()
    is_replaced = session.token_version != session.user.token_version
    if is_replaced and session.rotated_at > timezone.now() - RENEWING:
        return SessionRenewed()
    return SessionExpired()


_USER, _COMPANY, _PLAN = columns_of(User), columns_of(Company), columns_of(Plan)


def _whole(users: "QuerySet[User]") -> "QuerySet[User, Any]":
    return users.values_list(
        *_USER,
        *(f"company__{name}" for name in _COMPANY),
        *(f"company__plan__{name}" for name in _PLAN),
    )


def _whole_user(row: Sequence[Any]) -> User:
    """Return a user with company and plan, of the columns of `_whole`."""
    values = iter(row)  # each `instance_of` consumes its own columns
    user = instance_of(User, _USER, values)
    user.company = instance_of(Company, _COMPANY, values)
    user.company.plan = instance_of(Plan, _PLAN, values)
    return user


# Every authenticated request runs this query.
_SIGNED_IN = CompiledQuery(
    lambda user_id, company_id, version: _whole(
        User.objects.filter(
            pk=user_id, company_id=company_id, token_version=version, is_active=True
        )
    )
)
_BY_EMAIL = CompiledQuery(
    lambda email_text: _whole(
        User.objects.alias(lower_email=Lower("email")).filter(lower_email=email_text)
    )
)


def user_of_claims(claims: Claims) -> User:
    """Return the user of an access token, with company and plan, in one query.

    Raises SessionExpired for an older token version (SignedInElsewhere after a later sign-in,
    AccessTokenExpired after `renew_own_session`), UserDisabled and CompanyDisabled.
    """
    rows = _SIGNED_IN.rows(
        user_id=claims.user_id, company_id=claims.company_id, version=claims.token_version
    )
    if not rows:
        raise _why_stale(claims)
    user = _whole_user(rows[0])
    if not user.company.is_enabled:
        raise CompanyDisabled
    return user


def _why_stale(claims: Claims) -> DomainError:
    user = User.objects.filter(pk=claims.user_id, company_id=claims.company_id).first()
    if user is None:
        return SessionExpired()
    if not user.is_active:
        return UserDisabled()
    versions = RefreshSession.objects.filter(user=user, token_version=claims.token_version)
    session = versions.order_by("is_taken_over").first()
    if session is None:
        return SessionExpired()
    return SignedInElsewhere() if session.is_taken_over else AccessTokenExpired()


def refuse_overdue(user: User, claims: Claims | None) -> None:
    """Refuse overdue companies and tokens of billing scope.

    Raises CompanyExpired. Once the company has paid, a token of billing scope raises
    AccessTokenExpired: a refresh then returns a token for everything.
    """
    if is_overdue(user.company):
        raise CompanyExpired(user.company.due_date)
    if claims is not None and claims.scope == BILLING_SCOPE:
        raise AccessTokenExpired


def end_sessions(user: User, *, forget: bool = True) -> None:
    """Invalidate every token of the user.

    Without `forget` the sessions' rows are kept, to explain the refusal to a browser that returns.
    """
    User.objects.filter(pk=user.pk).update(token_version=F("token_version") + 1)
    user.refresh_from_db(fields=["token_version"])
    if forget:
        RefreshSession.objects.filter(user=user).delete()
    events.signed_out(user)


def sign_out(*, refresh_token: str, authorization: str) -> None:
    """End the session of the cookie, or else of the bearer token; no error when it has ended
    already.
    """
    session = find_refresh_session(refresh_token)
    user = session.user if session else None
    if user is None:
        try:
            user = user_of_claims(read_access_token(authorization.removeprefix("Bearer ").strip()))
        except DomainError:
            return
    with transaction.atomic():
        end_sessions(user)
