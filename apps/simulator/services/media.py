"""Files of the simulated WhatsApp, under `simulator/` in the media storage."""

import base64
import hashlib
import json
import mimetypes
import secrets
import subprocess
from pathlib import Path

import imageio_ffmpeg
from django.core.files.base import ContentFile

from apps.simulator.graph.errors import GraphError, invalid, missing
from apps.simulator.models import SimMedia

# The types that the resumable upload accepts.
UPLOAD_MIMES = ("application/pdf", "image/jpeg", "image/jpg", "image/png", "video/mp4")
SAMPLES = Path(__file__).resolve().parent.parent / "samples"

MEGABYTE = 1024 * 1024
# Meta's supported types and sizes ('Media' of the Cloud API reference).
LIMITS = {
    "image": (5 * MEGABYTE, {"image/jpeg", "image/png"}),
    "audio": (
        16 * MEGABYTE,
        {"audio/aac", "audio/amr", "audio/mpeg", "audio/mp4", "audio/ogg"},
    ),
    "video": (16 * MEGABYTE, {"video/mp4", "video/3gpp"}),
    "sticker": (MEGABYTE // 2, {"image/webp"}),
    "document": (
        100 * MEGABYTE,
        {
            "text/plain",
            "application/pdf",
            "application/msword",
            "application/vnd.ms-excel",
            "application/vnd.ms-powerpoint",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        },
    ),
}


def check_upload(mime: str, size: int) -> None:
    """Raise GraphError for a type or size that Meta does not accept."""
    plain = mime.split(";", maxsplit=1)[0].strip().lower()
    limit = next((limit for limit, mimes in LIMITS.values() if plain in mimes), None)
    if limit is None:
        raise GraphError(
            100,
            "Invalid parameter",
            details=f"Param file must be a file with one of the supported types. Received file of "
            f"type '{mime}'.",
        )
    if size > limit:
        raise GraphError(
            131052 if plain.startswith("video") else 131053,
            "Media upload error",
            details=f"File size {size} is over the limit of {limit} bytes.",
        )


def store_file(*, content: bytes, name: str, mime: str) -> SimMedia:
    """Store a file under an id like Meta's."""
    media = SimMedia(
        media_id=str(secrets.randbelow(9 * 10**14) + 10**14),
        name=Path(name).name[:255],
        mime=mime,
        sha256=hashlib.sha256(content).hexdigest(),
        size=len(content),
    )
    suffix = mimetypes.guess_extension(mime.split(";", maxsplit=1)[0]) or ".bin"
    media.file.save(f"{secrets.token_hex(16)}{suffix}", ContentFile(content))
    return media


def begin_upload(asked: dict[str, str]) -> str:
    """Return the id of an upload session, which encodes the announced type, size and name.

    developers.facebook.com/docs/graph-api/guides/upload; raises GraphError like Meta.
    """
    for name in ("file_length", "file_type"):
        if not asked.get(name):
            raise missing(name)
    if asked["file_type"] not in UPLOAD_MIMES:
        raise invalid(f"Param file_type must be one of {{{', '.join(UPLOAD_MIMES)}}}.")
    if not asked["file_length"].isdecimal():
        raise invalid("Param file_length must be an integer.")
    announced = [asked["file_type"], int(asked["file_length"]), asked.get("file_name", "")]
    session = base64.urlsafe_b64encode(json.dumps(announced).encode()).decode()
    return f"upload:{session}?sig=ARZqkGCA_uQMxC8nHKI"


def end_upload(session: str, content: bytes) -> str:
    """Store the file of an upload session; returns its handle.

    Raises GraphError for an incomplete file.
    """
    try:
        mime, size, name = json.loads(base64.urlsafe_b64decode(session))
    except (TypeError, ValueError) as error:
        raise invalid("The upload session is not known.") from error
    if len(content) != size:
        raise invalid(f"The file has {len(content)} bytes, {size} were announced.")
    stored = store_file(content=content, name=str(name), mime=str(mime))
    kind = base64.b64encode(stored.mime.encode()).decode()
    return f"4::{kind}:{stored.media_id}:e:1700000000:0:0:ARZ"


def file_of_handle(handle: object) -> SimMedia | None:
    """Return the file of a handle, or None."""
    parts = handle.split(":") if isinstance(handle, str) else []
    return SimMedia.objects.filter(media_id=parts[3]).first() if len(parts) > 3 else None


def as_voice_note(media: SimMedia) -> SimMedia:
    """Return the recording converted to ogg with opus, the format of WhatsApp's telephones.

    Browsers record webm or mp4. A file that can't be read as audio is returned unchanged.
    """
    if media.mime.startswith("audio/ogg"):
        return media
    with media.file.open("rb") as file:
        content = file.read()
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-loglevel", "error", "-i", "pipe:0", "-vn"]
    command += ["-ac", "1", "-c:a", "libopus", "-b:a", "24k", "-f", "ogg", "pipe:1"]
    try:
        done = subprocess.run(  # noqa: S603 fixed words
            command, input=content, capture_output=True, timeout=30, check=True
        )
    except subprocess.SubprocessError:
        return media
    return store_file(content=done.stdout, name="voz.ogg", mime="audio/ogg; codecs=opus")


def sample_mime(name: str) -> str:
    """Return the MIME type of a bundled file; an ogg sample is a voice note."""
    if name.endswith(".ogg"):
        return "audio/ogg; codecs=opus"
    return mimetypes.guess_type(name)[0] or "application/octet-stream"


def store_sample(name: str) -> SimMedia:
    """Store a copy of a bundled sample; raises FileNotFoundError for an unknown name."""
    path = SAMPLES / Path(name).name
    return store_file(content=path.read_bytes(), name=path.name, mime=sample_mime(path.name))
