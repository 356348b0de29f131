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
