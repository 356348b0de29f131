"""Templates written here: what Meta is asked, what it answers, and who is told."""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.companies.models import Company
from apps.connections.models import Connection, ProviderKind
from apps.connections.tests.graph import VERSION, Answer, GraphServer, fault
from conftest import ClientFor
from tests.factories import make_connection

pytestmark = pytest.mark.django_db

ACCOUNT = "200000000000555"
DRAFT = {
    "name": "pedido_enviado",
    "language": "pt_BR",
    "category": "UTILITY",
    "parameterFormat": "POSITIONAL",
    "header": {"format": "TEXT", "text": "Pedido"},
    "body": "Olá, {{1}}! O pedido saiu.",
    "footer": "",
    "buttons": [{"type": "QUICK_REPLY", "text": "Obrigada"}],
    "samples": [{"field": "body.1", "value": "Mariana"}],
}
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR....\x00\x00\x00\x00IEND\xaeB`\x82"
Call = Callable[..., Any]


def row(name: str = "pedido_enviado", **fields: Any) -> dict[str, Any]:
    return {
        "id": "901",
        "name": name,
        "language": "pt_BR",
        "status": "APPROVED",
        "category": "UTILITY",
        "components": [{"type": "BODY", "text": "Olá!"}],
        **fields,
    }


def listed(*rows: dict[str, Any]) -> Answer:
    return Answer({"data": list(rows)})


@pytest.fixture
def number(acme: Company) -> Connection:
    return make_connection(acme, waba_id=ACCOUNT, verified_at=timezone.now())


@pytest.fixture
def call(client_for: ClientFor, admin: User, number: Connection) -> Call:
    """One call on the number's templates: method, the rest of the path, body."""
    client = client_for(admin)

    def do(method: str, rest: str = "", body: Any = None, **options: Any) -> Any:
        options.setdefault("format", "json")
        path = f"/api/whatsapp/{number.pk}/templates{rest}"
        return getattr(client, method)(path, body, **options)

    return do


def posts(graph: GraphServer) -> list[Any]:
    return [each for each in graph.calls if each.method != "GET"]


def test_a_new_template_is_submitted_audited_and_told(
    call: Call, graph: GraphServer, events: list[dict[str, Any]], acme: Company
) -> None:
    graph.answers = [listed(), Answer({"id": "905", "status": "PENDING", "category": "UTILITY"})]
    answer = call("post", body=DRAFT)
    assert answer.status_code == 201, answer.content
    assert answer.json()["id"] == "905"
    assert (answer.json()["status"], answer.json()["canBeSent"]) == ("PENDING", False)
    [sent] = posts(graph)
    assert urlsplit(sent.path).path == f"/{VERSION}/{ACCOUNT}/message_templates"
    assert sent.json["components"][1]["example"] == {"body_text": [["Mariana"]]}
    entry = AuditEntry.objects.get(company_id=acme.pk)
    assert (entry.action, entry.detail["template"]) == ("template.submitted", "pedido_enviado")
    [told] = [each for each in events if each["event"] == "template"]
    assert told["payload"]["template"]["change"] == "submitted"
    assert told["company_id"] == acme.pk


def test_meta_may_choose_another_category(call: Call, graph: GraphServer) -> None:
    graph.answers = [listed(), Answer({"id": 905, "status": "APPROVED", "category": "MARKETING"})]
    answer = call("post", body=DRAFT).json()
    assert (answer["id"], answer["status"], answer["category"]) == ("905", "APPROVED", "MARKETING")


def test_what_is_wrong_is_told_by_field_and_meta_is_not_asked(
    call: Call, graph: GraphServer
) -> None:
    answer = call("post", body={**DRAFT, "body": "{{1}} saiu", "samples": []})
    assert answer.status_code == 400
    assert set(answer.json()["fields"]) == {"body", "samples.body.1"}
    assert graph.calls == []
    for wrong in (
        {"category": "AUTHENTICATION"},
        {"buttons": [{"type": "CATALOG"}]},
        {"buttons": [{"type": "QUICK_REPLY", "text": "a"}] * 21},
        {"header": {"format": "LOCATION"}},
        {"body": None},
        {"samples": {"body.1": "x"}},
    ):
        assert call("post", body={**DRAFT, **wrong}).status_code == 400, wrong
    assert graph.calls == []


def test_a_name_that_is_taken_in_this_language_is_not_asked_for(
    call: Call, graph: GraphServer
) -> None:
    graph.answers = [listed(row(), row("outro"))]
    answer = call("post", body=DRAFT)
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_TEMPLATE_EXISTS")
    assert posts(graph) == []


@pytest.mark.parametrize("lost", [Answer(drops=True), Answer(b"Bad gateway", status=502)])
def test_a_lost_answer_is_settled_by_the_list(call: Call, graph: GraphServer, lost: Answer) -> None:
    graph.answers = [listed(), lost, listed(row(id="907", status="PENDING"))]
    answer = call("post", body=DRAFT)
    assert (answer.status_code, answer.json()["id"]) == (201, "907")
    assert len(posts(graph)) == 1


def test_one_that_did_not_come_through_says_so(call: Call, graph: GraphServer) -> None:
    graph.answers = [listed(), Answer(drops=True), listed()]
    answer = call("post", body=DRAFT)
    assert (answer.status_code, answer.json()["code"]) == (424, "ERR_TEMPLATES_UNAVAILABLE")
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize(
    ("refusal", "reason", "detail"),
    [
        (fault(100, error_subcode=2388024), "template_exists", ""),
        (fault(100, error_subcode=2388023), "template_name_blocked", ""),
        (fault(100, error_subcode=2388299), "template_edge_variable", ""),
        (
            fault(100, error_subcode=99, error_user_msg="O texto não serve."),
            "template_not_taken",
            "O texto não serve.",
        ),
        (fault(100), "data_refused", ""),
    ],
)
def test_metas_refusals_come_in_words(
    call: Call, graph: GraphServer, refusal: Answer, reason: str, detail: str
) -> None:
    graph.answers = [listed(), refusal]
    answer = call("post", body=DRAFT)
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_TEMPLATE_REFUSED")
    assert (answer.json()["reasonCode"], answer.json()["reasonDetail"]) == (reason, detail)


def test_a_token_that_is_refused_is_no_fault_of_the_template(
    call: Call, graph: GraphServer
) -> None:
    graph.answers = [listed(), fault(190, status=401, error_user_msg="Session has expired")]
    answer = call("post", body=DRAFT)
    assert (answer.status_code, answer.json()["reasonCode"]) == (424, "credentials_refused")


def test_other_words_are_submitted_again(call: Call, graph: GraphServer) -> None:
    graph.answers = [listed(row(status="REJECTED")), Answer({"success": True})]
    answer = call("put", "/901", {**DRAFT, "category": "MARKETING"})
    assert answer.status_code == 200, answer.content
    assert (answer.json()["id"], answer.json()["status"]) == ("901", "PENDING")
    [sent] = posts(graph)
    assert urlsplit(sent.path).path == f"/{VERSION}/901"
    assert set(sent.json) == {"components", "category"}
    assert AuditEntry.objects.get().action == "template.edited"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": "outro"}, "name"),
        ({"language": "en"}, "language"),
        ({"category": "MARKETING"}, "category"),
        (
            {
                "parameterFormat": "NAMED",
                "body": "Olá, {{a}}!",
                "samples": [{"field": "body.a", "value": "x"}],
            },
            "parameterFormat",
        ),
    ],
)
def test_what_is_fixed_at_metas_is_told(
    call: Call, graph: GraphServer, changes: dict[str, Any], field: str
) -> None:
    graph.answers = [listed(row())]
    answer = call("put", "/901", {**DRAFT, **changes})
    assert answer.status_code == 400
    assert set(answer.json()["fields"]) == {field}
    assert posts(graph) == []


def test_one_in_review_can_not_be_changed(call: Call, graph: GraphServer) -> None:
    graph.answers = [listed(row(status="PENDING"))]
    answer = call("put", "/901", DRAFT)
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_TEMPLATE_NOT_EDITABLE")


def test_a_template_is_deleted_by_name_and_id(
    call: Call, graph: GraphServer, events: list[dict[str, Any]]
) -> None:
    graph.answers = [listed(row()), Answer({"success": True})]
    assert call("delete", "/901").status_code == 200
    [sent] = posts(graph)
    assert sent.method == "DELETE"
    query = parse_qs(urlsplit(sent.path).query)
    assert query == {"name": ["pedido_enviado"], "hsm_id": ["901"]}
    assert AuditEntry.objects.get().action == "template.deleted"
    told = [each["payload"]["template"] for each in events if each["event"] == "template"]
    assert [each["change"] for each in told] == ["deleted"]


def test_one_that_is_not_of_the_account_is_not_found(call: Call, graph: GraphServer) -> None:
    graph.answers = [listed(row())]
    for method, body in (("put", DRAFT), ("delete", None)):
        answer = call(method, "/902", body)
        assert (answer.status_code, answer.json()["code"]) == (400, "ERR_TEMPLATE_NOT_FOUND")
    assert posts(graph) == []


def test_a_deletion_whose_answer_was_lost_is_settled_by_the_list(
    call: Call, graph: GraphServer
) -> None:
    graph.answers = [listed(row()), Answer(drops=True), listed()]
    assert call("delete", "/901").status_code == 200
    graph.answers = [listed(row()), Answer(drops=True), listed(row())]
    assert call("delete", "/901").status_code == 424


def test_a_sample_is_uploaded_in_two_steps(call: Call, graph: GraphServer, settings: Any) -> None:
    settings.META_APP_ID = "670843887433847"
    graph.answers = [Answer({"id": "upload:MTphdHRhY2g=?sig=ARZqk"}), Answer({"h": "4::aW1n"})]
    file = SimpleUploadedFile("peça.png", PNG, "image/png")
    answer = call("post", "/samples", {"file": file}, format="multipart")
    assert (answer.status_code, answer.json()) == (201, {"handle": "4::aW1n"})
    first, second = graph.calls
    assert urlsplit(first.path).path == f"/{VERSION}/670843887433847/uploads"
    query = parse_qs(urlsplit(first.path).query)
    assert (query["file_length"], query["file_type"]) == ([str(len(PNG))], ["image/png"])
    assert second.path == f"/{VERSION}/upload:MTphdHRhY2g=?sig=ARZqk"
    assert (second.headers["file_offset"], second.body) == ("0", PNG)


@pytest.mark.parametrize(
    "answers",
    [
        [Answer({"id": "../100"})],
        [Answer({})],
        [Answer({"id": "upload:x"}), Answer({"h": ""})],
    ],
)
def test_an_upload_without_a_handle_says_so(
    call: Call, graph: GraphServer, settings: Any, answers: list[Answer]
) -> None:
    settings.META_APP_ID = "670843887433847"
    graph.answers = answers
    file = SimpleUploadedFile("a.png", PNG, "image/png")
    answer = call("post", "/samples", {"file": file}, format="multipart")
    assert (answer.status_code, answer.json()["code"]) == (424, "ERR_TEMPLATES_UNAVAILABLE")


def test_without_an_app_the_operator_is_named(
    call: Call, graph: GraphServer, settings: Any
) -> None:
    settings.META_APP_ID = ""
    file = SimpleUploadedFile("a.png", PNG, "image/png")
    answer = call("post", "/samples", {"file": file}, format="multipart")
    assert (answer.status_code, answer.json()["reasonCode"]) == (424, "app_id_missing")
    assert graph.calls == []


def test_numbers_that_were_not_shown_and_qr_sessions_write_none(
    client_for: ClientFor, admin: User, acme: Company, graph: GraphServer
) -> None:
    unseen = make_connection(acme, waba_id=ACCOUNT, verified_at=None, is_default=False)
    phone = make_connection(
        acme, provider=ProviderKind.BETA, phone_number_id=None, is_default=False
    )
    for connection, status, code in (
        (unseen, 424, "ERR_TEMPLATES_UNAVAILABLE"),
        (phone, 400, "ERR_TEMPLATES_NOT_SUPPORTED"),
    ):
        path = f"/api/whatsapp/{connection.pk}/templates"
        answer = client_for(admin).post(path, DRAFT, format="json")
        assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert graph.calls == []
