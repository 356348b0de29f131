"""What an import would make of a file's first rows (rules/contact-lists §2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.core.files.uploadedfile import UploadedFile

from apps.accounts.models import User
from apps.billing.services import require_feature
from apps.campaigns.models import ContactListItem
from apps.campaigns.services.importing import judged
from apps.campaigns.services.lists import get_contact_list
from apps.campaigns.sheets import NEEDS, rows_of_sheet
from apps.companies.queries import setting_of
from apps.contacts.numbers import shown_number
from apps.contacts.sheet_layouts import TOP_ROWS, SheetLayout, first_rows


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
    columns: Sequence[str]
    rows: list[PreviewRow]


def preview_sheet(
    *, user: User, contact_list_id: int, upload: UploadedFile[Any], layout: SheetLayout | None
) -> ImportPreview:
    """Return the first rows of a file as an import with this layout would keep them.

    Stores nothing. Raises ContactListNotFound, PlanFeatureMissing and what `first_rows` raises.
    """
    listed = get_contact_list(company_id=user.company_id, contact_list_id=contact_list_id)
    require_feature(company_id=user.company_id, feature="campaigns")
    sheet = first_rows(upload, layout, NEEDS)
    country = setting_of(user.company_id, "country")
    people = [(row, *judged(row, country)) for row in islice(rows_of_sheet(sheet), TOP_ROWS)]
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
    return ImportPreview(sheet.layout, sheet.titles, rows)
