"""The list of templates over real HTTP: pages, odd answers, faults; and what is kept of it."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.cache import cache

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection, ProviderKind
from apps.connections.providers.base import ProviderError
from apps.connections.providers.official import paging as listing
from apps.connections.providers.official.provider import OfficialProvider
from apps.connections.services import find_template, template_connection, templates_of
from apps.connections.services.templates import (
    NoOfficialConnection,
    TemplateNotApproved,
    TemplateNotFound,
    TemplatesUnavailable,
)
from apps.connections.template_files import is_whole
from apps.connections.tests.graph import VERSION, Answer, GraphServer, fault
from tests.factories import make_connection

ACCOUNT = "200000000000009"


def row(name: str, **fields: Any) -> dict[str, Any]:
    body = {"type": "BODY", "text": "Olá!"}
    return {
        "id": f"9{len(name)}",
        "name": name,
        "language": "pt_BR",
        "status": "APPROVED",
        "category": "UTILITY",
        "components": [body],
        **fields,
    }


def page(*rows: Any, after: str = "") -> Answer:
    paging: dict[str, Any] = {"cursors": {"before": "x", "after": after or "last"}}
    if after:
        paging["next"] = "https://graph.facebook.com/next"
    return Answer({"data": list(rows), "paging": paging})


def query_of(call: Any) -> dict[str, list[str]]:
    return parse_qs(urlsplit(call.path).query)


def test_all_pages_are_read(provider: OfficialProvider, graph: GraphServer) -> None:
    graph.answers = [page(row("a"), after="A"), page(row("b"), after="B"), page(row("c"))]
    assert [each["name"] for each in provider.list_templates(ACCOUNT)] == ["a", "b", "c"]
    assert [query_of(call).get("after") for call in graph.calls] == [None, ["A"], ["B"]]
    assert urlsplit(graph.calls[0].path).path == f"/{VERSION}/{ACCOUNT}/message_templates"
    assert "components" in query_of(graph.calls[0])["fields"][0].split(",")
    assert graph.calls[0].headers["authorization"] == "Bearer segredo"


def test_pages_that_go_round_in_a_circle_end(
    provider: OfficialProvider, graph: GraphServer
) -> None:
    graph.answers = [page(row("a"), after="A")]
    assert len(provider.list_templates(ACCOUNT)) == 2
    assert len(graph.calls) == 2


def test_an_endless_list_is_cut(
    provider: OfficialProvider, graph: GraphServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "MOST_PAGES", 3)
    graph.answers = [page(row("a"), after=str(number)) for number in range(9)]
    assert len(provider.list_templates(ACCOUNT)) == 3


def test_pages_that_come_too_slowly_are_given_up(
    provider: OfficialProvider, graph: GraphServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "PATIENCE_SECONDS", -1.0)
    graph.answers = [page(row("a"), after="A"), page(row("b"))]
    with pytest.raises(ProviderError) as caught:
        provider.list_templates(ACCOUNT)
    assert caught.value.code == "timeout"


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Answer(b"<html>"), "malformed_answer"),
        (Answer({"data": "none"}), "malformed_answer"),
        (Answer({}), "malformed_answer"),
        (Answer([]), "malformed_answer"),
        (Answer(hangs=True), "timeout"),
        (Answer(drops=True), "broken_connection"),
        (fault(190, status=401), "190"),
        (fault(4), "4"),
        (fault(80008, status=400), "80008"),
        (fault(100, error_subcode=33), "100"),
        (fault(2, status=503), "2"),
        (Answer(b"Bad gateway", status=502), "http_502"),
    ],
)
def test_a_list_that_can_not_be_had_says_so_in_words(
    provider: OfficialProvider, graph: GraphServer, answer: Answer, code: str
) -> None:
    graph.answers = [answer]
    with pytest.raises(ProviderError) as caught:
        provider.list_templates(ACCOUNT)
    assert caught.value.code == code
    assert caught.value.message.endswith(".")
    assert not caught.value.outcome_unknown


@pytest.mark.parametrize("account", ["", "../100", "1?x=1", "２"])
def test_an_account_that_is_no_id_is_not_asked_for(
    provider: OfficialProvider, graph: GraphServer, account: str
) -> None:
    with pytest.raises(ProviderError):
        provider.list_templates(account)
    assert graph.calls == []


@pytest.mark.django_db
class TestKept:
    def test_the_list_is_kept_until_asked_anew(
        self, connection: Connection, graph: GraphServer
    ) -> None:
        graph.answers = [page(row("b"), row("a"), 5, {"odd": True})]
        assert [each.name for each in templates_of(connection)] == ["a", "b"]
        templates_of(connection)
        assert len(graph.calls) == 1
        templates_of(connection, refresh=True)
        assert len(graph.calls) == 2

    def test_another_account_has_another_list(
        self, connection: Connection, graph: GraphServer
    ) -> None:
        graph.answers = [page(row("a"))]
        templates_of(connection)
        connection.waba_id = "299999999999999"
        templates_of(connection)
        assert len(graph.calls) == 2

    def test_what_is_not_known_as_approved_is_looked_up_anew(
        self, connection: Connection, graph: GraphServer
    ) -> None:
        graph.answers = [page(row("a", status="PENDING"), row("b")), page(row("a"))]
        assert find_template(connection, name="a", language="pt_BR").can_be_sent
        assert len(graph.calls) == 2

    def test_refused_by_name_status_and_language(
        self, connection: Connection, graph: GraphServer
    ) -> None:
        graph.answers = [page(row("a", status="PAUSED"), row("b"), row("b", language="en"))]
        with pytest.raises(TemplateNotApproved):
            find_template(connection, name="a", language="pt_BR")
        for name, language in (("b", "es"), ("c", "pt_BR"), ("b", "")):
            with pytest.raises(TemplateNotFound):
                find_template(connection, name=name, language=language)
        assert find_template(connection, name="b", language="en").language == "en"

    def test_an_id_is_enough(self, connection: Connection, graph: GraphServer) -> None:
        graph.answers = [page(row("a", id="77"), row("b", id="78"))]
        assert find_template(connection, name="", language="", template_id="78").name == "b"

    def test_meta_s_fault_is_a_refusal_in_words(
        self, connection: Connection, graph: GraphServer
    ) -> None:
        graph.answers = [fault(190, status=401)]
        with pytest.raises(TemplatesUnavailable) as caught:
            templates_of(connection)
        assert "token" in caught.value.sentence
        assert cache.get("templates") is None


@pytest.mark.django_db
def test_the_number_is_the_user_s_own_then_the_company_s(acme: Company, agent: User) -> None:
    with pytest.raises(NoOfficialConnection):
        template_connection(user=agent, connection_id=None)
    make_connection(acme, provider=ProviderKind.BETA, phone_number_id=None, is_default=True)
    first = make_connection(acme, is_default=False)
    second = make_connection(acme, is_default=False)
    assert template_connection(user=agent, connection_id=None) == first
    agent.connection_id = second.pk
    assert template_connection(user=agent, connection_id=None) == second
    assert template_connection(user=agent, connection_id=first.pk) == first


MP4 = b"\x00\x00\x00\x10ftypisom\x00\x00\x00\x00"


@pytest.mark.parametrize(
    ("mime", "content", "whole"),
    [
        (
            "image/png",
            b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR....\x00\x00\x00\x00IEND\xaeB`\x82",
            True,
        ),
        ("image/png", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR....", False),
        ("image/jpeg", b"\xff\xd8\xff\xe0....\xff\xd9", True),
        ("image/jpeg", b"\xff\xd8\xff\xe0....", False),
        ("application/pdf", b"%PDF-1.4 ... %%EOF\n", True),
        ("application/pdf", b"%PDF-1.4 ...", False),
        ("video/mp4", MP4 + b"\x00\x00\x00\x08moov", True),
        ("video/mp4", MP4 + b"\x00\x00\x00\x08mdat", False),
        ("video/mp4", MP4 + b"\x00\x00\xff\x08moov", False),
        ("video/mp4", MP4 + b"\x00\x00\x00\x02moov", False),
    ],
)
def test_a_file_that_was_cut_short_is_found_out(mime: str, content: bytes, whole: bool) -> None:
    assert is_whole(content, mime) is whole
