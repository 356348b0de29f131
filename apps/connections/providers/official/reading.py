"""One message or status of a notification in the wire-neutral form; odd fields never raise."""

from datetime import UTC, datetime

from apps.common.reasons import NO_REASON
from apps.connections.providers.inbound import (
    InboundCall,
    InboundIdentity,
    InboundMessage,
    InboundStatus,
    Pricing,
)
from apps.connections.providers.official.contents import NAME_LENGTH, content_of, shared_number
from apps.connections.providers.official.errors import reason_of, sentence_of
from apps.connections.providers.official.values import (
    JsonObject,
    as_dict,
    as_list,
    as_text,
    moment_of,
    person,
)

EXTERNAL_ID_LENGTH = 200
# See rules/messages §2.
ACKS = {"accepted": 1, "sent": 2, "delivered": 3, "read": 4, "played": 5, "failed": -1}
# The parts of a notification that are stored with each of its messages and passed on.
ENVELOPE = ("field", "waba_id", "time", "metadata", "contact")


def is_system(message: JsonObject) -> bool:
    """Tell whether it is a system message of Meta about the person, which is not stored as a
    message.
    """
    return as_text(message.get("type")) == "system"


# The name of 'user_changed_number' before 2025.
_MOVES = frozenset({"user_changed_number", "user_changed_user_id", "customer_changed_number"})


def read_identity(message: JsonObject) -> InboundIdentity | None:
    """Return how somebody is named from now on; None for any other word of Meta's about a person.

    developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/system
    """
    system = as_dict(message.get("system"))
    if as_text(system.get("type")) not in _MOVES:
        return None
    told = {**message, **system}
    number, lid = person(told, ("from", "customer"), ("previous_user_id", "from_user_id"))
    new_number, new_lid = person(system, ("wa_id", "new_wa_id"), ("user_id",))
    if not (number or lid) or not (new_number or new_lid):
        return None
    return InboundIdentity(number, lid, new_number, new_lid)


REFERRAL_LENGTH = 1000
_REFERRAL = (
    "source_type",
    "source_id",
    "source_url",
    "headline",
    "body",
    "media_type",
    "ctwa_clid",
)


def _referral(message: JsonObject) -> JsonObject:
    """Return the advertisement or post by which somebody came, empty for none.

    developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages
    """
    told = as_dict(message.get("referral"))
    words = {key: as_text(told.get(key))[:REFERRAL_LENGTH] for key in _REFERRAL}
    return {key: text for key, text in words.items() if text}


def read_message(payload: JsonObject) -> InboundMessage | None:
    """Read a stored message; None without a writer. `sender` is the conversation: the contact's
    number, empty if Meta tells only the user id (`lid`); a group's id in groups; for an echo of the
    phone its recipient.
    """
    message, contact = as_dict(payload.get("message")), as_dict(payload.get("contact"))
    is_echo = payload.get("is_echo") is True
    side = "to" if is_echo else "from"
    number, user_id = person(
        {**message, **contact}, ("wa_id", side), ("user_id", f"{side}_user_id")
    )
    group = as_text(message.get("group_id"))
    if not (number or group or is_echo):
        number = shared_number(message)
    external_id = as_text(message.get("id"))
    if not (group or number or user_id):
        return None
    if not external_id or len(external_id) > EXTERNAL_ID_LENGTH:
        return None
    profile = as_dict(contact.get("profile"))
    name = as_text(profile.get("name"))[:NAME_LENGTH]
    content, context = content_of(message), as_dict(message.get("context"))
    if context.get("forwarded") is True or context.get("frequently_forwarded") is True:
        content = {**content, "data": {**(content.get("data") or {}), "forwarded": True}}
    if referral := _referral(message):
        content = {**content, "data": {**(content.get("data") or {}), "referral": referral}}
    return InboundMessage(
        external_id=external_id,
        sender=group or number,
        sender_name="" if group else name,
        sent_at=moment_of(message.get("timestamp")) or datetime.now(tz=UTC),
        from_me=is_echo,
        is_group=bool(group),
        participant=number if group else "",
        participant_name=name if group else "",
        participant_lid=user_id if group else "",
        lid="" if group else user_id,
        sender_username="" if group else as_text(profile.get("username"))[:NAME_LENGTH],
        reply_to=as_text(context.get("id")),
        raw=message,
        envelope={key: payload[key] for key in ENVELOPE if key in payload},
        **content,
    )


PRICING_LENGTH = 40


def _pricing(status: JsonObject) -> Pricing | None:
    """Read a message's pricing, which comes with its first statuses.

    A later API version drops `billable`; `type` tells it then.
    """
    told = as_dict(status.get("pricing"))
    category, kind = as_text(told.get("category")), as_text(told.get("type"))
    if not category:
        return None
    return Pricing(
        is_billable=kind == "regular" if kind else told.get("billable") is True,
        category=category.upper()[:PRICING_LENGTH],
        model=as_text(told.get("pricing_model"))[:PRICING_LENGTH],
        type=kind[:PRICING_LENGTH],
    )


def read_status(payload: JsonObject) -> InboundStatus | None:
    """Read a stored status; None for one that changes no ack."""
    status = as_dict(payload.get("status"))
    external_id, ack = as_text(status.get("id")), ACKS.get(as_text(status.get("status")))
    if not external_id or ack is None:
        return None
    code = error = ""
    reason = NO_REASON
    if ack < 0:
        fault = as_dict(next(iter(as_list(status.get("errors"))), None))
        code = as_text(fault.get("code"))
        title = as_text(fault.get("message")) or as_text(fault.get("title"))
        details = as_text(as_dict(fault.get("error_data")).get("details"))
        error = sentence_of(code, details or title)
        reason = reason_of(code, details or title)
    number, user_id = _recipient(status, as_dict(payload.get("contact")))
    return InboundStatus(
        external_id=external_id,
        ack=ack,
        callback_id=as_text(status.get("biz_opaque_callback_data")),
        error=error,
        code=code,
        reason=reason,
        at=moment_of(status.get("timestamp")),
        pricing=_pricing(status),
        number=number,
        user_id=user_id,
    )


def _recipient(status: JsonObject, contact: JsonObject) -> tuple[str, str]:
    """Return number and user id of whom a message went to, as far as the status tells them.

    developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/status
    """
    if as_text(status.get("recipient_type")) == "group":
        return "", ""
    return person(
        {**status, **contact}, ("wa_id", "recipient_id"), ("user_id", "recipient_user_id")
    )


def read_call(payload: JsonObject) -> InboundCall | None:
    """Read a call that a contact starts; None for our own calls and later events.

    developers.facebook.com/docs/whatsapp/cloud-api/calling/user-initiated-calls
    """
    call, contact = as_dict(payload.get("call")), as_dict(payload.get("contact"))
    call_id = as_text(call.get("id"))
    number, user_id = person({**call, **contact}, ("wa_id", "from"), ("user_id", "from_user_id"))
    if as_text(call.get("event")) != "connect" or call.get("direction") == "BUSINESS_INITIATED":
        return None
    if not call_id or len(call_id) > EXTERNAL_ID_LENGTH or not (number or user_id):
        return None
    return InboundCall(
        call_id=call_id,
        sender=number,
        sender_name=as_text(as_dict(contact.get("profile")).get("name"))[:NAME_LENGTH],
        at=moment_of(call.get("timestamp")) or datetime.now(tz=UTC),
        is_video="m=video" in as_text(as_dict(call.get("session")).get("sdp")),
        lid=user_id,
    )
