"""Contacts of message senders, created and merged by the data of providers."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from apps.common.compiled_queries import CompiledQuery, columns_of, instance_of
from apps.common.registry import Hook
from apps.connections.providers.inbound import InboundIdentity
from apps.connections.providers.official.identities import USER_ID
from apps.contacts import events
from apps.contacts.models import USERNAME_LENGTH, Contact
from apps.contacts.numbers import (
    GROUP_SUFFIX,
    LID_SUFFIX,
    canonical_number,
    digits,
    id_field,
    lid_of,
)
from apps.contacts.services.moving import (
    LID_KEY,
    Merged,
    contact_hold,
    hold_contacts,
    keys_of,
    move_all,
    tell_keys,
)
from apps.contacts.services.pictures import forget_picture

PERSON_NAME_LENGTH = 50
GROUP_NAME_LENGTH = 200
# Another worker may create the same contact at the same time; the unique index detects that.
UPSERT_ATTEMPTS = 3

# Called with a contact whose number changed at WhatsApp.
number_change: Hook[[Contact]] = Hook()
# Called with new contacts, except imported ones.
new_contacts: Hook[[Sequence[Contact]]] = Hook()


@dataclass(frozen=True)
class Sender:
    """The sender of a message, as reported by a provider.

    `number` is the provider's form of the number, empty if only `lid` (a LID or Meta's user id) is
    known. `name` is the push name. `username` is empty if not reported. `is_typed`: the number was
    entered by a user or a program, and WhatsApp may use another form.
    """

    company_id: int
    number: str
    name: str = ""
    connection_id: int | None = None
    lid: str = ""
    is_group: bool = False
    username: str = ""
    is_typed: bool = False


def upsert_contact(
    *,
    company_id: int,
    number: str,
    name: str = "",
    connection_id: int | None = None,
    lid: str = "",
    is_group: bool = False,
    is_typed: bool = False,
) -> Contact:
    """Return the contact of one sender: see `upsert_contacts`."""
    sender = Sender(
        company_id, number, name, connection_id, lid, is_group=is_group, is_typed=is_typed
    )
    return upsert_contacts([sender])[0]


def upsert_contacts(senders: Sequence[Sender], *, tells: bool = True) -> list[Contact]:
    """Return the contacts of senders, in order; unknown ones are created (rules/contacts §3).

    The name (push name, else number) is set at creation and never overwritten. Number, LID, user id
    and username are updated to the last reported values. One query if all senders are known; two
    workers that meet the same new sender get the same row. With `tells` off no events are emitted
    for new contacts and new numbers: a bulk import emits one event.
    """
    candidates = [_candidate(sender) for sender in senders]
    for attempt in range(1, UPSERT_ATTEMPTS + 1):
        known = _known_contacts(candidates)
        joined: Joined = {}
        found = [
            _known_or_new(known, joined, candidate, learns=not sender.is_typed, tells=tells)
            for sender, candidate in zip(senders, candidates, strict=True)
        ]
        contacts = [_standing(joined, contact) for contact in found]
        new = {id(contact): contact for contact in contacts if contact.pk is None}
        if not new:
            return contacts
        # A fixed order avoids a deadlock of two workers that create the same contacts.
        rows = sorted(new.values(), key=lambda contact: contact.canonical_number)
        try:
            with transaction.atomic():
                Contact.objects.bulk_create(rows)
                tell_keys((contact, keys_of(contact)) for contact in rows)
        except IntegrityError:
            if attempt == UPSERT_ATTEMPTS:
                raise
            for contact in rows:
                contact.pk = None
            continue
        if tells:
            events.contacts_created(rows)
            new_contacts(rows)
        return contacts
    raise AssertionError("unreachable")


def _candidate(sender: Sender) -> Contact:
    """Return the unsaved contact of a sender."""
    lid, number = lid_of(sender.lid), sender.number
    if not number:
        number = f"{lid}{LID_SUFFIX}"
    elif number.endswith(LID_SUFFIX) or USER_ID.fullmatch(number):
        lid = lid or lid_of(number)
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
        username=sender.username.replace("\x00", "").strip()[:USERNAME_LENGTH],
        is_group=sender.is_group,
        connection_id=sender.connection_id,
    )
    setattr(contact, id_field(lid), lid or None)
    contact.fold_text()
    return contact


# Contacts by company and canonical number, and by company and 'lid:' + LID or user id.
Known = dict[tuple[int, str], Contact]
# By the identity of a contact that became one with another: that other one.
Joined = dict[int, Contact]


def _known_contacts(candidates: Sequence[Contact]) -> Known:
    if len(candidates) == 1 and not candidates[0].ids:
        [only] = candidates
        found: Iterable[Contact] = (
            instance_of(Contact, _COLUMNS, row)
            for row in _BY_NUMBER.rows(
                company_id=only.company_id, number_text=only.canonical_number
            )
        )
    else:
        found = _with_keys(candidates)
    known: Known = {}
    for contact in found:
        _index(known, contact)
    return known


_COLUMNS = columns_of(Contact)
# The usual sender is alone and known by a number.
_BY_NUMBER = CompiledQuery(
    lambda company_id, number_text: Contact.objects.filter(
        company_id=company_id, canonical_number=number_text
    ).values_list(*_COLUMNS)
)


def _with_keys(candidates: Sequence[Contact]) -> "QuerySet[Contact]":
    wanted = Q(canonical_number__in={key for each in candidates for key in keys_of(each)})
    if lids := {contact.lid for contact in candidates if contact.lid}:
        wanted |= Q(lid__in=lids)
    if user_ids := {contact.user_id for contact in candidates if contact.user_id}:
        wanted |= Q(user_id__in=user_ids)
    companies = {contact.company_id for contact in candidates}
    return Contact.objects.filter(wanted, company_id__in=companies)


def _index(known: Known, contact: Contact) -> None:
    for key in keys_of(contact):
        known[contact.company_id, key] = contact


def _known_or_new(
    known: Known, joined: Joined, candidate: Contact, *, learns: bool, tells: bool
) -> Contact:
    company_id, lid = candidate.company_id, next(iter(candidate.ids), None)
    by_number = known.get((company_id, candidate.canonical_number))
    by_lid = known.get((company_id, f"{LID_KEY}{lid}")) if lid else None
    contact = by_number or by_lid
    if contact is None:
        _index(known, candidate)
        return candidate
    other = by_lid if by_lid is not contact else None
    if other is not None and contact.pk is None and other.pk is not None:
        contact, other = other, contact
    is_merged = other is not None and other.pk is not None
    if learns and _learn(contact, candidate, lid=None if is_merged else lid) and tells:
        events.contact_updated(contact)
    if other is not None:
        joined[id(other)] = contact
        if is_merged:
            contact = merge_contacts(keep=contact, gone=other)
    _index(known, contact)
    return contact


def _standing(joined: Joined, contact: Contact) -> Contact:
    """Return the contact that stands for one that an earlier sender of the batch had."""
    while id(contact) in joined:
        contact = joined[id(contact)]
    return contact


def _learn(contact: Contact, candidate: Contact, *, lid: str | None) -> bool:
    """Update the number, username and id to WhatsApp's; return whether a stored row changed.

    The number may have been missing, or WhatsApp may use it without the ninth digit: messages must
    be sent to WhatsApp's form.
    """
    told: dict[str, str] = {}
    if not candidate.is_group and not candidate.number.endswith(LID_SUFFIX):
        told = {"number": candidate.number, "canonical_number": candidate.canonical_number}
    if candidate.username:
        told["username"] = candidate.username
    if lid:
        told[id_field(lid)] = lid
    changed = {name: value for name, value in told.items() if getattr(contact, name) != value}
    if not changed:
        return False
    former = keys_of(contact)
    for name, value in changed.items():
        setattr(contact, name, value)
    if contact.pk is None:
        contact.fold_text()
        return False
    _save_known(contact, changed, former)
    return True


def _save_known(contact: Contact, fields: Collection[str], former: Sequence[str]) -> None:
    if keys_of(contact) == former:
        contact.save(update_fields=[*fields, "updated_at"])
        return
    with transaction.atomic():
        if contact.canonical_number != former[0]:
            # Changing a unique column takes the same row lock as a deletion.
            contact_hold([contact.pk])
        contact.save(update_fields=[*fields, "updated_at"])
        tell_keys([(contact, [*former, *keys_of(contact)])])


@transaction.atomic
def merge_contacts(*, keep: Contact, gone: Contact) -> Contact:
    """Merge two contacts of the same person; return `keep`.

    It takes the LID and user id of `gone`, which were reported last, else keeps its own. It is
    ignored if one of them was, because both are one person.
    """
    hold_contacts(keep.company_id, [keep.pk, gone.pk])
    lid = known_id(gone, "lid") or keep.lid
    user_id = known_id(gone, "user_id") or keep.user_id
    gone_id, former = gone.pk, [*keys_of(gone), *keys_of(keep)]
    move_all(Merged(keep, gone))
    gone.delete()
    keep.lid, keep.user_id = lid, user_id
    keep.email = keep.email or gone.email
    keep.username = keep.username or gone.username
    keep.picture_path = keep.picture_path or gone.picture_path
    keep.is_ignored = keep.is_ignored or gone.is_ignored
    keep.save(
        update_fields=[
            "lid",
            "user_id",
            "email",
            "username",
            "picture_path",
            "is_ignored",
            "updated_at",
        ]
    )
    tell_keys([(keep, former)])
    forget_picture(keep.company_id, gone.picture_path)
    events.contact_deleted(contact_id=gone_id, company_id=keep.company_id)
    events.contact_updated(keep)
    return keep


def bare_lid(contact: Contact) -> str:
    """Return the LID or user id in the canonical number of a contact without a number."""
    _, marked, lid = contact.canonical_number.partition(LID_KEY)
    return lid if marked else ""


def known_id(contact: Contact, field: str) -> str | None:
    """Return a contact's LID (`lid`) or user id (`user_id`), also from the canonical number."""
    own: str | None = getattr(contact, field)
    bare = bare_lid(contact)
    return own or (bare if bare and id_field(bare) == field else None)


@transaction.atomic
def follow_identity(*, company_id: int, identity: InboundIdentity) -> None:
    """Move a contact to its new number or user id, with its conversations (rules/contacts §3).

    A contact that already has the new number or id is the same person: it is merged into the former
    contact. If the former one is unknown, nothing happens.
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
    former, bare = keys_of(contact), bare_lid(contact)
    is_moved = bool(number) and canonical_number(number) != contact.canonical_number
    if number:
        contact.number, contact.canonical_number = number, canonical_number(number)
    elif bare and id_field(bare) == id_field(lid):
        contact.number = f"{lid}{LID_SUFFIX}"
        contact.canonical_number = canonical_number(contact.number)
    # A new number without a user id removes the old one, because Meta creates another. A LID
    # belongs to the account and stays.
    changed = id_field(lid) if lid else "user_id"
    setattr(contact, changed, lid or None)
    contact.save(update_fields=["number", "canonical_number", changed, "updated_at"])
    tell_keys([(contact, [*former, *keys_of(contact)])])
    events.contact_updated(contact)
    if is_moved:
        number_change(contact)


@transaction.atomic
def join_identities(*, company_id: int, number: str, lid: str) -> None:
    """Merge the contacts of a number and of a LID or user id; does nothing if both are unknown."""
    if _locked_contacts(company_id, number, lid):
        upsert_contact(company_id=company_id, number=number, lid=lid)


def name_group(*, company_id: int, group: str, name: str) -> None:
    """Rename a group's contact to the group's name; does nothing if the group is unknown."""
    name = name.replace("\x00", "").strip()[:GROUP_NAME_LENGTH]
    rows = Contact.objects.for_company(company_id).filter(is_group=True)
    contact = rows.filter(canonical_number=canonical_number(group)).first()
    if contact is None or not name or contact.name == name:
        return
    contact.name = name
    contact.save(update_fields=["name", "updated_at"])
    events.contact_updated(contact)


def _locked_contacts(company_id: int, number: str, lid: str) -> list[Contact]:
    """Return the locked contacts of a number, then those of a LID or user id."""
    lid = lid_of(lid)
    keys = [canonical_number(number)] if number else []
    wanted = Q(canonical_number__in=[*keys, *([f"{LID_KEY}{lid}"] if lid else [])])
    if lid:
        wanted |= Q(**{id_field(lid): lid})
    rows = Contact.objects.for_company(company_id).filter(wanted, is_group=False)
    locked = rows.select_for_update(of=("self",), no_key=True).order_by("pk")
    return sorted(locked, key=lambda row: row.canonical_number not in keys)
