"""Opt-outs: asked for on the telephone, then seen, added, exported and deleted by an admin."""

import csv

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import Customer, keys_to, type_in
from tests.product import Product

pytestmark = pytest.mark.journey
BY_HAND = "5521988880001"


def test_who_leaves_by_an_answer_stands_in_the_list_and_is_let_back(
    page: Page, product: Product
) -> None:
    customer = Customer(product, "Sônia Saída")
    customer.write("Parar!")
    customer.wait_for_texts("Quer deixar de receber campanhas?")
    customer.write("1")
    customer.wait_for_texts("Quer deixar", "Pronto! Você não receberá mais")

    log_in(page, ADMIN)
    page.get_by_role("link", name="Descadastros", exact=True).click()
    row = page.get_by_role("row").filter(has_text=customer.name)
    expect(row).to_contain_text("Confirmou")

    keys_to(page.get_by_role("button", name="Adicionar número").first)
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Adicionar número")
    expect(dialog.get_by_label("Número")).to_be_focused()
    page.keyboard.type("+55 (21) 98888-0001")
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    added = page.get_by_role("row").filter(has_text="+55 21 98888-0001")
    expect(added).to_contain_text("À mão")

    type_in(page.get_by_role("searchbox"), "98888")
    expect(row).to_have_count(0)
    with page.expect_download() as download:
        page.get_by_role("button", name="Exportar").click()
    lines = download.value.path().read_text("utf-8-sig").splitlines()
    assert [line[1] for line in list(csv.reader(lines, delimiter=";"))[1:]] == [BY_HAND]

    type_in(page.get_by_role("searchbox"), "Sônia")
    expect(added).to_have_count(0)
    row.get_by_role("button", name=f"Excluir descadastro de {customer.name}").click()
    confirm = page.get_by_role("alertdialog", name=f"Excluir o descadastro de {customer.name}?")
    expect(confirm).to_contain_text("As próximas campanhas voltam a escrever")
    confirm.get_by_role("button", name="Excluir").click()
    expect(row).to_have_count(0)
    expect(page.get_by_role("main")).to_contain_text("Nenhum descadastro encontrado")

    type_in(page.get_by_role("searchbox"), "98888")
    added.get_by_role("button", name="Excluir descadastro").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Excluir").click()
    expect(added).to_have_count(0)
