"""A ticket is passed on: to a person, to a queue, with a note, to another connection."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, ANA, BRUNO, CARLA, OpenPage, log_in
from tests.journeys.notices import listen, notices
from tests.journeys.people import (
    Customer,
    accept,
    address,
    conversation,
    keys_to,
    pick,
    row,
    say,
    sent,
    serve,
    tab,
    tick,
    token,
    type_in,
    wait_in,
)
from tests.journeys.transfers import (
    open_transfer,
    pass_to,
    submit_transfer,
    target_field,
    transfer_of,
)
from tests.product import Product


def test_a_ticket_goes_to_another_queue_and_who_let_it_go_is_led_back(
    product: Product, open_page: OpenPage
) -> None:
    ana, bruno = open_page(), open_page()
    log_in(bruno, BRUNO)
    tab(bruno, "Aguardando").click()
    other, customer = (Customer(product, f"{name} Assumpção") for name in ("Clara", "Wanderley"))
    serve(ana, ANA, other)
    customer.write("Olá!")
    accept(ana, customer.name)
    dialog = open_transfer(ana, customer.name)
    submit_transfer(dialog)
    expect(
        dialog.get_by_role("alert").filter(has_text="Escolha uma pessoa ou uma fila")
    ).to_be_visible()
    pass_to(dialog, "Financeiro")
    submit_transfer(dialog)
    expect(ana.get_by_text("Atendimento transferido para Financeiro.")).to_be_visible()
    expect(conversation(ana, customer.name)).to_have_count(0)
    expect(ana).to_have_url(re.compile(r"/tickets(\?|$)"))
    expect(row(ana, "Atendendo", customer.name)).to_have_count(0)
    # The keys are in the list, where the next one begins.
    expect(row(ana, "Atendendo", other.name)).to_be_focused()

    expect(row(bruno, "Aguardando", customer.name)).to_be_visible()
    pane = accept(bruno, customer.name)
    line = pane.get_by_role("log").get_by_text("transferiu para")
    expect(line).to_contain_text("Financeiro")


def test_a_ticket_goes_to_a_colleague_in_one_of_their_queues(
    product: Product, open_page: OpenPage
) -> None:
    ana, carla = open_page(), open_page()
    log_in(carla, CARLA)
    expect(tab(carla, "Atendendo")).to_be_visible()
    customer = Customer(product, "Belmira Tavares")
    serve(ana, ANA, customer)
    dialog = open_transfer(ana, customer.name)
    pass_to(dialog, "Carla")
    queue = dialog.get_by_label("Fila", exact=True)
    offered = queue.get_by_role("option")
    expect(offered).to_have_text(["Selecione uma fila", "Vendas", "Financeiro"])
    # The one in which the ticket is.
    expect(queue.locator("option:checked")).to_have_text("Vendas")
    submit_transfer(dialog)
    expect(ana.get_by_text(re.compile("Atendimento transferido para Carla"))).to_be_visible()
    expect(conversation(ana, customer.name)).to_have_count(0)

    row(carla, "Atendendo", customer.name).click()
    say(carla, "Agora é comigo.")
    expect(tick(sent(carla, "Agora é comigo."), "Entregue")).to_be_visible()


def test_a_transfer_by_keyboard_with_a_note_that_the_next_person_sees(
    product: Product, open_page: OpenPage
) -> None:
    ana, bruno = open_page(), open_page()
    log_in(bruno, BRUNO)
    customer = Customer(product, "Filomena Pacheco")
    pane = serve(ana, ANA, customer)
    opener = pane.get_by_role("button", name="Transferir")
    keys_to(opener, "Shift+Tab")
    ana.keyboard.press("Enter")
    dialog = transfer_of(ana, customer.name)
    # Who is there stands before any letter.
    offered = dialog.get_by_role("listbox")
    expect(offered.get_by_role("group", name="Filas")).to_contain_text("Financeiro")
    expect(offered.get_by_role("option", name=re.compile("^Bruno"))).to_contain_text("Online")
    # The list goes, then the dialog, and the focus is back where it was.
    ana.keyboard.press("Escape")
    expect(offered).to_be_hidden()
    ana.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(opener).to_be_focused()

    ana.keyboard.press("Enter")
    dialog = transfer_of(ana, customer.name)
    expect(target_field(dialog)).to_be_focused()
    ana.keyboard.type("brun")
    expect(offered.get_by_role("option")).to_have_count(1)
    ana.keyboard.press("Enter")
    expect(target_field(dialog)).to_have_value(re.compile("^Bruno"))
    # Of several queues one is asked for, the connection stays.
    queue = dialog.get_by_label("Fila", exact=True)
    expect(queue).to_be_visible()
    # Who goes on without it is led to it.
    keys_to(dialog.get_by_role("button", name="Transferir"))
    ana.keyboard.press("Enter")
    expect(queue).to_be_focused()
    ana.keyboard.type("Fin")
    ana.keyboard.press("Tab")
    ana.keyboard.press("Tab")
    note = dialog.get_by_role("textbox", name="Recado")
    expect(note).to_be_focused()
    ana.keyboard.type("Já pagou, falta o recibo.")
    ana.keyboard.press("Control+Enter")
    expect(ana.get_by_text(re.compile("Atendimento transferido para Bruno"))).to_be_visible()

    row(bruno, "Atendendo", customer.name).click()
    log = conversation(bruno, customer.name).get_by_role("log")
    expect(log.get_by_text("Recado de Ana Prado para a equipe")).to_be_visible()
    expect(log.get_by_text("Já pagou, falta o recibo.")).to_be_visible()
    assert all("recibo" not in str(each) for each in customer.messages())

    # Whom one passed tickets to stands first the next time.
    second = Customer(product, "Hilário Pontes")
    second.write("Oi")
    accept(ana, second.name)
    dialog = open_transfer(ana, second.name)
    recent = dialog.get_by_role("group", name="Recentes")
    expect(recent.get_by_role("option").first).to_contain_text("Bruno")


def test_a_note_for_the_team_is_not_dropped_in_silence(product: Product, page: Page) -> None:
    customer = Customer(product, "Gumercindo Bastos")
    serve(page, ANA, customer)
    dialog = open_transfer(page, customer.name)
    question = page.get_by_role("alertdialog", name="Descartar alterações?")
    # Choosing alone is soon done again.
    pass_to(dialog, "Financeiro")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)

    dialog = open_transfer(page, customer.name)
    pass_to(dialog, "Financeiro")
    note = dialog.get_by_role("textbox", name="Recado")
    type_in(note, "Já pagou, falta o recibo.")
    page.keyboard.press("Escape")
    question.get_by_role("button", name="Continuar editando").click()
    expect(note).to_have_value("Já pagou, falta o recibo.")
    dialog.get_by_role("button", name="Cancelar").click()
    question.get_by_role("button", name="Descartar").click()
    expect(dialog).to_have_count(0)
    expect(conversation(page, customer.name)).to_be_visible()


def test_a_refused_connection_is_explained_at_its_field(
    product: Product, open_page: OpenPage
) -> None:
    admin, ana = open_page(), open_page()
    log_in(admin, ADMIN)
    customer = Customer(product, "Zulmira Peçanha")
    serve(ana, ANA, customer)
    admin.goto(address(ana))
    headers = {"Authorization": f"Bearer {token(admin)}"}
    made = admin.request.post(
        "/api/whatsapp",
        data={
            "name": f"Segunda loja {customer.number[-4:]}",
            "provider": "official",
            "phone_number_id": f"7000000{customer.number[-8:]}",
            "waba_id": f"8000000{customer.number[-8:]}",
            "accessToken": "EAAG",
        },
        headers=headers,
    )
    assert made.ok, made.text()
    second = made.json()
    uuid = address(admin).rsplit("/", 1)[-1]
    ticket = admin.request.get(f"/api/tickets/u/{uuid}", headers=headers).json()
    other = admin.request.post(
        "/api/tickets",
        data={
            "contactId": ticket["contactId"],
            "queueId": ticket["queueId"],
            "whatsappId": second["id"],
            "status": "open",
        },
        headers=headers,
    )
    assert other.ok, other.text()
    admin.goto(address(admin))
    dialog = open_transfer(admin, customer.name)
    pass_to(dialog, ticket["queue"]["name"])
    pick(dialog.get_by_label("Conexão", exact=True), second["name"])
    submit_transfer(dialog)
    expect(
        dialog.get_by_text("Camila Duarte já está atendendo este contato nesta conexão.")
    ).to_be_visible()

    # The other one away, it goes through, and stays with who moved it.
    gone = admin.request.delete(f"/api/tickets/{other.json()['id']}", headers=headers)
    assert gone.ok, gone.text()
    pass_to(dialog, "Camila Duarte")
    pick(dialog.get_by_label("Fila", exact=True), ticket["queue"]["name"])
    submit_transfer(dialog)
    expect(dialog).to_have_count(0)
    pane = conversation(admin, customer.name)
    expect(pane.locator("header").get_by_text(second["name"])).to_be_visible()


def test_a_closed_ticket_that_is_passed_on_waits_in_its_queue(
    product: Product, open_page: OpenPage
) -> None:
    ana, carla = open_page(), open_page()
    log_in(carla, CARLA)
    tab(carla, "Aguardando").click()
    customer = Customer(product, "Sebastiana Queirós")
    pane = serve(ana, ANA, customer)
    place = address(ana)
    pane.get_by_role("button", name="Resolver").click()
    expect(pane).to_have_count(0)
    ana.goto(place)
    dialog = open_transfer(ana, customer.name)
    pass_to(dialog, "Vendas")
    submit_transfer(dialog)
    expect(ana.get_by_text("Atendimento transferido para Vendas.")).to_be_visible()
    expect(row(carla, "Aguardando", customer.name)).to_be_visible()
    expect(pane.get_by_role("button", name="Aceitar").first).to_be_visible()


MARK = "Transferida e ainda não aberta"


def test_a_transfer_tells_its_receiver_and_stays_marked_until_it_is_opened(
    product: Product, open_page: OpenPage
) -> None:
    ana, carla = open_page(), listen(open_page(), CARLA)
    customer = Customer(product, "Leopoldina Farias")
    serve(ana, ANA, customer)
    say(ana, "Um momento.")
    expect(sent(ana, "Um momento.")).to_be_visible()
    carla.evaluate("window.sounds = 0; window.notices = []")
    dialog = open_transfer(ana, customer.name)
    pass_to(dialog, "Carla")
    type_in(dialog.get_by_role("textbox", name="Recado"), "Quer trocar o bule.")
    submit_transfer(dialog)

    # Sound, desktop and page tell of it, with the note.
    wait_in(carla, "window.notices.length === 1 && window.sounds > 0")
    (notice,) = notices(carla)
    assert (notice["title"], notice["body"]) == (
        customer.name,
        "Ana Prado transferiu para você\nQuer trocar o bule.",
    )
    told = carla.get_by_role("status").filter(has_text="Recado: Quer trocar o bule.")
    expect(told).to_contain_text(f"{customer.name}: Ana Prado transferiu para você")
    # Nothing is unread, and yet the row is marked: after a reload, and in another browser.
    entry = row(carla, "Atendendo", customer.name)
    expect(entry.get_by_role("img", name=MARK)).to_be_visible()
    expect(entry.get_by_text(customer.name)).to_have_css("font-weight", "600")
    carla.reload()
    expect(entry.get_by_role("img", name=MARK)).to_be_visible()
    other = open_page()
    log_in(other, CARLA)
    there = row(other, "Atendendo", customer.name)
    expect(there.get_by_role("img", name=MARK)).to_be_visible()

    there.click()
    expect(conversation(other, customer.name).get_by_text("Quer trocar o bule.")).to_be_visible()
    expect(there.get_by_role("img", name=MARK)).to_have_count(0)
    expect(there.get_by_text(customer.name)).to_have_css("font-weight", "500")


def test_a_transfer_to_a_queue_tells_its_people_but_not_who_did_it(
    product: Product, open_page: OpenPage
) -> None:
    carla, bruno = listen(open_page(), CARLA), listen(open_page(), BRUNO)
    customer = Customer(product, "Nicanor Bastos")
    customer.write("Olá!")
    accept(carla, customer.name)
    for page in (carla, bruno):
        page.evaluate("window.sounds = 0; window.notices = []")
    dialog = open_transfer(carla, customer.name)
    pass_to(dialog, "Financeiro")
    submit_transfer(dialog)
    wait_in(bruno, "window.notices.length === 1 && window.sounds > 0")
    assert notices(bruno)[0]["body"].endswith("transferiu para Financeiro")
    told = bruno.get_by_role("status").filter(has_text=customer.name)
    tab(bruno, "Aguardando").click()
    entry = row(bruno, "Aguardando", customer.name)
    expect(entry.get_by_role("img", name=MARK)).to_be_visible()
    # Carla serves that queue as well, and knows.
    tab(carla, "Aguardando").click()
    own = row(carla, "Aguardando", customer.name)
    expect(own).to_be_visible()
    expect(own.get_by_role("img", name=MARK)).to_have_count(0)
    assert notices(carla) == [] and carla.evaluate("window.sounds") == 0

    # The notice leads there, and opening it takes the mark away.
    told.get_by_role("button", name="Abrir").click()
    expect(conversation(bruno, customer.name)).to_be_visible()
    expect(entry.get_by_role("img", name=MARK)).to_have_count(0)


def highlighted(dialog: Locator) -> Locator:
    """Return the option that Enter would take."""
    return dialog.locator("[role=option][data-highlighted]")


def test_a_name_that_is_typed_is_what_enter_and_tab_choose(
    product: Product, open_page: OpenPage
) -> None:
    ana = open_page()
    customer = Customer(product, "Zulmira Campos")
    serve(ana, ANA, customer)
    dialog = open_transfer(ana, customer.name)
    # Nobody hands a conversation of their own to themselves.
    expect(dialog.get_by_role("option", name=re.compile("^Carla"))).to_be_visible()
    expect(dialog.get_by_role("option", name=re.compile("^Ana Prado"))).to_have_count(0)
    # The queue of that name, and only then the people who serve it.
    ana.keyboard.type("financ")
    options = dialog.get_by_role("option")
    expect(options.first).to_contain_text("Financeiro")
    expect(highlighted(dialog)).to_contain_text("Financeiro")
    expect(dialog.get_by_role("group", name="Por fila ou e-mail")).to_contain_text("Bruno")
    ana.keyboard.press("Enter")
    expect(target_field(dialog)).to_have_value("Financeiro")
    # Typing over it unsets it; Tab chooses as well, and goes on.
    ana.keyboard.press("Control+a")
    ana.keyboard.type("carl")
    expect(highlighted(dialog)).to_contain_text("Carla")
    ana.keyboard.press("Tab")
    expect(target_field(dialog)).to_have_value(re.compile("^Carla"))
    expect(target_field(dialog)).not_to_be_focused()
    submit_transfer(dialog)
    expect(ana.get_by_text(re.compile("Atendimento transferido para Carla"))).to_be_visible()


def test_what_is_typed_for_a_new_conversation_stays(product: Product, page: Page) -> None:
    log_in(page, ANA)
    expect(tab(page, "Aguardando")).to_be_visible()
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog", name="Criar ticket")
    field = dialog.get_by_role("combobox", name="Contato")
    expect(field).to_be_focused()
    name = "Ninguém Assim Chamado"
    page.keyboard.type(name)
    page.keyboard.press("Tab")
    expect(field).to_have_value(name)
    dialog.locator("button[type=submit]").click()
    expect(field).to_have_value(name)
    field.click()
    # Its search goes on where it was left.
    added = dialog.get_by_role("listbox").get_by_role("option")
    expect(added).to_have_text(f"Adicionar {name} aos contatos")
