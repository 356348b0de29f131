"""What happens before a person takes a conversation: menus, hours, and somebody else's flow."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, ANA, OpenPage, log_in
from tests.journeys.flows import Flow
from tests.journeys.people import (
    BOT_CONNECTION,
    BOT_NUMBER,
    Customer,
    accept,
    conversation,
    open_waiting,
    pick,
    press,
    row,
    say,
    sent,
    tab,
    tick,
    token,
    type_in,
)
from tests.product import Product, wait_for


class Office:
    """The calls with which an admin arranges things."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._headers = {"Authorization": f"Bearer {token(page)}"}

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Return the answer of a call that must succeed."""
        answer = self._page.request.fetch(
            f"/api{path}", method=method, data=body, headers=self._headers
        )
        assert answer.ok, answer.text()
        return answer.json()

    @contextmanager
    def settings(self, **values: str) -> Iterator[None]:
        """Have these settings for a while."""
        before = {row["key"]: row["value"] for row in self.call("GET", "/settings")}
        try:
            for key, value in values.items():
                self.call("PUT", f"/settings/{key}", {"value": value})
            yield
        finally:
            for key in values:
                self.call("PUT", f"/settings/{key}", {"value": before[key]})

    @property
    def line(self) -> Any:
        """Return the connection on which the bot answers."""
        found = self.call("GET", "/whatsapp/?session=0")
        return next(each for each in found if each["name"] == BOT_CONNECTION)


def words_of(message: dict[str, Any]) -> str:
    """Return what a message on the telephone says above its choices."""
    body = message["body"]["body"]
    return str(body["text"] if isinstance(body, dict) else body)


def wait_for_words(customer: Customer, words: str) -> dict[str, Any]:
    """Wait until the newest message of the company says this, and return it."""

    def has_come() -> bool:
        came = customer.received()
        return bool(came) and words in words_of(came[-1])

    wait_for(has_come, f"'{words}' on the telephone of {customer.name}")
    return customer.received()[-1]


def form_of(message: dict[str, Any]) -> str:
    """Return how a menu is put: text, button or list, as the setting calls it."""
    return str(message["body"].get("type", "text"))


def choose(phone: Page, message: dict[str, Any], title: str) -> None:
    """Take an entry of a menu as its form has it: a button, a row, or its number written."""
    article = phone.locator(f"[data-message-id='{message['id']}']")
    if form_of(message) == "text":
        place = re.search(rf"\*(\S+)\* - {re.escape(title)}", words_of(message))
        assert place, words_of(message)
        field = phone.get_by_role("textbox", name="Mensagem")
        type_in(field, place.group(1))
        press(field, "Enter")
    elif form_of(message) == "button":
        article.get_by_role("button", name=title, exact=True).click()
    else:
        article.get_by_role("button", name="Ver opções").click()
        phone.get_by_role("menuitem", name=title).first.click()


@pytest.mark.parametrize(
    ("form", "name", "rate", "rated"),
    [
        ("text", "Graça Texto", "1", "insatisfeito"),
        ("button", "Graça Botão", "2", "satisfeito"),
        ("list", "Graça Lista", "3", "muito satisfeito"),
    ],
)
def test_from_the_menu_through_the_tree_to_a_person_and_the_rating(
    product: Product, open_page: OpenPage, form: str, name: str, rate: str, rated: str
) -> None:
    phone, ana, admin = open_page(), open_page(), open_page()
    customer = Customer(product, name, to=BOT_NUMBER)
    log_in(admin, ADMIN)
    office = Office(admin)
    with office.settings(chatBotType=form, userRating="enabled"):
        phone.goto(customer.phone_address)
        customer.write("Oi!")
        menu = wait_for_words(customer, f"Olá, {name.partition(' ')[0]}!")
        assert form_of(menu) == form
        # Whoever looks on sees that nobody need hurry.
        tab(admin, "Aguardando").click()
        expect(row(admin, "Aguardando", name)).to_contain_text("No bot")

        log_in(ana, ANA)
        choose(phone, menu, "Trocas e devoluções")
        options = wait_for_words(customer, "Vamos resolver a sua troca.")
        pane = open_waiting(ana, name)
        expect(pane.get_by_text("O bot está respondendo").first).to_be_visible()
        choose(phone, options, "Produto com defeito")
        inner = wait_for_words(customer, "Como você prefere resolver?")
        choose(phone, inner, "Quero um novo")
        wait_for_words(customer, "Envie uma foto do produto")

        # Who takes over understands what went before.
        thread = pane.get_by_role("log")
        expect(thread.get_by_text("O contato escolheu Trocas e devoluções no menu")).to_be_visible()
        expect(
            thread.get_by_text("O bot terminou; o contato espera por uma pessoa")
        ).to_be_visible()
        expect(thread.locator("[data-source=bot]").first).to_have_text("Bot")
        expect(pane.get_by_text("Sem atendente")).to_be_visible()
        pane.get_by_role("button", name="Aceitar").first.click()
        say(ana, "Recebi, o novo sai amanhã.")
        expect(tick(sent(ana, "o novo sai amanhã"), "Lida")).to_be_visible()
        address = ana.url
        pane.get_by_role("button", name="Resolver", exact=True).click()

        wait_for_words(customer, "Como foi o nosso atendimento?")
        customer.write(rate)
        wait_for_words(customer, "Obrigada por falar com a Casa Aroeira.")
        ana.goto(address)
        expect(
            conversation(ana, name).get_by_text(f"O contato avaliou: {rated}", exact=False).first
        ).to_be_visible()
        # A rating is an answer to us and opens nothing.
        expect(conversation(ana, name).get_by_role("button", name="Reabrir").first).to_be_visible()


def test_outside_working_hours_one_message_says_so_and_the_contact_waits(
    product: Product, page: Page
) -> None:
    log_in(page, ADMIN)
    office = Office(page)
    company_id = office.call("GET", "/auth/me")["companyId"]
    path = f"/companies/{company_id}/schedules"
    before = office.call("GET", path)["schedules"]
    shut = [
        each
        if each["weekdayEn"] == "lunchTime"
        else {**each, "startTime": "00:00", "endTime": "00:00"}
        for each in before
    ]
    customer = Customer(product, "Nicanor Noite", to=BOT_NUMBER)
    try:
        office.call("PUT", path, {"schedules": shut})
        with office.settings(scheduleType="company"):
            customer.write("Vocês estão abertos?")
            customer.wait_for_texts("Estamos fechados agora.")
            customer.write("É sobre o pedido 10482")
            pane = open_waiting(page, customer.name)
            expect(pane.get_by_role("log").get_by_text("É sobre o pedido 10482")).to_be_visible()
            assert len(customer.received()) == 1
            # Tomorrow somebody takes it as any other.
            accept(page, customer.name)
            say(page, "Bom dia! Já vou ver.")
            customer.wait_for_texts("Estamos fechados agora.", "Bom dia! Já vou ver.")
    finally:
        office.call("PUT", path, {"schedules": before})


def test_a_flow_gets_signed_messages_and_answers_through_the_messages_api(
    product: Product, page: Page
) -> None:
    log_in(page, ADMIN)
    office = Office(page)
    customer = Customer(product, "Iracema Fluxo", to=BOT_NUMBER)
    line = office.line
    with Flow(product.address) as flow:
        page.goto("/queue-integration")
        page.get_by_role("button", name="Adicionar integração").first.click()
        dialog = page.get_by_role("dialog", name="Adicionar integração")
        dialog.get_by_text("n8n", exact=True).click()
        type_in(dialog.get_by_label("Nome"), "Pedidos")
        type_in(dialog.get_by_label("Endereço (URL)"), "fluxo")
        dialog.get_by_role("button", name="Adicionar", exact=True).click()
        expect(dialog.get_by_text("Informe um endereço completo")).to_be_visible()
        own = office.call("GET", "/queue")[0]
        pick(dialog.get_by_label("Fila", exact=True), own["name"])
        type_in(dialog.get_by_label("Endereço (URL)"), flow.address)
        dialog.get_by_role("button", name="Adicionar", exact=True).click()
        once = page.get_by_role("dialog", name="Segredo de assinatura")
        flow.secret = once.locator("code").first.inner_text()
        once.get_by_role("button", name="Já copiei").click()
        made = page.get_by_role("row").filter(has_text="Pedidos")
        expect(made).to_contain_text("Nenhuma ainda")

        found = office.call("GET", "/queueIntegration/?searchParam=pedidos")
        integration_id = found["queueIntegrations"][0]["id"]
        expect(made.locator("svg").first).to_be_visible()
        expect(made.get_by_role("cell", name=str(integration_id), exact=True)).to_be_visible()
        assert found["queueIntegrations"][0]["queueId"] == own["id"]
        flow.token = office.call("POST", f"/whatsapp/{line['id']}/token")["token"]
        office.call("PUT", f"/whatsapp/{line['id']}", {"integrationId": integration_id})
        try:
            customer.write("Onde está o pedido 10482?")
            customer.wait_for_texts("Recebi: Onde está o pedido 10482?")
            assert flow.refused == []

            # The log shows what went, and sends it once more.
            page.reload()
            expect(made).to_contain_text(BOT_CONNECTION)
            expect(made).to_contain_text("Entregue")
            made.get_by_role("button", name="Entregas de Pedidos").click()
            log = page.get_by_role("dialog", name="Entregas de Pedidos")
            log.get_by_role("button", name=re.compile("^200")).first.click()
            expect(log.get_by_role("region").get_by_text("pedido 10482").first).to_be_visible()
            seen = len(flow.events)
            log.get_by_role("button", name="Reenviar").first.click()
            wait_for(lambda: len(flow.events) > seen, "the event once more")
            assert len(set(flow.events)) == 1
            log.get_by_role("button", name="Fechar").last.click()

            page.goto("/tickets")
            pane = open_waiting(page, customer.name)
            expect(pane.get_by_text("A integração está respondendo").first).to_be_visible()
            expect(pane.locator("[data-source=api]").first).to_have_text("API")
            accept(page, customer.name)
            said = len(flow.events)
            customer.write("Prefiro falar com alguém")
            expect(pane.get_by_role("log").get_by_text("Prefiro falar")).to_be_visible()
            say(page, "Estou aqui!")
            expect(tick(sent(page, "Estou aqui!"), "Entregue")).to_be_visible()
            assert len(flow.events) == said
        finally:
            office.call("PUT", f"/whatsapp/{line['id']}", {"integrationId": None})
            office.call("DELETE", f"/queueIntegration/{integration_id}")


def test_the_test_chat_says_who_has_a_conversation_that_a_flow_led_nowhere(
    product: Product, page: Page
) -> None:
    log_in(page, ADMIN)
    office = Office(page)
    queues = {each["name"]: each["id"] for each in office.call("GET", "/queue")}
    flow = {
        "type": "webhook",
        "name": "Segunda via",
        "urlN8N": f"{product.address}/fluxo",
        "queueId": queues["Trocas e devoluções"],
    }
    integration_id = office.call("POST", "/queueIntegration", flow)["id"]
    line = office.line["id"]
    try:
        page.goto("/queues")
        page.get_by_role("row").filter(has_text="Financeiro").click()
        dialog = page.get_by_role("dialog", name="Editar fila")
        pick(dialog.get_by_label("Integração"), "Segunda via")
        chat = dialog.get_by_role("complementary", name="Testar conversa")
        log = chat.get_by_role("log", name="Conversa de teste")
        answer = chat.get_by_placeholder("Responda como cliente")
        chat.get_by_role("button", name="Recomeçar").first.click()
        type_in(answer, "financeiro")
        page.keyboard.press("Enter")
        # Who chose a queue waits there.
        expect(log).to_contain_text("A integração Segunda via responderia daqui em diante")
        expect(log).to_contain_text("10 min em silêncio, o atendimento espera em Financeiro")
        expect(log).to_contain_text("O cliente recebe: Vou chamar alguém da equipe.")
        type_in(answer, "E o boleto?")
        page.keyboard.press("Enter")
        expect(log.get_by_text("A integração Segunda via responderia")).to_have_count(2)
        expect(log.get_by_text("o atendimento espera em")).to_have_count(1)
        # Where it leads the whole number its own queue goes before the others.
        office.call("PUT", f"/whatsapp/{line}", {"integrationId": integration_id})
        chat.get_by_role("button", name="Recomeçar").first.click()
        expect(log).to_contain_text("o atendimento espera em Trocas e devoluções")
    finally:
        office.call("PUT", f"/whatsapp/{line}", {"integrationId": None})
        office.call("DELETE", f"/queueIntegration/{integration_id}")


def test_the_test_chat_keeps_the_companys_hours(product: Product, page: Page) -> None:
    log_in(page, ADMIN)
    office = Office(page)
    path = f"/companies/{office.call('GET', '/auth/me')['companyId']}/schedules"
    before = office.call("GET", path)["schedules"]
    shut_on_sundays = [
        {**each, "startTime": "00:00", "endTime": "00:00"}
        if each["weekdayEn"] == "sunday"
        else {**each, "startTime": "", "endTime": ""}
        for each in before
    ]
    try:
        office.call("PUT", path, {"schedules": shut_on_sundays})
        with office.settings(scheduleType="company"):
            page.goto("/queues")
            page.get_by_role("row").filter(has_text="Financeiro").click()
            dialog = page.get_by_role("dialog", name="Editar fila")
            chat = dialog.get_by_role("complementary", name="Testar conversa")
            log = chat.get_by_role("log", name="Conversa de teste")
            chat.get_by_role("button", name="Outra hora").click()
            day = chat.get_by_label("Data")
            type_in(day, "29/11/2026")
            page.keyboard.press("Tab")
            expect(log).to_contain_text("Estamos fechados agora.")
            expect(log).to_contain_text("Fora do horário, o atendimento esperaria em Vendas")
            expect(log).to_contain_text("Fora do horário: ninguém atende neste momento")
            type_in(day, "30/11/2026")
            page.keyboard.press("Tab")
            expect(log).to_contain_text("Financeiro")
            expect(log).not_to_contain_text("Fora do horário")
    finally:
        office.call("PUT", path, {"schedules": before})
