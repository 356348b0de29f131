"""What a gateway commits: keys, credentials and events of one session, together or not at all.

docs/gateway.md §3. What WhatsApp is then told has arrived is stored here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from django.db import transaction
from django.utils import timezone

from apps.common.encryption import encrypt
from apps.common.leases import LeaseState
from apps.common.wakeups import wake
from apps.connections.models import QrSession
from apps.connections.services.qr_addresses import keep_addresses
from apps.connections.services.qr_sessions import apply_session_event
from apps.connections.services.qr_state import Keys, locked_session, store_state
from apps.inbound.models import InboundEvent
from apps.inbound.services.forgetting import forgotten_among

# These are handled at once: the status of a session is not ordered with any conversation.
AT_ONCE = {"session": apply_session_event, "contacts": keep_addresses}


@dataclass(frozen=True)
class GatewayEvent:
    """One event as the gateway sent it."""

    event_id: str
    kind: str
    partition: str
    payload: dict[str, Any]
    # When the gateway received it, in milliseconds since 1970.
    at: int | None = None


@transaction.atomic
def commit_session(
    *,
    session_id: int,
    epoch: int,
    credentials: Any = None,
    keys: Keys | None = None,
    events: Sequence[GatewayEvent] = (),
    write: int = 0,
) -> None:
    """Store what a session's owner commits; `write` as `store_state` has it.

    An event that is stored already changes nothing. Raises SessionGone and StaleEpoch.
    """
    session, connection_id = locked_session(session_id, epoch)
    store_state(session, credentials=credentials, keys=keys, write=write)
    if events:
        _store(session, connection_id, events)


def _store(session: QrSession, connection_id: int, events: Sequence[GatewayEvent]) -> None:
    ids = [event.event_id for event in events]
    stored = InboundEvent.objects.filter(connection=connection_id, event_id__in=ids)
    known = set(stored.values_list("event_id", flat=True)) | forgotten_among(connection_id, ids)
    new: dict[str, GatewayEvent] = {}
    for event in events:
        if event.event_id not in known:
            new.setdefault(event.event_id, event)
    now = timezone.now()
    rows = []
    for event in new.values():
        is_done = event.kind in AT_ONCE
        rows.append(
            InboundEvent(
                connection_id=connection_id,
                event_id=event.event_id,
                kind=event.kind,
                partition=event.partition,
                payload=_shown(event) if is_done else sealed({"at": event.at, **event.payload}),
                state=LeaseState.DONE if is_done else LeaseState.WAITING,
                finished_at=now if is_done else None,
            )
        )
    InboundEvent.objects.bulk_create(rows)
    for event in new.values():
        if event.kind in AT_ONCE:
            AT_ONCE[event.kind](session, event.payload)
    if any(row.state == LeaseState.WAITING for row in rows):
        wake("inbound.process")


def _shown(event: GatewayEvent) -> dict[str, Any]:
    """Return the event without pairing codes: the operator may read it."""
    hidden = {"qr", "pairingCode", "contacts"}
    return {key: value for key, value in event.payload.items() if key not in hidden}


def sealed(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return a payload whose parts that hold keys are encrypted.

    The raw form, a file's reference and the secret with which votes on a poll are.
    """
    shown = dict(payload)
    if shown.get("raw"):
        shown["raw"] = {"sealed": encrypt(orjson.dumps(shown["raw"]).decode())}
    media = shown.get("media")
    if isinstance(media, dict) and media.get("reference"):
        reference = encrypt(orjson.dumps(media["reference"]).decode())
        shown["media"] = {**media, "reference": reference}
    poll = shown.get("poll")
    if isinstance(poll, dict) and isinstance(poll.get("secret"), str):
        shown["poll"] = {**poll, "secret": encrypt(poll["secret"])}
    return shown
