"""Working on one conversation together: notes, mentions, who writes, and putting it aside."""

import re

from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, ANA, OpenPage, log_in
from tests.journeys.people import (
    Customer,
    composer,
    conversation,
    press,
    row,
    say,
    sent,
    serve,
    tab,
    type_in,
)
from tests.product import Product


def test_a_note_reaches_the_colleague_whom_it_mentions_and_never_the_customer(
    product: Product, open_page: OpenPage
) -> None:
    customer = Customer(product, "Olívia Bilhete")
    ana, boss = open_page(), open_page()
    pane = serve(ana, ANA, customer)
    log_in(boss, ADMIN)

    # By its key, outside of the field; what is typed then is the note's.
    pane.get_by_role("log").click()
    ana.keyboard.press("n")
    note = ana.get_by_role("textbox", name="Nota para a equipe")
    expect(note).to_be_focused()
    expect(composer(ana)).to_be_hidden()
    ana.keyboard.type("@camila")
    expect(ana.get_by_role("option", name="Camila Duarte")).to_be_visible()
    ana.keyboard.press("Enter")
    ana.keyboard.type("pode dar o desconto?")
    # The keys of a message save and send nothing.
    ana.keyboard.press("Control+Enter")
    ana.keyboard.press("Enter")
    expect(note).to_be_focused()
    ana.keyboard.press("Alt+Enter")
    expect(pane.get_by_role("log").get_by_text(re.compile("pode dar o desconto"))).to_be_visible()
    expect(composer(ana)).to_be_focused()
    say(ana, "Vou confirmar o desconto")
    customer.wait_for_texts("Vou confirmar o desconto")

    # Camila is told, finds it in her list, and opens it there.
    expect(boss.get_by_text(re.compile("Ana Prado mencionou você")).first).to_be_visible()
    boss.get_by_role("button", name="1 menção nova").click()
    boss.get_by_role("button", name=re.compile("pode dar o desconto")).click()
    opened = conversation(boss, customer.name)
    expect(opened.get_by_text("@Camila Duarte")).to_be_visible()
    expect(boss.get_by_role("button", name="Menções", exact=True)).to_be_visible()

    # Who searches the conversation steps through messages and notes.
    opened.get_by_role("log").click()
    boss.keyboard.press("Control+f")
    search = opened.get_by_role("search", name="Busca na conversa")
    type_in(search.get_by_role("searchbox"), "DESCONTO")
    expect(search.get_by_role("status")).to_have_text("1 de 2")
    marked = opened.locator("[data-note] mark")
    expect(marked).to_have_text("desconto")
    press(search.get_by_role("searchbox"), "Enter")
    expect(search.get_by_role("status")).to_have_text("2 de 2")
    expect(marked).to_be_in_viewport()
    press(search.get_by_role("searchbox"), "Escape")

    # Its writer deletes it everywhere.
    pane.get_by_role("button", name="Excluir nota").click()
    ana.get_by_role("alertdialog").get_by_role("button", name="Excluir").click()
    expect(opened.get_by_text(re.compile("pode dar o desconto"))).to_have_count(0)


def test_a_begun_note_is_there_after_a_reload(product: Product, page: Page) -> None:
    customer = Customer(product, "Nair Lembrete")
    pane = serve(page, ANA, customer)
    pane.get_by_role("button", name="Nota", exact=True).click()
    note = page.get_by_role("textbox", name="Nota para a equipe")
    type_in(note, "Pediu nota fiscal")
    page.reload()
    pane.get_by_role("button", name="Nota", exact=True).click()
    expect(note).to_have_value("Pediu nota fiscal")
    press(note, "Escape")
    expect(composer(page)).to_have_value("")


def test_two_who_write_know_of_each_other(product: Product, open_page: OpenPage) -> None:
    customer = Customer(product, "Doralice Dupla")
    ana, boss = open_page(), open_page()
    serve(ana, ANA, customer)
    log_in(boss, ADMIN)
    boss.goto(ana.url)
    other = conversation(boss, customer.name)
    expect(other.get_by_text("Ana Prado também está vendo")).to_be_visible()
    type_in(composer(ana), "Já estou vendo isso")
    expect(other.get_by_text("Ana Prado está escrevendo:")).to_be_visible()
    expect(other.get_by_text("Já estou vendo isso")).to_be_visible()

    type_in(composer(boss), "Oi, aqui é a Camila")
    press(composer(boss), "Enter")
    question = boss.get_by_role("alertdialog", name="Ana Prado também está escrevendo")
    expect(question).to_be_visible()
    question.get_by_role("button", name="Enviar mesmo assim").click()
    expect(sent(boss, "Oi, aqui é a Camila")).to_be_visible()
    say(boss, "Um momento")

    expect(ana.get_by_text("Camila Duarte está escrevendo:")).to_have_count(0)
    press(composer(ana), "Enter")
    expect(other.get_by_text("Ana Prado está escrevendo:")).to_have_count(0)


def test_a_conversation_put_aside_comes_back_when_the_customer_writes(
    product: Product, page: Page
) -> None:
    customer = Customer(product, "Quitéria Depois")
    pane = serve(page, ANA, customer)
    pane.get_by_role("button", name="Opções do atendimento").click()
    page.get_by_role("menuitem", name="Adiar").click()
    dialog = page.get_by_role("dialog", name=f"Adiar a conversa com {customer.name}")
    dialog.get_by_role("button", name="Quando o contato responder").click()
    expect(dialog).to_have_count(0)
    tab(page, "Atendendo").click()
    listed = row(page, "Atendendo", customer.name)
    expect(listed).to_have_count(0)
    customer.write("Pensei melhor")
    expect(listed).to_be_visible()
    expect(listed.get_by_role("img", name="Voltou: o contato respondeu")).to_be_visible()
    listed.click()
    expect(pane.get_by_text("O contato respondeu e o adiamento acabou")).to_be_visible()
    expect(listed.get_by_role("img", name="Voltou: o contato respondeu")).to_have_count(0)
