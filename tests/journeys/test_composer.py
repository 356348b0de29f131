"""The input: voice notes, several files with captions, drafts, quick answers by keys and finger."""

import re

from playwright.sync_api import Page, ViewportSize, expect

from tests.journeys.conftest import ANA, OpenPage
from tests.journeys.people import (
    Customer,
    attach,
    attach_file,
    composer,
    conversation,
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
from tests.product import ROOT, Product, wait_for

SAMPLES = ROOT / "apps/simulator/samples"
NARROW: ViewportSize = {"width": 390, "height": 844}
# Counts the microphones that are on.
COUNT_MICROPHONES = """() => {
    window.microphones = [];
    const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async wish => {
        const stream = await ask(wish);
        window.microphones.push(...stream.getTracks());
        return stream;
    };
}"""
MICROPHONES_ON = "() => window.microphones.filter(track => track.readyState === 'live').length"


def start_recording(page: Page) -> None:
    page.get_by_role("button", name="Gravar áudio").click()
    expect(page.get_by_role("button", name="Enviar áudio")).to_be_enabled()
    assert page.evaluate(MICROPHONES_ON) == 1


def test_a_recording_is_paused_heard_and_continued_before_it_is_sent(
    product: Product, page: Page
) -> None:
    customer = Customer(product, "Zaqueu Portela")
    serve(page, ANA, customer)
    page.evaluate(COUNT_MICROPHONES)
    start_recording(page)
    timer = page.get_by_role("timer")
    expect(timer).to_have_text("00:01")
    page.get_by_role("button", name="Pausar gravação").click()
    listen = page.get_by_role("button", name="Ouvir antes de enviar")
    listen.click()
    sound = page.get_by_role("group", name="Gravação de áudio").locator("audio")
    wait_in(page, "sound => sound.currentTime > 0.5", sound.element_handle())
    # The time of the recording stands still meanwhile.
    stood = str(timer.text_content())
    wait_in(page, "sound => sound.ended", sound.element_handle())
    expect(timer).to_have_text(stood)
    assert customer.received() == []
    page.get_by_role("button", name="Continuar gravação").click()
    expect(listen).to_have_count(0)
    expect(timer).to_have_text("00:03")
    page.get_by_role("button", name="Pausar gravação").click()
    page.get_by_role("button", name="Enviar áudio").click()
    expect(composer(page)).to_be_focused()
    assert page.evaluate(MICROPHONES_ON) == 0
    wait_for(lambda: len(customer.received()) == 1, "the voice note on the telephone")
    assert customer.received()[0]["body"].get("voice") is True


def test_a_recording_arrives_as_a_voice_note_and_can_be_discarded(
    product: Product, open_page: OpenPage
) -> None:
    page, phone = open_page(), open_page()
    customer = Customer(product, "Zenaide Portela")
    pane = serve(page, ANA, customer)
    page.evaluate(COUNT_MICROPHONES)

    start_recording(page)
    page.get_by_role("button", name="Descartar áudio").click()
    expect(composer(page)).to_be_focused()
    assert page.evaluate(MICROPHONES_ON) == 0

    page.get_by_role("button", name="Gravar áudio").click()
    expect(page.get_by_role("timer")).to_have_text("00:02")
    page.get_by_role("button", name="Enviar áudio").click()
    expect(composer(page)).to_be_focused()
    assert page.evaluate(MICROPHONES_ON) == 0
    expect(pane.get_by_role("log").get_by_role("button", name="Tocar áudio")).to_be_visible()
    wait_for(lambda: len(customer.received()) == 1, "the voice note on the telephone")
    note = customer.received()[0]
    assert (note["type"], note["body"].get("voice")) == ("audio", True), note
    phone.goto(customer.phone_address)
    sound = phone.get_by_test_id("message").last.locator("audio")
    expect(sound).to_be_visible()
    # All of it came, its end too: the timer had shown two seconds.
    wait_in(phone, "sound => sound.duration >= 2", sound.element_handle())


def test_a_slip_of_the_finger_is_no_recording(product: Product, page: Page) -> None:
    customer = Customer(product, "Quirino Alves")
    serve(page, ANA, customer)
    page.evaluate(COUNT_MICROPHONES)
    # As fast as a finger: ten thousand bytes are six tenths of a second.
    page.evaluate(
        """() => {
            const look = () => {
                const send = document.querySelector('button[aria-label="Enviar áudio"]:enabled');
                if (send) send.click();
                else requestAnimationFrame(look);
            };
            look();
        }"""
    )
    page.get_by_role("button", name="Gravar áudio").click()
    expect(page.get_by_text("O áudio ficou curto demais e não foi enviado.")).to_be_visible()
    assert page.evaluate(MICROPHONES_ON) == 0
    expect(composer(page)).to_be_visible()
    assert customer.received() == []


def test_a_microphone_that_is_refused_is_explained(product: Product, page: Page) -> None:
    serve(page, ANA, Customer(product, "Ermelinda Sá"))
    page.evaluate(
        """() => {
            navigator.mediaDevices.getUserMedia = () =>
                Promise.reject(new DOMException('', 'NotAllowedError'));
        }"""
    )
    page.get_by_role("button", name="Gravar áudio").click()
    expect(page.get_by_text("não tem permissão para usar o microfone")).to_be_visible()
    expect(composer(page)).to_be_focused()


def test_leaving_the_conversation_turns_the_microphone_off(product: Product, page: Page) -> None:
    other = Customer(product, "Olegário Pinto")
    other.write("Oi")
    customer = Customer(product, "Veridiana Cruz")
    serve(page, ANA, customer)
    page.evaluate(COUNT_MICROPHONES)
    start_recording(page)
    # From the first second on it is something to lose, so leaving asks.
    expect(page.get_by_role("timer")).not_to_have_text("00:00")
    tab(page, "Aguardando").click()
    row(page, "Aguardando", other.name).click()
    question = page.get_by_role("alertdialog", name="Descartar alterações?")
    question.get_by_role("button", name="Continuar editando").click()
    expect(question).to_be_hidden()
    assert page.evaluate(MICROPHONES_ON) == 1
    row(page, "Aguardando", other.name).click()
    question.get_by_role("button", name="Descartar").click()
    expect(conversation(page, other.name)).to_be_visible()
    wait_in(page, f"({MICROPHONES_ON})() === 0")
    assert customer.received() == []


def test_several_files_leave_in_order_each_with_its_caption(product: Product, page: Page) -> None:
    customer = Customer(product, "Adamastor Reis")
    pane = serve(page, ANA, customer)
    type_in(composer(page), "As canecas")
    names = ("canecas.jpg", "catalogo.pdf", "vasos.jpg")
    attach(attach_file(page), [SAMPLES / name for name in names])
    expect(composer(page)).to_have_value("As canecas")
    page.get_by_role("button", name=re.compile("^catalogo.pdf")).click()
    type_in(composer(page), "O catálogo")
    page.get_by_role("button", name="vasos.jpg", exact=True).click()
    expect(page.get_by_text("Legenda de vasos.jpg · 3 de 3")).to_be_visible()
    type_in(composer(page), "Os vasos")
    page.get_by_role("button", name="Remover vasos.jpg").click()
    expect(composer(page)).to_have_value("O catálogo")

    # Another conversation and back: nothing is lost.
    other = Customer(product, "Filomena Duarte")
    other.write("Oi")
    open_waiting(page, other.name)
    tab(page, "Atendendo").click()
    row(page, "Atendendo", customer.name).click()
    expect(conversation(page, customer.name)).to_be_visible()
    files = page.get_by_role("list", name="Arquivos para enviar")
    expect(files.get_by_role("listitem")).to_have_count(2)
    press(composer(page), "Enter")
    expect(files).to_have_count(0)
    thread = pane.get_by_role("log")
    expect(thread.get_by_text("O catálogo")).to_be_visible()
    wait_for(lambda: len(customer.received()) == 2, "two files on the telephone")
    first, second = customer.received()
    assert (first["type"], second["type"]) == ("image", "document")
    assert "As canecas" in first["body"]["caption"]
    assert "O catálogo" in second["body"]["caption"]


def test_a_reply_survives_a_reload(product: Product, page: Page) -> None:
    customer = Customer(product, "Graciano Telles")
    pane = serve(page, ANA, customer, "Vocês abrem no sábado?")
    theirs = pane.get_by_role("group", name=customer.name, exact=True).first
    theirs.hover()
    theirs.get_by_role("button", name="Responder").click()
    type_in(composer(page), "Abrimos sim")
    page.reload()
    expect(page.get_by_role("button", name="Cancelar resposta")).to_be_visible()
    expect(composer(page)).to_have_value("Abrimos sim")
    press(composer(page), "Enter")
    mine = sent(page, "Abrimos sim")
    expect(mine).to_contain_text("Vocês abrem no sábado?")
    expect(tick(mine, "Entregue")).to_be_visible()
    expect(page.get_by_role("button", name="Cancelar resposta")).to_have_count(0)


def test_quick_answers_by_keys_and_by_finger(product: Product, page: Page) -> None:
    customer = Customer(product, "Idalina Moura")
    serve(page, ANA, customer)
    type_in(composer(page), "/")
    expect(page.get_by_role("listbox")).to_have_count(0)
    page.keyboard.type("troca")
    options = page.get_by_role("listbox", name="Respostas rápidas").get_by_role("option")
    expect(options).to_have_count(3)
    expect(options.first).to_have_attribute("aria-selected", "true")
    press(composer(page), "ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    press(composer(page), "Escape")
    expect(options).to_have_count(0)
    expect(composer(page)).to_have_value("/troca")
    type_in(composer(page), "/troca-p")
    expect(options).to_have_count(2)
    press(composer(page), "Tab")
    expect(composer(page)).to_have_value(re.compile("^Se preferir, devolvemos"))

    page.set_viewport_size(NARROW)
    type_in(composer(page), "Bom, ")
    page.get_by_role("button", name="Respostas rápidas").last.click()
    search = page.get_by_role("searchbox", name="Buscar resposta rápida")
    expect(search).to_be_focused()
    type_in(search, "obrig")
    expect(options).to_have_count(1)
    options.first.click()
    expect(composer(page)).to_have_value(re.compile("^Bom, Imagina, Idalina!"))
    expect(composer(page)).to_be_focused()


def test_keys_put_whatsapps_marks_around_words(product: Product, page: Page) -> None:
    customer = Customer(product, "Horácio Lins")
    serve(page, ANA, customer)
    type_in(composer(page), "muito importante")
    press(composer(page), "Control+Shift+ArrowLeft")
    press(composer(page), "Control+b")
    expect(composer(page)).to_have_value("muito *importante*")
    press(composer(page), "Control+b")
    expect(composer(page)).to_have_value("muito importante")
    press(composer(page), "Control+i")
    press(composer(page), "Enter")
    expect(sent(page, "muito importante").locator("em")).to_have_text("importante")


def test_the_recorder_fits_a_narrow_screen(product: Product, page: Page) -> None:
    customer = Customer(product, "Perpétua Nunes")
    serve(page, ANA, customer)
    page.set_viewport_size(NARROW)
    page.evaluate(COUNT_MICROPHONES)
    start_recording(page)
    for name in ("Descartar áudio", "Enviar áudio"):
        box = page.get_by_role("button", name=name).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= NARROW["width"]
    # A tooltip over it keeps nothing from it.
    page.get_by_role("button", name="Enviar áudio").hover()
    expect(page.get_by_role("tooltip")).to_be_visible()


def test_escape_asks_before_it_takes_what_was_recorded(product: Product, page: Page) -> None:
    customer = Customer(product, "Perpétua Neves")
    serve(page, ANA, customer)
    page.evaluate(COUNT_MICROPHONES)
    start_recording(page)
    expect(page.get_by_role("timer")).to_have_text(re.compile("00:0[1-9]"))
    question = page.get_by_role("alertdialog", name="Descartar o áudio?")
    page.keyboard.press("Escape")
    expect(question.get_by_role("button", name="Continuar gravando")).to_be_focused()
    # Escape is no answer to it: the recording goes on.
    page.keyboard.press("Escape")
    expect(question).to_have_count(0)
    send = page.get_by_role("button", name="Enviar áudio")
    expect(send).to_be_focused()
    assert page.evaluate(MICROPHONES_ON) == 1
    page.keyboard.press("Escape")
    question.get_by_role("button", name="Descartar áudio").click()
    expect(composer(page)).to_be_focused()
    wait_in(page, f"({MICROPHONES_ON})() === 0")


def test_another_conversation_asks_before_it_takes_what_was_recorded(
    product: Product, page: Page
) -> None:
    customer, other = (Customer(product, name) for name in ("Perpétua Neri", "Perpétua Nobre"))
    other.write("Bom dia")
    serve(page, ANA, customer)
    page.evaluate(COUNT_MICROPHONES)
    start_recording(page)
    expect(page.get_by_role("timer")).to_have_text(re.compile("00:0[1-9]"))
    # The other list takes nothing.
    tab(page, "Aguardando").click()
    waiting = row(page, "Aguardando", other.name)
    waiting.click()
    question = page.get_by_role("alertdialog", name="Descartar alterações?")
    question.get_by_role("button", name="Continuar editando").click()
    expect(question).to_have_count(0)
    assert page.evaluate(MICROPHONES_ON) == 1
    waiting.click()
    question.get_by_role("button", name="Descartar").click()
    expect(conversation(page, other.name)).to_be_visible()
    wait_in(page, f"({MICROPHONES_ON})() === 0")


def test_a_signature_stands_once_over_several_messages_and_not_in_the_list(
    product: Product, page: Page
) -> None:
    customer = Customer(product, "Perpétua Arruda")
    pane = serve(page, ANA, customer)
    for words in ("Bom dia!", "Em que posso ajudar?"):
        say(page, words)
        expect(tick(sent(page, words), "Entregue")).to_be_visible()
    log = pane.get_by_role("log")
    expect(log.get_by_text("Ana Prado:", exact=True)).to_have_count(1)
    expect(sent(page, "Bom dia!")).to_contain_text("Ana Prado:")
    line = row(page, "Atendendo", customer.name)
    expect(line).to_contain_text("Em que posso ajudar?")
    expect(line).not_to_contain_text("Ana Prado:")
    customer.wait_for_texts("*Ana Prado:*\nBom dia!", "*Ana Prado:*\nEm que posso ajudar?")


def test_the_input_grows_to_five_rows(product: Product, page: Page) -> None:
    serve(page, ANA, Customer(product, "Leocádia Prates"))

    def height(rows: int) -> float:
        type_in(composer(page), "\n".join("a" * rows))
        box = composer(page).bounding_box()
        assert box
        return box["height"]

    one, two, five = (height(rows) for rows in (1, 2, 5))
    assert two > one
    assert abs(five - one - 4 * (two - one)) <= 1
    assert height(6) == height(12) == five
