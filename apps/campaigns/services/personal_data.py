"""What campaigns have of a person who asks for it, or to be forgotten (rules/contacts §13)."""

from django.db.models import CharField, Value
from django.db.models.functions import Cast, Concat

from apps.campaigns.models import CampaignRecipient, ContactListItem, OptOut
from apps.campaigns.services.items import remove_item
from apps.campaigns.services.lists import locked_list
from apps.campaigns.services.opting_out import take_out
from apps.contacts.models import Contact
from apps.contacts.services import PersonalData

NOBODY = "—"


def add_campaigns(contact: Contact, data: PersonalData) -> None:
    """Add the lists and campaigns that name a contact's number, and when it opted out."""
    number = {"company": contact.company_id, "canonical_number": contact.canonical_number}
    items = ContactListItem.objects.filter(**number).order_by("pk")
    data.rows["contact_lists"] = items.values(
        "contact_list__name", "name", "number", "email", "created_at"
    )
    recipients = CampaignRecipient.objects.filter(**number).order_by("pk")
    data.rows["campaigns"] = recipients.values(
        *("campaign__name", "name", "number", "email", "state"),
        *("sent_at", "reached_at", "read_at", "answered_at"),
    )
    data.rows["opt_outs"] = OptOut.objects.filter(**number).values("source", "created_at")


def forget_in_campaigns(contact: Contact) -> None:
    """Take a number out of lists; campaigns keep their figures, and nobody's name.

    Who was still to be written to is not. That somebody opted out stays: else the next list would
    bring them back.
    """
    number = {"company": contact.company_id, "canonical_number": contact.canonical_number}
    for item in ContactListItem.objects.filter(**number).order_by("contact_list_id"):
        remove_item(
            locked_list(company_id=item.company_id, contact_list_id=item.contact_list_id), item
        )
    recipients = CampaignRecipient.objects.filter(**number)
    take_out(recipients)
    recipients.update(
        name=NOBODY,
        number="",
        email="",
        search_text="",
        canonical_number=Concat(Value("erased:"), Cast("pk", CharField())),
    )
