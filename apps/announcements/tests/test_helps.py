"""Helps: films written by the super user, seen by every company, told live."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.announcements.models import Help
from apps.audit.models import AuditEntry
from apps.companies.models import SUPER_COMPANY_ID
from apps.realtime.backplane import ALL_COMPANIES
from apps.realtime.rooms import EVERYONE
from conftest import ClientFor
from tests.factories import make_help

pytestmark = pytest.mark.django_db
CODE = "dQw4w9WgXcQ"
# What the form of older browsers sends.
WRITTEN = {"title": "Primeiros passos", "description": "Em 3 minutos.", "video": CODE}


@pytest.fixture
def client(client_for: ClientFor, super_user: User) -> Any:
    return client_for(super_user)


def told(events: list[dict[str, Any]]) -> list[tuple[int, list[str], str, Any]]:
    heard = [each for each in events if each["event"] == "help"]
    return [
        (
            each["company_id"],
            each["rooms"],
            each["payload"]["action"],
            each["payload"].get("record", each["payload"]).get("title", each["payload"].get("id")),
        )
        for each in heard
    ]


def test_what_the_super_user_adds_every_company_sees_and_hears(
    client: Any, client_for: ClientFor, agent: User, outsider: User, events: list[dict[str, Any]]
) -> None:
    answer = client.post("/api/helps", WRITTEN, format="json")
    assert answer.status_code == 201
    row = answer.json()
    assert {name: row[name] for name in WRITTEN} == WRITTEN
    for reader in (agent, outsider):
        page = client_for(reader).get("/api/helps/?searchParam=&pageNumber=1").json()
        assert page == {"records": [row], "count": 1, "hasMore": False}
        assert client_for(reader).get("/api/helps/list").json() == [row]
        assert client_for(reader).get(f"/api/helps/{row['id']}").json() == row
    changed = client.put(f"/api/helps/{row['id']}/", {"title": "Começo"}, format="json").json()
    assert (changed["title"], changed["video"]) == ("Começo", CODE)
    gone = client.delete(f"/api/helps/{row['id']}")
    assert gone.json() == {"message": "Ajuda excluída."}
    everyone = (ALL_COMPANIES, [EVERYONE])
    assert told(events) == [
        (*everyone, "create", WRITTEN["title"]),
        (*everyone, "update", "Começo"),
        (*everyone, "delete", row["id"]),
    ]
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.company_id) == ("help.deleted", SUPER_COMPANY_ID)
    assert entry.detail == {"title": "Começo"}


def test_a_whole_address_is_taken_and_its_code_kept(client: Any) -> None:
    body = {**WRITTEN, "video": f"https://www.youtube.com/watch?v={CODE}&t=12s"}
    row = client.post("/api/helps", body, format="json").json()
    assert row["video"] == CODE
    body = {"video": "https://vimeo.com/76979871/8272103f6e"}
    changed = client.put(f"/api/helps/{row['id']}", body, format="json").json()
    assert changed["video"] == Help.objects.get().video == "76979871/8272103f6e"


@pytest.mark.parametrize(
    ("field", "value", "rule"),
    [
        ("title", " ", "blank"),
        ("title", "x" * 201, "max_length"),
        ("description", "x" * 2001, "max_length"),
        ("video", "", "blank"),
        ("video", "https://exemplo.com/filme", "video"),
        ("video", "x" * 2001, "max_length"),
    ],
)
def test_what_cannot_be_is_refused_at_its_field(
    client: Any, field: str, value: str, rule: str
) -> None:
    kept = make_help()
    for answer in (
        client.post("/api/helps", {**WRITTEN, field: value}, format="json"),
        client.put(f"/api/helps/{kept.pk}", {field: value}, format="json"),
    ):
        assert (answer.status_code, list(answer.json()["fields"])) == (400, [field])
        assert answer.json()["fieldCodes"] == {field: rule}
    assert list(Help.objects.values_list("title", flat=True)) == [kept.title]


def test_a_help_needs_no_description(client: Any) -> None:
    row = client.post("/api/helps", {"title": "Oi", "video": CODE}, format="json").json()
    assert row["description"] == ""


def test_one_that_is_gone_is_missing(client: Any) -> None:
    for answer in (
        client.get("/api/helps/999999"),
        client.put("/api/helps/999999", {"title": "x"}, format="json"),
        client.delete("/api/helps/999999"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (404, "ERR_NO_HELP_FOUND")


def test_only_the_super_user_writes(client_for: ClientFor, admin: User) -> None:
    kept, client = make_help(), client_for(admin)
    for answer in (
        client.post("/api/helps", WRITTEN, format="json"),
        client.put(f"/api/helps/{kept.pk}", {"title": "x"}, format="json"),
        client.delete(f"/api/helps/{kept.pk}"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "ERR_NO_PERMISSION")
    assert Help.objects.get().title == kept.title


def test_they_stand_as_written_and_cost_the_same_whatever_they_are(
    client_for: ClientFor, agent: User, django_assert_max_num_queries: Any
) -> None:
    make_help(title="Manutenção", description="Sem acentuação")
    for number in range(25):
        make_help(title=f"Passo {number}")
    client = client_for(agent)
    with django_assert_max_num_queries(3):
        page = client.get("/api/helps").json()
    assert (len(page["records"]), page["count"], page["hasMore"]) == (20, 26, True)
    assert [each["title"] for each in page["records"][:2]] == ["Manutenção", "Passo 0"]
    with django_assert_max_num_queries(2):
        assert len(client.get("/api/helps/list").json()) == 26
    found = client.get("/api/helps?searchParam=MANUTENCAO sem").json()
    assert found["count"] == 1
