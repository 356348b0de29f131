"""Reading of Dialogflow's answers (JSON) into messages to the contact.

cloud.google.com/dialogflow/es/docs/reference/rest/v2/DetectIntentResponse.
"""

import base64
import binascii
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from apps.automation.clients.base import File, HandOver
from apps.automation.clients.commands import MalformedCommand, command_of
from apps.automation.clients.typebot_inputs import CHOICES, Input, Item

ANY_PLATFORM = "PLATFORM_UNSPECIFIED"
AUDIO_TYPES = {
    "OUTPUT_AUDIO_ENCODING_LINEAR_16": ("audio/wav", "resposta.wav"),
    "OUTPUT_AUDIO_ENCODING_MP3": ("audio/mpeg", "resposta.mp3"),
    "OUTPUT_AUDIO_ENCODING_MP3_64_KBPS": ("audio/mpeg", "resposta.mp3"),
    "OUTPUT_AUDIO_ENCODING_OGG_OPUS": ("audio/ogg", "resposta.ogg"),
}
FILE_KEYS = ("image", "audio", "video", "document")


@dataclass(frozen=True)
class Part:
    """A message: text, or the file at `url` with the text as its caption."""

    text: str = ""
    url: str = ""
    is_voice: bool = False


@dataclass
class Answer:
    """A complete answer; `choices` is sent last, with its own question."""

    parts: list[Part] = field(default_factory=list)
    choices: Input | None = None
    voice: File | None = None
    hand_over: HandOver | None = None


def read_answer(data: Mapping[str, Any]) -> Answer:
    """Read a DetectIntentResponse; unknown elements are ignored."""
    result = _mapping(data.get("queryResult"))
    answer = Answer()
    for message in _for_us(result.get("fulfillmentMessages")):
        _read_message(answer, message)
    if not answer.parts and answer.choices is None:
        _say(answer, result.get("fulfillmentText"))
    answer.voice = _voice(data)
    intent = _mapping(result.get("intent"))
    is_over = (
        _mapping(result.get("diagnosticInfo")).get("end_conversation") is True
        or intent.get("endInteraction") is True
    )
    if answer.hand_over is None and intent.get("liveAgentHandoff") is True:
        answer.hand_over = HandOver()
    if answer.hand_over is None and is_over:
        answer.hand_over = HandOver(reason="finished")
    return answer


def menu(question: str, titles: Sequence[str]) -> Input:
    """Return a menu whose choices are answered by their titles."""
    items = tuple(Item(id=title[:200], title=title, answer=title) for title in titles)
    return Input(id="", type=CHOICES, items=items, question=question)


def _for_us(messages: Any) -> list[Mapping[str, Any]]:
    """Return the messages without a platform, else those of the first named platform."""
    found = _mappings(messages)
    platforms = [message.get("platform", ANY_PLATFORM) for message in found]
    wanted = ANY_PLATFORM if ANY_PLATFORM in platforms else next(iter(platforms), None)
    return [m for m, platform in zip(found, platforms, strict=True) if platform == wanted]


def _read_message(answer: Answer, message: Mapping[str, Any]) -> None:
    # Several texts of one message are variants: one is sent.
    variants = _mapping(message.get("text")).get("text")
    _say(answer, next((v for v in variants if v), "") if isinstance(variants, list) else "")
    image = _mapping(message.get("image"))
    _show(answer, image.get("imageUri"), image.get("accessibilityText"))
    card = _mapping(message.get("card"))
    words = "\n".join(filter(None, (_bold(card.get("title")), _text(card.get("subtitle")))))
    _show(answer, card.get("imageUri"), words)
    _choices(answer, "", [_text(button.get("text")) for button in _mappings(card.get("buttons"))])
    quick = _mapping(message.get("quickReplies"))
    titles = quick.get("quickReplies")
    _choices(
        answer,
        _text(quick.get("title")),
        [_text(title) for title in titles] if isinstance(titles, list) else [],
    )
    _read_payload(answer, _mapping(message.get("payload")))


def _read_payload(answer: Answer, payload: Mapping[str, Any]) -> None:
    """Read a custom payload: text, files, Dialogflow Messenger's rich content or a command."""
    _say(answer, payload.get("text"))
    for key in FILE_KEYS:
        url = _text(payload.get(key))
        if url.startswith(("http://", "https://")):
            answer.parts.append(Part(url=url, is_voice=key == "audio"))
    for block in payload.get("richContent") or ():
        for element in _mappings(block):
            _read_element(answer, element)
    if any(key in payload for key in ("queueId", "userId", "stopBot")):
        try:
            answer.hand_over = answer.hand_over or command_of(payload)
        except MalformedCommand:
            return


def _read_element(answer: Answer, element: Mapping[str, Any]) -> None:
    kind = element.get("type")
    if kind == "image":
        _show(answer, element.get("rawUrl"), "")
    elif kind in ("info", "accordion"):
        lines = (_bold(element.get("title")), _text(element.get("subtitle")))
        _say(answer, "\n".join(filter(None, lines)))
    elif kind == "description":
        lines_of = element.get("text")
        body = [str(line) for line in lines_of] if isinstance(lines_of, list) else []
        _say(answer, "\n".join(filter(None, (_bold(element.get("title")), *body))))
    elif kind == "button":
        _say(
            answer, " ".join(filter(None, (_text(element.get("text")), _text(element.get("link")))))
        )
    elif kind == "chips":
        _choices(
            answer, "", [_text(chip.get("text")) for chip in _mappings(element.get("options"))]
        )


def _choices(answer: Answer, question: str, titles: Sequence[str]) -> None:
    named = [title for title in dict.fromkeys(titles) if title]
    if named:
        before = [item.title for item in answer.choices.items] if answer.choices else []
        asked = question or (answer.choices.question if answer.choices else "")
        answer.choices = menu(asked, [*before, *named])


def _say(answer: Answer, text: Any) -> None:
    if _text(text):
        answer.parts.append(Part(text=_text(text)))


def _show(answer: Answer, url: Any, words: Any) -> None:
    if _text(url).startswith(("http://", "https://")):
        answer.parts.append(Part(text=_text(words), url=_text(url)))
    else:
        _say(answer, words)


def _voice(data: Mapping[str, Any]) -> File | None:
    encoding = _mapping(data.get("outputAudioConfig")).get("audioEncoding")
    kind = AUDIO_TYPES.get(encoding) if isinstance(encoding, str) else None
    if kind is None or not isinstance(data.get("outputAudio"), str):
        return None
    try:
        content = base64.b64decode(data["outputAudio"])
    except (binascii.Error, ValueError):
        return None
    return File(content=content, mime=kind[0], name=kind[1]) if content else None


def _bold(text: Any) -> str:
    return f"*{_text(text)}*" if _text(text) else ""


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _mappings(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []
