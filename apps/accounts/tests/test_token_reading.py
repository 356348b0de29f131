"""A token's signature is checked once; who it names, and whether it still counts, every time."""

import time
from datetime import timedelta

import pytest
from rest_framework.test import APIClient
from rest_framework_simplejwt.tokens import AccessToken

from apps.accounts import tokens
from apps.accounts.models import User
from apps.accounts.services.users import set_active

pytestmark = pytest.mark.django_db


def status_of(token: str) -> int:
    client = APIClient(HTTP_AUTHORIZATION=f"Bearer {token}")
    return client.get("/api/auth/me").status_code


def test_a_token_read_before_is_refused_once_the_account_is_switched_off(
    agent: User, admin: User
) -> None:
    token = tokens.make_access_token(agent)
    assert status_of(token) == 200
    set_active(user=agent, actor=admin, is_active=False)
    assert status_of(token) == 401


def test_a_token_read_before_is_refused_once_another_session_began(agent: User) -> None:
    token = tokens.make_access_token(agent)
    assert status_of(token) == 200
    User.objects.filter(pk=agent.pk).update(token_version=agent.token_version + 1)
    assert status_of(token) == 401


def test_a_token_read_before_expires_at_its_time(agent: User) -> None:
    short = AccessToken(tokens.make_access_token(agent))  # type: ignore[arg-type]
    short.set_exp(lifetime=timedelta(seconds=2))
    assert status_of(str(short)) == 200
    until = time.monotonic() + 10
    while (status := status_of(str(short))) == 200 and time.monotonic() < until:
        pass
    assert status == 403


def test_only_so_many_tokens_are_remembered(agent: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "_MOST_READ", 3)
    for _ in range(10):
        tokens.read_access_token(tokens.make_access_token(agent))
        assert len(tokens._read) <= 3
    tokens._read.clear()
