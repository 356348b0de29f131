from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundMessage
from apps.queues.models import Queue
from apps.tickets.models import (
    Delivery,
    Message,
    Rating,
    Ticket,
    TicketActivity,
    TrackingCycle,
)
from apps.tickets.services.receiving.messages import receive_message, receive_messages
from apps.tickets.services.tickets.transitions import TicketChange
from apps.tickets.services.tickets.updates import update_ticket
from tests.factories import make_message, make_ticket

SCALE = "*1* - Insatisfeito\n*2* - Satisfeito\n*3* - Muito satisfeito"


@pytest.fixture
def asks(acme: Company) -> None:
    CompanySetting.objects.create(company=acme, key="userRating", value="enabled")


@pytest.fixture
def ticket(acme: Company, connection: Connection, queue: Queue, agent: User) -> Ticket:
    connection.rating_message = "{{firstName}}, que nota você nos dá?"
    connection.completion_message = "Obrigado, {{firstName}}! Protocolo {{protocol}}."
    connection.save()
    ticket = make_ticket(acme, connection=connection, queue=queue, user=agent, status="open")
    ticket.contact.name = "Maria Silva"
    ticket.contact.save()
    ticket.last_inbound_at = timezone.now()
    ticket.save()
    return ticket


def change(ticket: Ticket, user: User, **body: Any) -> Ticket:
    return update_ticket(user=user, ticket_id=ticket.pk, change=TicketChange.of(body))


def resolve(ticket: Ticket, user: User) -> Ticket:
    return change(ticket, user, status="closed")


def inbound(ticket: Ticket, body: str, **fields: Any) -> InboundMessage:
    fields.setdefault("external_id", f"wamid.{datetime.now().timestamp()}")
    fields.setdefault("sender", ticket.contact.number)
    fields.setdefault("sender_name", "Maria")
    fields.setdefault("media_type", "conversation")
    fields.setdefault("sent_at", timezone.now())
    return InboundMessage(body=body, **fields)


def write(ticket: Ticket, body: str, **fields: Any) -> Message:
    connection = ticket.connection
    assert connection is not None
    message = receive_message(connection=connection, inbound=inbound(ticket, body, **fields))
    assert message is not None
    return message


def sent(ticket: Ticket) -> list[str]:
    rows = Message.objects.filter(contact=ticket.contact, from_me=True).order_by("id")
    return list(rows.values_list("body", flat=True))


def asked_long_ago(ticket: Ticket, **ago: float) -> None:
    TrackingCycle.objects.filter(ticket=ticket).update(
        rating_asked_at=timezone.now() - timedelta(**ago)
    )


@pytest.mark.usefixtures("asks")
def test_a_resolved_attendance_is_asked_about_and_closes_at_once(
    ticket: Ticket, agent: User
) -> None:
    ticket = resolve(ticket, agent)
    assert ticket.status == "closed"
    assert sent(ticket) == [f"Maria, que nota você nos dá?\n\n{SCALE}"]
    message = Message.objects.get(contact=ticket.contact)
    assert (message.source, message.user) == ("bot", None)
    assert Delivery.objects.filter(message=message, kind="send").exists()
    cycle = TrackingCycle.objects.get(ticket=ticket)
    assert cycle.finished_at is not None and cycle.rating_asked_at is not None
    assert cycle.rated_at is None


@pytest.mark.usefixtures("asks")
def test_the_answer_is_the_rating_and_is_thanked_without_reopening(
    ticket: Ticket, agent: User, emitted: list[Any]
) -> None:
    cycle = TrackingCycle.objects.get(ticket=ticket)
    cycle.user = agent
    cycle.save()
    resolve(ticket, agent)
    emitted.clear()
    message = write(ticket, " 3 ")
    ticket.refresh_from_db()
    assert (message.ticket_id, message.is_read) == (ticket.pk, True)
    assert (ticket.status, ticket.unread_count, Ticket.objects.count()) == ("closed", 0, 1)
    rating = Rating.objects.get()
    assert (rating.rate, rating.cycle, rating.user, rating.ticket) == (3, cycle, agent, ticket)
    cycle.refresh_from_db()
    assert (cycle.rated_at is not None, cycle.rate) == (True, 3)
    assert sent(ticket)[1:] == [
        f"Obrigado, Maria! Protocolo {ticket.created_at:%Y%m%d}{ticket.pk:06d}."
    ]
    activity = TicketActivity.objects.filter(ticket=ticket).latest("id")
    assert (activity.kind, activity.detail) == ("rated", {"rate": 3})
    names = [(event, payload["action"]) for event, payload in emitted]
    assert names == [("appMessage", "create"), ("ticket", "update"), ("appMessage", "create")]
    assert emitted[1][1]["event"]["kind"] == "rated"
    assert ticket.latest_message is not None and ticket.latest_message.from_me


@pytest.mark.usefixtures("asks")
def test_any_other_text_begins_a_normal_cycle_and_is_no_late_rating(
    ticket: Ticket, agent: User
) -> None:
    resolve(ticket, agent)
    write(ticket, "10")
    ticket.refresh_from_db()
    assert (ticket.status, ticket.unread_count) == ("pending", 1)
    write(ticket, "2")
    ticket.refresh_from_db()
    assert ticket.unread_count == 2
    assert not Rating.objects.exists()
    assert TrackingCycle.objects.filter(ticket=ticket).count() == 2


@pytest.mark.usefixtures("asks")
def test_in_one_batch_only_the_first_text_can_be_the_rating(
    ticket: Ticket, agent: User, connection: Connection
) -> None:
    resolve(ticket, agent)
    texts = [inbound(ticket, "1", external_id="a"), inbound(ticket, "3", external_id="b")]
    receive_messages([(connection, each) for each in texts])
    assert [rating.rate for rating in Rating.objects.all()] == [1]
    ticket.refresh_from_db()
    assert (ticket.status, ticket.unread_count) == ("pending", 1)


@pytest.mark.usefixtures("asks")
def test_a_text_that_is_not_the_first_of_its_batch_is_no_rating(
    ticket: Ticket, agent: User, connection: Connection
) -> None:
    resolve(ticket, agent)
    texts = [inbound(ticket, "Oi", external_id="a"), inbound(ticket, "3", external_id="b")]
    receive_messages([(connection, each) for each in texts])
    assert not Rating.objects.exists()
    ticket.refresh_from_db()
    assert (ticket.status, ticket.unread_count) == ("pending", 2)


@pytest.mark.usefixtures("asks")
def test_a_replayed_rating_changes_nothing(ticket: Ticket, agent: User) -> None:
    resolve(ticket, agent)
    write(ticket, "2", external_id="wamid.same")
    connection = ticket.connection
    assert connection is not None
    again = inbound(ticket, "3", external_id="wamid.same")
    assert receive_message(connection=connection, inbound=again) is None
    assert [rating.rate for rating in Rating.objects.all()] == [2]


@pytest.mark.usefixtures("asks")
@pytest.mark.parametrize(("hours", "rates"), [(23.9, 1), (24.1, 0)])
def test_the_answer_counts_for_a_day(ticket: Ticket, agent: User, hours: float, rates: int) -> None:
    resolve(ticket, agent)
    asked_long_ago(ticket, hours=hours)
    write(ticket, "3")
    assert Rating.objects.count() == rates


@pytest.mark.usefixtures("asks")
def test_what_was_written_before_the_question_is_no_answer_to_it(
    ticket: Ticket, agent: User
) -> None:
    resolve(ticket, agent)
    write(ticket, "2", sent_at=timezone.now() - timedelta(minutes=1))
    assert not Rating.objects.exists()


@pytest.mark.usefixtures("asks")
def test_what_is_written_into_a_living_conversation_belongs_there(
    acme: Company, ticket: Ticket, agent: User, connection: Connection, queue: Queue
) -> None:
    resolve(ticket, agent)
    live = make_ticket(
        acme,
        contact=ticket.contact,
        connection=connection,
        queue=queue,
        user=agent,
        status="open",
    )
    message = write(ticket, "2")
    assert message.ticket_id == live.pk
    assert not Rating.objects.exists()


@pytest.mark.usefixtures("asks")
def test_asked_twice_the_answer_is_about_the_last_attendance(ticket: Ticket, agent: User) -> None:
    resolve(ticket, agent)
    change(ticket, agent, status="open")
    resolve(ticket, agent)
    write(ticket, "1")
    first, second = TrackingCycle.objects.filter(ticket=ticket).order_by("id")
    assert Rating.objects.get().cycle == second
    assert (first.rated_at, second.rated_at is not None) == (None, True)
    write(ticket, "3")
    assert Rating.objects.count() == 1


@pytest.mark.usefixtures("asks")
def test_a_deleted_user_leaves_the_rating_without_one(
    ticket: Ticket, agent: User, admin: User
) -> None:
    cycle = TrackingCycle.objects.get(ticket=ticket)
    cycle.user = agent
    cycle.save()
    resolve(ticket, admin)
    agent.delete()
    write(ticket, "2")
    rating = Rating.objects.get()
    assert (rating.user, rating.rate) == (None, 2)


@pytest.mark.usefixtures("asks")
def test_who_was_never_attended_is_not_asked(acme: Company, ticket: Ticket, agent: User) -> None:
    change(ticket, agent, status="pending", userId=None)
    ticket = resolve(ticket, agent)
    assert sent(ticket) == [
        f"Obrigado, Maria! Protocolo {ticket.created_at:%Y%m%d}{ticket.pk:06d}."
    ]
    write(ticket, "2")
    assert not Rating.objects.exists()


def test_without_ratings_the_contact_is_thanked(ticket: Ticket, agent: User) -> None:
    resolve(ticket, agent)
    assert sent(ticket)[0].startswith("Obrigado, Maria!")
    assert TrackingCycle.objects.get(ticket=ticket).rating_asked_at is None


@pytest.mark.parametrize("setting", ["enabled", "disabled"])
def test_a_group_hears_nothing(acme: Company, ticket: Ticket, agent: User, setting: str) -> None:
    CompanySetting.objects.create(company=acme, key="userRating", value=setting)
    ticket.is_group = True
    ticket.save()
    assert resolve(ticket, agent).status == "closed"
    assert sent(ticket) == []


@pytest.mark.usefixtures("asks")
def test_the_queue_speaks_before_the_connection(ticket: Ticket, agent: User, queue: Queue) -> None:
    queue.rating_message = "Como foi na {{name}}?"
    queue.completion_message = "Até logo da Vendas!"
    queue.save()
    resolve(ticket, agent)
    write(ticket, "3")
    assert sent(ticket) == [f"Como foi na Maria Silva?\n\n{SCALE}", "Até logo da Vendas!"]


@pytest.mark.usefixtures("asks")
def test_a_question_too_long_for_one_message_goes_in_several(
    ticket: Ticket, agent: User, queue: Queue
) -> None:
    queue.rating_message = "palavra " * 512
    queue.save()
    resolve(ticket, agent)
    first, second = sent(ticket)
    assert (len(first) <= 4096, second) == (True, SCALE)
    write(ticket, "3")
    assert Rating.objects.get().rate == 3


@pytest.mark.usefixtures("asks")
def test_without_words_of_its_own_the_question_is_ours_and_there_is_no_thanks(
    ticket: Ticket, agent: User, connection: Connection
) -> None:
    connection.rating_message = connection.completion_message = " "
    connection.save()
    resolve(ticket, agent)
    write(ticket, "3")
    assert sent(ticket) == [f"Como você avalia o nosso atendimento?\n\n{SCALE}"]


@pytest.mark.usefixtures("asks")
def test_a_closed_window_or_a_lost_connection_asks_nothing_and_is_no_error(
    ticket: Ticket, agent: User
) -> None:
    ticket.last_inbound_at = timezone.now() - timedelta(hours=25)
    ticket.save()
    assert resolve(ticket, agent).status == "closed"
    assert sent(ticket) == []
    assert TrackingCycle.objects.get(ticket=ticket).rating_asked_at is None
    change(ticket, agent, status="open")
    Ticket.objects.filter(pk=ticket.pk).update(connection=None)
    assert resolve(ticket, agent).status == "closed"
    assert sent(ticket) == []


def test_a_text_that_can_be_no_rating_costs_no_query_more(
    ticket: Ticket, connection: Connection
) -> None:
    make_message(ticket)
    with CaptureQueriesContext(database) as plain:
        write(ticket, "Olá", external_id="wamid.x")
    with CaptureQueriesContext(database) as number:
        write(ticket, "2", external_id="wamid.y")
    assert len(number) <= len(plain) + 1


@pytest.mark.usefixtures("asks")
def test_nobody_is_asked_again_before_the_companys_days_are_over(
    ticket: Ticket, agent: User, acme: Company
) -> None:
    days = CompanySetting.objects.create(company=acme, key="ratingEveryDays", value="7")
    resolve(ticket, agent)
    ticket = change(ticket, agent, status="open", userId=agent.pk)
    resolve(ticket, agent)
    question = f"Maria, que nota você nos dá?\n\n{SCALE}"
    assert [text == question for text in sent(ticket)] == [True, False]
    assert sent(ticket)[1].startswith("Obrigado, Maria!")
    asked_long_ago(ticket, days=8)
    ticket = change(ticket, agent, status="open", userId=agent.pk)
    resolve(ticket, agent)
    assert sent(ticket)[2] == question
    days.value = "0"
    days.save()
    ticket = change(ticket, agent, status="open", userId=agent.pk)
    resolve(ticket, agent)
    assert sent(ticket)[3] == question
