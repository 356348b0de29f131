import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from apps.automation.clients.base import ClientError, Outcome, Reply
from apps.automation.clients.typebot import TypebotClient
from apps.automation.tests.turns import NOW, make_turn
from apps.automation.tests.wire import Answer, Received, WireServer, wire_server

BUTTONS = {
    "id": "q1",
    "type": "choice input",
    "items": [{"id": "a", "content": "Vendas"}, {"id": "b", "content": "Suporte"}],
}


@pytest.fixture
def server(settings: Any) -> Iterator[WireServer]:
    settings.ALLOW_PRIVATE_TARGETS = ["127.0.0.0/8"]
    with wire_server() as running:
        yield running


def bubble(text: str, identity: str = "m") -> dict[str, Any]:
    rich_text = [{"type": "p", "children": [{"text": text}]}]
    content = {"type": "richText", "richText": rich_text}
    return {"id": identity, "type": "text", "content": content}


def started(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"sessionId": "s1", "typebot": {"id": "t"}, "messages": list(messages), **more}


def answering(server: WireServer, *answers: Answer | dict[str, Any]) -> None:
    waiting = list(answers)

    def handle(request: Received) -> Answer:
        answer = waiting.pop(0)
        return Answer(body=answer) if isinstance(answer, dict) else answer

    server.handler = handle


def client(server: WireServer, **options: Any) -> TypebotClient:
    return TypebotClient(url=f"{server.url}/", slug="loja", **{"timeout": 5, **options})


def texts(outcome: Outcome) -> list[str]:
    return [reply.text for reply in outcome.replies]


def session(waiting: dict[str, Any] | None = None, identity: str = "s1") -> dict[str, Any]:
    from apps.automation.clients.typebot_inputs import read_input

    found = read_input(waiting)
    return {"id": identity, "input": found.as_json() if found else None}


def refused(server: WireServer, **options: Any) -> ClientError:
    with pytest.raises(ClientError) as raised:
        client(server, **options).take_turn(make_turn())
    return raised.value


def test_files_beyond_what_one_answer_may_hold_go_as_links(
    server: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.automation.clients.typebot.MAX_FILES", 10)
    picture = Answer(body=b"sixsix", headers={"Content-Type": "image/png"})
    url = f"{server.url}/foto.png"
    pictures = [{"id": n, "type": "image", "content": {"url": url}} for n in "123"]
    answering(server, started(*pictures), picture, picture, picture)
    replies = client(server).take_turn(make_turn()).replies
    assert [reply.file is not None for reply in replies] == [True, False, False]
    assert [reply.text for reply in replies[1:]] == [url, url]


def test_a_first_message_starts_the_flow_with_the_contact(server: WireServer) -> None:
    answering(server, started(bubble("Oi, Ana"), bubble("Qual área?"), input=BUTTONS))
    turn = make_turn("Bom dia", webhook_payload={"ticket": {"id": 12}})
    outcome = client(server, delay_ms=800).take_turn(turn)
    [request] = server.received
    assert (request.method, request.path) == ("POST", "/api/v1/typebots/loja/startChat")
    assert request.json == {
        "isStreamEnabled": False,
        "textBubbleContentFormat": "richText",
        "message": "Bom dia",
        "prefilledVariables": {
            "cidade": "Santos",
            "name": "Ana Souza",
            "pushName": "Ana Souza",
            "number": "5511987654321",
            "email": "ana@example.com",
            "ticketId": 12,
        },
    }
    assert texts(outcome) == ["Oi, Ana", "Qual área?\n\n*1* - Vendas\n*2* - Suporte"]
    assert [reply.delay_ms for reply in outcome.replies] == [800, 800]
    assert outcome.hand_over is None
    assert outcome.session is not None
    assert json.loads(json.dumps(outcome.session))["id"] == "s1"
    [call] = outcome.calls
    assert (call.event, call.status_code) == ("typebot.startChat", 200)


@pytest.mark.parametrize("said", ["2", "suporte"])
def test_a_choice_goes_on_in_the_flows_words(server: WireServer, said: str) -> None:
    answering(server, {"messages": [bubble("Certo")], "input": {"id": "q2", "type": "text input"}})
    outcome = client(server).take_turn(make_turn(said, session=session(BUTTONS)))
    [request] = server.received
    assert request.path == "/api/v1/sessions/s1/continueChat"
    assert request.json["message"] == "Suporte"
    assert texts(outcome) == ["Certo"]


def test_a_native_choice_goes_on_by_its_id(server: WireServer) -> None:
    answering(server, started(bubble("Qual área?"), input=BUTTONS))
    first = client(server).take_turn(make_turn(native_menus=True))
    [menu] = first.replies
    assert [option.id for option in menu.options] == ["a", "b"]
    answering(server, {"messages": [], "input": {"id": "q2", "type": "text input"}})
    turn = make_turn("Vendas", choice_id="a", session=first.session)
    client(server).take_turn(turn)
    assert server.received[-1].json["message"] == "Vendas"


def test_words_that_several_choices_share_carry_the_id(server: WireServer) -> None:
    same = {**BUTTONS, "items": [{"id": "a", "content": "Ver"}, {"id": "b", "content": "Ver"}]}
    answering(server, {"messages": [bubble("Ok")], "input": {"id": "q2", "type": "text input"}})
    client(server).take_turn(make_turn("2", session=session(same)))
    sent = server.received[-1].json["message"]
    assert sent == {"type": "text", "text": "Ver", "metadata": {"replyId": "b"}}


def test_an_invalid_choice_is_said_and_asked_again_without_a_call(server: WireServer) -> None:
    left = session(BUTTONS)
    outcome = client(server, unknown_message="Não entendi.").take_turn(make_turn("9", session=left))
    assert texts(outcome) == ["Não entendi.", "*1* - Vendas\n*2* - Suporte"]
    assert outcome.session == left
    assert server.received == []


def test_an_answer_that_leads_nowhere_is_not_understood(server: WireServer) -> None:
    block = {"id": "q2", "type": "email input"}
    answering(server, {"messages": [], "input": block})
    outcome = client(server, unknown_message="Não entendi.").take_turn(
        make_turn("x", session=session(block))
    )
    assert texts(outcome) == ["Não entendi."]


def test_the_flows_own_words_about_a_wrong_answer_stand(server: WireServer) -> None:
    block = {"id": "q2", "type": "email input"}
    answering(server, {"messages": [bubble("E-mail inválido")], "input": block})
    outcome = client(server, unknown_message="Não entendi.").take_turn(
        make_turn("x", session=session(block))
    )
    assert texts(outcome) == ["E-mail inválido"]


@pytest.mark.parametrize(
    ("minutes", "silence", "path"),
    [(10, 11, "startChat"), (10, 9, "continueChat"), (0, 9999, "continueChat")],
)
def test_silence_starts_the_flow_anew(
    server: WireServer, minutes: int, silence: int, path: str
) -> None:
    answering(server, started(bubble("Oi"), input={"id": "q", "type": "text input"}))
    turn = make_turn(session=session(), session_used_at=NOW - timedelta(minutes=silence))
    client(server, expires_minutes=minutes).take_turn(turn)
    assert server.received[-1].path.endswith(path)


def test_a_session_that_the_server_lost_starts_anew_once(server: WireServer) -> None:
    lost = Answer(404, {"message": "Session not found.", "code": "NOT_FOUND"})
    answering(server, lost, {**started(bubble("Oi"), input=BUTTONS), "sessionId": "s2"})
    outcome = client(server).take_turn(make_turn("1", session=session(BUTTONS)))
    assert outcome.session is not None
    assert outcome.session["id"] == "s2"
    assert [call.status_code for call in outcome.calls] == [404, 200]
    answering(server, lost, Answer(404))
    with pytest.raises(ClientError) as raised:
        client(server).take_turn(make_turn("1", session=session(BUTTONS)))
    assert raised.value.permanent
    assert len(raised.value.calls) == 2


def test_the_keyword_ends_the_flow(server: WireServer) -> None:
    outcome = client(server, keyword_finish="Sair").take_turn(
        make_turn(" SAIR ", session=session())
    )
    assert outcome.hand_over is not None
    assert outcome.hand_over.reason == "finished"
    assert outcome.session is None
    assert server.received == []


def test_the_keyword_restarts_with_its_message(server: WireServer) -> None:
    answering(server, started(bubble("Oi"), input={"id": "q", "type": "text input"}))
    options = {"keyword_restart": "reiniciar", "restart_message": "Vamos lá de novo."}
    outcome = client(server, **options).take_turn(make_turn("Reiniciar", session=session()))
    assert texts(outcome) == ["Vamos lá de novo.", "Oi"]
    [request] = server.received
    assert request.path.endswith("startChat")
    assert "message" not in request.json


def test_a_flow_without_a_further_question_is_over(server: WireServer) -> None:
    answering(server, {"messages": [bubble("Obrigado!")]})
    outcome = client(server).take_turn(make_turn(session=session()))
    assert texts(outcome) == ["Obrigado!"]
    assert outcome.session is None
    assert outcome.hand_over is not None
    assert outcome.hand_over.reason == "finished"


@pytest.mark.parametrize(
    ("command", "queue_id", "user_id"),
    [
        ('#{"queueId":3}', 3, None),
        ('#{"queueId":3,"userId":7}', 3, 7),
        ('#{"stopBot":true}', None, None),
    ],
)
def test_a_command_hands_over_and_is_never_shown(
    server: WireServer, command: str, queue_id: int | None, user_id: int | None
) -> None:
    answering(server, started(bubble("Já chamo alguém."), bubble(command), input=BUTTONS))
    outcome = client(server).take_turn(make_turn())
    assert texts(outcome) == ["Já chamo alguém."]
    assert outcome.session is None
    hand_over = outcome.hand_over
    assert hand_over is not None
    assert (hand_over.queue_id, hand_over.user_id, hand_over.reason) == (queue_id, user_id, "asked")


def test_a_malformed_command_is_dropped_and_logged(server: WireServer) -> None:
    answering(server, started(bubble("Oi"), bubble('#{"queueId":}'), input=BUTTONS))
    outcome = client(server).take_turn(make_turn())
    assert texts(outcome) == ["Oi\n\n*1* - Vendas\n*2* - Suporte"]
    assert outcome.hand_over is None
    logged = outcome.calls[-1]
    assert logged.request_body == {"command": '#{"queueId":}'}
    assert logged.error


def test_media_go_as_files_and_pages_as_links(server: WireServer) -> None:
    files = {
        "/foto.png": Answer(body=b"png", headers={"Content-Type": "image/png"}),
        "/voz.mp3": Answer(body=b"mp3", headers={"Content-Type": "audio/mpeg"}),
        "/clipe.mp4": Answer(body=b"mp4", headers={"Content-Type": "video/mp4"}),
        "/sumiu.png": Answer(404),
    }
    bubbles: list[dict[str, Any]] = [
        {"id": "1", "type": "image", "content": {"url": f"{server.url}/foto.png"}},
        {"id": "2", "type": "audio", "content": {"url": f"{server.url}/voz.mp3"}},
        {"id": "3", "type": "video", "content": {"type": "url", "url": f"{server.url}/clipe.mp4"}},
        {"id": "4", "type": "video", "content": {"type": "youtube", "id": "abc"}},
        {"id": "5", "type": "embed", "content": {"url": "https://mapa.example/1"}},
        {"id": "6", "type": "image", "content": {"url": f"{server.url}/sumiu.png"}},
        {"id": "7", "type": "image", "content": {"url": "file:///etc/passwd"}},
        {"id": "8", "type": "image", "content": None},
    ]
    start = Answer(body=started(*bubbles))
    server.handler = lambda request: files.get(request.path, start)
    outcome = client(server).take_turn(make_turn())
    image, audio, video, *links = outcome.replies
    assert image.file is not None
    assert (image.file.content, image.file.mime, image.is_voice) == (b"png", "image/png", False)
    assert audio.file is not None
    assert (audio.file.mime, audio.is_voice) == ("audio/mpeg", True)
    assert video.file is not None
    assert [reply.text for reply in links] == [
        "https://www.youtube.com/watch?v=abc",
        "https://mapa.example/1",
        f"{server.url}/sumiu.png",
    ]
    assert outcome.calls[-1].status_code == 404


def test_a_picture_without_extension_goes_by_its_content_type(server: WireServer) -> None:
    picture = Answer(body=b"png", headers={"Content-Type": "image/png"})
    bubbles = {"id": "1", "type": "image", "content": {"url": f"{server.url}/fotos/3f2a"}}
    start = Answer(body=started(bubbles))
    server.handler = lambda request: picture if request.path == "/fotos/3f2a" else start
    (image,) = client(server).take_turn(make_turn()).replies
    assert image.file is not None
    assert (image.file.mime, image.file.name) == ("image/png", "3f2a.png")


def test_a_file_inside_is_not_fetched(server: WireServer, settings: Any) -> None:
    settings.ALLOW_PRIVATE_TARGETS = ["127.0.0.1/32"]
    inside = {"id": "1", "type": "image", "content": {"url": "http://169.254.169.254/latest"}}
    answering(server, started(inside))
    outcome = client(server).take_turn(make_turn())
    assert outcome.replies == (Reply(text="http://169.254.169.254/latest"),)
    assert "rede interna" in outcome.calls[-1].error


def test_pictures_of_choices_come_before_the_question(server: WireServer) -> None:
    block = {
        "id": "q",
        "type": "picture choice input",
        "items": [{"id": "a", "title": "Bolo", "pictureSrc": f"{server.url}/bolo.png"}],
    }
    picture = Answer(body=b"png", headers={"Content-Type": "image/png"})
    start = Answer(body=started(bubble("Qual?"), input=block))
    server.handler = lambda request: picture if request.path == "/bolo.png" else start
    outcome = client(server).take_turn(make_turn())
    assert texts(outcome) == ["*1* - Bolo", "Qual?\n\n*1* - Bolo"]


def test_waits_and_pages_of_the_flow_are_kept(server: WireServer) -> None:
    actions = [
        {"type": "wait", "lastBubbleBlockId": "m1", "wait": {"secondsToWaitFor": 3}},
        {
            "type": "redirect",
            "lastBubbleBlockId": "m2",
            "redirect": {"url": "https://loja.example"},
        },
    ]
    answering(server, started(bubble("Um", "m1"), bubble("Dois", "m2"), clientSideActions=actions))
    outcome = client(server, delay_ms=100).take_turn(make_turn())
    assert texts(outcome) == ["Um", "Dois", "https://loja.example"]
    assert [reply.delay_ms for reply in outcome.replies] == [100, 3100, 100]


def test_a_flow_that_expects_a_browser_is_continued(server: WireServer) -> None:
    wait = {"type": "wait", "wait": {"secondsToWaitFor": 1}, "expectsDedicatedReply": True}
    answering(
        server,
        started(bubble("Um"), clientSideActions=[wait]),
        {"messages": [bubble("Dois")], "input": {"id": "q", "type": "text input"}},
    )
    outcome = client(server).take_turn(make_turn())
    assert texts(outcome) == ["Um", "Dois"]
    assert server.received[-1].path.endswith("continueChat")
    assert "message" not in server.received[-1].json
    always = {"messages": [], "clientSideActions": [wait]}
    server.handler = lambda request: Answer(body=always)
    client(server).take_turn(make_turn(session=session()))
    assert len(server.received) < 10


@pytest.mark.parametrize(
    ("block", "media_type", "sent"),
    [
        ({"type": "file input"}, "image", "https://m.example/1"),
        ({"type": "text input"}, "image", "legenda"),
        (
            {"type": "text input", "options": {"attachments": {"isEnabled": True}}},
            "image",
            {"type": "text", "text": "legenda", "attachedFileUrls": ["https://m.example/1"]},
        ),
        (
            {"type": "text input", "options": {"audioClip": {"isEnabled": True}}},
            "audio",
            {"type": "audio", "url": "https://m.example/1"},
        ),
    ],
)
def test_what_the_contact_attaches_goes_as_the_flow_takes_it(
    server: WireServer, block: dict[str, Any], media_type: str, sent: Any
) -> None:
    answering(server, {"messages": [bubble("Ok")], "input": BUTTONS})
    turn = make_turn(
        "legenda",
        media_type=media_type,
        session=session({"id": "q", **block}),
        webhook_payload={"message": {"mediaUrl": "https://m.example/1"}},
    )
    client(server).take_turn(turn)
    assert server.received[-1].json["message"] == sent


def test_nothing_to_say_is_not_understood(server: WireServer) -> None:
    where = "data:image/png;base64,1|https://maps.example|Loja"
    kept = session({"id": "q", "type": "text input"})
    turn = make_turn(where, media_type="locationMessage", session=kept)
    outcome = client(server, unknown_message="Não entendi.").take_turn(turn)
    assert texts(outcome) == ["Não entendi."]
    assert outcome.session is not None
    assert server.received == []


@pytest.mark.parametrize(
    ("status", "permanent", "words", "reason"),
    [
        (400, True, "publicado e aberto", "flow_not_started"),
        (401, True, "público", "flow_refused"),
        (403, True, "público", "flow_refused"),
        (404, True, "Confira o slug", "flow_unknown"),
        (429, False, "429", "server_error"),
        (500, False, "500", "server_error"),
        (503, False, "503", "server_error"),
    ],
)
def test_refusals_are_said_in_words(
    server: WireServer, status: int, permanent: bool, words: str, reason: str
) -> None:
    headers = {"Retry-After": "7"} if status == 429 else {}
    answering(server, Answer(status, {"message": "no"}, headers=headers))
    error = refused(server)
    assert (error.permanent, error.retry_after) == (permanent, 7 if status == 429 else None)
    assert words in error.message
    assert error.reason.code == reason
    assert error.calls[-1].status_code == status


@pytest.mark.parametrize(
    "body",
    [
        b"<html>",
        b"[]",
        b"null",
        b'{"messages": "x"}',
        b'{"messages": [], "input": {"id": "q", "type": "text input"}}',
    ],
)
def test_a_malformed_answer_is_an_error(server: WireServer, body: bytes) -> None:
    answering(server, Answer(body=body))
    error = refused(server)
    assert not error.permanent
    assert error.calls


def test_odd_parts_of_an_answer_are_left_out(server: WireServer) -> None:
    odd = [None, 3, {"type": "text"}, {"type": "text", "content": {"richText": 1}}, {"type": "new"}]
    answering(server, Answer(body=json.dumps({"sessionId": "s", "messages": odd})))
    assert client(server).take_turn(make_turn()).replies == ()


def test_a_slow_server_is_not_waited_for(server: WireServer) -> None:
    gate = threading.Event()
    answering(server, Answer(body=started(), gate=gate))
    error = refused(server, timeout=0.2)
    gate.set()
    assert not error.permanent
    assert "não respondeu" in error.message


def test_a_huge_answer_is_refused_and_a_long_text_cut(server: WireServer) -> None:
    answering(server, started(bubble("x" * 1_100_000)))
    assert "grande demais" in refused(server).message
    answering(server, started(bubble("palavra " * 1000), *[bubble("a")] * 100))
    outcome = client(server).take_turn(make_turn())
    assert all(len(reply.text) <= 4096 for reply in outcome.replies)
    assert len(outcome.replies) == 31


def test_an_address_with_the_apis_path_is_taken_too(server: WireServer) -> None:
    answering(server, started(bubble("Oi")))
    TypebotClient(url=f"{server.url}/api/v1/", slug="a/b").take_turn(make_turn())
    assert server.received[0].path == "/api/v1/typebots/a%2Fb/startChat"


def test_a_bubble_that_repeats_the_contact_is_no_command(server: WireServer) -> None:
    command = '#{"stopBot": true}'
    answering(server, started(bubble(command), input=BUTTONS))
    outcome = client(server).take_turn(make_turn(f"Olá {command}"))
    assert outcome.hand_over is None
    assert command in outcome.replies[0].text
