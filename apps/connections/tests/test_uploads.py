"""Files that Meta takes by a handle: the resumable upload, over real HTTP."""

from urllib.parse import parse_qs, urlsplit

import pytest

from apps.connections.providers.base import ProviderError
from apps.connections.providers.official.provider import OfficialProvider
from apps.connections.tests.graph import VERSION, Answer, GraphServer, fault

APP = "670843887433847"
SESSION = "upload:MTphdHRhY2htZW50?sig=ARZqkGCA"
PICTURE = b"\x89PNG\r\n\x1a\n and so on"


def upload(provider: OfficialProvider, app_id: str = APP, mime: str = "image/png") -> str:
    return provider.upload_handle(app_id, PICTURE, mime=mime, name="maçã & cia.png")


def test_a_file_is_announced_then_sent_whole(
    provider: OfficialProvider, graph: GraphServer
) -> None:
    graph.answers = [Answer({"id": SESSION}), Answer({"h": "4::aW1hZ2U=:ARb"})]
    assert upload(provider) == "4::aW1hZ2U=:ARb"
    begun, sent = graph.calls
    address = urlsplit(begun.path)
    assert (begun.method, address.path) == ("POST", f"/{VERSION}/{APP}/uploads")
    assert parse_qs(address.query) == {
        "file_name": ["maçã & cia.png"],
        "file_length": [str(len(PICTURE))],
        "file_type": ["image/png"],
    }
    assert begun.headers["authorization"] == "Bearer segredo"
    assert (sent.method, sent.path) == ("POST", f"/{VERSION}/{SESSION}")
    assert (sent.headers["authorization"], sent.headers["file_offset"]) == ("OAuth segredo", "0")
    assert sent.body == PICTURE


@pytest.mark.parametrize("app_id", ["", "app", "../me", "١٢"])
def test_without_an_app_nothing_is_asked(
    provider: OfficialProvider, graph: GraphServer, app_id: str
) -> None:
    with pytest.raises(ProviderError) as caught:
        upload(provider, app_id)
    assert (caught.value.reason.code, caught.value.permanent) == ("app_id_missing", True)
    assert graph.calls == []


def test_a_type_that_meta_does_not_take_is_refused_here(
    provider: OfficialProvider, graph: GraphServer
) -> None:
    with pytest.raises(ProviderError) as caught:
        upload(provider, mime="image/webp")
    assert caught.value.reason.code == "media_refused"
    assert graph.calls == []


@pytest.mark.parametrize(
    "answers",
    [
        [Answer({})],
        [Answer({"id": "https://elsewhere.example/"})],
        [Answer({"id": SESSION}), Answer({})],
        [Answer({"id": SESSION}), Answer({"h": 7})],
        [Answer({"id": SESSION}), Answer(b"<html>")],
    ],
)
def test_an_answer_that_names_no_file_is_a_fault_that_passes(
    provider: OfficialProvider, graph: GraphServer, answers: list[Answer]
) -> None:
    graph.answers = answers
    with pytest.raises(ProviderError) as caught:
        upload(provider)
    assert (caught.value.reason.code, caught.value.permanent) == ("malformed_answer", False)


def test_a_refusal_is_told_in_words(provider: OfficialProvider, graph: GraphServer) -> None:
    graph.answers = [fault(190, status=401)]
    with pytest.raises(ProviderError) as caught:
        upload(provider)
    assert (caught.value.needs_reconnect, caught.value.reason.code) == (True, "credentials_refused")
