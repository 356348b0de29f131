"""Meta's notifications: split without loss, then read one by one. Pure; nothing here raises.

Shapes: developers.facebook.com/docs/whatsapp/cloud-api/webhooks/components.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from apps.connections.providers.cleaning import clean, digest, fitting
from apps.connections.providers.inbound import (
    InboundAccount,
    InboundAddresses,
    InboundCall,
    InboundFigures,
    InboundForm,
    InboundHandover,
    InboundHistory,
    InboundIdentity,
    InboundMessage,
    InboundNotice,
    InboundPreferences,
    InboundStatus,
    InboundTemplate,
)
from apps.connections.providers.official.accounts import read_account
from apps.connections.providers.official.figures import (
    read_alert,
    read_capability,
    read_quality,
)
from apps.connections.providers.official.flows import FLOWS, read_flow
from apps.connections.providers.official.phone import (
    ADDRESSES,
    HISTORY,
    address_parts,
    history_parts,
    read_addresses,
    read_history,
)
from apps.connections.providers.official.preferences import FIELD as PREFERENCES
from apps.connections.providers.official.preferences import read_preferences
from apps.connections.providers.official.reading import (
    ACKS,
    is_system,
    read_call,
    read_identity,
    read_message,
    read_status,
)
from apps.connections.providers.official.standby import (
    HANDOVERS,
    STANDBY,
    as_echo,
    read_copy,
    read_handover,
    unwrapped,
)
from apps.connections.providers.official.template_news import READERS as TEMPLATE_READERS
from apps.connections.providers.official.template_news import read_template_news
from apps.connections.providers.official.values import as_dict, as_list, as_text

EVENT_ID_LENGTH = 250
KIND_LENGTH = 20
PARTITION_LENGTH = 100
# The kind of notices of fields that nothing reads.
UNKNOWN = "unknown"

ENVELOPE_KEYS = frozenset({"messaging_product", "metadata", "contacts"})

Routed = tuple[str, InboundNotice]


def _notice(event_id: str, kind: str, partition: str, payload: dict[str, Any]) -> InboundNotice:
    return InboundNotice(
        event_id=fitting(event_id, EVENT_ID_LENGTH),
        kind=kind[:KIND_LENGTH],
        partition=fitting(partition, PARTITION_LENGTH),
        payload=payload,
    )


def _own_contact(contacts: list[Any], ids: set[str], *, is_alone: bool) -> dict[str, Any]:
    """Return the entry of `contacts` that belongs to one of the ids."""
    known = [as_dict(contact) for contact in contacts]
    for contact in known:
        if ids & {as_text(contact.get("wa_id")), as_text(contact.get("user_id"))}:
            return contact
    return known[0] if is_alone and len(known) == 1 else {}


def _first(*candidates: Any) -> str:
    return next((text for text in map(as_text, candidates) if text), "")


def _person(contact: dict[str, Any], user_id: str, number: str) -> str:
    """Return the key by which events of one person are ordered.

    The number may be missing in some notifications, so the user id takes precedence.
    """
    return _first(user_id, contact.get("user_id"), contact.get("wa_id"), number)


def _message_notice(
    message: dict[str, Any],
    envelope: dict[str, Any],
    contacts: list[Any],
    *,
    is_alone: bool,
    is_echo: bool = False,
) -> InboundNotice:
    side = "to" if is_echo else "from"
    number, user_id = as_text(message.get(side)), as_text(message.get(f"{side}_user_id"))
    contact = _own_contact(contacts, {number, user_id} - {""}, is_alone=is_alone)
    message_id = as_text(message.get("id"))
    partition = _first(
        message.get("group_id"),
        # A person whose id changes is known by the former id.
        as_dict(message.get("system")).get("previous_user_id"),
        _person(contact, user_id, number),
    )
    payload = {**envelope, "is_echo": is_echo, "contact": contact, "message": message}
    return _notice(f"message:{message_id or '#' + digest(message)}", "message", partition, payload)


def _status_notice(
    status: dict[str, Any], envelope: dict[str, Any], contacts: list[Any], *, is_alone: bool
) -> InboundNotice:
    number, user_id = (as_text(status.get(f"recipient_{key}")) for key in ("id", "user_id"))
    contact = _own_contact(contacts, {number, user_id} - {""}, is_alone=is_alone)
    message_id, step = as_text(status.get("id")), as_text(status.get("status"))
    is_group = status.get("recipient_type") == "group"
    partition = number if is_group and number else _person(contact, user_id, number)
    event_id = f"status:{message_id or '#' + digest(status)}:{step}"
    return _notice(
        event_id, "status", partition, {**envelope, "contact": contact, "status": status}
    )


def _call_notice(
    call: dict[str, Any], envelope: dict[str, Any], contacts: list[Any], *, is_alone: bool
) -> InboundNotice:
    ids = {as_text(call.get(key)) for key in ("from", "to", "from_user_id")} - {""}
    contact = _own_contact(contacts, ids, is_alone=is_alone)
    call_id, step = as_text(call.get("id")), as_text(call.get("event"))
    partition = _person(contact, as_text(call.get("from_user_id")), as_text(call.get("from")))
    event_id = f"calls:{call_id or '#' + digest(call)}:{step}"
    return _notice(event_id, "calls", partition, {**envelope, "contact": contact, "call": call})


def _other_notice(value: Any, envelope: dict[str, Any], kind: str) -> InboundNotice:
    payload = {**envelope, "value": value}
    contacts = envelope.get("contacts", [])
    alone = as_dict(contacts[0]) if len(contacts) == 1 else {}
    partition = _first(_person(alone, "", ""), kind)
    return _notice(f"{kind}:{digest(payload)}", kind, partition, payload)


def _copy_notice(
    item: dict[str, Any],
    envelope: dict[str, Any],
    contacts: list[Any],
    *,
    is_alone: bool,
    notice_of: Callable[..., InboundNotice],
) -> InboundNotice:
    """Return the notice of a part of a `standby` notification, in its person's partition."""
    notice = notice_of(item, envelope, contacts, is_alone=is_alone)
    event_id = fitting(f"{STANDBY}:{notice.event_id}", EVENT_ID_LENGTH)
    return replace(notice, kind=STANDBY, event_id=event_id)


def _echo_notice(
    item: dict[str, Any], envelope: dict[str, Any], contacts: list[Any], *, is_alone: bool
) -> InboundNotice:
    notice = _message_notice(as_echo(item), envelope, contacts, is_alone=is_alone, is_echo=True)
    return replace(notice, payload={**notice.payload, "message": item})


def _handover_notice(value: dict[str, Any], envelope: dict[str, Any]) -> InboundNotice:
    sender = as_dict(value.get("sender"))
    partition = _first(sender.get("user_id"), sender.get("phone_number"), HANDOVERS)
    payload = {**envelope, "value": value}
    return _notice(f"{HANDOVERS}:{digest(value)}", HANDOVERS, partition, payload)


# The lists of a field, each with the function that makes a notice of an item.
_ITEM_NOTICES: dict[str, dict[str, Callable[..., InboundNotice]]] = {
    "messages": {"messages": _message_notice, "statuses": _status_notice},
    # Messages that our side wrote on the phone.
    "smb_message_echoes": {"message_echoes": partial(_message_notice, is_echo=True)},
    "calls": {"calls": _call_notice},
    STANDBY: {
        "messages": partial(_copy_notice, notice_of=_message_notice),
        "message_echoes": partial(_copy_notice, notice_of=_echo_notice),
        "statuses": partial(_copy_notice, notice_of=_status_notice),
    },
}
_ACCOUNT_FIELDS: dict[
    str, Callable[[dict[str, Any]], InboundAccount | InboundFigures | InboundForm | None]
] = {
    "account_update": read_account,
    "account_alerts": read_alert,
    "phone_number_quality_update": read_quality,
    "business_capability_update": read_capability,
    FLOWS: read_flow,
}
# Fields with a known meaning that need no action.
_UNUSED_FIELDS = (
    "business_username_updates",
    "group_lifecycle_update",
    "group_participants_update",
    "group_settings_update",
    "group_status_update",
)
# A notification is judged by its field alone: what a value of another field contains is not read.
FIELDS = frozenset(
    {
        *_ITEM_NOTICES,
        *_ACCOUNT_FIELDS,
        *TEMPLATE_READERS,
        *_UNUSED_FIELDS,
        HISTORY,
        ADDRESSES,
        PREFERENCES,
        HANDOVERS,
    }
)
READ_FIELDS = FIELDS.difference(_UNUSED_FIELDS)


def _is_list(key: str, items: Any) -> bool:
    """Tell whether a list is split; malformed calls stay in one notice."""
    if key == "calls":
        return bool(as_list(items)) and all(isinstance(item, dict) for item in items)
    return isinstance(items, list)


def _phone_notices(value: dict[str, Any], envelope: dict[str, Any]) -> list[InboundNotice]:
    """Return the parts of a phone's data, ordered in a partition of their own.

    A repeated chunk has the same ids.
    """
    field = envelope["field"]
    cut = history_parts if field == HISTORY else address_parts
    return [
        _notice(f"{field}:{digest(part)}", field, field, {**envelope, **part})
        for part in cut(value)
    ]


def _value_notices(value: dict[str, Any], envelope: dict[str, Any]) -> list[InboundNotice]:
    field = envelope["field"]
    if field in {HISTORY, ADDRESSES} and (parts := _phone_notices(value, envelope)):
        return parts
    if field == HANDOVERS:
        return [_handover_notice(value, envelope)]
    if field == STANDBY:
        value = unwrapped(value)
    contacts = as_list(value.get("contacts"))
    wider = {**envelope, "contacts": contacts} if contacts else envelope
    rest = {key: inner for key, inner in value.items() if key not in ENVELOPE_KEYS}
    found: list[InboundNotice] = []
    for key, notice_of in _ITEM_NOTICES.get(field, {}).items():
        if not _is_list(key, rest.get(key)):
            continue
        items = rest.pop(key)
        for item in items:
            if isinstance(item, dict):
                found.append(notice_of(item, envelope, contacts, is_alone=len(items) == 1))
            else:
                found.append(_other_notice(item, wider, key))
    if "errors" in rest:
        found.append(_other_notice({"errors": rest.pop("errors")}, wider, "errors"))
    if rest or not found:
        found.append(_other_notice(rest, wider, field))
    return found


def _unknown_notice(change: Any, envelope: dict[str, Any]) -> InboundNotice:
    """Keep a change of an unknown field, or of none, whole."""
    kind = UNKNOWN if envelope["field"] else "malformed"
    payload = {**envelope, "change": change}
    return _notice(f"{kind}:{digest(payload)}", kind, kind, payload)


def notices(body: Any) -> list[Routed]:
    """Split a notification into (phone_number_id, notice), in the order of the body.

    Any number of entries, changes, messages and statuses; other fields and parts of an unknown
    shape become notices of their own kind, an unknown field one of the kind UNKNOWN. A part that
    names no number has an empty phone_number_id and its account in `payload['waba_id']`.
    """
    routed: list[Routed] = []
    for entry in as_list(as_dict(clean(body)).get("entry")):
        account = as_text(as_dict(entry).get("id"))
        time = as_dict(entry).get("time")
        changes = as_dict(entry).get("changes")
        for change in changes if isinstance(changes, list) else [entry]:
            value = as_dict(change).get("value")
            field = as_text(as_dict(change).get("field"))
            metadata = as_dict(as_dict(value).get("metadata"))
            # For partners' accounts the entry is the partner's id.
            named = as_text(as_dict(as_dict(value).get("waba_info")).get("waba_id"))
            # A handover tells the number as its recipient.
            own = as_dict(as_dict(value).get("recipient")) if field == HANDOVERS else metadata
            phone_number_id = as_text(own.get("phone_number_id"))
            envelope = {
                "field": field,
                "waba_id": named or account,
                "time": time,
                "metadata": metadata,
            }
            if field not in FIELDS:
                found = [_unknown_notice(change, envelope)]
            elif isinstance(value, dict):
                found = _value_notices(value, envelope)
            else:
                found = [_other_notice(change, envelope, field)]
            routed.extend((phone_number_id, notice) for notice in found)
    return routed


def notification_of(message: dict[str, Any], envelope: dict[str, Any]) -> dict[str, Any]:
    """Rebuild Meta's notification of one message from the parts that `notices` kept.

    It names nobody whom Meta did not name.
    """
    value: dict[str, Any] = {"messaging_product": "whatsapp"}
    if metadata := as_dict(envelope.get("metadata")):
        value["metadata"] = metadata
    if contact := as_dict(envelope.get("contact")):
        value["contacts"] = [contact]
    value["messages"] = [message]
    change = {"field": as_text(envelope.get("field")) or "messages", "value": value}
    entry: dict[str, Any] = {"id": as_text(envelope.get("waba_id"))}
    if envelope.get("time") is not None:
        entry["time"] = envelope["time"]
    return {"object": "whatsapp_business_account", "entry": [{**entry, "changes": [change]}]}


def field_of(notice: InboundNotice) -> str:
    """Return the field of a notice, UNKNOWN for any that is not of FIELDS."""
    field = as_text(notice.payload.get("field"))
    return field if field in FIELDS else UNKNOWN


def status_ids(external_id: str) -> list[str]:
    """Return the ids of the events of a message's statuses."""
    ids = [f"status:{external_id}:{step}" for step in ACKS]
    return [*ids, *(f"{STANDBY}:{each}" for each in ids)]


# A kind is the beginning of its field's name.
_ACCOUNT_READERS = {field[:KIND_LENGTH]: reader for field, reader in _ACCOUNT_FIELDS.items()}


def parse_notice(
    kind: str, payload: Any
) -> (
    InboundMessage
    | InboundStatus
    | InboundCall
    | InboundAccount
    | InboundFigures
    | InboundForm
    | InboundIdentity
    | InboundHandover
    | InboundTemplate
    | InboundHistory
    | InboundAddresses
    | InboundPreferences
    | None
):
    """Parse a stored notice; None if it needs no action."""
    if kind == UNKNOWN:
        return None
    if kind == "message":
        message = as_dict(as_dict(payload).get("message"))
        return read_identity(message) if is_system(message) else read_message(as_dict(payload))
    if kind == "status":
        return read_status(as_dict(payload))
    if kind == "calls":
        return read_call(as_dict(payload))
    if kind == STANDBY:
        return read_copy(as_dict(payload))
    if kind == HANDOVERS:
        return read_handover(as_dict(payload))
    if kind == HISTORY:
        return read_history(as_dict(payload))
    if kind == ADDRESSES:
        return read_addresses(as_dict(payload))
    if kind == PREFERENCES:
        return read_preferences(as_dict(payload))
    if reader := _ACCOUNT_READERS.get(kind):
        return reader(as_dict(payload))
    # Their names are longer than the column of the kind.
    return read_template_news(as_dict(payload))
