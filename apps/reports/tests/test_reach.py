"""Whose conversations and days a role lets somebody report on (rules/reports §7)."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.reports.tests.test_calls import DAYS, NINE, get, resolved
from apps.tickets.models import TicketActivity, TicketActivityKind, TrackingCycle
from conftest import ClientFor
from tests.factories import make_contact, make_queue, make_role, make_ticket, make_user

pytestmark = pytest.mark.django_db
OWN = (Permission.OWN_REPORTS, Permission.SEE_CONTACTS, Permission.EXPORT_CONTACTS)
OF_QUEUES = (*OWN, Permission.QUEUE_REPORTS)
ALL_OF_THEM = (*OF_QUEUES, Permission.REPORTS)


@pytest.fixture
def people(acme: Company, queue: Queue) -> dict[str, User]:
    """Nina and Otto work in the queue, Pia in another one."""
    return {
        "nina": make_user(acme, name="Nina", queues=[queue]),
        "otto": make_user(acme, name="Otto", queues=[queue]),
        "pia": make_user(acme, name="Pia", queues=[make_queue(acme, name="Outra")]),
    }


@pytest.fixture
def cycles(
    acme: Company, queue: Queue, connection: Connection, people: dict[str, User]
) -> dict[str, int]:
    """Return conversations by name: where they counted or count, and who had them."""
    other = people["pia"].queues.get()

    def cycle(user: User, of: Queue, *, now: Queue | None = None, **fields: Any) -> int:
        ticket = make_ticket(
            acme,
            contact=make_contact(acme),
            connection=connection,
            queue=now or of,
            status="closed",
        )
        TrackingCycle.objects.filter(ticket=ticket).delete()
        TicketActivity.objects.create(
            ticket=ticket, kind=TicketActivityKind.ACCEPTED, actor=user, created_at=NINE
        )
        return resolved(ticket, user, queue=of, **fields).pk

    return {
        "nina's elsewhere": cycle(people["nina"], other),
        "otto's": cycle(people["otto"], queue),
        "moved since": cycle(people["pia"], queue, now=other),
        "goes on": cycle(people["pia"], other, now=queue, finished_at=None),
        "pia's": cycle(people["pia"], other, now=queue),
    }


@pytest.mark.parametrize(
    ("permissions", "conversations", "days"),
    [
        (OWN, {"nina's elsewhere"}, {"Nina"}),
        (OF_QUEUES, {"nina's elsewhere", "otto's", "moved since", "goes on"}, {"Nina", "Otto"}),
        (
            ALL_OF_THEM,
            {"nina's elsewhere", "otto's", "moved since", "goes on", "pia's"},
            {"Nina", "Otto", "Pia"},
        ),
    ],
    ids=["own", "queues", "all"],
)
def test_a_report_shows_what_the_role_reaches(
    client_for: ClientFor,
    acme: Company,
    people: dict[str, User],
    cycles: dict[str, int],
    permissions: tuple[Permission, ...],
    conversations: set[str],
    days: set[str],
) -> None:
    nina = people["nina"]
    nina.role = make_role(acme, *permissions)
    nina.save()
    client: Any = client_for(nina)
    body = get(client, f"conversations?{DAYS}")
    shown = {row["id"] for row in body["conversations"]}
    assert shown == {cycles[name] for name in conversations}
    assert body["count"] == len(conversations)
    found = get(client, f"activity?{DAYS}")["days"]
    assert {day["userName"] for day in found} == days
    lines = b"".join(client.get(f"/api/reports/conversations/export?{DAYS}").streaming_content)
    assert len(lines.splitlines()) == 1 + len(conversations)


@pytest.mark.parametrize("asked", ["userId={otto}", "workedBy={otto}", "userId=0"])
def test_with_the_own_reports_nothing_of_others_is_told(
    client_for: ClientFor,
    acme: Company,
    people: dict[str, User],
    cycles: dict[str, int],
    asked: str,
) -> None:
    nina = people["nina"]
    nina.role = make_role(acme, *OWN)
    nina.save()
    client: Any = client_for(nina)
    query = f"{asked.format(otto=people['otto'].pk)}&{DAYS}"
    assert get(client, f"conversations?{query}")["conversations"] == []
    lines = b"".join(client.get(f"/api/reports/conversations/export?{query}").streaming_content)
    assert len(lines.splitlines()) == 1
    if asked.startswith("userId"):
        assert get(client, f"figures?{query}")["conversations"] == 0
    if asked == "userId={otto}":
        assert get(client, f"activity?{query}")["days"] == []
        lines = b"".join(client.get(f"/api/reports/activity/export?{query}").streaming_content)
        assert len(lines.splitlines()) == 1


def test_who_sees_no_full_numbers_gets_none_in_a_file(
    client_for: ClientFor, acme: Company, agent: User, cycles: dict[str, int]
) -> None:
    agent.role = make_role(acme, *ALL_OF_THEM)
    agent.save()
    answer: Any = client_for(agent).get(f"/api/reports/conversations/export?{DAYS}")
    text = b"".join(answer.streaming_content).decode()
    numbers = TrackingCycle.objects.filter(pk__in=cycles.values())
    for number in numbers.values_list("contact__number", flat=True):
        assert number not in text
        assert f"{number[:4]}•" in text


def test_who_exports_no_contacts_gets_no_file_of_them(
    client_for: ClientFor, acme: Company, agent: User
) -> None:
    granted = set(ALL_OF_THEM) - {Permission.EXPORT_CONTACTS}
    agent.role = make_role(acme, *granted)
    agent.save()
    client = client_for(agent)
    assert client.get(f"/api/reports/conversations?{DAYS}").status_code == 200
    assert client.get(f"/api/reports/conversations/export?{DAYS}").status_code == 403
    assert client.get(f"/api/reports/activity/export?{DAYS}").status_code == 200


def test_without_reports_there_is_nothing(
    client_for: ClientFor, acme: Company, agent: User
) -> None:
    agent.role = make_role(acme, Permission.SEE_QUEUES, Permission.TAKE)
    agent.save()
    assert client_for(agent).get(f"/api/reports/figures?{DAYS}").status_code == 403
