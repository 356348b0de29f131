"""Reading a spreadsheet into its list (rules/contact-lists §2 and §3)."""

import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import IO

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import F

from apps.campaigns import events
from apps.campaigns.models import ContactList, ContactListImport, ContactListItem, ImportFault
from apps.campaigns.models.lists import NAME_LENGTH
from apps.campaigns.queries.lists import contact_lists_of
from apps.campaigns.services.items import ask_for_numbers
from apps.campaigns.sheets import SheetRow, sheet_rows
from apps.common.errors import InvalidInput
from apps.common.leases import Claim, LeasedWork
from apps.common.sheet_jobs import MOST_FAULTS, ClaimLost, SheetReader
from apps.companies.queries import setting_of
from apps.contacts.numbers import canonical_number, with_country
from apps.contacts.services import plain_number
from apps.contacts.sheet_layouts import SheetLayout

IMPORTS = LeasedWork(model=ContactListImport, lease_setting="LIST_LEASE_SECONDS")
_NUMBER = re.compile(r"\+?[\d\s().\-]+")


class ListReader(SheetReader[ContactListImport, SheetRow]):
    def rows(
        self, job: ContactListImport, content: IO[bytes]
    ) -> AbstractContextManager[Iterator[SheetRow]]:
        layout = SheetLayout(**job.layout) if job.layout else None
        return sheet_rows(content, layout)

    def length_of(self, row: SheetRow) -> int:
        return len(row.name) + len(row.number) + len(row.email)

    @transaction.atomic
    def store(
        self,
        job: ContactListImport,
        batch: Sequence[SheetRow],
        claim: Claim[ContactListImport],
    ) -> None:
        """Store a batch of people and the progress of the import; raises ClaimLost."""
        lists = ContactList.objects.select_for_update(no_key=True)
        listed = lists.filter(pk=job.contact_list_id).first()
        if listed is None:
            raise ClaimLost
        found: dict[str, ContactListItem] = {}
        faults: list[ImportFault] = []
        failed = duplicates = 0
        country = setting_of(job.company_id, "country")
        for row in batch:
            item, fault = judged(row, country)
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
            raise ClaimLost
        if new:
            ask_for_numbers(listed)
        job.rows_read += len(batch)
        job.failed_count += failed

    @transaction.atomic
    def tell(self, job: ContactListImport) -> None:
        """Emit the progress of the import and the items of the list."""
        listed = contact_lists_of(job.company_id).filter(pk=job.contact_list_id).first()
        if listed is not None:
            events.contact_list_updated(listed)
            if job.rows_read:
                events.list_items_changed(listed)


_READER = ListReader(IMPORTS)


def import_due(*, limit: int) -> int:
    """Claim up to `limit` spreadsheets and read them into their lists; returns their number.

    Never call it inside a transaction.
    """
    return _READER.import_due(limit=limit)


def judged(row: SheetRow, country: str) -> tuple[ContactListItem | None, str]:
    """Return the item that a row describes, or the code of why the row is refused.

    A number without country code gets that of `country` (the company's setting).
    """
    if not 2 <= len(row.name) <= NAME_LENGTH:
        return None, "ERR_ROW_NAME"
    if not row.number:
        return None, "ERR_ROW_NUMBER_MISSING"
    if not _NUMBER.fullmatch(row.number):
        return None, "ERR_ROW_NUMBER"
    try:
        plain_number(row.number)
        number = with_country(row.number, country)
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
