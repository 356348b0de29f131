"""What browsers hear of contacts, tags and notes (specification 4 §11)."""

from collections.abc import Sequence

from django.db.models import prefetch_related_objects

from apps.contacts.models import Contact, Tag, TicketNote
from apps.contacts.serializers.contacts import contact_row
from apps.contacts.serializers.notes import note_row
from apps.contacts.serializers.tags import tag_row
from apps.realtime.emit import emit


def contact_created(contact: Contact) -> None:
    """Tell the company of a new contact."""
    contacts_created([contact])


def contacts_created(contacts: Sequence[Contact]) -> None:
    """Tell their companies of new contacts."""
    _told(contacts, "create")


def contact_updated(contact: Contact) -> None:
    """Tell the company of a changed contact."""
    _told([contact], "update")


def _told(contacts: Sequence[Contact], action: str) -> None:
    prefetch_related_objects(contacts, "extra_info", "connection")
    for contact in contacts:
        emit(
            "contact",
            {"action": action, "contact": contact_row(contact)},
            company_id=contact.company_id,
        )


def contact_deleted(*, contact_id: int, company_id: int) -> None:
    """Tell the company that a contact is gone."""
    emit("contact", {"action": "delete", "contactId": contact_id}, company_id=company_id)


def contacts_imported(*, company_id: int) -> None:
    """Tell the company that many contacts are new: browsers fetch their lists again."""
    emit("contact", {"action": "reload"}, company_id=company_id)


def tag_created(tag: Tag) -> None:
    """Tell the company of a new tag."""
    emit("tag", {"action": "create", "tag": tag_row(tag)}, company_id=tag.company_id)


def tag_updated(tag: Tag) -> None:
    """Tell the company of a changed tag."""
    emit("tag", {"action": "update", "tag": tag_row(tag)}, company_id=tag.company_id)


def tag_deleted(*, tag_id: int, company_id: int) -> None:
    """Tell the company that a tag is gone, from tickets too."""
    emit("tag", {"action": "delete", "tagId": tag_id}, company_id=company_id)


def note_created(note: TicketNote) -> None:
    """Tell the company of a new note."""
    emit("ticketNote", {"action": "create", "note": note_row(note)}, company_id=note.company_id)


def note_deleted(*, note_id: int, contact_id: int, company_id: int) -> None:
    """Tell the company that a note is gone."""
    payload = {"action": "delete", "noteId": note_id, "contactId": contact_id}
    emit("ticketNote", payload, company_id=company_id)
