"""What waits is given to people, each in one transaction (rules/desk §3)."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.services.users import delete_user, update_user
from apps.companies.models import Company
from apps.contacts.models import Tag
from apps.desk.decisions.assignment import Mode, Presence, Sticky
from apps.desk.models import Assignment, AssignmentLog, AssignmentPolicy, Seat, Tick, Turn
from apps.desk.queries import snapshots
from apps.desk.queries.snapshots import MOST_AT_ONCE
from apps.desk.services import rounds
from apps.desk.services.following import follow
from apps.desk.tests.conftest import Arrive, Sit, loads, make_due, work
from apps.queues.models import Queue
from apps.queues.services.queues import delete_queue
from apps.tickets.models import Ticket, TicketActivity, TicketTag
from apps.tickets.services.outbox.reading import read_ticket
from apps.tickets.services.tickets.transitions import TicketChange
from apps.tickets.services.tickets.updates import update_ticket
from tests.factories import make_queue, make_ticket, make_user

pytestmark = pytest.mark.django_db


def change(**fields: Any) -> TicketChange:
    return TicketChange.of(fields)


def test_a_waiting_ticket_is_given_told_and_logged(
    policy: AssignmentPolicy, agent: User, sit: Sit, arrive: Arrive, events: list[dict[str, Any]]
) -> None:
    sit(agent)
    ticket = arrive()
    events.clear()
    work()
    ticket.refresh_from_db()
    assert (ticket.status, ticket.user, ticket.is_handed_over) == ("open", agent, True)
    line = AssignmentLog.objects.get()
    assert (line.from_user, line.to_user, line.why, line.number) == (None, agent, "turn", 1)
    activity = TicketActivity.objects.get()
    assert (activity.kind, activity.detail["by"]) == ("transferred", "assignment")
    told = [each for each in events if each["event"] == "ticket"]
    assert [each["payload"]["action"] for each in told] == ["delete", "update"]
    assert told[-1]["payload"]["ticket"]["userId"] == agent.pk
    assert not Tick.objects.exists()


def test_turns_go_round_and_loads_follow(
    policy: AssignmentPolicy, agent: User, colleague: User, sit: Sit, arrive: Arrive
) -> None:
    sit(agent)
    sit(colleague)
    for _ in range(5):
        arrive()
    work()
    assert sorted(loads().values()) == [2, 3]
    assert sorted(Turn.objects.values_list("count", flat=True)) == [2, 3]


@pytest.mark.parametrize(
    "fields",
    [
        {"presence": Presence.PAUSED},
        {"presence": Presence.OFFLINE},
        {"seen_until": None},
        {"capacity": 2, "load": 2},
        {
            "schedules": [
                {"weekdayEn": day, "startTime": "00:00", "endTime": "00:00"}
                for day in ("monday", "tuesday", "wednesday", "thursday", "friday")
                + ("saturday", "sunday")
            ]
        },
    ],
)
def test_nobody_who_is_away_full_or_out_of_hours_is_given_anything(
    policy: AssignmentPolicy, agent: User, sit: Sit, arrive: Arrive, fields: dict[str, Any]
) -> None:
    sit(agent, **fields)
    ticket = arrive()
    work()
    ticket.refresh_from_db()
    assert (ticket.status, ticket.user) == ("pending", None)


def test_who_is_disabled_or_no_member_is_given_nothing(
    policy: AssignmentPolicy, agent: User, acme: Company, sit: Sit, arrive: Arrive
) -> None:
    User.objects.filter(pk=agent.pk).update(is_active=False)
    sit(agent)
    sit(make_user(acme, queues=[make_queue(acme)]))
    ticket = arrive()
    work()
    ticket.refresh_from_db()
    assert ticket.user is None


def test_a_skill_that_the_ticket_asks_for_is_needed(
    policy: AssignmentPolicy, acme: Company, agent: User, colleague: User, sit: Sit, arrive: Arrive
) -> None:
    english = Tag.objects.create(company=acme, name="Inglês", color="#123456")
    plain = Tag.objects.create(company=acme, name="Promoção", color="#123457")
    sit(agent)
    sit(colleague).skills.add(english)
    ticket = arrive()
    TicketTag.objects.create(ticket=ticket, tag=english)
    TicketTag.objects.create(ticket=ticket, tag=plain)
    work()
    ticket.refresh_from_db()
    assert ticket.user == colleague


def test_what_nobody_can_take_does_not_hold_up_what_comes_after_it(
    policy: AssignmentPolicy, acme: Company, agent: User, colleague: User, sit: Sit, arrive: Arrive
) -> None:
    english = Tag.objects.create(company=acme, name="Inglês", color="#123456")
    sit(agent)
    sit(colleague, presence=Presence.OFFLINE).skills.add(english)
    for _ in range(MOST_AT_ONCE + 5):
        TicketTag.objects.create(ticket=arrive(), tag=english)
    last = arrive()
    work()
    assert list(Ticket.objects.exclude(user=None)) == [last]
    assert not Tick.objects.exists()


def test_a_queue_is_looked_at_to_its_end_in_several_runs(
    policy: AssignmentPolicy,
    acme: Company,
    agent: User,
    colleague: User,
    sit: Sit,
    arrive: Arrive,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(snapshots, "MOST_AT_ONCE", 2)
    monkeypatch.setattr(snapshots, "MOST_BEYOND", 2)
    monkeypatch.setattr(rounds, "MOST_DECISIONS", 2)
    english = Tag.objects.create(company=acme, name="Inglês", color="#123456")
    sit(agent)
    sit(colleague, presence=Presence.OFFLINE).skills.add(english)
    for _ in range(11):
        TicketTag.objects.create(ticket=arrive(), tag=english)
    last = arrive()
    work()
    assert list(Ticket.objects.exclude(user=None)) == [last]
    assert not Tick.objects.exists()


def test_what_the_bot_or_another_leads_waits(
    policy: AssignmentPolicy, agent: User, sit: Sit, arrive: Arrive
) -> None:
    sit(agent)
    for fields in (
        {"chatbot": True},
        {"use_integration": True},
        {"owner": "other", "owner_at": timezone.now()},
        {"unanswered_campaign": True},
    ):
        arrive(**fields)
    work()
    assert not Ticket.objects.exclude(user=None).exists()
    assert not Assignment.objects.filter(is_ready=True).exists()


def test_room_that_comes_free_is_used_at_once(
    policy: AssignmentPolicy, agent: User, sit: Sit, arrive: Arrive
) -> None:
    sit(agent, capacity=1)
    first, second = arrive(), arrive()
    work()
    second.refresh_from_db()
    assert second.user is None
    update_ticket(user=agent, ticket_id=first.pk, change=change(status="closed"))
    work()
    second.refresh_from_db()
    assert second.user == agent
    seat = Seat.objects.get()
    assert (seat.load, seat.given_count, seat.resolved_count) == (1, 2, 1)
    assert not Assignment.objects.filter(ticket=first).exists()


def test_a_new_member_of_the_queue_gets_what_waits(
    policy: AssignmentPolicy,
    acme: Company,
    admin: User,
    queue: Queue,
    sit: Sit,
    arrive: Arrive,
) -> None:
    someone = make_user(acme)
    sit(someone)
    ticket = arrive()
    work()
    update_user(actor=admin, user_id=someone.pk, changes={"queue_ids": [queue.pk]})
    work()
    ticket.refresh_from_db()
    assert ticket.user == someone


def test_by_hand_people_take_more_than_their_capacity(
    policy: AssignmentPolicy, agent: User, sit: Sit, arrive: Arrive
) -> None:
    sit(agent, capacity=1, load=1)
    ticket = arrive()
    update_ticket(user=agent, ticket_id=ticket.pk, change=change(status="open"))
    assert loads() == {"Bob": 2}
    assert AssignmentLog.objects.get().why == "by_hand"


def test_where_nobody_may_take_the_queue_gives(
    policy: AssignmentPolicy,
    agent: User,
    admin: User,
    colleague: User,
    arrive: Arrive,
    client_for: Any,
) -> None:
    AssignmentPolicy.objects.update(manual_accept=False)
    ticket = arrive()
    body = {"status": "open", "userId": agent.pk}
    answer = client_for(agent).put(f"/api/tickets/{ticket.pk}", body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (403, "ERR_QUEUE_GIVES")
    second = make_queue(agent.company)
    agent.queues.add(second)
    for more in ({"userId": colleague.pk}, {"userId": agent.pk, "queueId": second.pk}):
        answer = client_for(agent).put(f"/api/tickets/{ticket.pk}", more, format="json")
        assert (answer.status_code, answer.json()["code"]) == (403, "ERR_QUEUE_GIVES")
    # What waits for a hand is for everybody.
    Assignment.objects.update(is_ready=False, aside="queue")
    assert (
        client_for(agent).put(f"/api/tickets/{ticket.pk}", body, format="json").status_code == 200
    )
    other = arrive()
    body = {"status": "open", "userId": admin.pk}
    assert client_for(admin).put(f"/api/tickets/{other.pk}", body, format="json").status_code == 200


def test_the_person_who_served_the_contact_goes_first(
    policy: AssignmentPolicy,
    acme: Company,
    agent: User,
    colleague: User,
    sit: Sit,
    arrive: Arrive,
) -> None:
    AssignmentPolicy.objects.update(sticky=Sticky.SAME_QUEUE, sticky_wait_minutes=5)
    sit(agent)
    sit(colleague, presence=Presence.PAUSED)
    before = arrive(user=colleague, status="open")
    update_ticket(user=colleague, ticket_id=before.pk, change=change(status="closed"))
    ticket = arrive(contact=before.contact)
    work()
    ticket.refresh_from_db()
    # It waits for her, and is looked at when that has been long enough.
    assert ticket.user is None
    tick = Tick.objects.get(kind="give_later")
    assert timedelta(minutes=4) < tick.next_attempt_at - timezone.now() <= timedelta(minutes=5)
    Seat.objects.filter(user=colleague).update(presence=Presence.ONLINE)
    Tick.objects.update(next_attempt_at=timezone.now())
    work()
    ticket.refresh_from_db()
    assert ticket.user == colleague
    assert AssignmentLog.objects.latest("pk").why == "sticky"


def test_in_another_queue_a_ticket_waits_for_nobody_of_the_first(
    policy: AssignmentPolicy, acme: Company, agent: User, colleague: User, sit: Sit, arrive: Arrive
) -> None:
    AssignmentPolicy.objects.update(sticky=Sticky.ANY, sticky_wait_minutes=5)
    second = make_queue(acme)
    AssignmentPolicy.objects.create(company=acme, queue=second, mode=Mode.ROUND_ROBIN)
    agent.queues.add(second)
    before = arrive(user=colleague, status="open")
    update_ticket(user=colleague, ticket_id=before.pk, change=change(status="closed"))
    ticket = arrive(contact=before.contact)
    assert Assignment.objects.get().prefers == colleague
    sit(agent)
    Ticket.objects.filter(pk=ticket.pk).update(queue=second)
    ticket.refresh_from_db()
    follow([ticket], [])
    work()
    ticket.refresh_from_db()
    assert ticket.user == agent


def test_the_fair_limit_holds_and_says_when_it_ends(
    policy: AssignmentPolicy, agent: User, sit: Sit, arrive: Arrive
) -> None:
    AssignmentPolicy.objects.update(fair_limit=2, fair_window_minutes=60)
    sit(agent)
    for _ in range(3):
        arrive()
    work()
    assert Ticket.objects.filter(user=agent).count() == 2
    AssignmentLog.objects.update(at=timezone.now() - timedelta(minutes=61))
    Tick.objects.update(next_attempt_at=timezone.now())
    work()
    assert Ticket.objects.filter(user=agent).count() == 3


def test_a_deleted_ticket_counts_for_the_fair_limit(
    policy: AssignmentPolicy, agent: User, sit: Sit, arrive: Arrive
) -> None:
    AssignmentPolicy.objects.update(fair_limit=2, fair_window_minutes=60)
    sit(agent)
    first, _, third = arrive(), arrive(), arrive()
    work()
    first.delete()
    make_due()
    work()
    third.refresh_from_db()
    assert third.user is None


def test_what_time_alone_may_give_is_looked_at_again_and_again(
    policy: AssignmentPolicy, agent: User, sit: Sit, arrive: Arrive
) -> None:
    days = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    closed = [{"weekdayEn": day, "startTime": "00:00", "endTime": "00:00"} for day in days]
    seat = sit(agent, schedules=closed)
    ticket = arrive()
    work()
    for _ in range(3):
        assert Tick.objects.get().next_attempt_at > timezone.now()
        make_due()
        work()
    seat.schedules = []
    seat.save()
    make_due()
    work()
    ticket.refresh_from_db()
    assert ticket.user == agent
    assert not Tick.objects.exists()


def test_what_was_changed_unseen_is_taken_in_when_its_turn_comes(
    policy: AssignmentPolicy, agent: User, sit: Sit, arrive: Arrive
) -> None:
    sit(agent)
    ticket, other = arrive(), arrive()
    Ticket.objects.filter(pk=ticket.pk).update(status="closed")
    work()
    make_due()
    work()
    other.refresh_from_db()
    assert other.user == agent
    assert list(Assignment.objects.values_list("pk", flat=True)) == [other.pk]
    assert not Tick.objects.exists()


def test_a_ticket_that_was_moved_unseen_is_taken_in_when_its_turn_comes(
    policy: AssignmentPolicy, acme: Company, agent: User, sit: Sit, arrive: Arrive
) -> None:
    sit(agent)
    ticket, manual = arrive(), make_queue(acme)
    Ticket.objects.filter(pk=ticket.pk).update(queue=manual)
    work()
    row = Assignment.objects.get()
    assert (row.queue, row.is_ready) == (manual, False)
    make_due()
    work()
    assert not Tick.objects.exists()


def test_who_opens_a_ticket_tells_nothing_old_of_it(
    policy: AssignmentPolicy, agent: User, sit: Sit, arrive: Arrive
) -> None:
    sit(agent)
    seen = arrive(user=agent, status="open", is_handed_over=True)
    ticket = Ticket.objects.get(pk=seen.pk)
    ticket.snoozed_at = timezone.now()
    ticket.save()
    follow([ticket], [])
    assert loads() == {"Bob": 0}
    # As the page has read it before.
    read_ticket(ticket=seen, user=agent)
    ticket.refresh_from_db()
    assert not ticket.is_handed_over
    assert loads() == {"Bob": 0}


def test_a_deleted_users_tickets_go_to_others(
    policy: AssignmentPolicy, admin: User, agent: User, colleague: User, sit: Sit, arrive: Arrive
) -> None:
    sit(agent)
    tickets = [arrive() for _ in range(20)]
    work()
    sit(colleague)
    delete_user(actor=admin, user_id=agent.pk)
    work()
    assert Ticket.objects.filter(user=colleague, status="open").count() == len(tickets)
    assert loads() == {"Dora": 20}


def test_a_deleted_queue_leaves_its_tickets_to_admins(
    policy: AssignmentPolicy, admin: User, agent: User, queue: Queue, sit: Sit, arrive: Arrive
) -> None:
    sit(agent, presence=Presence.OFFLINE)
    ticket = arrive()
    delete_queue(actor=admin, queue_id=queue.pk)
    work()
    ticket.refresh_from_db()
    row = Assignment.objects.get()
    assert (ticket.status, ticket.queue, row.queue, row.is_ready) == ("pending", None, None, False)
    assert not AssignmentPolicy.objects.exists()


def test_a_deleted_ticket_takes_its_weight_along(
    policy: AssignmentPolicy, admin: User, agent: User, sit: Sit, arrive: Arrive, client_for: Any
) -> None:
    sit(agent)
    ticket = arrive()
    work()
    assert client_for(admin).delete(f"/api/tickets/{ticket.pk}").status_code == 200
    assert loads() == {"Bob": 0}


def test_another_company_is_left_alone(
    policy: AssignmentPolicy, globex: Company, outsider: User, agent: User, sit: Sit
) -> None:
    sit(agent)
    theirs = make_queue(globex)
    outsider.queues.add(theirs)
    AssignmentPolicy.objects.create(company=globex, queue=theirs, mode=Mode.ROUND_ROBIN)
    ticket = make_ticket(globex, queue=theirs)
    follow([ticket], [])
    work()
    ticket.refresh_from_db()
    assert ticket.user is None
    assert not Assignment.objects.filter(company=globex).exists()
