"""A campaign whose template Meta does not let go: it waits, says so, and nobody is lost."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import CONNECTION, NUMBER, Customer, Simulator, pick, type_in
from tests.journeys.test_campaigns import AT_ONCE, list_of, open_page, pace, row_of, start
from tests.product import Product, wait_for

TEMPLATE = "novidades_da_colecao (pt-BR)"


@pytest.fixture
def simulator(product: Product) -> Iterator[Simulator]:
    """The simulator, whole again afterwards."""
    simulator = Simulator(product)
    yield simulator
    simulator.heal()


def people(product: Product, name: str) -> list[Customer]:
    return [Customer(product, f"{first} {name}") for first in ("Lia", "Rui")]


def make(page: Page, name: str, customers: list[Customer]) -> Locator:
    """Make a campaign to people who never wrote, with a template; return its dialog."""
    log_in(page, ADMIN)
    pace(page, AT_ONCE)
    offered = list_of(page, f"Gente {name}", *customers)
    open_page(page)
    page.get_by_role("button", name="Nova campanha").first.click()
    dialog = page.get_by_role("dialog", name="Nova campanha")
    type_in(dialog.get_by_label("Nome", exact=True), name)
    pick(dialog.get_by_label("Lista de contatos"), offered)
    pick(dialog.get_by_label("Conexão"), CONNECTION)
    type_in(dialog.get_by_label("Mensagem 1", exact=True), "Chegou a coleção.")
    pick(dialog.get_by_label("Modelo aprovado"), TEMPLATE)
    return dialog


def have_come(customers: list[Customer]) -> None:
    """Wait until each of them has got just one template."""

    def all_have() -> bool:
        return all(
            [(each["type"], each["status"]) for each in customer.received()]
            == [("template", "delivered")]
            for customer in customers
        )

    wait_for(all_have, "one template on each telephone", seconds=30)


def test_a_paused_template_keeps_the_campaign_until_meta_lets_it_go(
    page: Page, product: Product, simulator: Simulator
) -> None:
    customers = people(product, "da Pausa")
    dialog = make(page, "Feira em pausa", customers)
    simulator.fault("template_paused")
    start(page, dialog, "Feira em pausa")
    row = row_of(page, "Feira em pausa")
    expect(row).to_contain_text("A Meta pausou o modelo por baixa qualidade.")
    expect(row).to_contain_text("ninguém fica de fora")
    expect(row).to_contain_text("0 de 2")
    assert all(not each.received() for each in customers)

    # Meta lets it go: the campaign hears of it and goes on by itself.
    simulator.heal()
    value = {
        "event": "APPROVED",
        "message_template_id": 900_000_000_000_004,
        "message_template_name": "novidades_da_colecao",
        "message_template_language": "pt_BR",
        "reason": "NONE",
    }
    report = {"number": NUMBER, "field": "message_template_status_update", "value": value}
    simulator.call("POST", "/report", report)
    have_come(customers)
    expect(row).to_contain_text("Finalizada")
    expect(row).not_to_contain_text("A Meta pausou")


def test_a_template_that_meta_assesses_is_counted_until_it_is_delivered(
    page: Page, product: Product, simulator: Simulator
) -> None:
    customers = people(product, "da Análise")
    dialog = make(page, "Feira em análise", customers)
    simulator.fault("template_held")
    start(page, dialog, "Feira em análise")
    row = row_of(page, "Feira em análise")
    words = "Meta está avaliando a qualidade deste modelo: 2 mensagens aguardam."
    expect(row).to_contain_text(words)
    simulator.heal()
    have_come(customers)
    expect(row).not_to_contain_text("avaliando a qualidade")
    expect(row).to_contain_text("Finalizada")


def test_for_a_disabled_template_another_one_is_chosen_and_nobody_is_lost(
    page: Page, product: Product, simulator: Simulator
) -> None:
    customers = people(product, "da Troca")
    dialog = make(page, "Feira trocada", customers)
    simulator.fault("template_disabled")
    start(page, dialog, "Feira trocada")
    row = row_of(page, "Feira trocada")
    expect(row).to_contain_text("A Meta desativou o modelo.")
    expect(row).to_contain_text("cancele-a, escolha outro modelo e reinicie-a")
    row.get_by_role("button", name="Parar Feira trocada").click()
    confirm = page.get_by_role("alertdialog", name="Parar Feira trocada?")
    confirm.get_by_role("button", name="Parar campanha").click()
    expect(row).to_contain_text("Cancelada")
    expect(row).not_to_contain_text("A Meta desativou")

    # In the simulator all of them are disabled: the other one is not.
    simulator.heal()
    row.click()
    dialog = page.get_by_role("dialog", name="Editar campanha")
    pick(dialog.get_by_label("Modelo aprovado"), "lembrete_de_pagamento (pt-BR)")
    for place, value in ((1, "{nome}"), (2, "389,00"), (3, "20/12")):
        type_in(dialog.get_by_label(f"Texto: variável {place}"), value)
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog).to_have_count(0)
    row.get_by_role("button", name="Reiniciar Feira trocada").click()
    confirm = page.get_by_role("alertdialog", name="Reiniciar Feira trocada?")
    confirm.get_by_role("button", name="Reiniciar").click()
    have_come(customers)
    for customer in customers:
        [message] = customer.received()
        assert message["body"]["shown"]["text"].startswith(f"Olá, {customer.name}!")
    expect(row).to_contain_text("Finalizada")
