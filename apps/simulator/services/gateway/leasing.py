"""The lease calls of the simulated gateway: which QR sessions it holds (docs/gateway.md §2)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import F, Min
from django.utils import timezone

from apps.common.leases import LeasedWork, LeaseState
from apps.simulator.models import SimDevice, SimGateway
from apps.simulator.services.background import Background
from apps.simulator.services.gateway import devices
from apps.simulator.services.gateway.calls import CallFailed, call

NAME = "simulator"
ROOM = 100
LEASE_EVERY = timedelta(seconds=10)
# Without devices there is no lease to renew, and a wake-up call announces the first session. The
# calls then only show that the gateway is alive.
SEEN_EVERY = timedelta(seconds=30)
# After a call that failed: at its start the product answers a moment after its worker works.
TRIED_EVERY = timedelta(seconds=1)
GATEWAY = LeasedWork(model=SimGateway, lease_setting="INBOUND_LEASE_SECONDS")


def come_up() -> None:
    """Start making lease calls, or stop where a real gateway holds the sessions."""
    if not settings.SIMULATED_QR:
        SimGateway.objects.all().delete()
        return
    SimGateway.objects.get_or_create(pk=1)
    SimGateway.objects.filter(state=LeaseState.WAITING).start_over(timezone.now())


def wake() -> None:
    now = timezone.now()
    SimGateway.objects.update(wanted_at=now)
    SimGateway.objects.filter(state=LeaseState.WAITING).start_over(now)
    start_leasing()


def address() -> str:
    """Return the address for the product's commands, on the local port."""
    return f"http://127.0.0.1:{settings.PORT}/simulator/gateway"


def lease_due() -> None:
    """Make the due lease call, and renew expired codes."""
    with GATEWAY.claimed(1) as claim:
        for row in claim.rows():
            started_at, error = timezone.now(), ""
            try:
                goes_on, parted = _lease(row)
                while goes_on:
                    goes_on, parted = _lease(row, parted)
            except CallFailed as failed:
                error = str(failed)
            devices.renew_codes(timezone.now())
            if error:
                pause = TRIED_EVERY
            else:
                pause = LEASE_EVERY if SimDevice.objects.exists() else SEEN_EVERY
            claim.retry_later(row, started_at + pause, error)
            asked = SimGateway.objects.filter(
                pk=row.pk, wanted_at__gt=started_at, state=LeaseState.WAITING
            )
            asked.start_over(timezone.now())


def _lease(row: SimGateway, parted: Sequence[int] = ()) -> tuple[bool, list[int]]:
    """Make one lease call.

    Returns whether another must follow at once, to report closed sessions and handled farewells,
    and the ids of these farewells.
    """
    SimGateway.objects.filter(pk=row.pk).update(calls=F("calls") + 1)
    row.refresh_from_db(fields=["calls"])
    held = SimDevice.objects.filter(epoch__isnull=False).values_list("session", "epoch")
    answer = call(
        "lease",
        {
            "version": 1,
            "gateway": NAME,
            "call": row.calls,
            "address": address(),
            "room": ROOM,
            "held": [{"session": session, "epoch": epoch} for session, epoch in held],
            "parted": list(parted),
        },
    )
    asked = [each["session"] for each in answer["held"] if each.get("report")]
    for device in SimDevice.objects.filter(session__in=asked, epoch__isnull=False):
        devices.report_again(device)
    devices.let_go(answer["lost"])
    for each in answer["stop"]:
        devices.end(each["session"], is_logout=each["logout"])
    for each in answer["claimed"]:
        link: dict[str, Any] = each["link"] or {}
        devices.take(
            session=each["session"],
            epoch=each["epoch"],
            credentials=each["credentials"],
            settings=each["settings"],
            link=str(link.get("number") or ""),
        )
    said = [each["farewell"] for each in answer["farewells"] if devices.part(each["credentials"])]
    return bool(answer["stop"] or said), said


def next_due() -> datetime | None:
    """Return when the next lease call is due, or None."""
    due: datetime | None = SimGateway.objects.unfinished().aggregate(at=Min("next_attempt_at"))[
        "at"
    ]
    return due


_caller = Background("simulated gateway's leases", lease_due, next_due)


def start_leasing() -> None:
    """Start the thread that makes lease calls."""
    _caller.start()
