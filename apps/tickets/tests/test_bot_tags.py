"""Options that tag whoever chooses them."""

from typing import Any

import pytest

from apps.companies.models import Company
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets.models import TicketTag
from apps.tickets.tests.bot import receive, the_ticket
from tests.factories import make_tag

pytestmark = pytest.mark.django_db
Events = list[dict[str, Any]]


@pytest.fixture
def number(connection: Connection) -> Connection:
    Connection.objects.filter(pk=connection.pk).update(bot_quiet_seconds=0)
    return connection


def tags() -> list[str]:
    return sorted(the_ticket().tags.values_list("name", flat=True))


def test_every_option_on_the_way_tags(
    acme: Company, queue: Queue, number: Connection, events: Events
) -> None:
    lane, label = make_tag(acme, name="Triagem", is_kanban=True), make_tag(acme, name="Defeito")
    top = queue.options.create(title="Defeito", message="Que pena!", tag=lane)
    queue.options.create(title="Outro", parent=top, message="Certo.")
    below = queue.options.create(title="Peça", parent=top, position=2, tag=label)
    below.children.create(queue=queue, title="Botão", message="Anotado.", tag=label)
    receive(number, "Oi")
    receive(number, "1")
    assert tags() == ["Triagem"]
    told = [each for each in events if each["event"] == "appMessage"][-1]
    assert [tag["name"] for tag in told["payload"]["ticket"]["tags"]] == ["Triagem"]
    receive(number, "2")
    receive(number, "1")
    assert tags() == ["Defeito", "Triagem"]


def told_in_conversation(events: Events) -> list[tuple[list[str], str]]:
    """What an open conversation heard of its ticket: the tags, and the activity that it was."""
    room = f"ticket:{the_ticket().pk}:all"
    told = [
        each["payload"] for each in events if each["event"] == "ticket" and room in each["rooms"]
    ]
    events.clear()
    return [
        ([tag["name"] for tag in each["ticket"]["tags"]], each.get("event", {}).get("kind", ""))
        for each in told
    ]


def test_browsers_hear_of_a_tag_though_the_ticket_stays_where_it_is(
    acme: Company, queue: Queue, number: Connection, events: Events
) -> None:
    lane, label = make_tag(acme, name="Triagem", is_kanban=True), make_tag(acme, name="Defeito")
    top = queue.options.create(title="Defeito", message="Que pena!", tag=lane)
    for title in ("Botão", "Tela"):
        queue.options.create(title=title, parent=top, message="E?", tag=label)
    top.children.get(title="Botão").children.create(queue=queue, title="Outro", message="Certo.")
    receive(number, "Oi")
    events.clear()
    receive(number, "1")
    assert told_in_conversation(events) == [(["Triagem"], "")]
    receive(number, "1")
    assert told_in_conversation(events) == [(["Defeito", "Triagem"], "")]
    # It carries the tag already.
    receive(number, "0")
    receive(number, "1")
    assert told_in_conversation(events) == []
    # Told once, with the line that says why the bot ended.
    TicketTag.objects.filter(tag=label).delete()
    receive(number, "0")
    receive(number, "2")
    assert told_in_conversation(events) == [(["Defeito", "Triagem"], "bot_ended")]


def test_a_lane_takes_the_place_of_the_one_before(
    acme: Company, queue: Queue, number: Connection
) -> None:
    lanes = [make_tag(acme, name=name, is_kanban=True) for name in ("A", "B")]
    top = queue.options.create(title="Sim", message="E?", tag=lanes[0])
    queue.options.create(title="Mais", parent=top, message="Certo.", tag=lanes[1])
    receive(number, "Oi")
    receive(number, "1")
    receive(number, "1")
    assert tags() == ["B"]
