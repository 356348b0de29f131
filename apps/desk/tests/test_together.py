"""The distribution goes by priorities, snoozes and hand-over notes (rules/desk §2 to §7)."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.desk.decisions.assignment import OfflineAction, Presence
from apps.desk.models import Assignment, AssignmentLog, AssignmentPolicy, Seat, Tick
from apps.desk.services.presence import choose_presence
from apps.desk.tests.conftest import Arrive, Sit, loads, make_due, work
from apps.queues.models import Queue
from apps.tickets.models import Snooze, Ticket, TicketActivity, TicketPriority
from apps.tickets.services.tickets.priorities import set_priority
from apps.tickets.services.tickets.snoozing import snooze_ticket, wake_by_hand, wake_due
from conftest import ClientFor

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def held(policy: AssignmentPolicy, agent: User, sit: Sit, arrive: Arrive) -> Ticket:
    """A ticket that the agent was given, and whose contact has waited for an hour."""
    sit(agent, capacity=1)
    ticket = arrive(last_inbound_at=timezone.now() - HOUR)
    work()
    ticket.refresh_from_db()
    assert ticket.user == agent
    return ticket


def holder_of(ticket: Ticket) -> User | None:
    return Ticket.objects.get(pk=ticket.pk).user


def snooze(ticket: Ticket, user: User) -> None:
    snooze_ticket(user=user, ticket_id=ticket.pk, until=timezone.now() + HOUR)


def wake() -> None:
    Snooze.objects.update(next_attempt_at=timezone.now() - timedelta(seconds=1))
    assert wake_due(limit=10) == 1


def be(user: User, presence: Presence, minutes: int | None = None) -> None:
    choose_presence(company_id=user.company_id, user_id=user.pk, presence=presence, minutes=minutes)


def test_the_most_urgent_ticket_is_given_first(
    policy: AssignmentPolicy, admin: User, agent: User, sit: Sit, arrive: Arrive
) -> None:
    first, urgent, low = arrive(), arrive(), arrive(priority=TicketPriority.LOW)
    set_priority(user=admin, ticket_id=urgent.pk, priority=TicketPriority.URGENT)
    sit(agent, capacity=2)
    work()
    assert (holder_of(urgent), holder_of(first), holder_of(low)) == (agent, agent, None)
    assert Assignment.objects.get(ticket=urgent).priority == TicketPriority.URGENT


def test_what_is_snoozed_weighs_nothing_and_leaves_room_for_another(
    held: Ticket, agent: User, arrive: Arrive
) -> None:
    other = arrive()
    work()
    assert holder_of(other) is None
    snooze(held, agent)
    assert loads() == {"Bob": 0}
    work()
    assert (holder_of(held), holder_of(other)) == (agent, agent)
    # It comes back to its person, also above the capacity.
    wake_by_hand(user=agent, ticket_id=held.pk)
    assert loads() == {"Bob": 2}


def test_a_waiting_ticket_is_given_once_it_wakes(
    policy: AssignmentPolicy,
    admin: User,
    agent: User,
    sit: Sit,
    arrive: Arrive,
    client_for: ClientFor,
) -> None:
    ticket = arrive()
    snooze(ticket, admin)
    sit(agent)
    work()
    assert holder_of(ticket) is None
    assert client_for(admin).get("/api/team").json()["waiting"] == []
    wake()
    work()
    assert holder_of(ticket) == agent


def test_no_time_runs_while_a_ticket_is_snoozed(
    held: Ticket, agent: User, admin: User, client_for: ClientFor
) -> None:
    AssignmentPolicy.objects.update(return_minutes=5)
    snooze(held, agent)
    assert not Tick.objects.filter(kind="return").exists()
    Assignment.objects.update(given_at=timezone.now() - HOUR)
    [member] = [
        each
        for each in client_for(admin).get("/api/team").json()["members"]
        if each["id"] == agent.pk
    ]
    assert member["unansweredSince"] is None
    wake_by_hand(user=agent, ticket_id=held.pk)
    due_at = Tick.objects.get(kind="return").next_attempt_at
    assert due_at > timezone.now() + timedelta(minutes=4)


def test_what_wakes_while_its_person_is_away_is_given_to_another_and_keeps_its_place(
    held: Ticket, agent: User, colleague: User, sit: Sit
) -> None:
    since = Assignment.objects.get().since
    snooze(held, agent)
    # The browser is open, but the person has chosen to be offline.
    User.objects.filter(pk=agent.pk).update(online_until=timezone.now() + HOUR)
    be(agent, Presence.OFFLINE)
    wake()
    assert (holder_of(held), Assignment.objects.get().since) == (None, since)
    sit(colleague)
    work()
    assert holder_of(held) == colleague
    assert [line.why for line in AssignmentLog.objects.all()] == ["turn", "offline", "turn"]
    assert loads() == {"Bob": 0, "Dora": 1}


def test_who_pauses_gets_it_back(held: Ticket, agent: User) -> None:
    snooze(held, agent)
    be(agent, Presence.PAUSED, minutes=15)
    User.objects.filter(pk=agent.pk).update(online_until=None)
    wake()
    assert holder_of(held) == agent


def test_what_is_snoozed_stays_with_somebody_who_left(
    held: Ticket, agent: User, arrive: Arrive
) -> None:
    AssignmentPolicy.objects.update(offline_action=OfflineAction.RETURN, grace_minutes=0)
    snooze(held, agent)
    other = arrive()
    work()
    assert holder_of(other) == agent
    be(agent, Presence.OFFLINE)
    Seat.objects.update(since=timezone.now() - HOUR)
    make_due()
    work()
    assert (holder_of(held), holder_of(other)) == (agent, None)


def test_a_supervisor_writes_the_note_that_the_queue_wants(
    held: Ticket, admin: User, agent: User, colleague: User, queue: Queue, client_for: ClientFor
) -> None:
    Queue.objects.filter(pk=queue.pk).update(asks_transfer_note=True)
    client = client_for(admin)
    move = {"ticketId": held.pk, "fromUserId": agent.pk, "toUserId": colleague.pk}
    refused = client.post("/api/team/moves", move, format="json")
    assert (refused.status_code, refused.json()["code"]) == (400, "ERR_TRANSFER_NOTE_REQUIRED")
    assert holder_of(held) == agent
    assert (
        client.post("/api/team/moves", {**move, "note": "x" * 1001}, format="json").status_code
        == 400
    )
    note = {"note": "Prefere e-mail"}
    assert client.post("/api/team/moves", {**move, **note}, format="json").status_code == 200
    line = TicketActivity.objects.order_by("pk").last()
    assert line is not None
    assert (holder_of(held), line.detail["note"]) == (colleague, "Prefere e-mail")
    # Back to the queue it goes without one.
    back = {**move, "fromUserId": colleague.pk, "toUserId": None}
    assert client.post("/api/team/moves", back, format="json").status_code == 200
