"""Rules of contacts, tags and notes."""

from apps.contacts.services.contacts import (
    ContactNotFound,
    contact_listing,
    contact_removal,
    create_contact,
    delete_contact,
    delete_contacts,
    get_contact,
    learn_names,
    set_field,
    update_contact,
)
from apps.contacts.services.export import export_contacts
from apps.contacts.services.merging import forget_merges, merge_by_hand, merges_of, undo_merge
from apps.contacts.services.moving import (
    KeyChange,
    Merged,
    contact_hold,
    contact_merge,
    contact_split,
    key_change,
    key_return,
)
from apps.contacts.services.notes import create_note, delete_note
from apps.contacts.services.number_checks import ask_whatsapp, require_on_whatsapp
from apps.contacts.services.personal_data import (
    PersonalData,
    Traces,
    contact_data,
    contact_erasure,
    erase_contact,
    export_personal_data,
    traces_of,
)
from apps.contacts.services.phone_book import import_contacts, learn_addresses
from apps.contacts.services.pictures import want_pictures
from apps.contacts.services.senders import (
    Sender,
    follow_identity,
    join_identities,
    merge_contacts,
    name_group,
    new_contacts,
    number_change,
    upsert_contact,
    upsert_contacts,
)
from apps.contacts.services.tags import create_tag, delete_tag, get_tag, update_tag
from apps.contacts.services.typed_numbers import (
    KeptNumber,
    NumberWithoutCountry,
    kept_number,
    plain_number,
    preview_number,
)

__all__ = [
    "ContactNotFound",
    "KeptNumber",
    "KeyChange",
    "Merged",
    "NumberWithoutCountry",
    "PersonalData",
    "Sender",
    "Traces",
    "ask_whatsapp",
    "contact_data",
    "contact_erasure",
    "contact_hold",
    "contact_listing",
    "contact_merge",
    "contact_removal",
    "contact_split",
    "create_contact",
    "create_note",
    "create_tag",
    "delete_contact",
    "delete_contacts",
    "delete_note",
    "delete_tag",
    "erase_contact",
    "export_contacts",
    "export_personal_data",
    "follow_identity",
    "forget_merges",
    "get_contact",
    "get_tag",
    "import_contacts",
    "join_identities",
    "kept_number",
    "key_change",
    "key_return",
    "learn_addresses",
    "learn_names",
    "merge_by_hand",
    "merge_contacts",
    "merges_of",
    "name_group",
    "new_contacts",
    "number_change",
    "plain_number",
    "preview_number",
    "require_on_whatsapp",
    "set_field",
    "traces_of",
    "undo_merge",
    "update_contact",
    "update_tag",
    "upsert_contact",
    "upsert_contacts",
    "want_pictures",
]
