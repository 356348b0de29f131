"""Reading a spreadsheet into its list, in steps that a killed worker's successor goes on from.

A sheet is read twice: once to its end, so that one that is refused leaves nothing, and once in
batches, each stored in one transaction with how far it came (rules/contact-lists §2 and §3).
"""

import logging
import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial
from itertools import islice
from time import monotonic

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from apps.campaigns import events
from apps.campaigns.models import ContactList, ContactListImport, ContactListItem, ImportFault
from apps.campaigns.models.lists import NAME_LENGTH
from apps.campaigns.queries.lists import contact_lists_of
from apps.campaigns.services.items import ask_for_numbers
from apps.campaigns.sheets import SheetRow, SheetUnreadable, count_rows, sheet_rows
from apps.common.errors import DomainError, InvalidInput, NotFound
from apps.common.leases import Claim, LeasedWork, retry_delay
from apps.common.media import delete_media, open_media
from apps.contacts.numbers import canonical_number
from apps.contacts.services import plain_number

logger = logging.getLogger(__name__)

IMPORTS = LeasedWork(model=ContactListImport, lease_setting="LIST_LEASE_SECONDS")
# Rows of a transaction: SQLite lets nobody else write meanwhile.
BATCH = 500
MOST_FAULTS = 1000
MAX_ATTEMPTS = 5
TOLD_SECONDS = 1.0
_NUMBER = re.compile(r"\+?[\d\s().\-]+")


class ImportFailed(DomainError):
    """A fault of our own that does not heal by itself."""

    code = "ERR_IMPORT_FAILED"
    message = "A importação parou por um erro interno. Envie a planilha de novo."


class _ClaimLost(Exception):
    """Taken over or deleted meanwhile: nothing of this step may stay."""


def import_due(*, limit: int) -> int:
    """Claim up to `limit` spreadsheets and read them into their lists; returns their number.

    Never call it inside a transaction.
    """
    with IMPORTS.claimed(limit) as claim:
        for import_id in claim.ids:
            try:
                _import(import_id, claim)
            except _ClaimLost:
                continue
            except Exception:
                logger.exception("Import %s failed by a fault of our own", import_id)
                _postpone(import_id, claim)
        return len(claim.ids)


def _import(import_id: int, claim: Claim[ContactListImport]) -> None:
    job = claim.held(import_id).first()
    if job is None:
        return
    try:
        content = open_media(job.media_path)
    except NotFound:
        _end(job, claim, SheetUnreadable())
        return
    with content:
        try:
            if job.rows_count is None:
                job.rows_count = count_rows(content)
                if not claim.held(job).update(rows_count=job.rows_count):
                    return
                _tell(job)
            with sheet_rows(content) as rows:
                _store_all(job, islice(rows, job.rows_read, None), claim)
        except DomainError as refusal:
            _end(job, claim, refusal)
            return
    _end(job, claim)


def _store_all(
    job: ContactListImport, rows: Iterator[SheetRow], claim: Claim[ContactListImport]
) -> None:
    told_at = monotonic()
    while batch := list(islice(rows, BATCH)):
        _store(job, batch, claim)
        if monotonic() - told_at > TOLD_SECONDS:
            _tell(job)
            told_at = monotonic()


@transaction.atomic
def _store(
    job: ContactListImport, batch: Sequence[SheetRow], claim: Claim[ContactListImport]
) -> None:
    """Store a batch and that it is behind us; raises _ClaimLost."""
    lists = ContactList.objects.select_for_update(no_key=True)
    listed = lists.filter(pk=job.contact_list_id).first()
    if listed is None:
        raise _ClaimLost
    found: dict[str, ContactListItem] = {}
    faults: list[ImportFault] = []
    failed = duplicates = 0
    for row in batch:
        item, fault = _judged(row)
        if item is None:
            failed += 1
            if job.failed_count + failed <= MOST_FAULTS:
                faults.append(_fault(job, row, fault))
        elif item.canonical_number in found:
            duplicates += 1
        else:
            found[item.canonical_number] = item
    there = set(
        ContactListItem.objects.filter(
            contact_list=listed, canonical_number__in=list(found)
        ).values_list("canonical_number", flat=True)
    )
    new = [item for number, item in found.items() if number not in there]
    for item in new:
        item.company_id, item.contact_list = listed.company_id, listed
        item.fold_text()
    ContactListItem.objects.bulk_create(new)
    ImportFault.objects.bulk_create(faults)
    listed.contacts_count += len(new)
    listed.save(update_fields=["contacts_count", "updated_at"])
    held = claim.held(job).filter(rows_read=job.rows_read)
    if not held.update(
        rows_read=F("rows_read") + len(batch),
        created_count=F("created_count") + len(new),
        duplicates_count=F("duplicates_count") + duplicates + len(there),
        failed_count=F("failed_count") + failed,
    ):
        raise _ClaimLost
    if new:
        ask_for_numbers(listed)
    job.rows_read += len(batch)
    job.failed_count += failed


def _judged(row: SheetRow) -> tuple[ContactListItem | None, str]:
    """Return the person that a row describes, or the code of why it describes none."""
    if not 2 <= len(row.name) <= NAME_LENGTH:
        return None, "ERR_ROW_NAME"
    if not row.number:
        return None, "ERR_ROW_NUMBER_MISSING"
    if not _NUMBER.fullmatch(row.number):
        return None, "ERR_ROW_NUMBER"
    try:
        number = plain_number(row.number)
        if row.email:
            validate_email(row.email)
    except InvalidInput:
        return None, "ERR_ROW_NUMBER"
    except ValidationError:
        return None, "ERR_ROW_EMAIL"
    canonical = canonical_number(number)
    if len(row.email) > 254:
        return None, "ERR_ROW_EMAIL"
    return ContactListItem(
        name=row.name, number=number, canonical_number=canonical, email=row.email
    ), ""


def _fault(job: ContactListImport, row: SheetRow, code: str) -> ImportFault:
    return ImportFault(
        list_import=job,
        row=row.row,
        name=row.name[:200],
        number=row.number[:60],
        email=row.email[:254],
        code=code,
    )


@transaction.atomic
def _end(
    job: ContactListImport, claim: Claim[ContactListImport], refusal: DomainError | None = None
) -> None:
    """Record what became of an import, tell it, and let its file go."""
    if refusal is None:
        is_ours = bool(claim.finish(job, media_path=""))
    else:
        is_ours = claim.fail(job, refusal.sentence, error_code=refusal.code, media_path="")
    if not is_ours:
        raise _ClaimLost
    transaction.on_commit(partial(delete_media, job.media_path), robust=True)
    _tell(job)


@transaction.atomic
def _tell(job: ContactListImport) -> None:
    listed = contact_lists_of(job.company_id).filter(pk=job.contact_list_id).first()
    if listed is not None:
        events.contact_list_updated(listed)
        if job.rows_read:
            events.list_items_changed(listed)


def _postpone(import_id: int, claim: Claim[ContactListImport]) -> None:
    """Leave an import for later after a fault of our own; after many, say that it failed."""
    job = claim.held(import_id).first()
    if job is None:
        return
    fault = ImportFailed()
    if job.attempts >= MAX_ATTEMPTS:
        _end(job, claim, fault)
        return
    until = timezone.now() + timedelta(seconds=retry_delay(job.attempts))
    claim.retry_later(job, until, fault.sentence)
