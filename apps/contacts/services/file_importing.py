"""The worker of imports: stores a file's rows as contacts, in batches (rules/contacts §12)."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import IO

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from apps.audit.services import record
from apps.common.bulk import update_rows
from apps.common.leases import Claim, LeasedWork
from apps.common.sheet_jobs import MOST_FAULTS, ClaimLost, SheetReader
from apps.contacts import events
from apps.contacts.models import Contact, ContactField, ContactImport, ContactImportFault
from apps.contacts.services.file_plans import plan_rows
from apps.contacts.services.moving import keys_of, tell_keys
from apps.contacts.sheet_layouts import SheetLayout
from apps.contacts.sheets import ContactRow, contact_rows

IMPORTS = LeasedWork(model=ContactImport, lease_setting="LIST_LEASE_SECONDS")
# Another worker may create the same contact at the same time. The unique index detects that, and
# the batch is planned again.
STORE_ATTEMPTS = 3
CELL_LENGTH = 300
FILLED = (
    *("number", "canonical_number", "lid", "user_id", "username", "email"),
    *("search_text", "updated_at"),
)


class ContactReader(SheetReader[ContactImport, ContactRow]):
    def rows(
        self, job: ContactImport, content: IO[bytes]
    ) -> AbstractContextManager[Iterator[ContactRow]]:
        layout = SheetLayout(**job.layout) if job.layout else None
        return contact_rows(content, layout)

    def length_of(self, row: ContactRow) -> int:
        return sum(map(len, row.texts))

    def store(
        self, job: ContactImport, batch: Sequence[ContactRow], claim: Claim[ContactImport]
    ) -> None:
        """Store a batch and the import's progress; raises ClaimLost."""
        for attempt in range(1, STORE_ATTEMPTS + 1):
            try:
                failed = _store(job, batch, claim)
            except IntegrityError:
                if attempt == STORE_ATTEMPTS:
                    raise
            else:
                job.rows_read += len(batch)
                job.failed_count += failed
                return

    def tell(self, job: ContactImport) -> None:
        told = ContactImport.objects.select_related("user").filter(pk=job.pk).first()
        if told is not None:
            events.contact_import_updated(told)

    def ended(self, job: ContactImport) -> None:
        """Audit the end of the import, and have browsers reload their lists."""
        done = ContactImport.objects.select_related("user").get(pk=job.pk)
        record_import(done)


def record_import(done: ContactImport) -> None:
    """Audit an import, and have browsers reload their lists if contacts changed."""
    record(
        action="contacts.imported",
        actor=done.user,
        company_id=done.company_id,
        target=done,
        detail={
            "file": done.media_name,
            "count": done.rows_read,
            "created": done.created_count,
            "existing": done.existing_count,
            "invalid": done.failed_count,
        },
    )
    if done.created_count or done.filled_count:
        events.contacts_imported(company_id=done.company_id)


_READER = ContactReader(IMPORTS)


def import_due(*, limit: int) -> int:
    """Claim up to `limit` files and import their rows; return the number of claimed files.

    Never call it inside a transaction.
    """
    return _READER.import_due(limit=limit)


@transaction.atomic
def _store(job: ContactImport, batch: Sequence[ContactRow], claim: Claim[ContactImport]) -> int:
    """Store a batch in a fixed number of queries; return the number of faulty rows."""
    made = plan_rows(job.company_id, batch)
    # A fixed order avoids a deadlock of two workers that create the same contacts.
    Contact.objects.bulk_create(sorted(made.new, key=lambda each: each.canonical_number))
    update_rows(list(made.filled.values()), FILLED)
    known = [(each, made.keys[pk]) for pk, each in made.filled.items() if pk in made.keys]
    tell_keys([*((each, keys_of(each)) for each in made.new), *known])
    ContactField.objects.bulk_create(made.lines)
    update_rows(made.changed_lines, ["value", "folded_value"])
    told = made.faults[: max(MOST_FAULTS - job.failed_count, 0)]
    ContactImportFault.objects.bulk_create(_fault(job, row, code) for row, code in told)
    held = claim.held(job).filter(rows_read=job.rows_read)
    if not held.update(
        rows_read=F("rows_read") + len(batch),
        created_count=F("created_count") + len(made.new),
        existing_count=F("existing_count") + made.existing,
        filled_count=F("filled_count") + len(made.filled),
        failed_count=F("failed_count") + len(made.faults),
        columns=list(batch[0].columns.heads),
        updated_at=timezone.now(),
    ):
        raise ClaimLost
    return len(made.faults)


def _fault(job: ContactImport, row: ContactRow, code: str) -> ContactImportFault:
    cells = [text[:CELL_LENGTH] for text in row.texts]
    return ContactImportFault(contact_import=job, row=row.row, cells=cells, code=code)
