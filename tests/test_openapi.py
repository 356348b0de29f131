"""The OpenAPI schema and its page."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.common import views
from apps.companies.models import Company
from apps.connections.models import Connection
from conftest import ClientFor
from tests import factories
from tests.answers import answer_faults

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    file: Path = tmp_path_factory.mktemp("schema") / "openapi.json"
    call_command(
        "spectacular", "--fail-on-warn", "--validate", "--format", "openapi-json", "--file", file
    )
    written: dict[str, Any] = json.loads(file.read_text())
    return written


def test_it_is_written_without_warnings_and_is_valid(schema: dict[str, Any]) -> None:
    assert "/api/auth/login/" in schema["paths"]


def test_every_call_documents_the_shape_of_refusals(schema: dict[str, Any]) -> None:
    operations = [operation for path in schema["paths"].values() for operation in path.values()]
    assert all("4XX" in operation["responses"] for operation in operations)
    assert set(schema["components"]["schemas"]["Error"]["required"]) == {
        "error",
        "code",
        "message",
        "fields",
    }


def test_calls_ask_for_the_bearer_token_except_the_sessions_own(schema: dict[str, Any]) -> None:
    assert schema["components"]["securitySchemes"]["accessToken"]["scheme"] == "bearer"
    assert schema["paths"]["/api/users/"]["get"]["security"] == [{"accessToken": []}]
    for call in ("login", "refresh_token"):
        assert schema["paths"][f"/api/auth/{call}/"]["post"].get("security", []) in ([], [{}])


def test_a_refusal_has_the_documented_shape(
    schema: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    error = schema["components"]["schemas"]["Error"]
    unknown = APIClient().get("/api/users/").json()
    assert set(unknown) == set(error["required"])
    # Where fields break rules that have names, these stand beside them.
    incomplete = APIClient().post("/api/auth/login", {}, format="json").json()
    assert set(incomplete) == {*error["required"], "fieldCodes"}
    monkeypatch.setattr("apps.accounts.throttles.FREE_FOR_ACCOUNT", 1)
    wrong = {"email": "x@y.example", "password": "p"}
    for _ in range(2):
        hasty = APIClient().post("/api/auth/login", wrong, format="json").json()
    assert set(hasty) == {*error["required"], "retryAfter"}
    assert set(incomplete) | set(hasty) == set(error["properties"])


def test_the_page_needs_nothing_from_elsewhere(client: Client) -> None:
    page = client.get("/api/docs").content.decode()
    assert "//cdn" not in page
    assert "https://" not in page
    script = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"
    assert script in page
    assert client.get(script).status_code == 200
    assert client.get("/api/schema/", headers={"Accept": "application/json"}).status_code == 200


def test_it_is_made_once_however_often_and_for_what_anybody_asks(client: Client) -> None:
    views._schemas.clear()
    with mock.patch.object(SchemaGenerator, "parse", autospec=True) as made:
        made.return_value = {}
        for _ in range(3):
            for query in ("", "?version=7", "?lang=xx"):
                for form in ("*/*", "application/json"):
                    answer = client.get(f"/api/schema/{query}", headers={"Accept": form})
                    assert answer.status_code == 200
    views._schemas.clear()
    # As YAML, and as JSON.
    assert made.call_count == 2


def test_it_is_served_as_it_is_written(client: Client, schema: dict[str, Any]) -> None:
    answer = client.get("/api/schema/", headers={"Accept": "application/json"})
    assert answer["Content-Type"] == "application/json"
    assert answer.json() == schema
    whatever = client.get("/api/schema/")
    assert whatever["Content-Type"] == "application/vnd.oai.openapi; charset=utf-8"


def test_pages_and_deletions_are_documented_as_they_are_answered(schema: dict[str, Any]) -> None:
    for name in ("contacts", "prompt", "queueIntegration", "quick-messages", "tags", "tickets"):
        answer = schema["paths"][f"/api/{name}/"]["get"]["responses"]["200"]
        page = answer["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        assert {"count", "hasMore"} < set(schema["components"]["schemas"][page]["required"])
    deletions = [
        path["delete"]["responses"] for path in schema["paths"].values() if "delete" in path
    ]
    assert len(deletions) > 20
    assert all(set(answers) == {"200", "4XX"} for answers in deletions)
    uploaded = schema["paths"]["/api/template/media/"]["post"]["responses"]
    assert set(uploaded) == {"201", "4XX", "507"}


def test_lists_without_pages_are_bare_arrays(schema: dict[str, Any]) -> None:
    def answer(path: str) -> Any:
        read = schema["paths"][f"/api/{path}/"]["get"]["responses"]["200"]
        return read["content"]["application/json"]["schema"]

    for path in (
        *("whatsapp", "queue", "queue-options", "settings", "plans/list", "plans/all"),
        *("companies/list", "users/list", "tags/list", "contacts/list", "contact-lists/list"),
        *("quick-messages/list", "helps/list", "campaign-settings", "ticket-notes/list"),
    ):
        assert answer(path)["type"] == "array", path
    for path, name in (("tags/kanban", "lista"), ("contact-list-items", "contacts")):
        shape = schema["components"]["schemas"][answer(path)["$ref"].rpartition("/")[2]]
        assert shape["properties"][name]["type"] == "array", path


def numbers_of(node: Any, place: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the schemas of whole and other numbers, however deep."""
    if isinstance(node, list):
        for number, inner in enumerate(node):
            yield from numbers_of(inner, f"{place}.{number}")
    elif isinstance(node, dict):
        if node.get("type") in ("integer", "number") and "enum" not in node:
            yield place, node
        for name, inner in node.items():
            yield from numbers_of(inner, f"{place}.{name}")


def test_every_number_that_callers_send_says_from_where_to_where_it_goes(
    schema: dict[str, Any],
) -> None:
    found = [
        (f"{method} {path} {parameter['in']} {parameter['name']}", number)
        for path, operations in schema["paths"].items()
        for method, operation in operations.items()
        for parameter in operation.get("parameters", ())
        for _, number in numbers_of(parameter["schema"], "")
    ]
    places = [place for place, _ in found]
    assert "get /api/tickets/{id}/ path id" in places
    assert "get /api/tickets/ query pageNumber" in places
    sent = {
        name: body
        for name, body in schema["components"]["schemas"].items()
        if name.endswith("Request")
    }
    assert len(sent) > 20
    found += numbers_of(sent, "")
    assert [place for place, number in found if {"minimum", "maximum"} - set(number)] == []
    assert [place for place, number in found if number["maximum"] > 2**63 - 1] == []


def test_the_server_refuses_what_the_schema_says_is_beyond(
    schema: dict[str, Any],
    client_for: ClientFor,
    admin: User,
    super_user: User,
    connection: Connection,
) -> None:
    clients = client_for(admin), client_for(super_user)
    tried = 0
    ticket = factories.make_ticket(admin.company, connection=connection)
    for path, operations in schema["paths"].items():
        parameters = operations.get("get", {}).get("parameters", ())
        for parameter in parameters:
            if "maximum" not in parameter["schema"]:
                continue
            beyond, last = parameter["schema"]["maximum"] + 1, parameter["schema"]["maximum"]
            client = clients[path.startswith("/api/billing/")]
            if parameter["in"] == "path":
                tried += 1
                address = re.sub(r"{\w+}", str(beyond), path)
                assert client.get(address).status_code == 404, address
                continue
            tried += 1
            address = re.sub(r"{\w+}", str(ticket.pk), path)
            name = parameter["name"]
            refused = client.get(address, {name: beyond})
            if refused.status_code == 404:  # nothing has the ticket's id there
                continue
            assert refused.status_code == 400, (address, name)
            assert list(refused.json()["fields"]) == [name]
            within = client.get(address, {name: last})
            assert within.getvalue() != refused.getvalue(), (address, name)
    assert tried > 25


@pytest.mark.parametrize(
    ("method", "path", "status", "body", "fault"),
    [
        ("GET", "/api/tags/kanban", 201, b"{}", "answers 201, which the schema does not know"),
        ("GET", "/api/tags/kanban", 500, b"{}", "answers 500, which the schema does not know"),
        ("GET", "/api/nothing", 200, b"{}", "answers 200, which the schema does not know"),
        ("PATCH", "/api/tags/1", 200, b"{}", "answers 200, which the schema does not know"),
        ("DELETE", "/api/tags/1", 200, b"", "its content is 'text/html'"),
        ("DELETE", "/api/tags/1", 200, b"{}", "'message' is a required property"),
        ("DELETE", "/api/tags/1/", 200, b'{"message":1}', "$.message: 1 is not of type 'string'"),
        ("DELETE", "/api/tags/1", 200, b'{"message":"","id":1}', "('id' was unexpected)"),
        ("DELETE", "/api/tags/1", 404, b'{"code":"ERR"}', "'error' is a required property"),
        ("GET", "/api/tags/?a=1", 200, b"[]", "[] is not of type 'object'"),
        ("GET", "/api/ticket-notes/list", 200, b'[{"createdAt":"2026-01-31"}]', "'date-time'"),
        ("POST", "/api/api/messages/send", 200, b"{}", "'messageId' is a required property"),
    ],
)
def test_an_answer_that_is_not_as_documented_is_found(
    method: str, path: str, status: int, body: bytes, fault: str
) -> None:
    kind = "application/json" if body else "text/html"
    answer = HttpResponse(body, status=status, content_type=kind)
    found = "\n".join(answer_faults(method, path.partition("?")[0], answer))
    assert fault in found


def test_every_answer_that_a_test_gets_is_looked_at(
    client_for: ClientFor,
    acme: Company,
    admin: User,
    wrong_answers: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    factories.make_tag(acme, is_kanban=True)
    client_for(admin).get("/api/tags/kanban")
    assert wrong_answers == []
    monkeypatch.setattr("apps.contacts.views.tags.rows_of", lambda *given: [{"id": "1"}])
    client_for(admin).get("/api/tags/kanban")
    assert any("$.lista[0].id: '1' is not of type 'integer'" in fault for fault in wrong_answers)
    wrong_answers.clear()
