"""A number by QR code, from the form to the phone that leaves."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.gateway import running_gateway
from tests.journeys.conftest import ADMIN, PHONE, OpenPage, log_in
from tests.journeys.gateways import PlayedGateway
from tests.journeys.people import type_in
from tests.journeys.test_administration import table_row
from tests.product import Product, wait_for

CODES = ("2@first,of,a,session", "2@second,of,a,session")


@pytest.fixture
def gateway(product: Product) -> Iterator[PlayedGateway]:
    with running_gateway() as server:
        yield PlayedGateway(product, server)


def drawn(page: Page) -> str:
    code = page.get_by_role("img", name="QR Code para escanear com o WhatsApp")
    expect(code).to_be_visible()
    return str(code.locator("path").last.get_attribute("d"))


def test_a_number_is_connected_and_disconnected_by_its_qr_code(
    product: Product, page: Page, gateway: PlayedGateway
) -> None:
    log_in(page, ADMIN)
    page.get_by_role("link", name="Conexões").click()
    page.get_by_role("button", name="Adicionar conexão").click()
    form = page.get_by_role("dialog", name="Adicionar conexão")
    type_in(form.get_by_label("Nome", exact=True), "Loja do QR")
    form.get_by_text("Vendas").click()
    form.get_by_role("tab", name="Ritmo").click()
    expect(form.get_by_label("Pausa mínima")).to_have_value("1")
    type_in(form.get_by_label("No primeiro dia"), "10")
    form.get_by_role("button", name="Adicionar", exact=True).click()

    # Its code is shown at once, and each that follows.
    dialog = page.get_by_role("dialog", name="Conectar Loja do QR")
    expect(dialog.get_by_text("Gerando o QR Code…")).to_be_visible()
    session = gateway.claim()
    gateway.report(session, "qrcode", qr=CODES[0])
    first = drawn(page)
    gateway.report(session, "qrcode", qr=CODES[1])
    expect(dialog.locator("path").last).not_to_have_attribute("d", first)

    # Closed by hand, it is a button of the row; the menu tells of a number that is not connected.
    dialog.get_by_role("button", name="Fechar").click()
    menu = page.get_by_role("link", name="Conexões")
    expect(menu).to_have_accessible_name("Conexões Há conexão que precisa de atenção")
    row = table_row(page, "Loja do QR")
    expect(row).to_contain_text("Aguardando QR Code")
    row.get_by_role("button", name="QR Code de Loja do QR").click()
    drawn(page)
    gateway.report(session, "PAIRING", reason="scanned")
    expect(dialog).to_have_count(0)
    expect(page.get_by_text("Código lido. Concluindo a conexão…")).to_be_visible()
    expect(row.get_by_role("button", name="Desconectar Loja do QR")).to_be_visible()
    me = {"number": "5511977770001", "lid": "", "name": "Loja"}
    gateway.report(session, "CONNECTED", me=me)
    expect(row).to_contain_text("Conectada")
    expect(row).to_contain_text("+55 11 97777-0001")

    # The phone is told that it left.
    row.get_by_role("button", name="Desconectar Loja do QR").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Desconectar").click()
    expect(row).to_contain_text("Desconectada")
    wait_for(
        lambda: "logout" in [command.name for command in gateway.gateway.commands], "the logout"
    )
    gateway.held = {}

    # Tried again it is on its way, which nobody hurries, until there is a code.
    row.get_by_role("button", name="Tentar novamente: Loja do QR").click()
    connecting = row.get_by_role("button", name="Conectando Loja do QR")
    expect(connecting).to_be_disabled()
    session = gateway.claim()
    gateway.report(session, "OPENING", reason="connection_lost", detail="428")
    expect(row).to_contain_text("Conectando")
    place = connecting.bounding_box()
    assert place
    page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    expect(connecting).to_be_disabled()
    expect(page.get_by_role("dialog")).to_have_count(0)
    gateway.report(session, "qrcode", qr=CODES[0])
    expect(row.get_by_role("button", name="QR Code de Loja do QR")).to_be_visible()

    # A phone that has scanned and does not go on is let go.
    gateway.report(session, "PAIRING", reason="scanned")
    expect(row).to_contain_text("Pareando")
    row.get_by_role("button", name="Desconectar Loja do QR").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Desconectar").click()
    expect(row).to_contain_text("Desconectada")
    gateway.held = {}

    # Nobody reads the next one: it closes, says so, and leaves a way on.
    row.get_by_role("button", name="Novo QR Code para Loja do QR").click()
    expect(dialog.get_by_text("Gerando o QR Code…")).to_be_visible()
    session = gateway.claim()
    gateway.report(session, "qrcode", qr=CODES[0])
    drawn(page)
    gateway.report(session, "TIMEOUT", reason="qr_expired")
    expect(dialog).to_have_count(0)
    expect(row).to_contain_text("Tempo esgotado")
    expect(row).to_contain_text("Ninguém leu o QR Code a tempo. Desconecte e peça um novo.")
    row.get_by_role("button", name="Desconectar Loja do QR").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Desconectar").click()
    expect(row.get_by_role("button", name="Novo QR Code para Loja do QR")).to_be_visible()

    page.get_by_role("button", name="Excluir Loja do QR").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Excluir").click()
    expect(row).to_have_count(0)


def test_a_phone_that_cannot_scan_is_connected_by_its_number(
    product: Product, page: Page, gateway: PlayedGateway
) -> None:
    log_in(page, ADMIN)
    page.get_by_role("link", name="Conexões").click()
    page.get_by_role("button", name="Adicionar conexão").click()
    form = page.get_by_role("dialog", name="Adicionar conexão")
    type_in(form.get_by_label("Nome", exact=True), "Loja do número")
    form.get_by_role("button", name="Adicionar", exact=True).click()
    dialog = page.get_by_role("dialog", name="Conectar Loja do número")
    session = gateway.claim()
    gateway.report(session, "qrcode", qr=CODES[0])
    drawn(page)
    dialog.get_by_role("button", name="Conectar com o número de telefone").click()
    type_in(dialog.get_by_label("Número do celular"), "+55 11 97777-0002")
    page.keyboard.press("Enter")
    wait_for(
        lambda: (
            {"number": "5511977770002"}.items()
            <= next(
                (each.body.items() for each in gateway.gateway.commands if each.name == "link"),
                set(),
            )
        ),
        "the number",
    )
    gateway.report(session, "qrcode", pairingCode="ABCD1234")
    expect(dialog.get_by_text("ABCD-1234")).to_be_visible()
    gateway.report(session, "CONNECTED", me={"number": "5511977770002", "lid": "", "name": "Loja"})
    expect(dialog).to_have_count(0)
    expect(table_row(page, "Loja do número")).to_contain_text("Conectada")
    page.get_by_role("button", name="Excluir Loja do número").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Excluir").click()
    expect(table_row(page, "Loja do número")).to_have_count(0)


def test_what_a_young_number_may_begin_is_shown_counted_and_changed(
    product: Product, page: Page, gateway: PlayedGateway
) -> None:
    log_in(page, ADMIN)
    page.get_by_role("link", name="Conexões").click()
    page.get_by_role("button", name="Adicionar conexão").click()
    form = page.get_by_role("dialog", name="Adicionar conexão")
    type_in(form.get_by_label("Nome", exact=True), "Loja jovem")
    form.get_by_role("tab", name="Ritmo").click()
    expect(form.get_by_label("No primeiro dia")).to_have_value("30")
    expect(form.get_by_label("A mais a cada dia")).to_have_value("20")
    expect(form.get_by_label("Duração")).to_have_value("14")
    # Nothing was counted yet.
    expect(form.get_by_text("Hoje:")).to_have_count(0)
    type_in(form.get_by_label("No primeiro dia"), "1")
    form.get_by_role("button", name="Adicionar", exact=True).click()
    session = gateway.claim()
    gateway.report(session, "CONNECTED", me={"number": "5511977770003", "lid": "", "name": "Loja"})
    row = table_row(page, "Loja jovem")
    expect(row).to_contain_text("Conectada")

    def ceiling() -> Locator:
        row.get_by_role("button", name="Editar Loja jovem").click()
        dialog = page.get_by_role("dialog", name="Editar conexão")
        dialog.get_by_role("tab", name="Ritmo").click()
        return dialog

    def write_to(number: str) -> Locator:
        row.get_by_role("button", name="Testar o envio de Loja jovem").click()
        dialog = page.get_by_role("dialog", name="Testar o envio de Loja jovem")
        type_in(dialog.get_by_label("Número de destino"), number)
        type_in(dialog.get_by_label("Mensagem"), "Olá!")
        dialog.get_by_role("button", name="Enviar teste").click()
        return dialog

    def sent() -> int:
        return len([each for each in gateway.gateway.commands if each.name == "text"])

    # Somebody who never wrote is one of the day's, and the next one waits.
    write_to("5511966660001")
    wait_for(lambda: sent() == 1, "the first message")
    page.keyboard.press("Escape")
    waiting = write_to("5511966660002")
    expect(waiting.get_by_role("status")).to_contain_text("aquecimento permite")
    page.keyboard.press("Escape")
    dialog = ceiling()
    expect(dialog.get_by_text("Hoje: 1 de 1 conversa nova.")).to_be_visible()
    type_in(dialog.get_by_label("No primeiro dia"), "1001")
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog.get_by_text("Informe até 1000 conversas.")).to_be_visible()
    assert sent() == 1

    # A higher ceiling lets go what waited, and is told in the dialog.
    type_in(dialog.get_by_label("No primeiro dia"), "12")
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog).to_have_count(0)
    wait_for(lambda: sent() == 2, "what waited")
    dialog = ceiling()
    expect(dialog.get_by_text("Hoje: 2 de 12 conversas novas.")).to_be_visible()
    type_in(dialog.get_by_label("No primeiro dia"), "0")
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog).to_have_count(0)
    dialog = ceiling()
    expect(dialog.get_by_label("No primeiro dia")).to_have_value("0")
    expect(dialog.get_by_text("Hoje:")).to_have_count(0)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Excluir Loja jovem").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Excluir").click()
    expect(row).to_have_count(0)


def test_no_button_of_a_row_is_out_of_sight(
    product: Product, page: Page, open_page: OpenPage
) -> None:
    def ended(route: Route) -> None:
        answer = route.fetch()
        rows = answer.json()
        more = {"isDefault": False, "provider": "beta", "qrcode": "", "number": ""}
        for place, (status, reason) in enumerate(
            (
                ("DISCONNECTED", "qr_expired"),
                ("TIMEOUT", "qr_expired"),
                ("OPENING", "gateway_gone"),
            )
        ):
            session = {"id": 10**9 + place, "name": f"Filial {place}", "status": status}
            rows.append(rows[0] | more | session | {"reasonCode": reason})
        route.fulfill(response=answer, json=rows)

    page.route("**/api/whatsapp/?*", ended)
    page.set_viewport_size({"width": 1440, "height": 900})
    log_in(page, ADMIN, at="/connections")
    row = table_row(page, "Filial 0")
    for button in ("Tentar novamente: Filial 0", "Novo QR Code para Filial 0"):
        expect(row.get_by_role("button", name=button)).to_be_in_viewport(ratio=1)
    expect(row.get_by_role("button", name="Excluir Filial 0")).to_be_in_viewport(ratio=1)

    # A session whose gateway is gone is not left to itself.
    lost = table_row(page, "Filial 2")
    expect(lost).to_contain_text("O gateway que mantém esta conexão não responde")
    for button in ("Reconectar Filial 2", "Desconectar Filial 2", "Excluir Filial 2"):
        expect(lost.get_by_role("button", name=button)).to_be_enabled()
        expect(lost.get_by_role("button", name=button)).to_be_in_viewport(ratio=1)

    # On a telephone the state is whole, whatever the reason behind it.
    phone = open_page(**PHONE)
    phone.route("**/api/whatsapp/?*", ended)
    log_in(phone, ADMIN, at="/connections")
    for name, words in (
        ("Filial 0", "Desconectada"),
        ("Filial 1", "Tempo esgotado"),
        ("Filial 2", "Conectando"),
    ):
        badge = table_row(phone, name).get_by_text(words, exact=True)
        expect(badge).to_be_in_viewport(ratio=1)
        assert badge.evaluate("badge => badge.scrollWidth <= badge.clientWidth"), words
