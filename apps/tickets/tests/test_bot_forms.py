"""A form of several questions: sent, answered, and what lands in the contact (rules/bot §12)."""

import json
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection, QuestionForm
from apps.connections.providers.official.reading import read_message, read_status
from apps.contacts.models import Contact
from apps.queues.forms import forms_of
from apps.queues.models import Queue, QueueOption
from apps.queues.trees import tree_of
from apps.tickets.bot_states import BotState
from apps.tickets.models import Delivery, Message, Ticket
from apps.tickets.services.outbox.deliveries import deliver_due
from apps.tickets.services.outbox.statuses import apply_statuses
from apps.tickets.services.receiving.messages import receive_message
from apps.tickets.tests.bot import NUMBER, receive, the_ticket
from conftest import ClientFor
from tests.factories import make_connection, make_queue
from tests.graph import GraphServer, graph_error

pytestmark = pytest.mark.django_db
FLOW = "777000111"
RIGHT = {"name_1": "Ana Souza", "email_2": "ana@casa.com.br", "number_3": "A-77"}


@pytest.fixture
def asking(queue: Queue, connection: Connection) -> Queue:
    """A queue with three questions, whose form is published."""
    first = queue.options.create(
        title="Nome", message="Seu nome, {{firstName}}?", asks="name", asks_together=True
    )
    email = queue.options.create(title="E-mail", asks="email", parent=first)
    queue.options.create(title="Pedido", asks="number", asks_field="Pedido", parent=email)
    publish(queue, connection)
    return queue


def publish(queue: Queue, connection: Connection) -> None:
    for form in forms_of(tree_of(QueueOption.objects.filter(queue=queue))[0]):
        QuestionForm.objects.create(
            company=connection.company,
            waba_id=connection.waba_id,
            digest=form.digest,
            version="7.3",
            content=form.as_json(),
            name=uuid.uuid4().hex,
            flow_id=FLOW,
            published_at=timezone.now(),
            state="done",
        )


def the_form(connection: Connection) -> Message:
    receive(connection, "Oi")
    receive(connection, "1")
    message = Message.objects.filter(from_me=True).order_by("-pk").first()
    assert message is not None and "form" in (message.data or {})
    return message


def answer(connection: Connection, token: Any, values: Any, sender: str = NUMBER) -> list[str]:
    """Receive a form's answer as Meta tells it; returns what the bot wrote since."""
    told = {**values, "flow_token": str(token)} if isinstance(values, dict) else values
    response = told if isinstance(told, str) else json.dumps(told)
    wire = {
        "id": f"wamid.{uuid.uuid4()}",
        "from": sender,
        "timestamp": str(int(timezone.now().timestamp())),
        "type": "interactive",
        "interactive": {
            "type": "nfm_reply",
            "nfm_reply": {"name": "flow", "body": "Sent", "response_json": response},
        },
    }
    inbound = read_message({"message": wire, "contact": {"wa_id": sender}})
    assert inbound is not None
    last = Message.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    receive_message(connection=Connection.objects.get(pk=connection.pk), inbound=inbound)
    written = Message.objects.filter(pk__gt=last, from_me=True).order_by("pk")
    return list(written.values_list("body", flat=True))


def last_received() -> Message:
    message = Message.objects.filter(from_me=False).order_by("-pk").first()
    assert message is not None
    return message


def fields() -> dict[str, str]:
    return dict(Contact.objects.get().extra_info.values_list("name", "value"))


def test_a_form_is_sent_and_its_values_land_where_answers_land(
    asking: Queue, connection: Connection, events: list[dict[str, Any]]
) -> None:
    form = the_form(connection)
    Connection.objects.update(bot_quiet_seconds=3)
    assert form.body == "Seu nome, Maria?\n\n*0* - Voltar\n*#* - Menu principal"
    assert form.data is not None and form.data["choices"][0]["title"] == "Responder"
    assert Delivery.objects.get(message=form).payload == {
        "form": {"body": form.body, "flow_id": FLOW, "screen": "FORM", "button": "Responder"}
    }
    # A filled-in form is a whole answer: nothing is waited for.
    said = answer(connection, form.callback_id, RIGHT)
    assert said[0] == "Obrigado! Anotei as suas respostas."
    contact = Contact.objects.get()
    assert (contact.name, contact.email, fields()) == (
        "Ana Souza",
        "ana@casa.com.br",
        {"Pedido": "A-77"},
    )
    row = last_received()
    assert row.body == "Nome: Ana Souza\nE-mail: ana@casa.com.br\nPedido: A-77"
    assert row.data is not None and json.loads(row.data["response_json"])["name_1"] == "Ana Souza"
    changed = [each for each in events if each["event"] == "contact"]
    assert changed[-1]["payload"]["contact"]["extraInfo"][0]["value"] == "A-77"
    assert not the_ticket().chatbot
    # The same again is a message and nothing more.
    assert answer(connection, form.callback_id, {**RIGHT, "name_1": "Bia"}) == []
    assert Contact.objects.get().name == "Ana Souza"


def test_a_wrong_value_is_asked_for_alone(asking: Queue, connection: Connection) -> None:
    form = the_form(connection)
    said = answer(connection, form.callback_id, {**RIGHT, "email_2": "ana@"})
    assert said[-1].startswith("Este e-mail não está certo.")
    assert fields() == {"Pedido": "A-77"}
    assert receive(connection, "ana@casa.com.br")[0] == "Obrigado! Anotei: ana@casa.com.br"
    assert not the_ticket().chatbot


@pytest.mark.parametrize(
    ("values", "body"),
    [
        ({"screen_0_Nome_0": "Ana", "outra": 3}, "screen_0_Nome_0: Ana\noutra: 3"),
        ({}, "Sent"),
        ("[1, 2]", "Sent"),
        ("{", "Sent"),
        ('{"a": "x\\u0000y", "b": {"c": [1]}}', 'a: xy\nb: {"c":[1]}'),
        ('{"a": "' + "x" * 60_000 + '"}', "Sent"),
        ({"name_1": "Ana"}, "name_1: Ana"),
    ],
)
@pytest.mark.parametrize("token", ["unused", "", "7337473a-1250-47b8-8fac-a4bd6d6177b9"])
def test_a_foreign_form_is_kept_and_moves_nothing(
    asking: Queue, connection: Connection, values: Any, body: str, token: str
) -> None:
    the_form(connection)
    before = the_ticket().bot_state
    assert answer(connection, token, values) == []
    assert (last_received().body, the_ticket().bot_state) == (body, before)
    assert Contact.objects.get().name == "Maria Silva"


def test_foreign_keys_and_a_deleted_queue_move_nothing(
    asking: Queue, connection: Connection
) -> None:
    form = the_form(connection)
    before = the_ticket().bot_state
    assert answer(connection, form.callback_id, {"other": "x"}) == []
    assert the_ticket().bot_state == before
    asking.delete()
    assert answer(connection, form.callback_id, RIGHT) == []
    assert last_received().body.startswith("Nome: Ana Souza"), "it stays readable"
    assert (Contact.objects.get().name, fields()) == ("Maria Silva", {})


def test_a_token_counts_only_for_the_contact_and_company_it_was_sent_to(
    asking: Queue, connection: Connection, globex: Company
) -> None:
    form = the_form(connection)
    answer(connection, form.callback_id, RIGHT, sender="5511900000001")
    assert last_received().body.startswith("name_1: ")
    theirs = make_connection(globex, queues=[make_queue(globex)])
    answer(theirs, form.callback_id, RIGHT)
    assert last_received().body.startswith("name_1: ")
    assert not Contact.objects.filter(name="Ana Souza").exists()


def test_a_number_without_forms_asks_one_by_one(asking: Queue, connection: Connection) -> None:
    Connection.objects.update(provider="beta", phone_number_id=None)
    connection.refresh_from_db()
    receive(connection, "Oi")
    assert receive(connection, "1")[0].startswith("Seu nome, Maria?")
    assert receive(connection, "Ana Souza")[1].startswith("Qual é o seu e-mail?")
    assert receive(connection, "ana@casa.com.br")[1].startswith("Qual é o número?")
    receive(connection, "A-77")
    assert fields() == {"Pedido": "A-77"}


def test_a_question_that_is_too_long_is_a_text_before_the_form(
    asking: Queue, connection: Connection
) -> None:
    QueueOption.objects.filter(asks="name").update(message="x" * 1100)
    publish(asking, connection)
    receive(connection, "Oi")
    text, form = receive(connection, "1")
    assert (text[:5], form) == ("xxxxx", "Responda no formulário:")


def refuse(connection: Connection, form: Message, code: int, commits: Any) -> None:
    """Have Meta report that it does not send a form after all."""
    wire = {
        "id": "wamid.form",
        "status": "failed",
        "timestamp": str(int(timezone.now().timestamp())),
        "recipient_id": NUMBER,
        "biz_opaque_callback_data": str(form.callback_id),
        "errors": [{"code": code, "title": "Flow is blocked"}],
    }
    status = read_status({"status": wire, "contact": {}})
    assert status is not None
    with commits(execute=True), transaction.atomic():
        apply_statuses([(connection, status)])


@pytest.mark.parametrize("code", [132068, 132069, 131009])
def test_a_form_that_meta_refuses_is_asked_one_by_one(
    asking: Queue,
    connection: Connection,
    graph: GraphServer,
    django_capture_on_commit_callbacks: Any,
    code: int,
) -> None:
    form = the_form(connection)
    graph.fault = lambda payload: (
        payload.get("type") == "interactive"
        and payload["interactive"]["type"] == "flow"
        and graph_error(code)
    )
    with django_capture_on_commit_callbacks(execute=True):
        while deliver_due(limit=10):
            pass
    form.refresh_from_db()
    assert (form.ack, form.error_code) == (-1, str(code))
    assert form.body.startswith("Seu nome, Maria?")
    while deliver_due(limit=10):
        pass
    assert [each.startswith("Seu nome, Maria?") for each in graph.bodies][-1:] == [True]
    assert BotState.of(the_ticket().bot_state).menu == "value"
    assert receive(connection, "Ana Souza")[1].startswith("Qual é o seu e-mail?")
    assert receive(connection, "ana@casa.com.br")[1].startswith("Qual é o número?")
    receive(connection, "A-77")
    assert fields() == {"Pedido": "A-77"}
    # The next contact is asked so from the start, unless Meta left open why.
    receive(connection, "Oi", sender="5511900000001")
    said = receive(connection, "1", sender="5511900000001")
    latest = Message.objects.filter(from_me=True).order_by("-pk")[0]
    assert ("form" in (latest.data or {})) == (code == 131009), said


def test_a_refusal_that_comes_later_and_twice_asks_once(
    asking: Queue, connection: Connection, django_capture_on_commit_callbacks: Any
) -> None:
    form = the_form(connection)
    before = Message.objects.count()
    for _ in range(2):
        refuse(connection, form, 132068, django_capture_on_commit_callbacks)
    assert Message.objects.count() == before + 1
    assert receive(connection, "Ana Souza")[1].startswith("Qual é o seu e-mail?")


@pytest.mark.parametrize("change", ["answered", "taken", "led elsewhere", "closed"])
def test_a_refusal_of_a_form_that_nobody_awaits_asks_nothing(
    asking: Queue,
    connection: Connection,
    agent: User,
    client_for: ClientFor,
    django_capture_on_commit_callbacks: Any,
    change: str,
) -> None:
    form = the_form(connection)
    tickets = Ticket.objects.filter(pk=the_ticket().pk)
    if change == "answered":
        answer(connection, form.callback_id, RIGHT)
    elif change == "taken":
        client_for(agent).put(
            f"/api/tickets/{the_ticket().pk}",
            {"status": "open", "userId": agent.pk},
            format="json",
        )
        assert the_ticket().user == agent
    elif change == "led elsewhere":
        tickets.update(owner="other", owner_at=timezone.now())
    else:
        tickets.update(last_inbound_at=timezone.now() - timedelta(hours=25))
    before = (Message.objects.count(), the_ticket().bot_state)
    refuse(connection, form, 132068, django_capture_on_commit_callbacks)
    assert (Message.objects.count(), the_ticket().bot_state) == before


def test_another_refusal_of_a_form_asks_nothing(
    asking: Queue, connection: Connection, django_capture_on_commit_callbacks: Any
) -> None:
    form = the_form(connection)
    before = Message.objects.count()
    refuse(connection, form, 131026, django_capture_on_commit_callbacks)
    assert Message.objects.count() == before
    assert not QuestionForm.objects.exclude(stop="").exists()
