"""A queue's menu is tried on what contacts wrote to the bot (rules/desk §16)."""

from typing import Any

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.desk.tests.test_rehearsals import Client, ask, rows
from apps.queues.models import Queue, QueueOption
from apps.tickets.models import Ticket
from apps.tickets.tests.bot import receive, setting
from tests.factories import make_connection, make_queue, make_role, make_user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def sales(acme: Company) -> Queue:
    queue = make_queue(acme, name="Vendas", order=1, greeting_message="O que você procura?")
    for position, title in enumerate(("Preços", "Entrega", "Trocas"), 1):
        QueueOption.objects.create(queue=queue, title=title, position=position)
    return queue


@pytest.fixture
def number(acme: Company, sales: Queue) -> Connection:
    other = make_queue(acme, name="Pedidos", order=2)
    made = make_connection(
        acme,
        queues=[sales, other],
        greeting_message="Bem-vinda!",
        fallback_message="Já vamos responder.",
        bot_max_menus=2,
    )
    for place, words in enumerate(
        (
            ("Oi", "1", "2"),  # Vendas, Entrega
            ("Oi", "vendas", "trocas"),
            ("Oi", "2"),  # Pedidos
            ("Oi", "1", "nada disso", "nem isso"),  # the limit
            ("Oi",),  # in the menu of queues
            ("Oi", "Vendas"),  # in that of the queue
        )
    ):
        for word in words:
            receive(made, word, sender=f"551198765000{place}", sender_name=f"Pessoa {place}")
    return made


def options(*titles: str, queue: Queue, **more: Any) -> list[dict[str, Any]]:
    """Return options as a browser sends them; stored ones keep their ids."""
    known = dict(QueueOption.objects.filter(queue=queue).values_list("title", "pk"))
    return [
        {"title": title, **({"id": known[title]} if title in known else {}), **more}
        for title in titles
    ]


def test_the_menu_that_is_on_does_what_it_did(
    number: Connection, sales: Queue, admin: User, client_for: Client
) -> None:
    before = rows()
    report = ask(client_for(admin), subject="bot", queueId=sales.pk, bot={})
    bot = report["bot"]
    assert (report["tickets"], report["matched"], report["changed"]) == (6, 6, 0)
    assert bot["before"] == bot["after"]
    assert report["samples"] == []
    # What the bot has really done is what the rehearsal of it says.
    for name in ("Vendas", "Pedidos"):
        real = Ticket.objects.filter(queue__name=name, chatbot=False).count()
        [told] = [each["before"] for each in bot["queues"] if each["queueName"] == name]
        assert told == real
    assert bot["before"]["inBot"] == Ticket.objects.filter(chatbot=True).count() == 2
    assert bot["before"]["people"] == 4
    assert bot["before"]["stopped"] == 1
    assert bot["nodes"] == [
        {
            "queueId": sales.pk,
            "queueName": "Vendas",
            "path": "",
            "stoppedBefore": 1,
            "stoppedAfter": 1,
            "unseen": 0,
        }
    ]
    assert rows() == before


def test_a_changed_menu_stands_beside_the_one_that_is_on(
    number: Connection, sales: Queue, admin: User, client_for: Client
) -> None:
    [delivery, prices] = options("Entrega", "Preços", queue=sales)
    delivery["children"] = [{"title": "Minha cidade"}, {"title": "Outra cidade"}]
    report = ask(
        client_for(admin), subject="bot", queueId=sales.pk, bot={"options": [delivery, prices]}
    )
    bot = report["bot"]
    assert (bot["before"]["people"], bot["after"]["people"]) == (4, 2)
    # 'Trocas' is gone; 'Entrega' leads to a menu that nobody has ever had.
    assert bot["after"]["undecided"] == {
        "integration": 0,
        "prompt": 0,
        "unseen": 1,
        "elsewhere": 0,
    }
    places = {
        (each["path"], each["stoppedBefore"], each["stoppedAfter"], each["unseen"])
        for each in bot["nodes"]
    }
    assert places == {("", 1, 2, 0), ("Entrega", 0, 0, 1)}
    assert report["changed"] == len(report["samples"]) == 2
    outcomes = {
        each["ticket"]["contact"]["name"]: each["bot"]["after"] for each in report["samples"]
    }
    assert outcomes["Pessoa 0"]["end"] == "undecided"
    assert outcomes["Pessoa 0"]["node"] == {
        "queueId": sales.pk,
        "queueName": "Vendas",
        "path": "Entrega",
    }
    assert (outcomes["Pessoa 1"]["end"], outcomes["Pessoa 1"]["node"]["path"]) == ("bot", "")
    # Nothing of it is saved.
    assert sales.options.count() == 3


def test_a_reopened_ticket_is_in_the_queue_that_it_was_in(
    number: Connection, sales: Queue, admin: User, client_for: Client, acme: Company
) -> None:
    setting(acme, "reopenWindowMinutes", "60")
    ticket = Ticket.objects.get(contact__name="Pessoa 2")
    client = client_for(admin)
    assert (
        client.put(f"/api/tickets/{ticket.pk}", {"status": "closed"}, format="json").status_code
        == 200
    )
    receive(number, "Voltei", sender="5511987650002", sender_name="Pessoa 2")
    ticket.refresh_from_db()
    assert (ticket.status, ticket.queue and ticket.queue.name) == ("pending", "Pedidos")
    report = ask(client, subject="bot", queueId=sales.pk, bot={})
    # It was in its queue again, which has no menu: the bot did not begin.
    assert (report["tickets"], report["matched"]) == (7, 6)


def test_more_conversations_take_no_more_queries(
    number: Connection, sales: Queue, admin: User, client_for: Client
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(database) as captured:
            ask(client_for(admin), subject="bot", queueId=sales.pk, bot={})
        return len(captured)

    queries()
    few = queries()
    for place in range(10, 20):
        receive(number, "Oi", sender=f"55119876500{place}", sender_name=f"Pessoa {place}")
    assert queries() == few


def test_what_could_not_be_saved_is_not_tried(
    number: Connection, sales: Queue, admin: User, client_for: Client, globex: Company
) -> None:
    client = client_for(admin)

    def refused(status: int = 400, **body: Any) -> dict[str, Any]:
        answer = client.post(
            "/api/rehearsals", {"days": 7, "subject": "bot", **body}, format="json"
        )
        assert answer.status_code == status, answer.json()
        found: dict[str, Any] = answer.json()
        return found

    foreign = make_queue(globex)
    assert refused(queueId=sales.pk)["fields"] == {"bot": ["Informe a fila."]}
    assert refused(bot={})["fields"] == {"queueId": ["Informe a fila."]}
    assert refused(404, queueId=foreign.pk, bot={})
    leading = {"options": [{"title": "Ir", "redirectionQueueId": foreign.pk}]}
    assert "options.0.redirectionQueueId" in refused(queueId=sales.pk, bot=leading)["fields"]
    untitled = {"options": [{"title": ""}]}
    assert refused(queueId=sales.pk, bot=untitled)
    assert "queueId" not in refused(queueId=sales.pk, bot={}, ruleId=1)["fields"]
    stolen = {"options": [{"id": 10**9, "title": "Preços"}]}
    assert "options.0.id" in refused(queueId=sales.pk, bot=stolen)["fields"]


def test_who_may_not_change_queues_does_not_try_them(
    number: Connection, sales: Queue, acme: Company, client_for: Client
) -> None:
    rules = make_role(acme, Permission.SEE_QUEUES, Permission.SEE_ALL, Permission.RULES)
    client = client_for(make_user(acme, role=rules))
    body = {"subject": "bot", "days": 7, "queueId": sales.pk, "bot": {}}
    answer = client.post("/api/rehearsals", body, format="json")
    assert (answer.status_code, answer.json()["permissions"]) == (403, ["queues:manage"])
