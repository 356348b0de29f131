"""DELETE /companies/{id}: nothing of it stays, and nothing of others goes (rules/companies §6)."""

from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from apps.accounts.models import RefreshSession, User
from apps.audit.models import AuditEntry
from apps.companies.models import Company, CompanyRemoval
from apps.companies.services import removal, remove_due
from apps.companies.services.removal import _tables
from apps.tickets.models import Message
from conftest import ClientFor
from tests import factories
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db(transaction=True)


def rows_of(company_id: int) -> dict[str, int]:
    """Return how many rows each table has of a company."""
    return {
        model._meta.label: model._base_manager.filter(**{name: company_id}).count()
        for model, name in _tables()
    }


def fill(company: Company) -> None:
    ticket = factories.make_ticket(company)
    for _ in range(5):
        factories.make_message(ticket, body="Oi")
    factories.make_schedule(company, contact=ticket.contact, body="Até")
    factories.make_campaign(company, name="Natal", scheduled_at=None)
    factories.make_queue(company)
    factories.make_user(company, role=factories.make_role(company))
    default_storage.save(f"{company.pk}/shared/foto.png", ContentFile(b"png"))
    default_storage.save(f"{company.pk}/nota.pdf", ContentFile(b"pdf"))


@pytest.fixture(autouse=True)
def _own_store(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = str(tmp_path)


def test_a_deleted_company_leaves_nothing_and_others_keep_all(
    client_for: ClientFor,
    super_user: User,
    admin: User,
    outsider: User,
    events: list[dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    acme, globex = admin.company, outsider.company
    fill(acme)
    fill(globex)
    kept = rows_of(globex.pk)
    anybody = client_for(None)
    credentials = {"email": admin.email, "password": PASSWORD}
    token = anybody.post("/api/auth/login", credentials, "json").json()["token"]

    client = client_for(super_user)
    assert client.delete(f"/api/companies/{acme.pk}").json() == {"message": "Empresa excluída."}
    # At once: signed out, and nowhere to be seen; the name is free.
    refused = anybody.get("/api/auth/me", headers={"Authorization": f"Bearer {token}"})
    assert (refused.status_code, refused.json()["code"]) == (401, "ERR_COMPANY_DISABLED")
    assert {"event": "recheck_company", "id": acme.pk} in events
    assert client.get(f"/api/companies/{acme.pk}").status_code == 404
    assert client.delete(f"/api/companies/{acme.pk}").status_code == 404
    assert "Acme" not in client.get("/api/companies/list").content.decode()
    body = {"name": "Acme", "planId": globex.plan_id}
    assert client.post("/api/companies", body, "json").status_code == 201

    # A job that has no time does a little in each step, and comes to the end all the same.
    monkeypatch.setattr(removal, "BATCH", 2)
    monkeypatch.setattr(removal, "STEP_SECONDS", 0.0)
    assert remove_due(limit=1) == 1
    assert Message.objects.filter(company=acme).exists()
    monkeypatch.setattr(removal, "STEP_SECONDS", 20.0)
    while remove_due(limit=1):
        pass
    assert not CompanyRemoval.objects.exists()
    assert not Company.objects.filter(pk=acme.pk).exists()
    assert set(rows_of(acme.pk).values()) == {0}
    assert not RefreshSession.objects.filter(user__email=admin.email).exists()
    assert not default_storage.exists(str(acme.pk))
    assert rows_of(globex.pk) == kept
    assert default_storage.exists(f"{globex.pk}/shared/foto.png")
    entry = AuditEntry.objects.get(action="company.deleted")
    assert (entry.actor_id, entry.company_id, entry.detail["name"]) == (super_user.pk, 1, "Acme")


def test_what_fails_is_tried_again(
    super_user: User, acme: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    removal.delete_company(company_id=acme.pk, actor=super_user)

    def fail(folder: str) -> None:
        raise OSError("disk")

    monkeypatch.setattr(removal, "delete_folder", fail)
    assert remove_due(limit=1) == 1
    row = CompanyRemoval.objects.get()
    assert (row.company_id, row.last_error) == (acme.pk, "disk")
    monkeypatch.undo()
    CompanyRemoval.objects.update(next_attempt_at=row.created_at)
    remove_due(limit=1)
    assert not Company.objects.filter(pk=acme.pk).exists()


def test_company_1_stays(client_for: ClientFor, super_user: User) -> None:
    answer = client_for(super_user).delete("/api/companies/1")
    assert (answer.status_code, answer.json()["code"]) == (403, "ERR_CANNOT_DELETE_SUPER_COMPANY")
    assert Company.objects.filter(pk=1, deleted_at=None).exists()


def test_what_refers_goes_first() -> None:
    order = [model.__name__ for model, _ in _tables()]
    for first, then in [("Message", "Ticket"), ("Ticket", "Contact"), ("QrSession", "Company")]:
        if then in order and first in order:
            assert order.index(first) < order.index(then)
