"""How many statements a sign-in takes (docs/performance.md, part `login`)."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.accounts.models import User
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db


def test_a_sign_in_takes_ten_statements(agent: User, django_assert_num_queries: Any) -> None:
    browser = APIClient()

    def sign_in() -> Any:
        body = {"email": agent.email, "password": PASSWORD}
        return browser.post("/api/auth/login", body, format="json")

    sign_in()  # the next browser is known
    # Two of them are the transaction's.
    with django_assert_num_queries(10):
        answer = sign_in()
    assert answer.json()["user"]["queues"]
