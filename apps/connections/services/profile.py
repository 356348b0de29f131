"""The business profile of an official number (rules/connections §14)."""

from typing import Any

from apps.accounts.models import User
from apps.audit.services import record
from apps.common.errors import DomainError
from apps.connections.models import Connection, ProviderKind
from apps.connections.providers.base import ProviderError
from apps.connections.providers.content import BusinessProfile
from apps.connections.services.provision import official_provider_for

ASK_SECONDS = 10.0


class NoProfile(DomainError):
    """The profile of a QR session is edited on its phone."""

    code = "ERR_NO_PROFILE"
    message = "O perfil deste número é editado no celular. Só números da API oficial o têm aqui."


class ProfileUnavailable(DomainError):
    """Meta failed to read or change the profile; the sentence is Meta's reason."""

    status = 424
    code = "ERR_PROFILE_UNAVAILABLE"
    message = "A Meta não respondeu sobre o perfil do número. Tente de novo."


class ProfileRefused(DomainError):
    """Meta refused the profile; the sentence is Meta's reason."""

    code = "ERR_PROFILE_REFUSED"
    message = "A Meta não aceitou o perfil."


def profile_of(connection: Connection) -> BusinessProfile:
    """Ask Meta for a number's profile; raises NoProfile and ProfileUnavailable.

    Never call it inside a transaction.
    """
    _check_number(connection)
    try:
        return official_provider_for(connection, read_seconds=ASK_SECONDS).business_profile()
    except ProviderError as error:
        raise ProfileUnavailable(error.message, extra=error.reason.on_wire()) from error


def change_profile(
    *,
    actor: User,
    connection: Connection,
    changes: dict[str, Any],
    ip_address: str | None = None,
) -> None:
    """Change the given fields, by Meta's names, of a number's profile.

    Raises NoProfile, ProfileRefused and ProfileUnavailable. Never call it inside a transaction.
    """
    _check_number(connection)
    if not changes:
        return
    try:
        official_provider_for(connection).change_profile(changes)
    except ProviderError as error:
        refusal = ProfileRefused if error.permanent else ProfileUnavailable
        raise refusal(error.message, extra=error.reason.on_wire()) from error
    record(
        action="connection.profile_changed",
        actor=actor,
        company_id=connection.company_id,
        target=connection,
        detail={"fields": sorted(changes)},
        ip_address=ip_address,
    )


def _check_number(connection: Connection) -> None:
    if connection.provider != ProviderKind.OFFICIAL:
        raise NoProfile
    if connection.verified_at is None:
        raise ProfileUnavailable(
            "Este número ainda não foi confirmado pela Meta. Reconecte-o em Conexões."
        )
