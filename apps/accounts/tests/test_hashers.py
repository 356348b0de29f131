"""How passwords are kept (rules/accounts §5)."""

import mmap
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher, make_password
from django.test import Client
from pytest_django import Settings
from rest_framework.test import APIClient

from apps.accounts import hashers
from apps.accounts.hashers import PasswordHasher
from apps.accounts.models import User
from config import settings as shipped
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db

MEASURES = "argon2$argon2id$v=19$m=19456,t=2,p=1$"


@pytest.fixture(autouse=True)
def _as_shipped(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = shipped.PASSWORD_HASHERS


@pytest.fixture
def old_hand(super_user: User) -> User:
    """The super user, with a hash of Django's own measures."""
    super_user.password = Argon2PasswordHasher().encode(PASSWORD, "a salt of twelve")
    super_user.save()
    assert ",p=8$" in super_user.password
    return super_user


def test_a_password_takes_19_mib_two_passes_and_one_lane() -> None:
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


@pytest.mark.parametrize("password", ["senha", "", "são 15 €", "x" * 500])
def test_a_hash_is_any_argon2s(password: str) -> None:
    """Ours is worked out in memory that is lent; the library itself says the same."""
    stored = PasswordHasher().encode(password, "a salt of twelve")
    assert Argon2PasswordHasher().verify(password, stored)
    assert PasswordHasher().verify(password, stored)
    assert not PasswordHasher().verify(password + "!", stored)


def test_no_more_are_hashed_at_once_than_there_are_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes 19 MiB, and many of them each other's caches."""
    lock, now, most = threading.Lock(), 0, 0
    stored = make_password(PASSWORD)

    def held(*_: Any) -> bytes:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        several.wait(0.05)
        with lock:
            now -= 1
        return stored.rpartition("$")[2].encode()

    several = threading.Event()
    monkeypatch.setattr(hashers, "_hashed", held)
    with ThreadPoolExecutor(40) as threads:
        assert all(threads.map(lambda _: PasswordHasher().verify(PASSWORD, stored), range(40)))
    assert most <= (os.cpu_count() or 1)


def test_hashes_one_after_another_share_their_memory_and_leave_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """19 MiB that are fetched anew for each are 4,864 page faults."""
    stored = PasswordHasher().encode(PASSWORD, "a salt of twelve")
    made: list[mmap.mmap] = []

    class Counted(mmap.mmap):
        def __init__(self, *_: Any) -> None:
            made.append(self)

    monkeypatch.setattr(mmap, "mmap", Counted)
    many = 6 * hashers.CORES
    with ThreadPoolExecutor(many) as threads:
        begin = threading.Barrier(many)

        def verify(_: int) -> bool:
            begin.wait(60)
            return PasswordHasher().verify(PASSWORD, stored)

        assert all(threads.map(verify, range(many)))
    # All came at once: while anybody waits, nothing is fetched but for the first of each core.
    assert len(made) <= 2 * hashers.CORES
    assert all(piece.closed for piece in made)


def test_a_system_without_large_pages_hashes_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    class Plain(mmap.mmap):
        def madvise(self, *_: Any) -> None:
            raise OSError(22, "Invalid argument")

    stored = PasswordHasher().encode(PASSWORD, "a salt of twelve")
    monkeypatch.setattr(mmap, "mmap", Plain)
    assert PasswordHasher().verify(PASSWORD, stored)


def test_without_memory_for_it_a_turn_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = PasswordHasher().encode(PASSWORD, "a salt of twelve")

    class Refused(mmap.mmap):
        def __new__(cls, *_: Any) -> "Refused":
            raise OSError(12, "Cannot allocate memory")

    with monkeypatch.context() as patch:
        patch.setattr(mmap, "mmap", Refused)
        for _ in range(2 * hashers.CORES):
            with pytest.raises(OSError, match="allocate"):
                PasswordHasher().verify(PASSWORD, stored)
    assert PasswordHasher().verify(PASSWORD, stored)
    assert hashers._turns._present == 0
