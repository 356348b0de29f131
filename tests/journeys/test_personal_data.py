"""A person asks an admin for a copy of their data, and then to be forgotten."""

import json
from pathlib import Path
from zipfile import ZipFile

from playwright.sync_api import Page, expect

from tests.journeys.conftest import CARLA
from tests.journeys.people import Customer, act
from tests.journeys.test_contacts_page import SIZES, contact_row, open_contacts, search
from tests.product import Product

ENTRY = "Dados pessoais (LGPD)"


@SIZES
def test_a_person_gets_a_copy_and_is_forgotten(
    page: Page, product: Product, tmp_path: Path, narrow: bool
) -> None:
    name = "Ondina Estreita" if narrow else "Ondina Larga"
    customer = Customer(product, name)
    customer.write("Meu CPF é segredo")
    open_contacts(page, narrow=narrow)
    search(page, name)
    expect(contact_row(page, name)).to_be_visible()
    act(page, name, ENTRY)
    dialog = page.get_by_role("dialog", name=f"Dados pessoais de {name}")
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Baixar dados").click()
    download.value.save_as(tmp_path / "dados.zip")
    with ZipFile(tmp_path / "dados.zip") as archive:
        known = json.loads(archive.read("dados.json"))
    assert known["contact"][0]["number"] == customer.number
    assert "Meu CPF é segredo" in [message["body"] for message in known["messages"]]
    dialog.get_by_role("button", name="Apagar dados").click()
    question = page.get_by_role("alertdialog", name=f"Apagar todos os dados de {name}?")
    question.get_by_role("button", name="Apagar dados").click()
    expect(page.get_by_text("Dados apagados.")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_text(f"Nenhum contato encontrado para “{name}”")).to_be_visible()
    # Who writes again is somebody new.
    customer.write("Voltei")
    expect(contact_row(page, name)).to_be_visible()


def test_an_attendant_is_not_offered_it(page: Page, product: Product) -> None:
    name = "Ondina de Longe"
    Customer(product, name).write("Oi")
    open_contacts(page, CARLA)
    search(page, name)
    expect(contact_row(page, name)).to_be_visible()
    page.get_by_role("button", name=f"Ações de {name}").click()
    expect(page.get_by_role("menuitem", name="Editar contato")).to_be_visible()
    expect(page.get_by_role("menuitem", name=ENTRY)).to_have_count(0)
