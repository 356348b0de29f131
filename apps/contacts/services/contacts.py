"""Creation, changes and deletion of contacts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import prefetch_related_objects

from apps.accounts.models import User
from apps.audit.services import record
from apps.common.errors import DomainError, InvalidInput, NotFound
from apps.common.registry import Hook
from apps.common.serializers import row_of
from apps.connections.providers.content import KnownNumber
from apps.contacts import events
from apps.contacts.models import Contact, ContactField, folded
from apps.contacts.numbers import LID_SUFFIX, canonical_number, digits, typed_number
from apps.contacts.serializers.contacts import ContactSerializer
from apps.contacts.services.moving import contact_hold, keys_of, tell_keys
from apps.contacts.services.number_checks import require_on_whatsapp
from apps.contacts.services.pictures import forget_picture
from apps.contacts.services.senders import new_contacts, upsert_contact
from apps.contacts.services.typed_numbers import (
    is_well_formed,
    kept_number,
    plain_number,
    without_masked,
)

# Called in the transaction that deletes a contact, before the deletion.
contact_removal: Hook[[Contact]] = Hook()
# Called with the reader and the rows of a list of contacts, to add data to the rows.
contact_listing: Hook[[User, Sequence[dict[str, Any]]]] = Hook()


class ContactNotFound(NotFound):
    """The company has no such contact."""

    code = "ERR_NO_CONTACT_FOUND"
    message = "Contato não encontrado."


class ContactDuplicated(DomainError):
    """Another contact of the company has this number; the response contains it as `contact`."""

    code = "ERR_DUPLICATED_CONTACT"
    message = "Já existe um contato com este número."


@dataclass(frozen=True)
class Ignored:
    """Whether a contact's messages are ignored, and who says so."""

    value: bool
    actor: User | None
    ip_address: str | None


def get_contact(*, company_id: int, contact_id: int, lock: bool = False) -> Contact:
    """Return the company's contact with its connection and extra info; raises ContactNotFound.

    `lock` locks its row until the commit.
    """
    contacts = Contact.objects.for_company(company_id).select_related("connection")
    if lock:
        contacts = contacts.select_for_update(of=("self",), no_key=True)
    contact = contacts.prefetch_related("extra_info").filter(pk=contact_id).first()
    if contact is None:
        raise ContactNotFound
    return contact


def create_contact(
    *,
    company_id: int,
    name: str,
    number: str = "",
    email: str | None = "",
    extra_info: Sequence[dict[str, Any]] = (),
    is_ignored: bool = False,
    complete_numbers: bool = True,
    actor: User | None = None,
    ip_address: str | None = None,
) -> Contact:
    """Create a contact; raises InvalidInput, ContactDuplicated or NumberNotOnWhatsApp.

    `is_ignored`: its messages are not stored; that is audited.

    A number without country code gets the company's; without `complete_numbers` it raises
    NumberWithoutCountry. It asks WhatsApp for the number if a session is connected: never call it
    inside a transaction.
    """
    if number:
        number = kept_number(company_id=company_id, number=number, completes=complete_numbers)
    known = _check_number(company_id, number)
    contact = _create_contact(
        company_id=company_id,
        name=name,
        number=number,
        email=email,
        extra_info=extra_info,
        ignored=Ignored(is_ignored, actor, ip_address),
    )
    return learn_names(contact, known)


def _check_number(company_id: int, number: str) -> KnownNumber | None:
    """Ask WhatsApp about a number that no contact has; `_set_number` refuses invalid ones later."""
    plain = digits(typed_number(number))
    if not is_well_formed(plain):
        return None
    known = Contact.objects.for_company(company_id).filter(canonical_number=canonical_number(plain))
    if known.exists():
        return None
    return require_on_whatsapp(company_id=company_id, number=plain, field="number")


def learn_names(contact: Contact, known: KnownNumber | None) -> Contact:
    """Store the number and LID by which WhatsApp knows the contact (rules/contacts §1)."""
    if known is None or canonical_number(known.number) != contact.canonical_number:
        return contact
    return upsert_contact(company_id=contact.company_id, number=known.number, lid=known.lid)


@transaction.atomic
def _create_contact(
    *,
    company_id: int,
    name: str,
    number: str,
    email: str | None,
    extra_info: Sequence[dict[str, Any]],
    ignored: Ignored,
) -> Contact:
    contact = Contact(company_id=company_id, name=name.strip(), email=email or "")
    _set_number(contact, number)
    contact.is_ignored = ignored.value
    _save_unique(contact)
    if ignored.value:
        _record_ignored(contact, ignored)
    ContactField.objects.bulk_create(
        ContactField(contact=contact, name=field["name"], value=field["value"])
        for field in extra_info
    )
    events.contact_created(contact)
    new_contacts([contact])
    return contact


def update_contact(
    *,
    contact: Contact,
    changes: dict[str, Any],
    complete_numbers: bool = True,
    actor: User | None = None,
    ip_address: str | None = None,
) -> Contact:
    """Change the given fields (`name`, `number`, `email`, `extra_info`, `is_ignored`).

    Other fields stay. A change of `is_ignored` is audited as the actor's. A new number is completed
    as in `create_contact`. Raises ContactNotFound, and for the number InvalidInput,
    NumberWithoutCountry, ContactDuplicated or NumberNotOnWhatsApp. Never call it inside a
    transaction, as `create_contact`.
    """
    known = None
    changes = without_masked(changes, name=contact.name, number=contact.number)
    if changes.get("number", contact.number) != contact.number:
        if changes["number"]:
            number = kept_number(
                company_id=contact.company_id,
                number=changes["number"],
                completes=complete_numbers,
            )
            changes = {**changes, "number": number}
        known = _check_number(contact.company_id, changes["number"])
    ignored = Ignored(changes.get("is_ignored", contact.is_ignored), actor, ip_address)
    changed = _update_contact(contact=contact, changes=changes, ignored=ignored)
    return learn_names(changed, known)


@transaction.atomic
def _update_contact(*, contact: Contact, changes: dict[str, Any], ignored: Ignored) -> Contact:
    if changes.get("number", contact.number) != contact.number:
        contact_hold([contact.pk])
    # Saving the caller's copy could restore a deleted contact, or overwrite what a message changed
    # meanwhile.
    contact = get_contact(company_id=contact.company_id, contact_id=contact.pk, lock=True)
    former = keys_of(contact)
    contact.name = changes.get("name", contact.name).strip()
    if "email" in changes:
        contact.email = changes["email"] or ""
    # Dialogs resend unchanged values, also numbers that can't be typed (groups).
    if "number" in changes and changes["number"] != contact.number:
        _set_number(contact, changes["number"])
    is_switched = "is_ignored" in changes and contact.is_ignored != ignored.value
    contact.is_ignored = ignored.value if is_switched else contact.is_ignored
    _save_unique(contact)
    if is_switched:
        _record_ignored(contact, ignored)
    # Conversations stay with the contact, and so do its answers to campaigns.
    tell_keys([(contact, former)], by_hand=True)
    if "extra_info" in changes:
        _replace_extra_info(contact, changes["extra_info"])
    events.contact_updated(contact)
    return contact


def _record_ignored(contact: Contact, ignored: Ignored) -> None:
    record(
        action="contact.ignored" if ignored.value else "contact.heard",
        actor=ignored.actor,
        company_id=contact.company_id,
        target=contact,
        detail={"name": contact.name, "number": contact.number},
        ip_address=ignored.ip_address,
    )


def _set_number(contact: Contact, number: str) -> None:
    if not number and not contact.ids:
        sentence = "Informe o número."
        raise InvalidInput(sentence, fields={"number": [sentence]}, rule="required")
    if not number:
        # Messages are then sent to the user id, else to the LID.
        contact.number = f"{contact.ids[0]}{LID_SUFFIX}"
        contact.canonical_number = canonical_number(contact.number)
        return
    contact.number = plain = plain_number(number)
    contact.canonical_number = canonical_number(plain)


def _save_unique(contact: Contact) -> None:
    try:
        with transaction.atomic():
            contact.save()
    except IntegrityError:
        same = (
            Contact.objects.for_company(contact.company_id)
            .filter(canonical_number=contact.canonical_number)
            .exclude(pk=contact.pk)
            .select_related("connection")
            .first()
        )
        if same is None:
            raise
        sentence = ContactDuplicated.message
        raise ContactDuplicated(
            fields={"number": [sentence]}, extra={"contact": row_of(ContactSerializer, same)}
        ) from None


def _replace_extra_info(contact: Contact, fields: Sequence[dict[str, Any]]) -> None:
    kept = {field.pk: field for field in contact.extra_info.all()}
    for field in fields:
        stored = kept.pop(field.get("id") or 0, None)
        if stored is None:
            ContactField.objects.create(contact=contact, name=field["name"], value=field["value"])
        elif (stored.name, stored.value) != (field["name"], field["value"]):
            stored.name, stored.value = field["name"], field["value"]
            stored.save()
    contact.extra_info.filter(pk__in=list(kept)).delete()
    _forget_fetched(contact)


def set_field(*, contact: Contact, name: str, value: str) -> bool:
    """Give a contact a line of extra info, or the line of that name another value, and tell of it.

    '' takes the line away. Names are compared without case and accents. Returns whether anything
    has changed. Call it in a transaction.
    """
    lines = ContactField.objects.filter(contact=contact, folded_name=folded(name))
    line = lines.order_by("pk").first()
    if (line.value if line else "") == value:
        return False
    if line is None:
        ContactField.objects.create(contact=contact, name=name, value=value)
    elif value:
        line.value = value
        line.save(update_fields=["value"])
    else:
        lines.delete()
    _forget_fetched(contact)
    events.contact_updated(contact)
    return True


def _forget_fetched(contact: Contact) -> None:
    getattr(contact, "_prefetched_objects_cache", {}).pop("extra_info", None)
    prefetch_related_objects([contact], "extra_info")


@transaction.atomic
def delete_contact(*, contact: Contact, actor: User, ip_address: str | None = None) -> None:
    """Delete a contact with its tickets and messages, audited."""
    record(
        action="contact.deleted",
        actor=actor,
        company_id=contact.company_id,
        target=contact,
        detail={"name": contact.name, "number": contact.number},
        ip_address=ip_address,
    )
    remove_contact(contact)


def remove_contact(contact: Contact) -> None:
    """Delete a contact with its tickets and messages, and emit the event; the caller audits it."""
    contact_removal(contact)
    forget_picture(contact.company_id, contact.picture_path)
    contact_id, company_id = contact.pk, contact.company_id
    contact.delete()
    events.contact_deleted(contact_id=contact_id, company_id=company_id)


def delete_contacts(
    *, company_id: int, ids: Sequence[int], actor: User, ip_address: str | None = None
) -> dict[str, Any]:
    """Delete several contacts, each in its own transaction.

    Returns `{deleted: [ids], refused: [{id, reason}]}` (rules/contacts §4).
    """
    deleted: list[int] = []
    refused: list[dict[str, Any]] = []
    for contact_id in dict.fromkeys(ids):
        contact = Contact.objects.for_company(company_id).filter(pk=contact_id).first()
        if contact is None:
            refused.append({"id": contact_id, "reason": ContactNotFound.message})
            continue
        try:
            delete_contact(contact=contact, actor=actor, ip_address=ip_address)
        except DomainError as refusal:
            refused.append({"id": contact_id, "reason": refusal.sentence})
        else:
            deleted.append(contact_id)
    return {"deleted": deleted, "refused": refused}
