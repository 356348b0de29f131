"""/companies/{id}: a company, and its working hours."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.common.encryption import MASK, encrypt
from apps.companies.models import Company, CompanySetting, default_schedules
from conftest import ClientFor

pytestmark = pytest.mark.django_db


def path(company: Company) -> str:
    return f"/api/companies/{company.pk}/schedules"


def later() -> list[dict[str, str]]:
    return [
        {**row, "startTime": "09:30"} if row["weekdayEn"] == "monday" else row
        for row in default_schedules()
    ]


def test_an_admin_changes_the_own_hours(
    client_for: ClientFor, admin: User, globex: Company
) -> None:
    answer = client_for(admin).put(path(admin.company), {"schedules": later()}, format="json")
    assert answer.status_code == 200, answer.content
    assert answer.json()["id"] == admin.company_id
    assert answer.json()["schedules"] == later()
    assert Company.objects.get(pk=admin.company_id).schedules == later()
    assert Company.objects.get(pk=globex.pk).schedules == default_schedules()


def test_everyone_of_the_company_reads_them(client_for: ClientFor, agent: User) -> None:
    answer = client_for(agent).get(path(agent.company))
    assert (answer.status_code, answer.json()["schedules"]) == (200, default_schedules())


def test_a_new_company_opens_on_weekdays_and_on_saturday_morning(
    client_for: ClientFor, agent: User
) -> None:
    rows = client_for(agent).get(path(agent.company)).json()["schedules"]
    assert [
        (row["weekday"], row["weekdayEn"], row["startTime"], row["endTime"]) for row in rows
    ] == [
        ("Segunda-feira", "monday", "08:00", "18:00"),
        ("Terça-feira", "tuesday", "08:00", "18:00"),
        ("Quarta-feira", "wednesday", "08:00", "18:00"),
        ("Quinta-feira", "thursday", "08:00", "18:00"),
        ("Sexta-feira", "friday", "08:00", "18:00"),
        ("Sábado", "saturday", "08:00", "12:00"),
        ("Domingo", "sunday", "00:00", "00:00"),
        ("Horário de almoço", "lunchTime", "", ""),
    ]


def test_the_own_company_is_read_whole_with_hours_and_settings(
    client_for: ClientFor, agent: User, outsider: User, super_user: User
) -> None:
    CompanySetting.objects.create(company=agent.company, key="asaas", value=encrypt("segredo"))
    address = f"/api/companies/{agent.company_id}"
    row = client_for(agent).get(address).json()
    assert (row["id"], row["name"]) == (agent.company_id, agent.company.name)
    assert row["schedules"] == default_schedules()
    settings = {each["key"]: each["value"] for each in row["settings"]}
    assert settings["campaignsEnabled"] == "true"
    assert settings["asaas"] == MASK
    assert client_for(outsider).get(f"{address}/").status_code == 404
    assert client_for(super_user).get(address).json()["id"] == agent.company_id
    assert client_for(None).get(address).status_code == 401


def test_an_attendant_changes_nothing(client_for: ClientFor, agent: User) -> None:
    answer = client_for(agent).put(path(agent.company), {"schedules": later()}, format="json")
    assert answer.status_code == 403
    assert Company.objects.get(pk=agent.company_id).schedules == default_schedules()


def test_anothers_hours_are_a_404_even_with_a_wrong_body(
    client_for: ClientFor, admin: User, globex: Company
) -> None:
    client = client_for(admin)
    assert client.get(path(globex)).json()["code"] == "ERR_NO_COMPANY_FOUND"
    assert client.put(path(globex), {"schedules": later()}, format="json").status_code == 404
    assert client.put(path(globex), {"schedules": "x"}, format="json").status_code == 404
    assert Company.objects.get(pk=globex.pk).schedules == default_schedules()


def test_the_super_user_changes_every_companys(
    client_for: ClientFor, super_user: User, globex: Company
) -> None:
    answer = client_for(super_user).put(path(globex), {"schedules": later()}, format="json")
    assert answer.status_code == 200
    assert Company.objects.get(pk=globex.pk).schedules == later()
    gone = path(globex).replace(str(globex.pk), "999999")
    assert client_for(super_user).get(gone).status_code == 404


@pytest.mark.parametrize(
    ("schedules", "field"),
    [
        (None, "schedules"),
        ("monday", "schedules"),
        ([{**default_schedules()[0], "startTime": "8:00"}], "schedules.0.startTime"),
        ([{**default_schedules()[0], "endTime": ""}], "schedules.0.endTime"),
        ([{**default_schedules()[0], "weekdayEn": "someday"}], "schedules.0.weekdayEn"),
        ([{"weekday": "Segunda-feira", "weekdayEn": "monday"}], "schedules.0.startTime"),
        ([default_schedules()[0], default_schedules()[0]], "schedules"),
    ],
)
def test_hours_are_checked_as_a_queues_are(
    client_for: ClientFor, admin: User, schedules: Any, field: str
) -> None:
    body = {"schedules": schedules}
    answer = client_for(admin).put(path(admin.company), body, format="json")
    assert answer.status_code == 400, answer.content
    assert field in answer.json()["fields"]
    assert Company.objects.get(pk=admin.company_id).schedules == default_schedules()


def test_hours_are_needed(client_for: ClientFor, admin: User) -> None:
    answer = client_for(admin).put(path(admin.company), {}, format="json")
    assert list(answer.json()["fields"]) == ["schedules"]
