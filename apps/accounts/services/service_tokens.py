"""Tokens of programs that act for a company (rules/accounts §12).

Only a hash is stored. A revoked token is deleted; the audit log keeps its name.
"""

import secrets
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.accounts import events
from apps.accounts.models import Profile, Scope, ServiceToken, User
from apps.accounts.tokens import token_hash
from apps.audit.services import record
from apps.billing.services import check_feature, require_feature
from apps.common.errors import DomainError, InvalidInput, NotFound
from apps.companies.models import Company
from apps.companies.queries import is_overdue
from apps.companies.services import CompanyDisabled, CompanyExpired

# Access tokens never begin so, and scanners of published secrets can find it.
PREFIX = "balcao_"
TOKEN_BYTES = 32
MOST_TOKENS = 50
# How old the stored time of the last use may be.
USE_KEPT = timedelta(minutes=1)
# The id of a program's caller: no account's, so that nothing is the program's own.
NOBODY = 0


class TokenNotServed(DomainError):
    """No scope of service tokens serves the call (rules/accounts §12)."""

    status = 403
    code = "ERR_TOKEN_NOT_SERVED"
    message = "Tokens de serviço não atendem esta chamada. Ela precisa do login de uma pessoa."


class TokenWithoutScope(DomainError):
    """The service token lacks the scope of the call; the answer names the scopes that serve it."""

    status = 403
    code = "ERR_TOKEN_SCOPE"
    message = "Este token de serviço não tem a permissão que a chamada pede."

    def __init__(self, admitting: Iterable[str]) -> None:
        super().__init__(extra={"scopes": sorted(str(each) for each in admitting)})


class ServiceTokenUnknown(DomainError):
    """The token was revoked, or never existed."""

    status = 401
    code = "ERR_UNKNOWN_TOKEN"
    message = (
        "Este token de serviço não existe ou foi revogado. Um administrador cria outro na página"
        " API de mensagens."
    )


class ServiceTokenExpired(DomainError):
    status = 401
    code = "ERR_TOKEN_EXPIRED"
    message = (
        "Este token de serviço expirou. Um administrador cria outro na página API de mensagens."
    )


class ServiceTokenNotFound(NotFound):
    code = "ERR_NO_SERVICE_TOKEN_FOUND"
    message = "Token de serviço não encontrado."


class ServiceTokenLimitReached(DomainError):
    """The company has the maximum number of tokens."""

    status = 409
    code = "ERR_SERVICE_TOKEN_LIMIT"
    message = f"Sua empresa já tem {MOST_TOKENS} tokens de serviço. Revogue um para criar outro."


class CreatedToken(NamedTuple):
    """A new token with its text, which is readable this one time."""

    row: ServiceToken
    text: str


def is_service_token(text: str) -> bool:
    """Tell whether a bearer's text has the form of a service token."""
    return text.startswith(PREFIX)


def caller_of_token(text: str) -> tuple[User, ServiceToken]:
    """Return the caller that a service token stands for, and the token, in one query.

    The caller is no stored user: its id is NOBODY, its name the token's, its rights an admin's.
    Raises ServiceTokenUnknown, ServiceTokenExpired, CompanyDisabled, and what `check_usable`
    raises.
    """
    row = (
        ServiceToken.objects.select_related("company__plan")
        .filter(token_hash=token_hash(text))
        .first()
    )
    if row is None:
        raise ServiceTokenUnknown
    return _caller(row), row


def reload_caller(token: ServiceToken) -> User | None:
    """Return a token's caller as stored now; None when the token serves no more."""
    row = ServiceToken.objects.select_related("company__plan").filter(pk=token.pk).first()
    try:
        return _caller(row) if row else None
    except DomainError:
        return None


def _caller(row: ServiceToken) -> User:
    if row.expires_at is not None and row.expires_at <= timezone.now():
        raise ServiceTokenExpired
    company = row.company
    if not company.is_enabled:
        raise CompanyDisabled
    if is_overdue(company):
        raise CompanyExpired(company.due_date)
    check_feature(company.plan, "externalApi")
    caller = User(pk=NOBODY, company=company, name=row.name, profile=Profile.ADMIN)
    caller.service_token = row
    return caller


def note_use(token: ServiceToken) -> None:
    """Store that the token is in use, at most once a minute."""
    now = timezone.now()
    if token.last_used_at is None or token.last_used_at <= now - USE_KEPT:
        stale = Q(last_used_at=None) | Q(last_used_at__lte=now - USE_KEPT)
        ServiceToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)


def create_token(
    *, actor: User, fields: Mapping[str, Any], ip_address: str | None = None
) -> CreatedToken:
    """Create a token of the company; `fields` are name, scopes and `expires_at`.

    Raises PlanFeatureMissing, InvalidInput and ServiceTokenLimitReached.
    """
    company_id = actor.company_id
    require_feature(company_id=company_id, feature="externalApi")
    expires_at = fields.get("expires_at")
    if expires_at is not None and expires_at <= timezone.now():
        sentence = "Informe uma data futura."
        raise InvalidInput(sentence, fields={"expiresAt": [sentence]}, rule="min_value")
    text = PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    row = ServiceToken(
        company_id=company_id,
        name=fields["name"],
        scopes=[each for each in Scope.values if each in fields["scopes"]],
        expires_at=expires_at,
        user=actor,
        token_hash=token_hash(text),
    )
    with transaction.atomic():
        # Without the lock two concurrent requests could exceed the limit.
        Company.objects.select_for_update(no_key=True).get(pk=company_id)
        if ServiceToken.objects.for_company(company_id).count() >= MOST_TOKENS:
            raise ServiceTokenLimitReached
        row.save()
        _record("service_token.created", actor, row, ip_address)
    return CreatedToken(row, text)


def revoke_token(*, actor: User, token_id: int, ip_address: str | None = None) -> None:
    """Delete a token and close its sockets; raises ServiceTokenNotFound."""
    with transaction.atomic():
        row = ServiceToken.objects.for_company(actor.company_id).filter(pk=token_id).first()
        if row is None:
            raise ServiceTokenNotFound
        _record("service_token.revoked", actor, row, ip_address)
        row.delete()
        events.service_token_revoked(token_id)


def _record(action: str, actor: User, row: ServiceToken, ip_address: str | None) -> None:
    record(
        action=action,
        actor=actor,
        company_id=row.company_id,
        target=row,
        detail={"name": row.name, "scopes": row.scopes},
        ip_address=ip_address,
    )
