"""A gateway's event in the wire-neutral form; odd fields never raise (docs/gateway.md §4)."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
from cryptography.fernet import InvalidToken

from apps.common.encryption import decrypt
from apps.common.reasons import NO_REASON, Reason, ReasonCode
from apps.connections.providers.inbound import (
    InboundAlias,
    InboundCall,
    InboundGroup,
    InboundMedia,
    InboundMessage,
    InboundPoll,
    InboundStatus,
)

EXTERNAL_ID_LENGTH = 200
NAME_LENGTH = 255
MIME_LENGTH = 150
VOTE_LENGTH = 8192
FURTHEST = timedelta(days=3653)
UNKNOWN = "unknown"
# The contract's types with a file, and our media types.
FILES = {
    "image": "image",
    "audio": "audio",
    "video": "video",
    "sticker": "sticker",
    "document": "application",
}
ACKS = frozenset({-1, 1, 2, 3, 4, 5})
DELIVERED = 3
Payload = dict[str, Any]
QrContent = InboundMessage | InboundStatus | InboundCall | InboundAlias | InboundGroup | None


def opened(sealed: str) -> dict[str, Any]:
    """Decrypt a sealed value; empty for a value that we did not seal."""
    try:
        found = orjson.loads(decrypt(sealed))
    except (InvalidToken, orjson.JSONDecodeError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


# Parts of names of Baileys' fields that hold keys of files, votes and sessions.
_HIDDEN = re.compile(r"key|secret|token|nonce", re.IGNORECASE)


def shown_raw(raw: dict[str, Any]) -> dict[str, Any] | None:
    """Return Baileys' form of a message without keys; None if it cannot be decrypted."""
    found = opened(_text(raw.get("sealed")))
    return _without_keys(found) or None


def _without_keys(value: Any) -> Any:
    """Drop texts whose name marks a key; a message's `key` is an object and stays."""
    if isinstance(value, dict):
        return {
            name: _without_keys(inner)
            for name, inner in value.items()
            if isinstance(inner, dict) or _is_of_objects(inner) or not _HIDDEN.search(name)
        }
    return [_without_keys(inner) for inner in value] if isinstance(value, list) else value


def _is_of_objects(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


def parse_event(kind: str, payload: Any) -> QrContent:
    """Parse a stored event; None if it needs no action."""
    reader = READERS.get(kind)
    return reader(_dict(payload)) if reader else None


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _digits(value: Any) -> str:
    text = _text(value)
    return text if text.isascii() and text.isdigit() else ""


def _moment(value: Any) -> datetime:
    """Parse seconds or milliseconds; an implausible time is now."""
    now = datetime.now(tz=UTC)
    if not isinstance(value, int | float) or isinstance(value, bool):
        return now
    try:
        moment = datetime.fromtimestamp(value / 1000 if value > 10**11 else value, tz=UTC)
    except (ValueError, OverflowError, OSError):
        return now
    return moment if abs(moment - now) <= FURTHEST else now


def _message(payload: Payload) -> InboundMessage | None:
    chat, sender = _dict(payload.get("chat")), _dict(payload.get("sender"))
    external_id, group = _text(payload.get("externalId")), _text(chat.get("group"))
    number, lid = _digits(chat.get("number")), _text(chat.get("lid"))
    if not external_id or len(external_id) > EXTERNAL_ID_LENGTH:
        return None
    if not (group or number or lid):
        return None
    content = _content(payload)
    if content is None:
        return None
    from_me = payload.get("fromMe") is True
    name = _text(sender.get("name"))[:NAME_LENGTH]
    raw = _dict(payload.get("raw"))
    return InboundMessage(
        external_id=external_id,
        sender=group or number,
        sender_name="" if group or from_me else name,
        sent_at=_moment(payload.get("sentAt")),
        from_me=from_me,
        is_group=bool(group),
        participant=_digits(sender.get("number")) if group else "",
        participant_lid=_text(sender.get("lid")) if group else "",
        participant_name=name if group else "",
        lid="" if group else lid,
        reply_to=_text(payload.get("replyTo")),
        choice_id=_text(payload.get("choiceId")),
        is_history=payload.get("isHistory") is True,
        raw=raw,
        **content,
    )


def _content(payload: Payload) -> dict[str, Any] | None:
    """Return a message's content; an unrecognised one is `unknown`.

    None for a vote that names no poll, which is ignored.
    """
    kind, body = _text(payload.get("type")), _text(payload.get("body"))
    data = _dict(payload.get("data"))
    reaction = _dict(payload.get("reaction"))
    if target := _text(reaction.get("to")):
        emoji = _text(reaction.get("emoji"))
        return {
            "media_type": "reaction",
            "body": emoji,
            "reaction_to": target,
            "reaction": emoji,
        }
    if target := _text(payload.get("deletes")):
        return {"media_type": "conversation", "body": "", "deletes": target}
    edits = _text(payload.get("edits"))
    if edits:
        return {"media_type": "conversation", "body": body, "edits": edits}
    forwarded = {"forwarded": True} if data.get("forwarded") is True else None
    if kind in FILES:
        return _file(payload, kind, body, forwarded)
    if kind == "location":
        return _location(data)
    if kind == "contact":
        return _cards(data)
    if kind == "poll":
        return _poll(_dict(payload.get("poll")), body)
    if kind == "vote":
        return _vote(_dict(payload.get("vote")))
    if kind == "call_log":
        return {"media_type": "call_log", "body": _missed(payload, data)}
    if kind == "conversation" and body:
        return {"media_type": "conversation", "body": body, "data": forwarded}
    return {"media_type": UNKNOWN, "body": UNKNOWN}


def _missed(payload: Payload, data: dict[str, Any]) -> str:
    what = "Chamada de vídeo" if data.get("isVideo") is True else "Chamada de voz"
    return f"{what} não atendida" if payload.get("fromMe") is True else f"{what} perdida"


def _file(
    payload: Payload, kind: str, body: str, forwarded: dict[str, Any] | None
) -> dict[str, Any]:
    part = _dict(payload.get("media"))
    reference = _text(part.get("reference"))
    if not reference:
        return {"media_type": UNKNOWN, "body": UNKNOWN}
    name = _text(part.get("name"))[:NAME_LENGTH]
    media = InboundMedia(
        media_id=reference,
        mime=_text(part.get("mime"))[:MIME_LENGTH],
        name=name,
        sha256=_text(part.get("sha256")),
        is_voice=kind == "audio" and part.get("isVoice") is True,
    )
    return {"media_type": FILES[kind], "body": body or name, "media": media, "data": forwarded}


def _location(data: dict[str, Any]) -> dict[str, Any]:
    place = [data.get("latitude"), data.get("longitude")]
    if not all(isinstance(each, int | float) and not isinstance(each, bool) for each in place):
        return {"media_type": UNKNOWN, "body": UNKNOWN}
    link = f"https://maps.google.com/?q={place[0]},{place[1]}"
    words = [_text(data.get("name")), _text(data.get("address"))]
    description = ", ".join(word for word in words if word).replace("|", "/")
    # rules/messages §1: image, link and description.
    return {"media_type": "locationMessage", "body": f"|{link}|{description}", "data": data}


def _cards(data: dict[str, Any]) -> dict[str, Any]:
    told = data.get("contacts")
    cards = [_dict(card) for card in told] if isinstance(told, list) else []
    body = "\n".join(_text(card.get("vcard")) for card in cards).strip()
    if not body:
        return {"media_type": UNKNOWN, "body": UNKNOWN}
    forwarded = {"forwarded": True} if data.get("forwarded") is True else None
    return {"media_type": "vcard", "body": body, "data": forwarded}


def _poll(poll: dict[str, Any], body: str) -> dict[str, Any]:
    told = poll.get("options")
    options = [_text(each) for each in told] if isinstance(told, list) else []
    lines = [_text(poll.get("name")) or body]
    lines += [f"{number}. {option}" for number, option in enumerate(options, 1)]
    words = "\n".join(lines).strip()
    if not words:
        return {"media_type": UNKNOWN, "body": UNKNOWN}
    secret = _secret(poll.get("secret"))
    selectable = poll.get("selectable")
    shown = {
        "name": _text(poll.get("name")) or body,
        "options": options,
        # The most options to choose; 0 is any number.
        "selectable": selectable if type(selectable) is int and selectable > 0 else 0,
    }
    return {
        "media_type": "conversation",
        "body": words,
        "data": {"poll": shown},
        "poll": InboundPoll(secret) if secret else None,
    }


def _secret(sealed: Any) -> str:
    try:
        return decrypt(_text(sealed))
    except (InvalidToken, ValueError):
        return ""


def _vote(vote: dict[str, Any]) -> dict[str, Any] | None:
    target, sealed = _text(vote.get("to")), orjson.dumps(vote).decode()
    if not target or len(target) > EXTERNAL_ID_LENGTH or len(sealed) > VOTE_LENGTH:
        return None
    return {"media_type": "conversation", "body": "", "votes_on": target, "vote": sealed}


def _status(payload: Payload) -> InboundStatus | None:
    external_id, ack = _text(payload.get("externalId")), payload.get("ack")
    if not external_id or not isinstance(ack, int) or ack not in ACKS:
        return None
    code, error, reason = "", "", NO_REASON
    if ack < 0:
        code = _text(payload.get("code"))
        error = f"O WhatsApp recusou a mensagem ({code})." if code else "O WhatsApp recusou."
        reason = Reason(ReasonCode.WHATSAPP_REFUSED, code)
    if payload.get("participant"):
        # One member of a group has read it; the others may not have received it.
        ack = min(ack, DELIVERED)
    return InboundStatus(
        external_id=external_id,
        ack=ack,
        code=code,
        error=error,
        reason=reason,
        at=_moment(payload.get("at")),
    )


def _call(payload: Payload) -> InboundCall | None:
    caller, call_id = _dict(payload.get("from")), _text(payload.get("callId"))
    number, lid = _digits(caller.get("number")), _text(caller.get("lid"))
    if payload.get("state") != "offer" or payload.get("isGroup") is True:
        return None
    if not call_id or len(call_id) > EXTERNAL_ID_LENGTH or not (number or lid):
        return None
    return InboundCall(
        call_id=call_id,
        sender=number,
        sender_name=_text(caller.get("name"))[:NAME_LENGTH],
        at=_moment(payload.get("at")),
        is_video=payload.get("isVideo") is True,
        lid=lid,
    )


def _identity(payload: Payload) -> InboundAlias | None:
    number, lid = _digits(payload.get("number")), _text(payload.get("lid"))
    return InboundAlias(number, lid) if number and lid else None


def _group(payload: Payload) -> InboundGroup | None:
    group, subject = _text(payload.get("group")), _text(payload.get("subject")).strip()
    return InboundGroup(group, subject) if group and subject else None


READERS = {
    "message": _message,
    "status": _status,
    "call": _call,
    "identity": _identity,
    "group": _group,
}
