"""Scheduled messages of a person who asks for their data (rules/contacts §13)."""

from apps.contacts.models import Contact
from apps.contacts.services import PersonalData
from apps.schedules.models import Schedule


def add_schedules(contact: Contact, data: PersonalData) -> None:
    """Add the messages scheduled for a contact; they are deleted with the contact."""
    planned = Schedule.objects.for_company(contact.company_id).filter(contact=contact)
    columns = ("body", "send_at", "sent_at", "status", "created_at")
    data.rows["schedules"] = planned.order_by("pk").values(*columns)
