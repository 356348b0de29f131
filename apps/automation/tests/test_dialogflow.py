import base64
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from apps.automation.clients.base import ClientError, File, Outcome
from apps.automation.clients.dialogflow import DialogflowClient, read_account
from apps.automation.clients.dialogflow_reading import read_answer
from apps.automation.tests.service_account import service_account
from apps.automation.tests.turns import ANA, make_turn
from apps.automation.tests.wire import Answer, Received, WireServer, wire_server


@pytest.fixture
def server(settings: Any) -> Iterator[WireServer]:
    settings.ALLOW_PRIVATE_TARGETS = ["127.0.0.0/8"]
    with wire_server() as running:
        yield running


def client(server: WireServer, **options: Any) -> DialogflowClient:
    given = {
        "project": "loja-bot",
        "credentials_json": service_account(),
        "endpoint": server.url,
        "timeout": 5,
    }
    return DialogflowClient(**{**given, **options})


def said(*texts: str, **result: Any) -> dict[str, Any]:
    messages = [{"text": {"text": [text]}} for text in texts]
    return {"responseId": "r", "queryResult": {"fulfillmentMessages": messages, **result}}


def answering(server: WireServer, body: Any) -> None:
    server.handler = lambda request: body if isinstance(body, Answer) else Answer(body=body)


def texts(outcome: Outcome) -> list[str]:
    return [reply.text for reply in outcome.replies]


def claims(token: str) -> dict[str, Any]:
    body = token.split(".")[1]
    return dict(json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))))


def failure(server: WireServer, **options: Any) -> ClientError:
    with pytest.raises(ClientError) as raised:
        client(server, **options).take_turn(make_turn())
    return raised.value


def test_the_agent_is_asked_in_the_contacts_session(server: WireServer) -> None:
    answering(server, said("Olá!", "Como posso ajudar?"))
    outcome = client(server, language="es").take_turn(make_turn("Bom dia"))
    [request] = server.received
    path = f"/v2/projects/loja-bot/agent/sessions/{ANA.uuid}:detectIntent"
    assert request.method == "POST"
    assert request.path.partition("?")[0] == path
    assert request.json["queryInput"]["text"] == {"text": "Bom dia", "languageCode": "es"}
    token = claims(request.headers["authorization"].removeprefix("Bearer "))
    assert token["iss"] == "bot@loja-bot.iam.gserviceaccount.com"
    assert token["aud"] == "https://dialogflow.googleapis.com/"
    assert abs(token["iat"] - time.time()) < 60
    assert token["exp"] == token["iat"] + 3600
    assert texts(outcome) == ["Olá!", "Como posso ajudar?"]
    assert outcome.session == {}
    assert outcome.hand_over is None
    [call] = outcome.calls
    assert (call.status_code, call.url) == (200, server.url + path)
    assert "PRIVATE" not in str(call)


def test_long_questions_are_cut_as_the_api_asks(server: WireServer) -> None:
    answering(server, said("Ok"))
    client(server).take_turn(make_turn("x" * 1000))
    assert len(server.received[0].json["queryInput"]["text"]["text"]) == 256


@pytest.mark.parametrize(
    "result",
    [
        {"diagnosticInfo": {"end_conversation": True}},
        {"intent": {"displayName": "Fim", "endInteraction": True}},
    ],
)
def test_the_end_of_the_conversation_hands_over(server: WireServer, result: Any) -> None:
    answering(server, said("Até logo!", **result))
    outcome = client(server).take_turn(make_turn())
    assert texts(outcome) == ["Até logo!"]
    assert outcome.session is None
    assert outcome.hand_over is not None
    assert outcome.hand_over.reason == "finished"


def test_an_agent_may_ask_for_a_person(server: WireServer) -> None:
    answering(server, said("Um momento", intent={"liveAgentHandoff": True}))
    outcome = client(server).take_turn(make_turn())
    assert outcome.hand_over is not None
    assert outcome.hand_over.reason == "asked"
    answering(server, {"queryResult": {"fulfillmentMessages": [{"payload": {"queueId": 4}}]}})
    hand_over = client(server).take_turn(make_turn()).hand_over
    assert hand_over is not None
    assert hand_over.queue_id == 4


def test_images_and_sounds_are_sent_as_files(server: WireServer) -> None:
    messages = [
        {"image": {"imageUri": f"{server.url}/foto.png", "accessibilityText": "A loja"}},
        {"payload": {"audio": f"{server.url}/voz.mp3"}},
        {"payload": {"image": f"{server.url}/sumiu.png"}},
    ]
    files = {
        "/foto.png": Answer(body=b"png", headers={"Content-Type": "image/png"}),
        "/voz.mp3": Answer(body=b"mp3", headers={"Content-Type": "audio/mpeg"}),
        "/sumiu.png": Answer(404),
    }
    spoken = {
        "queryResult": {"fulfillmentMessages": messages},
        "outputAudio": base64.b64encode(b"RIFF").decode(),
        "outputAudioConfig": {"audioEncoding": "OUTPUT_AUDIO_ENCODING_LINEAR_16"},
    }

    def handle(request: Received) -> Answer:
        return files.get(request.path, Answer(body=spoken))

    server.handler = handle
    image, sound, link, voice = client(server).take_turn(make_turn()).replies
    assert image.file is not None
    assert (image.file.mime, image.text) == ("image/png", "A loja")
    assert sound.file is not None
    assert (sound.file.content, sound.is_voice) == (b"mp3", True)
    assert link.text == f"{server.url}/sumiu.png"
    assert voice.file == File(b"RIFF", "audio/wav", "resposta.wav")
    assert voice.is_voice


def test_quick_replies_are_a_menu_that_numbers_answer(server: WireServer) -> None:
    quick = {"quickReplies": {"title": "Qual?", "quickReplies": ["Boleto", "Pix"]}}
    answering(server, {"queryResult": {"fulfillmentMessages": [quick]}})
    outcome = client(server).take_turn(make_turn())
    assert texts(outcome) == ["Qual?\n\n*1* - Boleto\n*2* - Pix"]
    client(server).take_turn(make_turn("2", session=outcome.session))
    assert server.received[-1].json["queryInput"]["text"]["text"] == "Pix"
    client(server).take_turn(make_turn("quero outra coisa", session=outcome.session))
    assert server.received[-1].json["queryInput"]["text"]["text"] == "quero outra coisa"
    [native] = client(server).take_turn(make_turn(native_menus=True)).replies
    assert [option.title for option in native.options] == ["Boleto", "Pix"]


def test_a_voice_note_is_asked_as_sound(server: WireServer) -> None:
    answering(server, said("Entendi"))
    rate = (16000).to_bytes(4, "little")
    note = b"OggS" + b"\0" * 24 + b"OpusHead" + bytes([1, 1, 0, 0]) + rate + b"\0" * 20
    turn = make_turn("", media_type="audio", file=File(note, "audio/ogg"))
    client(server).take_turn(turn)
    sent = server.received[0].json
    assert sent["queryInput"]["audioConfig"]["sampleRateHertz"] == 16000
    assert base64.b64decode(sent["inputAudio"]) == note


@pytest.mark.parametrize(
    ("language", "words"), [("pt-BR", "só texto"), ("en", "only understand"), ("es", "solo")]
)
def test_what_the_agent_can_not_read_is_said(server: WireServer, language: str, words: str) -> None:
    turn = make_turn("", media_type="image", session={"choices": None})
    outcome = client(server, language=language).take_turn(turn)
    assert words in texts(outcome)[0]
    assert outcome.session is not None
    assert server.received == []


@pytest.mark.parametrize(
    ("status", "permanent", "words", "reason"),
    [
        (400, True, "Unsupported language", "dialogflow_refused"),
        (401, True, "recusou a chave", "google_key_refused"),
        (403, True, "não tem acesso", "project_forbidden"),
        (404, True, "não existe", "project_unknown"),
        (429, False, "cota", "dialogflow_quota"),
        (500, False, "500", "server_error"),
        (503, False, "503", "server_error"),
    ],
)
def test_refusals_are_said_in_words(
    server: WireServer, status: int, permanent: bool, words: str, reason: str
) -> None:
    body = {"error": {"code": status, "message": "Unsupported language", "status": "X"}}
    answering(server, Answer(status, body))
    error = failure(server)
    assert words in error.message
    assert (error.reason.code, error.calls[-1].reason) == (reason, error.reason)
    assert error.permanent is permanent
    assert error.retry_after == (30 if status == 429 else None)
    assert error.calls[-1].status_code == status
    # Only Google's own signing is tried again, never the message.
    assert len(server.received) <= 3


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'"x"', b'{"queryResult": 3}', b""])
def test_a_malformed_answer_is_an_error(server: WireServer, body: bytes) -> None:
    answering(server, Answer(body=body, headers={"Content-Type": "application/json"}))
    if body:
        assert "não pôde ser entendida" in failure(server).message
    else:
        assert failure(server).calls


def test_an_odd_refusal_is_an_error_too(server: WireServer) -> None:
    answering(server, Answer(500, b"<html>"))
    assert "500" in failure(server).message


def test_a_slow_or_absent_agent_is_not_waited_for(server: WireServer) -> None:
    gate = threading.Event()
    answering(server, Answer(body=said("tarde"), gate=gate))
    error = failure(server, timeout=0.2)
    gate.set()
    assert "não respondeu" in error.message
    assert not error.permanent
    gone = failure(server, endpoint="http://127.0.0.1:1")
    assert "conectar" in gone.message
    assert not gone.permanent


def test_a_huge_answer_is_cut(server: WireServer) -> None:
    answering(server, said("palavra " * 2000, *["a"] * 200))
    outcome = client(server).take_turn(make_turn())
    assert all(len(reply.text) <= 4096 for reply in outcome.replies)
    assert len(outcome.replies) < 40


def is_refused(text: str, words: str) -> None:
    with pytest.raises(ClientError) as raised:
        read_account(text)
    assert words in raised.value.message
    assert raised.value.permanent


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "não pôde ser lido"), ("{", "não pôde ser lido"), ("[]", "conta de serviço")],
)
def test_a_text_that_is_no_account_is_said_in_words(text: str, words: str) -> None:
    is_refused(text, words)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"type": "authorized_user"}, "conta de serviço"),
        ({"type": "external_account"}, "conta de serviço"),
        ({"client_email": ""}, "client_email"),
        ({"private_key": None}, "private_key"),
        ({"token_uri": "http://169.254.169.254/token"}, "token_uri"),
        ({"token_uri": "xhttps://oauth2.googleapis.com/token"}, "token_uri"),
    ],
)
def test_a_wrong_account_is_said_in_words(fields: dict[str, Any], words: str) -> None:
    is_refused(service_account(**fields), words)


def test_a_broken_key_is_said_in_words(server: WireServer) -> None:
    error = failure(server, credentials_json=service_account(private_key="x"))
    assert "chave privada" in error.message
    assert error.permanent


def test_no_address_of_the_json_is_called(server: WireServer) -> None:
    tricked = service_account(
        universe_domain="evil.example", auth_uri=server.url, client_x509_cert_url=server.url
    )
    answering(server, said("Ok"))
    client(server, credentials_json=tricked).take_turn(make_turn())
    assert len(server.received) == 1


@pytest.mark.parametrize("project", ["a/b", "../x", " ", "com espaço"])
def test_a_project_is_a_name_and_no_path(server: WireServer, project: str) -> None:
    error = failure(server, project=project, credentials_json=service_account(project_id=""))
    assert "ID do projeto" in error.message


def test_the_accounts_own_project_stands_in(server: WireServer) -> None:
    answering(server, said("Ok"))
    client(server, project="").take_turn(make_turn())
    assert "/projects/loja-bot/" in server.received[0].path


def test_the_library_is_imported_with_the_first_message_only() -> None:
    code = "import apps.automation.clients.dialogflow, sys; assert 'google.auth' not in sys.modules"
    given = {"DJANGO_SETTINGS_MODULE": "config.settings", "PATH": ""}
    subprocess.run([sys.executable, "-c", code], check=True, env=given, timeout=60)


ANSWERS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("nothing", {}, []),
    ("the plain text", {"fulfillmentText": "Oi"}, ["Oi"]),
    (
        "one of the variants",
        {"fulfillmentMessages": [{"text": {"text": ["", "a", "b"]}}]},
        ["a"],
    ),
    (
        "messages for no platform before those for one",
        {
            "fulfillmentMessages": [
                {"platform": "FACEBOOK", "text": {"text": ["f"]}},
                {"text": {"text": ["geral"]}},
            ]
        },
        ["geral"],
    ),
    (
        "else those of the first platform",
        {
            "fulfillmentMessages": [
                {"platform": "FACEBOOK", "text": {"text": ["f"]}},
                {"platform": "SLACK", "text": {"text": ["s"]}},
            ]
        },
        ["f"],
    ),
    (
        "a card without a picture",
        {"fulfillmentMessages": [{"card": {"title": "Plano", "subtitle": "R$ 10"}}]},
        ["*Plano*\nR$ 10"],
    ),
    (
        "rich content",
        {
            "fulfillmentMessages": [
                {
                    "payload": {
                        "richContent": [
                            [
                                {"type": "info", "title": "Horário", "subtitle": "9h às 18h"},
                                {
                                    "type": "description",
                                    "title": "Onde",
                                    "text": ["Rua A", "Santos"],
                                },
                                {"type": "button", "text": "Mapa", "link": "https://m.example"},
                            ]
                        ]
                    }
                }
            ]
        },
        ["*Horário*\n9h às 18h", "*Onde*\nRua A\nSantos", "Mapa https://m.example"],
    ),
    (
        "nonsense",
        {"fulfillmentMessages": [3, {"text": 1}, {"payload": {"richContent": [1]}}, {"card": []}]},
        [],
    ),
]


@pytest.mark.parametrize(
    ("result", "shown"), [row[1:] for row in ANSWERS], ids=[row[0] for row in ANSWERS]
)
def test_an_answer_is_read_as_messages(result: dict[str, Any], shown: list[str]) -> None:
    answer = read_answer({"queryResult": result})
    assert [part.text for part in answer.parts] == shown
    assert answer.hand_over is None
