"""The capabilities of each kind of provider, without a provider instance or credentials."""

from apps.connections.models import ProviderKind
from apps.connections.providers.base import Capabilities
from apps.connections.providers.beta.provider import BetaProvider
from apps.connections.providers.official.provider import OfficialProvider

_OF_KIND: dict[ProviderKind, Capabilities] = {
    ProviderKind.OFFICIAL: OfficialProvider.capabilities,
    ProviderKind.BETA: BetaProvider.capabilities,
}


def capabilities_of_kind(kind: str) -> Capabilities:
    """Return what the provider of a kind can do."""
    return _OF_KIND[ProviderKind(kind)]
