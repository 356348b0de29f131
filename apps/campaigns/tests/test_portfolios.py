"""Campaigns keep within the limit that the numbers of a portfolio share (rules/campaigns §4)."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import connection as database

from apps.accounts.models import User
from apps.campaigns.models import Campaign
from apps.campaigns.services.running import cancel_campaign
from apps.campaigns.services.sending import send_due
from apps.campaigns.tests.conftest import Clock, Make
from apps.campaigns.tests.test_costs import template, wrote
from apps.campaigns.tests.test_sending import people_of, reread, states, work
from apps.companies.models import Company
from apps.connections.models import BegunConversation, Connection
from apps.tickets.models import Delivery, MessageSource
from apps.tickets.services.outbox import Text, write_message
from apps.tickets.services.outbox.deliveries import deliver_due
from tests.factories import make_connection, make_contact, make_contact_list, make_ticket
from tests.graph import GraphServer, graph_error

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_once")]
WABA = "600000000000111"


@pytest.fixture(autouse=True)
def ahead(clock: Clock) -> None:
    """Be ahead of the real clock, by which what is written is due."""
    clock.pass_time(hours=1)


@pytest.fixture
def numbers(acme: Company, graph: GraphServer) -> tuple[Connection, Connection]:
    """Two numbers of one account that may write first to three people together."""
    return (
        make_connection(acme, waba_id=WABA, messaging_limit=3),
        make_connection(acme, waba_id=WABA, messaging_limit=3),
    )


def drain() -> None:
    while send_due(limit=10) or deliver_due(limit=10):
        pass


def sent_to(graph: GraphServer) -> list[str]:
    return [message["to"] for message in graph.messages]


def number_of(place: int) -> str:
    return f"55119{place:08d}"


def test_two_campaigns_of_a_portfolio_begin_no_more_than_its_limit(
    clock: Clock, acme: Company, due: Make, graph: GraphServer, numbers: tuple[Any, Any]
) -> None:
    filled = template(graph)
    first = due(connection=numbers[0], contact_list=people_of(acme, 2), **filled)
    second = due(connection=numbers[1], contact_list=people_of(acme, 5), **filled)
    drain()
    # The two of the first count once: who counts already takes no room.
    assert sorted(states(first) + states(second)).count("pending") == 2
    assert set(sent_to(graph)) == {number_of(place) for place in range(3)}
    assert [reread(each).wait_code for each in (first, second)] == ["", "portfolio_limit"]
    # Nothing happens until the oldest ends, and then all that wait go on.
    clock.pass_time(hours=23, minutes=59)
    drain()
    assert len(set(sent_to(graph))) == 3
    clock.pass_time(minutes=2)
    drain()
    assert states(second) == ["sent"] * 5
    assert sorted(set(sent_to(graph))) == [number_of(place) for place in range(5)]
    assert len(sent_to(graph)) == 7, "nobody gets a message twice"
    clock.pass_time(seconds=15)
    drain()
    assert reread(second).status == "FINALIZADA"


def test_it_looks_again_when_the_oldest_ends(
    clock: Clock, acme: Company, due: Make, graph: GraphServer, numbers: tuple[Any, Any]
) -> None:
    campaign = due(connection=numbers[0], contact_list=people_of(acme, 5), **template(graph))
    drain()
    assert states(campaign).count("pending") == 2
    oldest = BegunConversation.objects.order_by("begun_at").values_list("begun_at", flat=True)[0]
    clock.now = oldest + timedelta(hours=24, seconds=-30)
    drain()
    assert reread(campaign).next_attempt_at == oldest + timedelta(hours=24)


def test_who_has_an_open_window_goes_on_and_the_others_wait(
    clock: Clock, acme: Company, due: Make, graph: GraphServer, numbers: tuple[Any, Any]
) -> None:
    Connection.objects.update(messaging_limit=1)
    for place in (3, 4):
        wrote(clock, acme, numbers[0], number_of(place))
    # Who wrote to another number has no window here.
    wrote(clock, acme, numbers[1], number_of(2))
    campaign = due(connection=numbers[0], contact_list=people_of(acme, 5), **template(graph))
    drain()
    assert states(campaign) == ["sent", "pending", "pending", "sent", "sent"]
    assert reread(campaign).wait_code == "portfolio_limit"
    # A person who writes meanwhile needs no room.
    ticket = numbers[0].tickets.get(contact__canonical_number=number_of(1))
    type(ticket).objects.filter(pk=ticket.pk).update(last_inbound_at=clock.now)
    clock.pass_time(seconds=61)
    drain()
    assert states(campaign) == ["sent", "sent", "pending", "sent", "sent"]


def test_it_goes_on_when_the_limit_rises(
    clock: Clock, acme: Company, due: Make, graph: GraphServer, numbers: tuple[Any, Any]
) -> None:
    campaign = due(connection=numbers[0], contact_list=people_of(acme, 5), **template(graph))
    drain()
    assert reread(campaign).wait_code == "portfolio_limit"
    Connection.objects.filter(pk=numbers[1].pk).update(
        messaging_limit=2000, messaging_limit_at=clock.now
    )
    clock.pass_time(seconds=61)
    drain()
    assert states(campaign) == ["sent"] * 5


@pytest.mark.parametrize("limit", [-1, 0, None])
def test_without_a_limit_nobody_waits(
    clock: Clock,
    acme: Company,
    due: Make,
    graph: GraphServer,
    numbers: tuple[Any, Any],
    limit: int | None,
) -> None:
    Connection.objects.update(messaging_limit=limit)
    campaign = due(connection=numbers[0], contact_list=people_of(acme, 5), **template(graph))
    drain()
    assert states(campaign) == ["sent"] * 5


def test_what_people_and_programs_begin_counts_and_answers_do_not(
    clock: Clock, acme: Company, due: Make, graph: GraphServer, numbers: tuple[Any, Any]
) -> None:
    tickets = [
        make_ticket(acme, contact=make_contact(acme), connection=numbers[1]) for _ in range(3)
    ]
    answered, begun, refused = tickets
    type(answered).objects.filter(pk=answered.pk).update(last_inbound_at=clock.now)
    answered.refresh_from_db()
    graph.fault = lambda payload: (
        graph_error(131026) if payload.get("to") == refused.contact.number else False
    )
    for ticket, source in (
        (answered, MessageSource.AGENT),
        (begun, MessageSource.API),
        (begun, MessageSource.API),
        (refused, MessageSource.API),
    ):
        write_message(Text("Olá"), ticket=ticket, user=None, source=source)
    drain()
    assert not Delivery.objects.unfinished().exists()
    assert list(BegunConversation.objects.values_list("contact_id", flat=True)) == [
        begun.contact_id
    ]
    campaign = due(connection=numbers[0], contact_list=people_of(acme, 5), **template(graph))
    drain()
    assert states(campaign).count("sent") == 2


def test_what_stands_in_the_outbox_takes_room(
    clock: Clock, acme: Company, due: Make, graph: GraphServer, numbers: tuple[Any, Any]
) -> None:
    for _ in range(3):
        ticket = make_ticket(acme, contact=make_contact(acme), connection=numbers[1])
        write_message(Text("Olá"), ticket=ticket, user=None, source=MessageSource.API)
    campaign = due(connection=numbers[0], contact_list=people_of(acme, 5), **template(graph))
    for _ in range(2):
        work()
    assert states(campaign) == ["pending"] * 5
    assert reread(campaign).wait_code == "portfolio_limit"


def test_a_cancelled_campaign_gives_its_room_to_another(
    clock: Clock,
    acme: Company,
    admin: User,
    due: Make,
    graph: GraphServer,
    numbers: tuple[Any, Any],
) -> None:
    filled = template(graph)
    first = due(connection=numbers[0], contact_list=people_of(acme, 3), **filled)
    for _ in range(2):
        work()
    assert states(first) == ["queued"] * 3
    second = due(connection=numbers[1], contact_list=people_of(acme, 5), **filled)
    for _ in range(2):
        work()
    # The contacts of the first have their room; to write to them here takes no more of it.
    assert states(second) == ["queued", "queued", "queued", "pending", "pending"]
    cancel_campaign(user=admin, campaign_id=first.pk)
    drain()
    assert states(second) == ["sent", "sent", "sent", "pending", "pending"]


def test_another_companys_numbers_take_no_room(
    clock: Clock,
    acme: Company,
    globex: Company,
    due: Make,
    graph: GraphServer,
    numbers: tuple[Any, Any],
) -> None:
    stranger = make_connection(globex, waba_id=WABA, messaging_limit=3)
    for _ in range(3):
        ticket = make_ticket(globex, contact=make_contact(globex), connection=stranger)
        write_message(Text("Olá"), ticket=ticket, user=None, source=MessageSource.API)
    drain()
    campaign: Campaign = due(
        connection=numbers[0], contact_list=people_of(acme, 3), **template(graph)
    )
    drain()
    assert states(campaign) == ["sent"] * 3


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_workers_do_not_take_the_same_room(
    acme: Company, due: Make, graph: GraphServer, numbers: tuple[Any, Any]
) -> None:
    filled = template(graph)
    pairs = [(numbers[0], range(3)), (numbers[1], range(3, 6))]
    campaigns = []
    for number, places in pairs:
        people = [(f"Pessoa {place}", number_of(place)) for place in places]
        listed = make_contact_list(acme, people=people)
        campaigns.append(due(connection=number, contact_list=listed, **filled))
    work()
    barrier = Barrier(2)

    def hand_over_one() -> None:
        try:
            barrier.wait(10)
            send_due(limit=1)
        finally:
            database.close()

    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(hand_over_one) for _ in campaigns]:
            done.result(30)
    work()
    queued = [state for campaign in campaigns for state in states(campaign) if state == "queued"]
    assert len(queued) == 3
