"""Contact lists and their people, as admins write them."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.audit.models import AuditEntry
from apps.campaigns.models import (
    Campaign,
    CampaignStatus,
    ContactList,
    ContactListCheck,
    ContactListItem,
    OptOut,
)
from apps.campaigns.services import checking
from apps.campaigns.services.checking import check_due
from apps.companies.models import Company
from apps.connections.providers.content import KnownNumber
from apps.realtime.rooms import role_room
from conftest import ClientFor
from tests.factories import make_connection, make_contact_list, make_plan, make_role

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def client(client_for: ClientFor, admin: User) -> Any:
    return client_for(admin)


@pytest.fixture
def listed(admin: User) -> ContactList:
    people = [("Lia", "5511988887777"), ("Zé Antônio", "5511988886666")]
    return make_contact_list(admin.company, name="Clientes de maio", people=people)


def add(client: Any, listed: ContactList, **fields: Any) -> Any:
    body = {"name": "Bia", "number": "+55 11 97777-0001", "contactListId": listed.pk, **fields}
    return client.post("/api/contact-list-items", body, format="json")


def test_a_list_is_made_renamed_and_deleted(
    client: Any, admin: User, events: list[dict[str, Any]]
) -> None:
    made = client.post("/api/contact-lists", {"name": "Maio"}, format="json")
    assert (made.status_code, made.json()["contactsCount"]) == (201, 0)
    address = f"/api/contact-lists/{made.json()['id']}"
    assert client.put(address, {"name": "Junho"}, format="json").json()["name"] == "Junho"
    assert [each["name"] for each in client.get("/api/contact-lists/list").json()] == ["Junho"]
    assert client.delete(address).status_code == 200
    assert client.get(address).json()["code"] == "ERR_NO_CONTACT_LIST_FOUND"
    told = [each for each in events if each["event"] == "ContactList"]
    assert [each["payload"]["action"] for each in told] == ["create", "update", "delete"]
    room = role_room(admin.company_id, Permission.CAMPAIGNS)
    assert {tuple(each["rooms"]) for each in told} == {(room,)}
    assert AuditEntry.objects.get().action == "contact_list.deleted"


def test_one_that_a_scheduled_campaign_takes_its_recipients_from_stays(
    client: Any, listed: ContactList, due: Any
) -> None:
    tomorrow = timezone.now() + timedelta(days=1)
    campaign = due(contact_list=listed, scheduled_at=tomorrow)
    address = f"/api/contact-lists/{listed.pk}"
    refused = client.delete(address)
    assert (refused.status_code, refused.json()["code"]) == (409, "ERR_CONTACT_LIST_IN_USE")
    assert listed.items.count() == 2
    Campaign.objects.filter(pk=campaign.pk).finish(status=CampaignStatus.INACTIVE)
    assert client.delete(address).status_code == 200


def test_names_have_2_to_50_characters(client: Any) -> None:
    for name in ("", "a", "a" * 51):
        answer = client.post("/api/contact-lists", {"name": name}, format="json")
        assert (answer.status_code, list(answer.json()["fields"])) == (400, ["name"])


def test_attendants_read_none(client_for: ClientFor, agent: User, listed: ContactList) -> None:
    client = client_for(agent)
    assert client.get("/api/contact-lists/").status_code == 403
    assert client.get(f"/api/contact-list-items?contactListId={listed.pk}").status_code == 403


def test_a_plan_without_campaigns_takes_no_new_lists(
    client: Any, admin: User, listed: ContactList
) -> None:
    admin.company.plan = make_plan(use_campaigns=False)
    admin.company.save()
    answer = client.post("/api/contact-lists", {"name": "Maio"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (403, "ERR_PLAN_FEATURE")
    assert add(client, listed).json()["code"] == "ERR_PLAN_FEATURE"


def test_people_are_found_added_changed_and_taken_out(client: Any, listed: ContactList) -> None:
    made = add(client, listed)
    assert (made.status_code, made.json()["number"]) == (201, "5511977770001")
    address = f"/api/contact-list-items/{made.json()['id']}"
    changed = client.put(address, {"name": "Beatriz", "email": "bia@example.com"}, format="json")
    assert (changed.json()["name"], changed.json()["number"]) == ("Beatriz", "5511977770001")

    def names(search: str) -> list[str]:
        query = {"searchParam": search, "contactListId": listed.pk}
        found = client.get("/api/contact-list-items", query).json()
        return [each["name"] for each in found["contacts"]]

    assert names("") == ["Beatriz", "Lia", "Zé Antônio"]
    assert names("ANTONIO") == ["Zé Antônio"]
    assert names("(11) 98888") == ["Lia", "Zé Antônio"]
    assert names("bia@") == ["Beatriz"]
    assert client.get(f"/api/contact-lists/{listed.pk}").json()["contactsCount"] == 3
    assert client.delete(address).status_code == 200
    assert client.get(f"/api/contact-lists/{listed.pk}").json()["contactsCount"] == 2


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("name", name) for name in ("", "a", "a" * 51)),
        *(("number", number) for number in ("", "1234567", "1" * 51)),
        ("email", "bia@"),
    ],
)
def test_a_wrong_person_is_refused_at_the_field(
    client: Any, listed: ContactList, field: str, value: str
) -> None:
    answer = add(client, listed, **{field: value})
    assert (answer.status_code, list(answer.json()["fields"])) == (400, [field])
    assert listed.items.count() == 2


def test_each_change_of_a_person_is_told(
    client: Any, listed: ContactList, events: list[dict[str, Any]]
) -> None:
    row = add(client, listed, email="bia@example.com").json()
    assert row.keys() >= {"id", "name", "number", "email", "isWhatsappValid"}
    assert (row["companyId"], row["contactListId"]) == (listed.company_id, listed.pk)
    address = f"/api/contact-list-items/{row['id']}"
    changed = client.put(address, {"name": "Beatriz"}, format="json").json()
    client.delete(address)
    told = [each["payload"] for each in events if each["event"] == "ContactListItem"]
    assert [each["action"] for each in told] == ["create", "update", "delete"]
    assert (told[0]["record"]["id"], told[1]["record"]["name"]) == (row["id"], changed["name"])
    assert told[2]["id"] == row["id"]


def test_a_number_is_once_in_a_list_with_and_without_its_ninth_digit(
    client: Any, listed: ContactList
) -> None:
    answer = add(client, listed, number="551188887777")
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_DUPLICATED_LIST_CONTACT")
    other = make_contact_list(listed.company)
    assert add(client, other, number="551188887777").status_code == 201


def test_a_page_takes_few_queries(
    client: Any, listed: ContactList, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(8):
        client.get("/api/contact-lists/")
    with django_assert_max_num_queries(8):
        client.get(f"/api/contact-list-items?contactListId={listed.pk}")


def test_a_session_is_asked_for_numbers_some_at_a_time(
    client: Any, listed: ContactList, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []

    def ask(*, company_id: int, numbers: list[str]) -> dict[str, Any]:
        asked.append(numbers)
        return {each: None if each.endswith("6666") else KnownNumber(each) for each in numbers}

    monkeypatch.setattr(checking, "ask_whatsapp", ask)
    monkeypatch.setattr(checking, "NUMBERS_AT_ONCE", 2)
    add(client, listed)
    check_due(limit=4)
    assert asked == [["5511988887777", "5511988886666"]]
    assert ContactListCheck.objects.get().state == "waiting"
    ContactListCheck.objects.update(next_attempt_at="2020-01-01T00:00Z")
    check_due(limit=4)
    known = dict(ContactListItem.objects.values_list("number", "is_whatsapp_valid"))
    assert known == {"5511988887777": True, "5511988886666": False, "5511977770001": True}
    assert ContactListCheck.objects.get().state == "done"


def test_numbers_of_official_connections_are_valid_by_their_form(
    client: Any, listed: ContactList
) -> None:
    make_connection(listed.company)
    add(client, listed)
    check_due(limit=4)
    assert set(ContactListItem.objects.values_list("is_whatsapp_valid", "checked_at")) == {
        (True, None)
    }


def test_without_anybody_to_ask_a_check_waits(client: Any, listed: ContactList) -> None:
    add(client, listed)
    check_due(limit=4)
    check = ContactListCheck.objects.get()
    assert (check.state, check_due(limit=4)) == ("waiting", 0)


def test_a_local_number_of_a_person_gets_the_companys_country(
    client: Any, listed: ContactList
) -> None:
    assert add(client, listed, number="(11) 98888-7777").json()["code"] == (
        "ERR_DUPLICATED_LIST_CONTACT"
    )
    made = add(client, listed, number="11 98000-0200").json()
    assert made["number"] == "5511980000200"
    address = f"/api/contact-list-items/{made['id']}"
    changed = client.put(address, {"number": "21 98000-0200"}, format="json").json()
    assert changed["number"] == "5521980000200"
    refused = add(client, listed, number="11 98000-0300", completeNumbers=False)
    assert (refused.status_code, refused.json()["code"]) == (400, "ERR_NUMBER_WITHOUT_COUNTRY")
    assert "+55 11 98000-0300" in refused.json()["message"]


def test_who_sees_no_full_numbers_finds_nobody_by_a_part_of_one(
    client_for: ClientFor, acme: Company, agent: User
) -> None:
    number = "5511988887777"
    make_contact_list(acme, people=[("Lia", number)])
    OptOut.objects.create(company=acme, canonical_number=number)
    agent.role = make_role(acme, Permission.CAMPAIGNS, Permission.SEE_CONTACTS)
    agent.save()
    client = client_for(agent)

    def found(path: str, search: str) -> int:
        answer = client.get(f"/api/{path}", {"searchParam": search})
        assert answer.status_code == 200, answer.content
        count: int = answer.json()["count"]
        return count

    for path in ("contact-list-items", "opt-outs"):
        assert found(path, "98888") == 0
        assert found(path, "+55 11 98888-7777") == 1
