"""What a team writes to each other: two people in two browsers, and one on a narrow screen."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ANA, BRUNO, CARLA, OpenPage, log_in
from tests.journeys.people import attach, press, press_box, tick, type_in
from tests.product import ROOT

SAMPLES = ROOT / "apps/simulator/samples"


def open_dialog(page: Page, title: str, person: str) -> Locator:
    """Fill the dialog of a new chat; it is not sent yet."""
    page.get_by_role("button", name="Nova conversa").first.click()
    dialog = page.get_by_role("dialog", name="Nova conversa")
    expect(dialog.get_by_label("Título")).to_be_focused()
    type_in(dialog.get_by_label("Título"), title)
    press_box(dialog, re.compile(person))
    return dialog


def write(page: Page, text: str) -> None:
    """Write into the chat that is open, and send it by Enter."""
    field = page.get_by_role("textbox", name="Mensagem", exact=True)
    type_in(field, text)
    press(field, "Enter")
    expect(field).to_have_value("")
    expect(thread(page).get_by_text(text)).to_be_visible()
    expect(field).to_be_focused()


def thread(page: Page) -> Locator:
    return page.get_by_role("log", name=re.compile("^Mensagens de "))


def row(page: Page, title: str) -> Locator:
    return page.get_by_role("list", name="Conversas da equipe").get_by_role("link", name=title)


def test_two_people_write_to_each_other(open_page: OpenPage) -> None:
    title = "Estoque de vasos"
    ana, bruno = open_page(), open_page()
    log_in(ana, ANA)
    log_in(bruno, BRUNO)
    ana.get_by_role("link", name="Chat interno").click()
    dialog = open_dialog(ana, " ", "Bruno")
    press_box(dialog, re.compile("Bruno"))
    dialog.get_by_role("button", name="Criar conversa").click()
    expect(dialog.get_by_text("Por favor, preencha o título da conversa.")).to_be_visible()
    expect(dialog.get_by_text("Por favor, selecione pelo menos um usuário.")).to_be_visible()
    type_in(dialog.get_by_label("Título"), title)
    press_box(dialog, re.compile("Bruno"))
    dialog.get_by_role("button", name="Criar conversa").click()
    expect(dialog).to_have_count(0)
    expect(ana.get_by_role("heading", name=title)).to_be_visible()
    field = ana.get_by_role("textbox", name="Mensagem", exact=True)
    type_in(field, "   ")
    press(field, "Enter")
    expect(ana.get_by_text("Escreva a primeira mensagem")).to_be_visible()
    write(ana, "Ainda temos vasos azuis?")
    write(ana, "É para uma entrega de hoje.")

    # Bruno is elsewhere: the dot of the menu and the number of the bar tell him.
    menu = bruno.get_by_role("link", name=re.compile("^Chat interno"))
    expect(menu).to_contain_text(re.compile(r"conversas? com mensagens não lidas"))
    bar = bruno.get_by_role("button", name=re.compile(r"^Chat interno: \d+ conversa"))
    bar.click()
    listed = bruno.get_by_role("dialog", name="Chat interno")
    expect(listed.get_by_role("link", name=title)).to_contain_text("2 mensagens não lidas")
    listed.get_by_role("link", name=title).click()
    expect(listed).to_have_count(0)
    bruno.wait_for_url(re.compile(r"/chats/[0-9a-f-]{36}$"))
    expect(thread(bruno).get_by_role("separator")).to_have_text("2 mensagens não lidas")
    expect(row(bruno, title)).not_to_contain_text("não lida")
    write(bruno, "Temos doze. Separo agora.")
    expect(thread(ana).get_by_text("Temos doze. Separo agora.")).to_be_visible()
    # It is before her eyes, so that nothing of it stays unread.
    expect(row(ana, title)).not_to_contain_text("não lida")

    attach(ana.get_by_role("button", name="Anexar arquivos"), SAMPLES / "vasos.jpg")
    expect(ana.get_by_role("list", name="Arquivos para enviar")).to_contain_text("vasos.jpg")
    type_in(field, "Estes aqui")
    ana.get_by_role("button", name="Enviar", exact=True).click()
    picture = thread(bruno).get_by_role("img", name="vasos.jpg")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0

    # Only its owner changes it.
    bruno.get_by_role("button", name=f"Ações de {title}").click()
    expect(bruno.get_by_role("menuitem", name="Sair da conversa")).to_be_visible()
    expect(bruno.get_by_role("menuitem", name="Editar conversa")).to_have_count(0)
    bruno.keyboard.press("Escape")
    ana.get_by_role("button", name=f"Ações de {title}").click()
    ana.get_by_role("menuitem", name="Editar conversa").click()
    edit = ana.get_by_role("dialog", name="Editar conversa")
    type_in(edit.get_by_label("Título"), "Vasos e entregas")
    press_box(edit, re.compile("Carla"))
    edit.get_by_role("button", name="Salvar").click()
    expect(edit).to_have_count(0)
    expect(bruno.get_by_role("heading", name="Vasos e entregas")).to_be_visible()
    expect(bruno.get_by_role("button", name="Participantes de Vasos")).to_have_count(0)
    expect(bruno.get_by_text("3 pessoas")).to_be_visible()

    ana.get_by_role("button", name="Ações de Vasos e entregas").click()
    ana.get_by_role("menuitem", name="Excluir conversa").click()
    confirm = ana.get_by_role("alertdialog", name="Excluir Vasos e entregas?")
    confirm.get_by_role("button", name="Excluir").click()
    expect(row(ana, "Vasos e entregas")).to_have_count(0)
    expect(bruno.get_by_text("Esta conversa não está mais aqui")).to_be_visible()
    expect(row(bruno, "Vasos e entregas")).to_have_count(0)


def test_what_is_typed_and_what_failed_stays(open_page: OpenPage) -> None:
    title = "Escala de sábado"
    page = open_page()
    log_in(page, ANA, at="/chats")
    open_dialog(page, title, "Carla").get_by_role("button", name="Criar conversa").click()
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    field = page.get_by_role("textbox", name="Mensagem", exact=True)
    type_in(field, "Quem abre?")
    page.reload()
    expect(field).to_have_value("Quem abre?")
    sends = "**/api/chats/*/messages"
    page.route(sends, lambda route: route.abort("internetdisconnected"))
    press(field, "Enter")
    expect(tick(thread(page), "Aguardando envio")).to_be_visible()
    # The server is back, and refuses: only then is it for the person to go on.
    page.unroute(sends)
    page.route(sends, lambda route: route.fulfill(status=500, json={"error": "ERR_INTERNAL"}))
    resend = thread(page).get_by_role("button", name="Reenviar")
    expect(resend).to_be_visible()
    page.unroute(sends)
    resend.click()
    expect(resend).to_have_count(0)
    expect(thread(page).get_by_text("Quem abre?")).to_have_count(1)
    page.reload()
    expect(thread(page).get_by_text("Quem abre?")).to_have_count(1)

    carla = open_page()
    log_in(carla, CARLA, at="/chats")
    row(carla, title).click()
    expect(thread(carla).get_by_text("Quem abre?")).to_be_visible()
    carla.get_by_role("button", name=f"Ações de {title}").click()
    carla.get_by_role("menuitem", name="Sair da conversa").click()
    carla.get_by_role("alertdialog").get_by_role("button", name="Sair").click()
    expect(row(carla, title)).to_have_count(0)
    expect(page.get_by_text("1 pessoa", exact=False)).to_be_visible()


def test_older_messages_come_before_one_reaches_them(open_page: OpenPage) -> None:
    title = "Caixa do mês"
    page = open_page()
    log_in(page, ANA, at="/chats")
    open_dialog(page, title, "Bruno").get_by_role("button", name="Criar conversa").click()
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    for number in range(1, 43):
        write(page, f"Linha {number} do caixa")
    page.reload()
    expect(thread(page).get_by_text("Linha 42 do caixa")).to_be_in_viewport()
    thread(page).hover()
    first = thread(page).get_by_text(re.compile("^Linha 1 do caixa"))
    for _ in range(200):
        if first.count():
            break
        page.mouse.wheel(0, -400)
        page.evaluate("new Promise(done => requestAnimationFrame(done))")
    expect(first).to_have_count(1)


def test_a_narrow_screen_has_two_tabs(open_page: OpenPage) -> None:
    title = "Portão dos fundos"
    page = open_page(viewport={"width": 390, "height": 844})
    log_in(page, BRUNO, at="/chats")
    chats = page.get_by_role("tab", name="Chats")
    messages = page.get_by_role("tab", name="Mensagens")
    expect(chats).to_have_attribute("aria-selected", "true")
    messages.click()
    expect(
        page.get_by_text(re.compile("Escolha uma conversa|Nenhuma conversa ainda"))
    ).to_be_visible()
    open_dialog(page, title, "Ana").get_by_role("button", name="Criar conversa").click()
    expect(messages).to_have_attribute("aria-selected", "true")
    write(page, "Quem tem a chave?")
    chats.click()
    expect(row(page, title)).to_contain_text("Quem tem a chave?")
    row(page, title).click()
    expect(thread(page).get_by_text("Quem tem a chave?")).to_be_visible()
