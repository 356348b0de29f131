"""POST /auth/login, POST /auth/refresh_token, DELETE /auth/logout, GET /auth/me."""

from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from rest_framework.test import APIClient
from rest_framework_simplejwt.tokens import AccessToken

from apps.accounts import tokens
from apps.accounts.authentication import user_of_refresh_cookie, user_of_token
from apps.accounts.models import RefreshSession, User
from apps.accounts.services import sessions
from apps.accounts.services.sessions import UserDisabled
from apps.accounts.services.users import set_active
from apps.audit.models import AuditEntry
from apps.companies.models import Company
from apps.companies.queries import is_overdue
from apps.companies.services import (
    CompanyDisabled,
    CompanyExpired,
    change_setting,
    save_company,
)
from apps.realtime.rooms import company_room
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db


def log_in(user: User, password: str = PASSWORD, client: APIClient | None = None) -> Any:
    return (client or APIClient()).post(
        "/api/auth/login", {"email": user.email, "password": password}, format="json"
    )


def refresh(cookie: str) -> Any:
    client = APIClient()
    client.cookies["jrt"] = cookie
    return client.post("/api/auth/refresh_token")


def me(token: str) -> Any:
    return APIClient(HTTP_AUTHORIZATION=f"Bearer {token}").get("/api/auth/me")


def make_overdue(company: Company) -> date:
    company.due_date = date.today() - timedelta(days=3)
    company.save()
    return company.due_date


def test_an_account_that_is_deleted_during_its_sign_in_is_unknown(
    agent: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "require_code", lambda user, code: agent.delete())
    answer = log_in(agent)
    assert (answer.status_code, answer.json()["code"]) == (401, "ERR_INVALID_CREDENTIALS")


def test_login_answers_a_token_and_the_user(agent: User, acme: Company) -> None:
    answer = log_in(agent)
    assert answer.status_code == 200
    body = answer.json()
    user = body["user"]
    assert me(body["token"]).json() == user
    assert (user["id"], user["companyId"], user["profile"]) == (agent.pk, acme.pk, "user")
    assert user["tokenVersion"] == 1
    assert user["permissions"] == []
    assert user["company"]["dueDate"] == acme.due_date.isoformat()
    # It had no trial; older browsers count the days to the due date all the same.
    assert user["company"]["trialExpiresOn"] is None
    assert user["company"]["trialExpiration"] == acme.due_date.isoformat()
    assert user["company"]["plan"]["useCampaigns"] is True
    assert {"key": "campaignsEnabled", "value": "true"} in user["company"]["settings"]
    (queue,) = user["queues"]
    assert queue["UserQueue"] == {"userId": agent.pk, "queueId": queue["id"]}


def test_the_demo_alone_tells_of_its_simulator(agent: User, settings: Any) -> None:
    settings.SIMULATOR = True
    assert log_in(agent).json()["simulator"] is True
    settings.SIMULATOR = False
    answer = log_in(agent)
    assert "simulator" not in answer.json()
    assert "simulator" not in refresh(answer.cookies["jrt"].value).json()


def test_only_where_codes_are_played_a_browser_hears_of_it(agent: User, settings: Any) -> None:
    settings.SIMULATED_QR = True
    assert log_in(agent).json()["simulatedQr"] is True
    settings.SIMULATED_QR = False
    assert "simulatedQr" not in log_in(agent).json()


def test_an_admin_receives_the_actions_of_the_permission_table(admin: User) -> None:
    permissions = log_in(admin).json()["user"]["permissions"]
    assert permissions == [
        "dashboard:view",
        "drawer-admin-items:view",
        "tickets-manager:showall",
        "user-modal:editProfile",
        "user-modal:editQueues",
        "ticket-options:deleteTicket",
        "contacts-page:deleteContact",
        "connections-page:actionButtons",
        "connections-page:addConnection",
        "connections-page:editOrDeleteConnection",
    ]


def test_the_refresh_cookie_is_for_the_browser_alone(agent: User) -> None:
    cookie = log_in(agent).cookies["jrt"]
    assert cookie["httponly"]
    assert cookie["path"] == "/"
    assert cookie["samesite"] == "Lax"
    assert not cookie["secure"]
    assert cookie["max-age"] == 7 * 24 * 3600


def test_over_https_the_cookie_is_secure(agent: User, settings: Any) -> None:
    settings.SECURE_COOKIES = True
    cookie = log_in(agent).cookies["jrt"]
    assert (cookie["secure"], cookie["samesite"]) == (True, "Lax")


def test_with_front_ends_elsewhere_the_cookie_crosses_sites(agent: User, settings: Any) -> None:
    settings.SECURE_COOKIES = True
    settings.CORS_ALLOWED_ORIGINS = ["https://app.example"]
    cookie = log_in(agent).cookies["jrt"]
    assert (cookie["secure"], cookie["samesite"]) == (True, "None")


@pytest.mark.parametrize("email", ["agent@acme.example", "AGENT@acme.example", "x@acme.example"])
def test_wrong_credentials_do_not_say_what_is_wrong(agent: User, email: str) -> None:
    answer = APIClient().post(
        "/api/auth/login", {"email": email, "password": "errada"}, format="json"
    )
    assert answer.status_code == 401
    assert answer.json()["code"] == answer.json()["error"] == "ERR_INVALID_CREDENTIALS"


def test_an_unknown_email_costs_as_much_as_a_known_one(
    agent: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[str] = []
    monkeypatch.setattr("apps.accounts.services.sessions.make_password", hashed.append)
    APIClient().post("/api/auth/login", {"email": "x@y.example", "password": "p"}, format="json")
    assert hashed == ["p"]


def test_the_case_of_the_email_does_not_matter(agent: User) -> None:
    agent.email = agent.email.upper()
    assert log_in(agent).status_code == 200


def test_login_ignores_an_authorization_header(agent: User) -> None:
    client = APIClient(HTTP_AUTHORIZATION="Bearer nonsense")
    answer = log_in(agent, client=client)
    assert answer.status_code == 200
    client.cookies["jrt"] = answer.cookies["jrt"].value
    assert client.post("/api/auth/refresh_token").status_code == 200


@pytest.mark.parametrize("code", ["ERR_USER_DISABLED", "ERR_COMPANY_DISABLED"])
def test_who_is_switched_off_is_told_so_at_every_door(
    agent: User, acme: Company, super_user: User, code: str
) -> None:
    opened = log_in(agent)
    earlier, cookie = opened.cookies["jrt"].value, refresh(opened.cookies["jrt"].value).cookies
    if code == "ERR_USER_DISABLED":
        set_active(user=agent, is_active=False, actor=super_user)
    else:
        acme.is_enabled = False
        save_company(company=acme, actor=super_user, changed=["is_enabled"])
    answers = [
        log_in(agent),
        me(opened.json()["token"]),
        refresh(cookie["jrt"].value),
        refresh(earlier),
    ]
    assert [each.status_code for each in answers] == [401] * 4
    assert {each.json()["code"] for each in answers} == {code}
    assert {each.json()["error"][:9] for each in answers} <= {"Sua conta", "A sua emp"}
    assert user_of_refresh_cookie(cookie["jrt"].value) is None
    with pytest.raises(UserDisabled if code == "ERR_USER_DISABLED" else CompanyDisabled):
        user_of_token(opened.json()["token"])


def test_an_account_switched_on_again_asks_for_a_login(agent: User, super_user: User) -> None:
    opened = log_in(agent)
    set_active(user=agent, is_active=False, actor=super_user)
    set_active(user=agent, is_active=True, actor=super_user)
    for answer in (me(opened.json()["token"]), refresh(opened.cookies["jrt"].value)):
        assert (answer.status_code, answer.json()["code"]) == (401, "ERR_SESSION_EXPIRED")
    assert log_in(agent).status_code == 200


def test_login_elsewhere_ends_the_older_session(agent: User, events: list[dict[str, Any]]) -> None:
    first = log_in(agent)
    events.clear()
    second = log_in(agent)
    assert me(first.json()["token"]).status_code == 401
    assert refresh(first.cookies["jrt"].value).status_code == 401
    assert me(second.json()["token"]).status_code == 200
    (event,) = [each for each in events if each["event"] == "auth"]
    assert event["payload"]["user"] == {"id": agent.pk, "tokenVersion": 2}
    assert event["payload"]["action"] == "update"
    assert event["rooms"] == [company_room(agent.company_id)]


def test_who_comes_back_to_a_session_taken_over_reads_why(agent: User) -> None:
    first = log_in(agent)
    renewed = refresh(first.cookies["jrt"].value)
    second = log_in(agent)
    third = log_in(agent)
    for answer in (
        me(first.json()["token"]),
        me(second.json()["token"]),
        refresh(first.cookies["jrt"].value),
        refresh(renewed.cookies["jrt"].value),
    ):
        body = answer.json()
        assert (answer.status_code, body["error"]) == (401, "ERR_SESSION_EXPIRED")
        assert body["code"] == "ERR_SESSION_EXPIRED"
        assert body["reasonCode"] == "ERR_SIGNED_IN_ELSEWHERE"
        assert body["message"] == "Sua conta foi acessada em outro computador."
    assert user_of_refresh_cookie(renewed.cookies["jrt"].value) is None
    assert me(third.json()["token"]).status_code == 200


def test_sessions_taken_over_are_kept_until_they_expire(agent: User) -> None:
    first = log_in(agent)
    RefreshSession.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    log_in(agent)
    assert RefreshSession.objects.filter(user=agent).count() == 1
    answer = me(first.json()["token"])
    assert (answer.status_code, "reasonCode" in answer.json()) == (401, False)


def test_signing_in_is_audited_with_its_address(agent: User) -> None:
    log_in(agent, client=APIClient(REMOTE_ADDR="203.0.113.9"))
    entry = AuditEntry.objects.get(action="session.opened")
    assert (entry.actor, entry.ip_address, entry.company) == (agent, "203.0.113.9", agent.company)


def test_an_address_that_is_none_is_left_out(agent: User) -> None:
    assert log_in(agent, client=APIClient(REMOTE_ADDR="unix:")).status_code == 200
    assert AuditEntry.objects.get(action="session.opened").ip_address is None


def test_no_or_a_malformed_token_is_a_401(agent: User) -> None:
    headers_tried: tuple[dict[str, Any], ...] = (
        {},
        {"HTTP_AUTHORIZATION": "Bearer x.y.z"},
        {"HTTP_AUTHORIZATION": "Bearer"},
        {"HTTP_AUTHORIZATION": "Basic YTpi"},
        {"HTTP_AUTHORIZATION": "Bearer é\x00"},
    )
    for headers in headers_tried:
        answer = APIClient(**headers).get("/api/auth/me")
        assert (answer.status_code, answer.json()["code"]) == (401, "ERR_SESSION_EXPIRED")
        assert answer.json()["error"] == "ERR_SESSION_EXPIRED"


def test_an_expired_token_is_a_403_that_asks_for_a_refresh(agent: User) -> None:
    token = AccessToken(tokens.make_access_token(agent))  # type: ignore[arg-type]
    token.set_exp(lifetime=timedelta(seconds=-1))
    answer = me(str(token))
    assert (answer.status_code, answer.json()["code"]) == (403, "ERR_SESSION_EXPIRED")
    token["exp"] = int(timezone.now().timestamp()) - 5
    forged = str(token)[:-4] + "AAAA"
    assert me(forged).status_code == 401


def test_a_token_of_a_deleted_user_or_another_company_is_a_401(
    agent: User, globex: Company
) -> None:
    token = tokens.make_access_token(agent)
    User.objects.filter(pk=agent.pk).update(company=globex)
    assert me(token).status_code == 401
    User.objects.filter(pk=agent.pk).delete()
    assert me(token).status_code == 401


def test_an_access_token_lives_15_minutes(agent: User) -> None:
    claims = AccessToken(log_in(agent).json()["token"])
    assert claims["exp"] - claims["iat"] == 15 * 60
    assert (claims["userId"], claims["companyId"]) == (agent.pk, agent.company_id)
    assert claims["tokenVersion"] == 1


def test_refreshing_rotates_the_cookie(agent: User) -> None:
    cookie = log_in(agent).cookies["jrt"].value
    answer = refresh(cookie)
    assert answer.status_code == 200
    assert answer.json()["user"]["id"] == agent.pk
    assert answer.cookies["jrt"].value != cookie
    assert me(answer.json()["token"]).status_code == 200
    assert refresh(answer.cookies["jrt"].value).status_code == 200


def test_parallel_refreshes_all_receive_the_same_successor(agent: User) -> None:
    cookie = log_in(agent).cookies["jrt"].value
    answers = [refresh(cookie) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert len({answer.cookies["jrt"].value for answer in answers}) == 1


def test_the_previous_refresh_token_stays_good_for_a_minute(agent: User) -> None:
    cookie = log_in(agent).cookies["jrt"].value
    refresh(cookie)
    RefreshSession.objects.update(rotated_at=timezone.now() - timedelta(seconds=59))
    assert refresh(cookie).status_code == 200
    RefreshSession.objects.update(rotated_at=timezone.now() - timedelta(seconds=61))
    assert refresh(cookie).status_code == 401


def test_a_refresh_token_lives_7_days(agent: User) -> None:
    cookie = log_in(agent).cookies["jrt"].value
    session = RefreshSession.objects.get()
    assert session.expires_at - session.created_at >= timedelta(days=7) - timedelta(seconds=5)
    RefreshSession.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert refresh(cookie).status_code == 401


def test_refresh_tokens_are_stored_hashed(agent: User) -> None:
    cookie = log_in(agent).cookies["jrt"].value
    assert cookie not in str(RefreshSession.objects.values().get())


@pytest.mark.parametrize("cookie", ["", "nonsense", "ção", "a" * 5000])
def test_a_refused_refresh_is_a_401(db: None, cookie: str) -> None:
    answer = refresh(cookie)
    assert (answer.status_code, answer.json()["code"]) == (401, "ERR_SESSION_EXPIRED")


@pytest.mark.parametrize("by", ["cookie", "token"])
def test_logout_ends_the_session(agent: User, by: str) -> None:
    opened = log_in(agent)
    client = APIClient()
    if by == "cookie":
        client.cookies["jrt"] = opened.cookies["jrt"].value
    else:
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {opened.json()['token']}")
    answer = client.delete("/api/auth/logout")
    assert answer.status_code == 200
    assert (answer.cookies["jrt"].value, answer.cookies["jrt"]["max-age"]) == ("", 0)
    assert me(opened.json()["token"]).status_code == 401
    assert refresh(opened.cookies["jrt"].value).status_code == 401


def test_logging_out_of_a_session_taken_elsewhere_leaves_the_new_one(agent: User) -> None:
    old = log_in(agent)
    new = log_in(agent)
    client = APIClient(HTTP_AUTHORIZATION=f"Bearer {old.json()['token']}")
    client.cookies["jrt"] = old.cookies["jrt"].value
    assert client.delete("/api/auth/logout").status_code == 200
    assert me(new.json()["token"]).status_code == 200


def test_an_overdue_company_is_told_its_due_date(agent: User, acme: Company) -> None:
    due = make_overdue(acme)
    answer = log_in(agent)
    body = answer.json()
    assert (answer.status_code, body["code"]) == (402, "ERR_COMPANY_EXPIRED")
    assert body["dueDate"] == due.isoformat()
    assert (
        body["error"]
        == body["message"]
        == (
            f"Opss! Sua assinatura venceu {due:%d/%m/%Y}. Entre em contato com o Suporte para mais "
            "informações!"
        )
    )
    assert "token" not in body
    assert "jrt" not in answer.cookies


def test_an_overdue_companys_admin_gets_a_token_for_paying_alone(
    admin: User, acme: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_overdue(acme)
    answer = log_in(admin)
    assert answer.status_code == 402
    token = answer.json()["token"]
    assert AccessToken(token)["scope"] == "billing"
    assert answer.json()["user"]["id"] == admin.pk
    assert me(token).status_code == 402
    assert APIClient(HTTP_AUTHORIZATION=f"Bearer {token}").get("/api/users/").status_code == 402
    monkeypatch.setattr("config.access.BILLING_CALLS", frozenset({"me"}))
    assert me(token).status_code == 200
    renewed = refresh(answer.cookies["jrt"].value)
    assert renewed.status_code == 402
    assert AccessToken(renewed.json()["token"])["scope"] == "billing"


def test_once_paid_the_token_for_paying_asks_for_a_refresh(admin: User, acme: Company) -> None:
    make_overdue(acme)
    answer = log_in(admin)
    Company.objects.filter(pk=acme.pk).update(due_date=date.today() + timedelta(days=30))
    refused = me(answer.json()["token"])
    assert (refused.status_code, refused.json()["code"]) == (403, "ERR_SESSION_EXPIRED")
    renewed = refresh(answer.cookies["jrt"].value)
    assert renewed.status_code == 200
    assert me(renewed.json()["token"]).status_code == 200


def test_a_living_session_of_an_overdue_company_is_refused(agent: User, acme: Company) -> None:
    opened = log_in(agent)
    make_overdue(acme)
    assert me(opened.json()["token"]).status_code == 402
    assert refresh(opened.cookies["jrt"].value).status_code == 402
    assert user_of_refresh_cookie(opened.cookies["jrt"].value) is None
    with pytest.raises(CompanyExpired):
        user_of_token(opened.json()["token"])


def test_the_due_day_ends_at_midnight_in_the_companys_zone(acme: Company) -> None:
    acme.due_date = date(2026, 3, 10)
    sao_paulo, tokyo = ZoneInfo("America/Sao_Paulo"), ZoneInfo("Asia/Tokyo")
    assert not is_overdue(acme, datetime(2026, 3, 10, 23, 59, 59, tzinfo=sao_paulo))
    assert is_overdue(acme, datetime(2026, 3, 11, tzinfo=sao_paulo))
    change_setting(company_id=acme.pk, key="timeZone", value="Asia/Tokyo")
    assert not is_overdue(acme, datetime(2026, 3, 10, 23, 59, 59, tzinfo=tokyo))
    assert is_overdue(acme, datetime(2026, 3, 11, tzinfo=tokyo))
    assert is_overdue(acme, datetime(2026, 4, 1, tzinfo=tokyo))
    assert not is_overdue(acme, datetime(2026, 2, 1, tzinfo=tokyo))


def test_company_1_is_never_overdue(super_user: User) -> None:
    make_overdue(super_user.company)
    assert log_in(super_user).status_code == 200


def test_a_forwarded_address_is_not_believed_without_a_proxy(agent: User) -> None:
    log_in(agent, client=APIClient(HTTP_X_FORWARDED_FOR="198.51.100.1", REMOTE_ADDR="203.0.113.9"))
    assert AuditEntry.objects.get(action="session.opened").ip_address == "203.0.113.9"


@pytest.mark.parametrize(
    "body",
    [
        "[]",
        "null",
        "3",
        '"a"',
        "{}",
        '{"email": [], "password": {}}',
        '{"email": null, "password": null}',
        '{"email": 1e400, "password": true}',
        '{"email": "a\\u0000b", "password": "p"}',
        '{"email": "a@b.example", "password": "p\\u0000"}',
        '{"email": "a@b.example", "password": "p"',
        "\\xff",
    ],
)
def test_a_wrong_login_body_is_a_400(db: None, body: str) -> None:
    answer = APIClient().post("/api/auth/login", body, content_type="application/json")
    assert answer.status_code == 400, answer.content
    assert answer.json()["message"]


def test_sockets_find_the_user_in_one_query(agent: User, django_assert_num_queries: Any) -> None:
    opened = log_in(agent)
    with django_assert_num_queries(1):
        assert user_of_token(opened.json()["token"]) == agent
    with django_assert_num_queries(1):
        assert user_of_refresh_cookie(opened.cookies["jrt"].value) == agent
    rotated = refresh(opened.cookies["jrt"].value).cookies["jrt"].value
    assert user_of_refresh_cookie(opened.cookies["jrt"].value) == agent
    assert user_of_refresh_cookie(rotated) == agent
    assert user_of_refresh_cookie("nonsense") is None


def test_what_a_user_chose_comes_with_the_next_session(agent: User, admin: User) -> None:
    first = log_in(agent).json()
    assert first["user"]["opensNext"] is True
    client = APIClient(HTTP_AUTHORIZATION=f"Bearer {first['token']}")
    answer = client.put("/api/auth/me", {"opensNext": False}, format="json")
    assert (answer.status_code, answer.json()["opensNext"]) == (200, False)
    # In another browser of the same person, and of nobody else.
    assert log_in(agent).json()["user"]["opensNext"] is False
    assert log_in(admin).json()["user"]["opensNext"] is True


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"{}", "application/json"),
        (b'{"opensNext": null}', "application/json"),
        (b'{"opensNext": "talvez"}', "application/json"),
        # A form without a box for it: that is not a box without its tick.
        (b"", "application/x-www-form-urlencoded"),
        (b"name=Ana", "application/x-www-form-urlencoded"),
    ],
)
def test_a_choice_that_is_none_is_refused(agent: User, body: bytes, kind: str) -> None:
    client = APIClient(HTTP_AUTHORIZATION=f"Bearer {log_in(agent).json()['token']}")
    answer = client.put("/api/auth/me", body, content_type=kind)
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["opensNext"])
    agent.refresh_from_db()
    assert agent.opens_next is True
