"""What an import would make of a file's first rows (rules/contact-lists §2)."""

from dataclasses import dataclass
from threading import BoundedSemaphore
from typing import Any

from django.core.files.uploadedfile import UploadedFile

from apps.accounts.models import User
from apps.billing.services import require_feature
from apps.campaigns.models import ContactListItem
from apps.campaigns.services.importing import judged
from apps.campaigns.services.lists import get_contact_list
from apps.campaigns.sheets import SheetLayout, sheet_top
from apps.common.errors import DomainError
from apps.common.sheets import check_file
from apps.companies.queries import setting_of
from apps.contacts.numbers import shown_number

# A request waits for it, so it is shorter than an import; 100,000 rows of twenty columns are
# counted in eight seconds.
PREVIEW_CPU_SECONDS = 20
# Each reader may take READER_BYTES beside the web process.
_READERS = BoundedSemaphore(2)


class PreviewBusy(DomainError):
    """This process reads two files for previews already; `Retry-After` is in seconds."""

    status = 429
    code = "ERR_PREVIEW_BUSY"
    message = "Outras planilhas estão sendo lidas. Tente de novo em alguns segundos."


@dataclass(frozen=True)
class PreviewRow:
    """A row as it would be kept; a faulty one has its own texts and the `code` of its fault.

    `is_duplicate` tells that the number is in the list or further up.
    """

    row: int
    name: str
    number: str
    email: str
    code: str
    is_duplicate: bool


@dataclass(frozen=True)
class ImportPreview:
    """The layout, the titles of the columns and the first rows of a file."""

    layout: SheetLayout
    columns: list[str]
    rows: list[PreviewRow]


def preview_sheet(
    *, user: User, contact_list_id: int, upload: UploadedFile[Any], layout: SheetLayout | None
) -> ImportPreview:
    """Return the first rows of a file as an import with this layout would keep them.

    Stores nothing. Raises ContactListNotFound, PlanFeatureMissing, PreviewBusy and what
    `check_file` and `sheet_top` raise.
    """
    listed = get_contact_list(company_id=user.company_id, contact_list_id=contact_list_id)
    require_feature(company_id=user.company_id, feature="campaigns")
    check_file(upload, name=upload.name or "", size=upload.size or 0)
    if not _READERS.acquire(blocking=False):
        raise PreviewBusy(headers={"Retry-After": "5"})
    try:
        top = sheet_top(upload, layout, cpu_seconds=PREVIEW_CPU_SECONDS)
    finally:
        _READERS.release()
    country = setting_of(user.company_id, "country")
    people = [(row, *judged(row, country)) for row in top.rows]
    numbers = [item.canonical_number for _, item, _ in people if item is not None]
    there = ContactListItem.objects.filter(contact_list=listed, canonical_number__in=numbers)
    known = set(there.values_list("canonical_number", flat=True))
    rows = []
    for row, item, code in people:
        if item is None:
            texts = (row.name, row.number, row.email)
            rows.append(PreviewRow(row.row, *texts, code, is_duplicate=False))
            continue
        is_duplicate = item.canonical_number in known
        known.add(item.canonical_number)
        kept = (item.name, shown_number(item.number), item.email)
        rows.append(PreviewRow(row.row, *kept, "", is_duplicate))
    return ImportPreview(top.layout, top.columns, rows)
