"""What is done with connections; the rules are those of specifications 2 §5 and 4 §13."""

from apps.connections.services.provision import official_provider_for, provider_for
from apps.connections.services.saving import (
    ConnectionValues,
    connection_for,
    connection_leaves,
    create_connection,
    delete_connection,
    update_connection,
)
from apps.connections.services.sessions import (
    disconnect,
    mark_reconnect_needed,
    pause_sends,
    renew_qrcode,
    session_sentence,
    start_session,
    verify_connection,
    verify_opening,
)

__all__ = [
    "ConnectionValues",
    "connection_for",
    "connection_leaves",
    "create_connection",
    "delete_connection",
    "disconnect",
    "mark_reconnect_needed",
    "official_provider_for",
    "pause_sends",
    "provider_for",
    "renew_qrcode",
    "session_sentence",
    "start_session",
    "update_connection",
    "verify_connection",
    "verify_opening",
]
