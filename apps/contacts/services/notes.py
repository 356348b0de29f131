"""Rules of notes on contacts (rules/contacts §7)."""

from django.db import transaction

from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.common.errors import InvalidInput, NoPermission, NotFound
from apps.contacts import events
from apps.contacts.models import Contact, TicketNote


class NoteNotFound(NotFound):
    """The company has no such note."""

    code = "ERR_NO_NOTE_FOUND"
    message = "Observação não encontrada."


@transaction.atomic
def create_note(*, actor: User, note: str, ticket_id: int, contact_id: int) -> TicketNote:
    """Write a note on a contact; raises InvalidInput unless the ticket is that contact's."""
    company_id = actor.company_id
    contact = Contact.objects.for_company(company_id).filter(pk=contact_id).first()
    if contact is None:
        sentence = "Este contato não existe."
        raise InvalidInput(sentence, fields={"contactId": [sentence]}, rule="does_not_exist")
    if not contact.tickets.filter(pk=ticket_id).exists():
        sentence = "Este atendimento não é deste contato."
        raise InvalidInput(sentence, fields={"ticketId": [sentence]}, rule="does_not_exist")
    written = TicketNote.objects.create(
        company_id=company_id,
        contact_id=contact_id,
        ticket_id=ticket_id,
        user=actor.person,
        note=note,
    )
    events.note_created(written)
    return written


@transaction.atomic
def delete_note(*, actor: User, note_id: int) -> None:
    """Delete the actor's own note, or any as an admin; raises NoteNotFound and NoPermission."""
    note = TicketNote.objects.for_company(actor.company_id).filter(pk=note_id).first()
    if note is None:
        raise NoteNotFound
    if note.user_id != actor.pk and not actor.may(Permission.DELETE_CONTACTS):
        raise NoPermission("Só quem escreveu a observação ou um administrador pode excluí-la.")
    contact_id = note.contact_id
    note.delete()
    events.note_deleted(note_id=note_id, contact_id=contact_id, company_id=actor.company_id)
