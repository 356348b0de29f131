"""Rules of messages in chats (rules/chat §3)."""

from uuid import UUID

from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from django.db.models import Case, F, Value, When
from django.utils import timezone

from apps.accounts.models import User
from apps.chat import events
from apps.chat.models import LAST_MESSAGE_LENGTH, Chat, ChatMessage
from apps.chat.queries import get_chat
from apps.chat.serializers import EMPTY_MESSAGE
from apps.chat.services.chats import as_stored, locked
from apps.common.errors import DomainError, InvalidInput
from apps.common.media import StoredMedia, fresh_files, store_media


class DuplicateClientId(DomainError):
    """The client's id already belongs to another message."""

    status = 409
    code = "ERR_DUPLICATED_MESSAGE"
    message = "Este identificador já foi usado em outra mensagem."


def send_message(
    *, user: User, reference: int | UUID, text: str, client_id: UUID | None = None
) -> ChatMessage:
    """Write a text into a chat and update its members' unread counts.

    The same `client_id` again returns the stored message. Raises ChatNotFound, InvalidInput for a
    blank text, DuplicateClientId.
    """
    get_chat(user=user, reference=reference)
    if not text.strip():
        raise InvalidInput(EMPTY_MESSAGE, fields={"message": [EMPTY_MESSAGE]}, rule="blank")
    return _send(user, reference, text, client_id, None)


def send_file(
    *,
    user: User,
    reference: int | UUID,
    file: "UploadedFile[bytes]",
    text: str = "",
    client_id: UUID | None = None,
) -> ChatMessage:
    """Send a file, with or without a text, as `send_message`.

    Also raises MediaTooLarge and MediaTypeRefused, by the limits of files for contacts.
    """
    chat = get_chat(user=user, reference=reference)
    if known := _sent_before(user, chat, client_id):
        return known
    with fresh_files() as files:
        media = store_media(
            company_id=user.company_id,
            content=file,
            name=file.name or "",
            mime=file.content_type or "",
        )
        files.append(media)
        sent = _send(user, reference, text, client_id, media)
        if sent.media_path == media.path:
            files.clear()
    return sent


@transaction.atomic
def _send(
    user: User,
    reference: int | UUID,
    text: str,
    client_id: UUID | None,
    media: StoredMedia | None,
) -> ChatMessage:
    chat = locked(user, reference)
    if known := _sent_before(user, chat, client_id):
        return known
    message = ChatMessage(
        company_id=chat.company_id,
        chat=chat,
        sender=user,
        sender_name=user.name,
        message=text.strip(),
        client_id=client_id,
    )
    message.put_media(media)
    try:
        with transaction.atomic():
            message.save(force_insert=True)
    except IntegrityError as error:
        if client_id is None:
            raise
        raise DuplicateClientId from error
    line = " ".join(message.message.split()) or message.media_name
    Chat.objects.filter(pk=chat.pk).update(
        last_message=line[:LAST_MESSAGE_LENGTH],
        message_count=F("message_count") + 1,
        revision=F("revision") + 1,
        updated_at=timezone.now(),
    )
    chat.members.update(
        unreads=Case(When(user=user, then=Value(0)), default=F("unreads") + 1),
    )
    events.message_sent(as_stored(chat), message)
    return message


def _sent_before(user: User, chat: Chat, client_id: UUID | None) -> ChatMessage | None:
    """Return the message that an earlier submission stored; raises DuplicateClientId."""
    if client_id is None:
        return None
    known = ChatMessage.objects.filter(client_id=client_id).select_related("sender").first()
    if known is not None and (known.chat_id != chat.pk or known.sender_id != user.pk):
        raise DuplicateClientId
    return known
