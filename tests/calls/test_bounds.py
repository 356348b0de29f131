"""No body costs more than it weighs: lists, depth, length and what a refusal tells are bounded."""

import json
from typing import Any

import pytest
from rest_framework import serializers
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.common.errors import LONGEST_PLACE, LONGEST_SENTENCE, MOST_FIELDS
from apps.common.parsers import DEEPEST_JSON
from apps.common.serializers import IdField
from config.access import ACCESS, PUBLIC
from config.bodies import BODY_BYTES, DEFAULT_BYTES, FORM_BYTES, PUBLIC_BYTES, most_bytes
from conftest import ClientFor
from tests.tenancy_rows import ROWS
from tests.worlds import World

WRITES = [key for key in ROWS if key[1] in ("POST", "PUT")]


@pytest.mark.parametrize(
    ("path", "name", "wrong", "most"),
    [
        ("/tags/sync", "tags", "x", 300),
        ("/contacts/delete", "ids", "x", 1000),
        ("/contacts/", "extraInfo", {"id": "x"}, 100),
        ("/users/", "queueIds", "x", 500),
    ],
)
def test_a_list_that_is_too_long_is_refused_before_any_element_is_judged(
    client_for: ClientFor,
    admin: User,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    name: str,
    wrong: Any,
    most: int,
) -> None:
    judged: list[Any] = []
    judge = IdField.run_validation

    def counted(field: IdField, data: Any = serializers.empty) -> Any:
        if data == "x":
            judged.append(data)
        return judge(field, data)

    monkeypatch.setattr(IdField, "run_validation", counted)
    client = client_for(admin)
    answer = client.post(f"/api{path}", {name: [wrong] * (most + 1)}, format="json")
    assert (answer.status_code, judged) == (400, [])
    assert answer.json()["fieldCodes"][name] == "max_length"
    client.post(f"/api{path}", {name: [wrong] * most}, format="json")
    assert len(judged) == most


def test_records_in_a_list_are_counted_before_any_is_judged(
    client_for: ClientFor, admin: User
) -> None:
    client = client_for(admin)
    hours = f"/api/companies/{admin.company_id}/schedules"
    answers = {
        "schedules": client.put(hours, {"schedules": [{}] * 17}, format="json"),
        "messages": client.post("/api/prompt/test", {"messages": [{}] * 41}, format="json"),
    }
    for name, answer in answers.items():
        assert (answer.status_code, answer.json()["fieldCodes"][name]) == (400, "max_length")


def test_a_list_in_a_form_has_no_places_of_its_own(client_for: ClientFor, admin: User) -> None:
    client, kind = client_for(admin), "application/x-www-form-urlencoded"
    form = f"ticketId=1&tags[{'9' * 5000}]=1"
    answer = client.post("/api/tags/sync", form, content_type=kind)
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["tags"])
    form = f"name=Vendas&schedules[{'9' * 5000}]weekday=1"
    assert client.post("/api/queue", form, content_type=kind).status_code == 400


def test_a_refusal_tells_of_the_first_fields_alone(client_for: ClientFor, admin: User) -> None:
    body = {"name": "Bia Souza", "number": "5511999990000", "extraInfo": [{"name": ""}] * 100}
    answer = client_for(admin).post("/api/contacts/", body, format="json")
    assert answer.status_code == 400
    assert len(answer.json()["fields"]) == MOST_FIELDS == 20
    assert set(answer.json()["fieldCodes"]) <= set(answer.json()["fields"])


def test_a_refusal_does_not_say_a_long_text_again(client_for: ClientFor, admin: User) -> None:
    answer = client_for(admin).put("/api/tickets/1", {"status": "a" * 9000}, format="json")
    assert answer.status_code in (400, 404)
    long = {"a" * 9000 + "\x00": 1, **{f"{index}": "\x00" for index in range(90)}}
    answer = client_for(admin).post("/api/tags/", long, format="json")
    fields = answer.json()["fields"]
    assert (answer.status_code, len(fields)) == (400, MOST_FIELDS)
    assert max(map(len, fields)) == LONGEST_PLACE
    answer = client_for(admin).post("/api/whatsapp", {"provider": "b" * 9000}, format="json")
    sentences = [each for texts in answer.json()["fields"].values() for each in texts]
    assert max(map(len, sentences)) == LONGEST_SENTENCE


def nested(levels: int, inside: str = "1") -> str:
    return '{"email": ' + "[" * levels + inside + "]" * levels + "}"


@pytest.mark.parametrize("levels", [DEEPEST_JSON, 990, 5000])
@pytest.mark.parametrize("inside", ["1", '"\\u0000"', "{}"])
def test_a_body_that_is_too_deep_is_refused_without_signing_in(levels: int, inside: str) -> None:
    client: Any = APIClient(raise_request_exception=False)
    answer = client.generic("POST", "/api/auth/login", nested(levels, inside), "application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_MALFORMED_REQUEST")


def test_a_body_of_the_last_depth_is_read() -> None:
    client: Any = APIClient()
    body = nested(DEEPEST_JSON - 1, '"\\u0000"')
    answer = client.generic("POST", "/api/auth/login", body, "application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_VALIDATION")


@pytest.mark.parametrize("key", WRITES, ids=" ".join)
def test_a_body_beyond_its_calls_limit_is_a_413_before_it_is_parsed(
    client_for: ClientFor, world: World, admin: User, key: tuple[str, str]
) -> None:
    client: Any = client_for(admin)
    path = "/api" + ROWS[key].path.format(**world)
    limit = most_bytes(key[0], "application/json")
    assert limit
    answer = client.generic(key[1], path, b"{" * (limit + 1), "application/json")
    assert (answer.status_code, answer.json()["code"]) == (413, "ERR_REQUEST_TOO_LARGE")
    assert set(answer.json()) == {"error", "code", "message", "fields"}
    at_limit = client.generic(key[1], path, b"{" * limit, "application/json")
    assert at_limit.status_code != 413


def test_calls_without_a_session_take_little() -> None:
    public = {name for name, rows in ACCESS.items() if set(rows.values()) == {PUBLIC}}
    for name in public - set(BODY_BYTES):
        assert most_bytes(name, "application/json") == PUBLIC_BYTES == 16 * 1024
    assert most_bytes("messages-api", "application/json") == 64 * 1024
    assert most_bytes("tags-sync", "multipart/form-data; boundary=a") == DEFAULT_BYTES
    client: Any = APIClient()
    answer = client.generic("POST", "/api/auth/login", b"{" * 20_000, "application/json")
    assert answer.status_code == 413
    form = json.dumps({"username": "a" * 20_000})
    assert client.generic("POST", "/admin/login/", form, "application/json").status_code == 413


def test_forms_with_files_have_a_limit_of_their_own() -> None:
    pages = {name for name in FORM_BYTES if name.startswith("admin:")}
    assert set(FORM_BYTES) - pages <= set(ACCESS)
    assert most_bytes("messages", "multipart/form-data; boundary=a") == FORM_BYTES["messages"]
    assert most_bytes("messages", "application/json") == DEFAULT_BYTES


def test_a_menu_of_the_largest_kind_is_taken(client_for: ClientFor, admin: User) -> None:
    options = [{"title": "é" * 100, "message": "😀" * 4096}] * 200
    body = {"name": "Cardápio", "color": "#112233", "orderQueue": 1, "options": options}
    client: Any = client_for(admin)
    text = json.dumps(body, ensure_ascii=False).encode()
    answer = client.generic("POST", "/api/queue", text, "application/json")
    assert answer.status_code in (200, 201), answer.content[:500]
