"""Sends a stored file of a quick message or a file list; it is copied on the server, without a
browser.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from django.core.files.uploadedfile import UploadedFile

from apps.accounts.models import User
from apps.common.errors import InvalidInput, NotFound
from apps.common.media import open_media, path_of_signed
from apps.library.queries import sendable_file
from apps.tickets.models import Message, Ticket
from apps.tickets.services.outbox import send_media

PUBLIC_PATH = "/public/"
FILE_GONE = "Este arquivo não está mais disponível. Escolha-o de novo."


def media_path_of(address: str) -> str:
    """Return the `mediaPath` in a file's address, absolute or not; a bare one stays as it is."""
    try:
        path = unquote(urlsplit(address).path)
    except ValueError:
        return ""
    _, found, media_path = path.partition(PUBLIC_PATH)
    return media_path if found else path.lstrip("/")


def send_stored_media(
    *, ticket: Ticket, user: User, data: Mapping[str, Any], quoted: Message | None = None
) -> Message:
    """Write a copy of a kept file to the contact, with `body`; returns its row.

    `data` is a message as browsers send it: `mediaPath`, signed as a quick message or a file list
    carries it, or the file's address as `mediaUrl`. Raises InvalidInput at that field when it is
    forged, expired or of nothing that the user may read, and what `send_media` raises.
    """
    field = "mediaPath" if data.get("mediaPath") else "mediaUrl"
    try:
        path = path_of_signed(media_path_of(data[field]))
        media = sendable_file(user, path)
        if media is None:
            raise NotFound
        file = open_media(path)
    except (NotFound, ValueError) as error:
        raise InvalidInput(FILE_GONE, fields={field: [FILE_GONE]}, rule="does_not_exist") from error
    with file:
        upload: UploadedFile[Any] = UploadedFile(
            file=file,
            name=media.name,
            content_type=media.mime,
            size=media.size,
        )
        *_, message = send_media(
            ticket=ticket,
            user=user,
            files=[upload],
            captions=[data.get("body", "")],
            quoted=quoted,
            client_id=data.get("client_id"),
        )
    return message
