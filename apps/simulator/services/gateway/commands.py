"""The product's commands to sessions of the simulated gateway (docs/gateway.md §5)."""

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.simulator.graph.errors import GraphError
from apps.simulator.models import (
    FaultKind,
    SimConversation,
    SimDevice,
    SimMedia,
    SimMessage,
    SimNumber,
)
from apps.simulator.queries import customer_for
from apps.simulator.services import calling
from apps.simulator.services.conversations import UnknownSimulated, conversation_of, mark_read
from apps.simulator.services.faults import take_fault
from apps.simulator.services.gateway import devices, outbox
from apps.simulator.services.gateway.calls import CallFailed, fetch
from apps.simulator.services.gateway.payloads import jid_of, step_event
from apps.simulator.services.media import store_file

Body = dict[str, Any]


class CommandRefused(Exception):
    """A refused command, with the contract's status and code."""

    def __init__(self, status: int, code: str, message: str, *, permanent: bool = False) -> None:
        super().__init__(message)
        self.status, self.code, self.permanent = status, code, permanent


def held_device(session: int, epoch: object) -> SimDevice:
    """Return the session if it is held with this epoch; raises CommandRefused."""
    device = SimDevice.objects.filter(session=session, epoch__isnull=False).first()
    if device is None or device.epoch != epoch:
        raise CommandRefused(409, "ERR_STALE_EPOCH", "The session is not held here.")
    return device


def open_number(device: SimDevice) -> SimNumber:
    """Return the telephone of an open session; raises CommandRefused."""
    number: SimNumber | None = device.number
    if number is None or not device.is_online:
        raise CommandRefused(503, "ERR_SESSION_NOT_OPEN", "The session is not open.")
    return number


def obey(device: SimDevice, name: str, body: Body) -> Body:
    """Execute a command; returns its response. Raises CommandRefused."""
    if name in OF_SESSION:
        return OF_SESSION[name](device, body)
    command = OF_CONVERSATIONS.get(name)
    if command is None:
        raise CommandRefused(404, "ERR_NO_COMMAND", "There is no such command.", permanent=True)
    number = open_number(device)
    try:
        return command(number, body)
    except (KeyError, TypeError, ValueError) as error:
        raise CommandRefused(400, "ERR_BAD_COMMAND", repr(error), permanent=True) from error
    except (GraphError, UnknownSimulated) as error:
        raise CommandRefused(422, "unknown", str(error), permanent=True) from error


def file_of(body: Body) -> SimMedia:
    """Return the file that a `download` names; raises CommandRefused."""
    reference = body.get("reference")
    media_id = reference.get("media") if isinstance(reference, dict) else None
    found = SimMedia.objects.filter(media_id=str(media_id)).first()
    if found is None:
        raise CommandRefused(404, "ERR_MEDIA_GONE", "The file is gone.", permanent=True)
    return found


def _qr(device: SimDevice, body: Body) -> Body:
    if device.number is not None:
        devices.report_again(device)
        return {}
    device.link_number = ""
    devices.show_code(device)
    return {}


def _link(device: SimDevice, body: Body) -> Body:
    shown = devices.show_code(device, link=str(body.get("number") or ""))
    return {"pairingCode": shown.pairing_code}


def _logout(device: SimDevice, body: Body) -> Body:
    devices.end(device.session, is_logout=True)
    return {}


def _text(number: SimNumber, body: Body) -> Body:
    return _sent(number, body, "text", lambda: {"body": str(body["body"])})


def _media(number: SimNumber, body: Body) -> Body:
    return _sent(number, body, str(body["kind"]), lambda: _fetched(body))


def _fetched(body: Body) -> Body:
    try:
        content, mime = fetch(str(body["url"]))
    except CallFailed as failed:
        is_bad = failed.status == 422
        code = "ERR_AUDIO_UNREADABLE" if is_bad else "ERR_FILE_URL"
        raise CommandRefused(failed.status or 503, code, str(failed), permanent=is_bad) from failed
    media = store_file(content=content, name=str(body["name"]), mime=mime)
    shown = {"id": media.media_id, "mime_type": mime, "filename": media.name}
    return {**shown, "caption": str(body["caption"]), "voice": body["isVoice"] is True}


def _location(number: SimNumber, body: Body) -> Body:
    keys = ("latitude", "longitude", "name", "address")
    return _sent(number, body, "location", lambda: {key: body[key] for key in keys})


def _contact(number: SimNumber, body: Body) -> Body:
    def cards() -> list[Body]:
        return [
            {"name": {"formatted_name": card["name"]}, "phones": card["phones"]}
            for card in body["cards"]
        ]

    return _sent(number, body, "contacts", cards)


def _react(number: SimNumber, body: Body) -> Body:
    content = {"message_id": body["message"]["id"], "emoji": body["emoji"]}
    return _sent(number, body, "reaction", lambda: content)


def _sent(number: SimNumber, body: Body, kind: str, content: Callable[[], Any]) -> Body:
    """Deliver a message to its customer.

    A repeated id is the same message and is not delivered again.
    """
    message_id = str(body["id"])
    if SimMessage.objects.filter(wamid=message_id).exists():
        return {"externalId": message_id}
    conversation = _conversation(number, str(body["to"]))
    brought = content()
    with transaction.atomic():
        now = timezone.now()
        message = SimMessage.objects.create(
            conversation=conversation,
            wamid=message_id,
            from_customer=False,
            type=kind,
            body=brought,
            reply_to=str((body.get("replyTo") or {}).get("id") or ""),
            status="delivered",
            sent_at=now,
        )
        conversation.active_at = now
        conversation.save(update_fields=["active_at"])
        for step in ("sent", "delivered"):
            outbox.tell_devices(number, step_event(message, step, now))
    return {"externalId": message_id}


def _conversation(number: SimNumber, to: str) -> SimConversation:
    customer = customer_for(to)
    is_refused = take_fault(FaultKind.NOT_ON_WHATSAPP, number) is not None
    if customer is None or not customer.has_whatsapp or is_refused:
        raise CommandRefused(422, "not_on_whatsapp", "not-on-whatsapp", permanent=True)
    return conversation_of(number, customer)


def _own(number: SimNumber, body: Body) -> SimMessage:
    """Return the business's message that an edit or deletion names."""
    named = SimMessage.objects.filter(conversation__number=number, from_customer=False)
    message = named.filter(wamid=str(body["message"]["id"])).first()
    if message is None:
        raise UnknownSimulated("no such message")
    return message


def _edit(number: SimNumber, body: Body) -> Body:
    message = _own(number, body)
    key = "body" if message.type == "text" else "caption"
    message.body = {**message.body, key: str(body["body"]), "edited": True}
    message.save(update_fields=["body"])
    return {}


def _delete(number: SimNumber, body: Body) -> Body:
    message = _own(number, body)
    message.type, message.body = "deleted", {}
    message.save(update_fields=["type", "body"])
    return {}


def _read(number: SimNumber, body: Body) -> Body:
    for key in body["messages"]:
        mark_read(number=number, wamid=str(key["id"]))
    return {}


def _reject_call(number: SimNumber, body: Body) -> Body:
    calling.hang_up(str(body["callId"]), number=number)
    return {}


def _check(number: SimNumber, body: Body) -> Body:
    told = []
    for each in body["numbers"]:
        customer = customer_for(str(each))
        exists = customer is not None and customer.has_whatsapp
        jid = jid_of(customer) if customer and exists else ""
        told.append({"number": each, "exists": exists, "jid": jid, "lid": ""})
    return {"numbers": told}


def _picture(number: SimNumber, body: Body) -> Body:
    return {"picture": ""}  # simulated customers have no pictures


OF_SESSION = {"qr": _qr, "link": _link, "logout": _logout}
OF_CONVERSATIONS = {
    "text": _text,
    "media": _media,
    "location": _location,
    "contact": _contact,
    "react": _react,
    "edit": _edit,
    "delete": _delete,
    "read": _read,
    "reject-call": _reject_call,
    "check": _check,
    "picture": _picture,
}
