from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.providers.base import Capabilities
from apps.queues.models import Queue
from apps.tickets.models import Ack, Delivery, Message, MessageReaction, Ticket
from apps.tickets.services.messages import changes
from apps.tickets.services.outbox.deliveries import deliver_due
from conftest import ClientFor
from tests.factories import make_message, make_ticket, make_user
from tests.graph import GraphServer, graph_error

EVERYTHING = Capabilities(
    edit=True,
    delete=True,
    react=True,
    native_menus=False,
    templates=False,
    session_window=False,
)


@pytest.fixture
def can_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "capabilities_of_kind", lambda kind: EVERYTHING)


def react(client: Any, message: Message, emoji: Any) -> Any:
    return client.post(f"/api/messages/{message.pk}/reaction", {"emoji": emoji}, format="json")


def edit(client: Any, message: Message, body: Any) -> Any:
    return client.put(f"/api/messages/{message.pk}", {"body": body}, format="json")


def test_a_reaction_is_shown_at_once_told_and_delivered(
    client_for: ClientFor, agent: User, ticket: Ticket, graph: GraphServer, told: list[Any]
) -> None:
    message = make_message(ticket, external_id="wamid.in")
    before = message.updated_at
    answer = react(client_for(agent), message, "👍")
    assert answer.status_code == 200
    assert answer.json()["reactions"] == [{"emoji": "👍", "fromMe": True, "name": "Bob"}]
    assert [each.payload["action"] for each in told] == ["update"]
    assert told[0].payload["message"]["reactions"] == answer.json()["reactions"]
    message.refresh_from_db()
    assert message.updated_at > before
    deliver_due(limit=10)
    assert graph.messages[0]["reaction"] == {"message_id": "wamid.in", "emoji": "👍"}


def test_another_emoji_takes_the_place_and_an_empty_one_takes_it_back(
    client_for: ClientFor, agent: User, admin: User, ticket: Ticket, graph: GraphServer
) -> None:
    message = make_message(ticket, external_id="wamid.in")
    MessageReaction.objects.create(message=message, from_me=False, sender=ticket.contact, emoji="❤️")
    react(client_for(agent), message, "👍")
    react(client_for(agent), message, "👍")
    assert Delivery.objects.count() == 1
    react(client_for(admin), message, "😮")
    assert MessageReaction.objects.get(from_me=True).user == admin
    assert react(client_for(agent), message, "").json()["reactions"] == [
        {"emoji": "❤️", "fromMe": False, "name": ticket.contact.name}
    ]
    deliver_due(limit=10)
    assert [each["reaction"]["emoji"] for each in graph.messages] == ["👍", "😮", ""]


@pytest.mark.parametrize("emoji", ["ok", "👍 👍", "a👍", ":)", "👍" * 41, 3, {}])
def test_a_reaction_is_one_emoji(
    client_for: ClientFor, agent: User, ticket: Ticket, emoji: Any
) -> None:
    answer = react(client_for(agent), make_message(ticket), emoji)
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["emoji"])
    assert not MessageReaction.objects.exists()


def test_only_who_may_write_reacts_while_the_window_is_open(
    client_for: ClientFor,
    acme: Company,
    queue: Queue,
    agent: User,
    outsider: User,
    ticket: Ticket,
) -> None:
    message = make_message(ticket)
    assert react(client_for(outsider), message, "👍").status_code == 404
    assert react(client_for(make_user(acme)), message, "👍").status_code == 403
    assert react(client_for(make_user(acme, queues=[queue])), message, "👍").status_code == 403
    old = make_message(ticket, created_at=timezone.now() - timedelta(days=31))
    assert react(client_for(agent), old, "👍").json()["code"] == "ERR_REACT_WAPP_MSG"
    unsent = make_message(ticket, from_me=True, external_id=None)
    assert react(client_for(agent), unsent, "👍").json()["code"] == "ERR_MESSAGE_NOT_SENT"
    gone = make_message(ticket, is_deleted=True)
    assert react(client_for(agent), gone, "👍").json()["code"] == "ERR_MESSAGE_DELETED"
    Ticket.objects.update(owner="other", owner_at=timezone.now())
    assert react(client_for(agent), message, "👍").json()["code"] == "ERR_LED_ELSEWHERE"
    Ticket.objects.update(last_inbound_at=None)
    assert react(client_for(agent), message, "👍").json()["code"] == "ERR_OUTSIDE_24H_WINDOW"
    Ticket.objects.update(status="pending", user=None)
    assert react(client_for(agent), message, "👍").json()["code"] == "ERR_TICKET_NOT_OPEN"
    assert not Delivery.objects.exists()


def test_a_message_of_an_earlier_ticket_is_answered_from_the_open_one(
    client_for: ClientFor, acme: Company, agent: User, queue: Queue, ticket: Ticket
) -> None:
    earlier = make_ticket(
        acme, contact=ticket.contact, connection=ticket.connection, queue=queue, status="closed"
    )
    message = make_message(earlier)
    assert react(client_for(agent), message, "👍").status_code == 200
    ticket.status = "closed"
    ticket.save()
    assert react(client_for(agent), message, "❤️").json()["code"] == "ERR_TICKET_NOT_OPEN"


def test_a_reaction_that_the_provider_refuses_for_good_goes_back(
    client_for: ClientFor, agent: User, ticket: Ticket, graph: GraphServer, told: list[Any]
) -> None:
    message = make_message(ticket)
    react(client_for(agent), message, "👍")
    deliver_due(limit=10)
    graph.fault = lambda payload: graph_error(131009)
    react(client_for(agent), message, "😮")
    deliver_due(limit=10)
    assert MessageReaction.objects.get().emoji == "👍"
    message.refresh_from_db()
    assert message.error_code == "ERR_REACT_WAPP_MSG"
    assert message.error_reason
    assert told[-1].payload["message"]["reactions"][0]["emoji"] == "👍"
    graph.fault = lambda payload: False
    assert react(client_for(agent), message, "").json()["errorReason"] == ""


def test_a_passing_fault_repeats_a_reaction_until_it_is_there(
    client_for: ClientFor, agent: User, ticket: Ticket, graph: GraphServer
) -> None:
    message = make_message(ticket)
    react(client_for(agent), message, "👍")
    graph.fault = lambda payload: (503, {})
    deliver_due(limit=10)
    graph.fault = lambda payload: False
    Delivery.objects.update(next_attempt_at=timezone.now())
    deliver_due(limit=10)
    assert [each["reaction"]["emoji"] for each in graph.messages] == ["👍"]
    assert MessageReaction.objects.get().emoji == "👍"


def test_the_official_provider_can_not_edit(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    message = make_message(ticket, from_me=True, user=agent, ack=Ack.SENT)
    answer = edit(client_for(agent), message, "Outro")
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_EDIT_WAPP_MSG")
    assert "API oficial" in answer.json()["message"]
    assert Message.objects.get().body == message.body


@pytest.mark.usefixtures("can_everything")
def test_an_older_browser_edits_at_its_own_address(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    message = make_message(ticket, body="Antes", from_me=True, user=agent, ack=Ack.READ)
    form = {"read": 1, "fromMe": True, "mediaUrl": "", "body": "Depois", "quotedMsg": None}
    answer = client_for(agent).post(f"/api/messages/edit/{message.pk}", form, format="json")
    assert (answer.status_code, answer.json()["body"]) == (200, "Depois")
    message.refresh_from_db()
    assert (message.body, message.is_edited) == ("Depois", True)


@pytest.mark.usefixtures("can_everything")
def test_an_edit_changes_the_text_its_row_in_the_list_and_is_delivered(
    client_for: ClientFor, agent: User, ticket: Ticket, told: list[Any]
) -> None:
    message = make_message(ticket, body="Até as 18h", from_me=True, user=agent, ack=Ack.READ)
    Ticket.objects.update(latest_message=message, last_message="Até as 18h")
    answer = edit(client_for(agent), message, "Até às 19h").json()
    assert (answer["body"], answer["isEdited"], answer["ack"]) == ("Até às 19h", True, Ack.READ)
    ticket.refresh_from_db()
    assert ticket.last_message == "Até às 19h"
    assert [each.event for each in told] == ["appMessage", "ticket"]
    delivery = Delivery.objects.get()
    assert (delivery.kind, delivery.payload["body"]) == ("edit", "Até às 19h")
    edit(client_for(agent), message, "Até às 19h")
    assert Delivery.objects.count() == 1
    assert Message.objects.get(search_text="ate as 19h") == message


@pytest.mark.usefixtures("can_everything")
def test_an_edit_that_the_provider_refuses_goes_back(
    client_for: ClientFor, agent: User, ticket: Ticket, graph: GraphServer
) -> None:
    message = make_message(ticket, body="Antes", from_me=True, user=agent, ack=Ack.READ)
    edit(client_for(agent), message, "Depois")
    deliver_due(limit=10)  # the official provider can't
    message.refresh_from_db()
    assert (message.body, message.is_edited) == ("Antes", False)
    assert message.error_code == "ERR_EDIT_WAPP_MSG"
    client_for(agent).delete(f"/api/messages/{message.pk}")
    deliver_due(limit=10)
    message.refresh_from_db()
    assert (message.is_deleted, message.error_code) == (False, "ERR_DELETE_WAPP_MSG")


@pytest.mark.usefixtures("can_everything")
def test_only_ones_own_new_text_is_edited(
    client_for: ClientFor,
    acme: Company,
    queue: Queue,
    agent: User,
    admin: User,
    outsider: User,
    ticket: Ticket,
) -> None:
    mine = make_message(ticket, from_me=True, user=agent, ack=Ack.SENT)
    assert edit(client_for(outsider), mine, "x").status_code == 404
    assert edit(client_for(make_user(acme, queues=[queue])), mine, "x").status_code == 403
    for blank in ("", "  \n", None):
        answer = edit(client_for(agent), mine, blank)
        assert (answer.status_code, list(answer.json()["fields"])) == (400, ["body"])
    assert edit(client_for(agent), mine, "a" * 4097).status_code == 400
    theirs = make_message(ticket)
    assert edit(client_for(agent), theirs, "x").json()["code"] == "ERR_EDIT_WAPP_MSG"
    admins = make_message(ticket, from_me=True, user=admin, ack=Ack.SENT)
    assert edit(client_for(agent), admins, "x").json()["code"] == "ERR_EDIT_WAPP_MSG"
    picture = make_message(ticket, from_me=True, user=agent, media_type="image", ack=Ack.SENT)
    assert edit(client_for(agent), picture, "x").json()["code"] == "ERR_EDIT_WAPP_MSG"
    failed = make_message(ticket, from_me=True, user=agent, ack=Ack.ERROR)
    assert edit(client_for(agent), failed, "x").json()["code"] == "ERR_MESSAGE_NOT_SENT"
    Message.objects.filter(pk=mine.pk).update(created_at=timezone.now() - timedelta(minutes=16))
    late = edit(client_for(agent), mine, "x")
    assert (late.status_code, late.json()["code"]) == (409, "ERR_EDIT_TOO_LATE")
    Message.objects.filter(pk=mine.pk).update(is_deleted=True)
    assert edit(client_for(agent), mine, "x").json()["code"] == "ERR_MESSAGE_DELETED"
    assert not Delivery.objects.exists()


@pytest.mark.usefixtures("can_everything")
def test_what_was_edited_again_stays_when_the_first_edit_is_refused(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    message = make_message(ticket, body="1", from_me=True, user=agent, ack=Ack.READ)
    edit(client_for(agent), message, "2")
    edit(client_for(agent), message, "3")
    first = Delivery.objects.order_by("pk")[0]
    changes.undo_change(first, "Não deu.")
    message.refresh_from_db()
    assert message.body == "3"
