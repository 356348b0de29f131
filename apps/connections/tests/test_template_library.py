"""Meta's template library: what is asked, what is submitted, and what is refused."""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import orjson
import pytest
from pywa.types.templates import (
    BodyText,
    LibraryTemplate,
    PhoneNumberButton,
    TemplateCategory,
    TemplateLanguage,
    URLButton,
)

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.tests.graph import VERSION, Answer, GraphServer, fault
from conftest import ClientFor
from tests.factories import make_connection

pytestmark = pytest.mark.django_db

ACCOUNT = "200000000000777"
ROW = {
    "name": "delivery_update_1",
    "language": "pt_BR",
    "category": "UTILITY",
    "topic": "ORDER_MANAGEMENT",
    "usecase": "DELIVERY_UPDATE",
    "industry": ["E_COMMERCE"],
    "header": "Seu pedido saiu",
    "body": "Olá, {{1}}. O pedido {{2}} está a caminho.",
    "body_params": ["Ana", "10482"],
    "body_param_types": ["TEXT", "TEXT"],
    "buttons": [
        {"type": "URL", "text": "Acompanhar", "url": "https://www.example.com/"},
        {"type": "PHONE_NUMBER", "text": "Ligar", "phone_number": "+18005551234"},
    ],
    "id": "7138055039625658",
}
CHOICE = {
    "libraryName": "delivery_update_1",
    "name": "entrega_a_caminho",
    "language": "pt_BR",
    "buttons": [
        {"url": "https://loja.example/{{1}}", "example": "10482"},
        {"phone": "+551140028922"},
    ],
    "sentences": ["trackPackageLink"],
}
LIST = Answer({"data": [ROW], "paging": {"cursors": {"after": "c2"}, "next": "https://x"}})
NONE = Answer({"data": []})
MADE = Answer({"id": "905", "status": "APPROVED", "category": "UTILITY"})
Call = Callable[..., Any]


@pytest.fixture
def number(acme: Company) -> Connection:
    return make_connection(acme, waba_id=ACCOUNT)


@pytest.fixture
def call(client_for: ClientFor, admin: User, number: Connection) -> Call:
    client = client_for(admin)

    def do(method: str, body: Any = None, query: str = "") -> Any:
        path = f"/api/whatsapp/{number.pk}/template-library{query}"
        return getattr(client, method)(path, body, format="json")

    return do


def test_a_page_is_asked_with_the_filters_and_kept(call: Call, graph: GraphServer) -> None:
    graph.answers = [LIST]
    query = "?search=pedido&topic=ORDER_MANAGEMENT&industry=E_COMMERCE&language=pt_BR"
    answer = call("get", query=query)
    assert answer.status_code == 200, answer.content
    assert answer.json()["next"] == "c2"
    [row] = answer.json()["templates"]
    assert (row["name"], row["canBeUsed"], row["samples"]) == (ROW["name"], True, ["Ana", "10482"])
    assert row["sentences"] == ["contactNumber", "learnMoreLink", "trackPackageLink"]
    asked = urlsplit(graph.calls[0].path)
    assert asked.path == f"/{VERSION}/{ACCOUNT}/message_template_library"
    assert parse_qs(asked.query) == {
        "search": ["pedido"],
        "topic": ["ORDER_MANAGEMENT"],
        "industry": ["E_COMMERCE"],
        "language": ["pt_BR"],
        "limit": ["24"],
    }
    assert call("get", query=query).json() == answer.json()
    assert len(graph.calls) == 1
    call("get", query=f"{query}&after=c2")
    assert parse_qs(urlsplit(graph.calls[1].path).query)["after"] == ["c2"]


def test_where_the_account_has_no_list_the_root_is_asked(call: Call, graph: GraphServer) -> None:
    graph.answers = [fault(100, "(#100) Tried accessing nonexisting field"), LIST]
    assert call("get").status_code == 200
    assert urlsplit(graph.calls[1].path).path == f"/{VERSION}/message_template_library"


def test_what_can_not_be_filled_in_here_says_so(call: Call, graph: GraphServer) -> None:
    flow = {**ROW, "buttons": [{"type": "FLOW", "text": "Remarcar"}]}
    code = {**ROW, "category": "AUTHENTICATION"}
    graph.answers = [Answer({"data": [flow, code, {"name": "odd"}]})]
    rows = call("get").json()["templates"]
    assert [row["canBeUsed"] for row in rows] == [False, False]
    answer = call("post", CHOICE)
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_LIBRARY_TEMPLATE_NOT_FOUND")


def test_a_chosen_one_is_submitted_as_an_independent_client_does(
    call: Call, graph: GraphServer, acme: Company, events: list[dict[str, Any]]
) -> None:
    graph.answers = [LIST, NONE, MADE]
    answer = call("post", CHOICE)
    assert answer.status_code == 201, answer.content
    made = answer.json()
    assert (made["id"], made["status"], made["canBeSent"]) == ("905", "APPROVED", True)
    [sent] = [each.json for each in graph.calls if each.method == "POST"]
    theirs = LibraryTemplate(
        name="entrega_a_caminho",
        library_template_name="delivery_update_1",
        category=TemplateCategory.UTILITY,
        language=TemplateLanguage.PORTUGUESE_BR,
        library_template_body_inputs=BodyText.library_input(add_track_package_link=True),
        library_template_button_inputs=[
            URLButton.library_input(
                base_url="https://loja.example/{{1}}",
                url_suffix_example="https://loja.example/10482",
            ),
            PhoneNumberButton.library_input(phone_number="+551140028922"),
        ],
    )
    assert sent == orjson.loads(theirs.to_json())
    entry = AuditEntry.objects.get(company_id=acme.pk)
    assert (entry.action, entry.detail["template"]) == ("template.submitted", "entrega_a_caminho")
    [told] = [each for each in events if each["event"] == "template"]
    assert told["payload"]["template"]["change"] == "submitted"


@pytest.mark.parametrize(
    "change, field",
    [
        ({"name": "Entrega!"}, "name"),
        ({"buttons": [{}, {"phone": "+551140028922"}]}, "buttons.0"),
        ({"buttons": [CHOICE["buttons"][0]]}, "buttons.1"),
        ({"buttons": [*CHOICE["buttons"], {}]}, "buttons"),
        ({"buttons": [{"url": "https://loja.example/{{1}}"}, CHOICE["buttons"][1]]}, "buttons.0"),
    ],
)
def test_what_is_missing_is_told_by_field_and_nothing_is_submitted(
    call: Call, graph: GraphServer, change: dict[str, Any], field: str
) -> None:
    graph.answers = [LIST]
    answer = call("post", {**CHOICE, **change})
    assert (answer.status_code, list(answer.json()["fields"])) == (400, [field])
    assert [each.method for each in graph.calls] == ["GET"]


def test_a_sentence_of_another_topic_is_refused(call: Call, graph: GraphServer) -> None:
    graph.answers = [Answer({"data": [{**ROW, "topic": "PAYMENTS"}]})]
    answer = call("post", CHOICE)
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["sentences"])


def test_a_name_that_is_taken_is_409_and_a_refusal_has_meta_s_words(
    call: Call, graph: GraphServer
) -> None:
    taken = {"id": "1", "name": CHOICE["name"], "language": "pt_BR", "status": "APPROVED"}
    graph.answers = [LIST, Answer({"data": [taken]})]
    answer = call("post", CHOICE)
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_TEMPLATE_EXISTS")
    graph.answers = [NONE, fault(100, "x", error_subcode=2388019)]
    answer = call("post", CHOICE)
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_TEMPLATE_REFUSED")


def test_without_meta_it_is_424(call: Call, graph: GraphServer) -> None:
    graph.answers = [fault(2, status=503)]
    answer = call("get")
    assert (answer.status_code, answer.json()["code"]) == (424, "ERR_TEMPLATES_UNAVAILABLE")


def test_neither_agents_nor_another_company_reach_it(
    client_for: ClientFor, agent: User, outsider: User, number: Connection, graph: GraphServer
) -> None:
    path = f"/api/whatsapp/{number.pk}/template-library"
    assert client_for(agent).get(path).status_code == 403
    assert client_for(agent).post(path, CHOICE, format="json").status_code == 403
    outsider.profile = "admin"
    outsider.save()
    assert client_for(outsider).get(path).status_code == 404
    assert client_for(outsider).post(path, CHOICE, format="json").status_code == 404
    assert graph.calls == []
