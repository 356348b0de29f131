"""Options that ask for a value, which lands in the contact's record (rules/bot §10)."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.inbound import SHARED_NUMBER
from apps.contacts.models import Contact
from apps.queues.models import AskedKind, Queue
from apps.tickets.models import Delivery
from apps.tickets.services.bot.routing.decide import AUDIO_ALERT
from apps.tickets.services.bot.routing.values import ASKED
from apps.tickets.tests.bot import NUMBER, close, receive, setting, the_ticket
from conftest import ClientFor
from tests.factories import make_queue

pytestmark = pytest.mark.django_db
Events = list[dict[str, Any]]
OUT = "\n\n*0* - Voltar\n*#* - Menu principal"


@pytest.fixture
def number(connection: Connection) -> Connection:
    Connection.objects.filter(pk=connection.pk).update(bot_quiet_seconds=0)
    return connection


def fields() -> list[tuple[str, str]]:
    return list(Contact.objects.get().extra_info.values_list("name", "value"))


def test_the_bot_knows_every_kind_that_an_option_may_ask_for() -> None:
    assert set(ASKED) == set(AskedKind.values)


def test_a_value_lands_in_the_contacts_field_and_everybody_hears_of_it(
    acme: Company, queue: Queue, number: Connection, events: Events
) -> None:
    other = make_queue(acme, name="Entregas", greeting_message="Aqui é Entregas, {{firstName}}.")
    asking = queue.options.create(
        title="Meu pedido", message="Qual o pedido?", asks="number", asks_field="Pedido"
    )
    asking.children.create(
        queue=queue, title="Rastrear", asks="name", redirection_queue=other, message="Seu nome?"
    )
    receive(number, "Oi")
    assert receive(number, "1") == [f"Qual o pedido?{OUT}"]
    assert receive(number, "não sei")[0].startswith("Não encontrei o número.")
    taken, menu = receive(number, "É o A-4477.")
    assert taken == "Obrigado! Anotei: A-4477"
    assert menu.startswith("Meu pedido\n\n*1* - Rastrear")
    assert fields() == [("Pedido", "A-4477")]
    told = [each["payload"] for each in events if each["event"] == "contact"]
    assert told[-1]["contact"]["extraInfo"][0]["value"] == "A-4477"
    receive(number, "1")
    # What is said next says the new name already.
    assert receive(number, "Me chamo Ana Souza")[-1] == "Aqui é Entregas, Ana."
    contact = Contact.objects.get()
    assert (contact.name, the_ticket().queue) == ("Ana Souza", other)
    assert "ana souza" in contact.search_text


def test_a_field_that_the_contact_has_keeps_its_place(queue: Queue, number: Connection) -> None:
    queue.options.create(title="CPF", message="Seu CPF?", asks="cpf", asks_field="cpf")
    receive(number, "Oi")
    contact = Contact.objects.get()
    contact.extra_info.create(name="CPF", value="?")
    contact.extra_info.create(name="Cidade", value="Recife")
    receive(number, "1")
    assert receive(number, "529.982.247-26")[0].startswith("Este CPF não confere.")
    receive(number, "meu cpf é 529 982 247 25")
    assert fields() == [("CPF", "529.982.247-25"), ("Cidade", "Recife")]


def test_a_contact_with_all_lines_gets_no_more(queue: Queue, number: Connection) -> None:
    queue.options.create(title="CPF", message="Seu CPF?", asks="cpf", asks_field="CPF")
    receive(number, "Oi")
    for place in range(100):
        Contact.objects.get().extra_info.create(name=f"Linha {place}", value="")
    receive(number, "1")
    receive(number, "52998224725")
    assert len(fields()) == 100


def test_after_a_leafs_value_a_person_comes(queue: Queue, number: Connection) -> None:
    queue.options.create(title="E-mail", asks="email")
    receive(number, "Oi")
    assert receive(number, "1") == [f"Qual é o seu e-mail?{OUT}"]
    taken, comes = receive(number, "é ana@casa.com.br.")
    assert taken == "Obrigado! Anotei: ana@casa.com.br"
    assert comes.startswith("Vou chamar alguém da equipe.")
    assert Contact.objects.get().email == "ana@casa.com.br"
    assert not the_ticket().chatbot


def test_pictures_and_sounds_are_no_wrong_values_and_the_limit_leads_to_a_person(
    queue: Queue, number: Connection
) -> None:
    queue.options.create(title="CPF", message="Seu CPF?", asks="cpf", asks_field="CPF")
    receive(number, "Oi")
    receive(number, "1")
    assert receive(number, "", media_type="sticker") == []
    asked = receive(number, "Aqui está", media_type="image")
    assert asked == ["Preciso da resposta por escrito, por favor."]
    # Once for each question, and as often as they come.
    for media_type in ("audio", "image", "video", "application", "sticker"):
        assert receive(number, "", media_type=media_type) == []
    wrong = f"Este CPF não confere. Escreva os 11 números do CPF.\n\nSeu CPF?{OUT}"
    assert receive(number, "111.111.111-11") == [wrong]
    assert receive(number, "", media_type="audio") == asked
    assert receive(number, "111") == [wrong]
    assert receive(number, "12")[0].startswith("Vou chamar alguém da equipe.")
    assert fields() == []


def test_a_sound_that_has_its_notice_is_not_answered_twice(
    acme: Company, queue: Queue, number: Connection
) -> None:
    setting(acme, "alertReceivingAudio", "enabled")
    queue.options.create(title="CPF", message="Seu CPF?", asks="cpf", asks_field="CPF")
    receive(number, "Oi")
    receive(number, "1")
    assert receive(number, "", media_type="audio") == [AUDIO_ALERT]
    assert receive(number, "", media_type="audio") == []
    receive(number, "52998224725")
    assert fields() == [("CPF", "529.982.247-25")]


def test_a_value_written_in_closed_hours_is_kept(
    acme: Company, queue: Queue, number: Connection
) -> None:
    queue.options.create(title="CPF", message="Seu CPF?", asks="cpf", asks_field="CPF")
    receive(number, "Oi")
    receive(number, "1")
    close(acme)
    receive(number, "52998224725")
    assert fields() == [("CPF", "529.982.247-25")]


@pytest.mark.parametrize(
    ("answer", "beginning"),
    [
        # A valid answer to the menu, if the contact had seen it.
        ("1", "CPF\n\n*1* - Boletos\n*2* - Notas\n*0* - Voltar\n*#* - Menu principal"),
        ("menu", "Escolha uma opção:\n\n*1* - CPF"),
        ("0", "Escolha uma opção:\n\n*1* - CPF"),
    ],
)
def test_a_menu_that_closed_hours_kept_back_is_sent_before_it_can_be_answered(
    acme: Company, queue: Queue, number: Connection, answer: str, beginning: str
) -> None:
    asking = queue.options.create(title="CPF", message="Seu CPF?", asks="cpf", asks_field="CPF")
    for title in ("Boletos", "Notas"):
        asking.children.create(queue=queue, title=title, message=f"Aqui estão: {title}.")
    receive(number, "Oi")
    receive(number, "1")
    close(acme)
    assert receive(number, "52998224725") == ["Obrigado! Anotei: 529.982.247-25"]
    assert receive(number, "Alô?") == []
    setting(acme, "scheduleType", "disabled")
    [menu] = receive(number, answer)
    assert menu.startswith(beginning)
    if answer == "1":
        assert receive(number, "1")[0] == "Aqui estão: Boletos."


def test_a_question_needs_a_field_for_its_answer(
    client_for: ClientFor, admin: User, queue: Queue
) -> None:
    client, path = client_for(admin), f"/api/queue/{queue.pk}"
    menu: list[dict[str, Any]] = [{"title": "A", "asks": "cpf", "asksField": " "}]
    refused = client.put(path, {"options": menu}, format="json")
    assert list(refused.json()["fields"]) == ["options.0.asksField"]
    menu[0]["asksField"] = " CPF "
    saved = client.put(path, {"options": menu}, format="json").json()["options"][0]
    assert (saved["asks"], saved["asksField"]) == ("cpf", "CPF")
    one = f"/api/queue-options/{saved['id']}"
    wrong = client.put(one, {"asks": "idade"}, format="json")
    assert list(wrong.json()["fields"]) == ["asks"]
    assert list(client.put(one, {"asksField": ""}, format="json").json()["fields"]) == ["asksField"]
    own = client.put(one, {"asks": "name", "asksField": ""}, format="json").json()
    assert (own["asks"], own["asksField"]) == ("name", "")
    none = client.put(path, {"options": [{"title": "A", "asks": "", "asksField": "X"}]}, "json")
    assert none.json()["options"][0]["asksField"] == ""


LID = {"sender": "", "lid": "BR.1a"}


@pytest.mark.parametrize(
    "written", ["11 98765-4321", "meu telefone é (11) 98765-4321.", "+55 11 98765 4321"]
)
def test_a_written_telephone_is_kept_beside_the_contact(
    queue: Queue, number: Connection, written: str
) -> None:
    queue.options.create(title="Ligar", asks="phone")
    receive(number, "Oi", **LID)
    assert receive(number, "1", **LID) == [f"Qual é o seu telefone?{OUT}\n\n[Compartilhar contato]"]
    sent = Delivery.objects.latest("pk").payload["menu"]
    assert (sent["kind"], sent["body"]) == ("contact_request", f"Qual é o seu telefone?{OUT}")
    assert receive(number, "98765-4321", **LID)[0].startswith("Este telefone não está certo.")
    taken, comes = receive(number, written, **LID)
    assert taken == "Obrigado! Anotei: +55 11 98765-4321"
    assert comes.startswith("Vou chamar alguém da equipe.")
    assert fields() == [("Telefone", "+55 11 98765-4321")]
    # Anybody can write anybody's number.
    assert Contact.objects.get().canonical_number == "lid:BR.1a"


def test_a_session_asks_for_a_telephone_in_words(queue: Queue, number: Connection) -> None:
    Connection.objects.filter(pk=number.pk).update(provider="beta")
    queue.options.create(title="Ligar", asks="phone")
    receive(number, "Oi", **LID)
    assert receive(number, "1", **LID) == [f"Qual é o seu telefone?{OUT}"]
    assert "menu" not in Delivery.objects.latest("pk").payload


def test_a_telephone_is_read_by_the_companys_country(
    acme: Company, queue: Queue, number: Connection
) -> None:
    setting(acme, "country", "PT")
    queue.options.create(title="Ligar", asks="phone", asks_field="Celular")
    receive(number, "Oi", **LID)
    receive(number, "1", **LID)
    receive(number, "912 345 678", **LID)
    assert fields() == [("Celular", "+351 912 345 678")]


@pytest.mark.parametrize(
    ("asks_field", "kept"), [("", []), ("Celular", [("Celular", "+55 11 98765-4321")])]
)
def test_a_shared_telephone_answers_the_question(
    queue: Queue, number: Connection, asks_field: str, kept: list[tuple[str, str]]
) -> None:
    asking = queue.options.create(title="Ligar", asks="phone", asks_field=asks_field)
    asking.children.create(queue=queue, title="Hoje")
    receive(number, "Oi", **LID)
    receive(number, "1", **LID)
    card = {"media_type": "vcard", "sender": NUMBER, "lid": "BR.1a"}
    # Another person's card is no answer.
    other = receive(number, "BEGIN:VCARD", **LID, media_type="vcard", data={"contacts": []})
    assert other == ["Preciso da resposta por escrito, por favor."]
    taken, menu = receive(number, "BEGIN:VCARD", **card, data={SHARED_NUMBER: NUMBER})
    assert taken == "Obrigado! Anotei: +55 11 98765-4321"
    assert menu.startswith("Ligar\n\n*1* - Hoje")
    assert fields() == kept
    assert Contact.objects.get().number == NUMBER


def test_a_known_telephone_is_not_asked_for(queue: Queue, number: Connection) -> None:
    queue.options.create(title="Ligar", message="Seu telefone?", asks="phone")
    asking = queue.options.create(title="Agendar", asks="phone", position=2)
    asking.children.create(queue=queue, title="Hoje")
    receive(number, "Oi")
    [menu] = receive(number, "2")
    assert menu.startswith("Agendar\n\n*1* - Hoje")
    receive(number, "0")
    [comes] = receive(number, "1")
    assert comes.startswith("Vou chamar alguém da equipe.")
    assert fields() == []
