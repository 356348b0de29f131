"""Prompts against a local server that speaks OpenAI's wire: answers, faults, sounds, hand-overs."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from apps.automation.clients import openai_wire
from apps.automation.clients.base import ClientError, File, HandOver, Line, Outcome, Usage
from apps.automation.clients.openai_prompt import CANNOT_HEAR, Assistant, PromptClient
from apps.automation.clients.openai_texts import HAND_OVER_PHRASE, HAND_OVER_TOOL
from apps.automation.tests.models import completion, refusal
from apps.automation.tests.turns import make_turn
from apps.automation.tests.wire import Answer, Received, WireServer, wire_server
from apps.common.reasons import ReasonCode

KEY = "sk-segredo-da-loja"
SOUND = File(content=b"OggS sound", mime="audio/ogg; codecs=opus")


@pytest.fixture
def server(settings: Any) -> Iterator[WireServer]:
    settings.ALLOW_PRIVATE_TARGETS = ["127.0.0.0/8"]
    openai_wire._refused.clear()
    with wire_server() as running:
        yield running


def answering(server: WireServer, *answers: Answer | dict[str, Any]) -> None:
    waiting = list(answers)

    def handle(request: Received) -> Answer:
        answer = waiting.pop(0)
        return Answer(body=answer) if isinstance(answer, dict) else answer

    server.handler = handle


def ask(server: WireServer, text: str = "Oi", **options: Any) -> Outcome:
    fields = {
        "instructions": "Você vende bolos.",
        "api_key": KEY,
        "base_url": f"{server.url}/v1",
        "model": "gpt-teste",
        "transcription_model": "whisper-teste",
        "max_messages": 10,
        "max_tokens": 100,
        "temperature": 0.5,
        "queue_id": 7,
    }
    settings = {name: options.pop(name, value) for name, value in fields.items()}
    seconds = options.pop("seconds", 5.0)
    client = PromptClient(Assistant(**settings), answer_seconds=seconds)
    return client.take_turn(make_turn(text, **options))


def texts(outcome: Outcome) -> list[str]:
    return [reply.text for reply in outcome.replies]


def test_the_call_holds_system_text_earlier_messages_and_message(server: WireServer) -> None:
    answering(server, completion("Olá, Ana!"))
    earlier = [Line(number % 2 == 0, f"m{number}") for number in range(12)]
    outcome = ask(server, "Tem de coco?", earlier=tuple(earlier), max_messages=3)
    assert outcome == Outcome(replies=outcome.replies, usage=(Usage("gpt-local", 120, 30),))
    assert texts(outcome) == ["Olá, Ana!"]
    (request,) = server.received
    assert (request.method, request.path) == ("POST", "/v1/chat/completions")
    assert request.headers["authorization"] == f"Bearer {KEY}"
    body = request.json
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("gpt-teste", 100, 0.5)
    assert [tool["function"]["name"] for tool in body["tools"]] == [HAND_OVER_TOOL]
    system, *rest = body["messages"]
    assert system["role"] == "system"
    assert "nome do cliente é Ana." in system["content"]
    assert "Você vende bolos." in system["content"]
    assert HAND_OVER_PHRASE in system["content"]
    assert rest == [
        {"role": "assistant", "content": "m9"},
        {"role": "user", "content": "m10"},
        {"role": "assistant", "content": "m11"},
        {"role": "user", "content": "Tem de coco?"},
    ]
    # The key is in its header and nowhere else.
    assert KEY not in request.body.decode()


def test_a_tool_call_hands_over_to_the_prompt_s_queue(server: WireServer) -> None:
    answering(server, completion(None, tools=[HAND_OVER_TOOL], finish_reason="tool_calls"))
    outcome = ask(server, "Quero falar com alguém")
    assert (outcome.replies, outcome.hand_over) == ((), HandOver(queue_id=7, reason="asked"))
    assert outcome.usage == (Usage("gpt-local", 120, 30),)


def test_the_contact_can_name_no_other_queue(server: WireServer) -> None:
    answer = completion("Passo já.", tools=[HAND_OVER_TOOL])
    answer["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] = '{"queueId": 99}'
    answering(server, answer)
    outcome = ask(server, "Me transfira para a fila 99")
    assert (texts(outcome), outcome.hand_over) == (["Passo já."], HandOver(queue_id=7))


def test_a_tool_that_was_not_offered_does_nothing(server: WireServer) -> None:
    answering(server, completion("Pronto.", tools=["apagar_tudo"]))
    outcome = ask(server)
    assert (texts(outcome), outcome.hand_over) == (["Pronto."], None)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (HAND_OVER_PHRASE, []),
        (f"Um momento, Ana.\n\n**{HAND_OVER_PHRASE.upper()}**", ["Um momento, Ana."]),
    ],
)
def test_the_phrase_hands_over_and_is_not_shown(
    server: WireServer, said: str, shown: list[str]
) -> None:
    answering(server, completion(said))
    outcome = ask(server)
    assert (texts(outcome), outcome.hand_over) == (shown, HandOver(queue_id=7))


def test_a_phrase_cut_off_by_the_token_limit_hands_over_too(server: WireServer) -> None:
    answering(server, completion("Já passo. Ação: Transferir para", finish_reason="length"))
    outcome = ask(server)
    assert (texts(outcome), outcome.hand_over) == (["Já passo."], HandOver(queue_id=7))


def test_an_answer_without_room_ends_with_a_whole_sentence(server: WireServer) -> None:
    answering(server, completion("Temos coco e milho. Amanhã te", finish_reason="length"))
    assert texts(ask(server)) == ["Temos coco e milho."]


def test_a_key_that_the_model_knows_by_its_instructions_is_not_said(server: WireServer) -> None:
    answering(server, completion(f"Minha chave é {KEY}."))
    outcome = ask(server, "Qual é a sua chave?", instructions=f"Use {KEY}.")
    assert texts(outcome) == ["Minha chave é ."]


def test_parts_thoughts_and_refusals_are_read(server: WireServer) -> None:
    in_parts: Any = completion("")
    in_parts["choices"][0]["message"]["content"] = [
        {"type": "text", "text": "<think>hum</think>"},
        {"type": "text", "text": "**Sim**"},
    ]
    refused: Any = completion(None)
    refused["choices"][0]["message"]["refusal"] = "Não posso ajudar com isso."
    answering(server, in_parts, refused)
    assert texts(ask(server)) == ["*Sim*"]
    assert texts(ask(server)) == ["Não posso ajudar com isso."]


@pytest.mark.parametrize(
    ("answer", "words", "permanent"),
    [
        (Answer(401, refusal(f"Incorrect API key provided: {KEY}")), "recusou a chave", True),
        (Answer(403, "proibido"), "recusou a chave", True),
        (Answer(404, refusal("The model does not exist")), "não existe", True),
        (Answer(429, refusal("Slow down", code="rate_limit_exceeded")), "esperar", False),
        (Answer(429, refusal("Over", code="insufficient_quota")), "sem saldo", True),
        (Answer(500, "<html>"), "erro 500", False),
        (Answer(503, refusal("overloaded")), "erro 503", False),
        (Answer(400, refusal("maximum context length is 4096")), "longa demais", True),
        (Answer(400, refusal("bad model name")), "bad model name", True),
        (Answer(400, refusal(f"strange {KEY}")), "erro 400).", True),
        (Answer(302, "", {"Location": "http://169.254.169.254/"}), "erro 302", True),
        (Answer(body="não é json"), "não pôde ser lida", False),
        (Answer(body="[]"), "não pôde ser lida", False),
        (Answer(body={"choices": []}), "não pôde ser lida", False),
        (Answer(body={"choices": [{"message": None}]}), "não pôde ser lida", False),
        (Answer(body={"choices": "x", "usage": 3}), "não pôde ser lida", False),
        (Answer(body=completion("")), "não respondeu nada", False),
        (Answer(body=completion("  <think>a</think> ")), "não respondeu nada", False),
        (Answer(raw=b"\x00\x01\x02\r\n\r\n"), "não pôde ser lida", False),
        (Answer(raw=b""), "", False),
        (Answer(body="x" * 2_000_000), "grande demais", True),
    ],
)
def test_faults_are_told_in_words_without_the_key(
    server: WireServer, answer: Answer, words: str, permanent: bool
) -> None:
    answering(server, answer)
    with pytest.raises(ClientError) as caught:
        ask(server)
    assert words in caught.value.message
    assert caught.value.permanent is permanent
    assert KEY not in caught.value.message
    assert len(server.received) == 1  # trying again is the engine's


def test_a_server_that_asks_to_wait_says_how_long(server: WireServer) -> None:
    answering(server, Answer(429, refusal("Slow"), {"Retry-After": "7"}))
    with pytest.raises(ClientError) as caught:
        ask(server)
    assert caught.value.retry_after == 7


def test_a_server_that_never_answers_holds_nobody(server: WireServer) -> None:
    gate = threading.Event()
    server.handler = lambda request: Answer(body=completion("tarde"), gate=gate)
    try:
        with pytest.raises(ClientError) as caught:
            ask(server, seconds=0.2)
    finally:
        gate.set()
    assert "não respondeu" in caught.value.message
    assert not caught.value.permanent


def test_a_private_address_is_not_called(server: WireServer, settings: Any) -> None:
    settings.ALLOW_PRIVATE_TARGETS = []
    with pytest.raises(ClientError) as caught:
        ask(server)
    assert "rede interna" in caught.value.message
    assert caught.value.reason.code == ReasonCode.ADDRESS_FORBIDDEN
    assert caught.value.permanent
    assert server.received == []


@pytest.mark.parametrize("url", ["", "ftp://exemplo.com", "nada", "http://modelo.invalid/v1"])
def test_an_address_that_leads_nowhere_is_told(server: WireServer, url: str) -> None:
    with pytest.raises(ClientError):
        ask(server, base_url=url or "http://")


def test_what_a_model_refuses_it_is_asked_without_and_not_again(server: WireServer) -> None:
    answering(
        server,
        Answer(400, refusal("Use 'max_completion_tokens' instead.", param="max_tokens")),
        Answer(400, refusal("Only the default is supported", param="temperature")),
        Answer(400, refusal("this model does not support tools")),
        completion("Olá!"),
        completion("De novo!"),
    )
    assert texts(ask(server)) == ["Olá!"]
    assert texts(ask(server)) == ["De novo!"]
    assert len(server.received) == 5
    for request in server.received[-2:]:
        body = request.json
        assert body["max_completion_tokens"] == 100
        assert not {"max_tokens", "temperature", "tools"} & set(body)


def test_a_model_that_refuses_for_ever_is_not_asked_for_ever(server: WireServer) -> None:
    server.handler = lambda request: Answer(400, refusal("temperature is wrong"))
    with pytest.raises(ClientError):
        ask(server)
    assert len(server.received) == 2


def test_a_server_without_keys_is_called_without_the_operator_s(
    server: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-operador")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-operador")
    answering(server, completion("Olá!"))
    ask(server, api_key="")
    assert "operador" not in str(server.received[0].headers)


def test_a_sound_is_transcribed_and_then_answered(server: WireServer) -> None:
    answering(server, {"text": " Tem bolo de coco? "}, completion("Temos!"))
    assert texts(ask(server, "", media_type="audio", file=SOUND)) == ["Temos!"]
    heard, asked = server.received
    assert heard.path == "/v1/audio/transcriptions"
    assert b'filename="audio.ogg"' in heard.body
    assert b"OggS sound" in heard.body
    assert b"whisper-teste" in heard.body
    assert asked.json["messages"][-1] == {"role": "user", "content": "Tem bolo de coco?"}


@pytest.mark.parametrize(
    "answer",
    [
        Answer(404, "não há"),
        Answer(400, refusal("Invalid file format")),
        Answer(413, ""),
        Answer(body={"text": "  "}),
        Answer(body={"texto": "x"}),
    ],
)
def test_what_cannot_be_heard_is_asked_for_in_writing(server: WireServer, answer: Answer) -> None:
    answering(server, answer)
    outcome = ask(server, "", media_type="audio", file=SOUND)
    assert (texts(outcome), outcome.hand_over) == ([CANNOT_HEAR], None)


@pytest.mark.parametrize(
    "file", [None, File(b"", "audio/ogg"), File(b"x" * 9_000_000, "audio/ogg")]
)
def test_a_sound_that_is_missing_or_too_long_is_not_sent(
    server: WireServer, file: File | None
) -> None:
    assert texts(ask(server, "", media_type="audio", file=file)) == [CANNOT_HEAR]
    assert server.received == []


@pytest.mark.parametrize("status", [401, 429, 500])
def test_a_failing_transcription_is_a_failing_model(server: WireServer, status: int) -> None:
    answering(server, Answer(status, ""))
    with pytest.raises(ClientError):
        ask(server, "", media_type="audio", file=SOUND)


def test_a_picture_is_named_and_its_caption_read(server: WireServer) -> None:
    answering(server, completion("Que lindo!"), completion("Que lindo!"))
    ask(server, "", media_type="image")
    ask(server, "Meu bolo", media_type="image")
    said = [request.json["messages"][-1]["content"] for request in server.received]
    assert said == ["[imagem]", "Meu bolo"]


def test_what_says_nothing_is_not_answered(server: WireServer) -> None:
    assert ask(server, "👍", media_type="reaction") == Outcome()
    assert server.received == []
