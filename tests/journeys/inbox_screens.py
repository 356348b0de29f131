"""How to reach the login, the phone and each screen of the inbox, from any page."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import (
    NUMBER,
    Customer,
    Simulator,
    accept,
    attach,
    attach_file,
    composer,
    conversation,
    press,
    row,
    say,
    scroll_to,
    sent,
    tab,
    tick,
    type_in,
    wait_in,
)
from tests.product import ROOT, Product


def show_login(page: Page, product: Product) -> None:
    page.goto("/login")
    page.get_by_role("button", name="Entrar").click()
    expect(page.get_by_text("Informe seu e-mail")).to_be_visible()


def show_password_reset(page: Page, product: Product) -> None:
    page.goto("/forgetpsw")
    page.get_by_role("button", name="Enviar código").click()
    expect(page.get_by_text("Campo obrigatório")).to_be_visible()


def show_password_reset_code(page: Page, product: Product) -> None:
    page.goto("/forgetpsw?email=maria.aparecida@lojadabrisa.com.br")
    page.get_by_role("button", name="Redefinir senha").click()
    expect(page.get_by_text("Campo obrigatório").first).to_be_visible()


def show_phone(page: Page, product: Product) -> None:
    customer = Customer(product, "Adalgisa Pires")
    customer.write("Olá!")
    customer.send(type="image", sample="canecas.jpg", caption="Estas aqui")
    page.goto(customer.phone_address)
    expect(page.get_by_test_id("message")).to_have_count(2)


def show_first_run(page: Page, product: Product) -> None:
    """Show what a company that has nothing yet begins with."""
    log_in(page, "admin@outra.local")
    expect(page.get_by_role("region", name="Vamos começar")).to_be_visible()


def show_demo_banner(page: Page, product: Product) -> None:
    log_in(page, ADMIN, banner=True)
    expect(page.get_by_role("region", name="Demonstração")).to_be_visible()


def show_inbox(page: Page, product: Product) -> None:
    customer = Customer(product, "Venâncio Guerra")
    log_in(page, ADMIN)
    customer.write("Olá, segue a foto e o endereço")
    accept(page, customer.name)
    customer.send(type="image", sample="canecas.jpg", caption="Estas aqui")
    customer.send(type="voice", sample="recado.ogg")
    customer.send(type="document", sample="comprovante-pix.pdf")
    customer.send(type="location", latitude=-23.5, longitude=-46.6, name="Rua Harmonia, 412")
    customer.send(type="contacts", name="Paula Sampaio", phone="+55 11 97333-4821")
    pane = conversation(page, customer.name)
    expect(pane.get_by_role("log").get_by_text("Paula Sampaio")).to_be_visible()
    say(page, "Recebido, obrigada!")
    expect(tick(sent(page, "Recebido, obrigada!"), "Entregue")).to_be_visible()
    type_in(composer(page), "Um rascunho")


def show_waiting(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    tab(page, "Aguardando").click()
    page.get_by_role("region", name="Aguardando", exact=True).get_by_role("link").first.click()
    expect(page.get_by_text("Aceite este atendimento para responder.")).to_be_visible()
    expect(page.get_by_role("log").get_by_role("group").last).to_be_visible()


def show_new_ticket(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.get_by_role("button", name="Novo ticket").first.click()
    dialog = page.get_by_role("dialog", name="Criar ticket")
    dialog.get_by_role("button", name="Criar ticket").click()
    expect(dialog.get_by_text("Escolha um contato")).to_be_visible()


def show_contact(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    tab(page, "Aguardando").click()
    page.get_by_role("region", name="Aguardando", exact=True).get_by_role("link").first.click()
    page.get_by_role("button", name=re.compile("^Abrir contato de")).click()
    page.get_by_role("button", name="Editar contato").click()
    dialog = page.get_by_role("dialog", name="Editar contato")
    dialog.get_by_role("button", name="Adicionar informação").click()
    expect(dialog.get_by_label("Nome do campo").first).to_be_visible()


def open_ticket(page: Page, contact: str) -> None:
    """Open one of the admin's own conversations."""
    log_in(page, ADMIN)
    wanted = row(page, "Atendendo", contact)
    scroll_to(page.get_by_role("region", name="Atendendo", exact=True), wanted)
    wanted.click()
    expect(conversation(page, contact)).to_be_visible()
    expect(page.get_by_role("log").get_by_role("group").last).to_be_visible()


def show_drawer(page: Page, product: Product) -> None:
    open_ticket(page, "Mariana Albuquerque")
    page.get_by_role("button", name=re.compile("^Abrir contato de")).click()
    expect(
        page.get_by_role("region", name="Observações").get_by_role("listitem").first
    ).to_be_visible()


def show_drawer_empty(page: Page, product: Product) -> None:
    customer = Customer(product, "Nepomuceno Braga")
    log_in(page, ADMIN)
    customer.write("Olá!")
    accept(page, customer.name)
    page.get_by_role("button", name=re.compile("^Abrir contato de")).click()
    expect(page.get_by_text("Nenhuma observação ainda.")).to_be_visible()


def show_history(page: Page, product: Product) -> None:
    show_drawer(page, product)
    parts = page.get_by_role("tablist", name="Partes do contato")
    parts.get_by_role("tab", name="Atendimentos").click()
    tickets = page.get_by_role("list", name="Atendimentos do contato")
    expect(tickets.get_by_role("link").first).to_be_visible()


def show_gallery(page: Page, product: Product) -> None:
    show_drawer(page, product)
    parts = page.get_by_role("tablist", name="Partes do contato")
    parts.get_by_role("tab", name="Mídia").click()
    expect(page.get_by_role("button", name=re.compile("^Ampliar foto")).first).to_be_visible()


def show_options(page: Page, product: Product) -> None:
    open_ticket(page, "Mariana Albuquerque")
    page.get_by_role("button", name="Opções do atendimento").click()
    expect(page.get_by_role("menuitem", name="Copiar link")).to_be_visible()


def show_transfer(page: Page, product: Product) -> None:
    open_ticket(page, "Mariana Albuquerque")
    button = page.get_by_role("button", name="Transferir")
    if button.count() == 0:
        page.get_by_role("button", name="Opções do atendimento").click()
        button = page.get_by_role("menuitem", name="Transferir")
    button.click()
    dialog = page.get_by_role("dialog", name="Transferir atendimento de Mariana Albuquerque")
    # Open at once, its list leaves the button free, on a low screen too.
    expect(dialog.get_by_role("listbox")).to_be_visible()
    dialog.get_by_role("button", name="Transferir").click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    expect(dialog.get_by_role("listbox")).to_be_hidden()


def show_note(page: Page, product: Product) -> None:
    open_ticket(page, "Mariana Albuquerque")
    page.get_by_role("button", name="Nota", exact=True).click()
    type_in(page.get_by_role("textbox", name="Nota para a equipe"), "Ver com @")
    expect(page.get_by_role("listbox", name="Pessoas e filas para mencionar")).to_be_visible()


def show_snooze(page: Page, product: Product) -> None:
    open_ticket(page, "Mariana Albuquerque")
    page.get_by_role("button", name="Opções do atendimento").click()
    page.get_by_role("menuitem", name="Adiar").click()
    dialog = page.get_by_role("dialog", name="Adiar a conversa com Mariana Albuquerque")
    expect(dialog.get_by_role("button", name="Quando o contato responder")).to_be_visible()


def show_tag_picker(page: Page, product: Product) -> None:
    open_ticket(page, "Mariana Albuquerque")
    page.get_by_role("button", name="Tags do atendimento").click()
    expect(page.get_by_role("option", name="VIP")).to_be_visible()


def open_message_menu(page: Page, product: Product, name: str) -> Locator:
    """Hold a conversation and open the options of the customer's message; return the menu."""
    customer = Customer(product, name)
    log_in(page, ADMIN)
    customer.write("A travessa azul ainda tem no tamanho *grande*?")
    pane = accept(page, customer.name)
    message = pane.get_by_role("group", name=customer.name, exact=True)
    customer.send(type="reaction", message_id=customer.messages()[0]["id"], emoji="❤️")
    message.hover()
    message.get_by_role("button", name="Opções da mensagem").click()
    menu = page.get_by_role("menu", name="Opções da mensagem")
    expect(menu).to_be_visible()
    return menu


def show_message_menu(page: Page, product: Product) -> None:
    open_message_menu(page, product, "Dorotéia Antunes")


def show_forward(page: Page, product: Product) -> None:
    menu = open_message_menu(page, product, "Amância Bastos")
    menu.get_by_role("menuitem", name="Encaminhar").click()
    dialog = page.get_by_role("dialog", name="Encaminhar mensagem")
    type_in(dialog.get_by_role("searchbox", name="Buscar contato"), "mar")
    dialog.get_by_role("checkbox").first.click()
    expect(dialog.get_by_role("list", name="Contatos escolhidos")).to_be_visible()


def show_message_details(page: Page, product: Product) -> None:
    menu = open_message_menu(page, product, "Benedita Cortes")
    menu.get_by_role("menuitem", name="Detalhes").click()
    expect(page.get_by_role("dialog", name="Detalhes da mensagem")).to_be_visible()


def show_message_search(page: Page, product: Product) -> None:
    customer = Customer(product, "Claudionor Faria")
    log_in(page, ADMIN)
    customer.write("Vocês têm a travessa azul?")
    pane = accept(page, customer.name)
    say(page, "A travessa azul chega na quinta-feira.")
    expect(tick(sent(page, "travessa azul"), "Entregue")).to_be_visible()
    press(composer(page), "Control+f")
    type_in(pane.get_by_role("searchbox"), "travessa")
    expect(pane.get_by_text("1 de 2")).to_be_visible()


def show_every_kind(page: Page, product: Product) -> None:
    """Show all that a conversation can hold at once, on a screen that is as high as that."""
    from tests.journeys.kinds import GROUP, LAST, seed

    seed(product)
    open_ticket(page, GROUP)
    thread = page.get_by_role("log")
    expect(thread.get_by_text(LAST)).to_be_visible()
    width = page.evaluate("innerWidth")
    page.set_viewport_size({"width": width, "height": 6800})
    # The upper page has come, the first of it is drawn, and nothing is left to scroll to.
    expect(thread.get_by_text("TRV-77").first).to_be_visible()
    expect(thread.get_by_text("Chamada de voz perdida")).to_be_visible()
    expect(thread).to_have_attribute("aria-busy", "false")
    wait_in(page, "log => log.scrollHeight <= log.clientHeight", thread.element_handle())


def show_picture(page: Page, product: Product) -> None:
    customer = Customer(product, "Deolinda Matos")
    log_in(page, ADMIN)
    customer.send(type="image", sample="canecas.jpg", caption="São estas aqui, as três")
    pane = accept(page, customer.name)
    pane.get_by_role("button", name="Ampliar imagem").click()
    expect(page.get_by_role("dialog", name="Imagem ampliada")).to_be_visible()


def show_spy(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    entries = page.get_by_role("region", name="Atendendo", exact=True)
    entries.get_by_role("button", name="Espiar conversa").first.click()
    dialog = page.get_by_role("dialog", name=re.compile("^Conversa de "))
    expect(dialog.get_by_role("log").get_by_role("group").last).to_be_visible()


def show_search(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    tab(page, "Busca").click()
    type_in(page.get_by_role("searchbox", name="Buscar atendimentos"), "pedido")
    expect(
        page.get_by_role("region", name="Busca", exact=True).locator("mark").first
    ).to_be_visible()


def show_filters(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.get_by_role("button", name="Filtros").click()
    expect(page.get_by_role("group", name="Tags").get_by_text("Atacado")).to_be_visible()


def show_nothing_found(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/tickets?tab=search&q=xyzxyz")
    expect(page.get_by_text("Nenhum atendimento encontrado.")).to_be_visible()


def show_palette(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.get_by_role("button", name="Buscar ou ir para").locator("visible=true").first.click()
    dialog = page.get_by_role("dialog", name="Buscar ou ir para")
    type_in(dialog.get_by_role("combobox"), "pedido")
    expect(dialog.get_by_role("option").nth(3)).to_be_visible()


def show_quick_answers(page: Page, product: Product) -> None:
    customer = Customer(product, "Leopoldina Vaz")
    log_in(page, ADMIN)
    customer.write("Como faço para trocar?")
    accept(page, customer.name)
    page.get_by_role("button", name="Respostas rápidas").last.click()
    expect(page.get_by_role("option").filter(has_text="/troca-prazo")).to_be_attached()


def show_file_list_choice(page: Page, product: Product) -> None:
    customer = Customer(product, "Filomena Paz")
    log_in(page, ADMIN)
    customer.write("Têm fotos da coleção?")
    accept(page, customer.name)
    page.get_by_role("button", name="Listas de arquivos").click()
    expect(page.get_by_role("option").filter(has_text="Coleção Barro e Mar")).to_be_visible()


def show_captions(page: Page, product: Product) -> None:
    customer = Customer(product, "Cândida Rosa")
    log_in(page, ADMIN)
    customer.write("Podem mandar as fotos?")
    accept(page, customer.name)
    samples = ROOT / "apps/simulator/samples"
    names = ("canecas.jpg", "catalogo.pdf", "vasos.jpg")
    attach(attach_file(page), [samples / name for name in names])
    type_in(composer(page), "As canecas da vitrine")
    program = {"name": "instalador.exe", "mimeType": "application/x-msdownload", "buffer": b"MZ"}
    attach(attach_file(page), program)
    expect(page.get_by_text("instalador.exe é de um tipo")).to_be_visible()


def show_recorder(page: Page, product: Product) -> None:
    customer = Customer(product, "Benvinda Lopes")
    log_in(page, ADMIN)
    customer.write("Me explica por áudio?")
    accept(page, customer.name)
    page.get_by_role("button", name="Gravar áudio").click()
    expect(page.get_by_role("timer")).to_have_text("00:01")


def _led_elsewhere(page: Page, product: Product) -> Locator:
    """Show a conversation that another agent leads; returns its banner."""
    customer = Customer(product, "Hermenegilda Sá")
    log_in(page, ADMIN)
    customer.write("Vocês entregam em Olinda?")
    pane = accept(page, customer.name)
    target = {"number": NUMBER, "customer": customer.number}
    simulator = Simulator(product)
    simulator.call("POST", "/handover", {**target, "taken": True})
    simulator.call("POST", "/responder", {**target, "body": "Entregamos, sim! Em até dois dias."})
    banner = pane.get_by_role("region", name="Quem conduz a conversa")
    expect(banner.get_by_role("button", name="Assumir")).to_be_visible()
    expect(pane.get_by_role("log").get_by_text("Entregamos, sim!")).to_be_visible()
    return banner


def show_owner(page: Page, product: Product) -> None:
    _led_elsewhere(page, product)


def show_owner_refused(page: Page, product: Product) -> None:
    banner = _led_elsewhere(page, product)
    Simulator(product).fault("control_refused", 1)
    banner.get_by_role("button", name="Assumir").click()
    expect(banner.get_by_role("alert")).to_be_visible()


def show_owner_ours(page: Page, product: Product) -> None:
    banner = _led_elsewhere(page, product)
    banner.get_by_role("button", name="Assumir").click()
    expect(banner.get_by_role("button", name="Devolver ao agente")).to_be_visible()


def show_owner_asked(page: Page, product: Product) -> None:
    _led_elsewhere(page, product)
    type_in(composer(page), "Eu respondo daqui")
    # On a telephone the key begins a line.
    page.get_by_role("button", name="Enviar", exact=True).click()
    expect(page.get_by_role("alertdialog")).to_be_visible()


def open_interactive(page: Page, product: Product, name: str, kind: str) -> Locator:
    """Open the dialog of interactive messages, at a kind, to a customer who just wrote."""
    customer = Customer(product, name)
    log_in(page, ADMIN)
    customer.write("Quando vocês entregam?")
    accept(page, customer.name)
    pane = conversation(page, customer.name)
    pane.get_by_role("button", name="Mensagem interativa").click()
    dialog = page.get_by_role("dialog", name=f"Mensagem interativa para {name}")
    dialog.get_by_role("button", name=re.compile(f"^{kind}")).click()
    return dialog


def fill_list(dialog: Locator) -> None:
    type_in(dialog.get_by_label("Texto", exact=True), "Escolha o melhor *horário* para a entrega.")
    dialog.get_by_role("button", name="Adicionar seção").click()
    for place, title in enumerate(("Manhã", "Tarde")):
        type_in(dialog.get_by_label("Título da seção").nth(place), title)
    type_in(dialog.get_by_role("textbox", name="Opção 1").first, "Das 8 às 10")
    type_in(dialog.get_by_label("Descrição (opcional)").first, "Só no centro")
    type_in(dialog.get_by_role("textbox", name="Opção 1").last, "Das 14 às 18")


def show_interactive_kinds(page: Page, product: Product) -> None:
    dialog = open_interactive(page, product, "Beatriz Lemos", "Botões")
    dialog.get_by_role("button", name="Enviar").click()
    expect(dialog.get_by_text("Preencha este campo.").first).to_be_visible()


def show_interactive_list(page: Page, product: Product) -> None:
    dialog = open_interactive(page, product, "Clarice Nunes", "Lista")
    fill_list(dialog)
    expect(dialog.get_by_role("region", name="Prévia").get_by_text("Tarde")).to_be_visible()


def show_interactive_products(page: Page, product: Product) -> None:
    dialog = open_interactive(page, product, "Dalva Pinto", "Vários produtos")
    for name in ("Caneca de grés", "Travessa azul"):
        type_in(dialog.get_by_role("combobox", name="Adicionar produto"), name)
        dialog.get_by_role("option", name=re.compile(name)).click()
    type_in(dialog.get_by_label("Título", exact=True), "Novidades")
    type_in(dialog.get_by_label("Texto", exact=True), "Escolhemos para você")
    preview = dialog.get_by_role("region", name="Prévia")
    expect(preview.get_by_text("Travessa azul")).to_be_visible()


def show_interactive_sent(page: Page, product: Product) -> None:
    dialog = open_interactive(page, product, "Eulália Reis", "Lista")
    fill_list(dialog)
    dialog.get_by_role("button", name="Enviar").click()
    expect(dialog).to_be_hidden()
    sent_list = page.get_by_role("log").get_by_role("group").last
    expect(sent_list).to_contain_text("Das 14 às 18")
