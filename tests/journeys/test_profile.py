"""What an official number shows of itself, from its row."""

import base64

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import CONNECTION, Simulator, attach, pick, type_in
from tests.product import Product

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)


def open_profile(page: Page) -> Locator:
    """Open the dialog from the connection's row, once Meta told of it."""
    page.goto("/connections")
    page.get_by_role("button", name=f"Perfil comercial de {CONNECTION}").click()
    dialog = page.get_by_role("dialog", name=f"Perfil comercial de {CONNECTION}")
    expect(dialog.get_by_label("Recado")).to_be_visible()
    return dialog


def test_an_admin_changes_what_contacts_see(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    dialog = open_profile(page)
    attach(
        dialog.get_by_label("Foto"),
        {"name": "loja.png", "mimeType": "image/png", "buffer": PNG},
    )
    preview = dialog.get_by_role("region", name="Como o contato vê")
    expect(preview.get_by_role("img", name="Foto")).to_be_visible()
    type_in(dialog.get_by_label("Recado"), "Cerâmica feita à mão")
    pick(dialog.get_by_label("Categoria"), "Loja e varejo")
    type_in(dialog.get_by_label("Site", exact=True), "loja.example")
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog.get_by_text("Comece com https:// ou http://.")).to_be_visible()
    type_in(dialog.get_by_label("Site", exact=True), "https://loja.example/")
    expect(preview.get_by_text("https://loja.example/")).to_be_visible()
    dialog.get_by_role("button", name="Salvar").click()
    expect(page.get_by_text("Perfil salvo na Meta.")).to_be_visible()
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name=f"Perfil comercial de {CONNECTION}")).to_be_focused()

    dialog = open_profile(page)
    expect(dialog.get_by_label("Recado")).to_have_value("Cerâmica feita à mão")
    expect(dialog.get_by_label("Categoria")).to_have_value("RETAIL")
    expect(dialog.get_by_role("img", name="Foto")).to_be_visible()


def test_a_profile_that_meta_does_not_show_says_so(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    Simulator(product).fault("provider_down")
    page.goto("/connections")
    page.get_by_role("button", name=f"Perfil comercial de {CONNECTION}").click()
    dialog = page.get_by_role("dialog", name=f"Perfil comercial de {CONNECTION}")
    again = dialog.get_by_role("button", name="Tentar de novo")
    expect(again).to_be_visible()
    Simulator(product).heal()
    again.click()
    expect(dialog.get_by_label("Recado")).to_be_visible()
