"""Linked devices: showing codes, linking, going offline and removal."""

import secrets
import string
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.simulator.models import SimDevice, SimNumber
from apps.simulator.services.conversations import UnknownSimulated
from apps.simulator.services.gateway import outbox
from apps.simulator.services.gateway.payloads import digits_of

CODE_SECONDS = 60
# WhatsApp takes about this long to complete the pairing.
PAIRING_SECONDS = 1.0
# Without characters that are easily confused.
PAIRING_LETTERS = "".join(sorted(set(string.ascii_uppercase + string.digits) - set("0O1I")))


def waiting_devices() -> list[SimDevice]:
    """Return the sessions that show a code, the newest code first."""
    shown = SimDevice.objects.filter(epoch__isnull=False, number=None)
    return list(shown.exclude(code="", pairing_code="").order_by("-shown_at"))


@transaction.atomic
def take(
    *, session: int, epoch: int, credentials: Any, settings: dict[str, Any], link: str
) -> SimDevice:
    """Open a session that the product assigned: a linked one resumes, a new one shows a code."""
    device, _ = SimDevice.objects.get_or_create(session=session)
    device.epoch = epoch
    device.most_codes = int(settings.get("qrAttempts") or device.most_codes)
    device.save()
    told = credentials.get("simulated") if isinstance(credentials, dict) else None
    if credentials is None:
        _unlink(device)
        show_code(device, link=link)
    elif told is None:
        # Credentials of the real WhatsApp are kept for the gateway that linked them.
        outbox.report(device, "DISCONNECTED", reason="refused", detail="simulator")
    elif device.number is None or told != device.token:
        outbox.report(device, "DISCONNECTED", reason="logged_out")
    else:
        report_again(device)
    return device


def report_again(device: SimDevice) -> None:
    """Report the status of a session, which the product may not know."""
    if device.number is None:
        if device.pairing_code:
            outbox.report(device, "qrcode", pairingCode=device.pairing_code)
        elif device.code:
            outbox.report(device, "qrcode", qr=device.code)
    elif device.is_online:
        outbox.report_connected(device)
        outbox.resume(device)
    else:
        outbox.report(device, "OPENING", reason="connection_lost")


def let_go(sessions: Collection[int]) -> None:
    """Stop holding sessions at once, without reporting it."""
    SimDevice.objects.filter(session__in=sessions).update(epoch=None)


@transaction.atomic
def end(session: int, *, is_logout: bool) -> None:
    """Close a session, or log it out of its telephone. In both cases it is no longer held."""
    devices = SimDevice.objects.filter(session=session)
    if is_logout:
        devices.delete()
    else:
        devices.update(epoch=None)


def part(credentials: Any) -> bool:
    """Remove the device of a deleted session from its telephone.

    Returns False for credentials of the real WhatsApp.
    """
    told = credentials.get("simulated") if isinstance(credentials, dict) else None
    if told is None:
        return False
    SimDevice.objects.filter(token=told, epoch=None).delete()
    return True


@transaction.atomic
def show_code(device: SimDevice, *, link: str = "") -> SimDevice:
    """Show a new QR code or, with the number `link`, a pairing code to type into that telephone."""
    device.link_number = link or device.link_number
    device.codes_shown += 1
    device.shown_at = timezone.now()
    device.code = device.pairing_code = ""
    if device.link_number:
        device.pairing_code = "".join(secrets.choice(PAIRING_LETTERS) for _ in range(8))
        outbox.report(device, "qrcode", pairingCode=device.pairing_code)
    else:
        # Like WhatsApp Web's code: a reference and three keys.
        parts = [secrets.token_urlsafe(66), *(secrets.token_urlsafe(32) for _ in range(3))]
        device.code = "2@" + ",".join(parts)
        outbox.report(device, "qrcode", qr=device.code)
    device.save()
    return device


def renew_codes(now: datetime) -> None:
    """Replace expired codes, until all attempts are used up."""
    for device in waiting_devices():
        is_typed = bool(device.pairing_code)
        seconds = CODE_SECONDS * (device.most_codes if is_typed else 1)
        if device.shown_at is None or device.shown_at + timedelta(seconds=seconds) > now:
            continue
        if is_typed or device.codes_shown >= device.most_codes:
            with transaction.atomic():
                _unlink(device)
                outbox.report(device, "TIMEOUT", reason="qr_expired")
        else:
            show_code(device)


@transaction.atomic
def scan(*, code: str, phone: str, name: str) -> SimDevice:
    """Link the session that shows this code, scanned or typed in, to the telephone of a number.

    Raises UnknownSimulated for a code that no session shows. Raises ValueError for a pairing code
    of another number, and for a number that is not a telephone's.
    """
    typed = code.replace("-", "").strip()
    shown = SimDevice.objects.select_for_update().filter(epoch__isnull=False, number=None)
    device = shown.exclude(code="", pairing_code="").filter(
        Q(code=code.strip()) | Q(pairing_code=typed.upper())
    )
    found = device.first() if typed else None
    if found is None:
        raise UnknownSimulated("no such code")
    number = phone_for(phone, name)
    if found.link_number and found.link_number != digits_of(number):
        raise ValueError("the code is another number's")
    found.number, found.token = number, secrets.token_urlsafe(24)
    found.code = found.pairing_code = found.link_number = ""
    found.codes_shown, found.is_online = 0, True
    found.save()
    outbox.report(found, "PAIRING", reason="scanned")
    outbox.report_connected(found, after_seconds=PAIRING_SECONDS)
    return found


def phone_for(phone: str, name: str) -> SimNumber:
    """Return the telephone of a number; create it if it is missing.

    Raises ValueError for an API number.
    """
    digits = "".join(c for c in phone if c.isdigit())
    if not 8 <= len(digits) <= 15:
        raise ValueError("phone must have 8 to 15 digits")
    number, _ = SimNumber.objects.get_or_create(
        phone_number_id=digits,
        defaults={
            "waba_id": "",
            "display_phone_number": phone.strip()[:30],
            "verified_name": name.strip()[:100] or phone.strip()[:30],
            "is_registered": False,
            "is_phone": True,
        },
    )
    if not number.is_phone:
        raise ValueError("the number is the official API's")
    return number


@transaction.atomic
def remove(device: SimDevice) -> None:
    """Remove a device on its telephone, which logs its session out."""
    _unlink(device)
    outbox.report(device, "DISCONNECTED", reason="logged_out")


@transaction.atomic
def set_online(device: SimDevice, *, is_online: bool) -> None:
    """Disconnect a device from WhatsApp, or reconnect it and send its waiting events."""
    if device.is_online == is_online:
        return
    device.is_online = is_online
    device.save(update_fields=["is_online"])
    if is_online:
        outbox.report_connected(device)
        outbox.resume(device)
    else:
        outbox.report(device, "OPENING", reason="connection_lost")


def _unlink(device: SimDevice) -> None:
    outbox.forget(device)
    device.number, device.token = None, ""
    device.code = device.pairing_code = device.link_number = ""
    device.codes_shown, device.is_online = 0, True
    device.save()
