"""A telephone: 390 px, a finger, and a keyboard that comes over the screen."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import (
    Customer,
    Simulator,
    composer,
    conversation,
    press,
    row,
    say,
    sent,
    serve,
    tab,
    type_in,
    wait_until_read,
)
from tests.journeys.screens import SCREENS
from tests.product import Product


def test_enter_breaks_the_line_and_the_button_sends(phone: Page, product: Product) -> None:
    customer = Customer(product, "Tibúrcio Alencar")
    serve(phone, ADMIN, customer)
    composer(phone).tap()
    phone.keyboard.type("Temos sim.")
    phone.keyboard.press("Enter")
    phone.keyboard.type("Quantas quer?")
    expect(composer(phone)).to_have_value("Temos sim.\nQuantas quer?")
    expect(composer(phone)).to_have_attribute("enterkeyhint", "enter")
    phone.get_by_role("button", name="Enviar", exact=True).tap()
    expect(sent(phone, "Quantas quer?")).to_contain_text("Temos sim.")
    expect(composer(phone)).to_have_value("")
    customer.wait_for_texts("Quantas quer?")


def test_what_follows_a_failure_stands_where_the_message_ends(
    phone: Page, product: Product
) -> None:
    serve(phone, ADMIN, Customer(product, "Serafim Toledo"))
    simulator = Simulator(product)
    simulator.fault("not_on_whatsapp", times=1)
    try:
        say(phone, "Segue o orçamento")
        again = sent(phone, "Segue o orçamento").get_by_role("button", name="Reenviar")
        expect(again).to_be_visible()
    finally:
        simulator.heal()
    line = sent(phone, "Segue o orçamento").get_by_role("status").bounding_box()
    button = again.bounding_box()
    assert line and button
    assert abs(button["x"] + button["width"] - line["x"] - line["width"]) < 2, (button, line)


def test_the_eye_of_a_row_is_in_the_line_of_its_connection(phone: Page) -> None:
    log_in(phone, ADMIN)
    entries = phone.get_by_role("region", name="Atendendo", exact=True)
    entry = entries.get_by_role("link").filter(has_text="Loja Centro").first.locator("..")
    button = entry.get_by_role("button", name="Espiar conversa")
    expect(button).to_be_visible()
    words = entry.get_by_text("Loja Centro", exact=True).bounding_box()
    eye = button.locator("svg").bounding_box()
    assert words and eye
    apart = words["y"] + words["height"] / 2 - eye["y"] - eye["height"] / 2
    assert abs(apart) <= 2, (words, eye)


def test_the_way_back_counts_who_else_waits(phone: Page, product: Product) -> None:
    customer, other = (Customer(product, name) for name in ("Ulisses Prata", "Valdete Rios"))
    serve(phone, ADMIN, customer)
    wait_until_read(phone)
    phone.reload()
    back = phone.get_by_role("button", name=re.compile("^Voltar: "))
    before = int(back.inner_text())
    other.write("Alguém aí?")
    expect(back).to_have_text(str(before + 1))
    expect(back).to_have_accessible_name(f"Voltar: {before + 1} conversas não lidas")
    back.tap()
    expect(tab(phone, "Aguardando")).to_be_visible()
    # Its row leads to it again, from there and from the tabs at the foot.
    row(phone, "Atendendo", customer.name).tap()
    expect(conversation(phone, customer.name)).to_be_visible()
    phone.get_by_role("navigation", name="Partes da tela").get_by_role(
        "button", name=re.compile("Atendimentos")
    ).tap()
    row(phone, "Atendendo", customer.name).tap()
    expect(conversation(phone, customer.name)).to_be_visible()


def test_the_tabs_at_the_foot_give_way_to_the_keyboard(phone: Page, product: Product) -> None:
    customer = Customer(product, "Wanderley Pires")
    pane = serve(phone, ADMIN, customer)
    tabs = phone.get_by_role("navigation", name="Partes da tela")
    pane.get_by_role("log").tap(position={"x": 20, "y": 200})
    expect(tabs).to_be_visible()
    composer(phone).tap()
    expect(tabs).to_be_hidden()
    type_in(composer(phone), "Já vejo")
    # The press takes the focus from the field: nothing may move before it has ended.
    phone.get_by_role("button", name="Enviar", exact=True).tap()
    expect(sent(phone, "Já vejo")).to_be_visible()
    pane.get_by_role("log").tap(position={"x": 20, "y": 200})
    expect(tabs).to_be_visible()


def test_the_part_without_a_conversation_leads_to_the_list(phone: Page) -> None:
    log_in(phone, ADMIN)
    tabs = phone.get_by_role("navigation", name="Partes da tela")
    expect(tabs.get_by_role("button")).to_have_count(2)
    tabs.get_by_role("button", name="Ticket", exact=True).tap()
    expect(tab(phone, "Aguardando")).to_be_hidden()
    phone.get_by_role("button", name="Selecionar Ticket").tap()
    expect(tab(phone, "Aguardando")).to_be_visible()


def test_theme_volume_and_refresh_are_in_the_account_menu(phone: Page) -> None:
    log_in(phone, ADMIN)
    bar = phone.get_by_role("banner")
    account = bar.get_by_role("button", name=re.compile("^Conta de"))
    expect(account).to_be_visible()
    for name in ("Atualizar", "Volume das notificações", "Usar tema escuro"):
        expect(bar.get_by_role("button", name=name)).to_be_hidden()
    account.tap()
    # All of it shows at once.
    expect(phone.get_by_role("menuitem", name="Sair")).to_be_in_viewport(ratio=1)
    phone.get_by_role("menuitem", name="Usar tema escuro").tap()
    expect(phone.locator("html")).to_have_class(re.compile("dark"))
    account.tap()
    with phone.expect_request("**/tickets/counts*"):
        phone.get_by_role("menuitem", name="Atualizar").tap()
    account.tap()
    phone.get_by_role("menuitem", name="Volume das notificações").tap()
    dialog = phone.get_by_role("dialog", name="Volume das notificações")
    slider = dialog.get_by_role("slider")
    press(slider, "ArrowLeft")
    expect(slider).to_have_attribute("aria-valuenow", "0.9")
    dialog.get_by_role("button", name="Fechar").tap()
    expect(dialog).to_have_count(0)
    expect(account).to_be_focused()


ADDS = {
    "users": "Adicionar usuário",
    "tags": "Adicionar tag",
    "prompts": "Adicionar prompt",
    "queue-integration": "Adicionar integração",
    "quick-messages": "Adicionar resposta rápida",
    "files": "Adicionar lista",
    "contact-lists": "Adicionar lista",
    "opt-outs": "Adicionar número",
    "contacts": "Adicionar contato",
    "schedules": "Novo agendamento",
}


@pytest.mark.parametrize("address", ADDS)
def test_a_search_has_the_room_that_long_words_would_take(phone: Page, address: str) -> None:
    log_in(phone, ADMIN, at=f"/{address}")
    tools = phone.get_by_role("main")
    search = tools.get_by_role("searchbox")
    expect(search).to_be_visible()
    box = search.bounding_box()
    assert box and box["width"] >= 240, box
    add = tools.get_by_role("button", name=ADDS[address], exact=True).first
    box = add.bounding_box()
    assert box and (box["width"], box["height"]) == (44, 44), box


PAGES = {
    "users": "Ana Prado",
    "queues": "Financeiro",
    "tags": "Orçamento",
    "connections": "Loja Centro",
    "quick-messages": "/troca-prazo",
    "file-lists": "Coleção Barro e Mar",
    "contact-lists": "Vitrine de clientes",
    "schedule-list": "Erro de envio",
    "integrations": "Vitrine webhook",
    "prompts": "Vitrine de dúvidas",
    "template-list": "lembrete_de_pagamento",
}


@pytest.mark.parametrize("screen", PAGES)
def test_rows_have_two_lines_and_their_actions_in_a_menu(
    phone: Page, product: Product, screen: str
) -> None:
    SCREENS[screen](phone, product)
    rows = phone.get_by_role("row").filter(has=phone.get_by_role("button"))
    expect(rows.first).to_be_visible()
    for each in rows.all():
        box = each.bounding_box()
        assert box and 56 <= box["height"] <= 72, (each.inner_text(), box)
        assert box["width"] <= 390, box
        expect(each.get_by_role("button")).to_have_count(1)
    found = rows.filter(has_text=PAGES[screen]).first
    name = str(found.get_by_role("button").get_attribute("aria-label"))
    assert name.startswith("Ações de "), name
    found.get_by_role("button").tap()
    expect(phone.get_by_role("menuitem", name=re.compile("^Editar "))).to_be_visible()
    phone.get_by_role("menuitem", name=re.compile("^Excluir ")).tap()
    expect(phone.get_by_role("alertdialog", name=re.compile("^Excluir "))).to_be_visible()


def test_calls_have_two_lines_until_they_are_opened(phone: Page, product: Product) -> None:
    SCREENS["delivery-list"](phone, product)
    entries = phone.get_by_role("dialog").get_by_role("listitem")
    expect(entries).to_have_count(3)
    for each in entries.all():
        box = each.bounding_box()
        assert box and 44 <= box["height"] <= 72, (each.inner_text(), box)
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390, box
    failed = entries.nth(1)
    expect(failed.get_by_text("não respondeu")).to_be_hidden()
    failed.get_by_role("button", expanded=False).tap()
    expect(failed.get_by_text("não respondeu")).to_be_visible()


def test_contacts_have_two_lines_and_their_actions_in_a_menu(phone: Page) -> None:
    log_in(phone, ADMIN, at="/contacts")
    menus = phone.get_by_role("button", name=re.compile("^Ações de "))
    expect(menus.nth(5)).to_be_visible()
    entries = menus.locator("..").filter(visible=True).all()[:6]
    for each in entries:
        box = each.bounding_box()
        assert box and 56 <= box["height"] <= 72, (each.inner_text(), box)
        assert box["width"] <= 390, box
        name, number = each.inner_text().strip().splitlines()[-2:]
        assert name and re.search(r"\d", number), (name, number)
    menus.first.tap()
    expect(phone.get_by_role("menuitem", name=re.compile("^Editar"))).to_be_visible()


def test_a_conversation_is_named_by_its_heading(phone: Page, product: Product) -> None:
    customer = Customer(product, "Xenofonte Lira")
    serve(phone, ADMIN, customer)
    expect(phone.get_by_role("heading", level=1)).to_have_count(1)
    expect(phone.get_by_role("heading", level=1)).to_contain_text(customer.name)
