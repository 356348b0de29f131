"""The access table as views meet it, and the actions that the browser shows."""

from typing import Any

import pytest
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIClient
from rest_framework.views import APIView

from apps.accounts.models import User
from apps.accounts.permissions import ADMIN_ACTIONS, Access, access_of, actions_of
from conftest import ClientFor

pytestmark = pytest.mark.django_db


class ForgottenView(APIView):
    def get(self, request: Request) -> Response:
        return Response({})


urlpatterns = [path("forgotten", ForgottenView.as_view(), name="forgotten")]


@pytest.mark.urls(__name__)
def test_a_call_without_a_row_is_refused_to_everybody(
    client_for: ClientFor, super_user: User
) -> None:
    answer = client_for(super_user).get("/forgotten")
    assert (answer.status_code, answer.json()["code"]) == (403, "ERR_NO_PERMISSION")


def test_reading_the_head_asks_for_what_reading_asks(client_for: ClientFor, agent: User) -> None:
    assert client_for(agent).head("/api/queue").status_code == 200
    assert APIClient().head("/api/queue").status_code == 401


def test_a_method_that_no_call_has_is_a_405(client_for: ClientFor, agent: User) -> None:
    answer = client_for(agent).patch("/api/queue", {}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (405, "ERR_METHOD_NOT_ALLOWED")


def test_both_slash_forms_answer(client_for: ClientFor, agent: User) -> None:
    client = client_for(agent)
    for address in ("users", "users/list", f"users/{agent.pk}", "queue", "settings", "auth/me"):
        assert client.get(f"/api/{address}").json() == client.get(f"/api/{address}/").json()


@pytest.mark.parametrize(
    ("name", "access"),
    [("super_user", Access.SUPER), ("admin", Access.ADMIN), ("agent", Access.MEMBER)],
)
def test_each_role_reaches_its_level(
    request: pytest.FixtureRequest, name: str, access: Access
) -> None:
    user: User = request.getfixturevalue(name)
    assert access_of(user) == access
    actions: Any = list(ADMIN_ACTIONS) if access > Access.MEMBER else []
    assert actions_of(user) == actions
    assert access_of(None) == Access.PUBLIC
