"""Requests for a company's archive, and the work of writing it (rules/moving-out §1 and §4)."""

import logging
import secrets
from collections.abc import Callable
from datetime import timedelta
from functools import partial

from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.services import record
from apps.common.backups import private_folder
from apps.common.errors import DomainError, NotFound
from apps.common.leases import Claim, LeasedWork, LeaseState, WorkerDied, retry_delay
from apps.common.media import delete_media
from apps.common.wakeups import wake
from apps.companies.models import Company
from apps.movein.mapping.tables import TABLES
from apps.movein.models import CompanyArchive
from apps.movein.services.archive_writing import CompanyArchiveWriter

logger = logging.getLogger(__name__)

ARCHIVES = LeasedWork(CompanyArchive, "MOVE_LEASE_SECONDS")
DAYS_KEPT = 7
MAX_ATTEMPTS = 5
# The folder of archives below the company's, which goes with the company.
FOLDER = "archives"


class ArchiveRuns(DomainError):
    """The company's archive is being written already."""

    status = 409
    code = "ERR_ARCHIVE_RUNS"
    message = "O arquivo da empresa já está sendo preparado."


class NoArchive(NotFound):
    """The company has no archive."""

    code = "ERR_NO_ARCHIVE"
    message = "A empresa não tem um arquivo."


class ArchiveFailed(DomainError):
    """A fault of our own that did not heal by itself."""

    code = "ERR_ARCHIVE_FAILED"
    message = "O arquivo não pôde ser preparado. Peça de novo."


class _ClaimLost(Exception):
    """The archive was deleted, or another worker has taken it over."""


def request_archive(
    *, actor: User, has_media: bool, has_passwords: bool, ip_address: str | None = None
) -> CompanyArchive:
    """Have a company's archive written, in the place of the one there was; raises ArchiveRuns."""
    company_id = actor.company_id
    try:
        with transaction.atomic():
            former = _locked(company_id)
            if former is not None:
                if former.state not in {LeaseState.DONE, LeaseState.FAILED}:
                    raise ArchiveRuns
                _forget(former)
            archive = CompanyArchive.objects.create(
                company_id=company_id, user=actor, has_media=has_media, has_passwords=has_passwords
            )
            record(
                action="company.archive_requested",
                actor=actor,
                company_id=company_id,
                target=archive,
                detail={"media": has_media, "passwords": has_passwords},
                ip_address=ip_address,
            )
            wake("movein.write_archives")
    except IntegrityError as error:  # two requests at the same time
        raise ArchiveRuns from error
    return archive


def delete_archive(*, actor: User, ip_address: str | None = None) -> None:
    """Delete a company's archive, also one that is being written; raises NoArchive."""
    with transaction.atomic():
        archive = _locked(actor.company_id)
        if archive is None:
            raise NoArchive
        record(
            action="company.archive_deleted",
            actor=actor,
            company_id=actor.company_id,
            target=archive,
            ip_address=ip_address,
        )
        _forget(archive)


def write_due(*, limit: int) -> int:
    """Claim up to `limit` archives and write them; returns the number of claimed rows.

    Archives whose days are over are deleted. Never call it inside a transaction.
    """
    _delete_expired()
    with ARCHIVES.claimed(limit) as claim:
        for archive in claim.rows().select_related("company__plan"):
            try:
                _write(archive, claim)
            except _ClaimLost:
                continue
            except WorkerDied as death:
                claim.fail(archive, str(death), error_code=ArchiveFailed.code)
            except Exception:  # a fault of our own, or a full disk
                logger.exception("The archive of company %s failed", archive.company_id)
                _postpone(archive, claim)
        return len(claim.ids)


def _write(archive: CompanyArchive, claim: Claim[CompanyArchive]) -> None:
    archive.begin(MAX_ATTEMPTS)
    company = archive.company
    total = sum(table.rows(company.pk).count() for table in TABLES)
    _tell(archive, claim)(0, 0)
    claim.held(archive).update(rows_total=total)
    writer = CompanyArchiveWriter(
        company,
        has_media=archive.has_media,
        has_passwords=archive.has_passwords,
        tell=_tell(archive, claim),
    )
    with private_folder("company-archive") as folder:
        path = writer.write(folder)
        size = path.stat().st_size
        name = f"{company.pk}/{FOLDER}/{secrets.token_urlsafe(18)}.tar"
        with path.open("rb") as file:
            stored = default_storage.save(name, File(file))
    written = writer.written
    try:
        with transaction.atomic():
            now = timezone.now()
            is_ours = claim.finish(
                archive,
                path=stored,
                size=size,
                tables=written.tables,
                rows_total=sum(written.tables.values()),
                rows_done=sum(written.tables.values()),
                files_done=written.files,
                missing_files=written.missing,
                error_code="",
                expires_at=now + timedelta(days=DAYS_KEPT),
            )
            if not is_ours:
                raise _ClaimLost
    except BaseException:
        delete_media(stored)
        raise


def _tell(archive: CompanyArchive, claim: Claim[CompanyArchive]) -> Callable[[int, int], None]:
    def tell(rows: int, files: int) -> None:
        """Record how far an archive is and renew its lease; raises _ClaimLost."""
        if not claim.renew(archive, rows_done=rows, files_done=files):
            raise _ClaimLost

    return tell


def _postpone(archive: CompanyArchive, claim: Claim[CompanyArchive]) -> None:
    if archive.attempts >= MAX_ATTEMPTS:
        claim.fail(archive, ArchiveFailed.message, error_code=ArchiveFailed.code)
        return
    until = timezone.now() + timedelta(seconds=retry_delay(archive.attempts))
    claim.retry_later(archive, until, ArchiveFailed.message)


def _delete_expired() -> None:
    expired = CompanyArchive.objects.filter(expires_at__lt=timezone.now())
    for company_id in list(expired.values_list("company_id", flat=True)):
        with transaction.atomic():
            archive = _locked(company_id)
            if archive is not None and (archive.expires_at or timezone.now()) < timezone.now():
                _forget(archive)


def _locked(company_id: int) -> CompanyArchive | None:
    # A request and the end of the work must not pass each other.
    Company.objects.select_for_update(no_key=True).get(pk=company_id)
    return CompanyArchive.objects.filter(company=company_id).first()


def _forget(archive: CompanyArchive) -> None:
    transaction.on_commit(partial(delete_media, archive.path), robust=True)
    archive.delete()
