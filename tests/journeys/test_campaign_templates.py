"""A campaign with an approved template for those whom no text may reach."""

import re

from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import CONNECTION, Customer, Simulator, attach, pick, type_in
from tests.journeys.test_campaigns import AT_ONCE, SAMPLES, list_of, open_page, pace, row_of, start
from tests.product import Product, wait_for

NAME = "Peças que voltaram"


def test_a_template_is_filled_in_and_goes_to_who_never_wrote(page: Page, product: Product) -> None:
    stranger = Customer(product, "Amália Modelo")
    simulator = Simulator(product)
    log_in(page, ADMIN)
    pace(page, AT_ONCE)
    offered = list_of(page, "Gente do modelo", stranger)
    open_page(page)
    page.get_by_role("button", name="Nova campanha").first.click()
    dialog = page.get_by_role("dialog", name="Nova campanha")
    type_in(dialog.get_by_label("Nome", exact=True), NAME)
    pick(dialog.get_by_label("Lista de contatos"), offered)
    pick(dialog.get_by_label("Conexão"), CONNECTION)
    type_in(dialog.get_by_label("Mensagem 1", exact=True), "A peça voltou!")
    pick(dialog.get_by_label("Modelo aprovado"), "peca_disponivel (pt-BR)")

    # What it lacks is said at each field, and nothing is saved.
    dialog.get_by_role("button", name="Salvar").click()
    first, second = (dialog.get_by_label(f"Texto: variável {number}") for number in (1, 2))
    for field in (first, second):
        expect(field).to_have_attribute("aria-invalid", "true")
    expect(dialog.get_by_text("Campo obrigatório!")).to_have_count(3)
    type_in(first, "{nome}")
    type_in(second, "travessa azul")

    # A file that Meta does not take is told in words, and another one is taken.
    button = dialog.get_by_role("button", name=re.compile("^Anexar imagem"))
    simulator.fault("provider_down")
    attach(button, SAMPLES / "travessa-azul.jpg")
    expect(dialog.get_by_role("alert").filter(has_text="A Meta")).to_be_visible()
    simulator.heal()
    attach(button, SAMPLES / "travessa-azul.jpg")
    expect(dialog.get_by_text("travessa-azul.jpg").first).to_be_visible()

    preview = dialog.get_by_role("region", name="Como chega")
    expect(preview.get_by_text("Modelo, depois de 24 horas sem resposta")).to_be_visible()
    expect(preview).to_contain_text("Mariana Albuquerque")
    expect(preview).to_contain_text("travessa azul")
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog).to_have_count(0)

    # All of it is there again, and goes in the place of the text.
    row_of(page, NAME).click()
    dialog = page.get_by_role("dialog", name="Editar campanha")
    expect(dialog.get_by_label("Texto: variável 2")).to_have_value("travessa azul")
    # Now it is known whom it reaches first.
    expect(dialog.get_by_role("region", name="Como chega")).to_contain_text(stranger.name)
    start(page, dialog, NAME)
    wait_for(lambda: bool(stranger.received()), "the template on the telephone")
    [message] = stranger.received()
    assert "travessa azul" in message["body"]["shown"]["text"]
    assert stranger.name in message["body"]["shown"]["text"]
    expect(row_of(page, NAME)).to_contain_text("Finalizada")
