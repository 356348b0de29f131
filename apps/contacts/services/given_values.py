"""Values that contacts gave in answer to the bot's questions (rules/bot §10)."""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.common.search import fold
from apps.contacts import events
from apps.contacts.models import Contact, ContactField

# The limit of the contact form on lines of extra info.
MAX_FIELDS = 100
OWN_FIELDS = frozenset({"name", "email"})
# The extra field of a typed telephone.
PHONE_FIELD = "Telefone"


@dataclass(frozen=True)
class GivenValue:
    """A validated value; without a `field` it is the contact's name, e-mail or telephone, as `kind`
    says. A telephone that was typed is not known to be the contact's: it becomes an extra field.
    """

    contact: Contact
    kind: str
    field: str
    value: str

    def fill_own(self) -> bool:
        """Set the contact's name or e-mail in memory; return whether the value is one of these."""
        is_own = not self.field and self.kind in OWN_FIELDS
        if is_own:
            setattr(self.contact, self.kind, self.value)
        return is_own


def store_given_values(values: Sequence[GivenValue]) -> None:
    """Store values of many contacts, oldest first, and emit one event per contact.

    Call it in a transaction. An existing field is overwritten. A contact with MAX_FIELDS lines gets
    no further line; the conversation still contains the answer. Deleted contacts are skipped.
    """
    ids = {given.contact.pk for given in values}
    rows = Contact.objects.filter(pk__in=ids).select_related("connection").order_by("pk")
    # Read anew under a lock, so that concurrent changes are not overwritten.
    locked = {row.pk: row for row in rows.select_for_update(of=("self",), no_key=True)}
    for given in values:
        contact = locked.get(given.contact.pk)
        if contact is None:
            continue
        now = GivenValue(contact, given.kind, given.field, given.value)
        if not now.fill_own():
            _set_field(contact, given.field or PHONE_FIELD, given.value)
    for contact in locked.values():
        contact.save(update_fields=["name", "email", "updated_at"])
        events.contact_updated(contact)


def _set_field(contact: Contact, name: str, value: str) -> None:
    fields = list(contact.extra_info.all())
    same = next((each for each in fields if fold(each.name) == fold(name)), None)
    if same is not None:
        same.value = value
        same.save(update_fields=["value"])
    elif name and len(fields) < MAX_FIELDS:
        ContactField.objects.create(contact=contact, name=name, value=value)
