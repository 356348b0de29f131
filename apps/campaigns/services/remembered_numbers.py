"""Whom campaigns wrote to, and who was asked, in the last 90 days (rules/campaigns §7).

The rows outlive campaigns and contacts. They are found by a digest of the canonical number.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from apps.campaigns.models import RememberedNumber, number_digest

REMEMBERED_FOR = timedelta(days=90)
WRITTEN, ASKED = ["written_at"], ["asked_at", "question_pk"]
# Company and canonical number.
Key = tuple[int, str]


def remember_written(company_id: int, numbers: Collection[str]) -> None:
    """Record that a campaign writes to these canonical numbers now, in the caller's transaction."""
    now = timezone.now()
    _store(
        [
            RememberedNumber(
                company_id=company_id, digest=number_digest(company_id, each), written_at=now
            )
            for each in set(numbers)
        ],
        WRITTEN,
    )


def remember_question(company_id: int, number: str, *, question_pk: int) -> None:
    """Record that a canonical number was asked by this message, in the caller's transaction."""
    asked = RememberedNumber(
        company_id=company_id,
        digest=number_digest(company_id, number),
        asked_at=timezone.now(),
        question_pk=question_pk,
    )
    _store([asked], ASKED)


def remembered(keys: Collection[Key]) -> dict[Key, RememberedNumber]:
    """Return what is remembered of numbers, in one query."""
    digests = {number_digest(*key): key for key in keys}
    found = RememberedNumber.objects.filter(
        company__in={company_id for company_id, _ in keys}, digest__in=digests
    )
    return {digests[each.digest]: each for each in found}


def was_written_to(known: RememberedNumber | None) -> bool:
    """Tell whether a campaign wrote to the number in the last 90 days."""
    written_at = known.written_at if known else None
    return written_at is not None and timezone.now() - written_at <= REMEMBERED_FOR


def copy_remembered(changes: Sequence[tuple[RememberedNumber, Key]]) -> None:
    """Also remember people by their new numbers; of a person known by several the latest counts."""
    present = remembered({key for _, key in changes})
    copies: dict[Key, RememberedNumber] = {}
    for row, key in changes:
        company_id, number = key
        copy = copies.setdefault(
            key,
            present.get(key)
            or RememberedNumber(company_id=company_id, digest=number_digest(company_id, number)),
        )
        copy.written_at = _later(copy.written_at, row.written_at)
        if row.asked_at is not None and row.asked_at == _later(copy.asked_at, row.asked_at):
            copy.asked_at, copy.question_pk = row.asked_at, row.question_pk
    fresh = [
        RememberedNumber(
            company_id=each.company_id,
            digest=each.digest,
            written_at=each.written_at,
            asked_at=each.asked_at,
            question_pk=each.question_pk,
        )
        for each in copies.values()
    ]
    _store(fresh, [*WRITTEN, *ASKED])


def forget_numbers(*, now: datetime) -> None:
    """Delete what is older than 90 days."""
    before = now - REMEMBERED_FOR
    RememberedNumber.objects.filter(
        Q(written_at=None) | Q(written_at__lt=before), Q(asked_at=None) | Q(asked_at__lt=before)
    ).delete()


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    return max((each for each in (one, other) if each is not None), default=None)


def _store(rows: Sequence[RememberedNumber], fields: Sequence[str]) -> None:
    # In order of the digests, so that two transactions with the same numbers wait for each other
    # instead of blocking each other.
    RememberedNumber.objects.bulk_create(
        sorted(rows, key=lambda each: (each.company_id, each.digest)),
        update_conflicts=True,
        update_fields=fields,
        unique_fields=["company", "digest"],
    )
