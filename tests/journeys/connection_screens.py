"""How to reach the connections and all that opens from them."""

from playwright.sync_api import Page, Route, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import (
    act,
    press_last,
    type_in,
)
from tests.product import Product


def show_connections(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/connections")
    expect(page.get_by_role("row").filter(has_text="Loja Centro")).to_be_visible()


def show_signup(page: Page, product: Product) -> None:
    """Show what is said of Meta's window that was closed before the end."""
    show_connections(page, product)
    page.get_by_role("button", name="Conectar com o Facebook").click()
    dialog = page.get_by_role("dialog", name="Conectar com o Facebook")
    with page.expect_popup() as opened:
        dialog.get_by_role("button", name="Abrir janela do Facebook").click()
    press_last(opened.value.get_by_role("button", name="Cancelar"))
    expect(dialog.get_by_role("alert")).to_be_visible()


def show_connection(page: Page, product: Product) -> None:
    show_connections(page, product)
    page.get_by_role("button", name="Adicionar conexão").click()
    expect(page.get_by_role("dialog", name="Adicionar conexão")).to_be_visible()


def show_qr(page: Page, product: Product) -> None:
    """Show the code of a number that no gateway has, so that it stays as it is."""

    def with_session(route: Route) -> None:
        answer = route.fetch()
        session = {"id": 10**9, "name": "Loja do QR", "provider": "beta", "status": "qrcode"}
        rows = answer.json()
        rows.append(rows[0] | session | {"qrcode": "2@um,codigo", "isDefault": False})
        route.fulfill(response=answer, json=rows)

    page.route("**/api/whatsapp/?*", with_session)
    show_connections(page, product)
    act(page, "Loja do QR", "QR Code de Loja do QR")
    expect(page.get_by_role("img", name="QR Code para escanear com o WhatsApp")).to_be_visible()


def show_connection_test(page: Page, product: Product) -> None:
    _show_connection_action(page, product, "Testar o envio de Loja Centro")
    expect(page.get_by_label("O que enviar")).to_be_visible()


def show_connection_profile(page: Page, product: Product) -> None:
    _show_connection_action(page, product, "Perfil comercial de Loja Centro")
    expect(page.get_by_label("Recado")).to_be_visible()


def show_connection_health(page: Page, product: Product) -> None:
    _show_connection_action(page, product, "Saúde de Loja Centro")
    expect(page.get_by_text("Última recebida")).to_be_visible()


def _show_connection_action(page: Page, product: Product, action: str) -> None:
    show_connections(page, product)
    row = page.get_by_role("row").filter(has_text="Loja Centro")
    button = row.get_by_role("button", name=action)
    menu = row.get_by_role("button", name="Ações de Loja Centro")
    expect(button.or_(menu)).to_be_visible()
    if menu.is_visible():
        menu.click()
        page.get_by_role("menuitem", name=action).click()
    else:
        button.click()


def show_connection_setup(page: Page, product: Product) -> None:
    """Show a test that found something wrong, something right and something to wait for."""
    show_connection(page, product)
    dialog = page.get_by_role("dialog", name="Adicionar conexão")
    dialog.get_by_role("radio", name="API oficial").click()
    # A number that somebody has, in an account that is good.
    type_in(dialog.get_by_label("ID do número de telefone"), "100000000000001")
    type_in(dialog.get_by_label("ID da conta do WhatsApp Business"), "200000000000001")
    type_in(dialog.get_by_label("Token de acesso"), "EAAG-um-token")
    dialog.get_by_role("button", name="Testar conexão").click()
    ticks = dialog.get_by_role("list", name="Resultado do teste")
    expect(ticks.get_by_text("Este número já está em outra conexão.")).to_be_visible()
    ticks.get_by_role("listitem").last.scroll_into_view_if_needed()


def show_connection_messages(page: Page, product: Product) -> None:
    _show_connection_tab(page, product, "Mensagens", "Mensagem de avaliação")


def show_connection_bot(page: Page, product: Product) -> None:
    _show_connection_tab(page, product, "Bot", "Leva para a fila")


def show_connection_timers(page: Page, product: Product) -> None:
    _show_connection_tab(page, product, "Prazos", "Mensagem de inatividade")


def show_connection_pace(page: Page, product: Product) -> None:
    show_connection(page, product)
    dialog = page.get_by_role("dialog", name="Adicionar conexão")
    dialog.get_by_role("tab", name="Ritmo").click()
    expect(dialog.get_by_label("No primeiro dia")).to_have_value("30")


def show_connection_api(page: Page, product: Product) -> None:
    _show_connection_tab(page, product, "API", "Token da API")


def _show_connection_tab(page: Page, product: Product, tab: str, label: str) -> None:
    show_connections(page, product)
    page.get_by_role("row").filter(has_text="Loja Centro").click()
    page.get_by_role("dialog", name="Editar conexão").get_by_role("tab", name=tab).click()
    expect(page.get_by_label(label)).to_be_visible()
