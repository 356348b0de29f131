"""Parses the bodies of gateways' calls; refuses what breaks the contract (docs/gateway.md)."""

from typing import Any

from apps.connections.providers.cleaning import clean, fitting
from apps.connections.services.qr_leases import LeaseCall
from apps.connections.services.qr_state import MOST_KEYS, Keys, StateRefused
from apps.inbound.models import PARTITION_LENGTH
from apps.inbound.services.gateway_events import GatewayEvent

MOST_EVENTS = 200
MOST_SESSIONS = 2000
LARGEST = 2**53
EVENT_ID_LENGTH, KIND_LENGTH = 250, 20
TYPE_LENGTH, NAME_LENGTH = 50, 200
GATEWAY_LENGTH, ADDRESS_LENGTH = 100, 200
VERSION = 1


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < LARGEST:
        raise StateRefused
    return value


def _text(value: Any, length: int, *, least: int = 1) -> str:
    if not isinstance(value, str) or not least <= len(value) <= length or "\x00" in value:
        raise StateRefused
    return value


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise StateRefused
    return value


def _list(value: Any, most: int) -> list[Any]:
    if not isinstance(value, list) or len(value) > most:
        raise StateRefused
    return value


def lease_in(body: dict[str, Any]) -> LeaseCall:
    """Return what a lease call says."""
    if body.get("version") != VERSION:
        raise StateRefused(f"Este servidor fala a versão {VERSION} do contrato.")
    address = _text(body.get("address"), ADDRESS_LENGTH)
    if not address.startswith(("http://", "https://")):
        raise StateRefused
    held = [_object(each) for each in _list(body.get("held"), MOST_SESSIONS)]
    return LeaseCall(
        gateway=_text(body.get("gateway"), GATEWAY_LENGTH),
        address=address.rstrip("/"),
        room=min(_whole(body.get("room")), MOST_SESSIONS),
        held={_whole(each.get("session")): _whole(each.get("epoch")) for each in held},
        is_leaving=body.get("leaving") is True,
        number=_whole(body.get("call") or 0),
        parted=[_whole(each) for each in _list(body.get("parted") or [], MOST_SESSIONS)],
    )


def beat_in(body: dict[str, Any]) -> tuple[str, int]:
    """Return who beats, and how many beats in a row were answered."""
    return _text(body.get("gateway"), GATEWAY_LENGTH), _whole(body.get("steady"))


def epoch_in(body: dict[str, Any]) -> int:
    """Return the epoch in which the caller owns the session."""
    return _whole(body.get("epoch"))


def write_in(body: dict[str, Any]) -> int:
    """Return the number of what a call writes, 0 where it has none."""
    return _whole(body.get("write") or 0)


def wanted_in(body: dict[str, Any]) -> dict[str, list[str]]:
    """Return which keys are asked for, by type."""
    wanted = _object(body.get("wanted"))
    return {
        _text(kind, TYPE_LENGTH): [_text(name, NAME_LENGTH) for name in _list(names, MOST_KEYS)]
        for kind, names in wanted.items()
    }


def keys_in(body: dict[str, Any]) -> Keys:
    """Return the keys to be stored, by type and name."""
    keys = {
        _text(kind, TYPE_LENGTH): {
            _text(name, NAME_LENGTH): value for name, value in _object(values).items()
        }
        for kind, values in _object(body.get("keys") or {}).items()
    }
    if sum(map(len, keys.values())) > MOST_KEYS:
        raise StateRefused
    return keys


def events_in(body: dict[str, Any]) -> list[GatewayEvent]:
    """Return the events to be stored, in a form that the database takes."""
    events = [_object(each) for each in _list(body.get("events") or [], MOST_EVENTS)]
    return [
        GatewayEvent(
            event_id=fitting(_text(each.get("id"), 2000), EVENT_ID_LENGTH),
            kind=_text(each.get("kind"), KIND_LENGTH),
            partition=fitting(_text(each.get("partition"), 2000, least=0), PARTITION_LENGTH),
            payload=_object(clean(_object(each.get("payload")))),
            at=_whole(each.get("at") or 0),
        )
        for each in events
    ]
