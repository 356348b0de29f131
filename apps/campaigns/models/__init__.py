"""Contact lists."""

from apps.campaigns.models.lists import (
    ContactList,
    ContactListCheck,
    ContactListImport,
    ContactListItem,
    ImportFault,
)

__all__ = [
    "ContactList",
    "ContactListCheck",
    "ContactListImport",
    "ContactListItem",
    "ImportFault",
]
