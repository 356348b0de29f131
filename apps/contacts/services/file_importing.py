"""The worker of imports: stores a file's rows as contacts, in batches (rules/contacts §12)."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import IO

from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from apps.audit.services import record
from apps.common.bulk import update_rows
from apps.common.leases import Claim, LeasedWork
from apps.common.search import fold
from apps.common.sheet_jobs import MOST_FAULTS, ClaimLost, SheetReader
from apps.companies.queries import setting_of
from apps.contacts import events
from apps.contacts.models import Contact, ContactField, ContactImport, ContactImportFault
from apps.contacts.numbers import id_field
from apps.contacts.services.file_rows import Person, RowRefused, person_of
from apps.contacts.services.given_values import MAX_FIELDS
from apps.contacts.services.moving import LID_KEY, keys_of, tell_keys
from apps.contacts.services.senders import PERSON_NAME_LENGTH
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


@dataclass
class Batch:
    """The result of a batch: new contacts, completed existing ones, and faulty rows.

    `keys` are the former and new canonical numbers of existing contacts that got a number or id.
    """

    new: list[Contact] = field(default_factory=list)
    filled: dict[int, Contact] = field(default_factory=dict)
    keys: dict[int, list[str]] = field(default_factory=dict)
    lines: list[ContactField] = field(default_factory=list)
    changed_lines: list[ContactField] = field(default_factory=list)
    existing: int = 0
    faults: list[tuple[ContactRow, str]] = field(default_factory=list)


class ContactReader(SheetReader[ContactImport, ContactRow]):
    def rows(
        self, job: ContactImport, content: IO[bytes]
    ) -> AbstractContextManager[Iterator[ContactRow]]:
        return contact_rows(content)

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
    made = _planned(job.company_id, batch)
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


def _planned(company_id: int, batch: Sequence[ContactRow]) -> Batch:
    """Decide the result of each row, in order; contacts change only in memory."""
    made = Batch()
    people: list[tuple[ContactRow, Person]] = []
    country = setting_of(company_id, "country")
    for row in batch:
        try:
            people.append((row, person_of(row, country)))
        except RowRefused as refusal:
            made.faults.append((row, refusal.code))
    known = _Known(company_id, [person for _, person in people])
    for row, person in people:
        by_number, by_lid = known.by_number(person), known.by_lid(person)
        if by_number is not None and by_lid is not None and by_number is not by_lid:
            made.faults.append((row, "ERR_ROW_TWO_CONTACTS"))
            continue
        contact = by_number or by_lid
        if contact is None:
            contact = _new_contact(company_id, person)
            made.new.append(contact)
            made.lines += known.add_lines(contact, person.extra)
        else:
            made.existing += 1
            _complete(made, known, contact, person)
        known.index(contact)
    made.faults.sort(key=lambda fault: fault[0].row)
    return made


def _new_contact(company_id: int, person: Person) -> Contact:
    contact = Contact(
        company_id=company_id,
        name=(person.name or person.number or person.username or person.lid)[:PERSON_NAME_LENGTH],
        number=person.shown_number,
        canonical_number=person.canonical_number,
        username=person.username,
        email=person.email,
    )
    setattr(contact, id_field(person.lid), person.lid or None)
    contact.fold_text()
    return contact


def _complete(made: Batch, known: "_Known", contact: Contact, person: Person) -> None:
    """Add the data that an existing contact lacks; never change its values."""
    lacking, former = _lacking(contact, person), keys_of(contact)
    for name, value in lacking.items():
        setattr(contact, name, value)
    if contact.pk is not None and keys_of(contact) != former:
        made.keys.setdefault(contact.pk, []).extend([*former, *keys_of(contact)])
    lines = known.add_lines(contact, person.extra)
    values = known.fill_lines(contact, person.extra)
    made.lines += lines
    if lacking:
        contact.fold_text()
    if contact.pk is None:
        return
    made.changed_lines += [each for each in values if each not in made.changed_lines]
    if lacking or lines or values:
        contact.updated_at = timezone.now()
        made.filled[contact.pk] = contact


def _lacking(contact: Contact, person: Person) -> dict[str, str]:
    """Return the fields that the contact lacks and the row has."""
    found: dict[str, str] = {}
    if person.number and not contact.has_number:
        found |= {"number": person.number, "canonical_number": person.canonical_number}
    for name, value in (
        (id_field(person.lid), person.lid),
        ("username", person.username),
        ("email", person.email),
    ):
        if value and not getattr(contact, name):
            found[name] = value
    return found


class _Known:
    """The existing contacts of a batch's rows, by number and by id, and their extra info.

    Contacts that a row may complete are locked until the commit and read anew.
    """

    def __init__(self, company_id: int, people: Sequence[Person]) -> None:
        self._company_id = company_id
        self._found: dict[str, Contact] = {}
        self._lines: dict[int, list[ContactField]] = {}
        keys = {person.canonical_number for person in people}
        lids = {person.lid for person in people if person.lid}
        user_ids = {lid for lid in lids if id_field(lid) == "user_id"}
        keys |= {f"{LID_KEY}{lid}" for lid in lids}
        rows = Contact.objects.for_company(company_id)
        known = Q(canonical_number__in=keys) | Q(lid__in=lids - user_ids)
        self._index_all(rows.filter(known | Q(user_id__in=user_ids)))
        self._hold(people)

    def by_number(self, person: Person) -> Contact | None:
        """Return the contact with the row's number."""
        return self._found.get(person.canonical_number) if person.number else None

    def by_lid(self, person: Person) -> Contact | None:
        """Return the contact with the row's LID or user id."""
        return self._found.get(f"{LID_KEY}{person.lid}") if person.lid else None

    def index(self, contact: Contact) -> None:
        """Index a contact by its current number and ids."""
        for key in keys_of(contact):
            self._found[key] = contact

    def add_lines(self, contact: Contact, extra: dict[str, str]) -> list[ContactField]:
        """Add lines for new names, up to MAX_FIELDS lines per contact; return the new lines."""
        there = self._lines.setdefault(id(contact), [])
        names = {fold(line.name) for line in there}
        new = [
            ContactField(contact=contact, name=name, value=value)
            for name, value in extra.items()
            if fold(name) not in names
        ][: max(MAX_FIELDS - len(there), 0)]
        there += new
        return new

    def fill_lines(self, contact: Contact, extra: dict[str, str]) -> list[ContactField]:
        """Fill in the values of empty lines; return the changed stored ones."""
        values = {fold(name): value for name, value in extra.items()}
        changed = []
        for line in self._lines.get(id(contact), []):
            if not line.value and (value := values.get(fold(line.name))):
                line.value = value
                line.fold_texts()
                if line.pk is not None:
                    changed.append(line)
        return changed

    def _index_all(self, contacts: Iterable[Contact]) -> None:
        for contact in contacts:
            self.index(contact)

    def _hold(self, people: Sequence[Person]) -> None:
        ids: set[int] = set()
        for person in people:
            for contact in (self.by_number(person), self.by_lid(person)):
                if contact is not None and (person.extra or _lacking(contact, person)):
                    ids.add(contact.pk)
        if not ids:
            return
        rows = Contact.objects.for_company(self._company_id).filter(pk__in=ids).order_by("pk")
        held = {row.pk: row for row in rows.select_for_update(of=("self",), no_key=True)}
        # The unlocked copies may be outdated, or their contacts deleted: only locked rows are used.
        self._found = {
            key: contact for key, contact in self._found.items() if contact.pk not in ids
        }
        self._index_all(held.values())
        if any(person.extra for person in people):
            for line in ContactField.objects.filter(contact__in=list(held)).order_by("id"):
                self._lines.setdefault(id(held[line.contact_id]), []).append(line)
