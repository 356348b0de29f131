"""Imports spreadsheets in steps, so that another worker continues after a crash.

A sheet is read twice: first to its end, so that a refused sheet stores nothing, then in batches.
Each batch is stored in one transaction with the position reached.
"""

import logging
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import timedelta
from functools import partial
from itertools import islice
from time import monotonic
from typing import IO, Generic, TypeVar

from django.db import models, transaction
from django.utils import timezone

from apps.common.errors import DomainError, NotFound
from apps.common.leases import Claim, LeasedRow, LeasedWork, retry_delay
from apps.common.media import delete_media, open_media
from apps.common.media_rows import MediaRow
from apps.common.models import TimestampedModel
from apps.common.sheets import SheetUnreadable, count_of

logger = logging.getLogger(__name__)

# Rows of a transaction: SQLite lets nobody else write meanwhile. Their texts are in memory several
# times while they are stored; rows of people have some 100 characters.
BATCH, BATCH_LENGTH = 500, 500_000
MOST_FAULTS = 1000
MAX_ATTEMPTS = 5
TOLD_SECONDS = 1.0


class ImportFailed(DomainError):
    """A fault of our own that does not heal by itself."""

    code = "ERR_IMPORT_FAILED"
    message = "A importação parou por um erro interno. Envie a planilha de novo."


class ClaimLost(Exception):
    """Taken over or deleted meanwhile: nothing of this step may stay."""


class SheetImport(MediaRow, LeasedRow, TimestampedModel):
    """A spreadsheet on its way in; the file goes once it is read.

    `rows_count` is null until the sheet was looked through; nothing is stored before. `rows_read`
    are behind us for good: it moves with what was made of them. `error_code` names why the whole
    sheet was refused.
    """

    rows_count = models.PositiveIntegerField(null=True, blank=True)
    rows_read = models.PositiveIntegerField(default=0)
    created_count = models.PositiveIntegerField(default=0)
    failed_count = models.PositiveIntegerField(default=0)
    error_code = models.CharField(max_length=50, blank=True)

    class Meta:
        abstract = True


JobT = TypeVar("JobT", bound=SheetImport)
RowT = TypeVar("RowT")


class SheetReader(ABC, Generic[JobT, RowT]):
    """Reads the sheets of one table of imports."""

    def __init__(self, work: LeasedWork[JobT]) -> None:
        self.work = work

    @abstractmethod
    def rows(self, job: JobT, content: IO[bytes]) -> AbstractContextManager[Iterator[RowT]]:
        """Give the rows of an import's file, the same ones each time; raises DomainError."""

    @abstractmethod
    def length_of(self, row: RowT) -> int:
        """Return how many characters a row has."""

    @abstractmethod
    def store(self, job: JobT, batch: Sequence[RowT], claim: Claim[JobT]) -> None:
        """Store a batch and that it is behind us, in one transaction; raises ClaimLost.

        Moves `rows_read` and `failed_count` of the job in memory too.
        """

    @abstractmethod
    def tell(self, job: JobT) -> None:
        """Tell browsers how far an import is."""

    def ended(self, job: JobT) -> None:
        """Do what belongs to an import's end, in its transaction."""

    def import_due(self, *, limit: int) -> int:
        """Claim up to `limit` spreadsheets and read them; returns their number.

        Never call it inside a transaction.
        """
        with self.work.claimed(limit) as claim:
            for import_id in claim.ids:
                try:
                    self._import(import_id, claim)
                except ClaimLost:
                    continue
                except Exception:
                    logger.exception("Import %s failed by a fault of our own", import_id)
                    self._postpone(import_id, claim)
            return len(claim.ids)

    def _import(self, import_id: int, claim: Claim[JobT]) -> None:
        job = claim.held(import_id).first()
        if job is None:
            return
        job.begin(MAX_ATTEMPTS)
        try:
            content = open_media(job.media_path)
        except NotFound:
            self._end(job, claim, SheetUnreadable())
            return
        with content:
            try:
                if job.rows_count is None:
                    with self.rows(job, content) as rows:
                        job.rows_count = count_of(rows)
                    if not claim.held(job).update(rows_count=job.rows_count):
                        return
                    self.tell(job)
                with self.rows(job, content) as rows:
                    self._store_all(job, islice(rows, job.rows_read, None), claim)
            except DomainError as refusal:
                self._end(job, claim, refusal)
                return
        self._end(job, claim)

    def _store_all(self, job: JobT, rows: Iterator[RowT], claim: Claim[JobT]) -> None:
        told_at = monotonic()
        for batch in self._batches(rows):
            self.store(job, batch, claim)
            if monotonic() - told_at > TOLD_SECONDS:
                self.tell(job)
                told_at = monotonic()

    def _batches(self, rows: Iterator[RowT]) -> Iterator[list[RowT]]:
        batch: list[RowT] = []
        length = 0
        for row in rows:
            batch.append(row)
            length += self.length_of(row)
            if len(batch) == BATCH or length >= BATCH_LENGTH:
                yield batch
                batch, length = [], 0
        if batch:
            yield batch

    @transaction.atomic
    def _end(self, job: JobT, claim: Claim[JobT], refusal: DomainError | None = None) -> None:
        """Record what became of an import, tell it, and let its file go."""
        if refusal is None:
            is_ours = bool(claim.finish(job, media_path=""))
        else:
            is_ours = claim.fail(job, refusal.sentence, error_code=refusal.code, media_path="")
        if not is_ours:
            raise ClaimLost
        transaction.on_commit(partial(delete_media, job.media_path), robust=True)
        self.ended(job)
        self.tell(job)

    def _postpone(self, import_id: int, claim: Claim[JobT]) -> None:
        """Leave an import for later after a fault of our own; after many, say that it failed."""
        job = claim.held(import_id).first()
        if job is None:
            return
        fault = ImportFailed()
        if job.attempts >= MAX_ATTEMPTS:
            self._end(job, claim, fault)
            return
        until = timezone.now() + timedelta(seconds=retry_delay(job.attempts))
        claim.retry_later(job, until, fault.sentence)
