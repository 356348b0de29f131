"""The bot lets a contact finish (rules/bot §3): bursts as separate notifications, read together."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.common.leases import free_all_claims
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets.models import BotPause, BotTurn, Message, Ticket
from apps.tickets.services.bot import pause_worker
from apps.tickets.services.bot.answering import judge_heard
from apps.tickets.services.bot.pause_worker import PAUSES, end_due
from apps.tickets.services.tickets.transitions import TicketChange
from apps.tickets.services.tickets.updates import update_ticket
from apps.tickets.tests.bot import MENU, MENU_AGAIN, TOP, history, receive, setting, the_ticket
from tests.factories import make_integration

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("emitted")]


@pytest.fixture(autouse=True)
def _patient(connection: Connection, orders: Queue) -> None:
    # Ten times as long as usual, so that a slow machine changes nothing: with the second that
    # messages may be under way, 30.
    connection.bot_quiet_seconds = 29
    connection.save()


def written() -> list[str]:
    """What our side wrote, in order."""
    return list(Message.objects.filter(from_me=True).order_by("pk").values_list("body", flat=True))


def later(seconds: float) -> None:
    """Let time go by, and the worker do what is due by then."""
    for pause in BotPause.objects.all():
        BotPause.objects.filter(pk=pause.pk).update(
            next_attempt_at=pause.next_attempt_at - timedelta(seconds=seconds)
        )
    end_due(limit=100)


def burst(connection: Connection, *texts: str, apart: float) -> None:
    """Receive each text by a notification of its own, and wait between them."""
    for text in texts:
        assert receive(connection, text) == []
        later(apart)


@pytest.mark.parametrize("apart", [4, 25, 29])
def test_short_messages_get_one_menu_and_the_answer_after_them_counts(
    connection: Connection, queue: Queue, apart: float
) -> None:
    burst(connection, "Oi", "boa noite", "o preço da dipirona", "tem?", apart=apart)
    assert written() == []
    later(30)
    assert written() == [MENU]
    assert the_ticket().bot_state["menus_sent"] == 1
    burst(connection, "1", apart=30)
    assert the_ticket().queue == queue
    assert not BotPause.objects.exists()


def test_messages_far_apart_are_each_a_wrong_answer_and_the_valid_one_still_counts(
    connection: Connection, queue: Queue
) -> None:
    burst(connection, "Oi", "boa noite", "tem?", apart=30)
    assert written() == [MENU, MENU_AGAIN, MENU_AGAIN]
    burst(connection, "1", apart=30)
    assert the_ticket().queue == queue


def test_what_comes_meanwhile_is_one_answer_right_or_wrong(
    connection: Connection, orders: Queue
) -> None:
    burst(connection, "Oi", apart=30)
    burst(connection, "bom dia", "tudo bem?", "alguém?", apart=10)
    later(30)
    assert written() == [MENU, MENU_AGAIN]
    burst(connection, "obrigada", "quero pedidos", "viu", apart=10)
    later(30)
    assert written() == [MENU, MENU_AGAIN, TOP]
    assert the_ticket().queue == orders


def test_two_choices_in_one_breath_are_none(connection: Connection) -> None:
    burst(connection, "Oi", apart=30)
    burst(connection, "1", "2", apart=10)
    later(30)
    assert written() == [MENU, MENU_AGAIN]
    assert the_ticket().queue is None


@pytest.mark.parametrize(("text", "answer"), [("Oi", MENU), ("2", TOP), ("xx", MENU_AGAIN)])
def test_a_call_behind_the_words_takes_nothing_of_them(
    connection: Connection, text: str, answer: str
) -> None:
    if text != "Oi":
        burst(connection, "Oi", apart=30)
    known = written()
    burst(connection, text, apart=10)
    receive(connection, "Chamada de voz recusada", media_type="call_log")
    later(30)
    assert written() == [*known, answer]
    assert not BotPause.objects.exists()


def test_what_was_taken_back_is_not_read(connection: Connection, orders: Queue) -> None:
    burst(connection, "Oi", apart=30)
    receive(connection, "1", external_id="wamid.slip")
    receive(connection, "", deletes="wamid.slip")
    burst(connection, "2", apart=30)
    assert written() == [MENU, TOP]
    assert the_ticket().queue == orders


def test_who_took_back_all_is_told_nothing(connection: Connection) -> None:
    burst(connection, "Oi", apart=30)
    receive(connection, "1", external_id="wamid.slip")
    receive(connection, "", deletes="wamid.slip")
    receive(connection, "Chamada de voz recusada", media_type="call_log")
    later(30)
    assert written() == [MENU]
    assert not BotPause.objects.exists()


def test_what_was_there_before_the_number_was_connected_answers_nothing(
    connection: Connection,
) -> None:
    burst(connection, "Oi", apart=30)
    burst(connection, "bom dia", apart=10)
    receive(connection, "2", is_history=True, sent_at=timezone.now() - timedelta(days=1))
    later(30)
    assert written() == [MENU, MENU_AGAIN]
    assert not Ticket.objects.filter(queue__isnull=False).exists()


def test_no_flow_learns_of_what_was_taken_back(
    acme: Company, connection: Connection, orders: Queue
) -> None:
    orders.integration = make_integration(acme)
    orders.save()
    burst(connection, "Oi", apart=30)
    receive(connection, "2", raw={"id": "a"})
    receive(connection, "a senha é 1234", external_id="wamid.slip", raw={"id": "b"})
    receive(connection, "", deletes="wamid.slip")
    later(30)
    turn = BotTurn.objects.get()
    assert (turn.message.body, turn.payload) == ("2", {})


def test_stickers_sounds_and_pictures_are_no_wrong_answers(connection: Connection) -> None:
    burst(connection, "Oi", apart=30)
    for media_type in ("sticker", "audio", "image", "video", "locationMessage"):
        receive(connection, "", media_type=media_type)
        later(30)
    assert written() == [MENU]
    assert the_ticket().bot_state["menus_sent"] == 1


def test_a_reaction_is_no_answer(connection: Connection) -> None:
    burst(connection, "Oi", apart=30)
    menu = Message.objects.get(from_me=True)
    Message.objects.filter(pk=menu.pk).update(external_id="wamid.menu")
    receive(connection, "", external_id="wamid.like", reaction_to="wamid.menu", reaction="👍")
    assert menu.reactions.count() == 1
    assert not BotPause.objects.exists()
    later(30)
    assert written() == [MENU]
    assert the_ticket().bot_state["menus_sent"] == 1


def test_a_pressed_button_needs_no_pause(connection: Connection, orders: Queue) -> None:
    burst(connection, "Oi", apart=30)
    burst(connection, "olá", apart=10)
    assert receive(connection, "Pedidos", choice_id=f"queue:{orders.pk}") == [TOP]
    assert not BotPause.objects.exists()


def test_the_menu_comes_back_when_asked_for_also_after_a_leaf(connection: Connection) -> None:
    burst(connection, "Oi", "2", "2", apart=30)
    assert written() == [MENU, TOP, "30 dias."]
    assert the_ticket().chatbot is False
    burst(connection, "ok", "Menu!", apart=30)
    assert written()[3:] == [MENU]
    burst(connection, "2", "menu", apart=30)
    assert written()[4:] == [TOP, MENU]


@pytest.mark.parametrize("words", ["Voltar ao menu", "Volver al menú", "main menu"])
def test_the_menu_is_asked_for_in_three_languages(connection: Connection, words: str) -> None:
    burst(connection, "Oi", "2", "2", apart=30)
    burst(connection, words, apart=30)
    assert written()[3:] == [MENU]


def test_no_menu_comes_back_where_a_person_was(connection: Connection, admin: User) -> None:
    burst(connection, "Oi", apart=30)
    for change in ({"status": "open", "userId": admin.pk}, {"status": "pending"}):
        update_ticket(user=admin, ticket_id=the_ticket().pk, change=TicketChange.of(change))
    burst(connection, "menu", apart=30)
    assert written() == [MENU]


def test_who_is_accepted_in_the_pause_hears_no_bot(connection: Connection, admin: User) -> None:
    receive(connection, "Oi")
    update_ticket(
        user=admin,
        ticket_id=the_ticket().pk,
        change=TicketChange.of({"status": "open", "userId": admin.pk}),
    )
    later(30)
    assert written() == []
    assert not BotPause.objects.exists()


def test_hours_and_keyword_wait_for_nobody(
    acme: Company, connection: Connection, orders: Queue
) -> None:
    connection.transfer_keyword, connection.transfer_keyword_queue = "atendente", orders
    connection.out_of_hours_message = "Voltamos amanhã."
    connection.save()
    assert receive(connection, "atendente") == ["O que houve?"]
    setting(acme, "scheduleType", "company")
    acme.schedules = [
        {"weekdayEn": day, "startTime": "00:00", "endTime": "00:00"}
        for day in ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    ]
    acme.save()
    assert receive(connection, "Oi", sender="5511900000001") == ["Voltamos amanhã."]


def test_the_flow_of_a_chosen_queue_is_given_the_last_message_with_its_notification(
    acme: Company, connection: Connection, orders: Queue
) -> None:
    orders.integration = make_integration(acme)
    orders.save()
    burst(connection, "Oi", apart=30)
    receive(connection, "2", raw={"id": "a"})
    receive(connection, "sou a Maria", raw={"id": "b"})
    later(30)
    turn = BotTurn.objects.get()
    assert (turn.message.body, turn.payload) == (
        "sou a Maria",
        {"choice_id": "", "raw": {"id": "b"}},
    )


def test_a_worker_killed_in_the_middle_leaves_the_pause_to_the_next(
    connection: Connection,
) -> None:
    receive(connection, "Oi")
    BotPause.objects.update(next_attempt_at=timezone.now())
    PAUSES.claim(10)
    assert end_due(limit=10) == 0
    free_all_claims()
    assert end_due(limit=10) == 1
    assert written() == [MENU]
    assert end_due(limit=10) == 0


def test_who_writes_while_the_pause_ends_is_heard_with_it(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    receive(connection, "Oi")
    locked = pause_worker._locked_tickets

    def write_first(ids: Any) -> Any:
        monkeypatch.setattr(pause_worker, "_locked_tickets", locked)
        receive(connection, "tem dipirona?")
        return locked(ids)

    monkeypatch.setattr(pause_worker, "_locked_tickets", write_first)
    later(30)
    assert written() == []
    later(30)
    assert written() == [MENU]


def test_one_that_can_not_be_answered_harms_no_other_and_is_left_to_a_person(
    connection: Connection, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    receive(connection, "Oi")
    receive(connection, "Oi", sender="5511900000001")
    broken = Ticket.objects.order_by("pk").first()

    def stumble(heard: Any) -> None:
        if any(each.ticket == broken for each in heard):
            raise ValueError
        judge_heard(heard)

    monkeypatch.setattr(pause_worker, "judge_heard", stumble)
    for _ in range(4):
        later(60)
    assert broken is not None
    broken.refresh_from_db()
    assert (broken.queue, broken.chatbot) == (queue, False)
    assert history()[0][0] == "bot_ended"
    assert Message.objects.filter(body=MENU).exclude(ticket=broken).count() == 1


def test_one_that_can_not_even_be_put_off_harms_no_other_and_is_tried_again(
    connection: Connection,
    queue: Queue,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    receive(connection, "Oi")
    receive(connection, "Oi", sender="5511900000001")
    broken = Ticket.objects.earliest("pk")
    BotPause.objects.filter(ticket=broken).update(attempts=pause_worker.MAX_ATTEMPTS)

    def stumble(heard: Any) -> None:
        if any(each.ticket == broken for each in heard):
            raise ValueError
        judge_heard(heard)

    def refuse(*_: Any, **__: Any) -> None:
        raise ValueError

    monkeypatch.setattr(pause_worker, "judge_heard", stumble)
    with monkeypatch.context() as patched:
        patched.setattr(pause_worker, "end_bot", refuse)
        later(60)
    assert Message.objects.get(body=MENU).ticket != broken
    assert f"The pause of ticket {broken.pk} could not be put off" in caplog.text
    pause = BotPause.objects.get()
    assert (pause.ticket, pause.state, pause.owner) == (broken, "waiting", "")
    later(60)
    broken.refresh_from_db()
    assert (broken.queue, broken.chatbot) == (queue, False)


@pytest.mark.postgres  # SQLite cuts a long INSERT into several
def test_many_contacts_at_once_cost_no_more_statements_than_one(connection: Connection) -> None:
    def judged(contacts: int) -> int:
        for number in range(contacts):
            receive(connection, "Oi", sender=f"55119{contacts:02d}{number:06d}")
        BotPause.objects.update(next_attempt_at=timezone.now())
        with CaptureQueriesContext(database) as captured:
            end_due(limit=100)
        return len(captured)

    assert judged(40) <= judged(1) + 1


def test_an_opt_out_word_is_not_read_when_what_came_before_it_was_taken_back(
    connection: Connection, queue: Queue
) -> None:
    assert receive(connection, "Oi", external_id="wamid.taken.back") == []
    question = receive(connection, "sair")
    assert len(question) == 1
    receive(connection, "", deletes="wamid.taken.back")
    later(30)
    assert written() == question
    assert not BotPause.objects.exists()
