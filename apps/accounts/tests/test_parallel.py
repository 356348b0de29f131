"""What happens at once, on real connections."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.conf import settings
from django.core.cache.backends.redis import RedisCache
from django.db import connection as database
from rest_framework.test import APIClient

from apps.accounts.models import RefreshSession, User
from tests.factories import PASSWORD, make_admin, make_company, make_plan, make_user

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def at_once(count: int, call: Callable[[int], Any]) -> list[Any]:
    barrier = Barrier(count)

    def run(number: int) -> Any:
        barrier.wait(timeout=20)
        try:
            return call(number)
        finally:
            database.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def test_parallel_refreshes_all_succeed_and_agree() -> None:
    user = make_user(make_company())
    opened = APIClient().post(
        "/api/auth/login", {"email": user.email, "password": PASSWORD}, format="json"
    )

    def refresh(number: int) -> Any:
        client = APIClient()
        client.cookies["jrt"] = opened.cookies["jrt"].value
        return client.post("/api/auth/refresh_token")

    answers = at_once(6, refresh)
    assert [answer.status_code for answer in answers] == [200] * 6
    assert len({answer.cookies["jrt"].value for answer in answers}) == 1


def test_of_parallel_logins_exactly_one_session_lives() -> None:
    user = make_user(make_company())

    def log_in(number: int) -> Any:
        body = {"email": user.email, "password": PASSWORD}
        return APIClient().post("/api/auth/login", body, format="json").json()["token"]

    tokens = at_once(4, log_in)
    statuses = [
        APIClient(HTTP_AUTHORIZATION=f"Bearer {token}").get("/api/auth/me").status_code
        for token in tokens
    ]
    assert sorted(statuses) == [200, 401, 401, 401]
    assert RefreshSession.objects.filter(is_taken_over=False).count() == 1


def test_of_many_guesses_at_once_ten_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    # The last of them may come long after the tenth.
    monkeypatch.setattr("apps.common.attempts.FIRST_WAIT_SECONDS", 500)
    # All count in one place, however busy the machine is.
    patient = RedisCache(settings.REDIS_URL, {"KEY_PREFIX": "patient"})
    patient.clear()
    monkeypatch.setattr("apps.common.attempts.cache", patient)
    user = make_user(make_company())

    def guess(number: int) -> int:
        body = {"email": user.email, "password": f"errada {number}"}
        client = APIClient(REMOTE_ADDR=f"203.0.113.{number}")
        status: int = client.post("/api/auth/login", body, format="json").status_code
        return status

    statuses = at_once(96, guess)
    assert (statuses.count(401), statuses.count(429)) == (10, 86)


def test_the_plans_last_place_is_taken_once() -> None:
    company = make_company(plan=make_plan(users=2))
    admin = make_admin(company)

    def create(number: int) -> Any:
        client = APIClient()
        client.force_authenticate(User.objects.get(pk=admin.pk))
        body = {"name": "Dora", "email": f"dora{number}@acme.example", "password": "12345"}
        return client.post("/api/users", body, format="json").status_code

    assert sorted(at_once(4, create)) == [201, 403, 403, 403]
