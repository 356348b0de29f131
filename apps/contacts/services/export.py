"""The export of contacts as a CSV file (rules/contacts §5)."""

from collections.abc import Iterator

from apps.accounts.models import User
from apps.audit.services import record
from apps.common.csv_files import csv_head, csv_rows, plain_cell
from apps.common.masking import masked_name, masked_number
from apps.contacts.numbers import lacks_country
from apps.contacts.queries import search_contacts, walk_contacts

COLUMNS = ("name", "whatsapp", "email", "username", "userId")


def export_contacts(
    *, actor: User, text: str = "", ip_address: str | None = None
) -> Iterator[bytes]:
    """Return the parts of a CSV file of the company's contacts that a search finds, by default all.

    Whose role does not show numbers in full gets them masked. The export is audited at once. Rows
    are read in batches while the parts are consumed.
    """
    company_id, hides = actor.company_id, not actor.sees_full_numbers
    found = search_contacts(company_id, text, hides=hides)
    record(
        action="contacts.exported",
        actor=actor,
        company_id=company_id,
        detail={"search": text, "count": found.order_by().count()},
        ip_address=ip_address,
    )
    return _parts(company_id, text, hides=hides)


def _parts(company_id: int, text: str, *, hides: bool) -> Iterator[bytes]:
    yield csv_head(COLUMNS)
    columns = ("name", "number", "email", "username", "shown_id")
    for rows in walk_contacts(company_id, text, *columns, hides=hides):
        yield csv_rows(
            [plain_cell(cell or "") for cell in (*_shown(name, number, hides=hides), *others)]
            for name, number, *others in rows
        )


def _shown(name: str, number: str, *, hides: bool) -> tuple[str, str]:
    if not hides:
        return name, _complete(number)
    return masked_name(name, number), masked_number(number)


def _complete(number: str) -> str:
    """Mark a foreign number that an import would take for one without country code."""
    return f"+{number}" if lacks_country(number) else number
