"""What providers reported of a person who is to be forgotten (rules/contacts §13)."""

from collections.abc import Iterable

from django.db.models import Q
from django.utils.crypto import salted_hmac

from apps.common.leases import LeaseState
from apps.connections.providers.cleaning import fitting
from apps.contacts.models import Contact
from apps.contacts.numbers import LID_SUFFIX
from apps.contacts.services import traces_of
from apps.inbound.models import PARTITION_LENGTH, InboundEvent

SESSION_SUFFIX = "@s.whatsapp.net"
# The events of a forgotten conversation, none of which is to be handled any more.
NOBODY = "erased"
BATCH = 500


def forgotten_id(event_id: str) -> str:
    """Return the id under which an event is kept when its own id names a forgotten person."""
    digest = salted_hmac("inbound.forgotten", event_id, algorithm="sha256").hexdigest()
    return f"{NOBODY}:{digest}"


def forgotten_among(connection_id: int, event_ids: Iterable[str]) -> set[str]:
    """Return those of the ids whose events are stored, of a person who was forgotten since."""
    kept = {forgotten_id(each): each for each in event_ids}
    rows = InboundEvent.objects.filter(connection=connection_id, event_id__in=kept)
    return {kept[each] for each in rows.values_list("event_id", flat=True)}


def forget_reports_of(contact: Contact) -> None:
    """Empty the handled events that name a contact, in its own conversations and in groups.

    The rows stay, so that no replay counts. Events that are still to be handled stay as they are:
    the person wrote them after the request, or is about to.
    """
    traces = traces_of(contact)
    # An id is bare at Meta's, and has its suffix in a QR session.
    names = {*traces.keys, *(f"{key}{SESSION_SUFFIX}" for key in traces.keys)}
    names |= {f"{each}{LID_SUFFIX}" for each in traces.ids}
    own = {fitting(name, PARTITION_LENGTH) for name in names}
    handled = InboundEvent.objects.filter(
        connection__company=contact.company_id, state__in=(LeaseState.DONE, LeaseState.FAILED)
    )
    named = traces.named_in(handled, "payload", "event_id", "last_error")
    found = handled.filter(Q(partition__in=own) | Q(pk__in=named.values("pk")))
    rows = list(found.only("pk", "event_id", "partition"))
    for row in rows:
        row.payload, row.last_error, row.state = {}, "", LeaseState.DONE
        if row.partition in own:
            row.partition = NOBODY
        if any(key in row.event_id for key in traces.keys):
            row.event_id = forgotten_id(row.event_id)
    fields = ("payload", "last_error", "state", "partition", "event_id")
    InboundEvent.objects.bulk_update(rows, fields, batch_size=BATCH)
