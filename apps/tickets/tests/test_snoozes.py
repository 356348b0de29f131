"""A snoozed ticket returns at its moment, or when the contact writes."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.common.leases import DEADLY_ATTEMPTS
from apps.companies.models import Company
from apps.connections.providers.inbound import InboundMessage
from apps.queues.models import Queue
from apps.tickets.models import Snooze, Ticket, TicketActivity
from apps.tickets.services.receiving.messages import receive_message
from apps.tickets.services.tickets import snoozing
from apps.tickets.services.tickets.removals import return_tickets_of
from apps.tickets.services.tickets.snoozing import wake_due
from conftest import ClientFor
from tests.events import Told
from tests.factories import make_ticket, make_user


@pytest.fixture(autouse=True)
def _online(agent: User) -> None:
    User.objects.filter(pk=agent.pk).update(online_until=timezone.now() + timedelta(minutes=5))


def snooze(client: Any, ticket: Ticket, until: datetime | str | None) -> Any:
    moment = until.isoformat() if isinstance(until, datetime) else until
    return client.put(f"/api/tickets/{ticket.pk}/snooze", {"until": moment}, format="json")


def in_hours(hours: float) -> datetime:
    return (timezone.now() + timedelta(hours=hours)).replace(microsecond=0)


def listed(client: Any, snoozed: str = "", **filters: str) -> list[int]:
    asked = {"status": "open", "snoozed": snoozed, **filters}
    return [row["id"] for row in client.get("/api/tickets", asked).json()["tickets"]]


def let_it_be_due() -> None:
    Snooze.objects.update(next_attempt_at=timezone.now() - timedelta(seconds=1))


def hear(ticket: Ticket, wid: str = "wamid.in1") -> None:
    assert ticket.connection is not None
    inbound = InboundMessage(
        external_id=wid,
        sender=ticket.contact.number,
        sender_name=ticket.contact.name,
        media_type="conversation",
        body="Voltei",
        sent_at=timezone.now(),
    )
    assert receive_message(connection=ticket.connection, inbound=inbound) is not None


def lines() -> list[tuple[str, str | None]]:
    found = TicketActivity.objects.order_by("pk")
    return [(each.kind, each.detail.get("by")) for each in found]


def test_it_leaves_our_lists_and_counts_and_stays_in_those_of_older_browsers(
    client_for: ClientFor, agent: User, ticket: Ticket, told: list[Told]
) -> None:
    client, until = client_for(agent), in_hours(20)
    answer = snooze(client, ticket, until)
    assert answer.status_code == 200, answer.content
    assert datetime.fromisoformat(answer.json()["snoozedUntil"]) == until
    assert listed(client) == listed(client, "true") == listed(client, "only") == [ticket.pk]
    assert listed(client, "false") == []
    assert client.get("/api/tickets/counts?snoozed=false").json()["open"] == 0
    assert client.get("/api/tickets/counts").json()["open"] == 1
    assert Snooze.objects.get().next_attempt_at == until
    [each] = told
    assert (each.payload["event"]["kind"], each.payload["ticket"]["status"]) == ("snoozed", "open")
    assert datetime.fromisoformat(each.payload["event"]["until"]) == until


def test_it_is_not_woken_before_its_moment_and_then_once(
    client_for: ClientFor, agent: User, ticket: Ticket, told: list[Told]
) -> None:
    snooze(client_for(agent), ticket, in_hours(1))
    before = Ticket.objects.get(pk=ticket.pk).updated_at
    assert wake_due(limit=10) == 0
    let_it_be_due()
    told.clear()
    assert (wake_due(limit=10), wake_due(limit=10)) == (1, 0)
    row = Ticket.objects.get(pk=ticket.pk)
    assert (row.snoozed_at, row.snoozed_until, row.woken) == (None, None, "due")
    assert (row.status, row.user_id, row.is_handed_over) == ("open", agent.pk, True)
    assert row.updated_at > before
    assert lines() == [("snoozed", None), ("woken", "due")]
    [each] = told
    assert (each.payload["ticket"]["woken"], each.payload["event"]["by"]) == ("due", "due")
    assert not Snooze.objects.exists()


def test_a_message_of_the_contact_wakes_it(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    for wid, until in (("wamid.in1", None), ("wamid.in2", in_hours(5))):
        snooze(client_for(agent), ticket, until)
        hear(ticket, wid)
        row = Ticket.objects.get(pk=ticket.pk)
        assert (row.snoozed_at, row.woken, row.user_id) == (None, "reply", agent.pk)
        assert not Snooze.objects.exists()
    assert lines() == [("snoozed", None), ("woken", "reply")] * 2


def test_a_message_to_a_ticket_that_is_not_snoozed_asks_nothing_of_it(ticket: Ticket) -> None:
    with CaptureQueriesContext(database) as queries:
        hear(ticket)
    assert not any("tickets_snooze" in each["sql"] for each in queries)


@pytest.mark.parametrize("by", ["due", "reply"])
def test_whose_person_is_away_goes_back_to_its_queue(
    client_for: ClientFor, agent: User, queue: Queue, ticket: Ticket, by: str
) -> None:
    snooze(client_for(agent), ticket, in_hours(1))
    User.objects.filter(pk=agent.pk).update(online_until=None)
    if by == "due":
        let_it_be_due()
        wake_due(limit=10)
    else:
        hear(ticket)
    row = Ticket.objects.get(pk=ticket.pk)
    assert (row.status, row.user_id, row.queue_id) == ("pending", None, queue.pk)
    assert (row.is_handed_over, row.woken, row.snoozed_at) == (True, by, None)
    assert lines()[1:] == [("woken", by), ("returned", None)]


def test_what_was_woken_is_on_top_of_the_waiting_list_until_somebody_moves_it(
    client_for: ClientFor, acme: Company, agent: User, queue: Queue
) -> None:
    now = timezone.now()
    tickets = [
        make_ticket(
            acme, queue=queue, queued_at=now - timedelta(minutes=minutes), priority=priority
        )
        for minutes, priority in ((30, 1), (20, 3), (10, 4))
    ]
    client, order = client_for(agent), "longest_waiting"
    snooze(client, tickets[2], in_hours(1))
    let_it_be_due()
    wake_due(limit=10)
    ids = [ticket.pk for ticket in tickets]
    assert listed(client, status="pending", order=order) == [ids[2], ids[0], ids[1]]
    for status in ("open", "pending"):
        client.put(f"/api/tickets/{ids[2]}", {"status": status})
    assert listed(client, status="pending", order=order) == ids


def test_a_waking_ends_when_its_holder_writes_or_it_is_returned_later(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    client = client_for(agent)
    for end in ("writes", "returned"):
        snooze(client, ticket, in_hours(1))
        let_it_be_due()
        wake_due(limit=10)
        row = Ticket.objects.get(pk=ticket.pk)
        assert (row.woken, row.user_id) == ("due", agent.pk)
        if end == "writes":
            hear(ticket)
            answer = client.post(f"/api/messages/{ticket.pk}", {"body": "Olá"}, format="json")
            assert answer.status_code == 201, answer.content
        else:
            return_tickets_of(agent)
            assert Ticket.objects.get(pk=ticket.pk).status == "pending"
        assert Ticket.objects.get(pk=ticket.pk).woken == ""


def test_it_is_woken_by_hand_without_a_mark(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    client = client_for(agent)
    snooze(client, ticket, in_hours(1))
    for _ in range(2):
        answer = client.delete(f"/api/tickets/{ticket.pk}/snooze")
        assert (answer.status_code, answer.json()["snoozedAt"]) == (200, None)
    assert not answer.json()["handedOver"]
    assert lines() == [("snoozed", None), ("woken", "hand")]
    assert not Snooze.objects.exists()


def test_snoozing_again_replaces_the_moment(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    client, later = client_for(agent), in_hours(48)
    snooze(client, ticket, in_hours(1))
    snooze(client, ticket, later)
    assert Snooze.objects.get().next_attempt_at == later
    snooze(client, ticket, None)
    assert not Snooze.objects.exists()
    assert Ticket.objects.get(pk=ticket.pk).snoozed_at is not None


@pytest.mark.parametrize("change", [{"status": "closed"}, {"status": "pending"}])
def test_who_moves_the_ticket_ends_its_snooze(
    client_for: ClientFor, agent: User, ticket: Ticket, change: dict[str, str]
) -> None:
    client = client_for(agent)
    snooze(client, ticket, in_hours(1))
    answer = client.put(f"/api/tickets/{ticket.pk}", change)
    assert (answer.json()["snoozedAt"], answer.json()["snoozedUntil"]) == (None, None)
    assert not Snooze.objects.exists()


def test_a_ticket_that_closed_by_itself_stays_closed(
    client_for: ClientFor, agent: User, ticket: Ticket, told: list[Told]
) -> None:
    snooze(client_for(agent), ticket, in_hours(1))
    Ticket.objects.update(status="closed", closed_at=timezone.now())
    let_it_be_due()
    told.clear()
    assert wake_due(limit=10) == 1
    row = Ticket.objects.get(pk=ticket.pk)
    assert (row.status, row.snoozed_at, row.woken) == ("closed", None, "")
    assert (told, lines()) == ([], [("snoozed", None)])


def test_a_time_without_a_zone_is_in_the_companys(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    tomorrow = (timezone.now() + timedelta(days=2)).date()
    answer = snooze(client_for(agent), ticket, f"{tomorrow}T09:00")
    moment = datetime(
        tomorrow.year, tomorrow.month, tomorrow.day, 9, tzinfo=ZoneInfo("America/Sao_Paulo")
    )
    assert datetime.fromisoformat(answer.json()["snoozedUntil"]) == moment


@pytest.mark.parametrize("until", ["2020-01-01T09:00", "2999-01-01T09:00", "amanhã", ""])
def test_a_wrong_moment_changes_nothing(
    client_for: ClientFor, agent: User, ticket: Ticket, until: str
) -> None:
    answer = snooze(client_for(agent), ticket, until)
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_VALIDATION")
    assert list(answer.json()["fields"]) == ["until"]
    path = f"/api/tickets/{ticket.pk}/snooze"
    assert client_for(agent).put(path, {}, format="json").status_code == 400
    assert not TicketActivity.objects.exists()


def test_who_may_not_transfer_it_snoozes_nothing(
    client_for: ClientFor, acme: Company, agent: User, queue: Queue, ticket: Ticket
) -> None:
    colleague = make_user(acme, queues=[queue])
    assert snooze(client_for(colleague), ticket, None).status_code == 403
    Ticket.objects.update(status="pending", user=None)
    assert snooze(client_for(colleague), ticket, None).status_code == 200
    Ticket.objects.update(status="closed")
    answer = snooze(client_for(colleague), ticket, None)
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_TICKET_NOT_OPEN")


def test_a_failure_is_tried_again_and_a_deadly_row_put_off(
    client_for: ClientFor, agent: User, ticket: Ticket, monkeypatch: pytest.MonkeyPatch
) -> None:
    snooze(client_for(agent), ticket, in_hours(1))
    let_it_be_due()
    with monkeypatch.context() as patch:
        patch.setattr(snoozing, "_wake", lambda *_: 1 / 0)
        assert wake_due(limit=10) == 1
    row = Snooze.objects.get()
    assert (row.state, row.attempts) == ("waiting", 1)
    assert "division by zero" in row.last_error
    let_it_be_due()
    Snooze.objects.update(attempts=DEADLY_ATTEMPTS)
    assert wake_due(limit=10) == 1
    row = Snooze.objects.get()
    assert row.next_attempt_at > in_hours(23)
    assert Ticket.objects.get(pk=ticket.pk).snoozed_at is not None
    let_it_be_due()
    Snooze.objects.update(attempts=0)
    wake_due(limit=10)
    assert Ticket.objects.get(pk=ticket.pk).woken == "due"
