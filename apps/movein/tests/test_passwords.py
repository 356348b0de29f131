"""Accounts of older products sign in with the password that they had (rules/moving-in §8)."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.companies.models import Company
from apps.movein.tests.conftest import Sourced, go
from apps.movein.tests.shop import PASSWORD, shop_a

HASHERS = ["apps.accounts.hashers.PasswordHasher", "apps.accounts.hashers.OlderPasswordHasher"]


@pytest.fixture(autouse=True)
def _hashers(settings: Any) -> None:
    settings.PASSWORD_HASHERS = HASHERS


@pytest.mark.postgres
@pytest.mark.django_db
def test_an_old_password_signs_in_and_is_hashed_anew(
    operator_company: Company, source: Sourced
) -> None:
    go(source(shop_a()))
    user = User.objects.get(name="Ana")
    assert user.password.startswith("bcrypt$$2a$08$")
    client = APIClient()
    wrong = {"email": "ana@loja.example", "password": "errado"}
    assert client.post("/api/auth/login", wrong, format="json").status_code == 401
    assert User.objects.get(pk=user.pk).password == user.password
    right = {"email": "Ana@Loja.example", "password": PASSWORD}
    assert client.post("/api/auth/login", right, format="json").status_code == 200
    assert User.objects.get(pk=user.pk).password.startswith("argon2$argon2id$")
    assert client.post("/api/auth/login", right, format="json").status_code == 200
