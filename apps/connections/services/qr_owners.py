"""Finds the gateway that owns a session."""

from django.conf import settings

from apps.connections.models import Connection, QrSession
from apps.connections.providers.beta.client import GatewayClient
from apps.connections.providers.departing import OnWriting, unwatched
from apps.connections.services.qr_leases import database_now


def client_of(connection: Connection, *, on_writing: OnWriting = unwatched) -> GatewayClient | None:
    """Return a client of the gateway that owns a connection's session; None without an owner."""
    session = (
        QrSession.objects.filter(connection=connection, expires_at__gt=database_now())
        .exclude(gateway="")
        .values("pk", "epoch", "address")
        .first()
    )
    if session is None:
        return None
    return GatewayClient(
        secret=settings.GATEWAY_SECRET,
        address=session["address"],
        session_id=session["pk"],
        epoch=session["epoch"],
        on_writing=on_writing,
    )
