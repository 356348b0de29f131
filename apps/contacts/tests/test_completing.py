"""Numbers without country code in the forms of contacts (rules/contacts §2)."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.companies.models import Company
from apps.companies.services.settings import change_setting
from apps.connections.models import Connection
from apps.contacts.models import Contact
from apps.contacts.services import upsert_contact
from conftest import ClientFor
from tests.factories import make_contact

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(client_for: ClientFor, agent: User) -> Any:
    return client_for(agent)


def test_a_form_completes_a_local_number(client: Any) -> None:
    row = client.post("/api/contacts", {"name": "Ana", "number": "(11) 98000-0100"}, format="json")
    assert (row.status_code, row.json()["number"]) == (201, "5511980000100")


def test_a_local_number_is_the_contact_that_has_it_already(client: Any, acme: Company) -> None:
    known = make_contact(acme, name="Ana", number="5511980000100")
    answer = client.post("/api/contacts", {"name": "Ana", "number": "11 98000-0100"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_DUPLICATED_CONTACT")
    assert answer.json()["contact"]["id"] == known.pk


def test_a_changed_number_is_completed_and_an_unchanged_one_stays(
    client: Any, acme: Company
) -> None:
    foreign = make_contact(acme, name="Kari", number="4798765432")
    address = f"/api/contacts/{foreign.pk}"
    same = client.put(address, {"name": "Kari N.", "number": "4798765432"}, format="json").json()
    assert (same["name"], same["number"]) == ("Kari N.", "4798765432")
    changed = client.put(
        address, {"name": "Kari N.", "number": "11 98000-0200"}, format="json"
    ).json()
    assert changed["number"] == "5511980000200"
    again = client.put(address, {"name": "Kari N.", "number": "+47 98765432"}, format="json").json()
    assert again["number"] == "4798765432"


def test_the_companys_country_completes(client: Any, acme: Company) -> None:
    change_setting(company_id=acme.pk, key="country", value="US")
    row = client.post("/api/contacts", {"name": "Joe", "number": "(212) 555-2368"}, format="json")
    assert row.json()["number"] == "12125552368"


def test_a_program_with_a_login_can_refuse_the_completion(client: Any, acme: Company) -> None:
    body = {"name": "Ana", "number": "11 98000-0200", "completeNumbers": False}
    known = make_contact(acme, number="5511970000000")
    for answer in (
        client.post("/api/contacts", body, format="json"),
        client.put(f"/api/contacts/{known.pk}", body, format="json"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (400, "ERR_NUMBER_WITHOUT_COUNTRY")
        assert "+55 11 98000-0200" in answer.json()["message"]
        assert answer.json()["completed"] == "5511980000200"
        assert list(answer.json()["fields"]) == ["number"]
    assert set(Contact.objects.values_list("number", flat=True)) == {"5511970000000"}
    body["number"] = "+55 11 98000-0200"
    assert client.post("/api/contacts", body, format="json").status_code == 201


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("11 98000-0200", {"number": "5511980000200", "shown": "+55 11 98000-0200",
                           "isCompleted": True}),
        ("+1 212 555 2368", {"number": "12125552368", "shown": "+1 212-555-2368",
                             "isCompleted": False}),
        ("1198", {"number": "", "shown": "", "isCompleted": False}),
        ("", {"number": "", "shown": "", "isCompleted": False}),
    ],
)  # fmt: skip
def test_the_form_shows_a_number_as_it_will_be_kept(
    client: Any, typed: str, kept: dict[str, Any]
) -> None:
    assert client.get("/api/contacts/number", {"number": typed}).json() == kept
    assert not Contact.objects.exists()


def test_a_number_of_a_provider_is_never_completed(connection: Connection) -> None:
    made = upsert_contact(company_id=connection.company_id, number="4798765432", name="Kari")
    assert (made.number, made.canonical_number) == ("4798765432", "4798765432")
