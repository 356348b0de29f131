"""A new password for who forgot the own one, in both forms (rules/accounts §11)."""

import logging
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from apps.accounts.models import PasswordReset, RefreshSession, User
from apps.accounts.services import password_reset, two_factor
from apps.accounts.services.password_reset import send_due_codes
from apps.accounts.tests.test_parallel import at_once
from apps.accounts.throttles import FREE_FOR_ACCOUNT, FREE_RESETS, FREE_RESETS_FOR_ADDRESS
from apps.audit.models import AuditEntry
from apps.companies.models import Company
from apps.mail.models import SECRET_MARK, Mail
from config.reports import LogLine, without_secrets
from conftest import ClientFor
from tests.factories import PASSWORD, make_company, make_user

pytestmark = pytest.mark.django_db

NEW = "Outra-senha-1"
NOBODY = "ninguem@example.com"


@pytest.fixture(autouse=True)
def _mail_is_set_up(settings: Any) -> None:
    settings.EMAIL_HOST = "127.0.0.1"


class Json:
    """Our own page."""

    def ask(self, client: APIClient, email: str) -> Any:
        return client.post("/api/password-reset", {"email": email}, "json")

    def confirm(self, client: APIClient, email: str, code: str, password: str = NEW) -> Any:
        body = {"email": email, "code": code, "password": password}
        return client.post("/api/password-reset/confirm/", body, "json")


class Older:
    """Older browsers'."""

    def ask(self, client: APIClient, email: str) -> Any:
        return client.post(f"/api/forgetpassword/{email}")

    def confirm(self, client: APIClient, email: str, code: str, password: str = NEW) -> Any:
        return client.post(f"/api/resetpasswords/{email}/{code}/{password}")


@pytest.fixture(params=[Json(), Older()], ids=["json", "older"])
def form(request: pytest.FixtureRequest) -> Any:
    return request.param


def sent_code() -> str:
    """Have what was asked for sent; returns the newest mail's code."""
    send_due_codes(limit=10)
    return Mail.objects.latest("pk").secret


def asked(email: str) -> str:
    assert Json().ask(APIClient(), email).status_code == 200
    return sent_code()


def is_open(email: str, password: str) -> bool:
    body = {"email": email, "password": password}
    return APIClient().post("/api/auth/login", body, "json").status_code == 200


def test_a_code_by_mail_sets_a_new_password_and_ends_what_was_open(
    agent: User, form: Any, events: list[dict[str, Any]]
) -> None:
    browser, stranger = APIClient(), APIClient()
    body = {"email": agent.email, "password": PASSWORD}
    access = browser.post("/api/auth/login", body, "json").json()["token"]
    office = Client()
    office.force_login(agent)

    answer = form.ask(stranger, agent.email.upper())
    assert answer.status_code == 200, answer.content
    code = sent_code()
    mail = Mail.objects.latest("pk")
    assert (mail.recipient, mail.subject) == (
        *(agent.email, "Seu código para uma nova senha no Balcão"),
    )
    assert SECRET_MARK in mail.body
    assert code not in mail.body
    assert re.fullmatch("[A-HJKMNP-Z2-9]{8}", code)
    events.clear()
    answer = form.confirm(stranger, agent.email, f" {code[:4].lower()}-{code[4:]} ")
    assert answer.status_code == 200, answer.content
    assert answer.json()["message"] == "Senha redefinida com sucesso."

    assert not is_open(agent.email, PASSWORD)
    headers = {"Authorization": f"Bearer {access}"}
    assert browser.get("/api/auth/me", headers=headers).status_code == 401
    assert browser.post("/api/auth/refresh_token").status_code == 401
    assert not RefreshSession.objects.exists()
    assert "_auth_user_id" in office.session
    assert office.get("/admin/").status_code == 302
    (told,) = [each for each in events if each["event"] == "auth"]
    assert (told["rooms"], told["payload"]["user"]["id"]) == (
        *([f"company:{agent.company_id}"], agent.pk),
    )
    entry = AuditEntry.objects.get(action="user.password_reset")
    assert (entry.actor, entry.company_id, entry.ip_address) == (
        *(agent, agent.company_id, "127.0.0.1"),
    )
    assert Mail.objects.latest("pk").subject == "Sua senha no Balcão foi alterada"
    assert is_open(agent.email, NEW)


def test_what_is_stored_is_no_code(agent: User) -> None:
    code = asked(agent.email)
    row = PasswordReset.objects.get()
    assert len(row.code_hash) == 64
    assert code not in row.code_hash
    assert row.expires_at is not None
    assert timedelta(minutes=14) < row.expires_at - timezone.now() <= timedelta(minutes=15)


def test_the_answer_and_the_traces_are_the_same_for_an_address_without_an_account(
    agent: User, form: Any, django_assert_num_queries: Callable[[int], Any]
) -> None:
    client = APIClient()
    answers, counts = [], []
    for email in (agent.email, NOBODY):
        with django_assert_num_queries(4) as told:
            answers.append(form.ask(client, email))
        counts.append([each["sql"].split(" ")[0] for each in told.captured_queries])
    send_due_codes(limit=10)
    for email in (agent.email, NOBODY):
        with django_assert_num_queries(2) as told:
            answers.append(form.confirm(client, email, "AAAAAAAA"))
        counts.append([each["sql"].split(" ")[0] for each in told.captured_queries])
    assert answers[0].json() == answers[1].json()
    assert answers[2].json() == answers[3].json()
    assert [each.status_code for each in answers] == [200, 200, 400, 400]
    assert counts[0] == counts[1]
    assert counts[2] == counts[3]
    assert [mail.recipient for mail in Mail.objects.all()] == [agent.email]
    assert {bool(row.code_hash) for row in PasswordReset.objects.all()} == {True}
    assert answers[0].json().get("status", 200) == 200


def test_a_code_is_good_once(agent: User, form: Any) -> None:
    code = asked(agent.email)
    client = APIClient()
    assert form.confirm(client, agent.email, code).status_code == 200
    answer = form.confirm(client, agent.email, code, "Mais-uma-2")
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_RESET_CODE")
    assert list(answer.json()["fields"]) == ["code"]
    assert is_open(agent.email, NEW)


def test_only_the_newest_code_is_good(agent: User) -> None:
    old = asked(agent.email)
    assert Json().ask(APIClient(), agent.email).status_code == 200
    # Neither is while the new one is being drawn.
    assert Json().confirm(APIClient(), agent.email, old).status_code == 400
    new = sent_code()
    assert Json().confirm(APIClient(), agent.email, old).status_code == 400
    assert Json().confirm(APIClient(), agent.email, new).status_code == 200


def test_a_code_is_good_for_a_quarter_of_an_hour(agent: User) -> None:
    code = asked(agent.email)
    PasswordReset.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert Json().confirm(APIClient(), agent.email, code).status_code == 400


def test_a_code_is_another_addresss(agent: User, outsider: User) -> None:
    asked(agent.email)
    code = Mail.objects.latest("pk").secret
    asked(outsider.email)
    assert Json().confirm(APIClient(), outsider.email, code).status_code == 400


def test_the_sixth_try_is_not_looked_at(agent: User) -> None:
    code = asked(agent.email)
    for number in range(5):
        client = APIClient(REMOTE_ADDR=f"203.0.113.{number}")
        assert Json().confirm(client, agent.email, "AAAAAAAA").status_code == 400
    answer = Json().confirm(APIClient(REMOTE_ADDR="203.0.113.9"), agent.email, code)
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_RESET_CODE")
    # Another code has tries of its own.
    assert Json().confirm(APIClient(), agent.email, asked(agent.email)).status_code == 200


@pytest.mark.parametrize(
    "password", ["Curta-1", "sem-maiuscula-1", "SEM-MINUSCULA-1", "Sem-numero", "A1" + 49 * "b"]
)
def test_a_weak_password_is_refused_at_its_field_and_costs_no_try(
    agent: User, form: Any, password: str
) -> None:
    code = asked(agent.email)
    answer = form.confirm(APIClient(), agent.email, code, password)
    assert answer.status_code == 400
    assert list(answer.json()["fields"]) == ["password"]
    assert PasswordReset.objects.get().tries == 0
    assert is_open(agent.email, PASSWORD)


@pytest.mark.parametrize("password", ["Com espaço-1", "Barra/dentro-1", "Çedilha-é-1", "Cem%-1234"])
def test_the_older_form_takes_what_an_address_can_hold(
    agent: User, password: str, wrong_answers: list[str]
) -> None:
    code = asked(agent.email)
    path = f"/api/resetpasswords/{agent.email}/{code}/{password.replace('%', '%25')}"
    assert APIClient().post(path).status_code == 200
    assert is_open(agent.email, password)
    if "/" in password:
        wrong_answers.clear()  # no variable of a schema's address has one


@pytest.mark.parametrize("email", ["x", "a@b", "a@b.c\r\nBcc: d@e.f"])
def test_what_is_no_address_is_refused(client_for: ClientFor, email: str) -> None:
    answer = Json().ask(client_for(None), email)
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["email"])
    assert not PasswordReset.objects.exists()


def test_who_is_switched_off_gets_no_code(agent: User, acme: Company) -> None:
    User.objects.update(is_active=False)
    assert Json().ask(APIClient(), agent.email).status_code == 200
    send_due_codes(limit=10)
    User.objects.update(is_active=True)
    Company.objects.update(is_enabled=False)
    assert Json().ask(APIClient(), agent.email).status_code == 200
    send_due_codes(limit=10)
    assert not Mail.objects.exists()


def test_who_was_switched_off_meanwhile_gets_no_password(agent: User) -> None:
    code = asked(agent.email)
    User.objects.update(is_active=False)
    assert Json().confirm(APIClient(), agent.email, code).status_code == 400
    agent.refresh_from_db()
    assert agent.check_password(PASSWORD)


def test_a_second_factor_stays(agent: User) -> None:
    enrolment = two_factor.begin(user=agent, current_password=PASSWORD, ip_address=None)
    import pyotp

    now = pyotp.TOTP(enrolment.secret).now()
    two_factor.confirm(user=agent, code=now, ip_address=None)
    assert Json().confirm(APIClient(), agent.email, asked(agent.email)).status_code == 200
    body = {"email": agent.email, "password": NEW}
    answer = APIClient().post("/api/auth/login", body, "json")
    assert (answer.status_code, answer.json()["code"]) == (401, "ERR_TWO_FACTOR_REQUIRED")


def test_who_waited_for_wrong_passwords_waits_no_more(agent: User) -> None:
    for _ in range(FREE_FOR_ACCOUNT):
        assert not is_open(agent.email, "errada")
    assert not is_open(agent.email, PASSWORD)
    assert Json().confirm(APIClient(), agent.email, asked(agent.email)).status_code == 200
    assert is_open(agent.email, NEW)


def test_an_account_is_asked_for_so_often_and_then_waits(agent: User, form: Any) -> None:
    for email in (agent.email, NOBODY):
        for number in range(FREE_RESETS):
            client = APIClient(REMOTE_ADDR=f"203.0.113.{number}")
            assert form.ask(client, email).status_code == 200
        answer = form.ask(APIClient(REMOTE_ADDR="203.0.113.99"), email)
        assert (answer.status_code, answer.json()["code"]) == (429, "ERR_TOO_MANY_REQUESTS")


def test_strangers_who_ask_do_not_keep_the_owners_browser_from_it(agent: User) -> None:
    own = APIClient()
    own.post("/api/auth/login", {"email": agent.email, "password": PASSWORD}, "json")
    for number in range(FREE_RESETS + 1):
        Json().ask(APIClient(REMOTE_ADDR=f"203.0.113.{number}"), agent.email)
    assert Json().ask(own, agent.email).status_code == 200


def test_an_address_asks_so_often_and_then_waits(client_for: ClientFor) -> None:
    client = client_for(None)
    statuses = [
        Json().ask(client, f"pessoa{number}@example.com").status_code
        for number in range(FREE_RESETS_FOR_ADDRESS + 1)
    ]
    assert statuses == [200] * FREE_RESETS_FOR_ADDRESS + [429]


def test_without_a_mail_server_the_page_is_told_so(
    client_for: ClientFor, agent: User, form: Any, settings: Any
) -> None:
    client = client_for(None)
    assert client.get("/api/password-reset").json() == {"enabled": True}
    settings.EMAIL_HOST = ""
    assert client.get("/api/password-reset").json() == {"enabled": False}
    answer = form.ask(client, agent.email)
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_MAIL_NOT_SET_UP")
    assert not PasswordReset.objects.exists()


def test_what_was_asked_for_is_forgotten(agent: User) -> None:
    asked(agent.email)
    asked("pessoa@example.com")
    assert PasswordReset.objects.count() == 2
    PasswordReset.objects.update(asked_at=timezone.now() - timedelta(hours=25))
    asked("outra@example.com")
    assert PasswordReset.objects.get().email == "outra@example.com"


@pytest.mark.parametrize("language", ["en", "es", "pt"])
def test_the_code_comes_in_the_language_of_the_browser(agent: User, language: str) -> None:
    client = APIClient(headers={"accept-language": language})
    Json().ask(client, agent.email)
    sent_code()
    subject = Mail.objects.latest("pk").subject
    words = {"en": "Your code", "es": "Su código", "pt": "Seu código"}
    assert subject.startswith(words[language])


def test_no_log_keeps_a_password_of_an_address(
    agent: User, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    password = "Segredo secreto 1"
    assert Older().confirm(APIClient(), agent.email, "AAAAAAAA", password).status_code == 400
    assert password in caplog.text  # as Django writes it
    for _ in range(6):
        asked = Older().ask(APIClient(), agent.email)
    assert asked.status_code == 429
    assert "/forgetpassword/" in caplog.text
    line = LogLine("%(levelname)s %(message)s")
    written = [line.format(record) for record in caplog.records]
    for path in ("/resetpasswords/…", "/forgetpassword/…"):
        assert any(path in each for each in written)
    assert not [each for each in written if "Segredo" in each or agent.email in each]
    report = {
        "request": {"url": f"https://x/api/resetpasswords/a@b.c/CODE/{password}"},
        "breadcrumbs": [{"message": f"Bad Request: /api/resetpasswords/a@b.c/C/{password}"}],
        "level": 3,
    }
    assert without_secrets(report, {}) == {
        "request": {"url": "https://x/api/resetpasswords/…"},
        "breadcrumbs": [{"message": "Bad Request: /api/resetpasswords/…"}],
        "level": 3,
    }


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_many_guesses_at_once_five_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    user = make_user(make_company())
    code = asked(user.email)

    def guess(number: int) -> int:
        client = APIClient(REMOTE_ADDR=f"203.0.113.{number}")
        return int(Json().confirm(client, user.email, "AAAAAAAA").status_code)

    assert at_once(24, guess) == [400] * 24
    assert PasswordReset.objects.get().tries == password_reset.MOST_TRIES
    assert Json().confirm(APIClient(), user.email, code).status_code == 400


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_two_who_show_the_code_at_once_one_has_it() -> None:
    user = make_user(make_company())
    code = asked(user.email)

    def confirm(number: int) -> int:
        answer = Json().confirm(APIClient(), user.email, code, f"Senha-numero-{number}")
        return int(answer.status_code)

    assert sorted(at_once(4, confirm)) == [200, 400, 400, 400]
    assert AuditEntry.objects.filter(action="user.password_reset").count() == 1
