"""Audio files: duration, and conversion to voice notes."""

import re
import shutil
import subprocess
import tempfile
from functools import lru_cache
from pathlib import Path

VOICE_MIME = "audio/ogg; codecs=opus"
SECONDS_ALLOWED = 60
_DURATION = re.compile(rb"Duration: (\d+):(\d\d):(\d\d(?:\.\d+)?)")


class UnreadableAudio(Exception):
    """The file contains no readable audio."""


@lru_cache(maxsize=1)
def ffmpeg() -> str:
    """Return the path of ffmpeg: the system's, else the one that comes with imageio-ffmpeg."""
    found = shutil.which("ffmpeg")
    if found:
        return found
    import imageio_ffmpeg  # noqa: PLC0415  not loaded where the system has its own

    bundled: str = imageio_ffmpeg.get_ffmpeg_exe()
    return bundled


def seconds_of(content: bytes) -> float | None:
    """Return the duration in seconds; None when the file does not tell."""
    with tempfile.TemporaryDirectory(prefix="balcao-audio-") as directory:
        source = Path(directory) / "sound"
        source.write_bytes(content)
        found = _DURATION.search(_run("-i", str(source)).stderr)
    if found is None:
        return None
    hours, minutes, seconds = found.groups()
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds)


def to_voice_note(content: bytes) -> bytes:
    """Return a recording as mono Ogg/Opus (rules/messages §5); raises UnreadableAudio."""
    with tempfile.TemporaryDirectory(prefix="balcao-audio-") as directory:
        source, target = Path(directory) / "sound", Path(directory) / "voice.ogg"
        source.write_bytes(content)
        options = "-vn -map_metadata -1 -ac 1 -ar 48000 -c:a libopus -b:a 32k -application voip"
        done = _run("-y", "-i", str(source), *options.split(), str(target))
        if done.returncode or not target.is_file():
            raise UnreadableAudio
        return target.read_bytes()


def is_voice_note(content: bytes) -> bool:
    """Tell whether the file is Ogg/Opus already."""
    return content.startswith(b"OggS") and b"OpusHead" in content[:128]


def _run(*arguments: str) -> "subprocess.CompletedProcess[bytes]":
    try:
        return subprocess.run(  # noqa: S603 - fixed program, no shell, our own paths
            [ffmpeg(), "-hide_banner", "-nostdin", *arguments],
            capture_output=True,
            check=False,
            timeout=SECONDS_ALLOWED,
        )
    except subprocess.TimeoutExpired as error:
        raise UnreadableAudio from error
