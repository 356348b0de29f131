"""What browsers hear of contacts: `company-{id}-contact` (specification 4 §11)."""

from collections.abc import Sequence

from django.db.models import prefetch_related_objects

from apps.contacts.models import Contact
from apps.contacts.serializers import contact_row
from apps.realtime.emit import emit


def contact_created(contact: Contact) -> None:
    """Tell the company of a new contact."""
    contacts_created([contact])


def contacts_created(contacts: Sequence[Contact]) -> None:
    """Tell their companies of new contacts."""
    _told(contacts, "create")


def contact_updated(contact: Contact) -> None:
    """Tell the company of a changed contact."""
    _told([contact], "update")


def _told(contacts: Sequence[Contact], action: str) -> None:
    prefetch_related_objects(contacts, "extra_info", "connection")
    for contact in contacts:
        emit(
            "contact",
            {"action": action, "contact": contact_row(contact)},
            company_id=contact.company_id,
        )


def contact_deleted(*, contact_id: int, company_id: int) -> None:
    """Tell the company that a contact is gone."""
    emit("contact", {"action": "delete", "contactId": contact_id}, company_id=company_id)
