"""What providers reported of a person who is to be forgotten (rules/contacts §13)."""

from apps.common.leases import LeaseState
from apps.connections.providers.cleaning import fitting
from apps.contacts.models import Contact
from apps.contacts.numbers import LID_SUFFIX, former_number
from apps.inbound.models import PARTITION_LENGTH, InboundEvent

SESSION_SUFFIX = "@s.whatsapp.net"


def forget_reports_of(contact: Contact) -> None:
    """Empty the events of a contact's conversations; the rows stay, so that no replay counts."""
    numbers = {contact.number, contact.canonical_number, former_number(contact.canonical_number)}
    numbers.discard("")
    names = {*numbers, *(f"{number}{SESSION_SUFFIX}" for number in numbers)}
    # An id is bare at Meta's, and has its suffix in a QR session.
    names |= {f"{each}{suffix}" for each in contact.ids for suffix in ("", LID_SUFFIX)}
    kept = {fitting(name, PARTITION_LENGTH) for name in names}
    done = InboundEvent.objects.filter(
        connection__company=contact.company_id, partition__in=kept, state=LeaseState.DONE
    )
    done.update(payload={}, last_error="")
