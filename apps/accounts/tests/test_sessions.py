"""POST /auth/login, POST /auth/refresh_token, DELETE /auth/logout, GET /auth/me."""

import pytest
from rest_framework.test import APIClient

from apps.accounts.models import User
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db


def test_login_answers_a_token_and_the_user(agent: User) -> None:
    answer = APIClient().post(
        "/api/auth/login", {"email": agent.email, "password": PASSWORD}, format="json"
    )
    assert answer.status_code == 200, answer.content
    client = APIClient(HTTP_AUTHORIZATION=f"Bearer {answer.json()['token']}")
    assert client.get("/api/auth/me").json() == answer.json()["user"]
    c2 = APIClient()
    c2.cookies["jrt"] = answer.cookies["jrt"].value
    a2 = c2.post("/api/auth/refresh_token")
    assert a2.status_code == 200, a2.content
