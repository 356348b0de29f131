"""What a contact's page shows beside its data: earlier tickets, and files of all conversations."""

from collections.abc import Collection

from django.db.models import QuerySet

from apps.accounts.models import User
from apps.tickets.models import MediaState, MediaType, Message, Ticket
from apps.tickets.queries.access import readable_by, visible_to

GALLERY_KINDS = (MediaType.IMAGE, MediaType.VIDEO, MediaType.AUDIO, MediaType.FILE)


def tickets_of_contact(user: User, contact_id: int) -> "QuerySet[Ticket]":
    """Return the contact's tickets that the user may read, newest first."""
    return visible_to(user).filter(contact_id=contact_id).order_by("-id")


def media_of_contact(
    user: User, contact_id: int, *, kinds: Collection[str] = ()
) -> "QuerySet[Message]":
    """Return the contact's messages with a file that the user may open, newest first.

    `kinds` of GALLERY_KINDS, all of them when empty. Stickers and files that were taken back or
    could not be fetched are left out.
    """
    messages = Message.objects.for_company(user.company_id).filter(
        contact_id=contact_id,
        media_state=MediaState.READY,
        media_type__in=kinds or GALLERY_KINDS,
        is_deleted=False,
    )
    return messages.filter(readable_by(user, "ticket__")).order_by("-id")
