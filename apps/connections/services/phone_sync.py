"""Requests the address book and the history of a phone that stays in use (rules/connections §15).

Meta answers each request once, within a day of the signup: only a person may repeat a request with
an unknown outcome.
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
# The least time between two progress events.
TOLD_SECONDS = 2.0
DONE = 100
REASON_LENGTH = 500
DETAIL_LENGTH = 300
AGAIN = frozenset({PhoneSyncOutcome.UNCLEAR, PhoneSyncOutcome.FAILED})


class PhoneSyncClosed(DomainError):
    """The phone cannot be asked, or not any more."""

    status = 409
    code = "ERR_PHONE_SYNC_CLOSED"
    message = (
        "O celular não pode mais ser consultado. A Meta aceita o pedido uma vez, em até 24 horas"
        " depois da conexão."
    )


def begin_phone_syncs(connection: Connection) -> None:
    """Queue both requests for the phone of a number that was just connected with it."""
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
    """Send due requests; return how many were claimed.

    Never call it inside a transaction. A request whose worker died or hung becomes `unclear`.
    """
    PhoneSync.objects.hung().give_up_claims()
    with SYNCS.claimed(limit) as claim:
        for sync in claim.rows().select_related("connection"):
            _ask(sync, claim)
        return len(claim.ids)


def _ask(sync: PhoneSync, claim: Claim[PhoneSync]) -> None:
    connection, now = sync.connection, timezone.now()
    if sync.attempts:  # an earlier attempt recorded no outcome
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
        else:  # Meta refused it, so it may be repeated
            claim.retry_later(sync, later, error.message, attempts=0)
        return
    with transaction.atomic():
        claim.finish(sync, request_id=request_id[:200], asked_at=now)
        # The data may arrive before the answer.
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
    """Repeat a failed or unclear request, audited; raises PhoneSyncClosed.

    Meta may refuse it, since it answers each request once.
    """
    # Locked: of two people at once the second finds it requested.
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
    """Store the progress of a phone's history with `count` new messages, in the caller's
    transaction.

    Chunks arrive in any order and repeatedly: the furthest progress counts.
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
    """Store that a phone sent its address book, in the caller's transaction."""
    if not connection.is_coexistence:
        return
    sync = _coming(connection, PhoneSyncKind.CONTACTS)
    is_news = sync.outcome != PhoneSyncOutcome.FINISHED
    sync.outcome = PhoneSyncOutcome.FINISHED
    _keep(sync, connection, count, is_news=is_news)


def _coming(connection: Connection, kind: PhoneSyncKind) -> PhoneSync:
    """Return the locked row of arriving data; the arrival proves that it was requested."""
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
