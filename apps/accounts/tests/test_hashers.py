"""How passwords are kept (rules/accounts §5)."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher, make_password
from django.test import Client
from pytest_django import Settings
from rest_framework.test import APIClient

from apps.accounts.hashers import PasswordHasher
from apps.accounts.models import User
from config import settings as shipped
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db

MEASURES = "argon2$argon2id$v=19$m=7168,t=5,p=1$"


@pytest.fixture(autouse=True)
def _as_shipped(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = shipped.PASSWORD_HASHERS


class _EarlierHasher(PasswordHasher):
    """That of hashes that the product made earlier."""

    memory_cost = 9 * 1024
    time_cost = 4


@pytest.fixture(params=[(Argon2PasswordHasher, ",p=8$"), (_EarlierHasher, "$m=9216,t=4,p=1$")])
def old_hand(super_user: User, request: pytest.FixtureRequest) -> User:
    """The super user, with a hash of other measures."""
    hasher, measures = request.param
    super_user.password = hasher().encode(PASSWORD, "a salt of twelve")
    super_user.save()
    assert measures in super_user.password
    return super_user


def test_a_password_takes_7_mib_five_passes_and_one_lane() -> None:
    assert make_password(PASSWORD).startswith(MEASURES)


@pytest.mark.parametrize("path", ["/api/auth/login", "/admin/login/"])
def test_an_older_hash_is_replaced_when_its_owner_signs_in(old_hand: User, path: str) -> None:
    before = old_hand.password
    if path.startswith("/api"):
        body = {"email": old_hand.email, "password": "errada"}
        assert APIClient().post(path, body, format="json").status_code == 401
        old_hand.refresh_from_db()
        assert old_hand.password == before
        body["password"] = PASSWORD
        assert APIClient().post(path, body, format="json").status_code == 200
    else:
        body = {"username": old_hand.email, "password": PASSWORD}
        assert Client().post(path, body).status_code == 302
    old_hand.refresh_from_db()
    assert old_hand.password.startswith(MEASURES)
    assert old_hand.check_password(PASSWORD)


def test_no_more_are_hashed_at_once_than_there_are_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes 7 MiB, and many of them each other's caches."""
    lock, now, most = threading.Lock(), 0, 0
    pause = threading.Event()

    def hashed(*_: Any) -> bool:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        pause.wait(0.05)
        with lock:
            now -= 1
        return True

    monkeypatch.setattr(Argon2PasswordHasher, "verify", hashed)
    monkeypatch.setattr(Argon2PasswordHasher, "encode", hashed)
    with ThreadPoolExecutor(40) as threads:
        assert all(threads.map(lambda _: PasswordHasher().verify(PASSWORD, "stored"), range(20)))
        assert all(threads.map(lambda _: PasswordHasher().encode(PASSWORD, "salt"), range(20)))
    assert most <= (os.cpu_count() or 1)
