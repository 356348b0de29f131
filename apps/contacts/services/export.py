"""Contacts as a CSV file (rules/contacts §5)."""

import csv
import re
from collections.abc import Iterator
from io import StringIO

from apps.accounts.models import User
from apps.audit.services import record
from apps.contacts.queries import search_contacts, walk_contacts

COLUMNS = ("name", "whatsapp", "email", "username", "userId")
# Spreadsheets of Windows take UTF-8 for it only when it begins so.
BYTE_ORDER_MARK = "\ufeff"
# What a spreadsheet would compute: OWASP, 'CSV Injection'; full-width forms count in East Asian
# ones, and one that takes commas, semicolons or line ends for separators begins a cell behind each.
_FORMULA = re.compile(r"(?:\A|[;,\t\r\n\"])(?=\s*[=+\-@\t\r＝＋－＠])")
_ESCAPED = re.compile(r"(\A|[;,\t\r\n\"])'(?=\s*[=+\-@\t\r＝＋－＠])")
# A number with its sign is no formula.
_SIGNED_NUMBER = re.compile(r"[+-][\d\s().-]*")


def plain_cell(text: str) -> str:
    """Return a cell that a spreadsheet shows and never runs, whatever it takes for a separator."""
    if _SIGNED_NUMBER.fullmatch(text):
        return text
    return _FORMULA.sub(lambda match: f"{match.group()}'", text)


def meant_text(cell: str) -> str:
    """Return what a cell of ours says: `plain_cell` undone."""
    return _ESCAPED.sub(r"\1", cell)


def export_contacts(
    *, actor: User, text: str = "", ip_address: str | None = None
) -> Iterator[bytes]:
    """Return the parts of a CSV file of the actor's contacts, or of those that a search finds.

    It is audited now; rows are read while the parts are taken, a few thousand at a time.
    """
    company_id = actor.company_id
    record(
        action="contacts.exported",
        actor=actor,
        company_id=company_id,
        detail={"search": text, "count": search_contacts(company_id, text).order_by().count()},
        ip_address=ip_address,
    )
    return _parts(company_id, text)


def _parts(company_id: int, text: str) -> Iterator[bytes]:
    yield f"{BYTE_ORDER_MARK}{';'.join(COLUMNS)}\r\n".encode()
    for rows in walk_contacts(company_id, text, "name", "number", "email", "username", "lid"):
        lines = StringIO(newline="")
        writer = csv.writer(lines, delimiter=";", lineterminator="\r\n", quoting=csv.QUOTE_ALL)
        writer.writerows([plain_cell(cell or "") for cell in row] for row in rows)
        yield lines.getvalue().encode()
