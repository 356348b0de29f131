"""What Meta reports of conversations that another responder of the number leads.

developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/standby and
…/messaging_handovers. An echo is the body of the call that sent the message; the definition of a
template stands beside it.
"""

from dataclasses import replace
from datetime import UTC, datetime

from apps.connections.providers.inbound import (
    InboundHandover,
    InboundIdentity,
    InboundMessage,
    InboundStatus,
)
from apps.connections.providers.official.contents import MEDIA_TYPES
from apps.connections.providers.official.identities import USER_ID
from apps.connections.providers.official.reading import (
    is_system,
    read_identity,
    read_message,
    read_status,
)
from apps.connections.providers.official.values import (
    JsonObject,
    as_dict,
    as_text,
    moment_of,
    person,
)

STANDBY = "standby"
HANDOVERS = "messaging_handovers"
PASSED, TAKEN = "control_passed", "control_taken"
ROLE_LENGTH = 60
METADATA_LENGTH = 2000


def unwrapped(value: JsonObject) -> JsonObject:
    """Return the value of a `standby` notification in the form of a `messages` notification."""
    inner = value.get(STANDBY)
    if not isinstance(inner, dict):
        return value
    return {**{key: part for key, part in value.items() if key != STANDBY}, **inner}


def as_echo(item: JsonObject) -> JsonObject:
    """Return an echo in the form of a message that our side wrote."""
    call = item.get("message")
    if not isinstance(call, dict):
        return item
    echo = {**call, "id": item.get("id"), "timestamp": item.get("timestamp")}
    named = [text for key in ("to", "recipient") if (text := as_text(call.get(key)))]
    echo["to"] = next((text for text in named if not USER_ID.fullmatch(text)), "")
    echo["to_user_id"] = next((text for text in named if USER_ID.fullmatch(text)), "")
    if as_text(call.get("recipient_type")) == "group":
        echo["group_id"] = echo["to"]
    if replied := as_text(as_dict(call.get("context")).get("message_id")):
        echo["context"] = {"id": replied}
    kind = as_text(call.get("type"))
    part = as_dict(call.get(kind))
    if kind == "template":
        echo["template"] = {**part, "definition": as_dict(item.get("template"))}
    elif kind in MEDIA_TYPES and not as_text(part.get("id")):
        words = "\n".join(filter(None, (as_text(part.get(key)) for key in ("caption", "link"))))
        echo |= {"type": "text", "text": {"body": words}}
    return echo


def read_copy(payload: JsonObject) -> InboundMessage | InboundStatus | InboundIdentity | None:
    """Read a stored part of a `standby` notification; None for one without a meaning to us."""
    if status := as_dict(payload.get("status")):
        read = read_status({**payload, "status": status})
        # The id is that of another program.
        return read and replace(read, is_copy=True, callback_id="")
    item = as_dict(payload.get("message"))
    if is_system(item):
        return read_identity(item)
    message = as_echo(item) if payload.get("is_echo") is True else item
    copy = read_message({**payload, "message": message})
    return copy and replace(copy, is_copy=True, raw=item)


def read_handover(payload: JsonObject) -> InboundHandover | None:
    """Read a stored handover; None if it names nobody, or neither direction."""
    value = as_dict(payload.get("value"))
    sender = as_dict(value.get("sender"))
    number, lid = person(sender, ("phone_number",), ("user_id",))
    kinds = [kind for kind in (PASSED, TAKEN) if isinstance(value.get(kind), dict)]
    if len(kinds) != 1 or not (number or lid):
        return None
    told = as_dict(value.get(kinds[0]))
    return InboundHandover(
        number=number,
        lid=lid,
        is_ours=kinds[0] == PASSED,
        at=moment_of(value.get("timestamp")) or datetime.now(tz=UTC),
        former_role=as_text(told.get("previous_owner_role"))[:ROLE_LENGTH],
        new_role=as_text(told.get("new_owner_role"))[:ROLE_LENGTH],
        metadata=as_text(told.get("metadata"))[:METADATA_LENGTH],
    )
