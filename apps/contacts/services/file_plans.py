"""What rows of a file make of a company's contacts, in memory (rules/contacts §12)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from django.db.models import Q
from django.utils import timezone

from apps.common.search import fold
from apps.companies.queries import setting_of
from apps.contacts.models import Contact, ContactField
from apps.contacts.numbers import id_field
from apps.contacts.services.file_rows import Person, RowRefused, person_of
from apps.contacts.services.given_values import MAX_FIELDS
from apps.contacts.services.moving import LID_KEY, keys_of
from apps.contacts.services.senders import PERSON_NAME_LENGTH
from apps.contacts.sheets import ContactRow


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


@dataclass(frozen=True)
class Outcome:
    """The result of a row: its contact with all its extra info, or why the row is faulty.

    `is_existing` tells that the contact is stored already, or made by a row further up.
    """

    row: ContactRow
    code: str = ""
    contact: Contact | None = None
    lines: Sequence[ContactField] = ()
    is_existing: bool = False


def plan_rows(company_id: int, batch: Sequence[ContactRow]) -> Batch:
    """Decide the result of all rows; contacts that they complete are locked until the commit."""
    made = Batch()
    for outcome in planned_rows(made, company_id, batch, locks=True):
        if outcome.contact is None:
            made.faults.append((outcome.row, outcome.code))
    return made


def planned_rows(
    made: Batch, company_id: int, batch: Sequence[ContactRow], *, locks: bool
) -> Iterator[Outcome]:
    """Decide the result of each row, in order; contacts change only in memory.

    A contact is as its row leaves it until the next row is decided.
    """
    country = setting_of(company_id, "country")
    people = [(row, _judged(row, country)) for row in batch]
    named = [person for _, person in people if isinstance(person, Person)]
    known = _Known(company_id, named, locks=locks)
    for row, person in people:
        if isinstance(person, str):
            yield Outcome(row, code=person)
            continue
        by_number, by_lid = known.by_number(person), known.by_lid(person)
        if by_number is not None and by_lid is not None and by_number is not by_lid:
            yield Outcome(row, code="ERR_ROW_TWO_CONTACTS")
            continue
        found = by_number or by_lid
        contact = found or _new_contact(company_id, person)
        if found is None:
            made.new.append(contact)
            made.lines += known.add_lines(contact, person.extra)
        else:
            made.existing += 1
            _complete(made, known, contact, person)
        known.index(contact)
        yield Outcome(
            row,
            contact=contact,
            lines=known.lines_of(contact),
            is_existing=found is not None,
        )


def _judged(row: ContactRow, country: str) -> Person | str:
    """Return the person that a row describes, or the code of its fault."""
    try:
        return person_of(row, country)
    except RowRefused as refusal:
        return refusal.code


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

    Contacts that a row may complete are read anew, and with `locks` locked until the commit.
    """

    def __init__(self, company_id: int, people: Sequence[Person], *, locks: bool) -> None:
        self._company_id = company_id
        self._locks = locks
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

    def lines_of(self, contact: Contact) -> Sequence[ContactField]:
        """Return the contact's extra info; of a stored one only if its row has extra info."""
        return self._lines.get(id(contact), ())

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
        if self._locks:
            rows = rows.select_for_update(of=("self",), no_key=True)
        held = {row.pk: row for row in rows}
        # The unlocked copies may be outdated, or their contacts deleted: only locked rows are used.
        self._found = {
            key: contact for key, contact in self._found.items() if contact.pk not in ids
        }
        self._index_all(held.values())
        if any(person.extra for person in people):
            for line in ContactField.objects.filter(contact__in=list(held)).order_by("id"):
                self._lines.setdefault(id(held[line.contact_id]), []).append(line)
