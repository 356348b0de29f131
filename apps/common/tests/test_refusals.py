from urllib.parse import urlencode

import pytest
from rest_framework.test import APIClient

from apps.accounts.models import User
from conftest import ClientFor

pytestmark = pytest.mark.django_db


def test_an_unknown_call_is_a_404_in_the_one_shape() -> None:
    answer = APIClient().get("/api/nothing")
    assert answer.status_code == 404
    assert answer.json()["code"] == "ERR_NOT_FOUND"


def test_a_null_character_in_an_address_names_its_parameter(
    client_for: ClientFor, agent: User
) -> None:
    answer = client_for(agent).get("/api/users/?searchParam=a%00b")
    assert answer.status_code == 400
    assert list(answer.json()["fields"]) == ["searchParam"]
    assert client_for(agent).get("/api/settings/%00").status_code == 400


def test_a_null_character_in_a_body_names_its_place(client_for: ClientFor, admin: User) -> None:
    answer = client_for(admin).post(
        "/api/queue", {"name": "Vendas", "schedules": [{"weekday": "a\x00"}]}, format="json"
    )
    assert answer.status_code == 400
    assert list(answer.json()["fields"]) == ["schedules.0.weekday"]


def test_the_escaped_letters_of_a_null_character_are_only_letters(
    client_for: ClientFor, admin: User
) -> None:
    body = {"value": "\\u0000"}
    answer = client_for(admin).put("/api/settings/optOutWords", body, format="json")
    assert answer.json()["value"] == "\\u0000"


def test_a_body_beyond_the_limit_is_a_413(
    client_for: ClientFor, admin: User, settings: object
) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100  # type: ignore[attr-defined]
    answer = client_for(admin).put("/api/settings/optOutWords", {"value": "a" * 100}, format="json")
    assert answer.status_code == 413
    assert answer.json()["code"] == "ERR_REQUEST_TOO_LARGE"


@pytest.mark.parametrize("kind", ["multipart", "urlencoded", "query"])
def test_a_form_with_too_many_fields_is_refused_in_the_one_shape(
    client_for: ClientFor, admin: User, kind: str
) -> None:
    client = client_for(admin)
    fields = {f"a{number}": "1" for number in range(1001)}
    if kind == "multipart":
        answer = client.post("/api/tags/", fields, format="multipart")
    elif kind == "urlencoded":
        form = "application/x-www-form-urlencoded"
        answer = client.post("/api/tags/", urlencode(fields), content_type=form)
    else:
        answer = client.get("/api/tags/?" + urlencode(fields))
    assert answer.status_code == 400
    assert answer.json()["code"] == "ERR_MALFORMED_REQUEST"
    assert "1000 campos" in answer.json()["message"]


@pytest.mark.parametrize(
    "path", ["/", "/api/contacts", "/health/", "/admin/", "/webhooks/whatsapp"]
)
@pytest.mark.parametrize(
    "host", ["elsewhere.example", "elsewhere.example:80:80", "[::1", "a b", ""]
)
def test_a_foreign_name_is_refused_without_a_noise(
    path: str, host: str, caplog: pytest.LogCaptureFixture
) -> None:
    answer = APIClient(HTTP_HOST=host).get(path)
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_MALFORMED_REQUEST")
    assert not [each for each in caplog.records if each.exc_info or each.levelname == "ERROR"]
