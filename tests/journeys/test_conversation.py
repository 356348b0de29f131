"""Writing and reading: drafts, breaks, replies, attachments, older pages, what customers send."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, ANA, OpenPage, log_in
from tests.journeys.people import (
    Customer,
    attach,
    attach_file,
    composer,
    conversation,
    hold,
    open_waiting,
    press,
    row,
    say,
    sent,
    serve,
    tab,
    tick,
    type_in,
    wait_in,
)
from tests.product import Product

LINES = 45
# More turns of the wheel than the thread is long.
TURNS = 200
# Rounding of positions.
JUMP_PX = 3
MEGABYTE = 1024 * 1024

# From now until `settled` the page notes at every picture where the line stands.
WATCH_LINE = """line => {
    const seen = window.linePlaces = [];
    const look = () => {
        seen.push(line.isConnected ? line.getBoundingClientRect().y : null);
        window.lineWatch = requestAnimationFrame(look);
    };
    look();
}"""
# The places, once the line stood still for twenty pictures.
LINE_PLACES = """() => new Promise(done => {
    const wait = () => {
        const last = window.linePlaces.slice(-20);
        if (last.length < 20 || new Set(last).size > 1) return requestAnimationFrame(wait);
        cancelAnimationFrame(window.lineWatch);
        done(window.linePlaces);
    };
    wait();
})"""
# Frames come as late as on a busy machine, behind timers that were set after them.
SLOW_FRAMES = """() => {
    window.requestAnimationFrame = draw => setTimeout(() => draw(performance.now()), 350);
}"""
# Timers end as late as on a busy machine.
SLOW_TIMERS = """() => {
    const set = window.setTimeout;
    window.setTimeout = (call, ms, ...rest) => set(call, 100 * ms, ...rest);
}"""
# Whether the list has stood at its end for ten pictures.
RESTS_AT_END = f"""list => {{
    const distance = list.scrollHeight - list.clientHeight - list.scrollTop;
    list.restCount = distance <= {JUMP_PX} ? (list.restCount ?? 0) + 1 : 0;
    return list.restCount > 10;
}}"""

# Whether the bars of a voice note are as high as it is loud; they are even until it is decoded.
SHOWS_SOUND = """play => {
    const bars = [...play.parentElement.querySelectorAll('[aria-hidden] > span')];
    return new Set(bars.map(bar => bar.offsetHeight)).size > 5;
}"""


def scroll_up(page: Page) -> None:
    """Turn the wheel once and let the page draw."""
    page.mouse.wheel(0, -400)
    page.evaluate("() => new Promise(requestAnimationFrame)")


def write_lines(customer: Customer, count: int) -> None:
    """Write numbered lines, one message each."""
    for number in range(1, count + 1):
        customer.write(f"Linha {number:02}.")


def wait_at_end(page: Page, thread: Locator) -> None:
    """Wait until the list rests with the end of its newest message in sight."""
    thread.evaluate("list => { list.restCount = 0; }")
    wait_in(page, RESTS_AT_END, thread.element_handle())


def test_older_messages_load_without_a_jump(product: Product, page: Page) -> None:
    log_in(page, ANA)
    tab(page, "Aguardando").click()
    customer = Customer(product, "Anacleto Brandi")
    write_lines(customer, LINES)
    waiting = row(page, "Aguardando", customer.name)
    expect(waiting.get_by_text(str(LINES), exact=True)).to_be_visible()
    open_waiting(page, customer.name)
    thread = page.get_by_role("log", name=f"Mensagens com {customer.name}")
    expect(thread.get_by_text(f"Linha {LINES}.")).to_be_visible()
    held = hold(page, "**/api/messages/*beforeId=*")
    thread.hover()
    for _ in range(TURNS):
        scroll_up(page)
        if held and thread.evaluate("list => list.scrollTop") == 0:
            break
    assert held, "Nothing older was asked for."
    unread = thread.get_by_text(f"{LINES} mensagens não lidas")
    # It stands where the unread ones begin, and that is not loaded.
    expect(unread).to_have_count(0)
    shown = re.findall(r"Linha (\d\d)\.", thread.inner_text())
    oldest = thread.get_by_text(f"Linha {shown[0]}.")
    expect(oldest).to_be_visible()
    oldest.evaluate(WATCH_LINE)
    with page.expect_response("**/api/messages/*beforeId=*"):
        held[0].continue_()
    expect(thread.get_by_text(f"Linha {int(shown[0]) - 1:02}.")).to_be_attached()
    places = page.evaluate(LINE_PLACES)
    assert max(abs(place - places[0]) for place in places) <= JUMP_PX, f"The list jumped: {places}"

    page.unroute_all()
    for _ in range(TURNS):
        scroll_up(page)
        if unread.is_visible():
            break
    expect(thread.get_by_text("Linha 01.")).to_be_visible()
    expect(thread.get_by_text("Hoje", exact=True)).to_be_visible()
    page.get_by_role("button", name="Ir para o fim").click()
    expect(thread.get_by_text(f"Linha {LINES}.")).to_be_visible()


def test_a_conversation_at_its_end_stays_there(product: Product, page: Page) -> None:
    customer = Customer(product, "Aristides Lobo")
    write_lines(customer, 20)
    pane = serve(page, ANA, customer, "Bom dia!")
    # By the attribute: behind a dialog it has no role.
    thread = page.locator("[role=log]")
    wait_at_end(page, thread)
    customer.send(type="image", sample="canecas.jpg", caption="Estas aqui")
    picture = thread.get_by_role("img", name="Estas aqui")
    expect(picture).to_have_js_property("complete", True)
    wait_at_end(page, thread)
    type_in(composer(page), "\n".join(f"Item {number}" for number in range(8)))
    wait_at_end(page, thread)
    pane.get_by_role("button", name=re.compile("^Abrir contato de")).click()
    page.get_by_role("button", name="Editar contato").click()
    dialog = page.get_by_role("dialog", name="Editar contato")
    expect(dialog).to_be_visible()
    wait_at_end(page, thread)
    dialog.get_by_role("button", name="Fechar").click()
    expect(dialog).to_have_count(0)
    type_in(composer(page), "")
    wait_at_end(page, thread)
    for width, height in ((1366, 500), (1366, 900), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        wait_at_end(page, thread)
    tabs = page.get_by_role("navigation", name="Partes da tela")
    tabs.get_by_role("button", name="Atendimentos").click()
    expect(thread).to_have_count(0)
    tabs.get_by_role("button", name="Ticket").click()
    wait_at_end(page, thread)
    expect(picture).to_be_visible()


def test_a_long_message_is_read_on_where_one_reads(product: Product, page: Page) -> None:
    customer = Customer(product, "Leocádia Prolixa")
    pane = serve(page, ANA, customer)
    customer.write("Pedido de canecas. " * 400 + "Com cajueiros.")
    thread = page.get_by_role("log", name=f"Mensagens com {customer.name}")
    page.evaluate(SLOW_FRAMES)
    read_on = thread.get_by_role("button", name="Ler mais")
    expect(read_on).to_be_visible()
    wait_at_end(page, thread)
    thread.locator("[data-message]").last.evaluate(WATCH_LINE)
    read_on.click()
    expect(read_on).to_have_count(0)
    places = page.evaluate(LINE_PLACES)
    assert max(abs(place - places[0]) for place in places) <= JUMP_PX, f"The list jumped: {places}"
    expect(page.locator("[data-message]:focus")).to_contain_text("Com cajueiros.")

    # What comes now leaves the reader where he is, until he goes to the end.
    customer.write("Pedido de pratos. " * 400 + "Com jabuticabas.")
    page.get_by_role("button", name=re.compile("^Ir para o fim")).click()
    expect(read_on).to_be_visible()
    wait_at_end(page, thread)
    say(page, "Anotado!")
    customer.wait_for_texts("Anotado!")
    wait_at_end(page, thread)
    # A word of its rest is found and seen.
    pane.get_by_role("button", name="Buscar na conversa").click()
    type_in(pane.get_by_role("searchbox"), "jabuticabas")
    expect(thread.locator("mark")).to_have_text("jabuticabas")
    expect(thread.locator("mark")).to_be_in_viewport()


def test_a_long_message_is_read_on_after_a_tick_has_changed(
    product: Product, page: Page, open_page: OpenPage
) -> None:
    customer = Customer(product, "Perpétua Extensa")
    serve(page, ANA, customer)
    say(page, "Pode escrever.")
    expect(tick(sent(page, "Pode escrever."), "Entregue")).to_be_visible()
    customer.write("Pedido de canecas. " * 400 + "Com cajueiros.")
    thread = page.get_by_role("log", name=f"Mensagens com {customer.name}")
    read_on = thread.get_by_role("button", name="Ler mais")
    expect(read_on).to_be_visible()
    wait_at_end(page, thread)
    thread.locator("[data-message]").last.evaluate(WATCH_LINE)
    page.evaluate(SLOW_TIMERS)
    open_page().goto(customer.phone_address)
    expect(tick(sent(page, "Pode escrever."), "Lida")).to_be_visible()
    read_on.click()
    expect(read_on).to_have_count(0)
    places = page.evaluate(LINE_PLACES)
    assert max(abs(place - places[0]) for place in places) <= JUMP_PX, f"The list jumped: {places}"


def test_a_draft_survives_a_reload_and_enter_sends_it(product: Product, page: Page) -> None:
    customer = Customer(product, "Filomena Assunção")
    serve(page, ANA, customer)
    type_in(composer(page), "Vou verificar")
    page.reload()
    expect(composer(page)).to_have_value("Vou verificar")
    expect(composer(page)).to_be_focused()
    press(composer(page), "End")
    press(composer(page), "Shift+Enter")
    page.keyboard.type("e já volto")
    expect(composer(page)).to_have_value("Vou verificar\ne já volto")
    press(composer(page), "Enter")
    expect(composer(page)).to_have_value("")
    expect(composer(page)).to_be_focused()
    expect(tick(sent(page, "e já volto"), "Entregue")).to_be_visible()
    customer.wait_for_texts("Vou verificar\ne já volto")
    page.reload()
    expect(composer(page)).to_have_value("")


def test_nothing_can_be_written_before_accepting(product: Product, page: Page) -> None:
    log_in(page, ANA)
    customer = Customer(product, "Gumercindo Leal")
    customer.write("Oi")
    pane = open_waiting(page, customer.name)
    expect(pane.get_by_text("Aceite este atendimento para responder.")).to_be_visible()
    expect(composer(page)).to_have_count(0)
    expect(pane.get_by_role("button", name="Resolver")).to_have_count(0)


def test_a_reply_quotes_on_both_sides(product: Product, page: Page) -> None:
    customer = Customer(product, "Zulmira Portela")
    pane = serve(page, ANA, customer, "Qual o horário de sábado?")
    asked = customer.messages()[-1]["id"]
    theirs = pane.get_by_role("group", name=customer.name, exact=True)
    theirs.hover()
    theirs.get_by_role("button", name="Responder").click()
    form = pane.get_by_role("form", name="Escrever mensagem")
    expect(form.get_by_text("Qual o horário de sábado?")).to_be_visible()
    press(composer(page), "Escape")
    expect(form.get_by_text("Qual o horário de sábado?")).to_have_count(0)
    theirs.hover()
    theirs.get_by_role("button", name="Responder").click()
    say(page, "Das 9h às 14h.")
    mine = sent(page, "Das 9h às 14h.")
    expect(mine).to_contain_text("Qual o horário de sábado?")
    expect(tick(mine, "Entregue")).to_be_visible()
    assert customer.received()[-1]["replyTo"] == asked

    customer.write("Obrigada!", reply_to=customer.received()[-1]["id"])
    answer = pane.get_by_role("group", name=customer.name, exact=True).filter(has_text="Obrigada!")
    expect(answer).to_contain_text("Das 9h às 14h.")


def test_files_that_cannot_go_are_refused_in_words(product: Product, page: Page) -> None:
    customer = Customer(product, "Ubirajara Rezende")
    serve(page, ANA, customer)
    clip = attach_file(page)
    attach(
        clip, {"name": "instalador.exe", "mimeType": "application/x-msdownload", "buffer": b"MZ"}
    )
    expect(
        page.get_by_text("instalador.exe é de um tipo que não pode ser enviado.").first
    ).to_be_visible()
    heavy = bytes(5 * MEGABYTE + 1)
    attach(clip, {"name": "fachada.jpg", "mimeType": "image/jpeg", "buffer": heavy})
    expect(page.get_by_text("fachada.jpg passa do limite de 5 MB.").first).to_be_visible()
    attach(clip, {"name": "nada.txt", "mimeType": "text/plain", "buffer": b""})
    expect(page.get_by_text("nada.txt está vazio.").first).to_be_visible()
    expect(page.get_by_role("list", name="Arquivos para enviar")).to_have_count(0)
    expect(page.get_by_role("button", name="Enviar", exact=True)).to_have_count(0)


def test_everything_a_customer_sends_from_the_phone_page_is_shown(
    product: Product, open_page: OpenPage
) -> None:
    page, phone = open_page(), open_page()
    customer = Customer(product, "Dagoberto Vilela")
    pane = serve(page, ANA, customer)
    thread = pane.get_by_role("log")
    phone.goto(customer.phone_address)
    write = phone.get_by_role("textbox", name="Mensagem", exact=True)

    def choose(entry: str) -> None:
        phone.get_by_role("button", name="Anexar").click()
        phone.get_by_role("menuitem", name=entry).click()

    type_in(write, "Seguem as coisas")
    press(write, "Enter")
    expect(thread.get_by_text("Seguem as coisas")).to_be_visible()
    type_in(write, "Olha como chegou")
    choose("Prato lascado")
    expect(thread.get_by_role("img", name="Olha como chegou")).to_be_visible()
    phone.get_by_role("button", name="Gravar áudio").click()
    phone.get_by_role("button", name="Parar e enviar").click()
    play = thread.get_by_role("button", name="Tocar áudio")
    expect(play).to_be_visible()
    customer.send(type="voice", sample="recado.ogg")
    expect(play).to_have_count(2)
    wait_in(page, SHOWS_SOUND, play.last.element_handle())
    choose("Comprovante em PDF")
    expect(thread.get_by_text("comprovante-pix.pdf")).to_be_visible()
    choose("Localização")
    expect(thread.get_by_role("link", name="Abrir no mapa")).to_be_visible()
    choose("Contato")
    expect(thread.get_by_text("Paula Sampaio")).to_be_visible()
    choose("Figurinha")
    expect(thread.get_by_role("img", name="Figurinha")).to_be_visible()
    phone.get_by_role("button", name="Anexar").click()
    attach(
        phone.get_by_role("menuitem", name="Arquivo do computador"),
        {"name": "medidas.txt", "mimeType": "text/plain", "buffer": b"12 x 30 cm"},
    )
    expect(thread.get_by_text("medidas.txt")).to_be_visible()

    say(page, "Tudo recebido!")
    expect(phone.get_by_test_id("messages").get_by_text("Tudo recebido!")).to_be_visible()
    expect(tick(sent(page, "Tudo recebido!"), "Lida")).to_be_visible()
    thread.get_by_role("button", name="Ampliar imagem").click()
    viewer = page.get_by_role("dialog", name="Imagem ampliada")
    expect(viewer.get_by_role("img").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(viewer).to_have_count(0)
    expect(conversation(page, customer.name)).to_be_visible()


def test_who_opens_the_same_conversation_is_named_there_until_leaving(
    product: Product, open_page: OpenPage
) -> None:
    customer = Customer(product, "Valéria Vista")
    ana, boss = open_page(), open_page()
    serve(ana, ANA, customer)
    log_in(boss, ADMIN)
    own, other = conversation(ana, customer.name), conversation(boss, customer.name)
    boss.goto(ana.url)
    expect(own.get_by_text("Camila Duarte também está vendo")).to_be_visible()
    expect(other.get_by_text("Ana Prado também está vendo")).to_be_visible()
    # Nobody is told of themselves.
    expect(own.get_by_text("Ana Prado também")).to_have_count(0)

    # Another page of the product is no conversation.
    boss.get_by_role("link", name="Contatos", exact=True).click()
    expect(own.get_by_text("também está vendo")).to_have_count(0)
    boss.go_back()
    expect(own.get_by_text("Camila Duarte também está vendo")).to_be_visible()
    boss.close()
    expect(own.get_by_text("também está vendo")).to_have_count(0)


def test_an_unsent_text_is_named_in_the_row_after_leaving(product: Product, page: Page) -> None:
    customer = Customer(product, "Délia Esboço")
    serve(page, ANA, customer)
    type_in(composer(page), "Vou conferir o estoque e")
    page.get_by_role("link", name="Contatos", exact=True).click()
    page.get_by_role("navigation", name="Menu principal").get_by_role(
        "link", name="Atendimentos"
    ).click()
    listed = row(page, "Atendendo", customer.name)
    expect(listed).to_contain_text("Rascunho")
    expect(listed).to_contain_text("Vou conferir o estoque e")
    page.reload()
    expect(listed).to_contain_text("Rascunho")
    listed.click()
    expect(composer(page)).to_have_value("Vou conferir o estoque e")
    page.keyboard.press("Enter")
    expect(sent(page, "Vou conferir o estoque e")).to_be_visible()
    expect(listed).not_to_contain_text("Rascunho")
