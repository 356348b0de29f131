"""The worker of rehearsals (rules/desk §16).

A rehearsal writes nothing but its row. So one whose worker was killed begins anew, and comes to the
same report.
"""

import logging
import time
from datetime import timedelta

from django.utils import timezone

from apps.common.leases import Claim, LeasedWork, WorkerDied, retry_delay
from apps.desk import events
from apps.desk.models import Rehearsal
from apps.desk.services.rehearsals.reports import report_of

logger = logging.getLogger(__name__)

REHEARSALS = LeasedWork(Rehearsal, "MOVE_LEASE_SECONDS")
DAYS_KEPT = 14
MAX_ATTEMPTS = 3
FAILED = "ERR_REHEARSAL_FAILED"
FAULT = "O ensaio não pôde ser concluído. Tente de novo."
# How often it is told how far a rehearsal is.
TELL_SECONDS = 1.0


class _Stopped(Exception):
    """The rehearsal was deleted, or another worker has taken it over."""


def run_due(*, limit: int) -> int:
    """Claim up to `limit` rehearsals and do them; returns the number of claimed rows.

    Reports whose days are over are deleted. Never call it inside a transaction.
    """
    Rehearsal.objects.filter(expires_at__lt=timezone.now()).delete()
    with REHEARSALS.claimed(limit) as claim:
        for rehearsal in claim.rows():
            try:
                _run(rehearsal, claim)
            except _Stopped:
                continue
            except WorkerDied as death:
                _fail(rehearsal, claim, str(death))
            except Exception:
                logger.exception("Rehearsal %s failed", rehearsal.pk)
                if rehearsal.attempts >= MAX_ATTEMPTS:
                    _fail(rehearsal, claim, FAULT)
                else:
                    until = timezone.now() + timedelta(seconds=retry_delay(rehearsal.attempts))
                    claim.retry_later(rehearsal, until, FAULT)
        return len(claim.ids)


def _run(rehearsal: Rehearsal, claim: Claim[Rehearsal]) -> None:
    rehearsal.begin(MAX_ATTEMPTS)
    report = report_of(rehearsal, _Progress(rehearsal, claim))
    kept_until = timezone.now() + timedelta(days=DAYS_KEPT)
    tried = rehearsal.tickets_total
    if claim.finish(rehearsal, report=report, tickets_done=tried, expires_at=kept_until):
        _tell(rehearsal)


class _Progress:
    """Records how far a rehearsal is, and tells it; raises _Stopped when it was stopped."""

    def __init__(self, rehearsal: Rehearsal, claim: Claim[Rehearsal]) -> None:
        self._rehearsal, self._claim = rehearsal, claim
        self._next = 0.0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + TELL_SECONDS
        row = self._rehearsal
        row.tickets_done, row.tickets_total = done, total
        if not self._claim.renew(row, tickets_done=done, tickets_total=total):
            raise _Stopped
        _tell(row)


def _fail(rehearsal: Rehearsal, claim: Claim[Rehearsal], error: str) -> None:
    kept_until = timezone.now() + timedelta(days=DAYS_KEPT)
    if claim.fail(rehearsal, error, error_code=FAILED, expires_at=kept_until):
        _tell(rehearsal)


def _tell(rehearsal: Rehearsal) -> None:
    row = Rehearsal.objects.select_related("user").filter(pk=rehearsal.pk).first()
    if row is not None:
        events.rehearsal_changed(row)
