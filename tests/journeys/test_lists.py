"""The lists of tickets: search, filters, keys, and rows that move by themselves."""

import re

from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.journeys.conftest import ADMIN, ANA, BRUNO, OpenPage, log_in
from tests.journeys.people import (
    Customer,
    accept,
    composer,
    conversation,
    open_waiting,
    press,
    row,
    say,
    sent,
    serve,
    tab,
    tick,
    type_in,
)
from tests.product import Product

# The time of today, the day of what is older.
MOMENT = re.compile(r"^(\d{2}:\d{2}|\d{2}/\d{2}/\d{4})$")

NARROW: ViewportSize = {"width": 390, "height": 844}


def search(page: Page, words: str) -> None:
    """Type into the search tab."""
    tab(page, "Busca").click()
    type_in(page.get_by_role("searchbox", name="Buscar atendimentos"), words)


def marked(found: Locator) -> Locator:
    """Return what a row marks of the search."""
    return found.locator("mark")


def test_a_search_shows_the_line_and_leads_to_it(page: Page, product: Product) -> None:
    customer = Customer(product, "Iolanda Freitas")
    serve(page, ADMIN, customer, "Sobre o guarda-sóis de março")
    say(page, "Já verifico")
    expect(sent(page, "Já verifico")).to_be_visible()
    search(page, "GUARDA-SOIS")
    found = row(page, "Busca", customer.name)
    expect(marked(found)).to_have_text("guarda-sóis")
    expect(page).to_have_url(re.compile("q=GUARDA-SOIS|q=guarda-sois"))
    found.click()
    expect(page).to_have_url(re.compile(r"/tickets/[0-9a-f-]{36}\?.*message=\d+"))
    expect(conversation(page, customer.name)).to_contain_text("guarda-sóis")


def test_a_message_that_matches_enters_the_search_by_itself(page: Page, product: Product) -> None:
    customer = Customer(product, "Jurandir Lopes")
    log_in(page, ADMIN)
    search(page, "zabumba")
    expect(page.get_by_text("Nenhum atendimento encontrado.")).to_be_visible()
    customer.write("Vocês vendem zabumba?")
    expect(marked(row(page, "Busca", customer.name))).to_have_text("zabumba")


def test_clearing_a_search_returns_to_the_open_tickets(page: Page) -> None:
    log_in(page, ADMIN)
    search(page, "prato")
    expect(page.get_by_role("region", name="Busca", exact=True)).to_be_visible()
    type_in(page.get_by_role("searchbox", name="Buscar atendimentos"), "")
    expect(tab(page, "Abertas")).to_have_attribute("aria-selected", "true")


def test_filters_narrow_list_and_counts_and_stay_in_the_address(
    page: Page, product: Product
) -> None:
    log_in(page, ADMIN)
    waiting = tab(page, "Aguardando")
    expect(waiting).to_have_text(re.compile(r"\d"))
    page.get_by_role("button", name="Filtros").click()
    page.get_by_role("group", name="Tags").get_by_text("Atacado", exact=True).click()
    expect(page).to_have_url(re.compile(r"tags=\d+"))
    page.keyboard.press("Escape")
    page.reload()
    chip = page.get_by_role("button", name="Tirar o filtro Atacado")
    expect(chip).to_be_visible()
    expect(page.get_by_role("button", name="Filtros: 1 ativo")).to_be_visible()
    page.get_by_role("button", name="Limpar filtros").first.click()
    expect(chip).to_have_count(0)
    expect(page).not_to_have_url(re.compile("tags="))


def test_a_row_moves_on_to_the_next_list_for_everyone(
    open_page: OpenPage, product: Product
) -> None:
    customer = Customer(product, "Leonor Bastos")
    ana, bruno = open_page(), open_page()
    for person, email in ((ana, ANA), (bruno, BRUNO)):
        log_in(person, email)
        tab(person, "Aguardando").click()
    page = open_page()
    log_in(page, ADMIN)
    customer.write("Olá!")
    tab(page, "Aguardando").click()
    expect(row(page, "Aguardando", customer.name)).to_be_visible()
    accept(page, customer.name)
    tab(page, "Aguardando").click()
    expect(row(page, "Aguardando", customer.name)).to_have_count(0)
    for person in (ana, bruno):
        expect(row(person, "Aguardando", customer.name)).to_have_count(0)


def test_the_keyboard_walks_opens_and_resolves(page: Page, product: Product) -> None:
    customer = Customer(product, "Marcelina Dutra")
    serve(page, ADMIN, customer)
    page.reload()
    expect(row(page, "Atendendo", customer.name)).to_be_visible()
    expect(composer(page)).to_be_visible()
    page.get_by_role("heading", name="Atendimentos", exact=True).click()
    page.keyboard.press("j")
    own = row(page, "Atendendo", customer.name)
    expect(own).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    second = page.get_by_role("region", name="Atendendo", exact=True).get_by_role("link").nth(1)
    expect(second).to_be_focused()
    page.keyboard.press("Home")
    expect(own).to_be_focused()
    page.keyboard.press("Enter")
    expect(composer(page)).to_be_focused()
    # Letters act on a row that the keys led to, not on one that was just opened.
    page.keyboard.press("Escape")
    expect(own).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Home")
    expect(own).to_be_focused()
    page.keyboard.press("Control+Enter")
    expect(own).to_have_count(0)


def test_after_a_press_a_accepts_and_no_other_letter_acts(page: Page, product: Product) -> None:
    customer = Customer(product, "Marinalva Couto")
    log_in(page, ADMIN)
    customer.write("Olá!")
    open_waiting(page, customer.name)
    changes: list[str] = []
    page.on("request", lambda asked: changes.append(asked.url) if asked.method == "PUT" else None)
    own = row(page, "Aguardando", customer.name)
    own.click()
    page.keyboard.type("rt")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(own).to_be_visible()
    assert changes == []
    page.keyboard.press("a")
    expect(composer(page)).to_be_visible()
    expect(own).to_have_count(0)


def test_letters_are_text_while_one_types(page: Page, product: Product) -> None:
    customer = Customer(product, "Nivaldo Reis")
    serve(page, ADMIN, customer)
    type_in(composer(page), "jarn/?")
    expect(composer(page)).to_have_value("jarn/?")
    expect(row(page, "Atendendo", customer.name)).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_palette_finds_conversations_and_pages(page: Page, product: Product) -> None:
    customer = Customer(product, "Odete Quaresma")
    serve(page, ADMIN, customer)
    page.goto("/tickets")
    expect(row(page, "Atendendo", customer.name)).to_be_visible()
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Buscar ou ir para")
    type_in(palette.get_by_role("combobox"), "quaresma")
    found = palette.get_by_role("option", name=re.compile(customer.name))
    expect(found).to_contain_text("Atendendo")
    expect(found.get_by_role("time")).to_have_text(MOMENT)
    expect(marked(found)).to_have_text("Quaresma")
    press(palette.get_by_role("combobox"), "Enter")
    expect(conversation(page, customer.name)).to_be_visible()
    page.keyboard.press("Control+k")
    type_in(palette.get_by_role("combobox"), "conexoes")
    palette.get_by_role("option", name="Conexões", exact=True).click()
    expect(page).to_have_url(re.compile("/connections$"))
    # Until both are gone the keys are the palette's, then the composer's.
    expect(palette).to_have_count(0)
    expect(composer(page)).to_have_count(0)
    expect(page.get_by_role("button", name="Adicionar conexão")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Atalhos do teclado")).to_be_visible()


def test_a_row_of_the_palette_has_picture_status_date_and_the_line_found(page: Page) -> None:
    log_in(page, ADMIN)
    expect(tab(page, "Aguardando")).to_be_visible()
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Buscar ou ir para")
    # What one demo conversation alone has, whose contact has a picture: which ones are the newest
    # goes by the hour.
    type_in(palette.get_by_role("combobox"), "Oi, Daniel! Que pena")
    found = palette.get_by_role("option").filter(has_text="Daniel Figueiredo Rocha")
    expect(found).to_contain_text("Atendendo")
    expect(found.get_by_role("time")).to_have_text(MOMENT)
    expect(marked(found).first).to_have_text(re.compile("^Oi, Daniel", re.IGNORECASE))
    picture = found.locator("img")
    expect(picture).to_be_visible()
    assert picture.evaluate("e => e.complete && e.naturalWidth > 0")


def test_the_palette_runs_commands_that_the_role_allows(
    page: Page, open_page: OpenPage, product: Product
) -> None:
    log_in(page, ADMIN)
    palette = page.get_by_role("dialog", name="Buscar ou ir para")
    page.keyboard.press("Control+k")
    type_in(palette.get_by_role("combobox"), "nova conexao")
    expect(palette.get_by_role("option").first).to_have_text("Nova conexão")
    type_in(palette.get_by_role("combobox"), "fila nova")
    palette.get_by_role("option", name="Nova fila", exact=True).click()
    expect(page).to_have_url(re.compile("/queues$"))
    dialog = page.get_by_role("dialog", name="Nova fila")
    expect(dialog).to_be_visible()
    # It was asked for once: a reload shows the page alone.
    page.reload()
    expect(page.get_by_role("button", name="Nova fila")).to_be_visible()
    expect(dialog).to_have_count(0)

    page.keyboard.press("Control+k")
    type_in(palette.get_by_role("combobox"), "tema esc")
    expect(palette.get_by_role("option").first).to_have_text("Tema escuro")
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_class(re.compile("dark"))

    customer = Customer(product, "Serafina Lobato")
    customer.write("Quero o orçamento da persiana")
    ana = open_page()
    log_in(ana, ANA)
    expect(tab(ana, "Aguardando")).to_be_visible()
    ana.keyboard.press("Control+k")
    palette = ana.get_by_role("dialog", name="Buscar ou ir para")
    # The line that was found, and where in it.
    type_in(palette.get_by_role("combobox"), "orcamento da persiana")
    found = palette.get_by_role("option", name=re.compile(customer.name))
    expect(found).to_contain_text("Aguardando")
    expect(marked(found)).to_have_text("orçamento da persiana")
    type_in(palette.get_by_role("combobox"), "nova")
    expect(palette.get_by_role("option", name="Nova tag", exact=True)).to_be_visible()
    for name in ("Nova fila", "Nova conexão"):
        expect(palette.get_by_role("option", name=name, exact=True)).to_have_count(0)


def test_narrow_screens_filter_and_search(page: Page, product: Product) -> None:
    page.set_viewport_size(NARROW)
    customer = Customer(product, "Pérola Simas")
    log_in(page, ADMIN)
    customer.write("Tem mostruário?")
    search(page, "mostruario")
    found = row(page, "Busca", customer.name)
    expect(marked(found)).to_have_text("mostruário")
    page.get_by_role("button", name="Filtros").click()
    expect(page.get_by_role("group", name="Tags")).to_be_visible()
    page.keyboard.press("Escape")
    found.click()
    expect(conversation(page, customer.name)).to_be_visible()
    page.get_by_role("button", name="Atendimentos").last.click()
    expect(found).to_be_visible()


def test_a_row_that_comes_to_an_empty_list_takes_no_keys(product: Product, page: Page) -> None:
    customer, newcomer = Customer(product, "Perpétua Luz"), Customer(product, "Quirino Alves")
    serve(page, ANA, customer)
    search(page, "berimbau")
    expect(page.get_by_text("Nenhum atendimento encontrado.")).to_be_visible()
    type_in(composer(page), "Já vej")
    changes: list[str] = []
    page.on("request", lambda asked: changes.append(asked.url) if asked.method == "PUT" else None)
    keys = page.keyboard
    # There is no row to go to.
    press(composer(page), "Escape")
    panel = page.get_by_role("region", name="Lista de atendimentos", exact=True)
    expect(panel).to_be_focused()
    newcomer.write("Vocês vendem berimbau?")
    found = row(page, "Busca", newcomer.name)
    expect(found).to_be_visible()
    expect(panel).to_be_focused()
    # Who believes to be writing still accepts nobody.
    keys.type("a agora")
    expect(panel).to_be_focused()
    expect(composer(page)).to_have_value("Já vej")

    composer(page).click()
    keys.press("End")
    keys.type("o agora.")
    press(composer(page), "Enter")
    expect(tick(sent(page, "Já vejo agora."), "Entregue")).to_be_visible()
    expect(conversation(page, newcomer.name)).to_have_count(0)
    assert changes == []
    # The list is where it was, for who means it.
    press(composer(page), "Escape")
    expect(found).to_be_focused()
