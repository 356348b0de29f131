import pytest

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.audit.services import record
from apps.companies.models import Company

pytestmark = pytest.mark.django_db


def test_an_entry_outlives_its_actor(agent: User, acme: Company) -> None:
    record(
        action="queue.deleted",
        actor=agent,
        company_id=acme.pk,
        target=acme,
        detail={"name": "Vendas"},
        ip_address="2001:db8::1",
    )
    agent.delete()
    entry = AuditEntry.objects.for_company(acme).get()
    assert (entry.actor, entry.actor_name, entry.action) == (None, "Bob", "queue.deleted")
    assert (entry.object_type, entry.object_id) == ("company", str(acme.pk))
    assert (entry.detail, entry.ip_address) == ({"name": "Vendas"}, "2001:db8::1")


def test_the_system_is_an_actor_without_a_name(acme: Company) -> None:
    entry = record(action="company.changed", actor=None, company_id=acme.pk)
    assert (entry.actor, entry.actor_name, entry.object_type) == (None, "", "")
