"""Azure's voices against a local server: voice notes, and text where there is none."""

import threading
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest

from apps.automation.clients import speech
from apps.automation.clients.base import ClientError, File, Outcome
from apps.automation.clients.openai_prompt import Assistant, PromptClient
from apps.automation.clients.openai_texts import HAND_OVER_TOOL
from apps.automation.clients.speech import CannotSay, Voice, say, ssml
from apps.automation.tests.models import completion
from apps.automation.tests.turns import make_turn
from apps.automation.tests.wire import Answer, Received, WireServer, wire_server
from apps.automation.voices import VOICES

OGG = b"OggS\x00\x02 voice"
VOICE_KEY = "chave-do-azure"


@pytest.fixture
def server(settings: Any) -> Iterator[WireServer]:
    settings.ALLOW_PRIVATE_TARGETS = ["127.0.0.0/8"]
    with wire_server() as running:
        running.handler = lambda request: Answer(body=OGG, headers={"Content-Type": "audio/ogg"})
        yield running


def voice(server: WireServer, **changes: Any) -> Voice:
    fields = {
        "name": "pt-BR-FranciscaNeural",
        "key": VOICE_KEY,
        "region": "brazilsouth",
        "url": f"{server.url}/{{region}}",
    }
    return Voice(**{**fields, **changes})


def test_a_text_becomes_a_voice_note(server: WireServer) -> None:
    assert say("Olá, *Ana*!", voice(server)) == File(OGG, "audio/ogg", "voz.ogg")
    (request,) = server.received
    assert (request.method, request.path) == ("POST", "/brazilsouth/cognitiveservices/v1")
    assert request.headers["ocp-apim-subscription-key"] == VOICE_KEY
    assert request.headers["content-type"] == "application/ssml+xml"
    assert request.headers["x-microsoft-outputformat"] == "ogg-24khz-16bit-mono-opus"
    (said,) = ElementTree.fromstring(request.body)
    assert (said.attrib["name"], said.text) == ("pt-BR-FranciscaNeural", "Olá, Ana!")


def test_a_text_cannot_leave_its_place() -> None:
    text = '</voice><voice name="x">a & b\x08</voice>'
    (said,) = ElementTree.fromstring(ssml(text, 'v"oz'))
    assert said.attrib == {"name": 'v"oz'}
    assert said.text == text.replace("\x08", "")


def test_there_are_fifteen_brazilian_voices() -> None:
    people = (
        "Francisca Antonio Brenda Donato Elza Fabio Giovanna Humberto "
        "Julio Leila Leticia Manuela Nicolau Valerio Yara"
    )
    assert list(VOICES) == [f"pt-BR-{name}Neural" for name in people.split()]


@pytest.mark.parametrize("text", ["Veja https://loja.com", "a " * 1000, "😀", ""])
def test_what_is_better_read_is_not_said(server: WireServer, text: str) -> None:
    with pytest.raises(CannotSay):
        say(text, voice(server))
    assert server.received == []


@pytest.mark.parametrize(
    "answer",
    [
        Answer(401, "Unauthorized"),
        Answer(429, ""),
        Answer(500, ""),
        Answer(200, b""),
        Answer(200, "<html>"),
        Answer(raw=b"\x00"),
        Answer(200, b"OggS" + b"x" * 5_000_000),
    ],
)
def test_a_fault_is_told(server: WireServer, answer: Answer) -> None:
    server.handler = lambda request: answer
    with pytest.raises(ClientError):
        say("Olá", voice(server))


def test_a_key_that_no_header_carries_is_told(server: WireServer) -> None:
    with pytest.raises(ClientError):
        say("Olá", voice(server, key="chave\r\nX: y"))
    assert server.received == []


def answered(server: WireServer, text: str, spoken: Answer, **choice: Any) -> Outcome:
    def handle(request: Received) -> Answer:
        if request.path.endswith("/chat/completions"):
            return Answer(body=completion(text, **choice))
        return spoken

    server.handler = handle
    assistant = Assistant(
        instructions="Você vende bolos.",
        api_key="sk-1",
        base_url=f"{server.url}/v1",
        model="gpt-teste",
        transcription_model="whisper-teste",
        max_messages=10,
        max_tokens=100,
        temperature=1,
        queue_id=7,
        voice=voice(server),
    )
    return PromptClient(assistant).take_turn(make_turn("Oi"))


def test_the_assistant_answers_with_its_voice(server: WireServer) -> None:
    outcome = answered(server, "Temos bolo.", Answer(body=OGG))
    (reply,) = outcome.replies
    assert (reply.text, reply.is_voice, reply.file) == ("", True, File(OGG, "audio/ogg", "voz.ogg"))


def test_words_before_a_hand_over_are_spoken_too(server: WireServer) -> None:
    outcome = answered(server, "Já passo.", Answer(body=OGG), tools=[HAND_OVER_TOOL])
    assert [reply.is_voice for reply in outcome.replies] == [True]
    assert outcome.hand_over is not None


def test_without_the_voice_the_answer_goes_as_text_and_the_log_says_why(
    server: WireServer, caplog: pytest.LogCaptureFixture
) -> None:
    outcome = answered(server, "*Temos* bolo.", Answer(401, "no"))
    (reply,) = outcome.replies
    assert (reply.text, reply.is_voice, reply.file) == ("*Temos* bolo.", False, None)
    assert "No voice note" in caplog.text
    assert VOICE_KEY not in caplog.text


def test_a_link_goes_as_text_without_a_call(server: WireServer) -> None:
    outcome = answered(server, "Veja https://loja.com", Answer(body=OGG))
    assert [reply.text for reply in outcome.replies] == ["Veja https://loja.com"]
    assert len(server.received) == 1


def test_a_voice_that_never_comes_holds_nobody(
    server: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speech, "SPEECH_SECONDS", 0.2)
    gate = threading.Event()
    try:
        outcome = answered(server, "Temos bolo.", Answer(body=OGG, gate=gate))
    finally:
        gate.set()
    assert [reply.text for reply in outcome.replies] == ["Temos bolo."]
