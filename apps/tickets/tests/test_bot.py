"""The bot in the transaction of the received messages (specification 4 §1 step 9, §3)."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count
from threading import Barrier
from typing import Any

import pytest
from django.db import connection as database
from django.db import transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.automation.models import IntegrationSession, Prompt, QueueIntegration
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.connections.providers.base import InboundMessage
from apps.queues.models import Queue, QueueOption
from apps.tickets.models import (
    BotTurn,
    Delivery,
    Message,
    Ticket,
    TicketEvent,
)
from apps.tickets.rooms import status_room
from apps.tickets.serializers import message_row, ticket_row
from apps.tickets.services.bot.carrying import end_bot, enter_queue
from apps.tickets.services.deliveries import deliver_due
from apps.tickets.services.receiving import receive_messages
from apps.tickets.services.tickets import update_ticket
from apps.tickets.tests.conftest import Told
from apps.tickets.transitions import TicketChange
from tests.factories import (
    make_company,
    make_connection,
    make_contact,
    make_message,
    make_queue,
    make_ticket,
)
from tests.graph import GraphServer

NUMBER = "5511987654321"
MENU = "Bem-vindo, Maria!\n\n*1* - Vendas\n*2* - Pedidos"
TOP = "O que houve?\n\n*1* - Trocar\n*2* - Prazos\n*#* - Menu principal"
_number = count(1)


def inbound(body: str = "Oi", **fields: Any) -> InboundMessage:
    fields.setdefault("external_id", f"wamid.bot.{next(_number)}")
    fields.setdefault("sender", NUMBER)
    fields.setdefault("sender_name", "Maria Silva")
    fields.setdefault("media_type", "conversation")
    fields.setdefault("sent_at", timezone.now())
    return InboundMessage(body=body, **fields)


def receive(connection: Connection, *texts: str, **fields: Any) -> list[str]:
    """Receive texts of one contact together; returns what the bot wrote since."""
    last = Message.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    with transaction.atomic():
        fresh = Connection.objects.get(pk=connection.pk)
        receive_messages([(fresh, inbound(text, **fields)) for text in texts])
    written = Message.objects.filter(pk__gt=last, from_me=True).order_by("pk")
    return list(written.values_list("body", flat=True))


def setting(company: Company, key: str, value: str) -> None:
    CompanySetting.objects.update_or_create(company=company, key=key, defaults={"value": value})


def the_ticket() -> Ticket:
    return Ticket.objects.get()


def history() -> list[tuple[str, dict[str, Any]]]:
    return list(TicketEvent.objects.order_by("pk").values_list("kind", "detail"))


@pytest.fixture
def orders(acme: Company, connection: Connection) -> Queue:
    """A second queue of the connection, with a tree of options."""
    orders = make_queue(acme, name="Pedidos", greeting_message="O que houve?", order=1)
    connection.queues.add(orders)
    connection.greeting_message = "Bem-vindo, {{firstName}}!"
    connection.save()
    option = QueueOption.objects.create(queue=orders, title="Trocar", message="Como?", position=1)
    QueueOption.objects.create(queue=orders, title="Prazos", message="30 dias.", position=2)
    QueueOption.objects.create(queue=orders, parent=option, title="Por outro", position=1)
    return orders


@pytest.fixture
def typebot(acme: Company) -> QueueIntegration:
    return QueueIntegration.objects.create(company=acme, type="typebot", name="Fluxo")


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
        {"ended": True},
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
    assert receive(connection, "bom dia", sent_at=after) == [MENU]
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


def test_who_answers_on_the_phone_itself_ends_the_bot(
    connection: Connection, orders: Queue
) -> None:
    asked_at = timezone.now() - timedelta(minutes=1)
    assert receive(connection, "Oi", sent_at=asked_at) == [MENU]
    receive(connection, "Bom dia, aqui é a Ana.", from_me=True)
    ticket = the_ticket()
    assert (ticket.status, ticket.user, ticket.chatbot) == ("pending", None, False)
    assert history() == [("bot_ended", {"reason": "phone"})]
    assert receive(connection, "2") == []


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
    assert Delivery.objects.get().payload == {"menu": menu}
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
    assert deliver_due(owner="test", limit=10) == 2
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
    assert the_ticket().bot_state == {"ended": True}
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


# Led from outside


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
    assert ticket.bot_state == {"ended": True}
    assert not IntegrationSession.objects.exists()
    assert BotTurn.objects.get().state == "done"
    assert history() == [("bot_ended", {"reason": "failed"})]
    assert [each.payload["event"]["kind"] for each in told] == ["bot_ended"]
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
        end_bot(the_ticket(), "")
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


# What it costs


def statements(connection: Connection, senders: int, text: str = "Oi") -> int:
    """Return how many statements the messages of so many contacts take, received together."""
    batch = [
        (Connection.objects.get(pk=connection.pk), inbound(text, sender=f"55119{n:08d}"))
        for n in range(10_000_000, 10_000_000 + senders)
    ]
    with CaptureQueriesContext(database) as captured, transaction.atomic():
        receive_messages(batch)
    return len(captured)


def test_without_a_bot_one_statement_reads_the_settings_of_waiting_tickets(
    acme: Company, connection: Connection, queue: Queue, agent: User
) -> None:
    statements(connection, 3)
    waiting = statements(connection, 3)
    Ticket.objects.update(status="open", user=agent)
    held = statements(connection, 3)
    # The holder is read with a held ticket, the settings with a waiting one.
    assert waiting == held


@pytest.mark.postgres  # SQLite cuts a long INSERT into several
def test_with_the_bot_statements_do_not_grow_with_the_contacts(
    connection: Connection, orders: Queue
) -> None:
    first, many = statements(connection, 1), statements(connection, 40)
    assert first == many - 1 or first == many
    assert statements(connection, 40, "2") <= many + 6
    assert Message.objects.filter(source="bot").count() >= 80


# Two workers at once


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_messages_at_once_are_decided_one_after_the_other() -> None:
    company = make_company()
    queues = [make_queue(company, name=f"Fila {number}", order=number) for number in range(3)]
    connection = make_connection(company, queues=queues, bot_max_menus=3)
    for round_number in range(4):
        contact = make_contact(company)
        ticket = make_ticket(company, contact=contact, connection=connection, chatbot=True)
        make_message(ticket)
        start = Barrier(3)

        def write(text: str, contact: Any = contact, start: Barrier = start) -> None:
            start.wait(timeout=10)
            try:
                with transaction.atomic():
                    wrote = inbound(text, sender=contact.number, sent_at=timezone.now())
                    receive_messages([(Connection.objects.get(pk=connection.pk), wrote)])
            finally:
                database.close()

        with ThreadPoolExecutor(3) as pool:
            list(pool.map(write, ["Oi", "Alô", "Olá"]))
        ticket.refresh_from_db()
        assert ticket.bot_state["menus_sent"] == 3, round_number
        assert ticket.messages.filter(source="bot").count() == 3
