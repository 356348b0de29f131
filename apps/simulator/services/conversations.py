"""Messages between customers and numbers, which are reported to the product."""

import base64
import secrets
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.simulator.graph import errors
from apps.simulator.graph.errors import GraphError
from apps.simulator.graph.requests import MEDIA_TYPES
from apps.simulator.graph.sending import check_template
from apps.simulator.graph.user_ids import USER_ID, number_of
from apps.simulator.models import (
    FaultKind,
    SimConversation,
    SimCustomer,
    SimMedia,
    SimMessage,
    SimNumber,
)
from apps.simulator.queries import WINDOW, customer_for
from apps.simulator.services import flows
from apps.simulator.services.faults import is_set, take_fault
from apps.simulator.services.portfolios import count_begun
from apps.simulator.services.reviewing import templates_of
from apps.simulator.services.telling import tell_message, tell_step

TYPING = timedelta(seconds=25)  # Meta shows the indicator for at most this long
# Accepted, and held until Meta has assessed the template.
HELD = "held"
ORDER = {"accepted": 0, "sent": 1, "delivered": 2, "read": 3, "played": 4, "failed": 5}


class UnknownSimulated(Exception):
    """A request names a number, customer, message or file that the simulator does not have."""


def new_wamid() -> str:
    """Return a message id that looks like Meta's."""
    return "wamid." + base64.b64encode(b"\x1d\x11\x18" + secrets.token_bytes(27)).decode()


def number_for(phone_number_id: str) -> SimNumber:
    """Return the number with this id; create it if it is unknown."""
    digits = phone_number_id[-8:].zfill(8)
    number, _ = SimNumber.objects.get_or_create(
        phone_number_id=phone_number_id,
        defaults={
            "waba_id": f"2{phone_number_id[1:]}",
            "display_phone_number": f"+55 11 9{digits[:4]}-{digits[4:]}",
            "verified_name": f"Número {phone_number_id[-4:]}",
        },
    )
    return number


def conversation_of(number: SimNumber, customer: SimCustomer) -> SimConversation:
    """Return the conversation of the two; create it if it is missing."""
    conversation, _ = SimConversation.objects.get_or_create(number=number, customer=customer)
    return conversation


def _is_direct(content: Any) -> bool:
    return isinstance(content, dict) and "category" in content


def _refusal(
    number: SimNumber, conversation: SimConversation, kind: str, content: Any
) -> tuple[GraphError | None, bool]:
    """Return WhatsApp's error for the message, if any, and whether it comes later as a failed
    status.
    """
    fault = take_fault(FaultKind.NOT_ON_WHATSAPP, number)
    if fault is not None:
        return errors.not_on_whatsapp(), fault.is_late
    if not conversation.customer.has_whatsapp:
        return errors.not_on_whatsapp(), False
    last = conversation.last_customer_at
    is_open = last is not None and last >= timezone.now() - WINDOW
    if kind == "template":
        if not is_open:
            count_begun(conversation)
        return None, False
    if _is_direct(content):
        if take_fault(FaultKind.DIRECT_SEND_OFF, number):
            return errors.no_direct_send(), False
        if take_fault(FaultKind.DIRECT_SEND_BLOCKED, number):
            return errors.direct_send_blocked(), False
        if not is_open:
            count_begun(conversation)
        return None, False
    fault = take_fault(FaultKind.WINDOW_CLOSED, number)
    if fault is not None:
        return errors.window_closed(), fault.is_late
    return (None if is_open else errors.window_closed()), False


def _check_media(kind: str, content: dict[str, Any]) -> dict[str, Any]:
    """Return the content with the file's name and type, which the phone page shows."""
    if kind not in MEDIA_TYPES or not content.get("id"):
        return content
    media = SimMedia.objects.filter(media_id=content["id"]).first()
    if media is None:
        raise errors.bad_value(f"Param {kind}['id'] is not a valid media id.")
    return {**content, "mime_type": media.mime, "filename": content.get("filename") or media.name}


def accept_message(
    *,
    number: SimNumber,
    to: str,
    kind: str,
    content: Any,
    callback: str = "",
    reply_to: str = "",
    is_marketing: bool = False,
) -> SimMessage:
    """Accept a message of the business as Meta does, and report it as sent and delivered.

    With `is_marketing` it came by `/marketing_messages`. A template that is held for assessment is
    reported when its fault is cleared.

    `to` is a number's digits or a user id. Raises GraphError: 131026 for a number without WhatsApp,
    131047 outside the 24-hour window, 131048 above the portfolio's limit, 132000-series for
    templates, 131009 for unknown media, 131062 for an authentication template to a user id; 100 and
    139200 for a category that the account may not use.
    """
    is_user_id = USER_ID.fullmatch(to) is not None
    customer = customer_for(number_of(to) if is_user_id else to)
    if customer is None:
        raise errors.not_on_whatsapp()
    conversation = conversation_of(number, customer)
    refusal, is_late = _refusal(number, conversation, kind, content)
    if refusal is not None and not is_late:
        raise refusal
    stored: Any = _check_media(kind, content)
    if kind == "template":
        shown = check_template(content, templates_of(number.waba_id), by_user_id=is_user_id)
        stored = {**content, "shown": shown}
        if is_marketing and shown["category"] != "MARKETING":
            raise errors.not_marketing()
        is_closed = not is_marketing and shown["category"] == "MARKETING"
        if is_closed and take_fault(FaultKind.MARKETING_CLOSED, number):
            raise errors.marketing_closed()
    if kind == "interactive" and content.get("type") == "flow":
        stored = flows.check_sent(number.waba_id, content)
    category = stored["shown"]["category"] if kind == "template" else "service"
    if _is_direct(content):
        category = content["category"]
    with transaction.atomic():
        now = timezone.now()
        message = SimMessage.objects.create(
            conversation=conversation,
            wamid=new_wamid(),
            from_customer=False,
            type=kind,
            body=stored,
            reply_to=reply_to,
            callback=callback,
            status="accepted",
            category=str(category).lower(),
            is_free=is_set(FaultKind.FREE_ENTRY, number.waba_id),
            sent_at=now,
        )
        conversation.typing_until = None
        conversation.active_at = now
        # A service message takes the conversation over; its former owner is told, not we.
        is_template = kind == "template" or _is_direct(content)
        conversation.is_elsewhere = conversation.is_elsewhere and is_template
        conversation.save(
            update_fields=["typing_until", "active_at", "is_elsewhere", "last_begun_at"]
        )
        if refusal is not None:
            fail_message(message, refusal)
            return message
        if kind == "template" and take_fault(FaultKind.TEMPLATE_HELD, number):
            message.status = HELD
            message.save(update_fields=["status"])
            return message
        steps = ["sent", "delivered"]
        if take_fault(FaultKind.OUT_OF_ORDER_STATUSES, number):
            steps = ["read", "delivered", "sent"]
        for step in steps:
            _tell_status(message, step, now)
    return message


def end_holds(*, is_dropped: bool = False) -> None:
    """Deliver the messages that are held for assessment or, after a bad one, drop them."""
    with transaction.atomic():
        held = SimMessage.objects.filter(status=HELD)
        for message in held.select_related("conversation__number", "conversation__customer"):
            if is_dropped:
                fail_message(message, errors.paused(message.body["name"]))
                continue
            for step in ("sent", "delivered"):
                _tell_status(message, step, timezone.now())


def _tell_status(message: SimMessage, status: str, at: datetime) -> None:
    if ORDER[status] > ORDER.get(message.status, 0):
        message.status = status
        message.save(update_fields=["status"])
    tell_step(message, status, at)


def fail_message(message: SimMessage, refusal: GraphError) -> None:
    """Report an accepted message as failed."""
    message.status = "failed"
    message.error = refusal.title
    message.save(update_fields=["status", "error"])
    tell_step(message, "failed", timezone.now(), refusal.status_error())


def mark_read(*, number: SimNumber, wamid: str, is_typing: bool = False) -> None:
    """Mark the customer's messages up to this one as read; raises GraphError for an unknown id."""
    message = SimMessage.objects.filter(
        wamid=wamid, from_customer=True, conversation__number=number
    ).first()
    if message is None:
        raise errors.bad_value("Param message_id is not a valid message id.")
    SimMessage.objects.filter(
        conversation=message.conversation, from_customer=True, id__lte=message.pk
    ).update(status="read")
    if is_typing:
        message.conversation.typing_until = timezone.now() + TYPING
        message.conversation.save(update_fields=["typing_until"])


def customer_writes(
    *, conversation: SimConversation, kind: str, body: dict[str, Any], reply_to: str = ""
) -> SimMessage:
    """Send a customer's message to the business; `kind` and `body` are those of Meta's webhook."""
    with transaction.atomic():
        now = timezone.now()
        message = SimMessage.objects.create(
            conversation=conversation,
            wamid=new_wamid(),
            from_customer=True,
            type=kind,
            body=body,
            reply_to=reply_to,
            status="delivered",
            is_elsewhere=conversation.is_elsewhere,
            sent_at=now,
        )
        conversation.last_customer_at = now
        conversation.active_at = now
        conversation.save(update_fields=["last_customer_at", "active_at"])
        tell_message(message)
    return message


def open_conversation(conversation: SimConversation) -> int:
    """Report all delivered messages as read by the customer; returns their number."""
    with transaction.atomic():
        unread = SimMessage.objects.filter(
            conversation=conversation, from_customer=False, status__in=["sent", "delivered"]
        )
        messages = list(unread.select_related("conversation__number", "conversation__customer"))
        now = timezone.now()
        for message in messages:
            _tell_status(message, "read", now)
    return len(messages)


def play_voice(message: SimMessage) -> None:
    """Report a voice message as played, once."""
    if not message.from_customer and message.type == "audio" and message.status != "played":
        with transaction.atomic():
            _tell_status(message, "played", timezone.now())
