"""Contacts of those who write to us, made and merged as providers name them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Q

from apps.common.registry import Hook
from apps.connections.providers.base import InboundIdentity
from apps.contacts import events
from apps.contacts.models import Contact
from apps.contacts.numbers import GROUP_SUFFIX, LID_SUFFIX, canonical_number, digits, lid_of

PERSON_NAME_LENGTH = 50
GROUP_NAME_LENGTH = 200
# Another worker may store the same new contact while we look; the index decides.
UPSERT_TRIES = 3
# Before the LID in the canonical number of who is known by nothing else.
LID_KEY = "lid:"

# Called with a contact that has a new number.
number_change: Hook[[Contact]] = Hook()

# Called with the contact that stays and the one that goes, before the latter's deletion: what
# hangs on it must be moved, or it is lost.
contact_merge: Hook[[Contact, Contact]] = Hook()


@dataclass(frozen=True)
class Sender:
    """Who wrote, as a provider says it.

    `number` is what the provider calls the sender, empty when only the `lid` is known; `name` is
    the push name.
    """

    company_id: int
    number: str
    name: str = ""
    connection_id: int | None = None
    lid: str = ""
    is_group: bool = False


def upsert_contact(
    *,
    company_id: int,
    number: str,
    name: str = "",
    connection_id: int | None = None,
    lid: str = "",
    is_group: bool = False,
) -> Contact:
    """Return the contact that a message came from: `upsert_contacts` for one sender."""
    return upsert_contacts([Sender(company_id, number, name, connection_id, lid, is_group)])[0]


def upsert_contacts(senders: Sequence[Sender], *, tells: bool = True) -> list[Contact]:
    """Return the contacts of senders, in their order, made when new (rules/contacts §3).

    The name (push name, else number) is set once and never overwritten. One statement while all
    are known; two workers that meet a new one get the same row. With `tells` off browsers do not
    hear of new ones: who makes thousands says it once.
    """
    candidates = [_candidate(sender) for sender in senders]
    for attempt in range(1, UPSERT_TRIES + 1):
        known = _known_contacts(candidates)
        contacts = [_known_or_new(known, candidate) for candidate in candidates]
        new = {id(contact): contact for contact in contacts if contact.pk is None}
        if not new:
            return contacts
        # One order for all, or two workers with the same new contacts wait for each other.
        rows = sorted(new.values(), key=lambda contact: contact.canonical_number)
        try:
            with transaction.atomic():
                Contact.objects.bulk_create(rows)
        except IntegrityError:
            if attempt == UPSERT_TRIES:
                raise
            for contact in rows:
                contact.pk = None
            continue
        if tells:
            events.contacts_created(rows)
        return contacts
    raise AssertionError("unreachable")


def _candidate(sender: Sender) -> Contact:
    """Return the row that a sender would be."""
    lid, number = lid_of(sender.lid), sender.number
    if not number:
        number = f"{lid}{LID_SUFFIX}"
    elif sender.is_group and not number.endswith(GROUP_SUFFIX):
        number = f"{number}{GROUP_SUFFIX}"
    shown = number if sender.is_group or number.endswith(LID_SUFFIX) else digits(number)
    length = GROUP_NAME_LENGTH if sender.is_group else PERSON_NAME_LENGTH
    contact = Contact(
        company_id=sender.company_id,
        name=(sender.name.replace("\x00", "").strip() or shown)[:length],
        number=shown,
        canonical_number=canonical_number(number),
        lid=lid or None,
        is_group=sender.is_group,
        connection_id=sender.connection_id,
    )
    contact.fold_text()
    return contact


# Contacts by company and canonical number, and by company and 'lid:' + LID.
Known = dict[tuple[int, str], Contact]


def _known_contacts(candidates: Sequence[Contact]) -> Known:
    lids = {contact.lid for contact in candidates if contact.lid}
    numbers = {contact.canonical_number for contact in candidates} | {f"lid:{lid}" for lid in lids}
    wanted = Q(canonical_number__in=numbers)
    if lids:
        wanted |= Q(lid__in=lids)
    companies = {contact.company_id for contact in candidates}
    known: Known = {}
    for contact in Contact.objects.filter(wanted, company_id__in=companies):
        _index(known, contact)
    return known


def _index(known: Known, contact: Contact) -> None:
    known[contact.company_id, contact.canonical_number] = contact
    if contact.lid:
        known[contact.company_id, f"lid:{contact.lid}"] = contact


def _known_or_new(known: Known, candidate: Contact) -> Contact:
    company_id, lid = candidate.company_id, candidate.lid
    by_number = known.get((company_id, candidate.canonical_number))
    by_lid = known.get((company_id, f"lid:{lid}")) if lid else None
    contact = by_number or by_lid
    if contact is None:
        contact = candidate
    elif by_number is None:
        _learn_number(contact, candidate.canonical_number)
    elif by_lid is not None and by_lid is not by_number:
        # One of them may be new and not stored yet: the next message merges them.
        if by_lid.pk is not None and by_number.pk is not None:
            contact = merge_contacts(keep=by_number, gone=by_lid)
    elif lid and by_number.lid != lid:
        by_number.lid = lid
        _save_known(by_number, "lid")
    else:
        return contact
    _index(known, contact)
    return contact


def _learn_number(contact: Contact, canonical: str) -> None:
    # Known by the LID alone until now: the same person, with a number at last.
    contact.canonical_number = contact.number = canonical
    if _save_known(contact, "canonical_number", "number"):
        events.contact_updated(contact)


def _save_known(contact: Contact, *fields: str) -> bool:
    if contact.pk is None:
        contact.fold_text()
        return False
    contact.save(update_fields=[*fields, "updated_at"])
    return True


@transaction.atomic
def merge_contacts(*, keep: Contact, gone: Contact) -> Contact:
    """Make one contact of two rows of one person; returns `keep`, with the LID of the other."""
    lid = gone.lid or _bare_lid(gone) or keep.lid
    contact_merge(keep, gone)
    gone_id = gone.pk
    gone.extra_info.update(contact=keep)
    gone.notes.update(contact=keep)
    gone.delete()
    keep.lid = lid
    keep.email = keep.email or gone.email
    keep.save(update_fields=["lid", "email", "updated_at"])
    events.contact_deleted(contact_id=gone_id, company_id=keep.company_id)
    events.contact_updated(keep)
    return keep


def _bare_lid(contact: Contact) -> str:
    _, marked, lid = contact.canonical_number.partition(LID_KEY)
    return lid if marked else ""


@transaction.atomic
def follow_identity(*, company_id: int, identity: InboundIdentity) -> None:
    """Give a contact its new number or LID, with all that is said to it (rules/contacts §3).

    Whoever is known by the new one already is the same person: both become one, the contact from
    before stays. Nothing happens where nobody is known.
    """
    before = _locked_contacts(company_id, identity.number, identity.lid)
    after = _locked_contacts(company_id, identity.new_number, identity.new_lid)
    if not before:
        return
    contact, *others = before
    for other in {row.pk: row for row in (*others, *after)}.values():
        if other.pk != contact.pk:
            contact = merge_contacts(keep=contact, gone=other)
    number, lid = digits(identity.new_number), lid_of(identity.new_lid)
    is_moved = bool(number) and canonical_number(number) != contact.canonical_number
    if number:
        contact.number, contact.canonical_number = number, canonical_number(number)
        contact.lid = lid or None
    else:
        contact.lid = lid
        if _bare_lid(contact):
            contact.number = f"{lid}{LID_SUFFIX}"
            contact.canonical_number = canonical_number(contact.number)
    contact.save(update_fields=["number", "canonical_number", "lid", "updated_at"])
    events.contact_updated(contact)
    if is_moved:
        number_change(contact)


@transaction.atomic
def join_identities(*, company_id: int, number: str, lid: str) -> None:
    """Make one of the contacts of a number and of a LID; nothing where nobody is known."""
    if _locked_contacts(company_id, number, lid):
        upsert_contact(company_id=company_id, number=number, lid=lid)


def name_group(*, company_id: int, group: str, name: str) -> None:
    """Call a group's contact as the group is called; nothing where it is not known."""
    name = name.replace("\x00", "").strip()[:GROUP_NAME_LENGTH]
    rows = Contact.objects.for_company(company_id).filter(is_group=True)
    contact = rows.filter(canonical_number=canonical_number(group)).first()
    if contact is None or not name or contact.name == name:
        return
    contact.name = name
    contact.save(update_fields=["name", "updated_at"])
    events.contact_updated(contact)


def _locked_contacts(company_id: int, number: str, lid: str) -> list[Contact]:
    """Return who is known by a number, then who is by a LID, held until commit."""
    lid = lid_of(lid)
    keys = [canonical_number(number)] if number else []
    wanted = Q(canonical_number__in=[*keys, *([f"{LID_KEY}{lid}"] if lid else [])])
    if lid:
        wanted |= Q(lid=lid)
    rows = Contact.objects.for_company(company_id).filter(wanted, is_group=False)
    locked = rows.select_for_update(of=("self",), no_key=True).order_by("pk")
    return sorted(locked, key=lambda row: row.canonical_number not in keys)
