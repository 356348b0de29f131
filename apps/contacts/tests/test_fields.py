"""Lines of extra info, as they are compared."""

from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest

from apps.accounts.models import User
from apps.companies.models import Company
from apps.contacts.models import ContactField
from conftest import ClientFor
from tests.factories import make_contact

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


def test_lines_from_before_are_folded_by_the_migration(
    acme: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    contact = make_contact(acme)
    lines = [ContactField(contact=contact, name="Cidade", value=f"Maceió {n}") for n in range(3)]
    ContactField.objects.bulk_create(lines)
    ContactField.objects.update(folded_name="", folded_value="")
    migration = import_module("apps.contacts.migrations.0007_folded_fields")
    monkeypatch.setattr(migration, "BATCH", 2)
    migration.fold_fields(SimpleNamespace(get_model=lambda *_: ContactField), None)
    assert folded_lines() == [("cidade", f"maceio {n}") for n in range(3)]
