"""/plans: what the service offers (rules/companies §3)."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.billing.models import Plan
from conftest import ClientFor
from tests.factories import make_company, make_plan

pytestmark = pytest.mark.django_db


def test_strangers_see_the_public_plans_the_cheapest_first(client_for: ClientFor) -> None:
    make_plan(name="Caro", value=99)
    make_plan(name="Básico", value=49.9, use_campaigns=False)
    make_plan(name="Interno", is_public=False)
    rows = client_for(None).get("/api/plans/list/").json()
    assert [(row["name"], row["value"], row["useCampaigns"]) for row in rows] == [
        ("Básico", 49.9, False),
        ("Caro", 99, True),
    ]


def test_the_super_user_keeps_the_plans(client_for: ClientFor, super_user: User) -> None:
    client = client_for(super_user)
    made = client.post("/api/plans", {"name": "Novo", "useKanban": False}, "json")
    assert made.status_code == 201, made.content
    plan = made.json()
    assert (plan["users"], plan["value"], plan["useKanban"], plan["useOpenAi"]) == (
        0,
        0,
        False,
        True,
    )
    path = f"/api/plans/{plan['id']}"
    # Older browsers send the whole row back, its numbers as texts.
    changed = client.put(path, {**plan, "users": "5", "value": "49.90", "isPublic": False}, "json")
    assert (changed.json()["users"], changed.json()["value"]) == (5, 49.9)
    assert client.get(path).json() == changed.json()
    assert "Novo" in [row["name"] for row in client.get("/api/plans/all").json()]
    assert client.delete(path).json() == {"message": "Plano excluído."}
    assert client.get(path).json()["code"] == "ERR_NO_PLAN_FOUND"
    actions = AuditEntry.objects.filter(action__startswith="plan.").order_by("pk")
    assert [entry.action for entry in actions] == ["plan.created", "plan.changed", "plan.deleted"]
    assert sorted(actions[1].detail["fields"]) == ["is_public", "users", "value"]


def test_a_plan_that_companies_have_stays(client_for: ClientFor, super_user: User) -> None:
    plan = make_plan()
    make_company(plan=plan)
    answer = client_for(super_user).delete(f"/api/plans/{plan.pk}")
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_PLAN_IN_USE")
    assert answer.json()["companies"] == 1
    assert Plan.objects.filter(pk=plan.pk).exists()
    assert not AuditEntry.objects.filter(action="plan.deleted").exists()


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({"name": ""}, "name", "ERR_VALIDATION"),
        ({"name": "Novo", "users": -1}, "users", "ERR_VALIDATION"),
        ({"name": "Novo", "value": "caro"}, "value", "ERR_VALIDATION"),
        ({"name": "Novo", "useKanban": "talvez"}, "useKanban", "ERR_VALIDATION"),
        ({"name": "Básico"}, "name", "ERR_PLAN_NAME_EXISTS"),
    ],
)
def test_a_wrong_plan_is_told_at_its_field(
    client_for: ClientFor, super_user: User, body: dict[str, Any], field: str, code: str
) -> None:
    other = make_plan(name="Básico")
    count = Plan.objects.count()
    client = client_for(super_user)
    answer = client.post("/api/plans", body, "json")
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert list(answer.json()["fields"]) == [field]
    answer = client.put(f"/api/plans/{super_user.company.plan_id}", body, "json")
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert (Plan.objects.count(), Plan.objects.get(pk=other.pk).name) == (count, "Básico")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("P", "O nome precisa ter ao menos 2 caracteres."),
        ("P" * 101, "O nome pode ter no máximo 100 caracteres."),
    ],
)
def test_the_length_of_a_plans_name_is_said_as_it_is(
    client_for: ClientFor, super_user: User, name: str, sentence: str
) -> None:
    answer = client_for(super_user).post("/api/plans", {"name": name}, "json")
    assert answer.json()["fields"] == {"name": [sentence]}


def test_others_read_their_own_plan_and_the_public_ones(
    client_for: ClientFor, agent: User, outsider: User
) -> None:
    agent.company.plan = make_plan(is_public=False)
    agent.company.save()
    path = f"/api/plans/{agent.company.plan_id}"
    assert client_for(agent).get(path).json()["id"] == agent.company.plan_id
    assert client_for(outsider).get(path).status_code == 404
    assert client_for(outsider).get(f"/api/plans/{make_plan().pk}").status_code == 200
