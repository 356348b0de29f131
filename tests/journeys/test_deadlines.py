"""Times are set as sentences and shown in rows; the dashboard leads to what was missed."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, ANA, OpenPage, log_in
from tests.journeys.desk_screens import call, make_queue
from tests.journeys.people import Customer, conversation, pick, row, tab, type_in
from tests.journeys.test_distribution import waits_in
from tests.product import Product


@pytest.fixture
def admin(open_page: OpenPage) -> Iterator[Page]:
    page = open_page()
    log_in(page, ADMIN, at="/settings?tab=deadlines")
    yield page
    for policy in call(page, "GET", "/sla"):
        call(page, "DELETE", f"/sla/{policy['id']}")
    for key, value in (("sla", "disabled"), ("nationalHolidays", ""), ("ownHolidays", "")):
        call(page, "PUT", f"/settings/{key}", {"value": value})


def test_a_deadline_is_set_shown_missed_and_found_again(product: Product, admin: Page) -> None:
    queue = make_queue(admin, ADMIN, ANA)
    admin.reload()
    admin.get_by_role("button", name="Criar prazos").click()
    dialog = admin.get_by_role("dialog", name="Novos prazos")
    pick(dialog.get_by_label("da fila"), queue["name"])
    type_in(dialog.get_by_label("Tempo: primeira resposta"), "1")
    dialog.get_by_role("button", name="Adicionar passo").click()
    step = dialog.get_by_role("group", name="Passo 1")
    pick(step.get_by_label("Passo 1: quando"), "Quando acabar o tempo")
    pick(step.get_by_label("Passo 1: o que fazer"), "subir a prioridade para")
    pick(step.get_by_label("Passo 1: com quem ou o quê"), "urgente")
    dialog.get_by_role("button", name="Salvar").click()
    expect(admin.get_by_text("A primeira resposta sai em até 1 minuto.")).to_be_visible()
    expect(admin.get_by_text("subir a prioridade para urgente")).to_be_visible()

    customer = Customer(product, "Zulmira Prazo")
    waits_in(admin, customer, queue)
    admin.goto("/tickets")
    tab(admin, "Aguardando").click()
    waiting = row(admin, "Aguardando", customer.name)
    expect(waiting).to_be_visible()
    # The list by deadlines begins with the only one that has one.
    admin.get_by_role("button", name="Filtros").click()
    admin.get_by_text("Prazo mais próximo primeiro").click()
    admin.keyboard.press("Escape")
    sorted_by = admin.get_by_role("button", name="Tirar o filtro Prazo mais próximo primeiro")
    expect(sorted_by).to_be_visible()
    first = admin.get_by_role("region", name="Aguardando", exact=True).get_by_role("link").first
    expect(first).to_contain_text(customer.name)
    expect(waiting.get_by_text(re.compile("^venceu"))).to_be_visible(timeout=150_000)
    expect(waiting.get_by_role("img", name=re.compile("urgente", re.IGNORECASE))).to_be_visible()

    admin.goto("/")
    part = admin.get_by_role("region", name="Prazos")
    part.get_by_role("button", name=re.compile("1 perdido")).first.click()
    missed = admin.get_by_role("dialog", name=re.compile("^Prazos perdidos"))
    expect(missed).to_contain_text(customer.name)
    missed.get_by_role("button", name="Abrir conversa").first.click()
    expect(conversation(admin, customer.name)).to_be_visible()


def test_holidays_are_national_and_the_companys_own(product: Product, admin: Page) -> None:
    admin.goto("/settings?tab=holidays")
    expect(admin.get_by_text("Nenhum feriado neste ano.")).to_be_visible()
    pick(admin.get_by_label("Feriados nacionais"), "Brasil")
    expect(admin.get_by_text("Natal", exact=True)).to_be_visible()
    year = admin.evaluate("new Date().getFullYear()")
    type_in(admin.get_by_label("Dia", exact=True), f"24/12/{year}")
    type_in(admin.get_by_label("Nome", exact=True), "Véspera")
    type_in(admin.get_by_label("Abre", exact=True), "8")
    type_in(admin.get_by_label("Fecha", exact=True), "12")
    admin.get_by_role("button", name="Adicionar").click()
    expect(admin.get_by_text("aberto das 08:00 às 12:00")).to_be_visible()
    admin.get_by_role("button", name="Tirar Véspera").click()
    expect(admin.get_by_text("Véspera", exact=True)).to_have_count(0)
