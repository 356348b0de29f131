"""The contact drawer: details, editing, notes, earlier tickets, files; wide and narrow."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, ANA, CARLA, OpenPage, log_in
from tests.journeys.people import (
    Customer,
    conversation,
    open_waiting,
    press,
    row,
    serve,
    tab,
    token,
    type_in,
)
from tests.product import Product


def open_drawer(page: Page, contact: str) -> Locator:
    """Open the contact beside the conversation, or over it."""
    page.get_by_role("button", name=f"Abrir contato de {contact}").click()
    wide = page.get_by_role("complementary", name="Contato", exact=True)
    drawer = wide.or_(page.get_by_role("dialog", name="Contato", exact=True))
    expect(drawer).to_be_visible()
    return drawer


def part(drawer: Locator, name: str) -> None:
    drawer.get_by_role("tablist", name="Partes do contato").get_by_role("tab", name=name).click()


def write_note(drawer: Locator, text: str) -> None:
    type_in(drawer.get_by_label("Nova observação"), text)
    drawer.get_by_role("button", name="Adicionar", exact=True).click()


def test_the_contact_is_shown_edited_and_stays_open(product: Product, page: Page) -> None:
    customer = Customer(product, "Clementina Arruda")
    serve(page, ANA, customer)
    drawer = open_drawer(page, customer.name)
    box = drawer.bounding_box()
    assert box and box["width"] == 320, box
    number = customer.number
    shown = f"+55 {number[2:4]} {number[4:9]}-{number[9:]}"
    expect(drawer.get_by_text(shown)).to_be_visible()
    expect(drawer.get_by_text("Loja Centro", exact=True)).to_be_visible()
    expect(drawer.get_by_text("Não informado")).to_be_visible()
    drawer.get_by_role("button", name="Copiar número").click()
    assert page.evaluate("navigator.clipboard.readText()") == number

    drawer.get_by_role("button", name="Editar contato").click()
    dialog = page.get_by_role("dialog", name="Editar contato")
    type_in(dialog.get_by_label("E-mail"), "clementina@exemplo.com.br")
    dialog.get_by_role("button", name="Adicionar informação").click()
    type_in(dialog.get_by_label("Nome do campo"), "Aniversário")
    type_in(dialog.get_by_label("Valor"), "27/03")
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog).to_have_count(0)
    expect(drawer.get_by_text("clementina@exemplo.com.br")).to_be_visible()
    expect(drawer.get_by_text("27/03", exact=True)).to_be_visible()

    page.reload()
    expect(drawer.get_by_text("27/03", exact=True)).to_be_visible()
    drawer.get_by_role("button", name="Fechar").click()
    expect(drawer).to_have_count(0)
    page.reload()
    expect(conversation(page, customer.name)).to_be_visible()
    expect(drawer).to_have_count(0)


def test_notes_are_written_seen_by_colleagues_and_deleted_by_their_writer(
    product: Product, open_page: OpenPage
) -> None:
    ana, carla, admin = open_page(), open_page(), open_page()
    customer = Customer(product, "Porcina Telles")
    customer.write("Oi")
    log_in(carla, CARLA)
    open_waiting(carla, customer.name)
    seen = open_drawer(carla, customer.name)
    log_in(ana, ANA)
    open_waiting(ana, customer.name)
    drawer = open_drawer(ana, customer.name)
    expect(drawer.get_by_text("Nenhuma observação ainda.")).to_be_visible()
    write_note(drawer, "x")
    expect(drawer.get_by_role("alert")).to_have_text("Muito curto!")
    write_note(drawer, "Só recebe depois das 18h.")
    expect(ana.get_by_text("Observação adicionada com sucesso!", exact=True)).to_be_visible()
    notes = drawer.get_by_role("list", name="Observações").get_by_role("listitem")
    expect(notes).to_have_count(1)
    expect(notes.first).to_contain_text("Ana Prado")
    expect(drawer.get_by_label("Nova observação")).to_have_value("")

    expect(seen.get_by_text("Só recebe depois das 18h.")).to_be_visible()
    expect(seen.get_by_role("button", name="Excluir observação")).to_have_count(0)
    write_note(seen, "Paga sempre por Pix.")
    expect(notes).to_have_count(2)
    expect(notes.first).to_contain_text("Paga sempre por Pix.")
    # Each may take back what they wrote.
    expect(drawer.get_by_role("button", name="Excluir observação")).to_have_count(1)
    notes.nth(1).hover()
    notes.nth(1).get_by_role("button", name="Excluir observação").click()
    question = ana.get_by_role("alertdialog", name="Excluir esta observação?")
    expect(question.get_by_text("Só recebe depois das 18h.")).to_be_visible()
    question.get_by_role("button", name="Excluir").click()
    expect(ana.get_by_text("Observação excluída com sucesso!", exact=True)).to_be_visible()
    for shown in (drawer, seen):
        expect(shown.get_by_text("Só recebe depois das 18h.")).to_have_count(0)

    log_in(admin, ADMIN)
    open_waiting(admin, customer.name)
    theirs = open_drawer(admin, customer.name)
    expect(theirs.get_by_role("button", name="Excluir observação")).to_have_count(1)


def test_a_note_being_written_survives_a_look_at_another_contact(
    product: Product, page: Page
) -> None:
    first, second = Customer(product, "Ambrósio Rangel"), Customer(product, "Benvinda Rangel")
    first.write("Oi")
    second.write("Oi")
    log_in(page, ANA)
    open_waiting(page, first.name)
    drawer = open_drawer(page, first.name)
    type_in(drawer.get_by_label("Nova observação"), "Ainda não terminei")
    row(page, "Aguardando", second.name).click()
    expect(conversation(page, second.name)).to_be_visible()
    expect(drawer.get_by_label("Nova observação")).to_have_value("")
    row(page, "Aguardando", first.name).click()
    expect(drawer.get_by_label("Nova observação")).to_have_value("Ainda não terminei")


def test_earlier_tickets_are_listed_and_lead_to_their_conversation(
    product: Product, page: Page
) -> None:
    customer = Customer(product, "Gumercindo Sales")
    pane = serve(page, ANA, customer, "Primeira compra")
    headers = {"Authorization": f"Bearer {token(page)}"}
    first = page.request.get(
        f"/api/tickets/u/{page.url.split('/tickets/')[1][:36]}", headers=headers
    ).json()
    pane.get_by_role("button", name="Resolver").click()
    expect(pane).to_have_count(0)
    body = {key: first[key] for key in ("contactId", "queueId", "whatsappId")}
    made = page.request.post("/api/tickets", data={**body, "status": "open"}, headers=headers)
    assert made.ok, made.text()
    second = made.json()
    page.goto(f"/tickets/{second['uuid']}")
    drawer = open_drawer(page, customer.name)
    part(drawer, "Atendimentos")
    entries = drawer.get_by_role("list", name="Atendimentos do contato").get_by_role("link")
    expect(entries).to_have_count(2)
    expect(entries.first).to_have_attribute("aria-current", "true")
    expect(entries.first).to_contain_text("Em atendimento")
    expect(entries.nth(1)).to_contain_text("Resolvido")

    entries.nth(1).click()
    expect(page).to_have_url(re.compile(first["uuid"]))
    expect(tab(page, "Resolvidos")).to_have_attribute("aria-selected", "true")
    expect(conversation(page, customer.name).get_by_text(f"#{first['id']}")).to_be_visible()
    # A closed one offers to start anew.
    expect(drawer.get_by_role("button", name="Novo ticket")).to_be_visible()
    part(drawer, "Dados")
    drawer.get_by_role("button", name="Novo ticket").click()
    dialog = page.get_by_role("dialog", name="Criar ticket")
    expect(dialog.get_by_role("combobox", name="Contato")).to_have_value(customer.name)


def test_the_gallery_shows_what_was_exchanged_and_what_comes(product: Product, page: Page) -> None:
    customer = Customer(product, "Filomena Castanho")
    pane = serve(page, ANA, customer)
    drawer = open_drawer(page, customer.name)
    part(drawer, "Mídia")
    expect(drawer.get_by_text("Nenhuma foto ou vídeo ainda.")).to_be_visible()
    customer.send(type="image", sample="canecas.jpg", caption="Estas aqui")
    picture = drawer.get_by_role("button", name=re.compile("^Ampliar foto de Filomena"))
    expect(picture).to_have_count(1)
    picture.click()
    viewer = page.get_by_role("dialog", name="Imagem ampliada")
    expect(viewer.get_by_text("Estas aqui")).to_be_visible()
    page.keyboard.press("Escape")
    expect(viewer).to_have_count(0)

    customer.send(type="document", sample="comprovante-pix.pdf")
    customer.send(type="voice", sample="recado.ogg")
    shelves = drawer.get_by_role("tablist", name="Tipo de arquivo")
    shelves.get_by_role("tab", name="Arquivos").click()
    with page.expect_download() as loaded:
        drawer.get_by_role("link", name="Baixar comprovante-pix.pdf").click()
    assert loaded.value.suggested_filename == "comprovante-pix.pdf"
    shelves.get_by_role("tab", name="Áudios").click()
    play = drawer.get_by_role("button", name=re.compile("^Tocar áudio de Filomena"))
    play.click()
    expect(drawer.get_by_role("button", name=re.compile("^Pausar áudio"))).to_be_visible()
    expect(pane).to_be_visible()


def test_on_narrow_screens_the_contact_has_the_whole_page(product: Product, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    customer = Customer(product, "Idalina Fontes")
    customer.write("Oi")
    log_in(page, ANA)
    pane = open_waiting(page, customer.name)
    drawer = open_drawer(page, customer.name)
    box = drawer.bounding_box()
    assert box and round(box["width"]) == 390, box
    write_note(drawer, "Mora longe.")
    expect(page.get_by_text("Observação adicionada com sucesso!", exact=True)).to_be_visible()
    drawer.get_by_role("button", name="Tags do atendimento").click()
    search = page.get_by_role("combobox", name="Buscar tag")
    type_in(search, "vip")
    # Before the tags are there, Enter has nothing to choose.
    expect(page.get_by_role("option", name="VIP")).to_be_visible()
    press(search, "Enter")
    expect(drawer.get_by_role("group", name="Tags").get_by_text("VIP", exact=True)).to_be_visible()
    press(search, "Escape")
    expect(search).to_have_count(0)
    expect(drawer).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    expect(pane.get_by_role("button", name=f"Abrir contato de {customer.name}")).to_be_focused()
    # It opens when asked for alone.
    page.reload()
    expect(pane).to_be_visible()
    expect(drawer).to_have_count(0)


def test_what_can_not_be_read_says_so_and_is_tried_again(product: Product, page: Page) -> None:
    customer = Customer(product, "Jovelina Brito")
    serve(page, ANA, customer)
    failing = True

    def fail(route: object) -> None:
        route.abort() if failing else route.fallback()  # type: ignore[attr-defined]

    for address in (
        "**/api/ticket-notes/list*",
        "**/api/contacts/*/tickets*",
        "**/api/contacts/*/media*",
    ):
        page.route(address, fail)
    drawer = open_drawer(page, customer.name)
    notes = drawer.get_by_role("region", name="Observações")
    expect(notes.get_by_role("alert")).to_be_visible()
    part(drawer, "Atendimentos")
    expect(drawer.get_by_text("Não foi possível carregar os atendimentos")).to_be_visible()
    part(drawer, "Mídia")
    expect(drawer.get_by_text("Não foi possível carregar os arquivos")).to_be_visible()
    failing = False
    drawer.get_by_role("button", name="Tentar de novo").click()
    expect(drawer.get_by_text("Nenhuma foto ou vídeo ainda.")).to_be_visible()
    part(drawer, "Dados")
    # Who comes back to it has it tried again.
    expect(notes.get_by_text("Nenhuma observação ainda.")).to_be_visible()
