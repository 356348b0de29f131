"""Macros: whose they are, what they do whole or not at all, and how they are undone
(rules/desk §15).
"""

from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.contacts.models import ContactField
from apps.desk.models import Macro, RuleRun
from apps.desk.services.rules.macros import UNDO_WITHIN
from apps.queues.models import Queue
from apps.realtime.rooms import company_room, user_room
from apps.tickets.models import Message, Ticket, TicketActivity, TicketTag
from conftest import ClientFor
from tests.factories import (
    make_queue,
    make_quick_message,
    make_role,
    make_tag,
    make_ticket,
    make_user,
)

pytestmark = pytest.mark.django_db
MACROS = "/api/macros"


@pytest.fixture
def ticket(acme: Company, queue: Queue, connection: Connection, agent: User) -> Ticket:
    return make_ticket(
        acme,
        queue=queue,
        connection=connection,
        user=agent,
        status="open",
        last_inbound_at=timezone.now(),
    )


def macro(owner: User | None, company: Company, *actions: dict[str, Any], **fields: Any) -> Macro:
    fields.setdefault("name", "Macro")
    return Macro.objects.create(company=company, user=owner, actions=list(actions), **fields)


def test_everybody_has_macros_and_admins_those_of_the_company(
    events: list[dict[str, Any]], admin: User, agent: User, acme: Company, client_for: ClientFor
) -> None:
    note = {"name": "Anotar", "actions": [{"do": "note", "text": "Visto"}]}
    own = client_for(agent).post(MACROS, {**note, "shortcut": "b"}, format="json")
    assert own.status_code == 201, own.json()
    assert (own.json()["isShared"], own.json()["isKnown"]) == (False, False)
    assert not CompanySetting.objects.filter(key="macros").exists()
    refused = client_for(agent).post(MACROS, {**note, "isShared": True}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (403, "ERR_NO_PERMISSION")
    shared = client_for(admin).post(MACROS, {**note, "name": "Da casa", "isShared": True}, "json")
    assert shared.json()["isShared"] is True
    # Who cares for rules decides that conversations offer them from now on.
    assert CompanySetting.objects.get(key="macros").value == "enabled"
    assert [row["name"] for row in client_for(agent).get(MACROS).json()] == ["Anotar", "Da casa"]
    # The agent's own is nobody else's.
    assert [row["name"] for row in client_for(admin).get(MACROS).json()] == ["Da casa"]
    address = f"{MACROS}/{shared.json()['id']}"
    assert client_for(agent).put(address, note, format="json").status_code == 403
    assert client_for(agent).delete(address).status_code == 403
    assert client_for(admin).delete(f"{MACROS}/{own.json()['id']}").status_code == 404
    rooms = [each["rooms"] for each in events if each["event"] == "macro"]
    assert rooms == [[user_room(agent.pk)], [company_room(acme.pk)]]


def test_a_key_belongs_to_one_macro(
    admin: User, agent: User, acme: Company, client_for: ClientFor
) -> None:
    macro(None, acme, {"do": "note", "text": "a"}, shortcut="b")
    body = {"name": "Outra", "shortcut": "b", "actions": [{"do": "note", "text": "a"}]}
    taken = client_for(agent).post(MACROS, body, format="json")
    assert (taken.status_code, taken.json()["code"]) == (400, "ERR_MACRO_SHORTCUT_EXISTS")
    for key in ("m", "B", "bc", "!"):
        refused = client_for(agent).post(MACROS, {**body, "shortcut": key}, format="json")
        assert refused.status_code == 400
    assert (
        client_for(agent).post(MACROS, {**body, "shortcut": "7"}, format="json").status_code == 201
    )


def test_a_macro_runs_whole_and_is_undone_whole(
    agent: User, acme: Company, queue: Queue, ticket: Ticket, client_for: ClientFor
) -> None:
    # The agent does not work in the other queue.
    old, tag, second = make_tag(acme), make_tag(acme), make_queue(acme)
    TicketTag.objects.create(ticket=ticket, tag=old)
    row = macro(
        agent,
        acme,
        {"do": "add_tag", "id": tag.pk},
        {"do": "remove_tag", "id": old.pk},
        {"do": "priority", "priority": 1},
        {"do": "contact_field", "name": "Cidade", "text": "Recife"},
        {"do": "note", "text": "Passei adiante"},
        {"do": "queue", "id": second.pk},
    )
    client = client_for(agent)
    assert client.get(MACROS).json()[0]["isKnown"] is False
    answer = client.post(f"/api/tickets/{ticket.pk}/macros", {"macroId": row.pk}, format="json")
    assert answer.status_code == 201, answer.json()
    run = answer.json()
    assert (run["canUndo"], run["userName"]) == (True, agent.name)
    ticket.refresh_from_db()
    assert (ticket.queue, ticket.user, ticket.status, ticket.priority) == (
        second,
        None,
        "pending",
        1,
    )
    assert client.get(MACROS).json()[0]["isKnown"] is True

    undone = client.post(f"{MACROS}/runs/{run['id']}/undo")
    assert undone.status_code == 200, undone.json()
    ticket.refresh_from_db()
    assert (ticket.queue, ticket.user, ticket.status, ticket.priority) == (
        queue,
        agent,
        "open",
        3,
    )
    assert set(TicketTag.objects.values_list("tag", flat=True)) == {old.pk}
    assert not ContactField.objects.exists()
    assert not TicketActivity.objects.filter(kind="noted").exists()
    # Once.
    again = client.post(f"{MACROS}/runs/{run['id']}/undo")
    assert (again.status_code, again.json()["code"]) == (409, "ERR_CANNOT_UNDO")


def test_nothing_follows_after_a_transfer(
    agent: User, acme: Company, queue: Queue, client_for: ClientFor
) -> None:
    passed = {"do": "queue", "id": queue.pk}
    person = {"do": "person", "id": agent.pk}
    body = {"name": "Passar", "actions": [passed, {"do": "priority", "priority": "high"}]}
    refused = client_for(agent).post(MACROS, body, format="json")
    assert refused.status_code == 400
    assert "antes de transferir" in refused.json()["fields"]["actions.1.do"][0]
    body["actions"] = [{"do": "priority", "priority": "high"}, passed, person]
    assert client_for(agent).post(MACROS, body, format="json").status_code == 201


def test_what_is_refused_takes_all_back_and_says_why(
    agent: User, acme: Company, ticket: Ticket, client_for: ClientFor
) -> None:
    tag, second = make_tag(acme), make_queue(acme)
    stranger = make_user(acme, queues=[second], name="Dora")
    row = macro(
        agent,
        acme,
        {"do": "add_tag", "id": tag.pk},
        {"do": "send_text", "text": "Olá"},
        {"do": "person", "id": stranger.pk},
    )
    answer = client_for(agent).post(
        f"/api/tickets/{ticket.pk}/macros", {"macroId": row.pk}, format="json"
    )
    assert answer.status_code == 409
    told = answer.json()
    assert (told["code"], told["action"], told["refusal"]) == (
        "ERR_MACRO_STOPPED",
        2,
        "ERR_VALIDATION",
    )
    assert "não atende na fila" in told["message"]
    assert not TicketTag.objects.exists()
    assert not Message.objects.exists()
    assert not RuleRun.objects.exists()


def test_what_left_the_house_is_not_undone(
    agent: User, acme: Company, ticket: Ticket, client_for: ClientFor
) -> None:
    quick = make_quick_message(acme, user=agent, is_shared=False)
    row = macro(agent, acme, {"do": "send_quick", "id": quick.pk}, {"do": "resolve"})
    client = client_for(agent)
    run = client.post(f"/api/tickets/{ticket.pk}/macros", {"macroId": row.pk}, format="json").json()
    assert run["canUndo"] is False
    written = Message.objects.get(from_me=True)
    assert (written.user, written.source) == (agent, "agent")
    ticket.refresh_from_db()
    assert ticket.status == "closed"
    assert client.post(f"{MACROS}/runs/{run['id']}/undo").status_code == 409


def test_a_call_that_is_repeated_runs_the_macro_once(
    agent: User, acme: Company, ticket: Ticket, client_for: ClientFor
) -> None:
    # The agent does not work in the other queue, and reads the ticket no more.
    passed = {"do": "queue", "id": make_queue(acme).pk}
    row = macro(agent, acme, {"do": "send_text", "text": "Olá"}, passed)
    asked = {"macroId": row.pk, "clientId": str(uuid4())}
    client, path = client_for(agent), f"/api/tickets/{ticket.pk}/macros"
    first, again = (client.post(path, asked, format="json") for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json()["id"] == again.json()["id"]
    assert Message.objects.filter(from_me=True).count() == 1


def test_a_ticket_that_changed_since_is_left_alone(
    agent: User, admin: User, acme: Company, ticket: Ticket, client_for: ClientFor
) -> None:
    row = macro(agent, acme, {"do": "priority", "priority": 1})
    client = client_for(agent)
    run = client.post(f"/api/tickets/{ticket.pk}/macros", {"macroId": row.pk}, format="json").json()
    body = {"priority": "low"}
    assert client.put(f"/api/tickets/{ticket.pk}/priority", body, format="json").status_code == 200
    assert client.post(f"{MACROS}/runs/{run['id']}/undo").status_code == 409
    ticket.refresh_from_db()
    assert ticket.priority == 4
    # Nor after ten minutes, and by nobody else.
    Ticket.objects.filter(pk=ticket.pk).update(priority=1)
    assert client_for(admin).post(f"{MACROS}/runs/{run['id']}/undo").status_code == 404
    RuleRun.objects.update(at=timezone.now() - UNDO_WITHIN)
    assert client.post(f"{MACROS}/runs/{run['id']}/undo").status_code == 409


def test_a_macro_does_nothing_that_its_user_may_not(
    agent: User, admin: User, acme: Company, ticket: Ticket, client_for: ClientFor
) -> None:
    other = make_user(acme, queues=[ticket.queue] if ticket.queue else [], name="Dora")
    row = macro(None, acme, {"do": "send_text", "text": "Olá"})
    client = client_for(other)
    # Somebody else holds the ticket.
    answer = client.post(f"/api/tickets/{ticket.pk}/macros", {"macroId": row.pk}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_MACRO_STOPPED")
    assert not Message.objects.exists()
    private = macro(agent, acme, {"do": "note", "text": "a"})
    asked = {"macroId": private.pk}
    assert client.post(f"/api/tickets/{ticket.pk}/macros", asked, format="json").status_code == 404


def test_a_macro_asks_for_the_permissions_of_what_it_does(
    agent: User, acme: Company, ticket: Ticket, client_for: ClientFor
) -> None:
    agent.role = make_role(acme, Permission.SEE_QUEUES, Permission.TAKE)
    agent.save()
    row = macro(agent, acme, {"do": "contact_field", "name": "Cidade", "text": "Recife"})
    answer = client_for(agent).post(
        f"/api/tickets/{ticket.pk}/macros", {"macroId": row.pk}, format="json"
    )
    assert (answer.status_code, answer.json()["refusal"]) == (409, "ERR_NO_PERMISSION")
    assert not ContactField.objects.exists()


def test_of_a_deleted_tag_the_macro_says_so(
    events: list[dict[str, Any]],
    admin: User,
    agent: User,
    acme: Company,
    queue: Queue,
    ticket: Ticket,
    client_for: ClientFor,
) -> None:
    tag = make_tag(acme, name="VIP")
    actions = {"do": "add_tag", "id": tag.pk}, {"do": "queue", "id": queue.pk}
    row = macro(agent, acme, *actions)
    assert client_for(admin).delete(f"/api/tags/{tag.pk}").status_code == 200
    [told] = [each["payload"]["macro"] for each in events if each["event"] == "macro"]
    # Open browsers keep the names of what is still there.
    assert {"kind": "queue", "id": queue.pk, "name": queue.name} in told["names"]
    client = client_for(agent)
    assert client.get(MACROS).json()[0]["problem"] == "A tag “VIP” foi excluída."
    answer = client.post(f"/api/tickets/{ticket.pk}/macros", {"macroId": row.pk}, format="json")
    assert answer.json()["message"].startswith("A macro parou e nada foi feito: Tag não encontrada")
