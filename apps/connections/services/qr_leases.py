"""The owners of QR sessions: one gateway each, for the time of a lease (docs/gateway.md §2).

A session moves to another gateway only after the lease expired, was released, or its owner gave no
sign of life any more, with the next epoch. All decisions use the database's clock and the rows'
locks.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import orjson
from django.db import connection as database
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from apps.common.errors import DomainError
from apps.common.reasons import ReasonCode
from apps.companies.queries import companies_that_send, companies_with
from apps.connections.models import (
    ConnectionStatus,
    GatewayProcess,
    QrFarewell,
    QrSession,
    SessionWish,
)
from apps.connections.services.qr_state import credentials_of, part_from

logger = logging.getLogger(__name__)

LEASE_SECONDS = 30
SEEN_SECONDS = 60
# While sessions have owners, gateways give a sign of life this often, and one without it for
# DEAD_SECONDS is dead. One judges others only after this many answered beats in a row, so that
# after an outage of the server all of them have time to return.
BEAT_SECONDS, DEAD_SECONDS, STEADY_BEATS = 1, 5, 4
# A gateway with a row as old as this is gone.
FORGOTTEN = timedelta(days=1)
# The most sessions of one claim: the answer contains the credentials of all of them.
MOST_CLAIMED = 50
BROWSER = ("Balcão", "Chrome", "1")
QR_ATTEMPTS = 5
# The time of one gateway to log a device out; then another may try.
FAREWELL_SECONDS = 60
MOST_FAREWELLS = 5
# After this time without success the logout is given up.
FAREWELL_KEPT = timedelta(days=30)


class LateCall(DomainError):
    """A later call of the same gateway was answered before."""

    status = 409
    code = "ERR_LATE_CALL"
    message = "O gateway já fez outra chamada depois desta."


@dataclass(frozen=True)
class LeaseCall:
    """A gateway's report: its sessions with their epochs, and its free capacity."""

    gateway: str
    address: str
    room: int
    held: Mapping[int, int]
    is_leaving: bool = False
    # The number of the call, from 1; 0 from a gateway that does not count.
    number: int = 0
    # Devices that it logged out.
    parted: Sequence[int] = ()


def database_now() -> datetime:
    """Return the database's time: the clocks of web processes may differ."""
    if database.vendor != "postgresql":
        return timezone.now()
    with database.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp()")
        now: datetime = cursor.fetchone()[0]
        return now


@transaction.atomic
def renew_leases(call: LeaseCall) -> dict[str, Any]:
    """Renew a gateway's leases, revoke sessions that it has to give up, and assign free ones.

    The number of statements is constant. Raises LateCall.
    """
    now = database_now()
    _remember(call, now)
    own = _locked(Q(pk__in=call.held) | Q(gateway=call.gateway))
    held = [row for row in own if row.gateway == call.gateway and _is_held(row, call)]
    dropped = [row for row in own if row.gateway == call.gateway and row not in held]
    if call.is_leaving:
        _free([*held, *dropped])
        _note_parted(call)
        return {"beatSeconds": 0, **_answer([], sorted(call.held), [], [], [])}
    _free(dropped)
    active = _active(held, now)
    going = [row for row in held if row.wanted == SessionWish.RUN and row.pk in active]
    ending = [row for row in held if row.wanted != SessionWish.RUN]
    QrSession.objects.filter(pk__in=[row.pk for row in (*going, *ending)]).update(
        expires_at=now + timedelta(seconds=LEASE_SECONDS)
    )
    silenced = [row for row in held if row not in going and row not in ending]
    _free(silenced)
    _end_abandoned(now)
    kept = {row.pk for row in (*going, *ending)}
    lost = sorted(set(call.held) - kept)
    claimed = _claim(call, now, not_these=lost)
    _note_parted(call)
    answer = _answer(going, lost, claimed, ending, _farewells(now))
    owns = bool(going or ending or claimed)
    return {"beatSeconds": BEAT_SECONDS if owns or _is_any_owned(now) else 0, **answer}


def _remember(call: LeaseCall, now: datetime) -> None:
    """Store that a gateway was seen; one that shuts down keeps its row, so that its late calls
    are recognised.
    """
    known = GatewayProcess.objects.select_for_update().filter(pk=call.gateway).first()
    if known is not None and call.number and call.number <= known.calls:
        raise LateCall
    room = 0 if call.is_leaving else call.room
    seen_at = now - timedelta(seconds=SEEN_SECONDS) if call.is_leaving else now
    # One that beats does so again once it knows of a session, which may be in this answer.
    beaten_at = now if known is not None and known.beaten_at else None
    GatewayProcess.objects.bulk_create(
        [GatewayProcess(call.gateway, call.address, room, seen_at, call.number, beaten_at)],
        update_conflicts=True,
        unique_fields=["name"],
        update_fields=["address", "room", "seen_at", "calls", "beaten_at"],
    )
    GatewayProcess.objects.filter(seen_at__lt=now - FORGOTTEN).delete()


@transaction.atomic
def take_beat(gateway: str, *, steady: int) -> int:
    """Note a gateway's sign of life; return how many sessions of dead gateways are free now.

    `steady`: its answered beats in a row. A freed session keeps its epoch until another gateway
    claims it: an owner that was only late renews it like any lease that was over.
    """
    now = database_now()
    GatewayProcess.objects.filter(pk=gateway).update(beaten_at=now)
    if steady < STEADY_BEATS:
        return 0
    silent = GatewayProcess.objects.filter(beaten_at__lte=now - timedelta(seconds=DEAD_SECONDS))
    owned = QrSession.objects.filter(expires_at__gt=now)
    dead_owners = silent.filter(name__in=owned.values("gateway"))
    if not dead_owners.exists():
        return 0
    # The process first, like a lease call of its own.
    dead = [each.name for each in dead_owners.select_for_update(skip_locked=True)]
    freed = owned.filter(gateway__in=dead).update(expires_at=now)
    GatewayProcess.objects.filter(pk__in=dead).update(
        seen_at=now - timedelta(seconds=SEEN_SECONDS), room=0
    )
    logger.warning("Gateways %s are gone; %s of their sessions are free", dead, freed)
    return freed


def _is_any_owned(now: datetime) -> bool:
    """Tell whether a session has an owner; without any, gateways don't beat."""
    return QrSession.objects.filter(expires_at__gt=now).exists()


def _locked(wanted: Q) -> list[QrSession]:
    # All calls lock in the same order; a commit locks one row for a moment.
    rows = QrSession.objects.filter(wanted).order_by("pk")
    return list(rows.select_for_update(of=("self",)).defer("credentials"))


def _is_held(row: QrSession, call: LeaseCall) -> bool:
    return call.held.get(row.pk) == row.epoch


def _active(rows: Iterable[QrSession], now: datetime) -> set[int]:
    """Return those of the sessions whose company may send."""
    return set(_of_active(now).filter(pk__in=[row.pk for row in rows]).values_list("pk", flat=True))


def _unheard(rows: Iterable[QrSession]) -> set[int]:
    """Return those of the sessions whose status is unknown since their lease was over."""
    return set(
        QrSession.objects.filter(
            pk__in=[row.pk for row in rows],
            connection__status=ConnectionStatus.OPENING,
            connection__reason_code=ReasonCode.GATEWAY_GONE,
        ).values_list("pk", flat=True)
    )


def _of_active(now: datetime) -> "QuerySet[QrSession]":
    return QrSession.objects.filter(connection__company__in=companies_that_send(now))


def revoke_lease(session: QrSession) -> None:
    """Revoke a locked session from an owner that does not answer; its lease must still expire."""
    session.gateway = session.address = ""
    session.epoch += 1
    session.save(update_fields=["gateway", "address", "epoch"])


def end_lease(session: QrSession) -> None:
    """Remove the owner of a locked session that the owner closed."""
    _free([session])


def _free(rows: Sequence[QrSession]) -> None:
    """Remove the owner of sessions; queue the logout of those that must be logged out and were
    not.
    """
    if not rows:
        return
    QrSession.objects.filter(pk__in=[row.pk for row in rows]).update(
        gateway="", address="", expires_at=None
    )
    over = [row for row in rows if row.wanted == SessionWish.LOGOUT or row.connection_id is None]
    part_from([row.pk for row in over])


def _end_abandoned(now: datetime) -> None:
    """Remove the owner of sessions that were to end and whose owner is gone."""
    ending = Q(expires_at__lte=now) & ~Q(wanted=SessionWish.RUN)
    # The company was deleted with its connections.
    left_over = Q(connection=None) & (Q(expires_at=None) | Q(expires_at__lte=now))
    abandoned = QrSession.objects.filter(ending | left_over)
    _free(list(abandoned.select_for_update(skip_locked=True, of=("self",)).defer("credentials")))


def _note_parted(call: LeaseCall) -> None:
    if call.parted:
        QrFarewell.objects.filter(pk__in=call.parted).delete()


def _farewells(now: datetime) -> list[QrFarewell]:
    """Give a gateway the devices of ended sessions to log out."""
    QrFarewell.objects.filter(created_at__lt=now - FAREWELL_KEPT).delete()
    due = QrFarewell.objects.filter(Q(due_at=None) | Q(due_at__lte=now)).order_by("pk")
    rows = list(due.select_for_update(skip_locked=True)[:MOST_FAREWELLS])
    QrFarewell.objects.filter(pk__in=[row.pk for row in rows]).update(
        due_at=now + timedelta(seconds=FAREWELL_SECONDS)
    )
    return rows


def _claim(call: LeaseCall, now: datetime, *, not_these: Sequence[int]) -> list[QrSession]:
    """Assign free sessions to a gateway, except those that this answer revokes."""
    room = min(call.room, MOST_CLAIMED)
    if room <= 0:
        return []
    is_free = Q(expires_at=None) | Q(expires_at__lte=now)
    free = _of_active(now).filter(is_free, wanted=SessionWish.RUN).exclude(pk__in=not_these)
    free = free.select_related("connection").order_by("pk")
    rows = list(free.select_for_update(skip_locked=True, of=("self",))[:room])
    QrSession.objects.filter(pk__in=[row.pk for row in rows]).update(
        gateway=call.gateway,
        address=call.address,
        epoch=F("epoch") + 1,
        writes=0,
        expires_at=now + timedelta(seconds=LEASE_SECONDS),
    )
    for row in rows:
        row.epoch += 1
    return rows


def _answer(
    held: Sequence[QrSession],
    lost: Sequence[int],
    claimed: Sequence[QrSession],
    ending: Sequence[QrSession],
    farewells: Sequence[QrFarewell],
) -> dict[str, Any]:
    settings = _settings_of([row.pk for row in (*held, *claimed)])
    unheard = _unheard(held) if held else ()
    return {
        "leaseSeconds": LEASE_SECONDS,
        "held": [
            {
                "session": row.pk,
                "epoch": row.epoch,
                "settings": settings[row.pk],
                **({"report": True} if row.pk in unheard else {}),
            }
            for row in held
        ],
        "lost": list(lost),
        "claimed": [
            {
                "session": row.pk,
                "epoch": row.epoch,
                "credentials": credentials_of(row),
                "settings": settings[row.pk],
                "link": {"number": row.link_number} if row.link_number else None,
            }
            for row in claimed
        ],
        "stop": [
            {
                "session": row.pk,
                "epoch": row.epoch,
                "logout": row.wanted == SessionWish.LOGOUT,
            }
            for row in ending
        ],
        "farewells": [
            {
                "farewell": row.pk,
                "credentials": orjson.loads(row.credentials),
                "browser": list(BROWSER),
            }
            for row in farewells
        ],
    }


def _settings_of(ids: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Return the settings of sessions for the gateway."""
    if not ids:
        return {}
    pairs = QrSession.objects.filter(pk__in=ids).values_list("pk", "connection__company_id")
    companies = dict(pairs)
    among = set(companies.values()) - {None}
    ignoring = companies_with("CheckMsgIsGroup", "enabled", among=among)
    importing = companies_with("importHistory", "enabled", among=among)
    return {
        pk: {
            "browser": list(BROWSER),
            "ignoreGroups": company in ignoring,
            "syncHistory": company in importing,
            "qrAttempts": QR_ATTEMPTS,
            "markOnline": False,
        }
        for pk, company in companies.items()
    }


def gateways_seen() -> list[GatewayProcess]:
    """Return the gateways that were seen within the last minute, the one with most capacity
    first.
    """
    since = database_now() - timedelta(seconds=SEEN_SECONDS)
    return list(GatewayProcess.objects.filter(seen_at__gt=since).order_by("-room", "name"))
