"""The access table as views meet it, and the actions that the browser shows."""

import pytest
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIClient
from rest_framework.views import APIView

from apps.accounts.models import User
from apps.accounts.permissions import OLDER_ACTIONS, Permission, actions_of
from apps.companies.models import Company
from conftest import ClientFor
from tests.factories import make_role, make_user

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
    ("name", "has_all"), [("super_user", True), ("admin", True), ("agent", False)]
)
def test_older_browsers_get_all_actions_of_an_admin_or_none(
    request: pytest.FixtureRequest, name: str, has_all: bool
) -> None:
    user: User = request.getfixturevalue(name)
    assert actions_of(user.granted) == (list(OLDER_ACTIONS) if has_all else [])


def test_an_own_role_shows_older_browsers_what_it_allows(acme: Company) -> None:
    cashier = make_user(acme, role=make_role(acme, Permission.REPORTS, Permission.SEE_ALL))
    assert actions_of(cashier.granted) == ["dashboard:view", "tickets-manager:showall"]
    assert cashier.profile == "user"


def test_permissions_that_this_version_does_not_know_are_passed_over(acme: Company) -> None:
    role = make_role(acme, Permission.TAKE, "later:thing")
    assert make_user(acme, role=role).granted == {Permission.TAKE}
