"""Whom people leave before the bot could end is not left alone (rules/bot §9).

Returned, answered on the phone itself, silent at the menu, or with an answer that comes after the
fallback: the ticket has a queue, and the contact a word where nobody has said one.
"""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User, UserQueue
from apps.companies.models import Company
from apps.connections.models import FALLBACK_MESSAGE, Connection
from apps.queues.models import Queue
from apps.tickets.models import BotPause, BotTurn, Message, Ticket, TrackingCycle
from apps.tickets.queries.access import visible_to
from apps.tickets.services.bot.pause_worker import end_due
from apps.tickets.services.bot.timers import run_timers
from apps.tickets.services.tickets.removals import return_tickets_of
from apps.tickets.services.tickets.transitions import TicketChange
from apps.tickets.services.tickets.updates import update_ticket
from apps.tickets.tests.bot import MENU, TOP, history, receive, setting, the_ticket
from tests.factories import make_integration, make_ticket

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("emitted", "orders")]
SHUT = [
    {"weekdayEn": day, "startTime": "00:00", "endTime": "00:00"}
    for day in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
]


def written() -> list[str]:
    """What our side wrote, in order."""
    return list(Message.objects.filter(from_me=True).order_by("pk").values_list("body", flat=True))


def change(user: User, **body: Any) -> Ticket:
    change = TicketChange.of(body)
    return update_ticket(user=user, ticket_id=the_ticket().pk, change=change)


@pytest.mark.parametrize("release", [{"user_id": None}, {"user_id": None, "status": "pending"}])
def test_a_return_without_a_queue_goes_where_attendants_see_it(
    connection: Connection, orders: Queue, admin: User, agent: User, release: dict[str, Any]
) -> None:
    connection.transfer_queue = orders
    connection.save()
    UserQueue.objects.create(user=agent, queue=orders)
    assert receive(connection, "Oi") == [MENU]
    change(admin, status="open", user_id=admin.pk)
    ticket = change(admin, **release)
    assert (ticket.status, ticket.queue, ticket.user) == ("pending", orders, None)
    assert the_ticket().queue == orders
    assert [kind for kind, _ in history()] == ["accepted", "returned", "queued"]
    assert visible_to(agent).filter(pk=ticket.pk).exists()
    # Our side has spoken, so nothing is said; nor does the bot begin again.
    assert written() == [MENU]
    assert receive(connection, "2") == []


@pytest.mark.parametrize("queue_count", [2, 1])
def test_who_was_returned_before_the_bot_could_speak_hears_that_somebody_comes(
    connection: Connection, queue: Queue, orders: Queue, admin: User, queue_count: int
) -> None:
    connection.bot_quiet_seconds = 3
    connection.save()
    if queue_count == 1:
        connection.queues.remove(queue)
    receive(connection, "Oi")
    change(admin, status="open", user_id=admin.pk)
    change(admin, status="pending", user_id=None)
    assert written() == [FALLBACK_MESSAGE]
    assert the_ticket().queue == (queue if queue_count == 2 else orders)
    # Once in a cycle.
    change(admin, status="open", user_id=admin.pk)
    change(admin, status="pending", user_id=None)
    assert written() == [FALLBACK_MESSAGE]
    connection.completion_message = "Até logo!"
    connection.save()
    change(admin, status="open", user_id=admin.pk)
    change(admin, status="closed")
    receive(connection, "Oi de novo")
    change(admin, status="open", user_id=admin.pk)
    change(admin, status="pending", user_id=None)
    # It lives again with its queue, which has a bot of its own or none.
    again = [FALLBACK_MESSAGE] if queue_count == 1 else []
    assert written() == [FALLBACK_MESSAGE, "Até logo!", *again]


def test_a_return_says_nothing_where_the_bot_would_not_have(
    connection: Connection, queue: Queue, orders: Queue, admin: User
) -> None:
    connection.queues.remove(orders)
    receive(connection, "Oi")
    change(admin, status="open", user_id=admin.pk)
    change(admin, status="pending", user_id=None)
    assert (written(), the_ticket().queue) == ([], queue)


def test_a_return_says_nothing_to_who_did_not_write(
    acme: Company, connection: Connection, queue: Queue, admin: User
) -> None:
    make_ticket(acme, connection=connection, user=admin, status="open")
    change(admin, status="pending", user_id=None)
    assert (written(), the_ticket().queue) == ([], queue)


def test_the_ticket_of_a_user_who_leaves_is_seen_by_others(
    connection: Connection, queue: Queue, admin: User
) -> None:
    receive(connection, "Oi")
    change(admin, status="open", user_id=admin.pk)
    return_tickets_of(admin)
    assert (the_ticket().status, the_ticket().queue) == ("pending", queue)


def test_whom_our_side_answers_on_the_phone_during_a_flow_is_seen_by_others(
    acme: Company, connection: Connection, orders: Queue
) -> None:
    connection.transfer_queue = orders
    connection.integration = make_integration(acme)
    connection.save()
    receive(connection, "Oi", sent_at=timezone.now() - timedelta(minutes=1))
    assert receive(connection, "Oi, é a Ana.", from_me=True) == ["Oi, é a Ana."]
    assert (the_ticket().queue, the_ticket().use_integration) == (orders, False)
    left = ("queued", {"queue": orders.name, "by": "fallback"})
    assert history() == [("bot_ended", {"reason": "phone"}), left]
    assert not BotTurn.objects.unfinished().exists()


def test_while_closed_an_answer_on_the_phone_is_followed_by_no_text(
    acme: Company, connection: Connection, queue: Queue
) -> None:
    assert receive(connection, "Oi", sent_at=timezone.now() - timedelta(minutes=1)) == [MENU]
    setting(acme, "scheduleType", "company")
    acme.schedules = SHUT
    acme.save()
    connection.out_of_hours_message = "Voltamos amanhã."
    connection.save()
    assert receive(connection, "Já respondo.", from_me=True) == ["Já respondo."]
    assert the_ticket().queue == queue
    # What the contact writes then is told the hours, as on any waiting ticket.
    assert receive(connection, "Alguém?") == ["Voltamos amanhã."]


def test_who_does_not_choose_is_shown_to_people_and_may_still_choose(
    connection: Connection, queue: Queue, orders: Queue
) -> None:
    assert receive(connection, "Oi") == [MENU]
    receive(connection, "", media_type="audio")
    now = timezone.now()
    assert run_timers(now=now + timedelta(minutes=9)) == 0
    assert run_timers(now=now + timedelta(minutes=11)) == 1
    assert run_timers(now=now + timedelta(minutes=12)) == 0
    ticket = the_ticket()
    assert (ticket.queue, ticket.chatbot, ticket.bot_state["menu"]) == (queue, True, "queues")
    assert history() == [("queued", {"queue": queue.name, "by": "timer"})]
    assert written() == [MENU]
    assert receive(connection, "2") == [TOP]
    assert the_ticket().queue == orders


@pytest.mark.parametrize(
    ("text", "media_type"), [("", "audio"), ("", "image"), ("não sei", "conversation")]
)
def test_who_sends_what_is_no_answer_is_shown_to_people_as_soon(
    connection: Connection, queue: Queue, text: str, media_type: str
) -> None:
    connection.bot_interval_minutes = 600
    connection.save()
    assert receive(connection, "Oi") == [MENU]
    for minutes in (9, 11):
        waits_since = timezone.now() - timedelta(minutes=minutes)
        TrackingCycle.objects.update(queued_at=waits_since)
        assert receive(connection, text, media_type=media_type) == []
        assert run_timers() == (minutes > 10)
    ticket = the_ticket()
    assert (ticket.queue, ticket.chatbot, ticket.bot_state["menu"]) == (queue, True, "queues")
    assert written() == [MENU]


def test_a_timer_has_a_flow_answer_what_was_said_last_and_no_call(
    acme: Company, connection: Connection, orders: Queue
) -> None:
    orders.integration = make_integration(acme)
    orders.save()
    connection.transfer_queue, connection.minutes_to_transfer = orders, 10
    connection.save()
    receive(connection, "Oi")
    receive(connection, "um instante", external_id="wamid.slip")
    receive(connection, "", deletes="wamid.slip")
    receive(connection, "Chamada de voz recusada", media_type="call_log")
    assert run_timers(now=timezone.now() + timedelta(minutes=11)) == 1
    assert BotTurn.objects.get().message.body == "Oi"


def test_the_connections_own_minutes_go_before_ours(
    connection: Connection, queue: Queue, orders: Queue
) -> None:
    connection.transfer_queue, connection.minutes_to_transfer = orders, 120
    connection.save()
    receive(connection, "Oi")
    assert run_timers(now=timezone.now() + timedelta(minutes=61)) == 0
    assert run_timers(now=timezone.now() + timedelta(minutes=121)) == 1
    assert the_ticket().queue == orders


def test_a_valid_answer_after_the_fallback_counts_until_a_person_comes(
    connection: Connection, queue: Queue, orders: Queue, admin: User
) -> None:
    connection.bot_max_menus = 1
    connection.bot_quiet_seconds = 3
    connection.save()

    def write(*texts: str) -> None:
        for text in texts:
            receive(connection, text)
            BotPause.objects.update(next_attempt_at=timezone.now())
            end_due(limit=10)

    write("Oi", "alô?")
    assert the_ticket().queue == queue
    assert history()[0] == ("bot_ended", {"reason": "limit"})
    write("tem alguém?", "2")
    ticket = the_ticket()
    assert (ticket.queue, ticket.chatbot) == (orders, True)
    assert written() == [MENU, FALLBACK_MESSAGE, TOP]
    assert history()[-1] == ("queued", {"queue": "Pedidos", "by": "menu"})
    write("xx")
    change(admin, status="open", user_id=admin.pk)
    change(admin, status="pending", user_id=None)
    write("1")
    assert written() == [MENU, FALLBACK_MESSAGE, TOP]
