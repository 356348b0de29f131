"""The one handler of everything that providers report (specification 4 §1).

It turns a stored event into the wire-neutral form and hands it to the domain; whatever the
provider, what happens then is the same.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.utils import timezone

from apps.connections.models import Connection, ProviderKind
from apps.connections.providers.base import InboundMessage, InboundStatus
from apps.connections.providers.official.webhook import parse_notice
from apps.inbound.models import InboundEvent
from apps.tickets.services.receiving import receive_message
from apps.tickets.services.statuses import UnknownMessage, apply_status

Parser = Callable[[str, dict[str, Any]], InboundMessage | InboundStatus | None]
PARSERS: dict[str, Parser] = {ProviderKind.OFFICIAL: parse_notice}

# How long a status may be ahead of our own record of the message, and how often we look again.
AHEAD_SECONDS = 60
LOOK_AGAIN_SECONDS = 1.0


class NotYet(Exception):
    """The event is ahead of something of ours: look again in `seconds`."""

    def __init__(self, message: str, *, seconds: float) -> None:
        self.seconds = seconds
        super().__init__(message)


def handle(event: InboundEvent, connection: Connection) -> None:
    """Do what an event asks for, in the caller's transaction; raises NotYet to be called again."""
    notice = PARSERS[connection.provider](event.kind, event.payload)
    if isinstance(notice, InboundMessage):
        receive_message(connection=connection, inbound=notice)
    elif isinstance(notice, InboundStatus):
        _handle_status(event, connection, notice)


def _handle_status(event: InboundEvent, connection: Connection, status: InboundStatus) -> None:
    try:
        apply_status(connection, status)
    except UnknownMessage as unknown:
        # A message of another program on the same number, unless one of ours is on its way.
        is_young = timezone.now() - event.received_at < timedelta(seconds=AHEAD_SECONDS)
        if unknown.may_be_ours and is_young:
            raise NotYet(
                "A mensagem ainda não foi registrada.", seconds=LOOK_AGAIN_SECONDS
            ) from unknown
