"""Ratings that are asked for by a template, outside the 24-hour window (rules/tickets §12)."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets.models import Delivery, Message, Rating, RatingRequest, Ticket, TrackingCycle
from apps.tickets.services.tickets.rating_requests import ask_due
from apps.tickets.tests.test_ratings import change, resolve, write
from apps.tickets.tests.test_templates import row
from tests.factories import make_connection, make_ticket
from tests.graph import GraphServer

pytestmark = pytest.mark.django_db(transaction=True)
WORDS = {"type": "BODY", "text": "Que nota você nos dá?"}
ANSWERS = {
    "type": "BUTTONS",
    "buttons": [
        {"type": "QUICK_REPLY", "text": text}
        for text in ("Insatisfeito", "Satisfeito", "Muito satisfeito")
    ],
}


@pytest.fixture
def template(acme: Company, graph: GraphServer) -> None:
    graph.templates = [
        row("nota", WORDS, ANSWERS),
        row("nota_com_nome", {"type": "BODY", "text": "Olá, {{1}}!"}),
    ]
    for key, value in (("userRating", "enabled"), ("ratingTemplate", "nota")):
        CompanySetting.objects.create(company=acme, key=key, value=value)


@pytest.fixture
def ticket(acme: Company, connection: Connection, queue: Queue, agent: User) -> Ticket:
    """An open ticket whose contact last wrote two days ago."""
    heard_at = timezone.now() - timedelta(days=2)
    return make_ticket(
        acme,
        connection=connection,
        queue=queue,
        user=agent,
        status="open",
        last_inbound_at=heard_at,
    )


def asked(ticket: Ticket) -> bool:
    return TrackingCycle.objects.filter(ticket=ticket, rating_asked_at__isnull=False).exists()


@pytest.mark.usefixtures("template")
def test_the_template_goes_out_and_its_button_is_the_rating(ticket: Ticket, agent: User) -> None:
    resolve(ticket, agent)
    assert not Message.objects.filter(from_me=True).exists()
    assert ask_due(limit=10) == 1
    message = Message.objects.get(from_me=True)
    assert (message.body, message.origin, message.source) == (WORDS["text"], "rating", "bot")
    template = Delivery.objects.get(message=message).payload["template"]
    assert template["name"] == "nota"
    assert asked(ticket)
    assert not RatingRequest.objects.exists()
    with transaction.atomic():
        write(ticket, "Muito satisfeito")
    assert Rating.objects.get().rate == 3
    ticket.refresh_from_db()
    assert ticket.status == "closed"
    assert ask_due(limit=10) == 0


@pytest.mark.usefixtures("template")
def test_in_the_window_the_text_is_sent(ticket: Ticket, agent: User) -> None:
    Ticket.objects.update(last_inbound_at=timezone.now())
    ticket.refresh_from_db()
    resolve(ticket, agent)
    assert not RatingRequest.objects.exists()
    assert Message.objects.get(from_me=True).body.startswith("Como você avalia")


@pytest.mark.usefixtures("template")
def test_who_goes_on_meanwhile_is_not_asked(ticket: Ticket, agent: User) -> None:
    resolve(ticket, agent)
    change(ticket, agent, status="open", userId=agent.pk)
    assert ask_due(limit=10) == 1
    assert not Message.objects.filter(from_me=True).exists()
    assert not RatingRequest.objects.exists()


@pytest.fixture
def other(ticket: Ticket, acme: Company, queue: Queue, agent: User) -> Ticket:
    """Another open ticket of the same contact, on another number, whose window is closed too."""
    return make_ticket(
        acme,
        contact=ticket.contact,
        connection=make_connection(acme, queues=[queue]),
        queue=queue,
        user=agent,
        status="open",
        last_inbound_at=ticket.last_inbound_at,
    )


@pytest.mark.usefixtures("template")
def test_who_is_asked_meanwhile_elsewhere_is_not_asked_twice(
    ticket: Ticket, other: Ticket, agent: User, acme: Company
) -> None:
    CompanySetting.objects.create(company=acme, key="ratingEveryDays", value="7")
    resolve(ticket, agent)
    Ticket.objects.filter(pk=other.pk).update(last_inbound_at=timezone.now())
    resolve(other, agent)
    assert asked(other)
    assert ask_due(limit=10) == 1
    assert not asked(ticket)
    assert not RatingRequest.objects.exists()
    assert Message.objects.filter(from_me=True).count() == 1


@pytest.mark.usefixtures("template")
def test_of_two_requests_that_wait_for_a_contact_one_is_asked(
    ticket: Ticket, other: Ticket, agent: User, acme: Company
) -> None:
    CompanySetting.objects.create(company=acme, key="ratingEveryDays", value="7")
    resolve(ticket, agent)
    resolve(other, agent)
    assert RatingRequest.objects.count() == 2
    assert ask_due(limit=10) == 2
    assert [asked(ticket), asked(other)].count(True) == 1
    assert Message.objects.filter(from_me=True).count() == 1


@pytest.mark.usefixtures("template")
@pytest.mark.parametrize("name", ["nota_com_nome", "outro", ""])
def test_what_cannot_be_sent_is_given_up(
    ticket: Ticket, agent: User, acme: Company, name: str
) -> None:
    resolve(ticket, agent)
    CompanySetting.objects.filter(company=acme, key="ratingTemplate").update(value=name)
    assert ask_due(limit=10) == 1
    assert not RatingRequest.objects.exists()
    assert not asked(ticket)


@pytest.mark.usefixtures("template")
def test_while_meta_does_not_answer_it_waits(
    ticket: Ticket, agent: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    from apps.connections.services import TemplatesUnavailable
    from apps.tickets.services.tickets import rating_requests

    def fail(*_: Any) -> None:
        raise TemplatesUnavailable

    resolve(ticket, agent)
    with monkeypatch.context() as patch:
        patch.setattr(rating_requests, "filled_template", fail)
        assert ask_due(limit=10) == 1
    request = RatingRequest.objects.get()
    assert request.next_attempt_at > timezone.now()
    RatingRequest.objects.update(next_attempt_at=timezone.now())
    assert ask_due(limit=10) == 1
    assert asked(ticket)


@pytest.mark.usefixtures("template")
def test_a_day_later_nobody_asks(ticket: Ticket, agent: User) -> None:
    resolve(ticket, agent)
    RatingRequest.objects.update(created_at=timezone.now() - timedelta(hours=25))
    assert ask_due(limit=10) == 1
    assert not RatingRequest.objects.exists()
    assert not asked(ticket)


def test_without_the_setting_nothing_is_planned(ticket: Ticket, agent: User, acme: Company) -> None:
    CompanySetting.objects.create(company=acme, key="userRating", value="enabled")
    resolve(ticket, agent)
    assert not RatingRequest.objects.exists()
