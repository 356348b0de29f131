"""Realtime events of contacts, tags and notes (rules/realtime §3)."""

from collections.abc import Sequence

from django.db.models import prefetch_related_objects
from rest_framework import serializers

from apps.accounts.permissions import Permission
from apps.common.serializers import row_of
from apps.contacts.models import Contact, ContactImport, Tag, TicketNote
from apps.contacts.serializers.contacts import ContactSerializer
from apps.contacts.serializers.imports import ContactImportSerializer
from apps.contacts.serializers.notes import NoteSerializer
from apps.contacts.serializers.tags import TagSerializer
from apps.realtime.emit import LiveEvent, emit

CONTACT = LiveEvent(
    "contact",
    needs=Permission.SEE_CONTACTS,
    create={"contact": ContactSerializer()},
    update={"contact": ContactSerializer()},
    delete={"contactId": serializers.IntegerField()},
    reload={},
)
CONTACT_IMPORT = LiveEvent(
    "contactImport",
    needs=Permission.SEE_CONTACTS,
    create={"record": ContactImportSerializer()},
    update={"record": ContactImportSerializer()},
)
TAG = LiveEvent(
    "tag",
    also="tag",
    create={"tag": TagSerializer()},
    update={"tag": TagSerializer()},
    delete={"tagId": serializers.IntegerField()},
)
NOTE = LiveEvent(
    "ticketNote",
    needs=Permission.SEE_CONTACTS,
    create={"note": NoteSerializer()},
    delete={"noteId": serializers.IntegerField(), "contactId": serializers.IntegerField()},
)


def contact_created(contact: Contact) -> None:
    """Tell the company of a new contact."""
    contacts_created([contact])


def contacts_created(contacts: Sequence[Contact]) -> None:
    """Tell the companies of their new contacts."""
    _told(contacts, "create")


def contact_updated(contact: Contact) -> None:
    """Tell the company of a changed contact."""
    _told([contact], "update")


def _told(contacts: Sequence[Contact], action: str) -> None:
    prefetch_related_objects(contacts, "extra_info", "connection")
    for contact in contacts:
        emit(
            CONTACT,
            action,
            {"contact": row_of(ContactSerializer, contact)},
            company_id=contact.company_id,
        )


def contact_deleted(*, contact_id: int, company_id: int) -> None:
    """Tell the company that a contact was deleted."""
    emit(CONTACT, "delete", {"contactId": contact_id}, company_id=company_id)


def contacts_imported(*, company_id: int) -> None:
    """Tell the company that many contacts were imported, so that browsers reload their lists."""
    emit(CONTACT, "reload", {}, company_id=company_id)


def contact_import_created(started: ContactImport) -> None:
    """Tell the company that a contact import began; its user must be loaded."""
    _tell_import("create", started)


def contact_import_updated(done: ContactImport) -> None:
    """Tell the company about the progress of a contact import; its user must be loaded."""
    _tell_import("update", done)


def _tell_import(action: str, done: ContactImport) -> None:
    emit(
        CONTACT_IMPORT,
        action,
        {"record": row_of(ContactImportSerializer, done)},
        company_id=done.company_id,
    )


def tag_created(tag: Tag) -> None:
    """Tell the company of a new tag."""
    emit(TAG, "create", {"tag": row_of(TagSerializer, tag)}, company_id=tag.company_id)


def tag_updated(tag: Tag) -> None:
    """Tell the company of a changed tag."""
    emit(TAG, "update", {"tag": row_of(TagSerializer, tag)}, company_id=tag.company_id)


def tag_deleted(*, tag_id: int, company_id: int) -> None:
    """Tell the company that a tag was deleted and removed from tickets."""
    emit(TAG, "delete", {"tagId": tag_id}, company_id=company_id)


def note_created(note: TicketNote) -> None:
    """Tell the company of a new note."""
    emit(NOTE, "create", {"note": row_of(NoteSerializer, note)}, company_id=note.company_id)


def note_deleted(*, note_id: int, contact_id: int, company_id: int) -> None:
    """Tell the company that a note was deleted."""
    payload = {"noteId": note_id, "contactId": contact_id}
    emit(NOTE, "delete", payload, company_id=company_id)
