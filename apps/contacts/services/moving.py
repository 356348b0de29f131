"""Moving the rows that refer to a contact to another contact (rules/contacts §3, §10)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Model

from apps.common.registry import Hook
from apps.contacts.models import Contact, ContactField, ContactMerge, TicketNote

# Prefixes of canonical numbers without a number: LID_KEY before a LID or user id, NO_NUMBER_PREFIX
# before a random text for contacts without any id.
LID_KEY = "lid:"
NO_NUMBER_PREFIX = "none:"

# Merges move too, so that they can be undone at the contact that then has them.
OWN: tuple[type[Model], ...] = (ContactField, TicketNote, ContactMerge)


@dataclass
class Merged:
    """Two contacts of a merge: rows that refer to `gone` move to `keep`.

    With `is_kept` the ids of moved rows are recorded in `rows`, by model and field, and further
    data for undoing in `notes`; both are JSON. Merges that can't be undone save the queries for the
    ids.
    """

    keep: Contact
    gone: Contact
    is_kept: bool = False
    rows: dict[str, list[int]] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)

    def move(self, model: type[Model], name: str, **conditions: Any) -> None:
        """Move the rows whose field of this name refers to `gone` to `keep`."""
        rows = model._default_manager.filter(**{name: self.gone}, **conditions)
        if self.is_kept:
            ids = list(rows.order_by("pk").values_list("pk", flat=True))
            self.rows.setdefault(_key(model, name), []).extend(ids)
        rows.update(**{name: self.keep})

    def moved(self, model: type[Model], name: str) -> list[int]:
        return self.rows.get(_key(model, name), [])

    def move_back(self, model: type[Model], name: str, **conditions: Any) -> None:
        """Move recorded rows back to `gone`, except rows that no longer refer to `keep`."""
        rows = model._default_manager.filter(**{name: self.keep}, **conditions)
        rows.filter(pk__among=self.moved(model, name)).update(**{name: self.gone})


def _key(model: type[Model], name: str) -> str:
    return f"{model._meta.label_lower}.{name}"


# Called before contacts are locked. Storing a message locks tickets before contacts, so handlers
# lock the tickets here, in the same order.
contact_hold: Hook[[Sequence[int]]] = Hook()

# Called before the other contact is deleted: handlers move the rows that refer to it, which would
# otherwise be deleted too.
contact_merge: Hook[[Merged]] = Hook()

# Called when the other contact was restored: handlers move back what `contact_merge` moved.
contact_split: Hook[[Merged]] = Hook()


@dataclass
class KeyChange:
    """A contact's canonical number has changed from `old` to that of `contact`.

    `is_second`: a user changed it, not WhatsApp, so a message from the old number creates another
    contact. `notes` are data for undoing the change, as JSON.
    """

    contact: Contact
    old: str
    is_second: bool = False
    notes: dict[str, Any] = field(default_factory=dict)


# Called after the contacts were stored. Handlers update rows that are kept by canonical number
# instead of by contact.
key_change: Hook[[Sequence[KeyChange]]] = Hook()

# Called when a merge is undone, with the changes and notes of `key_change`.
key_return: Hook[[Sequence[KeyChange]]] = Hook()


def keys_of(contact: Contact) -> list[str]:
    """Return the contact's canonical number and the canonical forms of its ids."""
    return [contact.canonical_number, *(f"{LID_KEY}{each}" for each in contact.ids)]


def tell_keys(
    known: Iterable[tuple[Contact, Iterable[str]]], *, by_hand: bool = False
) -> list[KeyChange]:
    """Report the former canonical numbers of stored contacts; return the changes.

    Nothing is reported for contacts whose canonical number has not changed.
    """
    changes = [
        KeyChange(contact, old, is_second=by_hand and old not in keys_of(contact))
        for contact, keys in known
        for old in dict.fromkeys(keys)
        if old != contact.canonical_number and not old.startswith(NO_NUMBER_PREFIX)
    ]
    if changes:
        key_change(changes)
    return changes


def move_all(merged: Merged) -> None:
    """Move all rows that refer to the contact that will be deleted."""
    contact_merge(merged)
    for model in OWN:
        merged.move(model, "contact")


def move_all_back(merged: Merged) -> None:
    """Move the rows back to the restored contact."""
    contact_split(merged)
    for model in OWN:
        merged.move_back(model, "contact")


def hold_contacts(company_id: int, ids: Sequence[int]) -> dict[int, Contact]:
    """Lock contacts until the commit; return those that exist.

    The lock also blocks new rows that refer to the contacts: a transaction that stores a message
    for one of them either was committed before or waits, finds the contact deleted and is retried.
    """
    contact_hold(ids)
    rows = Contact.objects.for_company(company_id).filter(pk__in=ids).order_by("pk")
    return {row.pk: row for row in rows.select_for_update(of=("self",))}
