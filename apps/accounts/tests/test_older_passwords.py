"""Hashes of older products beside our own (rules/accounts §5)."""

from typing import Any

import bcrypt
import pytest

from apps.accounts.hashers import OlderPasswordHasher
from apps.accounts.models import User
from apps.companies.models import Company
from config import settings as product
from tests.factories import make_user


@pytest.fixture(autouse=True)
def _hashers(settings: Any) -> None:
    settings.PASSWORD_HASHERS = product.PASSWORD_HASHERS


def older(password: str) -> str:
    """Return a hash as bcryptjs makes it."""
    hashed = bcrypt.hashpw(password.encode()[:72], bcrypt.gensalt(4, prefix=b"2a")).decode()
    return f"{OlderPasswordHasher.algorithm}${hashed}"


def test_a_password_of_an_older_product_is_hashed_anew_when_it_matches(acme: Company) -> None:
    user = make_user(acme)
    user.password = older("segredo")
    user.save()
    assert not user.check_password("outro")
    assert User.objects.get(pk=user.pk).password.startswith("bcrypt$$2a$04$")
    assert user.check_password("segredo")
    assert User.objects.get(pk=user.pk).password.startswith("argon2$argon2id$")
    assert User.objects.get(pk=user.pk).check_password("segredo")


def test_a_long_password_is_cut_off_as_it_was_there(acme: Company) -> None:
    long = "ç" * 50
    user = make_user(acme)
    user.password = older(long)
    assert user.check_password(long)
    assert not User(password=older(long)).check_password("outra")


def test_an_account_without_a_hash_opens_to_nothing(acme: Company) -> None:
    assert not User(password="!").check_password("!")
    assert not User(password="!").check_password("")
