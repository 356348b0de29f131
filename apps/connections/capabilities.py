"""What each way of connecting a number can do, for those who only show it."""

from apps.connections.models import ProviderKind
from apps.connections.providers.base import Capabilities
from apps.connections.providers.beta.provider import CAPABILITIES as BETA
from apps.connections.providers.official.provider import CAPABILITIES as OFFICIAL

_OF_KIND = {ProviderKind.OFFICIAL: OFFICIAL, ProviderKind.BETA: BETA}


def capabilities_of_kind(kind: str) -> Capabilities:
    """Return what the provider of a kind can do."""
    return _OF_KIND[ProviderKind(kind)]
