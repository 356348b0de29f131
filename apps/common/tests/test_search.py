import pytest

from apps.accounts.models import User
from apps.common.search import LONGEST_SEARCH, fold
from apps.companies.models import Company
from apps.contacts.models import Tag
from conftest import ClientFor
from tests.factories import make_contact


def test_folding_ignores_accents_case_and_runs_of_space() -> None:
    assert fold("  Ação  \n ÓTIMA ") == "acao otima"


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["contacts/", "contacts/list", "contacts/export", "tags/"])
def test_a_long_search_is_cut(client_for: ClientFor, admin: User, acme: Company, path: str) -> None:
    make_contact(acme, name="x" * LONGEST_SEARCH)
    Tag.objects.create(company=acme, name="x" * 100)
    answer = client_for(admin).get(f"/api/{path}", {"searchParam": "x" * 60_000})
    assert answer.status_code == 200
    if path == "contacts/":
        assert answer.json()["count"] == 1
