"""For how long a company's messages, files and logs are kept, and the job that deletes the rest.

See rules/companies §9. What is of each kind, higher apps say (`kinds`).
"""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import models, transaction
from django.utils import timezone

from apps.audit.services import record
from apps.common.errors import InvalidInput
from apps.common.leases import (
    DEADLY_ATTEMPTS,
    UNFINISHED,
    Claim,
    LeasedWork,
    WorkerDied,
)
from apps.common.media import delete_media
from apps.common.wakeups import wake
from apps.companies.models import SUPER_COMPANY_ID, Company, Retention, RetentionRun

logger = logging.getLogger(__name__)

RUNS = LeasedWork(RetentionRun, "RETENTION_LEASE_SECONDS")
# A batch is one transaction; a step ends well within the lease, so that others' runs go on too.
BATCH, STEP_SECONDS = 500, 20.0
# From a stricter choice to the first run.
GRACE = timedelta(days=7)
# The hour of the daily task (`CELERY_BEAT_SCHEDULE`), in UTC.
RUN_HOUR, RUN_MINUTE = 6, 10
# How many rows a preview counts at most.
COUNTED = 100_000
SHOWN_RUNS, RUNS_KEPT = 10, timedelta(days=365)
MAX_YEARS, MAX_MONTHS = 20, 240
DAYS_OF = {"messages_years": 365.25, "media_months": 30.4375, "logs_days": 1.0}
# By kind; notes in conversations go with the messages.
FIELDS = {
    "messages": "messages_years",
    "notes": "messages_years",
    "media": "media_months",
    "logs": "logs_days",
}


@dataclass(frozen=True)
class Amount:
    """Rows and bytes that go; `is_more`: there are more than were counted."""

    rows: int = 0
    bytes: int = 0
    is_more: bool = False
    paths: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Kind:
    """How data of a kind are counted and deleted.

    `count` looks at `COUNTED` rows at most. `delete_some` deletes up to so many rows of a company
    from before a moment, in the caller's transaction, and returns what they were: the caller
    deletes the files at `paths` after the commit. No rows: there are none left.
    """

    count: Callable[[int, datetime], Amount]
    delete_some: Callable[[int, datetime, int], Amount]


# Filled in the `ready` of higher apps.
kinds: dict[str, Kind] = {}


def counted(rows: "models.QuerySet[Any]", size: str = "") -> Amount:
    """Return how many rows there are, up to COUNTED, and the sum of a column of theirs."""
    sums: dict[str, Any] = {"rows": models.Count("pk")}
    if size:
        sums["bytes"] = models.Sum(size)
    found = rows.order_by()[: COUNTED + 1].aggregate(**sums)
    count = found["rows"]
    return Amount(min(count, COUNTED), found.get("bytes") or 0, count > COUNTED)


def retention_of(company_id: int | None) -> Retention:
    """Return what holds for a company: its own choice, else the super user's, else nothing goes.

    None is the super user's.
    """
    rows = Retention.objects.filter(models.Q(company=company_id) | models.Q(company=None))
    found = {row.company_id: row for row in rows}
    return _holding(found.get(company_id), found.get(None))


def _holding(own: Retention | None, defaults: Retention | None) -> Retention:
    defaults = defaults or Retention(is_default=True)
    if own is None or own.company_id is None:
        return own or defaults
    if not own.is_default:
        return own
    return Retention(
        company_id=own.company_id,
        is_default=True,
        applies_at=max(own.applies_at, defaults.applies_at),
        **{name: getattr(defaults, name) for name in DAYS_OF},
    )


def limits_of(retention: Retention, at: datetime) -> dict[str, datetime]:
    """Return by kind the moment before which all goes; a kind that stays is left out."""
    found: dict[str, datetime] = {}
    for kind, name in FIELDS.items():
        value = getattr(retention, name)
        if value is not None:
            found[kind] = at - timedelta(days=value * DAYS_OF[name])
    return found


def next_run_at(retention: Retention, now: datetime) -> datetime | None:
    """Return when the job runs next; None if nothing ever goes."""
    if not limits_of(retention, now):
        return None
    since = max(now, retention.applies_at)
    run = since.replace(hour=RUN_HOUR, minute=RUN_MINUTE, second=0, microsecond=0)
    return run if run >= since else run + timedelta(days=1)


def preview(company_id: int, values: Mapping[str, int | None]) -> dict[str, Any]:
    """Return what would go by these values: the moment of the first run and by kind its amount.

    A kind that stays is left out.
    """
    now = timezone.now()
    present = retention_of(company_id)
    chosen = Retention(**_checked(values), applies_at=_applies_at(present, values, now))
    run_at = next_run_at(chosen, now)
    limits = limits_of(chosen, run_at) if run_at else {}
    return {
        "run_at": run_at,
        "amounts": [
            {"kind": kind, "before": before, "amount": kinds[kind].count(company_id, before)}
            for kind, before in limits.items()
        ],
    }


def choose_retention(
    *,
    company_id: int | None,
    values: Mapping[str, int | None],
    actor: AbstractBaseUser,
    ip_address: str | None = None,
) -> Retention:
    """Store a company's choice, or the super user's for all (None); returns it.

    A stricter one applies after `GRACE`. Raises InvalidInput.
    """
    values = _checked(values)
    with transaction.atomic():
        present = retention_of(company_id)
        applies_at = _applies_at(present, values, timezone.now())
        retention, _ = Retention.objects.update_or_create(
            company_id=company_id,  # type: ignore[misc]  # the column may be null
            defaults={**values, "is_default": False, "applies_at": applies_at},
        )
        record(
            action="retention.changed" if company_id else "retention.defaults_changed",
            actor=actor,
            company_id=company_id or SUPER_COMPANY_ID,
            detail={_WIRE[name]: value for name, value in values.items()},
            ip_address=ip_address,
        )
    return retention


def forget_retention(
    *, company_id: int, actor: AbstractBaseUser, ip_address: str | None = None
) -> Retention:
    """Have the super user's choice hold for a company and return it.

    A stricter one applies after `GRACE`.
    """
    with transaction.atomic():
        defaults, own = retention_of(None), retention_of(company_id)
        values = {name: getattr(defaults, name) for name in DAYS_OF}
        applies_at = _applies_at(own, values, timezone.now())
        Retention.objects.filter(company=company_id).update(is_default=True, applies_at=applies_at)
        record(
            action="retention.defaults_taken",
            actor=actor,
            company_id=company_id,
            detail={},
            ip_address=ip_address,
        )
    return retention_of(company_id)


_WIRE = {"messages_years": "messagesYears", "media_months": "mediaMonths", "logs_days": "logsDays"}


def longest() -> dict[str, int]:
    """Return the longest that may be chosen, by field; logs go with the operator's at last."""
    return {
        "messages_years": MAX_YEARS,
        "media_months": MAX_MONTHS,
        "logs_days": settings.RETENTION_DAYS,
    }


def _checked(values: Mapping[str, int | None]) -> dict[str, int | None]:
    faults: dict[str, list[str]] = {}
    for name, most in longest().items():
        value = values[name]
        if value is not None and not 1 <= value <= most:
            faults[_WIRE[name]] = [f"Informe de 1 a {most}, ou nada para guardar."]
    if faults:
        raise InvalidInput(next(iter(faults.values()))[0], fields=faults, rule="max_value")
    return {name: values[name] for name in longest()}


def _is_stricter(present: Retention, values: Mapping[str, int | None]) -> bool:
    for name in DAYS_OF:
        before, after = getattr(present, name), values[name]
        if after is not None and (before is None or after < before):
            return True
    return False


def _applies_at(present: Retention, values: Mapping[str, int | None], now: datetime) -> datetime:
    return now + GRACE if _is_stricter(present, values) else present.applies_at


def start_runs(now: datetime) -> int:
    """Make the runs that are due, once a day; return how many. Old runs are forgotten."""
    choices = {choice.company_id: choice for choice in Retention.objects.all()}
    if not choices:
        return 0
    RetentionRun.objects.filter(created_at__lt=now - RUNS_KEPT).exclude(UNFINISHED).delete()
    companies = Company.objects.filter(deleted_at=None).order_by("pk")
    busy = set(RetentionRun.objects.unfinished().values_list("company_id", flat=True))
    made = []
    for company_id in companies.values_list("pk", flat=True):
        retention = _holding(choices.get(company_id), choices.get(None))
        limits = limits_of(retention, now)
        if limits and retention.applies_at <= now and company_id not in busy:
            texts = {kind: before.isoformat() for kind, before in limits.items()}
            made.append(RetentionRun(company_id=company_id, limits=texts))
    with transaction.atomic():
        RetentionRun.objects.bulk_create(made, ignore_conflicts=True)
        if made:
            wake("companies.retain")
    return len(made)


def run_due(*, limit: int) -> int:
    """Claim up to `limit` runs and do one step of each; returns the number of claimed rows.

    Never call it inside a transaction.
    """
    with RUNS.claimed(limit) as claim:
        for run in claim.rows():
            _step(run, claim)
        return len(claim.ids)


def _step(run: RetentionRun, claim: Claim[RetentionRun]) -> None:
    end = time.monotonic() + STEP_SECONDS
    try:
        run.begin(DEADLY_ATTEMPTS)
        _delete_files(run)
        if all(_is_done(run, kind, end) for kind in kinds if kind in run.limits):
            _finish(run, claim)
        else:
            claim.retry_later(run, timezone.now(), "", attempts=0)
    except WorkerDied as death:
        claim.put_off(run, death)
    except Exception as error:  # any: the next attempt goes on where this one stopped
        logger.exception("Retention run %s could not go on", run.pk)
        claim.try_again(run, str(error))


def _is_done(run: RetentionRun, kind: str, end: float) -> bool:
    """Delete a kind's rows in short transactions; returns False when the time is up."""
    before = datetime.fromisoformat(run.limits[kind])
    while time.monotonic() < end:
        with transaction.atomic():
            gone = kinds[kind].delete_some(run.company_id, before, BATCH)
            if not gone.rows:
                return True
            run.rows = {**run.rows, kind: run.rows.get(kind, 0) + gone.rows}
            run.bytes_freed += gone.bytes
            # In the same transaction: who dies now leaves no file without a row that names it.
            run.paths = gone.paths
            RetentionRun.objects.filter(pk=run.pk).update(
                rows=run.rows, bytes_freed=run.bytes_freed, paths=run.paths
            )
        _delete_files(run)
    return False


def _delete_files(run: RetentionRun) -> None:
    if run.paths:
        for path in run.paths:
            delete_media(path)
        run.paths = []
        RetentionRun.objects.filter(pk=run.pk).update(paths=[])


def _finish(run: RetentionRun, claim: Claim[RetentionRun]) -> None:
    with transaction.atomic():
        if claim.finish(run) and run.rows:
            record(
                action="retention.ran",
                actor=None,
                company_id=run.company_id,
                target=run,
                detail={"rows": run.rows, "bytes": run.bytes_freed, "limits": run.limits},
            )
