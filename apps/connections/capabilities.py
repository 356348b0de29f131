"""What each way of connecting a number can do, for those who only show it."""

from apps.connections.models import ProviderKind
from apps.connections.providers.base import Capabilities
from apps.connections.providers.official.provider import CAPABILITIES as OFFICIAL

# Until a QR session sends, its messages can't be changed either.
NONE = Capabilities(
    edit=False,
    delete=False,
    react=False,
    native_menus=False,
    templates=False,
    check_number=False,
    session_window=False,
)
_OF_KIND = {ProviderKind.OFFICIAL: OFFICIAL}


def capabilities_of_kind(kind: str) -> Capabilities:
    """Return what the provider of a kind can do."""
    return _OF_KIND.get(ProviderKind(kind), NONE)
