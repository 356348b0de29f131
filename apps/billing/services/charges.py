"""Polling of charges at the provider, so that a lost notification loses no payment
(rules/billing §3).
"""

import logging
from datetime import datetime, timedelta

from django.utils import timezone

from apps.billing.models import PixCharge
from apps.billing.pix.base import PixError
from apps.billing.services.clients import client_of
from apps.billing.services.payments import receive_payment
from apps.common.leases import (
    DEADLY_ATTEMPTS,
    Claim,
    LeasedWork,
    WorkerDied,
)

logger = logging.getLogger(__name__)

CHARGES = LeasedWork(model=PixCharge, lease_setting="PIX_LEASE_SECONDS", counts=False)
SHORTEST, LONGEST = timedelta(seconds=20), timedelta(hours=1)
# A charge is still polled for this long after it expired: banks may report late.
AFTER_THE_END = timedelta(days=1)
LONGEST_RETRY = 3600.0


def check_due(*, limit: int) -> int:
    """Claim up to `limit` due charges and look them up at their providers; returns their number.

    It waits for the network: never call it inside a transaction.
    """
    with CHARGES.claimed(limit) as claim:
        for charge in claim.rows():
            _check(charge, claim)
        return len(claim.ids)


def _check(charge: PixCharge, claim: Claim[PixCharge]) -> None:
    try:
        claim.begin(charge, DEADLY_ATTEMPTS)
        client = client_of(charge.provider)
        standing = client.look_up(txid=charge.txid, reference=charge.reference)
        for pix in standing.payments:
            receive_payment(charge=charge, pix=pix)
        is_open = standing.is_open and not standing.payments
        if is_open and charge.is_replaced and charge.withdrawn_at is None:
            client.withdraw(txid=charge.txid, reference=charge.reference)
            claim.held(charge).update(withdrawn_at=timezone.now())
    except WorkerDied as death:
        claim.put_off(charge, death)
        return
    except PixError as error:
        logger.warning("Charge %s could not be asked after: %s", charge.pk, error)
        _retry(charge, claim, str(error))
        return
    except Exception as error:
        logger.exception("Charge %s failed by a fault of our own", charge.pk)
        _retry(charge, claim, repr(error))
        return
    now = timezone.now()
    if is_open and now < _end_of(charge):
        claim.retry_later(charge, now + _pause(charge, now), "", attempts=0)
    else:
        claim.finish(charge)


def _retry(charge: PixCharge, claim: Claim[PixCharge], error: str) -> None:
    claim.try_again(charge, error, first=20.0, longest=LONGEST_RETRY)


def _end_of(charge: PixCharge) -> datetime:
    """Return the time after which a charge is no longer polled."""
    return (charge.expires_at or charge.created_at + LONGEST) + AFTER_THE_END


def _pause(charge: PixCharge, now: datetime) -> timedelta:
    """Return the time until the next look-up; it grows with the charge's age, since a person
    usually pays soon.
    """
    return min(max((now - charge.created_at) / 4, SHORTEST), LONGEST)
