"""Azure's text-to-speech: turns text into a voice note.

https://learn.microsoft.com/azure/ai-services/speech-service/rest-text-to-speech
"""

from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from apps.automation.clients.base import ClientError, File
from apps.automation.clients.http import MEGABYTE, exchange
from apps.automation.clients.openai_texts import for_speech
from apps.common.reasons import Reason, ReasonCode

NAME = "Azure Speech"
SPEECH_SECONDS = 20.0
# Azure's limit is ten minutes of audio; a voice note of two minutes is already too long.
LONGEST_SPOKEN = 1500
# WhatsApp's voice notes are Ogg/Opus.
FORMAT = "ogg-24khz-16bit-mono-opus"
MIME = "audio/ogg"


@dataclass(frozen=True)
class Voice:
    """A voice and the key of the account that pays; `url` contains `{region}`."""

    name: str
    key: str
    region: str
    url: str


class CannotSay(Exception):
    """The text is not suited to speech: it has a link or is too long."""


def say(text: str, voice: Voice) -> File:
    """Return a text as a voice note; raises ClientError, and CannotSay for an unsuitable text."""
    spoken = for_speech(text)
    if not spoken or len(spoken) > LONGEST_SPOKEN or "://" in spoken or "www." in spoken:
        raise CannotSay
    if not voice.key.isascii() or not voice.key.isprintable():
        raise ClientError(
            "A chave do Azure Speech não é válida.",
            reason=Reason(ReasonCode.SERVER_REFUSED, NAME),
            permanent=True,
        )
    response, _ = exchange(
        "POST",
        f"{voice.url.replace('{region}', voice.region)}/cognitiveservices/v1",
        event="speech",
        content=ssml(spoken, voice.name).encode(),
        headers={
            "Ocp-Apim-Subscription-Key": voice.key,
            "Content-Type": "application/ssml+xml",
            "X-Microsoft-OutputFormat": FORMAT,
        },
        timeout=SPEECH_SECONDS,
        max_bytes=4 * MEGABYTE,
        logged={"voice": voice.name, "characters": len(spoken)},
    )
    if not response.content.startswith(b"OggS"):
        raise ClientError(
            "O Azure Speech não devolveu um áudio.",
            reason=Reason(ReasonCode.SERVER_UNREADABLE, NAME),
        )
    return File(content=response.content, mime=MIME, name="voz.ogg")


def ssml(text: str, voice: str) -> str:
    """Return the SSML of a text, which is escaped so that it can't add markup."""
    clean = "".join(c for c in text if c in "\n\t" or " " <= c not in "\ufffe\uffff")
    return (
        '<speak version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="pt-BR">'
        f"<voice name={quoteattr(voice)}>{escape(clean)}</voice></speak>"
    )
