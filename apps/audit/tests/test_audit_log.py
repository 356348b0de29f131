"""Reading the audit log (rules/accounts §7)."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.audit.services import record
from apps.companies.models import Company
from conftest import ClientFor

pytestmark = pytest.mark.django_db


def did(action: str, user: User | None, company: Company, **detail: Any) -> AuditEntry:
    return record(
        action=action, actor=user, company_id=company.pk, detail=detail, ip_address="203.0.113.7"
    )


def test_an_admin_reads_what_was_done_newest_first(
    client_for: ClientFor, admin: User, agent: User, outsider: User, acme: Company, globex: Company
) -> None:
    first = did("queue.deleted", agent, acme, name="Vendas")
    second = did("tag.deleted", None, acme)
    did("queue.deleted", outsider, globex, name="Alheia")
    answer = client_for(admin).get("/api/audit-log").json()
    assert [row["id"] for row in answer["records"]] == [second.pk, first.pk]
    assert (answer["count"], answer["hasMore"]) == (2, False)
    row = answer["records"][1]
    assert datetime.fromisoformat(row.pop("createdAt")) == first.created_at
    assert row == {
        "id": first.pk,
        "action": "queue.deleted",
        "actorId": agent.pk,
        "actorName": "Bob",
        "objectType": "",
        "objectId": "",
        "detail": {"name": "Vendas"},
        "ipAddress": "203.0.113.7",
    }


def test_the_log_is_narrowed_by_person_kind_and_time(
    client_for: ClientFor, admin: User, agent: User, acme: Company
) -> None:
    old = did("contact.deleted", agent, acme)
    AuditEntry.objects.filter(pk=old.pk).update(created_at=datetime(2026, 1, 31, 12, tzinfo=UTC))
    new = did("contact.merged", admin, acme)
    other = did("contacts.exported", admin, acme)
    client = client_for(admin)

    def ids(**query: Any) -> list[int]:
        return [row["id"] for row in client.get("/api/audit-log/", query).json()["records"]]

    assert ids(userId=agent.pk) == [old.pk]
    assert ids(kind="contact") == [new.pk, old.pk]
    assert ids(kind="contact", until="2026-02-01T00:00:00-03:00") == [old.pk]
    assert ids(since="2026-02-01T00:00:00Z") == [other.pk, new.pk]
    assert ids(until=timezone.now().isoformat(), pageNumber=2) == []


@pytest.mark.parametrize(
    "query", [{"userId": "0"}, {"userId": "x"}, {"since": "ontem"}, {"kind": "x" * 51}]
)
def test_a_query_that_makes_no_sense_is_refused_at_its_field(
    client_for: ClientFor, admin: User, query: dict[str, str]
) -> None:
    answer = client_for(admin).get("/api/audit-log", query)
    assert answer.status_code == 400
    assert list(answer.json()["fields"]) == list(query)


def test_a_page_takes_as_many_queries_as_its_rows_want_not_more(
    client_for: ClientFor,
    admin: User,
    acme: Company,
    django_assert_max_num_queries: Any,
) -> None:
    for _ in range(25):
        did("contact.deleted", admin, acme)
    client = client_for(admin)
    with django_assert_max_num_queries(3):
        answer = client.get("/api/audit-log").json()
    assert (len(answer["records"]), answer["count"], answer["hasMore"]) == (20, 25, True)


def test_an_attendant_reads_no_log(client_for: ClientFor, agent: User) -> None:
    answer = client_for(agent).get("/api/audit-log")
    assert (answer.status_code, answer.json()["code"]) == (403, "ERR_NO_PERMISSION")
