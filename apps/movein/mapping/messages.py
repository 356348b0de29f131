"""Messages of theirs as ours (rules/moving-in §6)."""

import re
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote

from apps.contacts.models import NUMBER_LENGTH
from apps.movein.mapping.values import Remarks, Row, flag, moment, parsed, text, times, whole
from apps.tickets.models import Ack, MediaState, MediaType, MessageSource

LONGEST_ID = 200
REACTION = "reactionMessage"
# WhatsApp's left-to-right mark, which both lines of forks write before texts of the bot.
BOT_MARK = "\u200e"
_TEXTS = {
    *("", "chat", "conversation", "editedmessage", "buttonsresponsemessage", "buttonsmessage"),
    *("listresponsemessage", "listmessage", "templatebuttonreplymessage", "messagecontextinfo"),
    "interactiveresponsemessage",
}
_KINDS = {
    "extendedtextmessage": MediaType.EXTENDED_TEXT,
    "image": MediaType.IMAGE,
    "imagemessage": MediaType.IMAGE,
    "stickermessage": MediaType.STICKER,
    "sticker": MediaType.STICKER,
    "audio": MediaType.AUDIO,
    "ptt": MediaType.AUDIO,
    "audiomessage": MediaType.AUDIO,
    "video": MediaType.VIDEO,
    "videomessage": MediaType.VIDEO,
    "ptvmessage": MediaType.VIDEO,
    "application": MediaType.FILE,
    "document": MediaType.FILE,
    "text": MediaType.FILE,
    "documentmessage": MediaType.FILE,
    "documentwithcaptionmessage": MediaType.FILE,
    "contactmessage": MediaType.CONTACT_CARD,
    "contactsarraymessage": MediaType.CONTACT_CARD,
    "vcard": MediaType.CONTACT_CARD,
    "locationmessage": MediaType.LOCATION,
    "livelocationmessage": MediaType.LOCATION,
    "call_log": MediaType.CALL_LOG,
}
_FILES = {
    MediaType.IMAGE,
    MediaType.STICKER,
    MediaType.AUDIO,
    MediaType.VIDEO,
    MediaType.FILE,
}
_PLACE = re.compile(r"(-?\d{1,3}(?:\.\d+)?)\D{1,20}?(-?\d{1,3}(?:\.\d+)?)\s*$")


def is_reaction(row: Row) -> bool:
    return text(row.get("mediaType")).strip() == REACTION


def message_of(row: Row, remarks: Remarks, now: datetime) -> dict[str, Any]:
    """Return a message's fields; what it refers to is not in them.

    One of our side has at least one tick, because one without would look as if it were to be sent.
    """
    from_me = flag(row.get("fromMe"))
    body, stored = text(row.get("body")), text(row.get("mediaUrl"), 2000).strip()
    is_bot = from_me and body.startswith(BOT_MARK)
    kind = _kind_of(row, has_file=bool(stored), remarks=remarks)
    name = name_of_file(stored) if stored else ""
    fields: dict[str, Any] = {
        "external_id": text(row.get("id"), LONGEST_ID) or None,
        "from_me": from_me,
        "source": _source(from_me=from_me, is_bot=is_bot),
        "media_type": kind,
        "body": body.lstrip(BOT_MARK) if is_bot else body,
        "is_read": from_me or flag(row.get("read")),
        "is_deleted": flag(row.get("isDeleted")),
        "is_edited": flag(row.get("isEdited")),
        "remote_jid": text(row.get("remoteJid"), NUMBER_LENGTH),
        "sent_at": moment(row.get("createdAt")),
        **times(row, now),
        **_delivered(row, from_me=from_me, remarks=remarks),
    }
    if kind in _FILES:
        fields |= {"media_state": MediaState.FAILED, "media_name": name}
        fields["body"] = fields["body"] or name
    elif kind == MediaType.LOCATION:
        fields |= _located(body)
    return fields


def name_of_file(stored: str) -> str:
    """Return the name of a file from its path or address."""
    return unquote(PurePosixPath(stored.partition("?")[0].replace("\\", "/")).name)[:255]


def _kind_of(row: Row, *, has_file: bool, remarks: Remarks) -> MediaType:
    told = text(row.get("mediaType"), 100).strip()
    plain = told.lower()
    kind = _KINDS.get(plain)
    if plain in _TEXTS or (kind in _FILES and not has_file and plain == "text"):
        return MediaType.FILE if has_file else MediaType.TEXT
    if kind is None and has_file:
        return MediaType.FILE
    if kind is None:
        remarks.add("kind_unknown", told)
        return MediaType.UNKNOWN
    return kind


def _source(*, from_me: bool, is_bot: bool) -> MessageSource:
    if not from_me:
        return MessageSource.CONTACT
    return MessageSource.BOT if is_bot else MessageSource.AGENT


def _delivered(row: Row, *, from_me: bool, remarks: Remarks) -> dict[str, Any]:
    if not from_me:
        return {"ack": Ack.PENDING}
    error = parsed(row.get("error"))
    if isinstance(error, dict) and error:
        code, reason = text(error.get("code"), 50), text(error.get("message"), 500)
        return {"ack": Ack.ERROR, "error_code": code, "error_reason": reason}
    ack = whole(row.get("ack"), most=Ack.PLAYED)
    if ack == 0:
        remarks.add("ack_raised")
    return {"ack": max(ack, Ack.SENT)}


def _located(body: str) -> dict[str, Any]:
    """Return a location as `|link|description`: their small picture would be most of the size."""
    parts = body.split("|")
    shown = parts[-1].strip()
    found = _PLACE.search(shown) or _PLACE.search(unquote(body[-300:]))
    if found is None:
        return {"media_type": MediaType.UNKNOWN}
    latitude, longitude = float(found[1]), float(found[2])
    link = f"https://maps.google.com/?q={latitude},{longitude}"
    return {
        "body": f"|{link}|{shown[:200]}",
        "data": {"latitude": latitude, "longitude": longitude},
    }
