"""Requests under the LGPD (art. 18): export and erasure of a contact's data.

See rules/contacts §13.
"""

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import QuerySet

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.audit.services import record
from apps.common.errors import NotFound
from apps.common.media import open_media
from apps.common.registry import Hook
from apps.contacts.models import Contact
from apps.contacts.services.contacts import remove_contact
from apps.mail.models import Mail

BLOCK = 64 * 1024
DATA_FILE, MISSING_FILE = "dados.json", "arquivos-ausentes.txt"
# The keys of audit entries that identify a contact.
NAMING = ("name", "number", "otherName")


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
    contact_erasure(contact)
    _emails(contact).delete()
    for entry in AuditEntry.objects.for_company(contact.company_id).filter(
        object_type="contact", object_id=str(contact.pk)
    ):
        entry.detail = {key: value for key, value in entry.detail.items() if key not in NAMING}
        entry.save(update_fields=["detail"])
    record(
        action="contact.erased",
        actor=actor,
        company_id=contact.company_id,
        target=contact,
        ip_address=ip_address,
    )
    remove_contact(contact)


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
