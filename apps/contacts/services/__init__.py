"""What is done with contacts, tags and notes."""

from apps.contacts.services.contacts import (
    ContactNotFound,
    contact_removal,
    create_contact,
    delete_contact,
    delete_contacts,
    get_contact,
    plain_number,
    update_contact,
)
from apps.contacts.services.export import export_contacts
from apps.contacts.services.notes import create_note, delete_note
from apps.contacts.services.number_checks import require_on_whatsapp
from apps.contacts.services.phone_book import import_contacts
from apps.contacts.services.senders import (
    Sender,
    contact_merge,
    follow_identity,
    join_identities,
    merge_contacts,
    name_group,
    number_change,
    upsert_contact,
    upsert_contacts,
)
from apps.contacts.services.tags import create_tag, delete_tag, get_tag, update_tag

__all__ = [
    "ContactNotFound",
    "Sender",
    "contact_merge",
    "contact_removal",
    "create_contact",
    "create_note",
    "create_tag",
    "delete_contact",
    "delete_contacts",
    "delete_note",
    "delete_tag",
    "export_contacts",
    "follow_identity",
    "get_contact",
    "get_tag",
    "import_contacts",
    "join_identities",
    "merge_contacts",
    "name_group",
    "number_change",
    "plain_number",
    "require_on_whatsapp",
    "update_contact",
    "update_tag",
    "upsert_contact",
    "upsert_contacts",
]
