"""/queue/test-chat: the bot of a queue that is still being written."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.automation.models import QueueIntegration
from apps.companies.models import Company, CompanySetting, default_schedules
from apps.connections.models import Connection
from apps.queues.models import Queue
from conftest import ClientFor
from tests.factories import make_contact, make_plan, make_queue, make_tag

pytestmark = pytest.mark.django_db
PATH = "/api/queue/test-chat"
# A Wednesday at 10:00 in São Paulo, and the Sunday after it.
OPEN, CLOSED = "2026-11-18T13:00:00Z", "2026-11-22T13:00:00Z"


def node(key: str, title: str, *children: Any, **fields: Any) -> dict[str, Any]:
    return {"key": key, "title": title, "children": list(children), **fields}


class Chat:
    """A browser that carries the state from answer to answer."""

    def __init__(self, client: Any, draft: dict[str, Any], **body: Any) -> None:
        self.client, self.draft, self.body, self.state = client, draft, body, None

    def write(self, text: str, **body: Any) -> dict[str, Any]:
        request = {"queue": self.draft, "state": self.state, "text": text, **self.body, **body}
        answer = self.client.post(PATH, request, format="json")
        assert answer.status_code == 200, answer.content
        said: dict[str, Any] = answer.json()
        self.state = said["state"]
        return said


@pytest.fixture
def draft() -> dict[str, Any]:
    """A queue with two levels of options, unsaved."""
    return {
        "name": "Trocas",
        "greetingMessage": "Olá, {{firstName}}!",
        "options": [
            node(
                "a",
                "Produto quebrado",
                node("b", "Quero outro", message="Envie uma foto."),
                node("c", "Quero o dinheiro"),
                message="Que pena!",
            ),
            node("d", "Prazos", message="São sete dias."),
        ],
    }


def bodies(said: dict[str, Any]) -> list[str]:
    return [message["body"] for message in said["messages"]]


def test_a_draft_is_walked_down_back_and_to_its_end(
    client_for: ClientFor, admin: User, draft: dict[str, Any]
) -> None:
    chat = Chat(client_for(admin), draft)
    first = chat.write("Oi, preciso trocar")
    (menu,) = bodies(first)
    assert menu.startswith("Olá, Alice!")
    assert "*1* - Produto quebrado" in menu
    assert (first["effects"], first["optionId"], first["menuType"]) == ([], None, "text")
    second = chat.write("1")
    assert second["optionId"] == "a"
    assert bodies(second)[0].startswith("Que pena!")
    assert bodies(chat.write("0"))[0].startswith("Olá, Alice!")
    chat.write("produto quebrado")
    last = chat.write("1")
    assert (bodies(last), last["optionId"]) == (["Envie uma foto."], "b")
    assert last["effects"] == [{"kind": "person", "reason": "leaf"}]
    after = chat.write("E agora?")
    assert (bodies(after), after["effects"]) == ([], [{"kind": "person", "reason": "ended"}])


def test_a_leaf_leads_to_another_queue_and_its_menu(
    client_for: ClientFor, admin: User, queue: Queue, draft: dict[str, Any]
) -> None:
    queue.greeting_message = "Aqui é Vendas."
    queue.save()
    queue.options.create(title="Comprar", message="Ótimo!")
    draft["options"][1]["redirectionQueueId"] = queue.pk
    chat = Chat(client_for(admin), draft)
    chat.write("Oi")
    said = chat.write("2")
    assert said["effects"] == [{"kind": "queue", "queueId": queue.pk, "queueName": "Vendas"}]
    assert said["optionId"] == "d"
    # Without a connection it says what a new one would: in one message.
    (text,) = bodies(said)
    assert text.startswith("São sete dias.\n\nAqui é Vendas.\n\n*1* - Comprar")
    further = chat.write("1")
    assert (bodies(further), further["optionId"]) == (["Ótimo!"], None)


def test_the_draft_stands_for_the_saved_queue(
    client_for: ClientFor, admin: User, queue: Queue, connection: Connection, draft: dict[str, Any]
) -> None:
    queue.options.create(title="O que está salvo")
    other = make_queue(admin.company)
    other.options.create(title="Voltar para Vendas", redirection_queue=queue)
    chat = Chat(client_for(admin), draft, queueId=queue.pk)
    (menu,) = bodies(chat.write("Oi"))
    assert "O que está salvo" not in menu


def test_it_starts_with_the_menu_of_the_number_and_the_draft_at_its_place(
    client_for: ClientFor, admin: User, queue: Queue, connection: Connection, draft: dict[str, Any]
) -> None:
    other = make_queue(admin.company, name="Entregas", order=5)
    other.options.create(title="De volta", message="Já vai.", redirection_queue=queue)
    connection.queues.set([queue, other])
    Connection.objects.filter(pk=connection.pk).update(greeting_message="Bem-vindo!")
    client = client_for(admin)
    chat = Chat(client, {**draft, "orderQueue": 9}, queueId=queue.pk)
    first = chat.write("")
    assert bodies(first) == ["Bem-vindo!\n\n*1* - Entregas\n*2* - Trocas"]
    assert first["effects"] == []
    (menu,) = bodies(chat.write("2"))
    assert menu.startswith("Olá, Alice!")
    assert menu.endswith("*#* - Menu principal")
    assert bodies(chat.write("#")) == bodies(first)
    # What leads to the saved queue leads to the draft.
    assert chat.write("entregas")["effects"] == [
        {"kind": "queue", "queueId": other.pk, "queueName": "Entregas"}
    ]
    back = chat.write("1")
    assert back["effects"] == [{"kind": "queue", "queueId": queue.pk, "queueName": "Trocas"}]
    assert "*1* - Produto quebrado" in bodies(back)[1]


def test_the_only_queue_of_a_number_is_given_in_silence(
    client_for: ClientFor, admin: User, queue: Queue, connection: Connection
) -> None:
    said = Chat(client_for(admin), {"name": "Nova", "greetingMessage": "Oi"}, queueId=queue.pk)
    first = said.write("")
    assert bodies(first) == []
    assert first["effects"] == [
        {"kind": "queue", "queueId": queue.pk, "queueName": "Nova", "reason": "single"},
        {"kind": "person", "reason": "no_options"},
    ]


def test_the_fallback_says_who_has_it_now_and_why(
    client_for: ClientFor, admin: User, queue: Queue, connection: Connection, draft: dict[str, Any]
) -> None:
    other = make_queue(admin.company, name="Entregas", order=5)
    connection.queues.set([queue, other])
    Connection.objects.filter(pk=connection.pk).update(
        greeting_message="Oi!", bot_max_menus=1, transfer_queue=other
    )
    chat = Chat(client_for(admin), draft, queueId=queue.pk)
    chat.write("")
    said = chat.write("xyz")
    assert bodies(said) == [connection.fallback_message]
    assert said["effects"] == [
        {"kind": "person", "reason": "limit"},
        {"kind": "queue", "queueId": other.pk, "queueName": "Entregas", "reason": "fallback"},
    ]


@pytest.fixture
def robot(admin: User, connection: Connection, queue: Queue) -> QueueIntegration:
    """What answers in the place of a number's two queues; it has Trocas and then Entregas."""
    connection.queues.set([queue, make_queue(admin.company, name="Entregas", order=5)])
    robot = admin.company.integrations.create(type="webhook", name="Robô")
    Connection.objects.filter(pk=connection.pk).update(
        integration=robot,
        integration_silence_minutes=7,
        fallback_message="{{firstName}}, um momento.",
    )
    return robot


@pytest.mark.parametrize(
    ("leads_to", "named"),
    [
        ((), "Trocas"),
        (("connection",), "Cobrança"),
        (("connection", "integration"), "Entregas"),
    ],
)
def test_whom_a_numbers_integration_leads_nowhere_waits_where_the_bot_says(
    client_for: ClientFor,
    admin: User,
    queue: Queue,
    connection: Connection,
    robot: QueueIntegration,
    draft: dict[str, Any],
    leads_to: tuple[str, ...],
    named: str,
) -> None:
    other = Queue.objects.get(name="Entregas")
    if "connection" in leads_to:
        transfer_queue = make_queue(admin.company, name="Cobrança")
        Connection.objects.filter(pk=connection.pk).update(transfer_queue=transfer_queue)
    if "integration" in leads_to:
        QueueIntegration.objects.filter(pk=robot.pk).update(fallback_queue=other)
    said = Chat(client_for(admin), {**draft, "orderQueue": 1}, queueId=queue.pk).write("")
    waits_in = queue if named == "Trocas" else Queue.objects.get(name=named)
    left = {
        "kind": "left",
        "queueId": waits_in.pk,
        "queueName": named,
        "value": "Alice, um momento.",
        "minutes": 7,
    }
    assert (bodies(said), said["effects"]) == ([], [{"kind": "integration", "name": "Robô"}, left])


def test_where_it_waits_may_be_closed_by_then(
    client_for: ClientFor,
    admin: User,
    queue: Queue,
    robot: QueueIntegration,
    draft: dict[str, Any],
) -> None:
    CompanySetting.objects.create(company=admin.company, key="scheduleType", value="queue")
    shut = make_queue(
        admin.company,
        name="Noturno",
        schedules=default_schedules(),
        out_of_hours_message="Voltamos às 8h.",
    )
    QueueIntegration.objects.filter(pk=robot.pk).update(fallback_queue=shut)
    said = Chat(client_for(admin), draft, queueId=queue.pk).write("", at=CLOSED)
    left = said["effects"][1]
    assert (left["queueName"], left["value"]) == ("Noturno", "Voltamos às 8h.")


def test_a_prompt_says_where_it_hands_over_and_where_it_fails(
    client_for: ClientFor, admin: User, queue: Queue, connection: Connection, draft: dict[str, Any]
) -> None:
    other = make_queue(admin.company, name="Entregas", order=5, greeting_message="Aqui entregamos.")
    prompt = admin.company.prompts.create(queue=other, name="Assistente", prompt="Responda.")
    chat = Chat(client_for(admin), {**draft, "promptId": prompt.pk}, queueId=queue.pk)
    there = {"kind": "left", "queueId": other.pk, "queueName": "Entregas"}
    here = {"kind": "left", "queueId": queue.pk, "queueName": "Trocas"}
    assert chat.write("")["effects"][1:] == [
        {"kind": "prompt", "name": "Assistente"},
        {**there, "value": "Aqui entregamos.", "reason": "handed_over"},
        {**here, "value": connection.fallback_message, "minutes": 10},
    ]
    prompt.queue = queue
    prompt.save()
    assert [each["kind"] for each in chat.write("Oi")["effects"]] == ["prompt", "left"]


def test_a_tag_that_an_option_sets_is_told(
    client_for: ClientFor, admin: User, globex: Company, draft: dict[str, Any]
) -> None:
    draft["options"][1]["tagId"] = make_tag(admin.company, name="Prazo").pk
    draft["options"][0]["tagId"] = make_tag(globex, name="Segredo").pk
    chat = Chat(client_for(admin), draft)
    chat.write("Oi")
    assert chat.write("2")["effects"][0] == {"kind": "tag", "name": "Prazo"}
    assert "Segredo" not in str(Chat(client_for(admin), draft).write("1", state={"queue": "draft"}))


def test_a_node_that_was_deleted_meanwhile_is_left_for_the_menu(
    client_for: ClientFor, admin: User, draft: dict[str, Any]
) -> None:
    chat = Chat(client_for(admin), draft)
    chat.write("Oi")
    assert chat.write("1")["optionId"] == "a"
    del draft["options"][0]
    said = chat.write("1")
    assert said["optionId"] is None
    assert "*1* - Prazos" in bodies(said)[0]


def test_native_menus_answer_by_their_ids(
    client_for: ClientFor, admin: User, queue: Queue, connection: Connection, draft: dict[str, Any]
) -> None:
    CompanySetting.objects.create(company=admin.company, key="chatBotType", value="button")
    chat = Chat(client_for(admin), draft, queueId=queue.pk)
    first = chat.write("Oi")
    (message,) = first["messages"]
    assert (first["menuType"], message["asList"]) == ("button", False)
    assert [each["title"] for each in message["choices"]] == ["Produto quebrado", "Prazos"]
    said = chat.write("Prazos", choiceId=message["choices"][1]["id"])
    assert (bodies(said), said["optionId"]) == (["São sete dias."], "d")


def test_working_hours_are_those_of_the_draft(
    client_for: ClientFor, admin: User, draft: dict[str, Any]
) -> None:
    CompanySetting.objects.create(company=admin.company, key="scheduleType", value="queue")
    draft |= {"outOfHoursMessage": "Fechado, {{firstName}}.", "schedules": default_schedules()}
    said = Chat(client_for(admin), draft).write("Oi", at=CLOSED)
    assert (bodies(said), said["effects"]) == (["Fechado, Alice."], [{"kind": "closed"}])
    assert Chat(client_for(admin), draft).write("Oi", at=OPEN)["effects"] == []


def test_working_hours_are_those_of_the_company_where_it_says_so(
    client_for: ClientFor, admin: User, queue: Queue, connection: Connection, draft: dict[str, Any]
) -> None:
    company = admin.company
    CompanySetting.objects.create(company=company, key="scheduleType", value="company")
    company.schedules = default_schedules()
    company.save()
    other = make_queue(company, name="Entregas", order=5)
    connection.queues.set([queue, other])
    Connection.objects.filter(pk=connection.pk).update(
        out_of_hours_message="Abrimos segunda, {{firstName}}.", transfer_queue=other
    )
    # The queue's own hours and words count for nothing then.
    draft |= {"outOfHoursMessage": "Fechado.", "schedules": []}
    client = client_for(admin)
    chat = Chat(client, draft, queueId=queue.pk, at=CLOSED)
    first = chat.write("")
    assert bodies(first) == ["Abrimos segunda, Alice."]
    there = {"kind": "queue", "queueId": other.pk, "queueName": "Entregas"}
    assert first["effects"] == [{**there, "reason": "closed"}, {"kind": "closed"}]
    # Told once, and where it waits it stays.
    again = chat.write("Alguém?")
    assert (bodies(again), again["effects"]) == ([], [{"kind": "closed"}])
    alone = Chat(client, draft, at=CLOSED).write("")
    assert (bodies(alone), alone["effects"]) == (["Abrimos segunda, Alice."], [{"kind": "closed"}])
    assert bodies(Chat(client, draft, queueId=queue.pk, at=OPEN).write("")) != bodies(first)


def test_integration_and_prompt_answer_instead_where_the_plan_has_them(
    client_for: ClientFor, admin: User, queue: Queue, draft: dict[str, Any]
) -> None:
    company = admin.company
    integration = company.integrations.create(type="webhook", name="Robô")
    prompt = company.prompts.create(queue=queue, name="Assistente", prompt="Responda.")
    said = Chat(client_for(admin), {**draft, "integrationId": integration.pk}).write("Oi")
    assert (bodies(said), said["effects"][0]) == ([], {"kind": "integration", "name": "Robô"})
    # A queue that is not saved has no id yet.
    left = {"kind": "left", "queueName": "Trocas", "value": "", "minutes": 10}
    assert said["effects"][1] == left
    said = Chat(client_for(admin), {**draft, "promptId": prompt.pk}).write("Oi")
    assert said["effects"][0] == {"kind": "prompt", "name": "Assistente"}
    assert said["effects"][2] == left
    company.plan = make_plan(use_integrations=False)
    company.save()
    admin.refresh_from_db()
    said = Chat(client_for(admin), {**draft, "integrationId": integration.pk}).write("Oi")
    assert "Produto quebrado" in bodies(said)[0]


def test_a_queue_without_options_greets_and_waits_for_a_person(
    client_for: ClientFor, admin: User
) -> None:
    chat = Chat(client_for(admin), {"name": "", "greetingMessage": "Já vamos atender."})
    said = chat.write("")
    assert bodies(said) == ["Já vamos atender."]
    assert said["effects"] == [{"kind": "person", "reason": "no_options"}]


def test_menu_leads_back_from_a_queue_without_options(
    client_for: ClientFor, admin: User, queue: Queue, connection: Connection, draft: dict[str, Any]
) -> None:
    other = make_queue(admin.company, name="Entregas", greeting_message="Já vai.", order=5)
    connection.queues.set([queue, other])
    chat = Chat(client_for(admin), draft, queueId=queue.pk)
    first = chat.write("")
    assert bodies(chat.write("entregas")) == ["Já vai."]
    # As a contact's own words, which nothing answers any more.
    said = chat.write("Alguém?")
    assert (bodies(said), said["effects"]) == ([], [{"kind": "person", "reason": "no_options"}])
    again = chat.write("menu")
    assert (bodies(again), again["effects"]) == (bodies(first), [])
    assert "*1* - Produto quebrado" in bodies(chat.write("trocas"))[0]


def test_repeating_ends_where_the_connection_says(
    client_for: ClientFor, admin: User, queue: Queue, connection: Connection, draft: dict[str, Any]
) -> None:
    Connection.objects.filter(pk=connection.pk).update(bot_max_menus=2, bot_interval_minutes=60)
    chat = Chat(client_for(admin), draft, queueId=queue.pk)
    chat.write("Oi")
    assert len(bodies(chat.write("não sei"))) == 1
    assert chat.write("não sei")["effects"] == [{"kind": "person", "reason": "limit"}]


def test_nothing_is_written_and_the_number_of_reads_is_the_same(
    client_for: ClientFor, admin: User, queue: Queue, connection: Connection, draft: dict[str, Any]
) -> None:
    client = client_for(User.objects.select_related("company__plan").get(pk=admin.pk))
    chat = Chat(client, draft, queueId=queue.pk)
    chat.write("Oi")
    counts = set()
    for place in range(3):
        if place:
            other = make_queue(admin.company)
            for title in "xyz":
                other.options.create(title=title)
            draft["options"].append(node(f"n{place}", "Vá", redirectionQueueId=other.pk))
        with CaptureQueriesContext(
            database,
        ) as queries:
            chat.write("não sei", state={})
        assert all(query["sql"].startswith("SELECT") for query in queries.captured_queries)
        counts.add(len(queries))
    assert max(counts) <= 10


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"queue": None}, "queue"),
        ({"queue": {"options": [{"title": "a" * 101}]}}, "queue.options.0.title"),
        ({"queue": {"schedules": [{"weekday": "Hoje"}]}}, "queue.schedules.0.weekdayEn"),
        ({"queueId": 999_999}, "queueId"),
        ({"state": "here"}, "state"),
        ({"text": "a" * 4097}, "text"),
        ({"choiceId": "a" * 201}, "choiceId"),
        ({"at": "0001-01-01T00:00:00Z"}, "at"),
        ({"at": "soon"}, "at"),
    ],
)
def test_wrong_input_is_said_at_its_field(
    client_for: ClientFor, admin: User, body: dict[str, Any], field: str
) -> None:
    answer = client_for(admin).post(PATH, {"queue": {}, "text": "Oi", **body}, format="json")
    assert answer.status_code == 400
    assert field in answer.json()["fields"]


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"queue": -1, "menu": ["options"], "option_id": {"a": 1}, "menus_sent": "x"},
        {"queue": 10**30, "menu": "options", "option_id": "zzz", "menus_sent": 10**30},
        {"queue": 999_999, "menu_at": "0001-01-01T00:00:00+23:59", "ended": 1},
        {"queue": "draft", "menu": "options", "menu_at": "9999-12-31T23:59:59-23:59"},
    ],
)
def test_a_state_of_somebody_elses_making_is_harmless(
    client_for: ClientFor, admin: User, draft: dict[str, Any], state: dict[str, Any]
) -> None:
    body = {"queue": draft, "text": "1", "state": state}
    assert client_for(admin).post(PATH, body, format="json").status_code == 200


def test_queues_of_others_stay_theirs(
    client_for: ClientFor, admin: User, globex: Company, draft: dict[str, Any]
) -> None:
    foreign = make_queue(globex, name="Segredo")
    draft["options"][1]["redirectionQueueId"] = foreign.pk
    chat = Chat(client_for(admin), draft)
    chat.write("Oi")
    assert chat.write("2")["effects"] == [{"kind": "person", "reason": "leaf"}]
    said = chat.write("Oi", state={"queue": foreign.pk})
    assert "Segredo" not in str(said)


def test_an_unfinished_draft_is_taken(client_for: ClientFor, admin: User) -> None:
    draft = {"options": [{"title": "", "children": [{"title": ""}]}]}
    chat = Chat(client_for(admin), draft, at=datetime(2026, 11, 18, tzinfo=UTC).isoformat())
    chat.write("Oi")
    assert chat.write("1")["optionId"] == "options.0"


def test_a_question_of_a_draft_is_answered_and_no_contact_is_touched(
    client_for: ClientFor, admin: User, draft: dict[str, Any]
) -> None:
    contact = make_contact(admin.company)
    draft["options"][1] |= {"asks": "cpf", "asksField": "", "message": "Seu CPF?"}
    chat = Chat(client_for(admin), draft)
    chat.write("Oi")
    asked = chat.write("2")
    assert (bodies(asked), asked["optionId"]) == (
        ["Seu CPF?\n\n*0* - Voltar\n*#* - Menu principal"],
        "d",
    )
    wrong = chat.write("123")
    assert bodies(wrong)[0].startswith("Este CPF não confere.")
    assert wrong["optionId"] == "d"
    draft["options"][1]["asksField"] = "CPF"
    said = chat.write("52998224725")
    assert bodies(said)[0] == "Obrigado! Anotei: 529.982.247-25"
    value = {"kind": "value", "name": "CPF", "reason": "cpf", "value": "529.982.247-25"}
    assert said["effects"][:2] == [value, {"kind": "person", "reason": "leaf"}]
    assert said["optionId"] == "d"
    assert not contact.extra_info.exists()


def test_a_drafts_file_is_shown_where_it_would_go(
    client_for: ClientFor, admin: User, draft: dict[str, Any]
) -> None:
    draft["options"][0] |= {"mediaName": "mapa.png", "mediaMime": "image/png"}
    draft["options"][1] |= {"mediaName": "prazos.pdf", "mediaMime": "application/pdf"}
    chat = Chat(client_for(admin), draft)
    chat.write("Oi")
    (picture,) = chat.write("1")["messages"]
    assert (picture["mediaName"], picture["fileOf"]) == ("mapa.png", "a")
    assert picture["body"].startswith("Que pena!")
    chat.write("0")
    (document,) = chat.write("2")["messages"]
    assert (document["body"], document["mediaName"]) == ("São sete dias.", "prazos.pdf")
    assert document["fileOf"] == "d"


def test_texts_are_apart_where_the_connection_does_not_join_them(
    client_for: ClientFor, admin: User, connection: Connection, draft: dict[str, Any]
) -> None:
    draft["options"][0] |= {"mediaName": "mapa.png", "mediaMime": "image/png"}
    chat = Chat(client_for(admin), draft)
    chat.write("Oi")
    picture, menu = chat.write("1")["messages"]
    assert (picture["mediaName"], picture["fileOf"], picture["body"]) == ("mapa.png", "a", "")
    assert (menu["mediaName"], menu["fileOf"], menu["body"][:9]) == ("", "", "Que pena!")


def test_a_text_is_the_body_of_the_buttons_after_it(
    client_for: ClientFor,
    admin: User,
    connection: Connection,
    queue: Queue,
    draft: dict[str, Any],
) -> None:
    CompanySetting.objects.create(company=admin.company, key="chatBotType", value="button")
    Connection.objects.filter(pk=connection.pk).update(joins_bot_texts=True)
    queue.options.create(title="Comprar", message="Ótimo!")
    draft["options"][1]["redirectionQueueId"] = queue.pk
    chat = Chat(client_for(admin), draft)
    chat.write("Oi")
    (menu,) = chat.write("2")["messages"]
    assert menu["body"] == "São sete dias.\n\nEscolha uma opção:"
    assert [each["title"] for each in menu["choices"]] == ["Comprar"]
