"""What is done with a ticket beside writing in it: transfer, tags, deletion, a look, a refusal."""

import re

from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, ANA, BRUNO, CARLA, OpenPage, log_in
from tests.journeys.people import (
    Customer,
    accept,
    address,
    composer,
    conversation,
    open_waiting,
    pick,
    press,
    row,
    serve,
    tab,
    token,
    type_in,
)
from tests.journeys.transfers import open_transfer, pass_to, submit_transfer, transfer_of
from tests.product import Product, wait_for


def choose(page: Page, option: str) -> None:
    """Choose from the options of the open ticket."""
    page.get_by_role("button", name="Opções do atendimento").click()
    page.get_by_role("menuitem", name=option, exact=True).click()


def set_spying(page: Page, value: str) -> None:
    """Change the company's setting as its admin."""
    answer = page.request.put(
        "/api/settings/allowToSpyMessage",
        data={"value": value},
        headers={"Authorization": f"Bearer {token(page)}"},
    )
    assert answer.ok, answer.text()


def test_a_deleted_ticket_leaves_every_browser(product: Product, open_page: OpenPage) -> None:
    ana, admin = open_page(), open_page()
    customer = Customer(product, "Leopoldina Serra")
    serve(ana, ANA, customer)
    ana.get_by_role("button", name="Opções do atendimento").click()
    expect(ana.get_by_role("menuitem", name="Copiar link")).to_be_visible()
    expect(ana.get_by_role("menuitem", name="Excluir atendimento")).to_have_count(0)
    ana.keyboard.press("Escape")

    log_in(admin, ADMIN)
    admin.goto(address(ana))
    expect(conversation(admin, customer.name)).to_be_visible()
    choose(admin, "Excluir atendimento")
    question = admin.get_by_role("alertdialog", name=f"Excluir o atendimento de {customer.name}?")
    question.get_by_role("button", name="Cancelar").click()
    expect(conversation(admin, customer.name)).to_be_visible()
    choose(admin, "Excluir atendimento")
    question.get_by_role("button", name="Excluir").click()
    for page in (admin, ana):
        expect(page.get_by_text("Ticket deleted sucessfully.")).to_have_count(1)
        expect(page).to_have_url(re.compile(r"/tickets(\?|$)"))
        expect(conversation(page, customer.name)).to_have_count(0)
    expect(row(ana, "Atendendo", customer.name)).to_have_count(0)


def test_another_queues_ticket_is_refused_unless_the_company_lets_everyone_look(
    product: Product, open_page: OpenPage
) -> None:
    ana, bruno, admin = open_page(), open_page(), open_page()
    customer = Customer(product, "Quirino Falcão")
    serve(ana, ANA, customer, "É urgente")
    place = address(ana)
    log_in(bruno, BRUNO)
    bruno.goto(place)
    expect(bruno.get_by_text("Acesso não permitido", exact=True)).to_be_visible()
    expect(bruno).to_have_url(re.compile(r"/tickets(\?|$)"))
    bruno.goto("/tickets/00000000-0000-4000-8000-000000000000")
    # Said once.
    expect(bruno.get_by_text("Acesso não permitido", exact=True)).to_be_visible()
    expect(bruno).to_have_url(re.compile(r"/tickets(\?|$)"))
    expect(bruno.get_by_text("Acesso não permitido", exact=True)).to_have_count(1)

    log_in(admin, ADMIN)
    admin.goto(place)
    expect(conversation(admin, customer.name)).to_be_visible()
    set_spying(admin, "enabled")
    try:
        bruno.goto(place)
        pane = conversation(bruno, customer.name)
        expect(pane.get_by_text("Somente leitura: Ana Prado está atendendo")).to_be_visible()
        for name in ("Devolver", "Resolver", "Transferir"):
            expect(pane.get_by_role("button", name=name)).to_have_count(0)
        expect(pane.get_by_role("button", name="Tags do atendimento")).to_have_count(0)
        bruno.get_by_role("button", name="Opções do atendimento").click()
        expect(bruno.get_by_role("menuitem", name="Copiar link")).to_be_visible()
    finally:
        set_spying(admin, "disabled")


def test_a_look_resets_nothing_and_is_live(product: Product, open_page: OpenPage) -> None:
    ana, admin = open_page(), open_page()
    log_in(admin, ADMIN)
    customer = Customer(product, "Eleutério Pimenta")

    def receipts() -> list[bool]:
        mine = [each for each in customer.messages() if each["fromCustomer"]]
        return [each["status"] == "read" for each in mine]

    serve(ana, ANA, customer, "Primeira")
    wait_for(lambda: receipts() == [True], "the first message's receipt")
    ana.goto("/tickets")
    mine = row(ana, "Atendendo", customer.name)
    expect(mine).to_be_visible()
    customer.write("Segunda")
    expect(mine.get_by_label("1 mensagem não lida")).to_be_attached()

    admin.get_by_text("Todos", exact=True).click()
    entry = row(admin, "Atendendo", customer.name).locator("..")
    entry.hover()
    entry.get_by_role("button", name="Espiar conversa").click()
    look = admin.get_by_role("dialog", name=f"Conversa de {customer.name}")
    expect(look.get_by_role("log").get_by_text("Segunda")).to_be_visible()
    expect(look.get_by_role("button", name="Resolver")).to_have_count(0)
    expect(look.get_by_role("button", name="Opções do atendimento")).to_have_count(0)
    customer.write("Terceira")
    expect(look.get_by_role("log").get_by_text("Terceira")).to_be_visible()
    expect(mine.get_by_label("2 mensagens não lidas")).to_be_attached()

    # What the holder saw is read; a look tells the customer nothing.
    assert receipts() == [True, False, False]
    mine.click()
    wait_for(lambda: receipts() == [True, True, True], "the receipts of the holder's reading")


def test_who_loses_a_ticket_while_it_is_open_is_told(product: Product, open_page: OpenPage) -> None:
    ana, admin = open_page(), open_page()
    customer = Customer(product, "Hermengarda Luz")
    serve(ana, ANA, customer)
    log_in(admin, ADMIN)
    admin.goto(address(ana))
    dialog = open_transfer(admin, customer.name)
    pass_to(dialog, "Financeiro")
    submit_transfer(dialog)
    # It is still theirs to see.
    expect(conversation(admin, customer.name).get_by_text("Sem atendente")).to_be_visible()
    expect(ana.get_by_text("Acesso não permitido", exact=True)).to_be_visible()
    expect(conversation(ana, customer.name)).to_have_count(0)


def test_reopening_beside_another_ticket_leads_to_ones_own(
    product: Product, open_page: OpenPage
) -> None:
    ana, carla = open_page(), open_page()
    customer = Customer(product, "Ifigênia Prates")
    pane = serve(ana, ANA, customer)
    old = address(ana)
    headers = {"Authorization": f"Bearer {token(ana)}"}
    ticket = ana.request.get(f"/api/tickets/u/{old.rsplit('/', 1)[-1]}", headers=headers).json()
    pane.get_by_role("button", name="Resolver").click()
    expect(pane).to_have_count(0)
    new = ana.request.post(
        "/api/tickets",
        data={
            "contactId": ticket["contactId"],
            "queueId": ticket["queueId"],
            "whatsappId": ticket["whatsappId"],
            "status": "open",
        },
        headers=headers,
    )
    assert new.ok, new.text()

    log_in(carla, CARLA)
    carla.goto(old)
    conversation(carla, customer.name).get_by_role("button", name="Reabrir").first.click()
    expect(
        carla.get_by_text(
            f"Ana Prado já está atendendo este contato na fila {ticket['queue']['name']}."
        )
    ).to_be_visible()

    ana.goto(old)
    conversation(ana, customer.name).get_by_role("button", name="Reabrir").first.click()
    expect(ana).to_have_url(re.compile(new.json()["uuid"]))
    expect(ana.get_by_text("Você já atende este contato.")).to_be_visible()
    expect(conversation(ana, customer.name).get_by_text(f"#{new.json()['id']}")).to_be_visible()


def test_tags_are_switched_and_made_with_the_keyboard(
    product: Product, open_page: OpenPage
) -> None:
    ana, carla = open_page(), open_page()
    log_in(carla, CARLA)
    customer = Customer(product, "Anunciação Bastos")
    customer.write("Oi")
    waiting = open_waiting(carla, customer.name)
    pane = conversation(ana, customer.name)
    log_in(ana, ANA)
    accept(ana, customer.name)
    pane.get_by_role("button", name="Tags do atendimento").click()
    search = ana.get_by_role("combobox", name="Buscar tag")
    expect(search).to_be_focused()
    type_in(search, "vip")
    option = ana.get_by_role("option", name="VIP")
    expect(option).to_have_attribute("aria-selected", "false")
    press(search, "Enter")
    expect(option).to_have_attribute("aria-selected", "true")
    labels = pane.get_by_role("group", name="Fila e tags")
    expect(labels.get_by_text("VIP", exact=True)).to_be_visible()
    expect(
        waiting.get_by_role("group", name="Fila e tags").get_by_text("VIP", exact=True)
    ).to_be_visible()

    made = f"Primeira compra {customer.number[-4:]}"
    type_in(search, made)
    press(search, "Enter")
    expect(labels.get_by_text(made, exact=True)).to_be_visible()
    expect(row(ana, "Atendendo", customer.name)).to_contain_text("Primeira compra")
    type_in(search, "vip")
    press(search, "Enter")
    expect(labels.get_by_text("VIP", exact=True)).to_have_count(0)
    press(search, "Escape")
    expect(search).to_have_count(0)
    expect(pane.get_by_role("button", name="Tags do atendimento")).to_be_focused()


def test_a_refused_tag_is_taken_back(product: Product, page: Page) -> None:
    customer = Customer(product, "Capitolina Reis")
    pane = serve(page, ANA, customer)
    page.route("**/api/tags/sync", lambda route: route.abort())
    pane.get_by_role("button", name="Tags do atendimento").click()
    page.get_by_role("option", name="VIP").click()
    expect(page.get_by_text("Sem conexão com o servidor.").first).to_be_visible()
    labels = pane.get_by_role("group", name="Fila e tags")
    expect(labels.get_by_text("VIP", exact=True)).to_have_count(0)


def test_narrow_screens_hold_the_same_actions(product: Product, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    customer = Customer(product, "Deolinda Mendonça")
    customer.write("Oi")
    log_in(page, ANA)
    accept(page, customer.name)
    choose(page, "Devolver")
    expect(page).to_have_url(re.compile(r"/tickets(\?|$)"))
    accept(page, customer.name)
    choose(page, "Transferir")
    dialog = transfer_of(page, customer.name)
    pass_to(dialog, "Financeiro")
    submit_transfer(dialog)
    expect(page.get_by_text("Atendimento transferido para Financeiro.")).to_be_visible()
    expect(composer(page)).to_have_count(0)


def test_a_message_is_planned_from_its_ticket(product: Product, page: Page) -> None:
    customer = Customer(product, "Petronilha Vieira")
    serve(page, ANA, customer, "Me lembra amanhã?")
    choose(page, "Agendar mensagem")
    dialog = page.get_by_role("dialog", name="Agendar mensagem")
    expect(dialog.get_by_role("combobox", name="Contato")).to_have_value(customer.name)
    type_in(dialog.get_by_role("textbox", name="Mensagem"), "Oi, é o lembrete de ontem.")
    dialog.get_by_role("button", name="Agendar", exact=True).click()
    expect(page.get_by_text("Agendamento salvo com sucesso.")).to_be_visible()
    expect(dialog).to_have_count(0)
    expect(conversation(page, customer.name)).to_be_visible()
    page.goto("/schedules?view=list")
    expect(page.get_by_role("row").filter(has_text=customer.name)).to_contain_text(
        "Oi, é o lembrete de ontem."
    )


def test_a_card_in_a_conversation_becomes_a_contact_and_a_ticket(
    product: Product, page: Page
) -> None:
    customer = Customer(product, "Orestes Magalhães")
    serve(page, ANA, customer, "Segue o contato dela")
    digits = f"5511972{customer.number[-6:]}"
    customer.send(type="contacts", name="Dulcineia Sá", phone=f"+{digits}")
    log = conversation(page, customer.name).get_by_role("log")
    log.get_by_role("button", name=re.compile("^Salvar")).click()
    form = page.get_by_role("dialog", name="Adicionar contato")
    expect(form.get_by_label("Nome", exact=True)).to_have_value("Dulcineia Sá")
    form.get_by_role("button", name=re.compile("^(Salvar|Adicionar)$")).click()
    expect(form).to_have_count(0)
    expect(conversation(page, customer.name)).to_be_visible()

    # Known now: it is chosen at once.
    log.get_by_role("button", name=re.compile("^Iniciar atendimento com")).click()
    dialog = page.get_by_role("dialog", name="Criar ticket")
    expect(dialog.get_by_role("combobox", name="Contato")).to_have_value("Dulcineia Sá")
    pick(dialog.get_by_label("Fila", exact=True), "Vendas")
    dialog.get_by_role("button", name="Criar ticket").click()
    expect(conversation(page, "Dulcineia Sá")).to_be_visible()
    expect(row(page, "Atendendo", "Dulcineia Sá")).to_be_visible()


def test_a_found_message_of_long_ago_is_where_the_conversation_opens(
    product: Product, page: Page
) -> None:
    customer = Customer(product, "Teodolinda Prates")
    log_in(page, ANA)
    customer.write("O orçamento do biombo, por favor")
    for number in range(45):
        customer.write(f"Mensagem {number} de muitas")
    accept(page, customer.name)
    log = conversation(page, customer.name).get_by_role("log")
    expect(log.get_by_text("Mensagem 44 de muitas")).to_be_visible()
    tab(page, "Busca").click()
    type_in(page.get_by_role("searchbox", name="Buscar atendimentos"), "biombo")
    row(page, "Busca", customer.name).click()
    expect(log.get_by_text("O orçamento do biombo, por favor")).to_be_in_viewport()
    # A link to it does the same for whoever opens it.
    page.reload()
    expect(log.get_by_text("O orçamento do biombo, por favor")).to_be_in_viewport()
    expect(log.get_by_text("Mensagem 44 de muitas")).not_to_be_in_viewport()
