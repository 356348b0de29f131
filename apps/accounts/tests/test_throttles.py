"""Wrong passwords: how many, from where, and who is never held back (rules/accounts §5)."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from redis.exceptions import ConnectionError as RedisConnectionError
from rest_framework.test import APIClient

from apps.accounts import known_browsers
from apps.accounts.known_browsers import COOKIE
from apps.accounts.models import User
from apps.common import silence
from apps.common.attempts import Attempts, TooManyAttempts
from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db

STRANGER, HOME = "203.0.113.9", "198.51.100.1"


def log_in(user: User, password: str = PASSWORD, *, at: APIClient | None = None) -> Any:
    client = at or APIClient(REMOTE_ADDR=STRANGER)
    return client.post(
        "/api/auth/login", {"email": user.email, "password": password}, format="json"
    )


def is_held_back(answer: Any) -> bool:
    return bool(answer.status_code == 429)


@pytest.fixture(autouse=True)
def _no_wait_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    # However slow the machine, a gate that a test found shut is not open again a line later.
    monkeypatch.setattr("apps.common.attempts.FIRST_WAIT_SECONDS", 500)


@pytest.fixture
def home(agent: User) -> APIClient:
    """The agent's own browser: they have signed in there."""
    client = APIClient(REMOTE_ADDR=HOME)
    assert log_in(agent, at=client).status_code == 200
    return client


@pytest.fixture
def locked(agent: User) -> User:
    """The agent, after ten wrong passwords from ten addresses."""
    for number in range(10):
        client = APIClient(REMOTE_ADDR=f"203.0.113.{number}")
        assert log_in(agent, "errada", at=client).status_code == 401
    return agent


def test_ten_failures_hold_an_account_back_and_say_for_how_long(locked: User) -> None:
    answer = log_in(locked)
    body = answer.json()
    assert (answer.status_code, body["code"]) == (429, "ERR_TOO_MANY_REQUESTS")
    assert 1 <= body["retryAfter"] <= 500
    assert answer["Retry-After"] == str(body["retryAfter"])
    assert f"Aguarde {body['retryAfter']} segundos" in body["message"]
    assert log_in(make_user(locked.company)).status_code == 200


def test_the_case_and_the_blanks_of_an_email_are_no_way_around(locked: User) -> None:
    locked.email = f" {locked.email.upper()}"
    assert is_held_back(log_in(locked))


def test_fifty_failures_hold_an_address_back(agent: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.accounts.services.sessions.make_password", lambda password: None)
    client = APIClient(REMOTE_ADDR=STRANGER)
    statuses = [
        client.post(
            "/api/auth/login", {"email": f"x{number}@y.example", "password": "p"}, format="json"
        ).status_code
        for number in range(51)
    ]
    assert statuses == [401] * 50 + [429]
    assert is_held_back(log_in(agent))
    assert log_in(agent, at=APIClient(REMOTE_ADDR=HOME)).status_code == 200


def test_a_network_of_ipv6_is_one_address(agent: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.accounts.throttles.FREE_FOR_ADDRESS", 2)
    for last in "12":
        assert log_in(agent, "errada", at=APIClient(REMOTE_ADDR=f"2001:db8::{last}")).status_code
    assert is_held_back(log_in(agent, at=APIClient(REMOTE_ADDR="2001:db8::3")))
    assert log_in(agent, at=APIClient(REMOTE_ADDR="2001:db8:0:1::3")).status_code == 200


def test_the_own_browser_gets_in_whatever_strangers_try(home: APIClient, locked: User) -> None:
    assert is_held_back(log_in(locked, at=APIClient(REMOTE_ADDR=HOME)))
    assert log_in(locked, at=home).status_code == 200


def test_the_own_browser_has_a_count_of_its_own(home: APIClient, agent: User) -> None:
    for _ in range(10):
        assert log_in(agent, "errada", at=home).status_code == 401
    assert is_held_back(log_in(agent, at=home))
    assert log_in(agent).status_code == 200


def test_a_browser_is_known_for_the_accounts_that_signed_in_there(
    home: APIClient, agent: User
) -> None:
    other = make_user(agent.company)
    for number in range(10):
        log_in(other, "errada", at=APIClient(REMOTE_ADDR=f"203.0.113.{number}"))
    assert is_held_back(log_in(other, at=home))
    cache.clear()
    assert log_in(other, at=home).status_code == 200
    for user in (agent, other):
        for number in range(10):
            log_in(user, "errada", at=APIClient(REMOTE_ADDR=f"203.0.113.{number}"))
        assert log_in(user, at=home).status_code == 200


@pytest.mark.parametrize("change", ["forged", "old", "nonsense"])
def test_a_cookie_that_is_not_ours_makes_no_browser_known(
    home: APIClient, locked: User, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if change == "old":
        monkeypatch.setattr(known_browsers, "LIFETIME_SECONDS", -1)
    else:
        text = home.cookies[COOKIE].value
        home.cookies[COOKIE] = f"{text[:-4]}AAAA" if change == "forged" else "çã"
    assert is_held_back(log_in(locked, at=home))


def test_the_cookie_is_for_the_browser_alone_and_tells_nothing(agent: User, settings: Any) -> None:
    settings.SECURE_COOKIES = True
    cookie = log_in(agent).cookies[COOKIE]
    assert (cookie["httponly"], cookie["secure"], cookie["samesite"]) == (True, True, "Lax")
    assert cookie["max-age"] == 180 * 24 * 3600
    assert COOKIE not in log_in(agent, "errada").cookies
    assert known_browsers.read_known_browser(cookie.value).knows(agent.email.upper())
    assert "acme" not in cookie.value


def test_a_shared_desk_remembers_ten_accounts() -> None:
    browser = known_browsers.read_known_browser("")
    for number in range(11):
        browser = known_browsers.read_known_browser(browser.cookie_after(f"x{number}@y.example"))
    assert not browser.knows("x0@y.example")
    assert all(browser.knows(f"x{number}@y.example") for number in range(1, 11))


def test_the_right_password_clears_the_accounts_count_and_not_the_addresss(
    agent: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.accounts.throttles.FREE_FOR_ADDRESS", 18)
    for _ in range(2):
        for _ in range(9):
            assert log_in(agent, "errada").status_code == 401
        last = log_in(agent)
    assert is_held_back(last)
    assert log_in(agent, at=APIClient(REMOTE_ADDR=HOME)).status_code == 200


def test_signing_in_rightly_is_not_counted(agent: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.accounts.throttles.FREE_FOR_ADDRESS", 5)
    assert [log_in(agent).status_code for _ in range(12)] == [200] * 12


def test_a_refusal_that_is_no_guess_is_not_counted(agent: User) -> None:
    User.objects.filter(pk=agent.pk).update(is_active=False)
    codes = {log_in(agent).json()["code"] for _ in range(12)}
    assert codes == {"ERR_USER_DISABLED"}


def test_a_cache_that_is_down_does_not_break_login(
    agent: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise RedisConnectionError

    for name in ("get", "add", "incr", "decr", "touch", "delete", "delete_many"):
        monkeypatch.setattr(type(cache._connections["default"]), name, fail)  # type: ignore[attr-defined]
    assert log_in(agent).status_code == 200
    assert log_in(agent, "errada").status_code == 401


def test_an_admins_form_without_a_password_is_no_good_try(super_user: User) -> None:
    browser = Client()
    for _ in range(9):
        browser.post("/admin/login/", {"username": super_user.email, "password": "errada"})
    assert browser.post("/admin/login/", {"username": super_user.email}).status_code == 200
    browser.post("/admin/login/", {"username": super_user.email, "password": "errada"})
    page = browser.post("/admin/login/", {"username": super_user.email, "password": PASSWORD})
    assert "Muitas tentativas" in page.content.decode()


def waits(attempts: Attempts) -> Iterator[int]:
    """Give the seconds that each further try is told, its gate opened by time."""
    while True:
        with pytest.raises(TooManyAttempts) as refusal:
            attempts.begin()
        yield refusal.value.seconds
        cache.delete("attempts-gate:a-name")
        attempts.begin()


def test_each_wait_is_twice_as_long_up_to_a_quarter_of_an_hour(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("apps.common.attempts.FIRST_WAIT_SECONDS", 50)
    monkeypatch.setattr("apps.common.attempts.time.time", lambda: 1_000_000.0)
    attempts = Attempts("a-name", free=2)
    attempts.begin()
    attempts.begin()
    told = [wait for wait, _ in zip(waits(attempts), range(7), strict=False)]
    assert told == [50, 100, 200, 400, 800, 900, 900]


def test_a_try_that_is_refused_does_not_make_the_wait_longer() -> None:
    attempts = Attempts("a-name", free=1)
    attempts.begin()
    for _ in range(20):
        with pytest.raises(TooManyAttempts) as refusal:
            attempts.begin()
    assert refusal.value.seconds <= 500


def test_without_the_common_cache_each_process_counts_for_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as hanging:
        hanging.setattr(silence._Silence, "until", time.monotonic() + 600)
        for _ in range(3):
            Attempts("a-name", free=3).begin()
        with pytest.raises(TooManyAttempts):
            Attempts("a-name", free=3).begin()
        Attempts("a-name", free=3).forget()
        again = Attempts("a-name", free=1)
        again.begin()
        again.forgive()
        Attempts("a-name", free=1).begin()


def test_no_number_of_other_names_has_one_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as hanging:
        hanging.setattr(silence._Silence, "until", time.monotonic() + 600)
        Attempts("a-name", free=1).begin()
        for number in range(2000):
            Attempts(f"a-strangers-{number}", free=1).begin()
        with pytest.raises(TooManyAttempts):
            Attempts("a-name", free=1).begin()


def test_a_try_forgiven_opens_its_gate_again() -> None:
    for _ in range(5):
        attempts = Attempts("a-name", free=1)
        attempts.begin()
        attempts.forgive()
