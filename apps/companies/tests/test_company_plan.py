"""GET /companies/listPlan/{companyId}."""

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company
from conftest import ClientFor
from tests.factories import make_plan

pytestmark = pytest.mark.django_db


def test_the_own_company_and_its_plans_flags(client_for: ClientFor, agent: User) -> None:
    agent.company.plan = make_plan(name="Básico", users=3, use_campaigns=False)
    agent.company.save()
    body = client_for(agent).get(f"/api/companies/listPlan/{agent.company_id}").json()
    assert (body["id"], body["name"], body["status"]) == (agent.company_id, "Acme", True)
    plan = body["plan"]
    assert (plan["name"], plan["users"], plan["useCampaigns"]) == ("Básico", 3, False)
    assert plan["useKanban"] is True


def test_the_super_user_may_ask_for_any_company(
    client_for: ClientFor, super_user: User, admin: User, acme: Company
) -> None:
    path = f"/api/companies/listPlan/{acme.pk}"
    assert client_for(super_user).get(path).json()["id"] == acme.pk


@pytest.mark.parametrize("pk", ["1", "99999999999999999999999"])
def test_another_company_is_a_404(client_for: ClientFor, admin: User, pk: str) -> None:
    answer = client_for(admin).get(f"/api/companies/listPlan/{pk}")
    assert (answer.status_code, answer.json()["code"]) == (404, "ERR_NO_COMPANY_FOUND")


def test_a_company_that_is_being_deleted_is_a_404_to_everybody(
    client_for: ClientFor, super_user: User, globex: Company
) -> None:
    globex.deleted_at = timezone.now()
    globex.save()
    answer = client_for(super_user).get(f"/api/companies/listPlan/{globex.pk}")
    assert (answer.status_code, answer.json()["code"]) == (404, "ERR_NO_COMPANY_FOUND")
