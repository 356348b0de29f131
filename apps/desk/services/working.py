"""What the two workers of ticks share: who ends the worker is put off, and who fails waits."""

import logging
from collections.abc import Callable, Sequence
from typing import TypeVar

from django.utils import timezone

from apps.common.leases import (
    DEADLY_ATTEMPTS,
    Claim,
    RowT,
    WorkerDied,
)
from apps.desk.models import RuleTick, Tick

logger = logging.getLogger(__name__)

FAULT = "Erro interno na distribuição."
LONGEST_DELAY = 60.0
TickT = TypeVar("TickT", Tick, RuleTick)


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
            claim.try_again(tick, FAULT, longest=LONGEST_DELAY)


def do_part(claim: Claim[TickT], tick: TickT, take_in: Callable[[TickT, int], int | None]) -> None:
    """Do one part of the work of a tick; until the last one it is due again at once.

    `take_in` does what is after an id, and returns the id after which to go on.
    """
    after = take_in(tick, (tick.payload or {}).get("after", 0))
    if after is None:
        claim.held(tick).delete()
    else:
        claim.retry_later(tick, timezone.now(), "", attempts=0, payload={"after": after})
