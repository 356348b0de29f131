"""Loads that end, answers that do not come, and people who leave (rules/desk §4 and §6)."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.connections.models import Connection
from apps.desk.decisions.assignment import OfflineAction, Presence, ReturnTo
from apps.desk.models import Assignment, AssignmentLog, AssignmentPolicy, Seat, Tick
from apps.desk.services.following import follow, follow_anew
from apps.desk.services.policies import save_policy
from apps.desk.services.presence import browsers_went, choose_presence
from apps.desk.tests.conftest import Arrive, Sit, loads, make_due, work
from apps.queues.models import Queue
from apps.tickets.models import MediaType, Message, MessageSource, Ticket
from apps.tickets.services.outbox import send_text
from tests.factories import make_message

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def hear(ticket: Ticket, **fields: Any) -> Message:
    """Have a contact write, as far as the desk is told."""
    message = make_message(ticket, **fields)
    ticket.refresh_from_db()
    follow([ticket], [message])
    return message


def set_back(minutes: int, *fields: str) -> None:
    """Have what happened to the held tickets have happened earlier, and be due."""
    then = timezone.now() - minutes * MINUTE
    Assignment.objects.exclude(user=None).update(**dict.fromkeys(fields, then))
    make_due()


@pytest.fixture
def held(policy: AssignmentPolicy, agent: User, sit: Sit, arrive: Arrive) -> Ticket:
    """A ticket that the agent was given, and whose contact waits."""
    AssignmentPolicy.objects.update(return_minutes=5)
    sit(agent)
    ticket = arrive()
    work()
    hear(ticket)
    ticket.refresh_from_db()
    return ticket


def test_an_unanswered_ticket_goes_to_another_and_keeps_its_place(
    held: Ticket, agent: User, colleague: User, sit: Sit, arrive: Arrive
) -> None:
    since = Assignment.objects.get().since
    set_back(6, "given_at", "unanswered_since")
    sit(colleague)
    work()
    held.refresh_from_db()
    row = Assignment.objects.get()
    assert held.user == colleague
    assert (row.returns, row.returned_by, row.since) == (1, [agent.pk], since)
    assert [line.why for line in AssignmentLog.objects.all()] == ["turn", "unanswered", "turn"]
    assert loads() == {"Bob": 0, "Dora": 1}
    assert Seat.objects.get(user=agent).returned_count == 1


def test_who_answers_in_time_keeps_it(held: Ticket, agent: User, connection: Connection) -> None:
    Ticket.objects.update(last_inbound_at=timezone.now())
    assert Tick.objects.filter(kind="return").exists()
    send_text(ticket=held, user=agent, body="Já vejo isso.")
    assert not Tick.objects.filter(kind="return").exists()
    assert Assignment.objects.get().unanswered_since is None


def test_an_automatic_answer_is_none(held: Ticket) -> None:
    message = make_message(held, from_me=True, source=MessageSource.BOT)
    follow([held], [message])
    assert Tick.objects.filter(kind="return").exists()
    assert Assignment.objects.get().unanswered_since is not None


def test_what_a_bot_wrote_last_is_taken_in_without_an_answer(
    policy: AssignmentPolicy, agent: User, sit: Sit, arrive: Arrive
) -> None:
    sit(agent)
    for answers in (False, True):
        ticket = arrive(user=agent, status="open", last_inbound_at=timezone.now())
        make_message(ticket)
        if answers:
            make_message(ticket, from_me=True, source=MessageSource.AGENT)
        ticket.latest_message = make_message(ticket, from_me=True, source=MessageSource.BOT)
        ticket.save()
        Assignment.objects.all().delete()
        follow_anew([ticket])
        assert (Assignment.objects.get().unanswered_since is None) == answers


def test_after_so_many_returns_the_supervisors_are_told(
    held: Ticket, events: list[dict[str, Any]]
) -> None:
    AssignmentPolicy.objects.update(max_returns=1)
    Assignment.objects.update(returns=1)
    set_back(6, "given_at", "unanswered_since")
    work()
    held.refresh_from_db()
    row = Assignment.objects.get()
    assert (held.status, held.user, row.aside) == ("pending", None, ReturnTo.SUPERVISORS)
    assert not row.is_ready
    [alert] = [each for each in events if each["event"] == "assignmentAlert"]
    assert alert["payload"]["ticket"]["id"] == held.pk
    assert alert["rooms"] == [f"notification:{held.company_id}:all"]


def test_back_in_the_queue_it_waits_for_a_hand(held: Ticket, colleague: User, sit: Sit) -> None:
    AssignmentPolicy.objects.update(return_to=ReturnTo.QUEUE)
    set_back(6, "given_at", "unanswered_since")
    sit(colleague)
    work()
    held.refresh_from_db()
    assert held.user is None
    assert Assignment.objects.get().aside == "queue"


def test_a_ticket_that_waits_for_the_contact_weighs_nothing(
    held: Ticket, agent: User, arrive: Arrive
) -> None:
    Seat.objects.update(capacity=1)
    other = arrive()
    message = make_message(held, from_me=True, source=MessageSource.AGENT)
    follow([held], [message])
    work()
    other.refresh_from_db()
    assert other.user is None
    set_back(11, "our_word_at")
    work()
    other.refresh_from_db()
    assert other.user == agent
    # The contact writes again, and weighs again.
    hear(held)
    assert loads() == {"Bob": 2}


def test_a_call_weighs_what_a_call_weighs(held: Ticket) -> None:
    hear(held, media_type=MediaType.CALL_LOG)
    assert loads() == {"Bob": 3}
    hear(held)
    assert loads() == {"Bob": 1}


def test_tickets_of_somebody_who_left_stay_where_they_are_kept(held: Ticket, agent: User) -> None:
    choose_presence(company_id=agent.company_id, user_id=agent.pk, presence=Presence.OFFLINE)
    set_back(30, "given_at", "unanswered_since")
    work()
    held.refresh_from_db()
    assert held.user == agent


def test_tickets_of_somebody_who_left_come_back_after_the_grace(
    held: Ticket, agent: User, colleague: User, sit: Sit
) -> None:
    AssignmentPolicy.objects.update(offline_action=OfflineAction.RETURN, grace_minutes=5)
    sit(colleague)
    choose_presence(company_id=agent.company_id, user_id=agent.pk, presence=Presence.OFFLINE)
    tick = Tick.objects.get(kind="leave")
    assert tick.next_attempt_at - timezone.now() > 4 * MINUTE
    # Not before.
    Tick.objects.filter(kind="leave").update(next_attempt_at=timezone.now())
    work()
    held.refresh_from_db()
    assert held.user == agent
    Seat.objects.filter(user=agent).update(since=timezone.now() - 6 * MINUTE)
    Assignment.objects.filter(user=agent).update(given_at=timezone.now() - 6 * MINUTE)
    Tick.objects.filter(kind="leave").update(next_attempt_at=timezone.now())
    work()
    held.refresh_from_db()
    assert held.user == colleague
    assert AssignmentLog.objects.filter(why="offline").count() == 1


def test_who_comes_back_in_time_keeps_everything(held: Ticket, agent: User) -> None:
    AssignmentPolicy.objects.update(offline_action=OfflineAction.RETURN, grace_minutes=5)
    ids = {"company_id": agent.company_id, "user_id": agent.pk}
    choose_presence(**ids, presence=Presence.OFFLINE)
    choose_presence(**ids, presence=Presence.ONLINE)
    assert not Tick.objects.filter(kind="leave").exists()


def test_tickets_of_who_has_left_come_back_when_the_rules_begin_to_say_so(
    held: Ticket, agent: User, admin: User, queue: Queue
) -> None:
    choose_presence(company_id=agent.company_id, user_id=agent.pk, presence=Presence.OFFLINE)
    Seat.objects.update(since=timezone.now() - 6 * MINUTE)
    Assignment.objects.update(given_at=timezone.now() - 60 * MINUTE)
    work()
    fields = {"offline_action": OfflineAction.RETURN, "return_minutes": 0}
    save_policy(actor=admin, queue_id=queue.pk, fields=fields)
    work()
    held.refresh_from_db()
    assert (held.status, held.user) == ("pending", None)


def test_what_comes_to_somebody_who_has_left_has_its_own_grace(
    policy: AssignmentPolicy, agent: User, sit: Sit, arrive: Arrive
) -> None:
    AssignmentPolicy.objects.update(offline_action=OfflineAction.RETURN, grace_minutes=5)
    sit(agent, presence=Presence.OFFLINE, since=timezone.now() - 60 * MINUTE)
    ticket = arrive()
    Ticket.objects.update(user=agent, status="open")
    ticket.refresh_from_db()
    follow([ticket], [])
    tick = Tick.objects.get(kind="leave")
    assert 4 * MINUTE < tick.next_attempt_at - timezone.now() <= 5 * MINUTE
    Assignment.objects.update(given_at=timezone.now() - 6 * MINUTE)
    Tick.objects.filter(kind="leave").update(next_attempt_at=timezone.now())
    work()
    ticket.refresh_from_db()
    assert ticket.user is None


def test_a_closed_browser_has_one_grace(held: Ticket, agent: User) -> None:
    AssignmentPolicy.objects.update(offline_action=OfflineAction.RETURN, return_minutes=0)
    browsers_went([(agent.company_id, agent.pk)])
    Seat.objects.update(seen_until=timezone.now() - 6 * MINUTE)
    Assignment.objects.update(given_at=timezone.now() - 60 * MINUTE)
    Tick.objects.filter(kind="seen").update(next_attempt_at=timezone.now())
    work()
    held.refresh_from_db()
    assert held.user is None
