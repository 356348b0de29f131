"""What refers to a contact, and how it goes to another one (rules/contacts §3, §10)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Model

from apps.common.registry import Hook
from apps.contacts.models import Contact, ContactField, ContactMerge, TicketNote

# Before the LID or user id in the canonical number of who is known by nothing else, and before a
# text of chance in that of who is known by nothing at all.
LID_KEY = "lid:"
NO_NUMBER_PREFIX = "none:"

# A contact's own merges are among what moves: taken back from who has them then.
OWN: tuple[type[Model], ...] = (ContactField, TicketNote, ContactMerge)


@dataclass
class Merged:
    """Two contacts that become one: what refers to `gone` goes to `keep`.

    With `is_kept` it remembers in `rows` which went, by model and field, and in `notes` what else
    is needed to take it back; both are JSON. Without it a merge of many messages reads no ids.
    """

    keep: Contact
    gone: Contact
    is_kept: bool = False
    rows: dict[str, list[int]] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)

    def move(self, model: type[Model], name: str, **conditions: Any) -> None:
        """Give the survivor the rows whose field of this name is the other contact."""
        rows = model._default_manager.filter(**{name: self.gone}, **conditions)
        if self.is_kept:
            ids = list(rows.order_by("pk").values_list("pk", flat=True))
            self.rows[_key(model, name)] = ids
        rows.update(**{name: self.keep})

    def moved(self, model: type[Model], name: str) -> list[int]:
        return self.rows.get(_key(model, name), [])

    def move_back(self, model: type[Model], name: str, **conditions: Any) -> None:
        """Give the other contact what went, but for rows that have gone elsewhere since."""
        rows = model._default_manager.filter(**{name: self.keep}, **conditions)
        rows.filter(pk__among=self.moved(model, name)).update(**{name: self.gone})


def _key(model: type[Model], name: str) -> str:
    return f"{model._meta.label_lower}.{name}"


# Called with contacts that are about to be merged or parted, before they are locked: what is
# locked before contacts wherever messages are stored is to be locked now.
contact_hold: Hook[[Sequence[int]]] = Hook()

# Called before the other contact's deletion: what hangs on it must be moved, or it is lost.
contact_merge: Hook[[Merged]] = Hook()

# Called when the other contact is there again, for what `contact_merge` moved.
contact_split: Hook[[Merged]] = Hook()


@dataclass
class KeyChange:
    """Somebody known by one canonical number is known by another one from now on.

    `contact` has the new one. `is_second`: people say so, not WhatsApp, and whoever writes by the
    old one is a contact of that. Where it may be taken back, `notes` remembers what that needs; it
    is JSON.
    """

    contact: Contact
    old: str
    is_second: bool = False
    notes: dict[str, Any] = field(default_factory=dict)


# Called once the contacts are stored: what is kept by canonical number, and not by contact, is to
# be theirs by the new one, too.
key_change: Hook[[Sequence[KeyChange]]] = Hook()

# Called when two contacts are parted again, with what `key_change` was told and remembers.
key_return: Hook[[Sequence[KeyChange]]] = Hook()


def keys_of(contact: Contact) -> list[str]:
    """Return the canonical numbers by which somebody is known, or was before a number was."""
    return [contact.canonical_number, *(f"{LID_KEY}{each}" for each in contact.ids)]


def tell_keys(
    known: Iterable[tuple[Contact, Iterable[str]]], *, by_hand: bool = False
) -> list[KeyChange]:
    """Tell that stored contacts had other canonical numbers; returns what was told.

    Nothing is where each has the one that it had.
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
    """Move whatever refers to the contact that goes."""
    contact_merge(merged)
    for model in OWN:
        merged.move(model, "contact")


def move_all_back(merged: Merged) -> None:
    """Give the other contact, which is there again, what moved."""
    contact_split(merged)
    for model in OWN:
        merged.move_back(model, "contact")


def hold_contacts(company_id: int, ids: Sequence[int]) -> dict[int, Contact]:
    """Lock contacts until commit with all that may still come to them; returns those there are.

    The lock is the strongest: who stores a message for one of them was done before, or waits at
    its commit and finds the contact gone, and is tried again.
    """
    contact_hold(ids)
    rows = Contact.objects.for_company(company_id).filter(pk__in=ids).order_by("pk")
    return {row.pk: row for row in rows.select_for_update(of=("self",))}
