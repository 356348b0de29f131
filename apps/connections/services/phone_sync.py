"""Asking a phone that stays in use for its address book and its past (rules/connections §15).

Meta answers each question once, within a day of the signup: one whose outcome nobody knows is
asked again by a person alone.
"""

from datetime import timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.services import record
from apps.common.errors import DomainError
from apps.common.leases import Claim, LeasedWork
from apps.common.wakeups import wake
from apps.connections import events
from apps.connections.models import (
    Connection,
    ConnectionStatus,
    PhoneSync,
    PhoneSyncKind,
    PhoneSyncOutcome,
)
from apps.connections.providers.base import ProviderError
from apps.connections.providers.inbound import InboundHistory
from apps.connections.services.provision import official_provider_for

SYNCS = LeasedWork(model=PhoneSync, lease_setting="DELIVERY_LEASE_SECONDS", counts=False)
ASKABLE = timedelta(hours=24)
RETRY_SECONDS = 60.0
# Browsers hear of what comes no more often than this.
TOLD_SECONDS = 2.0
DONE = 100
REASON_LENGTH = 500
DETAIL_LENGTH = 300
AGAIN = frozenset({PhoneSyncOutcome.UNCLEAR, PhoneSyncOutcome.FAILED})


class PhoneSyncClosed(DomainError):
    """There is nothing to ask the phone for, or no more."""

    status = 409
    code = "ERR_PHONE_SYNC_CLOSED"
    message = (
        "O celular não pode mais ser consultado. A Meta aceita o pedido uma vez, em até 24 horas"
        " depois da conexão."
    )


def begin_phone_syncs(connection: Connection) -> None:
    """Have a number's phone asked for all it has, once the number has come with it."""
    if not connection.is_coexistence:
        return
    with transaction.atomic():
        for kind in PhoneSyncKind:
            sync, is_new = PhoneSync.objects.get_or_create(connection=connection, kind=kind)
            if not is_new:
                _start_over(sync)
        wake("connections.ask_phones")


def _start_over(sync: PhoneSync) -> None:
    rows = PhoneSync.objects.filter(pk=sync.pk)
    rows.update(
        outcome=PhoneSyncOutcome.WAITING,
        request_id="",
        asked_at=None,
        phase=None,
        progress=0,
        reason="",
        reason_code="",
        reason_detail="",
    )
    rows.start_over(timezone.now())


def ask_due(*, limit: int) -> int:
    """Ask for what is due; returns how many were claimed. Never call it inside a transaction.

    A question whose worker died or hung while it was asked stays unclear.
    """
    PhoneSync.objects.hung().give_up_claims()
    with SYNCS.claimed(limit) as claim:
        for sync in claim.rows().select_related("connection"):
            _ask(sync, claim)
        return len(claim.ids)


def _ask(sync: PhoneSync, claim: Claim[PhoneSync]) -> None:
    connection, now = sync.connection, timezone.now()
    if sync.attempts:  # held before, and nothing was recorded after
        _settle(sync, claim, PhoneSyncOutcome.UNCLEAR)
        return
    if now - (connection.signed_up_at or now) > ASKABLE:
        _settle(sync, claim, PhoneSyncOutcome.EXPIRED)
        return
    later = now + timedelta(seconds=RETRY_SECONDS)
    if connection.status != ConnectionStatus.CONNECTED:
        claim.retry_later(sync, later, "The number is not connected.")
        return
    if not claim.hold(sync):
        return
    try:
        request_id = official_provider_for(connection).ask_phone(sync.kind)
    except ProviderError as error:
        if error.outcome_unknown:
            _settle(sync, claim, PhoneSyncOutcome.UNCLEAR, error)
        elif error.permanent or error.needs_reconnect:
            _settle(sync, claim, PhoneSyncOutcome.FAILED, error)
        else:  # Meta did not take it, and says so: it may be asked again
            claim.retry_later(sync, later, error.message, attempts=0)
        return
    with transaction.atomic():
        claim.finish(sync, request_id=request_id[:200], asked_at=now)
        # What it asked for may be here before the answer is.
        PhoneSync.objects.filter(pk=sync.pk, outcome=PhoneSyncOutcome.WAITING).update(
            outcome=PhoneSyncOutcome.ASKED
        )
        events.connection_updated(connection)


def _settle(
    sync: PhoneSync,
    claim: Claim[PhoneSync],
    outcome: PhoneSyncOutcome,
    error: ProviderError | None = None,
) -> None:
    with transaction.atomic():
        claim.fail(
            sync,
            error.message if error else "",
            outcome=outcome,
            reason=error.message[:REASON_LENGTH] if error else "",
            reason_code=error.reason.code if error else "",
            reason_detail=error.reason.detail[:DETAIL_LENGTH] if error else "",
        )
        events.connection_updated(sync.connection)


@transaction.atomic
def ask_phone_again(
    *, actor: User, connection: Connection, kind: str, ip_address: str | None = None
) -> None:
    """Ask once more what failed or is unclear, audited; raises PhoneSyncClosed.

    Meta may refuse it: it answers each question once.
    """
    # Two people at once: the second finds it asked.
    rows = PhoneSync.objects.select_for_update(no_key=True).filter(connection=connection)
    sync = rows.filter(kind=kind).first()
    now = timezone.now()
    if (
        sync is None
        or sync.outcome not in AGAIN
        or now - (connection.signed_up_at or now) > ASKABLE
    ):
        raise PhoneSyncClosed
    _start_over(sync)
    record(
        action="connection.phone_asked_again",
        actor=actor,
        company_id=connection.company_id,
        target=connection,
        detail={"kind": kind},
        ip_address=ip_address,
    )
    events.connection_updated(connection)
    wake("connections.ask_phones")


def note_history(connection: Connection, report: InboundHistory, *, count: int) -> None:
    """Keep how far a phone's past has come with `count` new messages, in the caller's transaction.

    Chunks come in any order and again: the furthest that was told counts.
    """
    sync = _coming(connection, PhoneSyncKind.HISTORY)
    before = sync.outcome
    if report.is_declined:
        sync.outcome = PhoneSyncOutcome.DECLINED
    elif report.error:
        sync.outcome, sync.reason = PhoneSyncOutcome.FAILED, report.error[:REASON_LENGTH]
    elif before != PhoneSyncOutcome.FINISHED:
        sync.outcome = PhoneSyncOutcome.RUNNING
    if report.progress is not None and report.progress >= sync.progress:
        sync.progress, sync.phase = report.progress, report.phase
    if sync.progress >= DONE and not (report.is_declined or report.error):
        sync.outcome = PhoneSyncOutcome.FINISHED
    _keep(sync, connection, count, is_news=sync.outcome != before)


def note_addresses(connection: Connection, *, count: int) -> None:
    """Keep that a phone told of its address book, in the caller's transaction."""
    if not connection.is_coexistence:
        return
    sync = _coming(connection, PhoneSyncKind.CONTACTS)
    is_news = sync.outcome != PhoneSyncOutcome.FINISHED
    sync.outcome = PhoneSyncOutcome.FINISHED
    _keep(sync, connection, count, is_news=is_news)


def _coming(connection: Connection, kind: PhoneSyncKind) -> PhoneSync:
    """Return the row of what is coming, locked; that it comes says that it was asked for."""
    PhoneSync.objects.get_or_create(connection=connection, kind=kind)
    rows = PhoneSync.objects.select_for_update(no_key=True)
    sync = rows.get(connection=connection, kind=kind)
    PhoneSync.objects.filter(pk=sync.pk).unfinished().finish()
    return sync


def _keep(sync: PhoneSync, connection: Connection, count: int, *, is_news: bool) -> None:
    now = timezone.now()
    tells = is_news or sync.told_at is None or (now - sync.told_at).total_seconds() >= TOLD_SECONDS
    PhoneSync.objects.filter(pk=sync.pk).update(
        outcome=sync.outcome,
        reason=sync.reason,
        phase=sync.phase,
        progress=sync.progress,
        received_count=F("received_count") + count,
        received_at=now,
        told_at=now if tells else sync.told_at,
    )
    if tells:
        events.connection_updated(connection)
