"""What providers reported of a person who is to be forgotten (rules/contacts §13)."""

from apps.common.leases import LeaseState
from apps.contacts.models import Contact
from apps.contacts.numbers import former_number
from apps.inbound.models import InboundEvent

SESSION_SUFFIX = "@s.whatsapp.net"


def forget_reports_of(contact: Contact) -> None:
    """Empty the events of a contact's conversations; the rows stay, so that no replay counts."""
    numbers = {contact.number, contact.canonical_number, former_number(contact.canonical_number)}
    numbers.discard("")
    names = {*numbers, *(f"{number}{SESSION_SUFFIX}" for number in numbers)}
    if contact.lid:
        names.add(contact.lid)
    done = InboundEvent.objects.filter(
        connection__company=contact.company_id, partition__in=names, state=LeaseState.DONE
    )
    done.update(payload={}, last_error="")
