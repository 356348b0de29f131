"""Looks up customers by number, and builds the phone page's data."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, OuterRef, Q, Subquery
from django.utils import timezone

from apps.simulator.models import (
    SimConversation,
    SimCustomer,
    SimDevice,
    SimEvent,
    SimFault,
    SimMessage,
    SimNumber,
    SimPortfolio,
    SimWebhook,
)

WINDOW = timedelta(hours=24)
MESSAGES_SHOWN = 100
# Of a number's delivered service messages of a month the first ones are free.
SERVICE_ALLOWANCE = 1000


def spellings(wa_id: str) -> list[str]:
    """Return a Brazilian mobile number with and without its ninth digit; other numbers
    unchanged.
    """
    if wa_id.startswith("55") and len(wa_id) == 13 and wa_id[4] == "9":
        return [wa_id, wa_id[:4] + wa_id[5:]]
    if wa_id.startswith("55") and len(wa_id) == 12 and wa_id[4] in "6789":
        return [wa_id, f"{wa_id[:4]}9{wa_id[4:]}"]
    return [wa_id]


def customer_for(wa_id: str) -> SimCustomer | None:
    return SimCustomer.objects.filter(wa_id__in=spellings(wa_id)).first()


def number_row(number: SimNumber) -> dict[str, Any]:
    return {
        "id": number.phone_number_id,
        "wabaId": number.waba_id,
        "phone": number.display_phone_number,
        "name": number.verified_name,
        "isPhone": number.is_phone,
    }


def portfolio_row(portfolio: SimPortfolio) -> dict[str, Any]:
    return {
        "id": portfolio.portfolio_id,
        "name": portfolio.name,
        "limit": portfolio.limit,
        "verification": portfolio.verification,
    }


def device_row(device: SimDevice) -> dict[str, Any]:
    """Return the row of a QR session, which is linked to a telephone or shows a code."""
    return {
        "session": device.session,
        "number": device.number.phone_number_id if device.number else None,
        "code": device.code,
        "isTyped": bool(device.pairing_code),
        "shownAt": device.shown_at.isoformat() if device.shown_at else None,
        "isOnline": device.is_online,
    }


def device_rows() -> list[dict[str, Any]] | None:
    """Return the sessions that are linked or show a code.

    Returns None where a real gateway holds the sessions.
    """
    if not settings.SIMULATED_QR:
        return None
    devices = SimDevice.objects.select_related("number")
    waits = Q(epoch__isnull=False) & (~Q(code="") | ~Q(pairing_code=""))
    return [device_row(device) for device in devices.filter(Q(number__isnull=False) | waits)]


def customer_row(customer: SimCustomer) -> dict[str, Any]:
    return {
        "waId": customer.wa_id,
        "name": customer.name,
        "photo": f"/simulator/samples/{customer.photo}" if customer.photo else None,
        "username": customer.username,
        "hidesNumber": customer.hides_number,
        "hasWhatsapp": customer.has_whatsapp,
    }


def fault_rows() -> list[dict[str, Any]]:
    return [
        {
            "kind": fault.kind,
            "number": fault.number.phone_number_id if fault.number else None,
            "times": fault.times_left,
            "seconds": fault.seconds,
            "isLate": fault.is_late,
        }
        for fault in SimFault.objects.select_related("number")
    ]


def message_row(message: SimMessage) -> dict[str, Any]:
    """Return a message's row; `mediaUrl` is None without a file."""
    file, has_file = _file_of(message)
    media, link = file.get("id"), file.get("link")
    return {
        "id": message.wamid,
        "fromCustomer": message.from_customer,
        "type": message.type,
        "body": message.body,
        "mediaUrl": f"/simulator/media/{media}" if has_file and media else link,
        "replyTo": message.reply_to or None,
        "status": message.status,
        "error": message.error,
        "callback": message.callback,
        "isElsewhere": message.is_elsewhere,
        "sentAt": message.sent_at.isoformat(),
    }


def _file_of(message: SimMessage) -> tuple[dict[str, Any], bool]:
    """Return the object with a message's file id or link, also for a template's header, and
    whether there is a file.
    """
    if message.type == "template":
        shown = message.body.get("shown") or {}
        return {"id": shown.get("media"), "link": shown.get("link")}, "mediaType" in shown
    has_file = message.type in ("image", "audio", "video", "document", "sticker")
    return (message.body if has_file else {}), has_file


def preview(kind: str, body: Any) -> str:
    """Return a message's text for the list of conversations; empty for media without a caption."""
    if kind == "text":
        return str(body.get("body", ""))
    if kind == "template":
        return str(body.get("shown", {}).get("text", ""))
    if kind == "interactive":
        if "nfm_reply" in body:
            return "Formulário respondido"
        answer = body.get("button_reply") or body.get("list_reply")
        return str(answer["title"] if answer else body.get("body", {}).get("text", ""))
    if kind == "document":
        return str(body.get("caption") or body.get("filename") or "")
    if kind in ("image", "video"):
        return str(body.get("caption") or "")
    return str(body.get("emoji", "")) if kind == "reaction" else ""


def _conversations(number: SimNumber) -> dict[int, dict[str, Any]]:
    newest = SimMessage.objects.filter(conversation=OuterRef("pk")).order_by("-id")
    waiting = Q(messages__from_customer=False, messages__status__in=["sent", "delivered"])
    rows = (
        SimConversation.objects.filter(number=number)
        .annotate(
            last_type=Subquery(newest.values("type")[:1]),
            last_body=Subquery(newest.values("body")[:1]),
            last_at=Subquery(newest.values("sent_at")[:1]),
            unread=Count("messages", filter=waiting),
        )
        .values("customer", "last_type", "last_body", "last_at", "unread", "active_at")
    )
    return {row["customer"]: dict(row) for row in rows}


def state(phone_number_id: str, wa_id: str) -> dict[str, Any]:
    """Return numbers, customers (newest conversation first), faults, outbox and one chat."""
    numbers = list(SimNumber.objects.all())
    number = next((n for n in numbers if n.phone_number_id == phone_number_id), None)
    number = number or next(iter(numbers), None)
    chats = _conversations(number) if number else {}
    people = []
    for customer in SimCustomer.objects.all():
        chat = chats.get(customer.pk)
        row = customer_row(customer)
        row["unread"] = chat["unread"] if chat else 0
        row["lastType"] = chat["last_type"] if chat else None
        row["lastText"] = preview(chat["last_type"], chat["last_body"]) if chat else ""
        row["lastAt"] = chat["last_at"].isoformat() if chat and chat["last_at"] else None
        row["activeAt"] = chat["active_at"].isoformat() if chat else ""
        people.append(row)
    people.sort(key=lambda row: row["activeAt"], reverse=True)
    return {
        "numbers": [number_row(n) for n in numbers],
        "portfolio": portfolio_row(_portfolio(number)) if number else None,
        "devices": device_rows(),
        "customers": people,
        "bill": _bill(number) if number else None,
        "faults": fault_rows(),
        "outbox": _outbox(),
        "chat": _chat(number, wa_id) if number and wa_id else None,
    }


def _portfolio(number: SimNumber) -> SimPortfolio:
    found = SimPortfolio.objects.filter(portfolio_id=number.portfolio).first()
    return found or SimPortfolio(portfolio_id=number.portfolio)


def _bill(number: SimNumber) -> dict[str, Any]:
    """Return what Meta counts of a number's delivered messages of this month (UTC): those that it
    charges by category, and the free ones; `allowance` of the service messages are free as well.
    """
    month = timezone.now().replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    rows = (
        SimMessage.objects.filter(
            conversation__number=number,
            from_customer=False,
            is_elsewhere=False,
            status__in=["delivered", "read", "played"],
            sent_at__gte=month,
        )
        .values_list("category", "is_free")
        .annotate(Count("id"))
        .order_by("category")
    )
    counted = list(rows)
    return {
        "charged": {category: count for category, is_free, count in counted if not is_free},
        "free": sum(count for _, is_free, count in counted if is_free),
        "allowance": SERVICE_ALLOWANCE,
    }


def _outbox() -> dict[str, Any]:
    """Return the number of webhooks and events not yet accepted by the product, and an error."""
    errors = [
        *SimWebhook.objects.unfinished().values_list("last_error", flat=True),
        *SimEvent.objects.unfinished().values_list("last_error", flat=True),
    ]
    return {"waiting": len(errors), "error": next(filter(None, errors), "")}


def _chat(number: SimNumber, wa_id: str) -> dict[str, Any] | None:
    customer = customer_for(wa_id)
    if customer is None:
        return None
    chat = SimConversation.objects.filter(number=number, customer=customer).first()
    now = timezone.now()
    newest = SimMessage.objects.filter(conversation=chat).order_by("-id")[:MESSAGES_SHOWN]
    messages = list(newest)[::-1] if chat else []
    last = chat.last_customer_at if chat else None
    return {
        "customer": customer.wa_id,
        "messages": [message_row(message) for message in messages],
        "isElsewhere": bool(chat and chat.is_elsewhere),
        "typing": bool(chat and chat.typing_until and chat.typing_until > now),
        "windowEndsAt": (last + WINDOW).isoformat() if last and last + WINDOW > now else None,
    }
