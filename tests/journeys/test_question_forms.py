"""Several questions in one form: written by an admin, filled in on a telephone, read by people."""

import os
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, OpenPage, log_in
from tests.journeys.people import (
    BOT_CONNECTION,
    BOT_NUMBER,
    Customer,
    Simulator,
    open_waiting,
    pick,
    type_in,
)
from tests.journeys.test_bot import Office, choose, wait_for_words
from tests.product import Product, wait_for

SWITCH = "Perguntar tudo de uma vez, em um formulário"


def ask(dialog: Locator, title: str, kind: str) -> None:
    type_in(dialog.get_by_role("textbox", name="Título", exact=True), title)
    pick(dialog.get_by_label("Pedir um dado"), kind)


def shoot(page: Page, name: str) -> None:
    """Take a picture where FORM_PICTURES says so."""
    if folder := os.environ.get("FORM_PICTURES"):
        Path(folder).mkdir(exist_ok=True)
        for theme in ("light", "dark"):
            page.evaluate(
                "theme => document.documentElement.classList.toggle('dark', theme == 'dark')", theme
            )
            page.screenshot(path=f"{folder}/{name}-{theme}.png")
        page.evaluate("document.documentElement.classList.remove('dark')")


def states(office: Office, queue_id: int) -> list[str]:
    """Return how the bot's number asks, one state for each form."""
    rows = office.call("GET", f"/queue/{queue_id}/forms")
    return [each["state"] for each in rows if each["connectionName"] == BOT_CONNECTION]


def test_questions_become_a_form_whose_answers_land_in_the_contact(
    product: Product, open_page: OpenPage
) -> None:
    admin, phone, simulator = open_page(), open_page(), Simulator(product)
    log_in(admin, ADMIN, at="/queues")
    office = Office(admin)
    admin.get_by_role("button", name="Nova fila").first.click()
    dialog = admin.get_by_role("dialog", name="Nova fila")
    type_in(dialog.get_by_label("Nome", exact=True), "Cadastro")
    type_in(dialog.get_by_label("Mensagem de saudação"), "Olá! O que deseja?")
    dialog.get_by_role("button", name="Adicionar a primeira opção").click()
    ask(dialog, "Seus dados", "Nome")
    expect(dialog.get_by_text(SWITCH)).to_be_hidden()
    dialog.get_by_role("button", name="Adicionar subopção").first.click()
    ask(dialog, "E-mail", "E-mail")
    dialog.get_by_text("Seus dados", exact=True).first.click()
    dialog.get_by_text(SWITCH).click()
    expect(dialog.get_by_text("um só formulário: Seus dados, E-mail")).to_be_visible()
    expect(dialog.get_by_text("aparecem aqui quando ela for salva")).to_be_visible()

    # The test has the form before anything is saved.
    chat = dialog.get_by_role("complementary", name="Testar conversa")
    chat.get_by_role("button", name="Começar o teste").click()
    log = chat.get_by_role("log", name="Conversa de teste")
    expect(log).to_contain_text("Olá! O que deseja?")
    type_in(chat.get_by_placeholder("Responda como cliente"), "1")
    admin.keyboard.press("Enter")
    form = log.get_by_role("group", name="Formulário Seus dados")
    type_in(form.get_by_label("Seus dados"), "Rita Prova")
    type_in(form.get_by_label("E-mail"), "rita@")
    shoot(admin, "editor-wide")
    form.get_by_role("button", name="Enviar formulário").click()
    expect(log).to_contain_text("Nome do contato recebe: Rita Prova")
    expect(log).to_contain_text("Este e-mail não está certo.")
    dialog.get_by_role("button", name="Salvar fila").click()
    expect(dialog).to_be_hidden()

    made = next(each for each in office.call("GET", "/queue") if each["name"] == "Cadastro")
    line = office.line
    before = [each["id"] for each in line["queues"]]
    try:
        office.call("PUT", f"/whatsapp/{line['id']}", {"queueIds": [made["id"]]})
        wait_for(lambda: states(office, made["id"]) == ["form"], "the form to be published")
        admin.get_by_role("row").filter(has_text="Cadastro").click()
        dialog = admin.get_by_role("dialog", name="Editar fila")
        dialog.get_by_text("Seus dados", exact=True).first.click()
        numbers = dialog.get_by_role("list", name="Como cada número pergunta")
        expect(numbers).to_contain_text(f"{BOT_CONNECTION}: em um formulário")
        shoot(admin, "published-wide")
        admin.set_viewport_size({"width": 390, "height": 844})
        numbers.scroll_into_view_if_needed()
        shoot(admin, "published-narrow")
        admin.set_viewport_size({"width": 1440, "height": 900})
        dialog.get_by_role("button", name="Fechar").click()

        customer = Customer(product, "Rita Formulário", to=BOT_NUMBER)
        phone.goto(customer.phone_address)
        customer.write("Oi!")
        menu = wait_for_words(customer, "Olá! O que deseja?")
        choose(phone, menu, "Seus dados")
        asked = wait_for_words(customer, "Qual é o seu nome?")
        article = phone.locator(f"[data-message-id='{asked['id']}']")
        article.get_by_role("button").filter(has_text="Responder").click()
        sheet = phone.get_by_role("dialog", name="Seus dados")
        type_in(sheet.get_by_label("Seus dados"), "Rita de Cássia")
        type_in(sheet.get_by_label("E-mail"), "rita@casa.com.br")
        shoot(phone, "phone-wide")
        phone.set_viewport_size({"width": 390, "height": 844})
        shoot(phone, "phone-narrow")
        sheet.get_by_role("button", name="Enviar").click()
        wait_for_words(customer, "Vou chamar alguém da equipe")

        # Who takes over reads it, and the contact has it.
        admin.goto("/tickets")
        # The admin works in other queues.
        admin.locator("label").filter(has_text="Todos").click()
        pane = open_waiting(admin, "Rita de Cássia")
        thread = pane.get_by_role("log")
        expect(thread.get_by_text("Formulário respondido")).to_be_visible()
        expect(thread.get_by_role("definition").first).to_have_text("Rita de Cássia")
        shoot(admin, "conversation-wide")
        admin.set_viewport_size({"width": 390, "height": 844})
        expect(thread.get_by_role("definition").first).to_be_in_viewport()
        shoot(admin, "conversation-narrow")
        admin.set_viewport_size({"width": 1440, "height": 900})
        found = office.call("GET", "/contacts?searchParam=rita@casa.com.br")["contacts"]
        assert [(each["name"], each["email"]) for each in found] == [
            ("Rita de Cássia", "rita@casa.com.br")
        ]

        # Meta blocks the form: the editor says so, and who comes next is asked one by one.
        simulator.call("POST", "/faults", {"kind": "form_blocked", "number": BOT_NUMBER})
        wait_for(lambda: states(office, made["id"]) == ["stopped"], "the form to be stopped")
        admin.goto("/connections")
        alerted = admin.get_by_role("row").filter(has_text=BOT_CONNECTION)
        expect(alerted).to_contain_text("A Meta bloqueou um formulário do bot")
        shoot(admin, "alert-wide")
        admin.goto("/queues")
        admin.get_by_role("row").filter(has_text="Cadastro").click()
        dialog = admin.get_by_role("dialog", name="Editar fila")
        dialog.get_by_text("Seus dados", exact=True).first.click()
        numbers = dialog.get_by_role("list", name="Como cada número pergunta")
        expect(numbers).to_contain_text(f"{BOT_CONNECTION}: um a um, enquanto o formulário está")
        expect(numbers).to_contain_text("A Meta bloqueou o formulário.")
        shoot(admin, "stopped-wide")
        other = Customer(product, "Célio Bloqueado", to=BOT_NUMBER)
        other.write("Oi!")
        wait_for_words(other, "Olá! O que deseja?")
        other.write("1")
        wait_for_words(other, "Qual é o seu nome?")
        other.write("Célio Prado")
        wait_for_words(other, "Qual é o seu e-mail?")
        simulator.call("DELETE", "/faults?kind=form_blocked")
        wait_for(lambda: states(office, made["id"]) == ["form"], "the form to be sent again")
        expect(numbers).to_contain_text(f"{BOT_CONNECTION}: em um formulário")
    finally:
        simulator.call("DELETE", "/faults?kind=form_blocked")
        office.call("PUT", f"/whatsapp/{line['id']}", {"queueIds": before})
        office.call("DELETE", f"/queue/{made['id']}")
