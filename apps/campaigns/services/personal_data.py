"""Campaign data of a person who asks for a copy or for erasure (rules/contacts §13)."""

from django.db.models import CharField, Value
from django.db.models.functions import Cast, Concat

from apps.campaigns.models import CampaignRecipient, ContactListItem, ImportFault, OptOut
from apps.campaigns.services.items import remove_item
from apps.campaigns.services.lists import locked_list
from apps.campaigns.services.opting_out import take_out
from apps.contacts.models import Contact
from apps.contacts.services import PersonalData, traces_of

NOBODY = "—"


def add_campaigns(contact: Contact, data: PersonalData) -> None:
    """Add the list items, campaign recipients and opt-outs of a contact's number."""
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
    """Delete a number from lists and anonymise its recipients; campaigns keep their figures.

    Recipients who have not ended are skipped. Opt-outs stay: otherwise the next list with the
    number would be written to.
    """
    traces = traces_of(contact)
    number = {"company": contact.company_id, "canonical_number__in": traces.numbers}
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
    faults = ImportFault.objects.filter(list_import__company=contact.company_id)
    rejected = faults.values_list("pk", "name", "number", "email").iterator(chunk_size=1000)
    gone = [pk for pk, *cells in rejected if any(map(traces.is_cell, cells))]
    ImportFault.objects.filter(pk__in=gone).delete()
