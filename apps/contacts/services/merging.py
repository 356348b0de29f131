"""Merging of two contacts by an admin, and undoing it within a day (rules/contacts §10)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from apps.accounts.models import User
from apps.audit.services import record
from apps.common.errors import DomainError, NotFound
from apps.connections.models import Connection
from apps.contacts import events
from apps.contacts.models import Contact, ContactField, ContactMerge
from apps.contacts.services.contacts import ContactNotFound, get_contact
from apps.contacts.services.moving import (
    LID_KEY,
    NO_NUMBER_PREFIX,
    KeyChange,
    Merged,
    hold_contacts,
    key_return,
    keys_of,
    move_all,
    move_all_back,
    tell_keys,
)
from apps.contacts.services.senders import known_id, merge_contacts

UNDO_TIME = timedelta(hours=24)
# Until the locks are held, the survivor may be merged into another contact, or a new contact may
# get the other's number.
UNDO_ATTEMPTS = 3
# These fields are filled from the other contact if empty; number, LID and user id have own rules.
FILLED = ("email", "username", "picture_path", "connection_id")
IDS = ("lid", "user_id")
KEPT = (*FILLED, "is_ignored", "name", "number", "canonical_number", *IDS)
# The names of the lines of extra info for the other's number and e-mail.
OTHER_NUMBER, OTHER_EMAIL = "Outro número", "Outro e-mail"
# The key of `notes` for changes of canonical numbers.
KEYS = "keys"


class MergedWithItself(DomainError):
    code = "ERR_MERGE_SAME_CONTACT"
    message = "Escolha outro contato: um contato não se mescla com ele mesmo."


class GroupNotMerged(DomainError):
    """A group has a fixed id and can't be merged."""

    code = "ERR_MERGE_GROUP"
    message = "Grupos não podem ser mesclados. Escolha duas pessoas."


class MergeNotFound(NotFound):
    """The company has no such merge, or it was purged."""

    code = "ERR_NO_MERGE_FOUND"
    message = "Esta mesclagem não existe mais e não pode ser desfeita."


class MergeAlreadyUndone(DomainError):
    status = 409
    code = "ERR_MERGE_ALREADY_UNDONE"
    message = "Esta mesclagem já foi desfeita."


class MergeTooOld(DomainError):
    status = 409
    code = "ERR_MERGE_TOO_OLD"
    message = "Uma mesclagem só pode ser desfeita em até 24 horas."


class MergeNotLast(DomainError):
    """The survivor was merged into another contact: that merge must be undone first."""

    status = 409
    code = "ERR_MERGE_NOT_LAST"
    message = "Este contato foi mesclado de novo depois. Desfaça antes a mesclagem mais recente."


@transaction.atomic
def merge_by_hand(
    *, contact_id: int, other_id: int, actor: User, ip_address: str | None = None
) -> ContactMerge:
    """Merge two contacts of the actor's company, audited; the first one stays.

    Raises MergedWithItself, ContactNotFound and GroupNotMerged.
    """
    if contact_id == other_id:
        raise MergedWithItself
    own = Contact.objects.for_company(actor.company_id)
    # Checked before locking, so that no row of another company is locked.
    if not all(own.filter(pk=pk).exists() for pk in (contact_id, other_id)):
        raise ContactNotFound
    held = hold_contacts(actor.company_id, [contact_id, other_id])
    keep, gone = held.get(contact_id), held.get(other_id)
    if keep is None or gone is None:
        raise ContactNotFound
    if keep.is_group or gone.is_group:
        raise GroupNotMerged
    fields = {name: getattr(gone, name) for name in KEPT}
    fields["created_at"] = gone.created_at.isoformat()
    merged = Merged(keep, gone, is_kept=True)
    move_all(merged)
    merged.notes["fields"] = _keep_others(keep, gone)
    gone.delete()
    former = [*keys_of(gone), *keys_of(keep)]
    filled = _fill(keep, gone)
    changes = tell_keys([(keep, former)], by_hand=True)
    merged.notes[KEYS] = [[change.old, change.notes] for change in changes if change.notes]
    events.contact_deleted(contact_id=other_id, company_id=keep.company_id)
    events.contact_updated(keep)
    merge = ContactMerge.objects.create(
        company_id=keep.company_id,
        contact=keep,
        user=actor.person,
        kept_id=contact_id,
        gone_id=other_id,
        gone=fields,
        filled=filled,
        rows={name: ids for name, ids in merged.rows.items() if ids},
        notes=merged.notes,
    )
    detail = {"merge": merge.pk, "name": keep.name, "number": keep.number}
    other = {"otherId": other_id, "otherName": fields["name"], "otherNumber": fields["number"]}
    record(
        action="contact.merged",
        actor=actor,
        company_id=keep.company_id,
        target=keep,
        detail={**detail, **other},
        ip_address=ip_address,
    )
    return merge


def _has_number(contact: Contact) -> bool:
    return not contact.canonical_number.startswith((LID_KEY, NO_NUMBER_PREFIX))


def _fill(keep: Contact, gone: Contact) -> dict[str, list[Any]]:
    """Fill in the survivor's empty fields; return [before, after] of each changed field."""
    told = {name: getattr(keep, name) or getattr(gone, name) for name in FILLED}
    told |= {name: known_id(keep, name) or known_id(gone, name) for name in IDS}
    if _has_number(gone) and not _has_number(keep):
        told |= {"number": gone.number, "canonical_number": gone.canonical_number}
    changed = {name: value for name, value in told.items() if value != getattr(keep, name)}
    filled = {name: [getattr(keep, name), value] for name, value in changed.items()}
    for name, value in changed.items():
        setattr(keep, name, value)
    keep.save(update_fields=[*changed, "updated_at"])
    return filled


def _keep_others(keep: Contact, gone: Contact) -> list[int]:
    """Store the other's number and e-mail as extra info; return the ids of the lines."""
    lines: list[tuple[str, str]] = []
    if _has_number(keep) and _has_number(gone):
        lines.append((OTHER_NUMBER, gone.number))
    if gone.email and keep.email and gone.email.lower() != keep.email.lower():
        lines.append((OTHER_EMAIL, gone.email))
    made = ContactField.objects.bulk_create(
        ContactField(contact=keep, name=name, value=value) for name, value in lines
    )
    return [field.pk for field in made]


def merges_of(*, company_id: int, contact_id: int) -> list[ContactMerge]:
    """Return the merges of a contact that can be undone, newest first, with their users."""
    get_contact(company_id=company_id, contact_id=contact_id)
    recent = ContactMerge.objects.for_company(company_id).filter(
        contact=contact_id, undone_at=None, created_at__gt=timezone.now() - UNDO_TIME
    )
    first = recent.exclude(kept_id__in=_merged_away(company_id))
    return list(first.select_related("user").defer("rows", "notes").order_by("-pk"))


def _merged_away(company_id: int) -> "QuerySet[ContactMerge, Any]":
    """Return the ids of contacts that were deleted by merges which can still be undone."""
    merges = ContactMerge.objects.for_company(company_id).filter(undone_at=None)
    return merges.order_by().values_list("gone_id", flat=True)


def undo_merge(
    *, merge_id: int, actor: User, ip_address: str | None = None
) -> tuple[Contact, Contact]:
    """Undo a merge, audited; return the survivor and the restored contact.

    The restored contact has its former id, fields and rows; everything newer stays with the
    survivor. Raises MergeNotFound, MergeAlreadyUndone, MergeTooOld and MergeNotLast.
    """
    for attempt in range(1, UNDO_ATTEMPTS + 1):
        try:
            return _undo(merge_id, actor, ip_address)
        except IntegrityError:
            # A new contact just got the other's number; the next attempt finds it.
            if attempt == UNDO_ATTEMPTS:
                raise
    raise AssertionError("unreachable")


@transaction.atomic
def _undo(merge_id: int, actor: User, ip_address: str | None) -> tuple[Contact, Contact]:
    merge, newcomers = _held_merge(merge_id, actor.company_id)
    keep = merge.contact
    came_by = [key for newcomer in newcomers for key in keys_of(newcomer)]
    _give_back(keep, merge.filled)
    gone = _restored(merge, keep, newcomers)
    merged = Merged(keep, gone, is_kept=True, rows=merge.rows, notes=merge.notes)
    own_lines = ContactField.objects.filter(contact=keep, pk__in=merge.notes.get("fields", []))
    own_lines.filter(name__in=[OTHER_NUMBER, OTHER_EMAIL]).delete()
    move_all_back(merged)
    for newcomer in newcomers:
        gone = merge_contacts(keep=gone, gone=newcomer)
    tell_keys([(gone, came_by)])
    key_return([KeyChange(keep, old, notes=notes) for old, notes in merge.notes.get(KEYS, [])])
    merge.undone_at = timezone.now()
    merge.gone, merge.filled, merge.rows, merge.notes = {}, {}, {}, {}
    merge.save()
    keep, gone = (
        get_contact(company_id=actor.company_id, contact_id=each.pk) for each in (keep, gone)
    )
    record(
        action="contact.unmerged",
        actor=actor,
        company_id=keep.company_id,
        target=keep,
        detail={"merge": merge.pk, "otherId": gone.pk, "otherName": gone.name},
        ip_address=ip_address,
    )
    events.contact_created(gone)
    events.contact_updated(keep)
    return keep, gone


def _held_merge(merge_id: int, company_id: int) -> tuple[ContactMerge, list[Contact]]:
    """Return a merge that can be undone, and the contacts that got the other's number since.

    All are locked: contacts before merges, the same order as in a merge.
    """
    merges = ContactMerge.objects.for_company(company_id).filter(pk=merge_id)
    for _ in range(UNDO_ATTEMPTS):
        gone = [f"gone__{name}" for name in ("canonical_number", *IDS)]
        seen = merges.values_list("contact_id", *gone).first()
        if seen is None:
            raise MergeNotFound
        contact_id, number, *values = seen
        own = {name: value for name, value in zip(IDS, values, strict=True) if value}
        keys = [f"{LID_KEY}{value}" for value in own.values()]
        known = Q(canonical_number__in=[*([number] if number else []), *keys])
        for name, value in own.items():
            known |= Q(**{name: value})
        others = Contact.objects.for_company(company_id).filter(known, is_group=False)
        ids = list(others.exclude(pk=contact_id).values_list("pk", flat=True)) if number else []
        held = hold_contacts(company_id, [contact_id, *ids])
        merge = merges.select_for_update(of=("self",)).first()
        if merge is None:
            raise MergeNotFound
        if merge.undone_at is not None:
            raise MergeAlreadyUndone
        if merge.created_at <= timezone.now() - UNDO_TIME:
            raise MergeTooOld
        if _merged_away(company_id).filter(gone_id=merge.kept_id).exists():
            raise MergeNotLast
        if merge.contact_id in held:
            merge.contact = held[merge.contact_id]
            return merge, [held[pk] for pk in ids if pk in held]
    raise MergeNotFound


def _give_back(keep: Contact, filled: dict[str, list[Any]]) -> None:
    """Reset the survivor's fields that the merge filled and that have not changed since."""
    back = {
        name: before for name, (before, after) in filled.items() if getattr(keep, name) == after
    }
    for name, value in back.items():
        setattr(keep, name, value)
    keep.save(update_fields=[*back, "updated_at"])


def _restored(merge: ContactMerge, keep: Contact, newcomers: Sequence[Contact]) -> Contact:
    """Recreate the deleted contact under its former id.

    Newer contacts with its number or ids (`newcomers`) give these up, because they will be merged
    into it. Their values are newer, so the restored contact takes them over.
    """
    values = dict(merge.gone)
    created_at = parse_datetime(values.pop("created_at"))
    for newcomer in newcomers:
        for name in IDS:
            values[name] = getattr(newcomer, name) or values[name]
            setattr(newcomer, name, None)
        if newcomer.canonical_number == values["canonical_number"]:
            values["number"] = newcomer.number
        newcomer.number = ""
        newcomer.canonical_number = f"{NO_NUMBER_PREFIX}{uuid4().hex}"
        newcomer.save(update_fields=[*IDS, "number", "canonical_number", "updated_at"])
    for name in IDS:
        if values[name] is not None and values[name] == getattr(keep, name):
            values[name] = None
    if values["canonical_number"] == keep.canonical_number:
        values["number"], values["canonical_number"] = "", f"{NO_NUMBER_PREFIX}{uuid4().hex}"
    connections = Connection.objects.for_company(merge.company_id)
    if not connections.filter(pk=values["connection_id"]).exists():
        values["connection_id"] = None
    gone = Contact(pk=merge.gone_id, company_id=merge.company_id, **values)
    gone.save(force_insert=True)
    Contact.objects.filter(pk=gone.pk).update(created_at=created_at)
    return gone


def forget_merges(*, now: datetime) -> int:
    """Delete the merges that can't be undone any more; return their number."""
    return ContactMerge.objects.filter(created_at__lte=now - UNDO_TIME).delete()[0]
