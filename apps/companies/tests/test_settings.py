"""/settings: keys, values, secrets and events."""

import json
from pathlib import Path
from typing import Any

import phonenumbers
import pytest
from pytest_django import Settings

from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.audit.models import AuditEntry
from apps.common.encryption import MASK
from apps.companies.models import SETTINGS, Company, CompanySetting
from apps.companies.queries import setting_of, settings_of, zone_of
from apps.realtime.rooms import company_room
from conftest import ClientFor
from tests.factories import make_role

pytestmark = pytest.mark.django_db


def put(client: Any, key: str, value: Any) -> Any:
    return client.put(f"/api/settings/{key}", {"key": key, "value": value}, format="json")


def test_every_known_key_is_listed_with_its_default(client_for: ClientFor, agent: User) -> None:
    rows = client_for(agent).get("/api/settings").json()
    assert [row["key"] for row in rows] == list(SETTINGS)
    assert {row["key"]: row["value"] for row in rows} == {
        **dict.fromkeys(("userRating", "sendGreetingAccepted", "sendMsgTransfTicket"), "disabled"),
        **dict.fromkeys(("allowToSpyMessage", "closePending", "alertReceivingAudio"), "disabled"),
        **dict.fromkeys(("call", "CheckMsgIsGroup"), "enabled"),
        **dict.fromkeys(("scheduleType", "importHistory"), "disabled"),
        "chatBotType": "text",
        "asaas": "",
        "campaignsEnabled": "true",
        "timeZone": "America/Sao_Paulo",
        "country": "BR",
        "reopenWindowMinutes": "120",
        "ratingEveryDays": "0",
        "ratingTemplate": "",
        "optOutWords": "SAIR, PARAR, STOP",
        "campaignSendingHours": "",
        "waitingListOrder": "longest_waiting",
        "assignment": "disabled",
        "sla": "disabled",
        "rules": "disabled",
        "macros": "disabled",
        "nationalHolidays": "",
        "ownHolidays": "",
        "closingReasons": "",
        "closingFields": "",
    }


@pytest.mark.parametrize(
    ("key", "values"),
    [
        *(
            (key, ["enabled", "disabled"])
            for key in (
                *("userRating", "CheckMsgIsGroup", "call", "sendGreetingAccepted"),
                *("sendMsgTransfTicket", "allowToSpyMessage", "closePending"),
                "alertReceivingAudio",
            )
        ),
        ("chatBotType", ["text", "button", "list"]),
        ("scheduleType", ["disabled", "queue", "company"]),
    ],
)
def test_a_choice_takes_its_values_and_no_other(
    client_for: ClientFor, admin: User, key: str, values: list[str]
) -> None:
    client = client_for(admin)
    for value in values:
        assert put(client, key, value).json() == {"key": key, "value": value}
    refused = put(client, key, "outro")
    assert (refused.status_code, list(refused.json()["fields"])) == (400, ["value"])
    assert setting_of(admin.company_id, key) == values[-1]


def test_the_list_takes_one_query(
    client_for: ClientFor, agent: User, django_assert_num_queries: Any
) -> None:
    client = client_for(User.objects.select_related("company__plan").get(pk=agent.pk))
    with django_assert_num_queries(1):
        client.get("/api/settings")


def test_a_change_is_kept_and_told(
    client_for: ClientFor, admin: User, globex: Company, events: list[dict[str, Any]]
) -> None:
    answer = put(client_for(admin), "userRating", "enabled")
    assert (answer.status_code, answer.json()) == (200, {"key": "userRating", "value": "enabled"})
    assert setting_of(admin.company_id, "userRating") == "enabled"
    assert setting_of(globex.pk, "userRating") == "disabled"
    assert events == [
        {
            "event": "settings",
            "payload": {"action": "update", "setting": answer.json(), **answer.json()},
            "company_id": admin.company_id,
            "rooms": [company_room(admin.company_id)],
        }
    ]
    put(client_for(admin), "userRating", "disabled")
    assert CompanySetting.objects.get().value == "disabled"


def test_the_spy_setting_has_sockets_judged_anew(
    client_for: ClientFor, admin: User, events: list[dict[str, Any]]
) -> None:
    put(client_for(admin), "allowToSpyMessage", "enabled")
    assert events[1] == {"event": "recheck_company", "id": admin.company_id}


def test_who_does_not_see_all_conversations_does_not_open_them(
    client_for: ClientFor, acme: Company, agent: User
) -> None:
    agent.role = make_role(acme, Permission.SETTINGS, Permission.SEE_QUEUES)
    agent.save()
    client = client_for(agent)
    for value in ("enabled", " enabled "):
        answer = put(client, "allowToSpyMessage", value)
        assert answer.status_code == 403, answer.content
        assert answer.json()["permissions"] == ["tickets:seeAll"]
    assert not CompanySetting.objects.exists()
    assert put(client, "allowToSpyMessage", "disabled").status_code == 200
    assert put(client, "userRating", "enabled").status_code == 200


def test_opening_all_conversations_is_audited(client_for: ClientFor, admin: User) -> None:
    client = client_for(admin)
    put(client, "allowToSpyMessage", "enabled")
    client.delete("/api/settings/allowToSpyMessage")
    put(client, "userRating", "enabled")
    entries = AuditEntry.objects.filter(action="setting.changed").order_by("pk")
    assert [(entry.actor, entry.detail["value"]) for entry in entries] == [
        (admin, "enabled"),
        (admin, "disabled"),
    ]


def test_the_value_alone_is_enough(client_for: ClientFor, admin: User) -> None:
    answer = client_for(admin).put("/api/settings/call/", {"value": "disabled"}, format="json")
    assert answer.json() == {"key": "call", "value": "disabled"}


def test_the_bodys_key_must_be_the_addresss(client_for: ClientFor, admin: User) -> None:
    body = {"key": "userRating", "value": "disabled"}
    answer = client_for(admin).put("/api/settings/call", body, format="json")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["key"])


@pytest.mark.parametrize("key", ["unknown", "9" * 300, "userrating", "é"])
def test_an_unknown_key_is_a_404(client_for: ClientFor, admin: User, key: str) -> None:
    answer = put(client_for(admin), key, "enabled")
    assert (answer.status_code, answer.json()["error"]) == (404, "ERR_NO_SETTING_FOUND")


@pytest.mark.parametrize(
    ("key", "value", "stored"),
    [
        ("scheduleType", "company", "company"),
        ("chatBotType", "list", "list"),
        ("campaignsEnabled", "enabled", "enabled"),
        ("timeZone", "America/Manaus", "America/Manaus"),
        ("country", "pt", "PT"),
        ("reopenWindowMinutes", "0", "0"),
        ("reopenWindowMinutes", 10080, "10080"),
        ("reopenWindowMinutes", "007", "7"),
        ("ratingEveryDays", 30, "30"),
        ("ratingTemplate", " nota_2 ", "nota_2"),
        ("ratingTemplate", "", ""),
        ("ratingEveryDays", "0", "0"),
        ("optOutWords", " SAIR ,,PARAR", "SAIR, PARAR"),
        ("optOutWords", "", ""),
        ("closingReasons", " Vendido \n\nSem interesse ", "Vendido\nSem interesse"),
        ("closingReasons", "", ""),
        ("closingFields", "email,, CPF ,email", "email, CPF"),
        ("campaignSendingHours", "08:00-20:00", "08:00-20:00"),
        ("campaignSendingHours", "", ""),
    ],
)
def test_good_values(
    client_for: ClientFor, admin: User, key: str, value: object, stored: str
) -> None:
    answer = put(client_for(admin), key, value)
    assert (answer.status_code, answer.json()["value"]) == (200, stored)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("userRating", "yes"),
        ("userRating", ""),
        ("userRating", None),
        ("userRating", True),
        ("userRating", ["enabled"]),
        ("scheduleType", "enabled"),
        ("timeZone", "Mars/Base"),
        ("timeZone", "../etc/passwd"),
        ("timeZone", ""),
        ("country", "XX"),
        ("country", "001"),
        ("country", "Brasil"),
        ("country", ""),
        ("reopenWindowMinutes", "10081"),
        ("ratingEveryDays", "366"),
        ("ratingTemplate", "Nota do dia"),
        ("ratingTemplate", "a" * 513),
        ("ratingEveryDays", "-1"),
        ("ratingEveryDays", ""),
        ("reopenWindowMinutes", "-1"),
        ("reopenWindowMinutes", "1.5"),
        ("reopenWindowMinutes", "²"),
        ("reopenWindowMinutes", ""),
        ("reopenWindowMinutes", 99999999999999999999999),
        ("optOutWords", "a" * 51),
        ("optOutWords", "a," * 51),
        ("closingReasons", "a" * 61),
        ("closingReasons", "Vendido\nvendido"),
        ("closingReasons", "\n".join(map(str, range(51)))),
        ("closingFields", "a" * 101),
        ("closingFields", ",".join(map(str, range(21)))),
        ("campaignSendingHours", "20:00-08:00"),
        ("campaignSendingHours", "8-20"),
        ("asaas", "a" * 501),
    ],
)
def test_bad_values(client_for: ClientFor, admin: User, key: str, value: object) -> None:
    answer = put(client_for(admin), key, value)
    assert answer.status_code == 400, answer.content
    assert list(answer.json()["fields"]) == ["value"]
    assert not CompanySetting.objects.exists()


def test_a_secret_is_encrypted_and_never_echoed(
    client_for: ClientFor, admin: User, events: list[dict[str, Any]]
) -> None:
    answer = put(client_for(admin), "asaas", "segredo")
    assert answer.json() == {"key": "asaas", "value": MASK}
    assert events[0]["payload"]["setting"]["value"] == MASK
    assert "segredo" not in CompanySetting.objects.get().value
    assert settings_of(admin.company_id)["asaas"] == "segredo"
    assert {"key": "asaas", "value": MASK} in client_for(admin).get("/api/settings").json()
    assert "segredo" not in str(client_for(admin).get("/api/users/").json())


@pytest.mark.parametrize("unchanged", [MASK, ""])
def test_a_secrets_mask_or_nothing_changes_nothing(
    client_for: ClientFor, admin: User, unchanged: str
) -> None:
    put(client_for(admin), "asaas", "segredo")
    assert put(client_for(admin), "asaas", unchanged).json()["value"] == MASK
    assert setting_of(admin.company_id, "asaas") == "segredo"


def test_the_zone_follows_its_setting(client_for: ClientFor, admin: User) -> None:
    assert zone_of(admin.company_id).key == "America/Sao_Paulo"
    put(client_for(admin), "timeZone", "America/Manaus")
    assert zone_of(admin.company_id).key == "America/Manaus"


@pytest.mark.parametrize("body", ["[]", "null", "1", "{}", "{"])
def test_a_wrong_body_is_a_400(client_for: ClientFor, admin: User, body: str) -> None:
    answer = client_for(admin).put("/api/settings/call", body, content_type="application/json")
    assert answer.status_code == 400


def test_a_secret_is_taken_away(
    client_for: ClientFor, admin: User, globex: Company, events: list[dict[str, Any]]
) -> None:
    put(client_for(admin), "asaas", "segredo")
    CompanySetting.objects.create(company=globex, key="asaas", value="deles")
    answer = client_for(admin).delete("/api/settings/asaas")
    assert (answer.status_code, answer.json()) == (200, {"key": "asaas", "value": ""})
    assert CompanySetting.objects.get().company_id == globex.pk
    emptied = answer.json()
    assert events[-1]["payload"] == {"action": "update", "setting": emptied, **emptied}


def test_an_unknown_setting_can_not_be_taken_away(client_for: ClientFor, admin: User) -> None:
    answer = client_for(admin).delete("/api/settings/unknown")
    assert (answer.status_code, answer.json()["code"]) == (404, "ERR_NO_SETTING_FOUND")


def test_an_older_browser_reads_one_value_as_a_text(
    client_for: ClientFor, admin: User, agent: User, outsider: User
) -> None:
    put(client_for(admin), "userRating", "enabled")
    put(client_for(admin), "asaas", "segredo")
    read = {
        (who.pk, key): client_for(who).get(f"/api/settings/{key}").json()
        for who in (agent, outsider)
        for key in ("userRating", "call", "asaas", "tagsMode")
    }
    assert [read[agent.pk, key] for key in ("userRating", "call")] == ["enabled", "enabled"]
    assert read[agent.pk, "asaas"] == MASK
    assert read[agent.pk, "tagsMode"] == ""  # what is theirs alone
    assert (read[outsider.pk, "userRating"], read[outsider.pk, "asaas"]) == ("disabled", "")


@pytest.mark.parametrize(("is_open", "word"), [(True, "enabled"), (False, "disabled")])
def test_an_older_browser_asks_before_signing_in(
    is_open: bool, word: str, client_for: ClientFor, settings: Settings
) -> None:
    settings.SIGNUP_ENABLED = is_open
    client = client_for(None)
    assert client.get("/api/public-settings/allowSignup").json() == word
    for key in ("appName", "asaas", "appLogoLight"):
        assert client.get(f"/api/public-settings/{key}/").json() == ""
    assert client.get("/api/").json() == {"version": settings.VERSION}


def test_browsers_offer_every_country_that_the_server_takes() -> None:
    codes = Path(__file__).parents[3] / "frontend/src/features/settings/callingCodes.json"
    assert json.loads(codes.read_text()) == {
        region: phonenumbers.country_code_for_region(region)
        for region in phonenumbers.SUPPORTED_REGIONS
    }
