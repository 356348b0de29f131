import socket
import threading
from collections.abc import Iterator
from inspect import signature
from typing import Any

import pytest

from apps.automation.clients.base import ClientError
from apps.automation.clients.http import exchange, fetch_file, read_json, shown_url
from apps.automation.tests.wire import Answer, WireServer, wire_server
from apps.common.reasons import Reason, ReasonCode
from tests.services import free_port

PNG = b"\x89PNG\r\n\x1a\n" + bytes(8)
JPEG = b"\xff\xd8\xff\xe0" + bytes(8)


@pytest.fixture
def server(settings: Any) -> Iterator[WireServer]:
    settings.ALLOW_PRIVATE_TARGETS = ["127.0.0.0/8"]
    with wire_server() as running:
        yield running


def _error(url: str, **given: object) -> ClientError:
    with pytest.raises(ClientError) as raised:
        exchange("POST", url, event="message", json={"a": 1}, **given)  # type: ignore[arg-type]
    return raised.value


def test_an_answer_comes_with_its_entry_for_the_log(server: WireServer) -> None:
    server.handler = lambda request: Answer(body={"ok": True})
    response, call = exchange("POST", f"{server.url}/flow", event="message", json={"text": "Olá"})
    assert (response.status, read_json(response, call)) == (200, {"ok": True})
    [request] = server.received
    assert (request.method, request.path, request.json) == ("POST", "/flow", {"text": "Olá"})
    assert request.headers["content-type"] == "application/json"
    assert call.event == "message"
    assert call.request_body == {"text": "Olá"}
    assert call.response_text == '{"ok": true}'
    assert call.status_code == 200
    assert call.error == ""


def test_a_form_and_files_are_sent_as_such(server: WireServer) -> None:
    exchange("POST", server.url, event="form", data={"a": "é"})
    exchange(
        "POST",
        server.url,
        event="upload",
        data={"model": "whisper"},
        files={"file": ("a.ogg", b"OggS", "audio/ogg")},
        logged={"file": "a.ogg"},
    )
    form, upload = server.received
    assert form.body == b"a=%C3%A9"
    assert upload.headers["content-type"].startswith("multipart/form-data; boundary=")
    assert b'name="model"\r\n\r\nwhisper' in upload.body
    assert b"OggS" in upload.body


@pytest.mark.parametrize(
    ("status", "permanent"),
    [(400, True), (401, True), (404, True), (410, True), (408, False), (429, False), (500, False)],
)
def test_a_refusal_is_an_error_that_knows_whether_to_try_again(
    server: WireServer, status: int, permanent: bool
) -> None:
    server.handler = lambda request: Answer(status=status, body="não")
    error = _error(server.url)
    assert error.permanent is permanent
    assert error.calls[-1].status_code == status
    assert error.calls[-1].response_text == "não"
    assert str(status) in error.calls[-1].error
    assert str(status) in error.reason.detail
    assert error.calls[-1].reason == error.reason


@pytest.mark.parametrize(("asked", "waited"), [("7", 7.0), ("86400", 300.0), ("amanhã", None)])
def test_the_pause_that_is_asked_for_is_kept_within_bounds(
    server: WireServer, asked: str, waited: float | None
) -> None:
    server.handler = lambda request: Answer(
        status=429, headers={"Retry-After": asked.encode().decode("latin-1")}
    )
    assert _error(server.url).retry_after == waited


def test_a_silent_server_holds_nobody_past_the_time_out(server: WireServer) -> None:
    gate = threading.Event()
    server.handler = lambda request: Answer(gate=gate)
    try:
        error = _error(server.url, timeout=0.2)
    finally:
        gate.set()
    assert not error.permanent
    assert "não respondeu" in error.message
    assert error.calls[-1].reason == Reason(ReasonCode.SERVER_TIMEOUT, "127.0.0.1 (1 s)")
    assert error.calls[-1].status_code is None
    assert error.calls[-1].duration_ms < 5000
    # How long it is where nothing else is said.
    assert signature(exchange).parameters["timeout"].default == 10


def test_a_server_that_drips_holds_nobody_past_the_time_out(server: WireServer) -> None:
    stop = threading.Event()

    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(4096)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            while not stop.wait(0.02):
                try:
                    connection.sendall(b"a")
                except OSError:
                    return

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        error = _error(f"http://127.0.0.1:{listener.getsockname()[1]}/", timeout=0.3)
    finally:
        stop.set()
        thread.join()
        listener.close()
    assert "não respondeu" in error.message
    assert error.calls[-1].duration_ms < 3000


def test_a_huge_answer_is_cut_off(server: WireServer) -> None:
    server.handler = lambda request: Answer(body=b"x" * 5000)
    error = _error(server.url, max_bytes=4096)
    assert "grande demais" in error.message


@pytest.mark.parametrize("raw", [b"220 mail.example ESMTP\r\n", b"", b"HTTP/1.1 200"])
def test_an_answer_that_is_not_http_is_an_error_in_words(server: WireServer, raw: bytes) -> None:
    server.handler = lambda request: Answer(raw=raw)
    error = _error(server.url)
    assert not error.permanent
    assert error.calls[-1].error == error.message


def test_text_that_is_not_json_is_an_error(server: WireServer) -> None:
    server.handler = lambda request: Answer(body="<html>")
    with pytest.raises(ClientError) as raised:
        read_json(*exchange("GET", server.url, event="message"))
    assert raised.value.calls[-1].response_text == "<html>"


def test_what_the_log_keeps_has_no_null_characters_and_an_end(server: WireServer) -> None:
    server.handler = lambda request: Answer(body=b"a\x00\xff" + b"x" * 10_000)
    _, call = exchange("GET", server.url, event="message")
    assert "\x00" not in call.response_text
    assert len(call.response_text) < 5000


def test_a_redirect_is_not_followed_by_a_call(server: WireServer) -> None:
    server.handler = lambda request: Answer(status=302, headers={"Location": "/elsewhere"})
    error = _error(server.url)
    assert error.permanent
    assert "redireciona" in error.message
    assert len(server.received) == 1


def test_a_dead_port_and_an_unknown_host_are_errors_worth_another_try(server: WireServer) -> None:
    dead, unknown = _error(f"http://127.0.0.1:{free_port()}/"), _error("http://nowhere.invalid/")
    assert (dead.permanent, unknown.permanent) == (False, False)
    assert dead.reason == Reason(ReasonCode.SERVER_UNREACHABLE, "127.0.0.1")
    assert unknown.reason == Reason(ReasonCode.SERVER_UNKNOWN, "nowhere.invalid")


@pytest.mark.parametrize(
    "url",
    ["ftp://example.com/", "file:///etc/passwd", "gopher://x", "//x", "", "http://", "http://[::1"],
)
def test_other_schemes_and_broken_addresses_are_refused(url: str) -> None:
    assert _error(url).permanent


def test_a_file_is_fetched_over_redirects(server: WireServer) -> None:
    server.handler = lambda request: (
        Answer(status=302, headers={"Location": "/b/foto.png"})
        if request.path == "/a"
        else Answer(body=b"PNG", headers={"Content-Type": "image/png; charset=x"})
    )
    file = fetch_file(f"{server.url}/a")
    assert (file.content, file.mime, file.name) == (b"PNG", "image/png", "foto.png")


@pytest.mark.parametrize(
    ("path", "declared", "content", "mime", "name"),
    [
        ("/blocks/cl9x", "image/png", PNG, "image/png", "cl9x.png"),
        ("/foto", "image/jpg", JPEG, "image/jpeg", "foto.jpg"),
        ("/foto", "application/octet-stream", PNG, "image/png", "foto.png"),
        ("/foto.v1.5", "", JPEG, "image/jpeg", "foto.v1.5.jpg"),
        ("/imagem.php?id=3", "image/png", PNG, "image/png", "imagem.png"),
        ("/foto.png", "image/png", PNG, "image/png", "foto.png"),
        ("/tabela.csv", "application/octet-stream", b"a;b", "", "tabela.csv"),
    ],
)
def test_a_file_goes_by_its_content_type_whatever_its_address_says(
    server: WireServer, path: str, declared: str, content: bytes, mime: str, name: str
) -> None:
    server.handler = lambda request: Answer(body=content, headers={"Content-Type": declared})
    file = fetch_file(f"{server.url}{path}")
    assert (file.mime, file.name) == (mime, name)


def test_a_loop_of_redirects_ends(server: WireServer) -> None:
    server.handler = lambda request: Answer(status=302, headers={"Location": "/"})
    with pytest.raises(ClientError):
        fetch_file(server.url)
    assert len(server.received) == 4


def test_a_redirect_into_the_own_network_is_refused(server: WireServer, settings: Any) -> None:
    settings.ALLOW_PRIVATE_TARGETS = ["127.0.0.1/32"]
    target = server.url.replace("127.0.0.1", "127.0.0.2")
    server.handler = lambda request: Answer(status=302, headers={"Location": f"{target}/secret"})
    with pytest.raises(ClientError) as raised:
        fetch_file(server.url)
    assert "rede interna" in raised.value.message
    assert len(server.received) == 1


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://a.example/x?token=abc&b=c", "https://a.example/x?token=…&b=…"),
        ("https://user:pass@a.example/x", "https://a.example/x"),
        ("https://a.example/x#y", "https://a.example/x"),
    ],
)
def test_the_log_shows_no_secret_of_an_address(url: str, shown: str) -> None:
    assert shown_url(url) == shown


def test_a_password_in_the_address_goes_as_basic_authentication(server: WireServer) -> None:
    exchange("GET", server.url.replace("http://", "http://ana:segredo@"), event="message")
    assert server.received[0].headers["authorization"] == "Basic YW5hOnNlZ3JlZG8="
