"""Templates: the way to write to somebody whose 24 hours are over, or who never wrote."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ANA, log_in
from tests.journeys.people import (
    Customer,
    Simulator,
    attach,
    composer,
    conversation,
    keys_to,
    say,
    sent,
    serve,
    tick,
    token,
    type_in,
)
from tests.product import ROOT, Product, wait_for

SAMPLES = ROOT / "apps" / "simulator" / "samples"

NEVER_WROTE = "Este contato ainda não escreveu para este número."


@pytest.fixture
def simulator(product: Product) -> Iterator[Simulator]:
    """The simulator, whole again afterwards."""
    simulator = Simulator(product)
    yield simulator
    simulator.heal()


def start(page: Page, customer: Customer) -> Locator:
    """Open a ticket with somebody who never wrote, and return its pane."""
    headers = {"Authorization": f"Bearer {token(page)}"}

    def post(path: str, data: dict[str, Any]) -> Any:
        answer = page.request.post(f"/api{path}", data=data, headers=headers)
        assert answer.ok, answer.text()
        return answer.json()

    [queue] = page.request.get("/api/auth/me", headers=headers).json()["queues"][:1]
    contact = post("/contacts", {"name": customer.name, "number": customer.number})
    ticket = post(
        "/tickets", {"contactId": contact["id"], "queueId": queue["id"], "status": "open"}
    )
    page.goto(f"/tickets/{ticket['uuid']}")
    pane = conversation(page, customer.name)
    expect(pane.get_by_text(NEVER_WROTE)).to_be_visible()
    return pane


def open_chooser(page: Page, pane: Locator) -> Locator:
    pane.get_by_role("button", name="Enviar modelo").click()
    dialog = page.get_by_role("dialog", name=re.compile("^Enviar modelo para"))
    expect(option(dialog, "retomar_conversa")).to_be_visible()
    return dialog


def option(dialog: Locator, name: str) -> Locator:
    listbox = dialog.get_by_role("listbox", name="Modelos de mensagem")
    return listbox.get_by_role("option").filter(has_text=name)


def submit(dialog: Locator) -> None:
    dialog.get_by_role("button", name="Enviar modelo").click()


def received(customer: Customer) -> list[dict[str, Any]]:
    return [message["body"]["shown"] for message in customer.received()]


def test_who_never_wrote_gets_a_template_and_answers_with_its_button(
    product: Product, page: Page
) -> None:
    customer = Customer(product, "Gumercindo Amaral")
    log_in(page, ANA)
    pane = start(page, customer)
    dialog = open_chooser(page, pane)
    type_in(dialog.get_by_label("Buscar modelo"), "conversa em aberto")
    expect(option(dialog, "pedido_enviado")).to_have_count(0)
    option(dialog, "retomar_conversa").click()

    # The greeted name is typed already; what is missing is said at the field.
    expect(dialog.get_by_label("Texto: variável 1")).to_have_value("Gumercindo")
    submit(dialog)
    expect(dialog.get_by_text("Preencha este campo.")).to_be_visible()
    type_in(dialog.get_by_label("Texto: variável 2"), "a troca do prato")
    preview = dialog.get_by_role("region", name="Como o contato vai ver")
    expect(preview).to_contain_text("Olá, Gumercindo! Ficamos com uma conversa em aberto")
    submit(dialog)
    expect(dialog).to_have_count(0)

    message = sent(page, "sobre a troca do prato")
    expect(tick(message, "Entregue")).to_be_visible()
    expect(message.get_by_text("Sim, vamos lá")).to_be_visible()
    [shown] = received(customer)
    assert shown["text"].startswith("Olá, Gumercindo! Ficamos")
    # The window opens with the contact's answer.
    expect(composer(page)).to_have_count(0)
    customer.send(type="button", payload="Sim, vamos lá", text="Sim, vamos lá")
    expect(composer(page)).to_be_visible()
    # With a whole day left, no word about it.
    expect(pane.get_by_text("fecha em")).to_have_count(0)
    say(page, "Que bom!")
    expect(tick(sent(page, "Que bom!"), "Entregue")).to_be_visible()


def test_a_header_s_picture_and_a_link_arrive_on_the_telephone(
    product: Product, page: Page
) -> None:
    customer = Customer(product, "Deolinda Pacheco")
    log_in(page, ANA)
    dialog = open_chooser(page, start(page, customer))
    option(dialog, "peca_disponivel").click()
    type_in(dialog.get_by_label("Texto: variável 2"), "travessa azul")
    submit(dialog)
    expect(dialog.get_by_text("Anexe a imagem do cabeçalho.")).to_be_visible()
    attach(
        dialog.get_by_role("button", name=re.compile("^Anexar imagem")),
        SAMPLES / "comprovante-pix.pdf",
    )
    expect(dialog.get_by_text("O cabeçalho aceita só imagens PNG ou JPG.")).to_be_visible()
    attach(
        dialog.get_by_role("button", name=re.compile("^Anexar imagem")),
        SAMPLES / "travessa-azul.jpg",
    )
    expect(dialog.get_by_role("button", name=re.compile("^Trocar"))).to_be_visible()
    submit(dialog)
    expect(dialog).to_have_count(0)

    message = sent(page, "a peça que você procurava voltou")
    expect(tick(message, "Entregue")).to_be_visible()
    picture = message.get_by_role("img", name="Imagem do cabeçalho")
    expect(picture).to_be_visible()
    wait_for(lambda: picture.evaluate("image => image.naturalWidth > 0"), "the picture")
    link = message.get_by_role("link", name="Ver na loja")
    expect(link).to_have_attribute("href", re.compile("/novidades$"))
    [shown] = received(customer)
    assert (shown["mediaType"], shown["filename"]) == ("image", "travessa-azul.jpg")


def test_one_that_is_not_approved_says_why_and_can_not_be_chosen(
    product: Product, page: Page
) -> None:
    customer = Customer(product, "Anacleto Figueira")
    log_in(page, ANA)
    dialog = open_chooser(page, start(page, customer))
    pending = option(dialog, "pesquisa_de_satisfacao")
    expect(pending).to_contain_text("Em análise pela Meta")
    expect(pending).to_be_disabled()
    pending.scroll_into_view_if_needed()
    place = pending.bounding_box()
    assert place
    page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    expect(pending).to_have_attribute("aria-selected", "false")
    expect(dialog.get_by_role("button", name="Enviar modelo")).to_be_disabled()
    expect(option(dialog, "promocao_relampago")).to_contain_text("Recusado pela Meta")
    expect(option(dialog, "vitrine_da_semana")).to_contain_text("Só pelo Gerenciador do WhatsApp")


def test_a_refused_send_and_a_list_that_fails_are_told_in_words(
    product: Product, page: Page, simulator: Simulator
) -> None:
    customer = Customer(product, "Petronilha Saraiva")
    log_in(page, ANA)
    pane = start(page, customer)
    dialog = open_chooser(page, pane)
    option(dialog, "novidades_da_colecao").click()
    expect(dialog.get_by_text("Este modelo não tem nada a preencher.")).to_be_visible()
    simulator.fault("not_on_whatsapp")
    submit(dialog)
    message = sent(page, "A coleção nova chegou")
    failure = message.get_by_role("status")
    expect(failure).to_contain_text("Não enviada:")
    simulator.heal()
    failure.get_by_role("button", name="Reenviar").click()
    expect(tick(message, "Entregue")).to_be_visible()

    simulator.fault("provider_down")
    dialog = open_chooser(page, pane)
    dialog.get_by_role("button", name="Atualizar a lista").click()
    expect(page.get_by_text("O serviço da Meta está indisponível no momento.")).to_be_visible()


def test_a_window_that_closes_while_one_writes_keeps_what_was_written(
    product: Product, page: Page
) -> None:
    customer = Customer(product, "Iracema Falcão")
    pane = serve(page, ANA, customer)
    type_in(composer(page), "Estou vendo com o estoque")
    page.clock.install()
    page.reload()
    expect(composer(page)).to_have_value("Estou vendo com o estoque")
    # A chip of the header, from under two hours before the end, by the browser's clock.
    chip = pane.locator("header").get_by_title("A janela de texto livre fecha em")
    page.clock.fast_forward("21:58:00")
    expect(pane.get_by_title("fecha em")).to_have_count(0)
    page.clock.fast_forward("00:04:00")
    expect(chip).to_have_text(re.compile(r"^1 h 5[5-8] min"))
    page.clock.fast_forward("00:57:30")
    expect(chip).to_have_text(re.compile("^(1 h|59 min)"))
    page.clock.fast_forward("01:01:00")
    notice = pane.get_by_role("status").filter(has_text="Passaram mais de 24 horas")
    expect(notice).to_be_visible()
    # It may go as a utility text, or in parts of a template.
    field = pane.get_by_role("textbox", name="Mensagem de utilidade")
    expect(field).to_have_value("Estou vendo com o estoque")
    expect(pane.get_by_role("button", name="Enviar modelo")).to_be_visible()


def test_on_a_narrow_screen_it_goes_step_by_step(product: Product, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    customer = Customer(product, "Teodoro Lacerda")
    log_in(page, ANA)
    dialog = open_chooser(page, start(page, customer))
    expect(dialog.get_by_role("button", name="Enviar modelo")).to_have_count(0)
    option(dialog, "lembrete_de_pagamento").click()
    expect(dialog.get_by_role("listbox", name="Modelos de mensagem")).to_have_count(0)
    dialog.get_by_role("button", name="Voltar").click()
    option(dialog, "apresentar_atendente").click()
    expect(dialog.get_by_label("Texto: variável atendente")).to_have_value("Ana Prado")
    type_in(dialog.get_by_label("Texto: variável assunto"), "10482")
    submit(dialog)
    expect(tick(sent(page, "Aqui é Ana Prado"), "Entregue")).to_be_visible()
    [shown] = received(customer)
    assert shown["header"] == "Oi, Teodoro!"


def test_a_template_is_chosen_and_sent_by_keyboard(product: Product, page: Page) -> None:
    customer = Customer(product, "Hermínia Couto")
    log_in(page, ANA)
    dialog = open_chooser(page, start(page, customer))
    expect(dialog.get_by_label("Buscar modelo")).to_be_focused()
    page.keyboard.type("novidades")
    expect(option(dialog, "retomar_conversa")).to_have_count(0)
    page.keyboard.press("ArrowDown")
    expect(option(dialog, "novidades_da_colecao")).to_be_focused()
    page.keyboard.press("Enter")
    send = dialog.get_by_role("button", name="Enviar modelo")
    expect(send).to_be_enabled()
    keys_to(send)
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(tick(sent(page, "A coleção nova chegou"), "Entregue")).to_be_visible()
