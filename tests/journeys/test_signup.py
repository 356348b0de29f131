"""Meta's embedded signup: a number is connected in a window that the simulator plays."""

import re

from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import press_last, type_in


def test_a_number_is_connected_with_facebook(page: Page) -> None:
    log_in(page, ADMIN)
    page.get_by_role("link", name="Conexões").click()
    page.get_by_role("button", name="Conectar com o Facebook").click()
    dialog = page.get_by_role("dialog", name="Conectar com o Facebook")
    expect(dialog.get_by_role("radio", name="Só aqui")).to_be_checked()

    with page.expect_popup() as opened:
        dialog.get_by_role("button", name="Abrir janela do Facebook").click()
    press_last(opened.value.get_by_role("button", name="Cancelar"))
    expect(dialog.get_by_role("alert")).to_have_text(
        "A janela foi fechada antes do fim. Nada foi conectado."
    )

    with page.expect_popup() as opened:
        dialog.get_by_role("button", name="Abrir a janela de novo").click()
    window = opened.value
    expect(window.get_by_text("passa a ser usado só pela API oficial")).to_be_visible()
    type_in(window.get_by_label("Nome que os contatos veem"), "Loja do Facebook")
    type_in(window.get_by_label("Número com DDD"), "+55 11 94000-0077")
    press_last(window.get_by_role("button", name="Concluir", exact=True))

    # The PIN that was made for it is shown this once.
    made = page.get_by_role("dialog", name="Loja do Facebook está conectada.")
    expect(made.get_by_text(re.compile(r"^\d{6}$"))).to_be_visible()
    made.get_by_role("button", name="Já guardei").click()
    expect(made).to_have_count(0)
    row = page.get_by_role("row").filter(has_text="Loja do Facebook")
    expect(row.get_by_role("button", name="Conectada: Loja do Facebook")).to_be_visible()
    expect(row).to_contain_text("94000-0077")

    # One that stays on its phone has no PIN, and sends more slowly.
    page.get_by_role("button", name="Conectar com o Facebook").click()
    dialog.get_by_role("radio", name="Aqui e no celular").click()
    with page.expect_popup() as opened:
        dialog.get_by_role("button", name="Abrir janela do Facebook").click()
    window = opened.value
    expect(window.get_by_text("continua no aplicativo")).to_be_visible()
    type_in(window.get_by_label("Nome que os contatos veem"), "Loja no celular")
    press_last(window.get_by_role("button", name="Concluir", exact=True))
    expect(dialog).to_have_count(0)
    row = page.get_by_role("row").filter(has_text="Loja no celular")
    expect(row.get_by_role("button", name="Conectada: Loja no celular")).to_be_visible()

    for name in ("Loja do Facebook", "Loja no celular"):
        page.get_by_role("button", name=f"Excluir {name}").click()
        question = page.get_by_role("alertdialog", name=re.compile(name))
        question.get_by_role("button", name="Excluir").click()
        expect(question).to_have_count(0)
