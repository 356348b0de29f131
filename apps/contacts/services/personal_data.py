"""Requests under the LGPD (art. 18): export and erasure of a contact's data.

See rules/contacts §13.
"""

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, TypeVar
from zipfile import ZIP_DEFLATED, ZipFile

from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import Model, Q, QuerySet, TextField
from django.db.models.functions import Cast

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.audit.services import record
from apps.common.errors import NotFound
from apps.common.media import open_media
from apps.common.registry import Hook
from apps.connections.services import forget_addresses
from apps.contacts.models import Contact, ContactImportFault
from apps.contacts.numbers import canonical_number, digits, former_number, lid_of
from apps.contacts.services.contacts import remove_contact
from apps.mail.models import Mail

BLOCK = 64 * 1024
DATA_FILE, MISSING_FILE = "dados.json", "arquivos-ausentes.txt"
# The keys of audit entries that identify a contact.
NAMING = ("name", "number", "otherName", "otherNumber", "contact")
# Shorter ids would be found by chance in texts about others.
SHORTEST_TRACE = 6
Row = TypeVar("Row", bound=Model)


@dataclass
class PersonalData:
    """The data of one contact: rows by kind, read when they are written, and files."""

    rows: dict[str, Iterable[Mapping[str, Any]]] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)

    def add_file(self, path: str, name: str) -> str:
        """Add a stored file to the archive; return its unique name there."""
        shown = PurePosixPath(name.replace("\\", "/")).name or "arquivo"
        inside = f"arquivos/{len(self.files) + 1:05d}-{shown}"
        self.files[inside] = path
        return inside


# Called with a contact: handlers add the data of their app.
contact_data: Hook[[Contact, PersonalData]] = Hook()
# Called in the transaction of an erasure, before the contact is deleted: handlers delete or
# anonymise data that the deletion does not reach.
contact_erasure: Hook[[Contact]] = Hook()


@dataclass(frozen=True)
class Traces:
    """All by which stored data may name a contact besides its row: also what it took over from
    contacts that were merged into it.
    """

    # Canonical numbers.
    numbers: frozenset[str]
    # Bare LIDs and user ids.
    ids: frozenset[str]
    emails: frozenset[str]
    names: frozenset[str]

    @property
    def keys(self) -> frozenset[str]:
        """The numbers, with and without the ninth digit, and the ids."""
        former = {former_number(number) for number in self.numbers}
        return self.numbers | former | self.ids

    def named_in(self, rows: QuerySet[Row], *fields: str) -> QuerySet[Row]:
        """Return the rows that have a number, an id or an e-mail in the text of a field."""
        found = Q(pk__in=[])
        for field_name in fields:
            shown = f"shown_{field_name}"
            rows = rows.alias(**{shown: Cast(field_name, TextField())})
            for text in self.keys | self.emails:
                if len(text) >= SHORTEST_TRACE:
                    found |= Q(**{f"{shown}__icontains": text})
        return rows.filter(found)

    def is_cell(self, text: str) -> bool:
        """Tell whether a cell of a sheet holds the number, the e-mail or the name."""
        text = text.strip()
        is_number = any(each.isdigit() for each in text) and not any(map(str.isalpha, text))
        if is_number and canonical_number(digits(text)) in self.numbers:
            return True
        return text.casefold() in {each.casefold() for each in (*self.emails, *self.names)}


def traces_of(contact: Contact) -> Traces:
    """Return the traces of a contact."""
    numbers, ids, emails, names = set(), set(contact.ids), {contact.email}, {contact.name}
    keys = [contact.number, contact.canonical_number]
    for gone in contact.merges.values_list("gone", flat=True):
        keys += [str(gone.get("number") or ""), str(gone.get("canonical_number") or "")]
        ids |= {str(gone.get("lid") or ""), str(gone.get("user_id") or "")}
        emails.add(str(gone.get("email") or ""))
        names.add(str(gone.get("name") or ""))
    for key in keys:
        if key.isdigit():
            numbers.add(canonical_number(key))
        else:
            ids.add(lid_of(key.removeprefix("lid:")))
    # A person without a name has the number as name.
    names -= {*numbers, *keys}
    none = {""}
    return Traces(
        frozenset(numbers - none),
        frozenset(ids - none),
        frozenset(emails - none),
        frozenset(names - none),
    )


def export_personal_data(
    *, contact: Contact, actor: User, ip_address: str | None = None
) -> Iterator[bytes]:
    """Return the parts of a ZIP archive of a contact's data.

    `dados.json` has the rows by kind; the files of its conversations follow. The export is audited
    at once; rows and files are read while the parts are consumed.
    """
    record(
        action="contact.data_exported",
        actor=actor,
        company_id=contact.company_id,
        target=contact,
        detail={"name": contact.name, "number": contact.number},
        ip_address=ip_address,
    )
    data = PersonalData()
    data.rows["contact"] = [_contact_row(contact, data)]
    data.rows["emails"] = _emails(contact).values("subject", "body", "author_name", "created_at")
    data.rows["notes"] = contact.notes.order_by("pk").values("note", "created_at")
    contact_data(contact, data)
    return _archive(data)


@transaction.atomic
def erase_contact(*, contact: Contact, actor: User, ip_address: str | None = None) -> None:
    """Delete a contact with its data, and remove its name from data that stays.

    The audit log records the erasure, but not the name.
    """
    traces = traces_of(contact)
    contact_erasure(contact)
    _emails(contact).delete()
    _forget_in_audit(contact, traces)
    _forget_rejected_rows(contact.company_id, traces)
    forget_addresses(company_id=contact.company_id, keys=traces.keys)
    record(
        action="contact.erased",
        actor=actor,
        company_id=contact.company_id,
        target=contact,
        ip_address=ip_address,
    )
    remove_contact(contact)


def _forget_in_audit(contact: Contact, traces: Traces) -> None:
    """Remove what identifies a contact from entries about it, its tickets, and an earlier row of
    the same person.
    """
    entries = AuditEntry.objects.for_company(contact.company_id)
    own = entries.filter(object_type="contact", object_id=str(contact.pk))
    named = traces.named_in(entries, "detail")
    for pk in {*own.values_list("pk", flat=True), *named.values_list("pk", flat=True)}:
        entry = AuditEntry.objects.get(pk=pk)
        entry.detail = {key: value for key, value in entry.detail.items() if key not in NAMING}
        entry.save(update_fields=["detail"])


def _forget_rejected_rows(company_id: int, traces: Traces) -> None:
    """Delete the rows of sheets that an import rejected."""
    faults = ContactImportFault.objects.filter(contact_import__company=company_id)
    gone = [
        pk
        for pk, cells in faults.values_list("pk", "cells").iterator(chunk_size=1000)
        if any(traces.is_cell(str(cell)) for cell in cells)
    ]
    ContactImportFault.objects.filter(pk__in=gone).delete()


def _emails(contact: Contact) -> QuerySet[Mail]:
    """Return the e-mails that users of the company sent to the contact's address."""
    written = Mail.objects.for_company(contact.company_id).filter(is_written=True)
    return written.filter(recipient__iexact=contact.email).exclude(recipient="").order_by("pk")


def _contact_row(contact: Contact, data: PersonalData) -> dict[str, Any]:
    picture = contact.picture_path
    return {
        "name": contact.name,
        "number": contact.number,
        "user_id": contact.user_id,
        "lid": contact.lid,
        "username": contact.username,
        "email": contact.email,
        "picture": data.add_file(picture, "foto.jpg") if picture else None,
        "is_ignored": contact.is_ignored,
        "extra_info": list(contact.extra_info.order_by("pk").values("name", "value")),
        "created_at": contact.created_at,
    }


class _Parts(io.RawIOBase):
    """The output of the archive, read in parts while it is written."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, part: Any) -> int:
        self._written.append(bytes(part))
        return len(part)

    def take(self) -> bytes:
        """Return the bytes that were written since the last call."""
        taken, self._written = b"".join(self._written), []
        return taken


def _archive(data: PersonalData) -> Iterator[bytes]:
    parts, missing = _Parts(), []
    with ZipFile(parts, "w", ZIP_DEFLATED) as archive:
        with archive.open(DATA_FILE, "w", force_zip64=True) as target:
            for text in _json(data.rows):
                target.write(text.encode())
                yield parts.take()
        for name, path in data.files.items():
            try:
                source = open_media(path)
            except NotFound:
                missing.append(name)
                continue
            with source, archive.open(name, "w", force_zip64=True) as target:
                while block := source.read(BLOCK):
                    target.write(block)
                    yield parts.take()
        if missing:
            archive.writestr(MISSING_FILE, "\n".join(missing))
    yield parts.take()


def _json(rows_by_kind: Mapping[str, Iterable[Mapping[str, Any]]]) -> Iterator[str]:
    encode = DjangoJSONEncoder(ensure_ascii=False).encode
    for number, (kind, rows) in enumerate(rows_by_kind.items()):
        yield f"{'{' if number == 0 else ','}\n{encode(kind)}: ["
        for index, row in enumerate(rows):
            yield f"{',' if index else ''}\n  {encode(row)}"
        yield "\n]"
    yield "\n}\n"
