"""What the two workers of ticks share: who ends the worker is put off, and who fails waits."""

import logging
from collections.abc import Callable, Sequence
from datetime import timedelta

from django.utils import timezone

from apps.common.leases import (
    COUNTED_FAILURES,
    DEADLY_ATTEMPTS,
    Claim,
    RowT,
    WorkerDied,
    retry_delay,
)

logger = logging.getLogger(__name__)

FAULT = "Erro interno na distribuição."
LONGEST_DELAY = 60.0


def begun(claim: Claim[RowT]) -> list[RowT]:
    """Return the claimed ticks, without those that have ended the worker again and again."""
    found = []
    for tick in claim.rows():
        try:
            tick.begin(DEADLY_ATTEMPTS)
        except WorkerDied as death:
            claim.put_off(tick, death)
        else:
            found.append(tick)
    return found


def attempt(claim: Claim[RowT], rows: Sequence[RowT], work: Callable[[], None]) -> None:
    """Do the work of ticks; after a failure they are due again a little later."""
    try:
        work()
    except Exception:
        logger.exception("Of %s ticks of the desk one could not be handled", len(rows))
        for tick in rows:
            delay = timedelta(seconds=retry_delay(tick.attempts, longest=LONGEST_DELAY))
            attempts = min(tick.attempts, COUNTED_FAILURES)
            claim.retry_later(tick, timezone.now() + delay, FAULT, attempts=attempts)
