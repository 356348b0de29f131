"""Lines of extra info, as they are compared."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.companies.models import Company
from apps.contacts.models import ContactField
from conftest import ClientFor

pytestmark = pytest.mark.django_db


def folded_lines() -> list[tuple[str, str]]:
    return list(ContactField.objects.values_list("folded_name", "folded_value"))


def test_lines_are_kept_folded_however_they_are_stored(
    client_for: ClientFor, agent: User, acme: Company
) -> None:
    client = client_for(agent)
    body: dict[str, Any] = {
        "name": "Maria",
        "number": "5511987654321",
        "extraInfo": [{"name": " Cidade ", "value": "São  Paulo"}],
    }
    row = client.post("/api/contacts", body, format="json").json()
    assert folded_lines() == [("cidade", "sao paulo")]
    line = {**row["extraInfo"][0], "value": "Maceió"}
    body["extraInfo"] = [line, {"name": "Anotação", "value": "É " * 500}]
    client.put(f"/api/contacts/{row['id']}", body, format="json")
    assert folded_lines() == [("cidade", "maceio"), ("anotacao", ("e " * 100))]
