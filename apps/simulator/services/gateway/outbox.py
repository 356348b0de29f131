"""Outbox of QR sessions' events, which are committed to the product in order per session."""

import secrets
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Min
from django.utils import timezone

from apps.common.leases import LeasedQuerySet, LeasedWork, LeaseState
from apps.simulator.models import FaultKind, SimDevice, SimEvent, SimNumber
from apps.simulator.services.background import LONGEST_PAUSE_SECONDS, Background
from apps.simulator.services.faults import take_fault
from apps.simulator.services.gateway.calls import CallFailed, call
from apps.simulator.services.gateway.payloads import Event, contacts_event, digits_of, session_event

BATCH = 50
EVENTS = LeasedWork(
    model=SimEvent,
    lease_setting="INBOUND_LEASE_SECONDS",
    partition=("device_id",),
)
# Statuses after which the session is closed and its lease ends (docs/gateway.md §2).
ENDED = ("DISCONNECTED", "TIMEOUT")
# Statuses of a permanent refusal: the event is dropped (docs/gateway.md §3).
NEVER_STORED = (400, 413)
NOT_OWNER, GONE = 409, 410


def tell_devices(number: SimNumber, event: Event) -> None:
    """Store an event for every device of a telephone; twice while the duplicates fault is set."""
    copies = 2 if take_fault(FaultKind.DUPLICATE_WEBHOOKS, number) else 1
    for device in SimDevice.objects.filter(number=number):
        for _ in range(copies):
            _store(device, event)


def report(device: SimDevice, status: str, **payload: Any) -> None:
    """Report a session's status, if the gateway holds the session."""
    if device.epoch is not None:
        event = session_event(_new_id("session"), status, timezone.now(), **payload)
        _store(device, event, epoch=device.epoch)


def report_connected(device: SimDevice, *, after_seconds: float = 0) -> None:
    """Report a linked session as connected, with its credentials and its telephone's address
    book.
    """
    number, now = device.number, timezone.now()
    if number is None or device.epoch is None:
        return
    at = now + timedelta(seconds=after_seconds)
    me = {"number": digits_of(number), "lid": "", "name": number.verified_name}
    opened = session_event(_new_id("session"), "CONNECTED", now, me=me)
    _store(device, opened, epoch=device.epoch, credentials={"simulated": device.token}, at=at)
    _store(device, contacts_event(_new_id("contacts"), now), epoch=device.epoch, at=at)


def resume(device: SimDevice) -> None:
    """Send the events at once that waited for an owner or a connection."""
    _messages_of(device).filter(state=LeaseState.WAITING).start_over(timezone.now())
    transaction.on_commit(start_posting)


def forget(device: SimDevice) -> None:
    """Delete the waiting events of a device that is no longer linked."""
    _messages_of(device).delete()


def _messages_of(device: SimDevice) -> LeasedQuerySet[SimEvent]:
    return SimEvent.objects.unfinished().filter(device=device, epoch=None)


def _new_id(what: str) -> str:
    return f"{what}:{secrets.token_hex(8)}"


def _store(
    device: SimDevice,
    event: Event,
    *,
    epoch: int | None = None,
    credentials: dict[str, str] | None = None,
    at: datetime | None = None,
) -> None:
    SimEvent.objects.create(
        device=device,
        event=event,
        epoch=epoch,
        credentials=credentials,
        next_attempt_at=at or timezone.now(),
    )
    transaction.on_commit(start_posting)


def next_due() -> datetime | None:
    """Return when the first waiting event of any session is due, or None."""
    waiting = SimEvent.objects.unfinished()
    heads = waiting.order_by().values("device").annotate(first=Min("id")).values("first")
    due: datetime | None = waiting.filter(pk__in=heads).aggregate(at=Min("next_attempt_at"))["at"]
    return due


def post_due() -> int:
    """Commit due events, in order per session; returns the number of attempts."""
    tried = 0
    while posted := _post_some():
        tried += posted
    if tried:
        SimEvent.objects.filter(state=LeaseState.DONE).delete()
    return tried


def _post_some() -> int:
    tried = 0
    waiting: set[int] = set()  # devices whose first event could not be sent yet
    with EVENTS.claimed(BATCH) as claim:
        for row in claim.rows():
            now = timezone.now()
            if row.device_id in waiting or row.next_attempt_at > now:
                waiting.add(row.device_id)
                continue
            tried += 1
            if error := _post(row):
                waiting.add(row.device_id)
                pause = min(LONGEST_PAUSE_SECONDS, 0.5 * 2 ** min(row.attempts - 1, 10))
                claim.retry_later(row, now + timedelta(seconds=pause), error)
            else:
                claim.finish(row)
        if waiting:
            claim.release()
    return tried


def _post(row: SimEvent) -> str:
    """Commit one event; returns the reason for a retry, or '' when it is finished."""
    device = SimDevice.objects.get(pk=row.device_id)
    epoch = device.epoch if row.epoch is None else row.epoch
    if row.epoch is not None and row.epoch != device.epoch:
        return ""  # another gateway holds the session by now
    if epoch is None:
        return "nobody holds the session"
    if row.epoch is None and not device.is_online:
        return "the device is offline"
    payload = row.event["payload"]
    try:
        if payload.get("reason") == "logged_out":
            call(f"sessions/{device.session}/wipe", {"epoch": epoch, "reason": "logged_out"})
        more = {"credentials": row.credentials} if row.credentials else {}
        body = {"epoch": epoch, "events": [row.event], **more}
        call(f"sessions/{device.session}/commit", body)
    except CallFailed as failed:
        return _refused(row, device, epoch, failed)
    if row.event["kind"] == "session" and payload["status"] in ENDED:
        _let_go(device, epoch)
    return ""


def _refused(row: SimEvent, device: SimDevice, epoch: int, failed: CallFailed) -> str:
    if failed.status == GONE:
        device.delete()
        return ""
    if failed.status == NOT_OWNER:
        _let_go(device, epoch)
        return "" if row.epoch is not None else str(failed)
    return "" if failed.status in NEVER_STORED else str(failed)


def _let_go(device: SimDevice, epoch: int) -> None:
    SimDevice.objects.filter(pk=device.pk, epoch=epoch).update(epoch=None)


_poster = Background("simulated gateway's events", post_due, next_due)


def start_posting() -> None:
    """Start the thread that commits events."""
    _poster.start()
