"""Making, renaming and deleting contact lists (rules/contact-lists §1)."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.db import transaction

from apps.accounts.models import User
from apps.audit.services import record
from apps.billing.services import require_feature
from apps.campaigns import events
from apps.campaigns.models import Campaign, CampaignStatus, ContactList, ContactListImport
from apps.campaigns.queries.lists import contact_lists_of
from apps.common.errors import DomainError, NotFound
from apps.common.media import delete_media


class ContactListNotFound(NotFound):
    """The company has no such contact list."""

    code = "ERR_NO_CONTACT_LIST_FOUND"
    message = "Lista de contatos não encontrada."


class ContactListInUse(DomainError):
    """A planned campaign takes its recipients from the list."""

    status = 409
    code = "ERR_CONTACT_LIST_IN_USE"
    message = (
        "Uma campanha programada usa esta lista. Escolha outros destinatários nela ou retire o"
        " agendamento antes de excluí-la."
    )


def get_contact_list(*, company_id: int, contact_list_id: int) -> ContactList:
    """Return a company's list with its import; raises ContactListNotFound."""
    listed = contact_lists_of(company_id).filter(pk=contact_list_id).first()
    if listed is None:
        raise ContactListNotFound
    return listed


def locked_list(*, company_id: int, contact_list_id: int) -> ContactList:
    """Return a list, locked against additions until commit; raises ContactListNotFound."""
    rows = ContactList.objects.for_company(company_id).select_for_update(no_key=True)
    listed = rows.filter(pk=contact_list_id).first()
    if listed is None:
        raise ContactListNotFound
    return listed


@transaction.atomic
def create_contact_list(*, user: User, fields: Mapping[str, Any]) -> ContactList:
    """Create a list from its `name`; raises PlanFeatureMissing."""
    require_feature(company_id=user.company_id, feature="campaigns")
    made = ContactList.objects.create(company_id=user.company_id, name=fields["name"])
    events.contact_list_created(made)
    return made


@transaction.atomic
def update_contact_list(
    *, user: User, contact_list_id: int, fields: Mapping[str, Any]
) -> ContactList:
    """Rename a list; raises ContactListNotFound."""
    locked_list(company_id=user.company_id, contact_list_id=contact_list_id)
    listed = get_contact_list(company_id=user.company_id, contact_list_id=contact_list_id)
    listed.name = fields.get("name", listed.name)
    listed.save(update_fields=["name", "updated_at"])
    events.contact_list_updated(listed)
    return listed


@transaction.atomic
def delete_contact_list(*, user: User, contact_list_id: int, ip_address: str | None = None) -> None:
    """Delete a list with its people, audited; raises ContactListNotFound, ContactListInUse.

    An unfinished import is cancelled.
    """
    # Not `no_key`: this lock also conflicts with saving a campaign that refers to the list. So that
    # campaign waits for us, or is found here.
    rows = ContactList.objects.for_company(user.company_id).select_for_update()
    listed = rows.filter(pk=contact_list_id).first()
    if listed is None:
        raise ContactListNotFound
    if Campaign.objects.filter(contact_list=listed, status=CampaignStatus.SCHEDULED).exists():
        raise ContactListInUse
    forget_import(listed)
    record(
        action="contact_list.deleted",
        actor=user,
        company_id=user.company_id,
        target=listed,
        detail={"name": listed.name, "count": listed.contacts_count},
        ip_address=ip_address,
    )
    listed.delete()
    events.contact_list_deleted(company_id=user.company_id, contact_list_id=contact_list_id)


def forget_import(listed: ContactList) -> None:
    """Delete a locked list's import and its stored file."""
    found = ContactListImport.objects.filter(contact_list=listed).first()
    if found is not None:
        if found.media_path:
            transaction.on_commit(partial(delete_media, found.media_path), robust=True)
        found.delete()
