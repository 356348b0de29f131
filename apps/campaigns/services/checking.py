"""Checking the numbers of lists with WhatsApp, in batches (rules/contact-lists §4)."""

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.campaigns import events
from apps.campaigns.models import ContactList, ContactListCheck, ContactListItem
from apps.common.leases import (
    DEADLY_ATTEMPTS,
    Claim,
    LeasedWork,
    WorkerDied,
)
from apps.connections.models import Connection, ProviderKind
from apps.connections.providers.content import KnownNumber
from apps.contacts.services import ask_whatsapp

logger = logging.getLogger(__name__)

CHECKS = LeasedWork(model=ContactListCheck, lease_setting="LIST_LEASE_SECONDS", counts=False)
# WhatsApp may take a session that checks thousands of numbers a minute for a spammer.
NUMBERS_AT_ONCE = 50
PACE = timedelta(seconds=10)
# Back-off while the company has no session that can check, and after internal errors.
FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS = 30.0, 600.0
TAKEN_AT_ONCE = 2000


def check_due(*, limit: int) -> int:
    """Claim up to `limit` checks and check some numbers of each; returns how many were claimed.

    Never call it inside a transaction.
    """
    with CHECKS.claimed(limit) as claim:
        for check_id in claim.ids:
            try:
                _check(check_id, claim)
            except WorkerDied as death:
                claim.put_off(check_id, death)
            except Exception:
                logger.exception("Check %s failed by a fault of our own", check_id)
                _wait(check_id, claim)
        return len(claim.ids)


def _check(check_id: int, claim: Claim[ContactListCheck]) -> None:
    check = claim.held(check_id).first()
    if check is None:
        return
    claim.begin(check, DEADLY_ATTEMPTS)
    pending = _pending(check).values_list("pk", "number")[:NUMBERS_AT_ONCE]
    numbers = dict(pending)
    asked = list(numbers.values())
    answer = ask_whatsapp(company_id=check.company_id, numbers=asked) if asked else {}
    if answer is not None:
        _record(check, claim, numbers, answer)
    elif _takes_all(check.company_id):
        _take_some(check, claim)
    else:
        _wait(check_id, claim)


def _pending(check: ContactListCheck) -> "QuerySet[ContactListItem]":
    items = ContactListItem.objects.filter(contact_list=check.contact_list_id)
    return items.filter(is_whatsapp_valid=None).order_by("pk")


def _takes_all(company_id: int) -> bool:
    """Tell whether all of a company's numbers are official ones; Meta's API can't check numbers."""
    kinds = set(Connection.objects.for_company(company_id).values_list("provider", flat=True))
    return kinds == {ProviderKind.OFFICIAL}


@transaction.atomic
def _record(
    check: ContactListCheck,
    claim: Claim[ContactListCheck],
    asked: Mapping[int, str],
    answer: Mapping[str, KnownNumber | None],
) -> None:
    """Store WhatsApp's answers; an item whose number changed meanwhile is checked again."""
    now = timezone.now()
    for is_valid in (True, False):
        known = {pk: each for pk, each in asked.items() if (answer[each] is not None) == is_valid}
        items = _pending(check).filter(pk__in=list(known), number__in=list(known.values()))
        items.update(is_whatsapp_valid=is_valid, checked_at=now, updated_at=now)
    _go_on(check, claim, now + PACE)


@transaction.atomic
def _take_some(check: ContactListCheck, claim: Claim[ContactListCheck]) -> None:
    """Mark some numbers as valid by their form."""
    pending = list(_pending(check).values_list("pk", flat=True)[:TAKEN_AT_ONCE])
    now = timezone.now()
    ContactListItem.objects.filter(pk__in=pending).update(is_whatsapp_valid=True, updated_at=now)
    _go_on(check, claim, now)


def _go_on(check: ContactListCheck, claim: Claim[ContactListCheck], at: datetime) -> None:
    """Retry a check that has pending numbers, else finish it; the lock keeps new items out."""
    listed = ContactList.objects.select_for_update(no_key=True).get(pk=check.contact_list_id)
    if _pending(check).exists():
        claim.retry_later(check, at, "", attempts=0)
    else:
        claim.finish(check, attempts=0)
    events.list_items_changed(listed)


def _wait(check_id: int, claim: Claim[ContactListCheck]) -> None:
    check = claim.held(check_id).first()
    if check is not None:
        claim.try_again(check, "", first=FIRST_WAIT_SECONDS, longest=LONGEST_WAIT_SECONDS)
