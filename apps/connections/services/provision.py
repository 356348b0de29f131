"""From a connection to the provider that speaks for it."""

from django.conf import settings

from apps.common.reasons import ReasonCode
from apps.connections.models import Connection, ProviderKind
from apps.connections.providers.base import Provider, ProviderError
from apps.connections.providers.official.client import READ_SECONDS
from apps.connections.providers.official.provider import OfficialProvider


def official_provider_for(
    connection: Connection, *, read_seconds: float = READ_SECONDS
) -> OfficialProvider:
    """Return the provider of an official number; without its own token the operator's serves."""
    return OfficialProvider(
        phone_number_id=connection.phone_number_id or "",
        access_token=connection.access_token or settings.META_ACCESS_TOKEN,
        base_url=settings.GRAPH_API_URL,
        version=settings.GRAPH_API_VERSION,
        read_seconds=read_seconds,
    )


def provider_for(connection: Connection) -> Provider:
    """Return the provider that sends for a connection; raises ProviderError when there is none."""
    if connection.provider == ProviderKind.OFFICIAL:
        return official_provider_for(connection)
    raise ProviderError(
        "Conexões por QR Code não estão disponíveis nesta instalação.",
        reason=ReasonCode.QR_UNAVAILABLE,
        needs_reconnect=True,
    )
