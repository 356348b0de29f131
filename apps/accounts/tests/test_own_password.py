"""Changing the own password: who proves what, and which sessions go on (rules/accounts §5)."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from apps.accounts.authentication import user_of_refresh_cookie
from apps.accounts.models import Authenticator, RefreshSession, User
from apps.audit.models import AuditEntry
from apps.companies.models import Company
from apps.mail.models import Mail
from tests.factories import PASSWORD, make_admin

pytestmark = pytest.mark.django_db

NEW = "uma nova"


class Browser:
    """A browser with its cookies and its access token."""

    def __init__(self, user: User, password: str = PASSWORD) -> None:
        self.user = user
        self.client = APIClient()
        body = {"email": user.email, "password": password}
        self.token = self.client.post("/api/auth/login", body, format="json").json()["token"]

    @property
    def cookie(self) -> str:
        return self.client.cookies["jrt"].value

    def me(self) -> Any:
        return self.client.get("/api/auth/me", headers={"Authorization": f"Bearer {self.token}"})

    def refresh(self) -> Any:
        answer = self.client.post("/api/auth/refresh_token")
        self.token = answer.json().get("token", self.token)
        return answer

    def change(self, **body: Any) -> Any:
        path, headers = f"/api/users/{self.user.pk}", {"Authorization": f"Bearer {self.token}"}
        return self.client.put(path, body, format="json", headers=headers)


@pytest.fixture
def own(agent: User) -> Browser:
    """The agent's browser."""
    return Browser(agent)


@pytest.fixture
def thief(own: Browser) -> Browser:
    """Somebody with a copy of the agent's cookies and token."""
    copy = Browser.__new__(Browser)
    copy.user, copy.token, copy.client = own.user, own.token, APIClient()
    copy.client.cookies["jrt"] = own.cookie
    return copy


@pytest.mark.parametrize("shown", [{"currentPassword": PASSWORD}, {}])
def test_the_session_that_changed_it_goes_on(own: Browser, shown: dict[str, str]) -> None:
    assert own.change(password=NEW, **shown).status_code == 200
    answer = own.me()
    assert (answer.status_code, answer.json()["code"]) == (403, "ERR_SESSION_EXPIRED")
    assert own.refresh().status_code == 200
    assert own.me().status_code == 200
    assert own.refresh().status_code == 200
    own.user.refresh_from_db()
    assert own.user.check_password(NEW)
    entry = AuditEntry.objects.get(action="user.password_changed")
    assert (entry.actor, entry.ip_address) == (own.user, "127.0.0.1")


def test_every_other_copy_of_the_session_ends(own: Browser, thief: Browser) -> None:
    own.change(password=NEW, currentPassword=PASSWORD)
    assert thief.me().status_code == 403
    assert user_of_refresh_cookie(thief.cookie) is None
    assert user_of_refresh_cookie(own.cookie) == own.user
    RefreshSession.objects.update(rotated_at=timezone.now() - timedelta(seconds=11))
    answer = thief.refresh()
    assert (answer.status_code, answer.json()["code"]) == (401, "ERR_SESSION_EXPIRED")
    assert own.refresh().status_code == 200


def test_a_refresh_that_was_quicker_than_the_answer_comes_again(
    own: Browser, thief: Browser
) -> None:
    tab = thief  # of the same browser: it has the cookie from before
    own.change(password=NEW, currentPassword=PASSWORD)
    answer = tab.refresh()
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_SESSION_RENEWED")
    assert "jrt" not in answer.cookies
    tab.client.cookies["jrt"] = own.cookie
    assert tab.refresh().status_code == 200


def test_a_later_login_or_logout_ends_the_renewed_session_too(own: Browser) -> None:
    before = own.token
    own.change(password=NEW, currentPassword=PASSWORD)
    own.refresh()
    Browser(own.user, NEW)
    for token in (before, own.token):
        own.token = token
        assert own.me().status_code == 401
    assert own.refresh().status_code == 401


def test_a_wrong_present_password_is_refused_at_its_field(own: Browser) -> None:
    for wrong in ("errada", ""):
        answer = own.change(password=NEW, name="Outro nome", currentPassword=wrong)
        body = answer.json()
        assert (answer.status_code, body["code"]) == (400, "ERR_WRONG_PASSWORD")
        assert set(body["fields"]) == {"currentPassword"}
    own.user.refresh_from_db()
    assert own.user.name == "Bob"
    assert own.user.check_password(PASSWORD)
    assert own.me().status_code == 200


def test_the_present_password_cannot_be_guessed_from_inside(own: Browser) -> None:
    for _ in range(10):
        assert own.change(password=NEW, currentPassword="errada").status_code == 400
    answer = own.change(password=NEW, currentPassword=PASSWORD)
    assert (answer.status_code, answer.json()["code"]) == (429, "ERR_TOO_MANY_REQUESTS")
    own.user.refresh_from_db()
    assert own.user.check_password(PASSWORD)


def refused_tries() -> list[tuple[str, str | None]]:
    entries = AuditEntry.objects.filter(action="user.password_refused").order_by("pk")
    return [(entry.object_id, entry.ip_address) for entry in entries]


def test_each_wrong_present_password_is_audited(own: Browser) -> None:
    own.change(password=NEW, currentPassword="errada")
    own.change(email="novo@acme.example", currentPassword="errada")
    headers = {"Authorization": f"Bearer {own.token}"}
    wrong = {"currentPassword": "errada"}
    for path, call in (
        ("/api/auth/two-factor", own.client.post),
        ("/api/auth/two-factor", own.client.delete),
        ("/api/auth/two-factor/recovery-codes", own.client.post),
    ):
        assert call(path, wrong, format="json", headers=headers).status_code == 400
    assert refused_tries() == [(str(own.user.pk), "127.0.0.1")] * 5


def has_second_factor(user: User) -> None:
    Authenticator.objects.create(user=user, secret="S" * 32, confirmed_at=timezone.now())


def assert_asked(answer: Any) -> None:
    """Expect the sentence that older browsers show, which says where to go."""
    body = answer.json()
    assert (answer.status_code, body["code"]) == (400, "ERR_CURRENT_PASSWORD_REQUIRED")
    assert set(body["fields"]) == {"currentPassword"}
    assert body["error"] == body["message"]
    assert settings.PUBLIC_URL in body["error"]


@pytest.mark.parametrize("has_factor", [False, True])
@pytest.mark.parametrize("more", [{}, {"password": NEW}, {"name": "Outro nome"}])
def test_a_new_own_address_asks_for_the_present_password(
    own: Browser, has_factor: bool, more: dict[str, str]
) -> None:
    email = own.user.email
    if has_factor:
        has_second_factor(own.user)
    assert_asked(own.change(email="novo@acme.example", **more))
    wrong = own.change(email="novo@acme.example", currentPassword="errada", **more)
    assert wrong.json()["code"] == "ERR_WRONG_PASSWORD"
    own.user.refresh_from_db()
    assert (own.user.email, own.user.name) == (email, "Bob")
    assert own.user.check_password(PASSWORD)
    answer = own.change(email="novo@acme.example", currentPassword=PASSWORD, **more)
    assert (answer.status_code, answer.json()["email"]) == (200, "novo@acme.example")


def test_with_a_second_factor_a_new_own_password_asks_for_the_present_one(own: Browser) -> None:
    has_second_factor(own.user)
    assert_asked(own.change(password=NEW))
    own.user.refresh_from_db()
    assert own.user.check_password(PASSWORD)
    assert own.change(password=NEW, currentPassword=PASSWORD).status_code == 200


def test_what_a_dialog_resends_unchanged_asks_for_no_password(own: Browser) -> None:
    has_second_factor(own.user)
    email = own.user.email.upper()
    answer = own.change(name="Roberto", email=f" {email} ", password="")
    assert (answer.status_code, answer.json()["name"]) == (200, "Roberto")


def test_a_secret_that_was_never_confirmed_is_no_second_factor(own: Browser) -> None:
    Authenticator.objects.create(user=own.user, secret="S" * 32)
    assert own.change(password=NEW).status_code == 200


def test_an_access_token_alone_reaches_no_second_factor(admin: User, acme: Company) -> None:
    """Its holder changes neither the own account nor that of another admin."""
    thief, other = Browser(admin), make_admin(acme)
    for user in (admin, other):
        has_second_factor(user)
    headers = {"Authorization": f"Bearer {thief.token}"}
    for body in ({"email": "ladrao@x.example"}, {"password": NEW}):
        assert_asked(thief.change(**body))
        path = f"/api/users/{other.pk}"
        answer = thief.client.put(path, body, format="json", headers=headers)
        assert answer.status_code == 403
    for user in (admin, other):
        path = f"/api/users/{user.pk}/two-factor"
        assert thief.client.delete(path, headers=headers).status_code == 403
    assert thief.client.delete("/api/auth/two-factor", headers=headers).status_code == 400
    assert Authenticator.objects.count() == 2


def test_without_a_new_password_the_present_one_does_not_matter(own: Browser) -> None:
    cookie = own.cookie
    assert own.change(name="Roberto", password="", currentPassword="").status_code == 200
    assert own.me().json()["name"] == "Roberto"
    assert own.cookie == cookie


def test_an_admin_who_sets_another_ones_password_needs_none_and_gets_no_session(
    admin: User, agent: User
) -> None:
    browser = Browser(admin)
    cookie, path = browser.cookie, f"/api/users/{agent.pk}"
    headers = {"Authorization": f"Bearer {browser.token}"}
    body = {"password": NEW, "currentPassword": "errada"}
    assert browser.client.put(path, body, format="json", headers=headers).status_code == 200
    assert (browser.cookie, browser.me().status_code) == (cookie, 200)


def test_the_operators_own_password_ends_the_application_and_not_the_admin(
    super_user: User,
) -> None:
    browser, office = Browser(super_user), Client()
    office.force_login(super_user)
    path = f"/admin/accounts/user/{super_user.pk}/change/"
    form = {"name": super_user.name, "email": super_user.email, "new_password": "uma outra"}
    assert office.post(path, form).status_code == 302
    super_user.refresh_from_db()
    assert super_user.check_password("uma outra")
    assert office.get("/admin/").status_code == 200
    assert browser.me().status_code == 401
    assert browser.refresh().status_code == 401


def test_the_operators_own_password_and_address_are_told_and_put_down_from_the_admin(
    super_user: User, settings: Any
) -> None:
    settings.EMAIL_HOST = "127.0.0.1"
    owner, office = super_user.email, Client()
    office.force_login(super_user)
    path = f"/admin/accounts/user/{super_user.pk}/change/"
    form = {"name": super_user.name, "email": "ladrao@x.example", "new_password": "uma outra"}
    answer = office.post(path, form, headers={"Accept-Language": "en"})
    assert answer.status_code == 302
    mails = Mail.objects.order_by("pk")
    assert [(mail.recipient, mail.subject) for mail in mails] == [
        (owner, "Your e-mail at Balcão was changed"),
        (owner, "Your password at Balcão was changed"),
    ]
    entry = AuditEntry.objects.get(action="user.password_changed")
    assert (entry.actor, entry.ip_address) == (super_user, "127.0.0.1")


def office_change(office: Client, old: str, new: str = "uma outra") -> Any:
    form = {"old_password": old, "new_password1": new, "new_password2": new}
    return office.post("/admin/password_change/", form)


def test_the_admins_own_page_for_it_ends_the_application_tells_and_puts_down(
    super_user: User, settings: Any
) -> None:
    settings.EMAIL_HOST = "127.0.0.1"
    browser, office, other = Browser(super_user), Client(), Client()
    for client in (office, other):
        client.force_login(super_user)
    assert "Nova senha" in office.get("/admin/password_change/").content.decode()
    answer = office_change(office, PASSWORD)
    assert answer.headers["Location"] == "/admin/password_change/done/"
    super_user.refresh_from_db()
    assert super_user.check_password("uma outra")
    assert [client.get("/admin/").status_code for client in (office, other)] == [200, 302]
    assert browser.me().status_code == 401
    assert browser.refresh().status_code == 401
    assert Mail.objects.get().recipient == super_user.email
    entry = AuditEntry.objects.get(action="user.password_changed")
    assert (entry.actor, entry.ip_address) == (super_user, "127.0.0.1")


def test_the_admins_own_page_for_it_counts_wrong_ones_and_refuses_short_ones(
    super_user: User,
) -> None:
    office = Client()
    office.force_login(super_user)
    assert office_change(office, PASSWORD, "curta").status_code == 200
    for _ in range(10):
        assert "não confere" in office_change(office, "errada").content.decode()
    assert "Muitas tentativas" in office_change(office, PASSWORD).content.decode()
    super_user.refresh_from_db()
    assert super_user.check_password(PASSWORD)


def test_the_admins_own_page_for_it_is_for_who_is_in(client: Client, agent: User) -> None:
    client.force_login(agent)
    assert client.get("/admin/password_change/").status_code == 302


def test_signing_out_leaves_the_django_admin_too(super_user: User) -> None:
    browser = Browser(super_user)
    form = {"username": super_user.email, "password": PASSWORD}
    assert browser.client.post("/admin/login/?next=/admin/", form).status_code == 302
    assert browser.client.get("/admin/").status_code == 200
    copy = Client()
    copy.cookies["sessionid"] = browser.client.cookies["sessionid"].value
    assert browser.client.delete("/api/auth/logout").status_code == 200
    for client in (browser.client, copy):
        assert client.get("/admin/").status_code == 302


def test_signing_out_asks_the_database_for_no_admin_where_there_is_none(
    own: Browser, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(8) as asked:
        assert own.client.delete("/api/auth/logout").status_code == 200
    assert not [each for each in asked.captured_queries if "django_session" in each["sql"]]
