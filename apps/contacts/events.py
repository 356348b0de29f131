"""What browsers hear of contacts: `company-{id}-contact` (specification 4 §11)."""

from django.db.models import prefetch_related_objects

from apps.contacts.models import Contact
from apps.contacts.serializers import contact_row
from apps.realtime.emit import emit


def contact_created(contact: Contact) -> None:
    """Tell the company of a new contact."""
    _told(contact, "create")


def contact_updated(contact: Contact) -> None:
    """Tell the company of a changed contact."""
    _told(contact, "update")


def _told(contact: Contact, action: str) -> None:
    prefetch_related_objects([contact], "extra_info", "connection")
    emit(
        "contact",
        {"action": action, "contact": contact_row(contact)},
        company_id=contact.company_id,
    )


def contact_deleted(*, contact_id: int, company_id: int) -> None:
    """Tell the company that a contact is gone."""
    emit("contact", {"action": "delete", "contactId": contact_id}, company_id=company_id)
