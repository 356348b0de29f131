"""The provider over real HTTP: what goes out, and what every fault becomes."""

import socket
import threading
from collections.abc import Callable
from email.message import Message
from email.parser import BytesParser

import pytest

from apps.common.reasons import ReasonCode
from apps.connections.providers.base import Provider, ProviderError
from apps.connections.providers.content import MediaContent, MessageKey, SendContext, SentMessage
from apps.connections.providers.official.client import GraphClient
from apps.connections.providers.official.provider import OfficialProvider
from apps.connections.tests.conftest import PHONE_NUMBER_ID
from apps.connections.tests.graph import SENT, VERSION, Answer, GraphServer, fault
from tests.services import free_port

TO = SendContext(to="5511999990000", callback_id="0b5a")


def raised(call: object, *arguments: object) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        call(*arguments)  # type: ignore[operator]
    return caught.value


def test_a_text_goes_to_the_number_with_the_token(
    provider: OfficialProvider, graph: GraphServer
) -> None:
    assert provider.send_text(TO, "Olá") == SentMessage("wamid.sent")
    [call] = graph.calls
    assert (call.method, call.path) == ("POST", f"/{VERSION}/{PHONE_NUMBER_ID}/messages")
    assert call.headers["authorization"] == "Bearer segredo"
    assert call.json["text"]["body"] == "Olá"
    assert call.json["biz_opaque_callback_data"] == "0b5a"


def test_connections_are_kept_between_sends(provider: OfficialProvider, graph: GraphServer) -> None:
    other = OfficialProvider(
        phone_number_id="1", access_token="t", base_url=graph.url, version=VERSION
    )
    provider.send_text(TO, "um")
    other.send_text(TO, "dois")
    assert [call.headers["connection"] for call in graph.calls] == ["keep-alive", "keep-alive"]


class TakenBack(Exception):
    """Raised where the mark finds that a message must not leave."""


def watched(url: str, on_writing: Callable[[], None]) -> OfficialProvider:
    return OfficialProvider(
        phone_number_id=PHONE_NUMBER_ID,
        access_token="t",
        base_url=url,
        version=VERSION,
        on_writing=on_writing,
    )


def test_the_mark_comes_once_and_before_the_message(graph: GraphServer) -> None:
    heard: list[int] = []
    watched(graph.url, lambda: heard.append(len(graph.calls))).send_text(TO, "Olá")
    assert heard == [0]
    assert len(graph.calls) == 1


def test_what_is_taken_back_at_the_mark_does_not_leave(graph: GraphServer) -> None:
    def take_back() -> None:
        raise TakenBack

    with pytest.raises(TakenBack):
        watched(graph.url, take_back).send_text(TO, "Olá")
    watched(graph.url, lambda: None).send_text(TO, "Oi")
    # Of the first, the server saw the headers at most.
    arrived = [call.json["text"]["body"] for call in graph.calls if call.body]
    assert arrived == ["Oi"]


def test_a_connection_that_breaks_before_the_message_leaves_is_no_unknown_outcome() -> None:
    heard: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def hang_up() -> None:
            server.accept()[0].close()

        threading.Thread(target=hang_up, daemon=True).start()
        port = server.getsockname()[1]  # where nobody speaks TLS
        broken = watched(f"https://127.0.0.1:{port}", lambda: heard.append("left"))
        error = raised(broken.send_text, TO, "Olá")
    assert (error.outcome_unknown, error.permanent, heard) == (False, False, [])


def form_parts(body: bytes, content_type: str) -> dict[str, Message]:
    head = f"Content-Type: {content_type}\r\n\r\n".encode()
    parts = BytesParser().parsebytes(head + body).get_payload()
    assert isinstance(parts, list)
    return {
        str(part.get_param("name", header="content-disposition")): part
        for part in parts
        if isinstance(part, Message)
    }


def test_media_are_uploaded_as_a_form_and_sent_by_id(
    provider: OfficialProvider, graph: GraphServer
) -> None:
    graph.answers = [Answer({"id": "media1"}), SENT]
    photo = MediaContent(
        kind="image", content=b"\x89PNG\x00\r\n", mime="image/png", name="maçã.png", caption="Veja"
    )
    assert provider.send_media(TO, photo).external_id == "wamid.sent"
    upload, message = graph.calls
    assert upload.path == f"/{VERSION}/{PHONE_NUMBER_ID}/media"
    parts = form_parts(upload.body, upload.headers["content-type"])
    assert set(parts) == {"file", "messaging_product", "type"}
    assert parts["messaging_product"].get_payload(decode=True) == b"whatsapp"
    assert parts["type"].get_payload(decode=True) == b"image/png"
    assert parts["file"].get_content_type() == "image/png"
    assert b"\x89PNG\x00\r\n" in upload.body
    assert message.json["image"] == {"id": "media1", "caption": "Veja"}


def test_a_failed_upload_sends_nothing_and_may_be_tried_again(
    provider: OfficialProvider, graph: GraphServer
) -> None:
    graph.answers = [Answer(hangs=True)]
    error = raised(provider.send_media, TO, MediaContent("image", b"x", "image/png"))
    assert not error.outcome_unknown
    assert not error.permanent
    assert len(graph.calls) == 1


def test_an_upload_without_an_id_may_be_tried_again(
    provider: OfficialProvider, graph: GraphServer
) -> None:
    graph.answers = [Answer({"id": ""})]
    error = raised(provider.send_media, TO, MediaContent("image", b"x", "image/png"))
    assert (error.permanent, error.outcome_unknown) == (False, False)


def test_an_answer_that_does_not_come_leaves_the_outcome_unknown(
    provider: OfficialProvider, graph: GraphServer
) -> None:
    graph.answers = [Answer(hangs=True)]
    error = raised(provider.send_text, TO, "Olá")
    assert (error.code, error.outcome_unknown, error.permanent) == ("timeout", True, False)


def test_a_connection_that_breaks_leaves_the_outcome_unknown(
    provider: OfficialProvider, graph: GraphServer
) -> None:
    graph.answers = [Answer(drops=True)]
    error = raised(provider.send_text, TO, "Olá")
    assert (error.code, error.outcome_unknown) == ("broken_connection", True)


def test_a_provider_that_is_down_is_a_passing_fault() -> None:
    provider = OfficialProvider(
        phone_number_id="1",
        access_token="t",
        base_url=f"http://127.0.0.1:{free_port()}",
        version=VERSION,
    )
    error = raised(provider.send_text, TO, "Olá")
    assert (error.code, error.outcome_unknown, error.permanent) == ("unreachable", False, False)
    assert error.message == "Não foi possível falar com a Meta."


@pytest.mark.parametrize("status", [500, 502, 503])
def test_a_server_fault_is_passing(
    provider: OfficialProvider, graph: GraphServer, status: int
) -> None:
    graph.answers = [Answer(b"<html>oops</html>", status=status)]
    error = raised(provider.send_text, TO, "Olá")
    assert error.code == f"http_{status}"
    assert (error.permanent, error.outcome_unknown) == (False, False)


def test_a_gateway_time_out_leaves_the_outcome_unknown(
    provider: OfficialProvider, graph: GraphServer
) -> None:
    graph.answers = [Answer(b"", status=504)]
    assert raised(provider.send_text, TO, "Olá").outcome_unknown


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", {"messages": []}, {"messages": [{}]}, {"messages": "x"}]
)
def test_an_unreadable_success_leaves_the_outcome_unknown(
    provider: OfficialProvider, graph: GraphServer, body: object
) -> None:
    graph.answers = [Answer(body)]
    error = raised(provider.send_text, TO, "Olá")
    assert (error.code, error.outcome_unknown) == ("malformed_answer", True)


def test_an_error_with_status_200_is_an_error(
    provider: OfficialProvider, graph: GraphServer
) -> None:
    graph.answers = [fault(131026, status=200)]
    assert raised(provider.send_text, TO, "Olá").permanent


def test_a_429_with_a_code_pauses_the_number_for_as_long_as_asked(
    provider: OfficialProvider, graph: GraphServer
) -> None:
    answer = fault(130429, status=429)
    answer.headers["Retry-After"] = "17"
    graph.answers = [answer]
    error = raised(provider.send_text, TO, "Olá")
    assert (error.code, error.pauses_connection, error.retry_after) == ("130429", True, 17.0)


def test_a_429_without_a_code_pauses_the_number(
    provider: OfficialProvider, graph: GraphServer
) -> None:
    graph.answers = [Answer(b"slow down", status=429)]
    error = raised(provider.send_text, TO, "Olá")
    assert (error.pauses_connection, error.retry_after) == (True, None)


def test_a_token_that_no_header_carries_is_refused_in_words(graph: GraphServer) -> None:
    provider = OfficialProvider(
        phone_number_id="1", access_token="não\n", base_url=graph.url, version=VERSION
    )
    assert raised(provider.send_text, TO, "Olá").needs_reconnect
    assert graph.calls == []


def test_a_download_asks_for_the_address_and_fetches_it_with_the_token(
    provider: OfficialProvider, graph: GraphServer
) -> None:
    graph.answers = [
        Answer({"url": f"{graph.url}/files/1?x=2", "mime_type": "image/jpeg", "id": "77"}),
        Answer(b"jpeg"),
    ]
    media = provider.download_media("77")
    assert (media.content, media.mime) == (b"jpeg", "image/jpeg")
    address, file = graph.calls
    assert address.path == f"/{VERSION}/77"
    assert file.path == "/files/1?x=2"
    assert file.headers["authorization"] == "Bearer segredo"


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example/file",
        "http://lookaside.fbsbx.com/file",
        "https://lookaside.fbsbx.com.evil.example/file",
        "https://lookaside.fbsbx.com@evil.example/file",
        "http://127.0.0.1:1/file",
        "file:///etc/passwd",
        "https://[broken",
        "",
    ],
)
def test_the_token_goes_to_no_foreign_host(
    provider: OfficialProvider, graph: GraphServer, url: str
) -> None:
    graph.answers = [Answer({"url": url})]
    assert raised(provider.download_media, "77").permanent
    assert len(graph.calls) == 1


def test_a_file_that_meta_no_longer_has_is_gone_for_good(
    provider: OfficialProvider, graph: GraphServer
) -> None:
    gone = {"message": "Unsupported get request.", "code": 100, "error_subcode": 33}
    graph.answers = [Answer({"error": gone}, status=400)]
    error = raised(provider.download_media, "77")
    assert (error.code, error.permanent) == ("media_gone", True)
    assert error.reason.code == ReasonCode.MEDIA_NOT_FETCHED
    assert "número" not in error.message


def test_an_address_that_ended_is_asked_for_once_more(
    provider: OfficialProvider, graph: GraphServer
) -> None:
    address = Answer({"url": f"{graph.url}/file", "mime_type": "image/png"})
    graph.answers = [address, Answer(b"", status=404), address, Answer(b"png")]
    assert provider.download_media("77").content == b"png"
    graph.answers = [address, Answer(b"", status=404)] * 2
    assert raised(provider.download_media, "77").permanent
    assert len(graph.calls) == 8


def test_a_redirect_is_not_followed(provider: OfficialProvider, graph: GraphServer) -> None:
    graph.answers = [
        Answer({"url": f"{graph.url}/file"}),
        Answer(b"", status=302, headers={"Location": "http://evil.example/"}),
    ]
    raised(provider.download_media, "77")
    assert len(graph.calls) == 2


def test_a_download_stops_at_its_limit(graph: GraphServer) -> None:
    graph.answers = [Answer(b"x" * 5000)]
    client = GraphClient(access_token="t", base_url=graph.url, version=VERSION, download_bytes=1000)
    error = raised(client.download, f"{graph.url}/file", "", "")
    assert (error.code, error.permanent) == ("too_large", True)


@pytest.mark.parametrize("media_id", ["", "../me", "1/2", "1?x", "é"])
def test_a_media_id_can_not_name_another_address(
    provider: OfficialProvider, graph: GraphServer, media_id: str
) -> None:
    assert raised(provider.download_media, media_id).code == "bad_media_id"
    assert graph.calls == []


def test_a_download_without_an_address_may_be_tried_again(
    provider: OfficialProvider, graph: GraphServer
) -> None:
    graph.answers = [Answer({"id": "77"})]
    assert not raised(provider.download_media, "77").permanent


def test_the_number_is_read_in_digits(provider: OfficialProvider, graph: GraphServer) -> None:
    graph.answers = [Answer({"display_phone_number": "+55 11 98888-7777"})]
    assert provider.phone_number() == "5511988887777"
    assert graph.calls[0].path.startswith(f"/{VERSION}/{PHONE_NUMBER_ID}?fields=display_phone")


@pytest.mark.parametrize("answer", [{}, {"display_phone_number": 5}, {"display_phone_number": "-"}])
def test_an_answer_that_names_no_number_is_no_refusal(
    provider: OfficialProvider, graph: GraphServer, answer: object
) -> None:
    graph.answers = [Answer(answer)]
    assert provider.phone_number() == ""


def test_a_read_receipt_is_sent(provider: OfficialProvider, graph: GraphServer) -> None:
    graph.answers = [Answer({"success": True})]
    provider.mark_read(MessageKey("wamid.x"))
    assert graph.calls[0].json["status"] == "read"


def test_what_the_cloud_api_can_not_do_is_refused_in_words(provider: OfficialProvider) -> None:
    capable: Provider = provider
    assert not capable.capabilities.edit
    assert not capable.capabilities.delete
    edit = raised(provider.edit, TO, MessageKey("wamid.x"), "novo")
    delete = raised(provider.delete, TO, MessageKey("wamid.x"))
    assert edit.permanent
    assert delete.permanent
    assert edit.message == "A API oficial não permite editar mensagens enviadas."
    assert delete.message == "A API oficial não permite apagar mensagens enviadas."
    provider.close()
