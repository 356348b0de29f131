"""Builds the provider of a connection."""

from urllib.parse import urlsplit

from django.conf import settings
from django.core import signing

from apps.common.reasons import ReasonCode
from apps.companies.models import SUPER_COMPANY_ID
from apps.connections.models import Connection, OperatorAccount, ProviderKind
from apps.connections.providers.base import Provider, ProviderError
from apps.connections.providers.beta.provider import BetaProvider
from apps.connections.providers.content import MediaContent
from apps.connections.providers.departing import OnWriting, unwatched
from apps.connections.providers.official.client import READ_SECONDS
from apps.connections.providers.official.provider import OfficialProvider
from apps.connections.services.qr_addresses import addresses_of
from apps.connections.services.qr_owners import client_of

META_DOMAIN = "facebook.com"
FILE_SALT = "gateway file"
FILE_SECONDS = 600
NO_OWNER_SECONDS = 10.0


def is_metas_own() -> bool:
    """Tell whether GRAPH_API_URL is Meta's own, not a stand-in."""
    host = (urlsplit(settings.GRAPH_API_URL).hostname or "").rstrip(".")
    return host == META_DOMAIN or host.endswith(f".{META_DOMAIN}")


def token_of(connection: Connection) -> str:
    """Return the token of an official number, '' if there is none.

    The operator's token serves company 1 and the accounts that the operator assigned to a company.
    """
    if connection.access_token or not settings.META_ACCESS_TOKEN:
        return connection.access_token
    is_served = (
        connection.company_id == SUPER_COMPANY_ID
        or OperatorAccount.objects.filter(
            company_id=connection.company_id, waba_id=connection.waba_id
        ).exists()
    )
    return settings.META_ACCESS_TOKEN if is_served else ""


def official_provider_for(
    connection: Connection,
    *,
    read_seconds: float = READ_SECONDS,
    on_writing: OnWriting = unwatched,
) -> OfficialProvider:
    """Return the provider of an official number; raises ProviderError without a token."""
    token = token_of(connection)
    if not token:
        raise ProviderError(
            "Informe o token de acesso da Meta na conexão.",
            reason=ReasonCode.TOKEN_MISSING,
            needs_reconnect=True,
        )
    return OfficialProvider(
        phone_number_id=connection.phone_number_id or "",
        access_token=token,
        base_url=settings.GRAPH_API_URL,
        version=settings.GRAPH_API_VERSION,
        read_seconds=read_seconds,
        on_writing=on_writing,
    )


def provider_for(connection: Connection, *, on_writing: OnWriting = unwatched) -> Provider:
    """Return the provider that sends for a connection; raises ProviderError when there is none.

    `on_writing` is called right before a message leaves; what it raises keeps the message here.
    """
    if connection.provider == ProviderKind.OFFICIAL:
        return official_provider_for(connection, on_writing=on_writing)
    client = client_of(connection, on_writing=on_writing)
    if client is None:
        raise ProviderError(
            "O gateway que mantém esta conexão não responde. Outro assume em instantes.",
            reason=ReasonCode.GATEWAY_GONE,
            code="no_owner",
            retry_after=NO_OWNER_SECONDS,
        )
    session_id = connection.pk
    return BetaProvider(
        client=client,
        file_url=lambda media: file_url(connection.company_id, media),
        address_book=lambda: addresses_of(session_id),
    )


def file_url(company_id: int, media: MediaContent) -> str:
    """Return where a gateway fetches the file of a message; raises ProviderError for a foreign one.

    A path at this server, good for ten minutes (docs/gateway.md §6).
    """
    if not media.path.startswith(f"{company_id}/"):
        raise ProviderError(
            "O arquivo não está mais disponível.", reason=ReasonCode.MEDIA_GONE, permanent=True
        )
    named = {"path": media.path, "mime": media.mime, "voice": media.is_voice}
    return f"/internal/gateway/files/{signing.dumps(named, salt=FILE_SALT)}"
