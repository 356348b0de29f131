"""The files of messages on their way out, for the gateway that sends them (docs/gateway.md §6)."""

import io
from dataclasses import dataclass
from typing import IO, Any

from django.core import signing
from django.core.files.storage import default_storage

from apps.common.errors import DomainError, NotFound
from apps.common.media import open_media
from apps.connections.services.provision import FILE_SALT, FILE_SECONDS
from apps.tickets.services.outbox.audio import (
    VOICE_MIME,
    UnreadableAudio,
    is_voice_note,
    to_voice_note,
)


class SoundRefused(DomainError):
    """The audio file can't be converted to a voice note."""

    status = 422
    code = "ERR_AUDIO_UNREADABLE"
    message = "O áudio não pôde ser convertido."


@dataclass(frozen=True)
class OpenFile:
    """An open file; the caller streams and closes it."""

    file: IO[Any]
    size: int
    mime: str


def open_file(token: str) -> OpenFile:
    """Return the file that a token of ours names; raises NotFound and SoundRefused."""
    try:
        said = signing.loads(token, salt=FILE_SALT, max_age=FILE_SECONDS)
        path, mime, is_voice = str(said["path"]), str(said["mime"]), said["voice"] is True
    except (signing.BadSignature, KeyError, TypeError):
        raise NotFound("Este endereço de arquivo não é válido.") from None
    if is_voice:
        return _voice_note(path)
    file = open_media(path)
    return OpenFile(file, default_storage.size(path), mime or "application/octet-stream")


def _voice_note(path: str) -> OpenFile:
    """Return an audio file in the format of the phone's own recorder."""
    with open_media(path) as file:
        content: bytes = file.read()
    try:
        note = content if is_voice_note(content) else to_voice_note(content)
    except UnreadableAudio as error:
        raise SoundRefused from error
    return OpenFile(io.BytesIO(note), len(note), VOICE_MIME)
