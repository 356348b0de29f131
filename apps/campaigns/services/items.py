"""The people of a contact list, entered one by one (rules/contact-lists §1)."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.services import record
from apps.billing.services import require_feature
from apps.campaigns import events
from apps.campaigns.models import ContactList, ContactListCheck, ContactListItem
from apps.campaigns.services.lists import get_contact_list, locked_list
from apps.common.errors import DomainError, NotFound
from apps.common.leases import LeaseState
from apps.common.wakeups import wake
from apps.contacts.numbers import canonical_number
from apps.contacts.services import kept_number, without_masked


class ListItemNotFound(NotFound):
    """No list of the company has such a person."""

    code = "ERR_NO_LIST_CONTACT_FOUND"
    message = "Contato da lista não encontrado."


class ListItemDuplicated(DomainError):
    """The list already has this number."""

    code = "ERR_DUPLICATED_LIST_CONTACT"
    message = "Este número já está na lista."

    def __init__(self) -> None:
        super().__init__(fields={"number": [self.message]})


def get_list_item(*, company_id: int, item_id: int) -> ContactListItem:
    """Return a person of a company's list; raises ListItemNotFound."""
    item = ContactListItem.objects.for_company(company_id).filter(pk=item_id).first()
    if item is None:
        raise ListItemNotFound
    return item


@transaction.atomic
def create_list_item(*, user: User, fields: Mapping[str, Any]) -> ContactListItem:
    """Add a person to a list (`contact_list_id`, `name`, `number`, optionally `email`).

    A number without country code gets the company's with `complete_numbers`, which is a person's
    default and not a program's; else it is refused. Raises PlanFeatureMissing,
    ContactListNotFound, and for the number InvalidInput, NumberWithoutCountry, ListItemDuplicated.
    """
    require_feature(company_id=user.company_id, feature="campaigns")
    listed = locked_list(company_id=user.company_id, contact_list_id=fields["contact_list_id"])
    item = ContactListItem(company_id=user.company_id, contact_list=listed)
    _fill(item, fields, completes=user.person is not None)
    item.save()
    _count(listed, 1)
    ask_for_numbers(listed)
    events.list_item_created(item)
    return item


@transaction.atomic
def update_list_item(*, user: User, item_id: int, fields: Mapping[str, Any]) -> ContactListItem:
    """Change the given fields; a new number is checked again.

    Raises ListItemNotFound, InvalidInput, NumberWithoutCountry, ListItemDuplicated.
    """
    found = get_list_item(company_id=user.company_id, item_id=item_id)
    listed = locked_list(company_id=user.company_id, contact_list_id=found.contact_list_id)
    item = get_list_item(company_id=user.company_id, item_id=item_id)
    _fill(item, fields, completes=user.person is not None)
    item.save()
    if item.is_whatsapp_valid is None:
        ask_for_numbers(listed)
    events.list_item_updated(item)
    return item


@transaction.atomic
def delete_list_item(*, user: User, item_id: int, ip_address: str | None = None) -> None:
    """Delete a person from a list, audited; raises ListItemNotFound."""
    found = get_list_item(company_id=user.company_id, item_id=item_id)
    listed = locked_list(company_id=user.company_id, contact_list_id=found.contact_list_id)
    item = get_list_item(company_id=user.company_id, item_id=item_id)
    record(
        action="contact_list_item.deleted",
        actor=user,
        company_id=user.company_id,
        target=item,
        detail={"name": item.name, "number": item.number, "list": listed.name},
        ip_address=ip_address,
    )
    remove_item(listed, item)


def remove_item(listed: ContactList, item: ContactListItem) -> None:
    """Delete a person from a locked list and emit the deletion; the caller audits it."""
    item_id = item.pk
    item.delete()
    _count(listed, -1)
    events.list_item_deleted(company_id=listed.company_id, item_id=item_id)


def ask_for_numbers(listed: ContactList) -> None:
    """Request the check of the unchecked numbers of a locked list."""
    check, is_new = ContactListCheck.objects.get_or_create(
        contact_list=listed, defaults={"company_id": listed.company_id}
    )
    if not is_new:
        # A check that is waiting for a session keeps its back-off.
        ended = ContactListCheck.objects.filter(
            pk=check.pk, state__in=[LeaseState.DONE, LeaseState.FAILED]
        )
        ended.start_over(timezone.now())
    wake("campaigns.check_numbers")


def _count(listed: ContactList, change: int) -> None:
    listed.contacts_count += change
    listed.save(update_fields=["contacts_count", "updated_at"])
    told = get_contact_list(company_id=listed.company_id, contact_list_id=listed.pk)
    events.contact_list_updated(told)


def _fill(item: ContactListItem, fields: Mapping[str, Any], *, completes: bool) -> None:
    fields = without_masked(fields, name=item.name, number=item.number)
    item.name = fields.get("name", item.name)
    if "email" in fields:
        item.email = fields["email"] or ""
    if "number" in fields and fields["number"] != item.number:
        item.number = kept_number(
            company_id=item.company_id,
            number=fields["number"],
            completes=fields.get("complete_numbers", completes),
        )
        canonical = canonical_number(item.number)
        same = ContactListItem.objects.filter(
            contact_list=item.contact_list_id, canonical_number=canonical
        )
        if same.exclude(pk=item.pk).exists():
            raise ListItemDuplicated
        if canonical != item.canonical_number:
            item.is_whatsapp_valid, item.checked_at = None, None
        item.canonical_number = canonical
