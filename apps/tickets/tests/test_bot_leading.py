"""Tickets that a timer or a hand-over leads to the bot, and those it is taken from."""

from django.db import transaction

from apps.accounts.models import User
from apps.automation.models import IntegrationSession, QueueIntegration
from apps.common.leases import UNFINISHED
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets.models import BotTurn, Message
from apps.tickets.services.bot.leading import end_bot, enter_queue
from apps.tickets.services.tickets.transitions import TicketChange
from apps.tickets.services.tickets.updates import update_ticket
from apps.tickets.tests.bot import MENU, NUMBER, TOP, close, history, receive, the_ticket
from tests.events import Told
from tests.factories import make_contact, make_ticket


def test_a_timer_leads_into_a_queue(
    acme: Company, connection: Connection, orders: Queue, told: list[Told]
) -> None:
    receive(connection, "Oi")
    told.clear()
    with transaction.atomic():
        enter_queue(the_ticket(), orders, by="timer")
    ticket = the_ticket()
    assert (ticket.queue, ticket.last_message, ticket.chatbot) == (orders, TOP, True)
    assert history() == [("queued", {"queue": "Pedidos", "by": "timer"})]
    assert [each.event for each in told] == ["ticket", "appMessage"]
    assert receive(connection, "2") == ["30 dias."]


def test_menu_leads_back_from_a_queue_without_options(
    connection: Connection, queue: Queue, orders: Queue
) -> None:
    receive(connection, "Oi")
    receive(connection, "1")
    assert (the_ticket().queue, the_ticket().chatbot) == (queue, False)
    # What the bot does not lead it begins nothing with, though there are options now.
    queue.options.create(title="Comprar")
    assert receive(connection, "Alguém?") == []
    assert "ended" not in the_ticket().bot_state
    assert receive(connection, "menu") == [MENU]
    assert the_ticket().chatbot is True
    assert receive(connection, "2") == [TOP]


def test_a_timer_into_a_queue_with_integration_has_the_last_words_answered(
    connection: Connection, orders: Queue, typebot: QueueIntegration
) -> None:
    orders.integration = typebot
    orders.save()
    receive(connection, "Oi")
    with transaction.atomic():
        enter_queue(the_ticket(), orders, by="timer")
        enter_queue(the_ticket(), orders, by="timer")
    turn = BotTurn.objects.get()
    assert (turn.message.body, turn.integration) == ("Oi", typebot)


def test_menu_takes_the_ticket_from_a_queues_flow(
    connection: Connection, orders: Queue, typebot: QueueIntegration
) -> None:
    orders.integration = typebot
    orders.save()
    receive(connection, "Oi")
    assert receive(connection, "2") == []
    IntegrationSession.objects.create(ticket=the_ticket(), integration=typebot)
    assert BotTurn.objects.filter(UNFINISHED).exists()
    # At once, as all that is said to a flow.
    Connection.objects.filter(pk=connection.pk).update(bot_quiet_seconds=3)
    assert receive(connection, "menu") == [MENU]
    ticket = the_ticket()
    assert (ticket.chatbot, ticket.use_integration, ticket.integration) == (True, False, None)
    assert not IntegrationSession.objects.exists()
    assert not BotTurn.objects.filter(UNFINISHED).exists()


def test_outside_the_window_a_timer_moves_without_a_word(
    acme: Company, connection: Connection, orders: Queue, told: list[Told]
) -> None:
    ticket = make_ticket(acme, connection=connection, chatbot=True)
    with transaction.atomic():
        enter_queue(ticket, orders, by="timer")
    ticket.refresh_from_db()
    assert (ticket.queue, ticket.bot_state.get("menu")) == (orders, None)
    assert not Message.objects.exists()
    assert [each.event for each in told] == ["ticket"]


def test_what_could_not_be_said_outside_the_window_is_said_when_the_contact_writes(
    acme: Company, connection: Connection, orders: Queue
) -> None:
    connection.out_of_hours_message = "Voltamos amanhã."
    connection.save()
    close(acme)
    ticket = make_ticket(
        acme, connection=connection, contact=make_contact(acme, number=NUMBER), chatbot=True
    )
    with transaction.atomic():
        enter_queue(ticket, orders, by="timer")
    assert not Message.objects.exists()
    assert receive(connection, "Oi") == ["Voltamos amanhã."]


def test_a_fallback_that_could_not_be_sent_does_not_count_as_sent(
    acme: Company, connection: Connection, orders: Queue
) -> None:
    ticket = make_ticket(acme, connection=connection, chatbot=True)
    with transaction.atomic():
        end_bot(ticket, "failed")
    assert (the_ticket().bot_state, Message.objects.count()) == ({"ended": True}, 0)


def test_nothing_leads_a_held_ticket_anywhere(
    acme: Company, connection: Connection, orders: Queue, agent: User
) -> None:
    ticket = make_ticket(acme, connection=connection, status="open", user=agent)
    enter_queue(ticket, orders, by="timer")
    ticket.refresh_from_db()
    assert ticket.queue is None
    assert history() == []


def test_ending_the_bot_takes_back_all_that_was_under_way(
    acme: Company, connection: Connection, typebot: QueueIntegration, told: list[Told]
) -> None:
    connection.integration = typebot
    connection.save()
    receive(connection, "Oi")
    IntegrationSession.objects.create(ticket=the_ticket(), integration=typebot)
    told.clear()
    with transaction.atomic():
        end_bot(the_ticket(), "failed")
    ticket = the_ticket()
    assert (ticket.chatbot, ticket.use_integration, ticket.integration) == (False, False, None)
    assert ticket.bot_state == {"ended": True, "fallback_told": True}
    assert not IntegrationSession.objects.exists()
    assert BotTurn.objects.get().state == "done"
    assert history() == [("bot_ended", {"reason": "failed"})]
    assert [each.event for each in told] == ["ticket", "appMessage"]
    assert told[0].payload["event"]["kind"] == "bot_ended"
    with transaction.atomic():
        end_bot(the_ticket(), "failed")
    assert len(history()) == 1
    assert receive(connection, "Oi") == []


def test_ending_it_without_a_reason_tells_nobody(
    connection: Connection, orders: Queue, told: list[Told]
) -> None:
    receive(connection, "Oi")
    told.clear()
    with transaction.atomic():
        ticket = the_ticket()
        end_bot(ticket, "")
        ticket.save()
    assert (history(), told) == ([], [])
    assert the_ticket().bot_state == {"ended": True}


def test_who_turns_the_integration_of_a_waiting_ticket_off_ends_it(
    connection: Connection, admin: User, typebot: QueueIntegration
) -> None:
    connection.integration = typebot
    connection.save()
    receive(connection, "Oi")
    change = TicketChange.of({"use_integration": False, "integration_id": None})
    update_ticket(user=admin, ticket_id=the_ticket().pk, change=change)
    assert the_ticket().chatbot is False
    receive(connection, "Oi")
    assert BotTurn.objects.get().state == "done"
