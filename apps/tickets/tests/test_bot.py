"""The bot in the transaction of the received messages (rules/bot §1)."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.automation.models import IntegrationSession, Prompt, QueueIntegration
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.queues.models import Queue, QueueOption
from apps.tickets.models import BotTurn, Delivery, Message, Ticket
from apps.tickets.rooms import status_room
from apps.tickets.serializers import message_row, ticket_row
from apps.tickets.services.outbox.deliveries import deliver_due
from apps.tickets.tests.bot import (
    MENU,
    MENU_AGAIN,
    NUMBER,
    TOP,
    history,
    receive,
    setting,
    the_ticket,
)
from tests.events import Told
from tests.factories import make_contact, make_queue, make_ticket
from tests.graph import GraphServer

# What it writes


def test_the_menu_is_a_message_of_ours_that_waits_for_delivery(
    connection: Connection, orders: Queue, told: list[Told]
) -> None:
    assert receive(connection, "Oi") == [MENU]
    ticket, reply = the_ticket(), Message.objects.get(from_me=True)
    assert (ticket.chatbot, ticket.queue, ticket.status) == (True, None, "pending")
    assert ticket.bot_state["menu"] == "queues"
    assert (ticket.last_message, ticket.latest_message) == (MENU, reply)
    assert ticket.unread_count == 1
    assert (reply.source, reply.ack, reply.user, reply.is_read) == ("bot", 0, None, True)
    assert (reply.search_text[:9], reply.remote_jid) == ("bem-vindo", NUMBER)
    delivery = Delivery.objects.get()
    assert (delivery.message, delivery.kind, delivery.payload) == (reply, "send", {})
    assert (delivery.connection, delivery.contact) == (connection, ticket.contact)
    # First the ticket, then what the contact wrote, then the answer; all as they are now.
    assert [each.event for each in told] == ["ticket", "appMessage", "appMessage"]
    assert [each.payload["message"]["fromMe"] for each in told[1:]] == [False, True]
    assert told[0].payload["ticket"] == ticket_row(ticket)
    assert told[2].payload["message"] == message_row(reply)
    assert told[2].payload["ticket"]["chatbot"] is True


def test_a_choice_moves_the_ticket_and_tells_its_new_readers(
    acme: Company, connection: Connection, orders: Queue, told: list[Told]
) -> None:
    receive(connection, "Oi")
    told.clear()
    assert receive(connection, "2") == [TOP]
    ticket = the_ticket()
    assert (ticket.queue, ticket.chatbot) == (orders, True)
    assert history() == [("queued", {"queue": "Pedidos", "by": "menu"})]
    assert [each.event for each in told] == ["ticket", "appMessage", "appMessage"]
    update = told[0]
    assert status_room(acme.pk, "pending", f"queue-{orders.pk}") in update.rooms
    assert update.payload["event"]["kind"] == "queued"
    assert update.payload["event"]["queueName"] == "Pedidos"
    assert update.payload["ticket"]["queue"]["name"] == "Pedidos"
    # No wait for a person begins anew by it.
    assert ticket.cycles.count() == 1


def test_who_loses_the_ticket_to_another_queue_is_told(
    acme: Company, connection: Connection, queue: Queue, orders: Queue, told: list[Told]
) -> None:
    receive(connection, "Oi", "2", "#")
    told.clear()
    receive(connection, "1")
    removal = told[0]
    assert removal.payload == {
        "action": "delete",
        "ticketId": the_ticket().pk,
        "oldStatus": "pending",
    }
    assert removal.rooms == [status_room(acme.pk, "pending", f"queue-{orders.pk}")]


def test_messages_of_one_contact_are_decided_one_after_another(
    connection: Connection, orders: Queue
) -> None:
    assert receive(connection, "Oi", "2", "1", "0", "2") == [
        MENU,
        TOP,
        "Como?\n\n*1* - Por outro\n*0* - Voltar\n*#* - Menu principal",
        TOP,
        "30 dias.",
    ]
    assert [kind for kind, _ in history()] == ["queued", "bot_ended"]
    assert history()[1] == ("bot_ended", {"reason": "leaf"})
    ticket = the_ticket()
    assert (ticket.chatbot, ticket.bot_state, ticket.last_message) == (
        False,
        {"ended": True, "menu_offered": True},
        "30 dias.",
    )
    assert receive(connection, "Alguém?") == []


def test_who_writes_in_several_short_messages_gets_one_menu(
    connection: Connection, orders: Queue
) -> None:
    assert receive(connection, "Oi", "bom dia", "tudo bem?", "quero pedir") == [MENU]
    assert the_ticket().bot_state["menus_sent"] == 1
    assert receive(connection, "2", "obrigada") == [TOP]


def test_what_was_written_before_the_menu_went_is_no_answer_to_it(
    connection: Connection, orders: Queue
) -> None:
    assert receive(connection, "Oi") == [MENU]
    before, after = (timezone.now() + timedelta(seconds=each) for each in (-5, 5))
    assert receive(connection, "bom dia", sent_at=before) == []
    assert receive(connection, "bom dia", sent_at=after) == [MENU_AGAIN]
    # Who knows the menu by heart needn't wait for it.
    assert receive(connection, "2", sent_at=before) == [TOP]


def test_a_menu_too_long_for_one_message_goes_in_several(
    connection: Connection, orders: Queue
) -> None:
    connection.greeting_message = "palavra " * 512
    connection.save()
    first, second = receive(connection, "Oi")
    assert 2000 < len(first) <= 4096
    assert second.endswith("*1* - Vendas\n*2* - Pedidos")
    assert Delivery.objects.count() == 2


def test_who_answers_on_the_phone_itself_ends_the_bot_where_others_see_it(
    connection: Connection, queue: Queue, orders: Queue
) -> None:
    asked_at = timezone.now() - timedelta(minutes=1)
    assert receive(connection, "Oi", sent_at=asked_at) == [MENU]
    said = "Bom dia, aqui é a Ana."
    assert receive(connection, said, from_me=True) == [said]
    ticket = the_ticket()
    assert (ticket.status, ticket.user, ticket.chatbot) == ("pending", None, False)
    assert ticket.queue == queue
    left = ("queued", {"queue": queue.name, "by": "fallback"})
    assert history() == [("bot_ended", {"reason": "phone"}), left]
    assert receive(connection, "2", "menu") == []


def test_a_greeting_of_the_phones_own_application_leaves_the_bot_alone(
    connection: Connection, orders: Queue
) -> None:
    asked_at = timezone.now() - timedelta(minutes=1)
    receive(connection, "Oi", sent_at=asked_at)
    greeted_at = asked_at + timedelta(seconds=1)
    receive(connection, "Obrigado pelo contato!", from_me=True, sent_at=greeted_at)
    assert receive(connection, "2") == [TOP]


def test_variables_are_filled_in_our_words_alone(
    acme: Company, connection: Connection, orders: Queue
) -> None:
    connection.greeting_message = "{{name}} {{protocol}} {{nada}}!"
    connection.save()
    (text,) = receive(connection, "{{name}}", sender_name="{{hora}}")
    ticket = the_ticket()
    assert text.startswith(f"{{{{hora}}}} {ticket.created_at:%Y%m%d}{ticket.pk:06d} !")
    assert Message.objects.get(from_me=False).body == "{{name}}"


def test_a_replay_changes_nothing(connection: Connection, orders: Queue) -> None:
    receive(connection, "Oi", external_id="wamid.once")
    state = the_ticket().bot_state
    assert receive(connection, "Oi", external_id="wamid.once") == []
    assert the_ticket().bot_state == state


# Native menus


def test_buttons_go_out_as_such_and_are_shown_in_the_conversation(
    acme: Company, connection: Connection, queue: Queue, orders: Queue
) -> None:
    setting(acme, "chatBotType", "button")
    assert receive(connection, "Oi") == ["Bem-vindo, Maria!"]
    choices = [
        {"id": f"queue:{queue.pk}", "title": "Vendas", "description": ""},
        {"id": f"queue:{orders.pk}", "title": "Pedidos", "description": ""},
    ]
    menu = {"body": "Bem-vindo, Maria!", "choices": choices, "as_list": False}
    assert Delivery.objects.get().payload["menu"].items() >= menu.items()
    reply = Message.objects.get(from_me=True)
    assert (reply.media_type, reply.data) == ("interactive_list", {"choices": choices})
    written = receive(connection, "Pedidos", choice_id=f"queue:{orders.pk}")
    assert written == ["O que houve?"]
    assert the_ticket().queue == orders


def test_a_native_menu_reaches_the_provider_as_buttons(
    acme: Company, connection: Connection, queue: Queue, orders: Queue, graph: GraphServer
) -> None:
    setting(acme, "chatBotType", "button")
    receive(connection, "Oi", "2")
    assert deliver_due(limit=10) == 2
    first, second = (message["interactive"] for message in graph.messages)
    assert first["body"] == {"text": "Bem-vindo, Maria!"}
    replies = [each["reply"] for each in first["action"]["buttons"]]
    assert replies[1] == {"id": f"queue:{orders.pk}", "title": "Pedidos"}
    titles = [each["reply"]["title"] for each in second["action"]["buttons"]]
    assert titles == ["Trocar", "Prazos", "Menu principal"]


def test_a_qr_session_gets_the_menu_as_text(
    acme: Company, connection: Connection, orders: Queue
) -> None:
    setting(acme, "chatBotType", "list")
    connection.provider = "beta"
    connection.phone_number_id = None
    connection.save()
    assert receive(connection, "Oi") == [MENU]


def test_words_too_long_for_buttons_once_filled_in_go_as_text(
    acme: Company, connection: Connection, orders: Queue
) -> None:
    setting(acme, "chatBotType", "list")
    connection.greeting_message = "{{name}}" * 100
    connection.save()
    (text,) = receive(connection, "Oi", sender_name="Maximiliana")
    assert text.endswith("*2* - Pedidos")
    assert Message.objects.get(from_me=True).media_type == "conversation"


# Who is left alone


def test_held_tickets_groups_and_our_own_phone_start_no_bot(
    acme: Company, connection: Connection, orders: Queue, agent: User
) -> None:
    setting(acme, "CheckMsgIsGroup", "disabled")
    connection.transfer_keyword, connection.transfer_keyword_queue = "oi", orders
    connection.integration = QueueIntegration.objects.create(company=acme, type="n8n", name="X")
    connection.save()
    contact = make_contact(acme, number=NUMBER, canonical_number=NUMBER)
    make_ticket(acme, contact=contact, connection=connection, status="open", user=agent)
    assert receive(connection, "Oi") == []
    group = "120363041234567890@g.us"
    assert receive(connection, "Oi", sender=group, is_group=True, participant="5511955554444") == []
    receive(connection, "Oi", sender="5511911112222", from_me=True)
    assert not Message.objects.filter(source="bot").exists()
    assert not BotTurn.objects.exists()
    assert not Ticket.objects.filter(chatbot=True).exists()


def test_a_message_too_old_to_be_answered_freely_is_left_to_people(
    connection: Connection, orders: Queue
) -> None:
    assert receive(connection, "Oi", sent_at=timezone.now() - timedelta(hours=25)) == []
    assert receive(connection, "Oi") == [MENU]


def test_a_call_is_no_answer(connection: Connection, orders: Queue) -> None:
    receive(connection, "Oi")
    assert receive(connection, "", media_type="call_log") == []


# One queue


def test_one_queue_is_given_in_silence(connection: Connection, queue: Queue) -> None:
    assert receive(connection, "Oi") == []
    ticket = the_ticket()
    assert (ticket.queue, ticket.chatbot, ticket.bot_state) == (queue, False, {})
    assert history() == []


def test_one_queue_with_options_begins_with_them(connection: Connection, orders: Queue) -> None:
    connection.queues.set([orders])
    assert receive(connection, "Oi") == ["O que houve?\n\n*1* - Trocar\n*2* - Prazos"]
    assert (the_ticket().chatbot, history()) == (True, [])


@pytest.mark.parametrize("place", ["queue", "connection"])
@pytest.mark.parametrize("what", ["integration", "prompt"])
def test_an_integration_or_prompt_gets_a_turn_for_each_message(
    acme: Company, connection: Connection, queue: Queue, place: str, what: str
) -> None:
    made: Any = (
        QueueIntegration.objects.create(company=acme, type="typebot", name="Fluxo")
        if what == "integration"
        else Prompt.objects.create(company=acme, queue=queue, name="Ana", prompt="Ajude.")
    )
    owner = queue if place == "queue" else connection
    setattr(owner, what, made)
    owner.save()
    assert receive(connection, "Oi", "Tudo bem?", raw={"id": "x"}, choice_id="c") == []
    ticket = the_ticket()
    assert ticket.chatbot
    assert ticket.use_integration is (what == "integration")
    assert getattr(ticket, what) == made
    turns = list(BotTurn.objects.order_by("pk"))
    assert [turn.message.body for turn in turns] == ["Oi", "Tudo bem?"]
    assert {(turn.kind, turn.state, getattr(turn, what)) for turn in turns} == {
        (what, "waiting", made)
    }
    assert turns[0].payload == {"choice_id": "c", "raw": {"id": "x"}}
    assert turns[0].event_id != turns[1].event_id


def test_a_plan_without_integrations_and_prompts_has_neither(
    acme: Company, connection: Connection, queue: Queue, typebot: QueueIntegration
) -> None:
    acme.plan.use_integrations = acme.plan.use_open_ai = False
    acme.plan.save()
    connection.integration = typebot
    connection.prompt = Prompt.objects.create(company=acme, queue=queue, name="Ana", prompt="A")
    connection.save()
    assert receive(connection, "Oi") == []
    assert not BotTurn.objects.exists()
    assert not the_ticket().chatbot


def test_a_bot_made_in_the_middle_of_a_cycle_waits_for_the_next(
    acme: Company, connection: Connection, queue: Queue
) -> None:
    setting(acme, "scheduleType", "company")
    acme.schedules = []
    acme.save()
    receive(connection, "Oi")
    QueueOption.objects.create(queue=queue, title="Nova", position=1)
    assert receive(connection, "Oi") == []
    assert (the_ticket().chatbot, the_ticket().bot_state) == (False, {})
    Ticket.objects.update(status="closed", closed_at=timezone.now())
    assert receive(connection, "Oi") == ["Escolha uma opção:\n\n*1* - Nova"]


# Hours, keyword, audio


def test_the_out_of_hours_message_comes_once_and_the_ticket_has_its_queue(
    acme: Company, connection: Connection, queue: Queue
) -> None:
    setting(acme, "scheduleType", "company")
    for row in acme.schedules:
        row["startTime"] = row["endTime"] = "00:00"
    acme.save()
    connection.out_of_hours_message = "Olá, {{firstName}}. Estamos fechados."
    connection.save()
    assert receive(connection, "Oi", "Oi") == ["Olá, Maria. Estamos fechados."]
    assert receive(connection, "Oi") == []
    assert the_ticket().queue == queue
    # Nor does another cycle in the same closed period hear it again.
    Ticket.objects.update(status="closed", closed_at=timezone.now())
    assert receive(connection, "Oi") == []


def test_the_keyword_moves_a_waiting_ticket_takes_back_turns_and_greets(
    acme: Company,
    connection: Connection,
    queue: Queue,
    orders: Queue,
    typebot: QueueIntegration,
) -> None:
    connection.integration = typebot
    connection.transfer_keyword, connection.transfer_keyword_queue = "Atendente", orders
    connection.save()
    receive(connection, "Oi")
    IntegrationSession.objects.create(ticket=the_ticket(), integration=typebot)
    assert receive(connection, "E aí?", " ATENDENTE ") == ["O que houve?"]
    ticket = the_ticket()
    assert (ticket.queue, ticket.chatbot, ticket.use_integration) == (orders, False, False)
    assert (ticket.integration, ticket.bot_state) == (None, {"ended": True, "keyword_used": True})
    assert not IntegrationSession.objects.exists()
    assert not BotTurn.objects.filter(state="waiting").exists()
    assert [kind for kind, _ in history()] == ["queued", "bot_ended"]
    assert receive(connection, "Oi", "atendente") == []


def test_an_audio_is_answered_once_an_hour_also_without_a_bot(
    acme: Company, connection: Connection
) -> None:
    setting(acme, "alertReceivingAudio", "enabled")
    (alert,) = receive(connection, "", media_type="audio")
    assert "escreva" in alert
    assert receive(connection, "", media_type="audio") == []
    assert Message.objects.filter(media_type="audio").count() == 2


# Cycles


def test_a_new_cycle_begins_with_the_bot_again(
    connection: Connection, orders: Queue, typebot: QueueIntegration
) -> None:
    receive(connection, "Oi", "2", "2")
    assert the_ticket().bot_state == {"ended": True, "menu_offered": True}
    Ticket.objects.update(
        status="closed", closed_at=timezone.now(), use_integration=True, integration=typebot
    )
    # Reopened within the window with its queue, so with its options.
    assert receive(connection, "Oi de novo") == [TOP]
    ticket = the_ticket()
    assert (ticket.status, ticket.queue, ticket.chatbot) == ("pending", orders, True)
    assert (ticket.use_integration, ticket.integration) == (False, None)
    long_ago = timezone.now() - timedelta(days=1)
    Ticket.objects.update(status="closed", closed_at=long_ago)
    assert receive(connection, "Bom dia") == [MENU]
    assert Ticket.objects.count() == 2


def test_a_ticket_reopened_without_bot_says_so(connection: Connection, queue: Queue) -> None:
    receive(connection, "Oi")
    Ticket.objects.update(status="closed", closed_at=timezone.now(), chatbot=True)
    assert receive(connection, "Oi") == []
    assert the_ticket().chatbot is False


def test_a_queue_deleted_in_the_middle_brings_the_menu_back(
    acme: Company, connection: Connection, orders: Queue
) -> None:
    connection.queues.add(make_queue(acme, name="Outra", order=2))
    receive(connection, "Oi", "2", "1")
    orders.delete()
    assert receive(connection, "1") == ["Bem-vindo, Maria!\n\n*1* - Vendas\n*2* - Outra"]
    assert the_ticket().queue is None
