"""Preview of a campaign's texts for one person (rules/campaigns §5 and §10)."""

from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from apps.campaigns.models import Campaign, CampaignRecipient, ContactListItem
from apps.campaigns.queries.campaign_settings import campaign_settings_of, variables_of
from apps.campaigns.queries.segments import contacts_for
from apps.campaigns.services.completeness import CampaignWithoutRecipients
from apps.campaigns.services.texts import fill, fill_all, values_for, written
from apps.companies.queries import zone_of
from apps.contacts.models import Contact
from apps.contacts.services import ContactNotFound
from apps.tickets.models import Ticket
from apps.tickets.services.outbox.variables import variables_for


@dataclass(frozen=True)
class Preview:
    """The texts that are not blank, by number, and a template's parameters, filled in."""

    name: str
    messages: dict[int, str]
    confirmations: dict[int, str]
    template_components: Any


def preview_of(campaign: Campaign, *, contact_id: int | None = None) -> Preview:
    """Return a campaign's texts as a contact, or else its first recipient, would get them.

    Raises ContactNotFound, CampaignWithoutRecipients.
    """
    if contact_id is None:
        person = _first_of(campaign)
    else:
        contact = Contact.objects.for_company(campaign.company_id).filter(pk=contact_id).first()
        if contact is None:
            raise ContactNotFound(fields={"contactId": [ContactNotFound.message]})
        person = recipient_for(contact)
    return _filled(campaign, person)


def recipient_for(contact: Contact) -> CampaignRecipient:
    """Return an unsaved recipient with a contact's data."""
    return CampaignRecipient(
        name=contact.name,
        number=contact.number,
        canonical_number=contact.canonical_number,
        email=contact.email,
    )


def _first_of(campaign: Campaign) -> CampaignRecipient:
    recipient = CampaignRecipient.objects.filter(campaign=campaign).order_by("id").first()
    if recipient is not None:
        return recipient
    items = ContactListItem.objects.filter(contact_list=campaign.contact_list_id)
    item = items.order_by("id").first() if campaign.contact_list_id else None
    if item is not None:
        return CampaignRecipient(
            name=item.name,
            number=item.number,
            canonical_number=item.canonical_number,
            email=item.email,
        )
    for contacts in contacts_for(campaign):
        contact = contacts.order_by("id").first()
        if contact is not None:
            return recipient_for(contact)
    raise CampaignWithoutRecipients


def _filled(campaign: Campaign, person: CampaignRecipient) -> Preview:
    values = values_for(person, variables_of(campaign_settings_of(campaign.company_id)))
    ticket = (
        Ticket.objects.for_company(campaign.company_id)
        .filter(contact__canonical_number=person.canonical_number, connection=campaign.connection)
        .select_related("contact")
        .order_by("-id")
        .first()
    )
    common = variables_for(
        name=ticket.contact.name if ticket else person.name,
        protocol=ticket.protocol if ticket else "",
        now=timezone.now().astimezone(zone_of(campaign.company_id)),
    )

    def filled(texts: list[str]) -> dict[int, str]:
        return {
            number: fill(texts[number - 1], values, common).strip() for number in written(texts)
        }

    asking = campaign.confirmation_texts if campaign.asks_confirmation else []
    return Preview(
        name=person.name,
        messages=filled(campaign.texts),
        confirmations=filled(asking),
        template_components=fill_all(campaign.template_components, values),
    )
