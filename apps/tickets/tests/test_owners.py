"""Who leads a conversation, and what is sent where another does (rules/tickets §14)."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import ServiceToken, User
from apps.common.leases import LeaseState
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.tickets.models import Delivery, Message, Ticket, TrackingCycle
from apps.tickets.origins import Origin
from apps.tickets.owners import known_owner, owner_now
from apps.tickets.serializers import ticket_row
from apps.tickets.services.bot.leading import end_bot
from apps.tickets.services.bot.timers import run_timers
from apps.tickets.services.messages.addressing import ticket_for_sending
from apps.tickets.services.outbox import LedElsewhere, send_text, write_automatic_text
from apps.tickets.services.outbox.deliveries import deliver_due
from apps.tickets.services.tickets.opening import open_ticket
from apps.tickets.services.tickets.transitions import TicketChange
from apps.tickets.services.tickets.updates import update_ticket
from apps.tickets.tests.bot import receive
from apps.tickets.tests.test_deliveries import queue_up
from tests.factories import make_connection, make_ticket
from tests.graph import GraphServer, graph_error

pytestmark = pytest.mark.django_db


@pytest.fixture
def ticket(acme: Company, connection: Connection, agent: User) -> Ticket:
    """A conversation that the agent holds and another responder leads."""
    now = timezone.now()
    return make_ticket(
        acme,
        connection=connection,
        queue=agent.queues.get(),
        user=agent,
        status="open",
        last_inbound_at=now,
        owner="other",
        owner_at=now - timedelta(minutes=1),
    )


def owner_of(ticket: Ticket) -> str:
    return Ticket.objects.get(pk=ticket.pk).owner


@pytest.mark.parametrize(
    ("owner", "hours", "now"),
    [
        ("us", 30, "us"),
        ("other", 23, "other"),
        ("other", 25, "idle"),
        ("idle", 1, "idle"),
        ("us", None, "us"),
    ],
)
def test_another_responders_conversation_is_idle_after_a_silent_day(
    ticket: Ticket, owner: str, hours: int | None, now: str
) -> None:
    at = None if hours is None else timezone.now() - timedelta(hours=hours)
    assert owner_now(owner, at) == now
    Ticket.objects.update(owner=owner, owner_at=at)
    row = ticket_row(ticket)
    assert (row["owner"], row["ownerAt"]) == (now, at)


@pytest.mark.parametrize("source", ["bot", "integration", "ai", "api", "campaign", "schedule"])
def test_what_waits_in_the_outbox_is_closed_when_the_conversation_was_taken(
    ticket: Ticket, graph: GraphServer, source: str
) -> None:
    row = queue_up(ticket, source=source)
    assert deliver_due(limit=10) == 1
    row.refresh_from_db()
    row.message.refresh_from_db()
    assert graph.messages == []
    assert (row.state, row.message.ack, row.message.reason_code) == (
        LeaseState.FAILED,
        -1,
        "led_elsewhere",
    )
    assert row.message.error_reason.startswith("Outro agente conduz esta conversa.")
    assert owner_of(ticket) == "other"
    # It holds up nothing: a person's message behind it goes.
    queue_up(ticket, "Sou eu", source="agent")
    deliver_due(limit=10)
    assert graph.bodies == ["Sou eu"]


def test_a_conversation_that_is_taken_after_the_claim_stays_taken(
    ticket: Ticket, graph: GraphServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    Ticket.objects.update(owner="us")
    row = queue_up(ticket, source="bot")

    def taken_meanwhile(delivery: Delivery) -> None:
        Ticket.objects.update(owner="other", owner_at=timezone.now())

    place = "apps.tickets.services.outbox.deliveries.begins_again"
    monkeypatch.setattr(place, taken_meanwhile)
    deliver_due(limit=10)
    row.refresh_from_db()
    assert (graph.messages, row.state) == ([], LeaseState.WAITING)
    deliver_due(limit=10)
    row.refresh_from_db()
    assert (graph.messages, row.state) == ([], LeaseState.FAILED)


def test_templates_go_and_take_no_conversation_over(ticket: Ticket, graph: GraphServer) -> None:
    template = {"name": "oi", "language": "pt_BR", "components": []}
    row = queue_up(
        ticket, "oi", source="campaign", media_type="template", payload={"template": template}
    )
    deliver_due(limit=10)
    row.refresh_from_db()
    assert (row.state, len(graph.messages), owner_of(ticket)) == (LeaseState.DONE, 1, "other")


def test_a_persons_message_takes_the_conversation_over_once_meta_accepts_it(
    ticket: Ticket, agent: User, graph: GraphServer, emitted: Any
) -> None:
    graph.fault = lambda payload: graph_error(131026)
    send_text(ticket=ticket, user=agent, body="Oi")
    deliver_due(limit=10)
    assert owner_of(ticket) == "other"
    graph.fault = lambda payload: False
    send_text(ticket=ticket, user=agent, body="Sou eu")
    emitted.clear()
    deliver_due(limit=10)
    assert owner_of(ticket) == "us"
    assert emitted[-1][0] == "ticket"
    assert emitted[-1][1]["ticket"]["owner"] == "us"
    # What is ours is written no second time.
    since = Ticket.objects.get().owner_at
    send_text(ticket=ticket, user=agent, body="De novo")
    deliver_due(limit=10)
    assert Ticket.objects.get().owner_at == since


def test_what_a_person_planned_goes_where_nobody_leads(ticket: Ticket, graph: GraphServer) -> None:
    Ticket.objects.update(owner_at=timezone.now() - timedelta(hours=25))
    queue_up(ticket, "Amanhã às 9", source="schedule")
    queue_up(ticket, "Bot", source="bot")
    deliver_due(limit=10)
    # The first has made it ours; the second was claimed before that, when nobody led.
    assert graph.bodies == ["Amanhã às 9"]
    assert owner_of(ticket) == "us"


def test_a_program_is_refused_before_anything_is_written(ticket: Ticket, admin: User) -> None:
    admin.service_token = ServiceToken(pk=1)
    with pytest.raises(LedElsewhere):
        send_text(ticket=ticket, user=admin, body="Oi")
    assert not Message.objects.exists()
    Ticket.objects.update(owner="us")
    assert send_text(ticket=ticket, user=admin, body="Oi").source == "api"


def test_no_automatic_text_is_written_where_we_do_not_lead(ticket: Ticket) -> None:
    for owner, written in (("other", False), ("idle", False), ("us", True)):
        ticket.owner = owner
        assert (write_automatic_text(ticket, "Olá", Origin.RATING) is not None) == written


def test_the_bot_that_gives_up_says_nothing_where_another_leads(
    acme: Company, connection: Connection
) -> None:
    waiting = make_ticket(
        acme,
        connection=connection,
        chatbot=True,
        last_inbound_at=timezone.now(),
        owner="other",
        owner_at=timezone.now(),
    )
    end_bot(waiting, "failed")
    assert Ticket.objects.get().queue is not None
    assert not Message.objects.exists()


def test_timers_leave_what_another_leads_alone(acme: Company, connection: Connection) -> None:
    connection.transfer_queue = connection.queues.get()
    connection.minutes_to_transfer = 5
    connection.save()
    waiting = make_ticket(acme, connection=connection, owner="other", owner_at=timezone.now())
    TrackingCycle.objects.update(queued_at=timezone.now() - timedelta(minutes=6))
    assert run_timers() == 0
    Ticket.objects.update(owner_at=timezone.now() - timedelta(hours=25))
    assert run_timers() == 1
    assert Ticket.objects.get(pk=waiting.pk).queue == connection.transfer_queue
    assert not Message.objects.exists()


def test_what_came_late_is_read_and_answered_by_nobody(connection: Connection) -> None:
    receive(connection, "Oi")
    taken_at = timezone.now()
    Ticket.objects.update(owner="other", owner_at=taken_at)
    assert receive(connection, "1", sent_at=taken_at - timedelta(seconds=30)) == []
    late, ticket = Message.objects.latest("pk"), Ticket.objects.get()
    assert (late.is_read, ticket.unread_count, ticket.owner) == (True, 1, "other")
    Ticket.objects.update(owner_at=taken_at - timedelta(seconds=30))
    receive(connection, "1")
    ticket.refresh_from_db()
    assert (ticket.unread_count, ticket.owner) == (2, "us")


def test_an_ordinary_number_never_writes_the_owner(connection: Connection) -> None:
    receive(connection, "Oi")
    receive(connection, "1")
    ticket = Ticket.objects.get()
    assert (ticket.owner, ticket.owner_at) == ("us", None)


def test_a_new_ticket_of_the_conversation_knows_who_leads_it(
    acme: Company, ticket: Ticket, admin: User, connection: Connection
) -> None:
    Ticket.objects.update(status="closed", closed_at=timezone.now())
    contact = ticket.contact
    new = open_ticket(user=admin, contact_id=contact.pk, connection_id=connection.pk)
    assert (new.owner, new.owner_at) == (ticket.owner, ticket.owner_at)
    other = make_connection(acme)
    change = TicketChange.of({"connection_id": other.pk})
    moved = update_ticket(user=admin, ticket_id=new.pk, change=change)
    assert (moved.owner, moved.owner_at) == ("us", None)
    known = known_owner(company_id=acme.pk, contact_id=contact.pk, connection_id=connection.pk)
    assert known["owner"] == "other"
    assert ticket_for_sending(contact=contact, connection=connection).owner == "other"
