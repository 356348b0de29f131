"""What is done with single messages: react, answer, forward, find, look at closely."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ANA, CARLA, OpenPage
from tests.journeys.people import (
    Customer,
    accept,
    composer,
    keys_to,
    press,
    row,
    say,
    sent,
    serve,
    tick,
    type_in,
    wait_until_read,
)
from tests.product import Product, wait_for

WIDE, NARROW = (1366, 850), (390, 844)
LINES = 60


def theirs(pane: Locator, customer: Customer, text: str) -> Locator:
    """Return a message of the customer's in the open conversation."""
    return pane.get_by_role("group", name=customer.name, exact=True).filter(has_text=text)


def open_menu(page: Page, message: Locator) -> Locator:
    """Open a message's options and return the menu."""
    message.hover()
    message.get_by_role("button", name="Opções da mensagem").click()
    menu = page.get_by_role("menu", name="Opções da mensagem")
    expect(menu).to_be_visible()
    return menu


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_a_reaction_shows_on_both_sides_and_is_taken_back(
    product: Product, page: Page, size: tuple[int, int]
) -> None:
    customer = Customer(product, f"Leocádia Brito {size[0]}")
    pane = serve(page, ANA, customer, "Chegou tudo certinho!")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    message = theirs(pane, customer, "Chegou tudo certinho!")
    open_menu(page, message).get_by_role("menuitem", name="Reagir com ❤️").click()
    mine = message.get_by_role("button", name=re.compile("^❤️ de Ana"))
    expect(mine).to_have_attribute("aria-pressed", "true")

    def on_phone() -> str:
        reactions = [each["body"] for each in customer.received() if each["type"] == "reaction"]
        return str(reactions[-1].get("emoji", "")) if reactions else "?"

    wait_for(lambda: on_phone() == "❤️", "the heart on the telephone")
    say(page, "Que bom!")
    expect(tick(sent(page, "Que bom!"), "Entregue")).to_be_visible()
    customer.send(type="reaction", message_id=customer.received()[-1]["id"], emoji="🙏")
    expect(sent(page, "Que bom!").get_by_role("button", name=re.compile("^🙏"))).to_be_visible()
    mine.click()
    expect(message.get_by_role("list", name="Reações")).to_have_count(0)
    wait_for(lambda: not on_phone(), "the telephone without the heart")


def test_the_list_and_its_menu_are_used_by_keyboard(product: Product, page: Page) -> None:
    customer = Customer(product, "Gervásio Teles")
    pane = serve(page, ANA, customer, "Primeira")
    customer.write("Segunda")
    first, second = theirs(pane, customer, "Primeira"), theirs(pane, customer, "Segunda")
    expect(second).to_be_visible()
    keys_to(pane.get_by_role("log"), "Shift+Tab")
    page.keyboard.press("ArrowUp")
    expect(second).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(first).to_be_focused()
    page.keyboard.press("Enter")
    menu = page.get_by_role("menu", name="Opções da mensagem")
    expect(menu).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    expect(first).to_be_focused()
    page.keyboard.press("Enter")
    menu.get_by_role("menuitem", name="Copiar texto").click()
    expect(page.get_by_text("Texto copiado.").first).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "Primeira"


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_a_message_is_forwarded_and_refusals_are_said_in_words(
    product: Product, open_page: OpenPage, size: tuple[int, int]
) -> None:
    page, others = open_page(), open_page()
    name = f"Quitéria {size[0]}"
    fine, held = Customer(product, f"{name} Rocha"), Customer(product, f"{name} Souto")
    source = Customer(product, f"Laurindo Paes {size[0]}")
    serve(others, CARLA, held, "Oi, Carla")
    fine.write("Bom dia")
    serve(page, ANA, fine, "Alguém aí?")
    source.send(type="document", sample="catalogo.pdf", caption="O catálogo novo")
    pane = accept(page, source.name)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    message = theirs(pane, source, "catalogo.pdf")
    expect(message.get_by_role("link", name="Baixar catalogo.pdf")).to_be_visible()
    open_menu(page, message).get_by_role("menuitem", name="Encaminhar").click()
    dialog = page.get_by_role("dialog", name="Encaminhar mensagem")
    submit = dialog.get_by_role("button", name="Encaminhar", exact=True)
    expect(submit).to_be_disabled()
    expect(dialog.get_by_text("Digite ao menos 3 caracteres")).to_be_visible()
    type_in(dialog.get_by_role("searchbox", name="Buscar contato"), name)
    # Who can't receive it is known before it is forwarded.
    refused = dialog.get_by_role("checkbox").filter(has_text=held.name)
    expect(refused).to_contain_text("está atendendo este contato.")
    expect(refused).to_be_disabled()
    dialog.get_by_role("checkbox").filter(has_text=fine.name).click()
    expect(dialog.get_by_role("list", name="Contatos escolhidos")).to_contain_text(fine.name)
    submit.click()
    expect(page.get_by_text("Mensagem encaminhada.")).to_be_visible()
    expect(dialog).to_have_count(0)

    def has_come() -> bool:
        return any(each["type"] == "document" for each in fine.received())

    wait_for(has_come, "the catalogue on the telephone")
    assert not any(each["type"] == "document" for each in held.received())


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_far_messages_are_found_and_left_again(
    product: Product, page: Page, size: tuple[int, int]
) -> None:
    customer = Customer(product, f"Eufrásia Dantas {size[0]}")
    customer.write("O número do pedido é ABÓBORA-77")
    asked = customer.messages()[-1]["id"]
    for number in range(1, LINES + 1):
        customer.write(f"Linha {number:02}.")
    customer.write("Voltando ao pedido", reply_to=asked)
    pane = serve(page, ANA, customer, "É isso.")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    thread = pane.get_by_role("log")
    expect(thread.get_by_text("É isso.")).to_be_visible()
    expect(thread.get_by_text("Linha 01.")).to_have_count(0)

    press(composer(page), "Control+f")
    search = pane.get_by_role("search", name="Busca na conversa")
    field = search.get_by_role("searchbox")
    type_in(field, "abobora")
    expect(search.get_by_text("1 de 1")).to_be_visible()
    found = thread.locator("mark")
    expect(found).to_have_text("ABÓBORA")
    expect(found).to_be_in_viewport()
    type_in(field, "linha")
    expect(search.get_by_text(f"1 de {LINES}")).to_be_visible()
    expect(thread.get_by_text(f"Linha {LINES}.")).to_be_in_viewport()
    search.get_by_role("button", name="Resultado anterior").click()
    expect(search.get_by_text(f"2 de {LINES}")).to_be_visible()
    type_in(field, "nada disto")
    expect(search.get_by_text("Nada encontrado")).to_be_visible()
    press(field, "Escape")
    expect(search).to_have_count(0)
    expect(composer(page)).to_be_focused()

    # The quote leads to the message it answers, far back; what comes meanwhile is counted.
    thread.get_by_role("button", name=re.compile("ABÓBORA-77")).last.click()
    first = theirs(pane, customer, "O número do pedido é ABÓBORA-77").first
    expect(first).to_be_in_viewport()
    customer.write("Chegou mais uma")
    newest = page.get_by_role("button", name="Ir para o fim, 1 mensagem nova")
    expect(newest).to_be_visible()
    expect(thread.get_by_text("Chegou mais uma")).to_have_count(0)
    newest.click()
    expect(thread.get_by_text("Chegou mais uma")).to_be_in_viewport()

    # What one writes while far back is shown where it stands.
    thread.get_by_role("button", name=re.compile("ABÓBORA-77")).last.click()
    expect(first).to_be_in_viewport()
    say(page, "Achei o pedido.")
    expect(sent(page, "Achei o pedido.")).to_be_in_viewport()


def test_reading_on_from_a_found_message_reaches_the_end_without_a_gap(
    product: Product, page: Page
) -> None:
    customer = Customer(product, "Clementina Arruda")
    customer.write("Aqui começa")
    for number in range(1, LINES + 1):
        customer.write(f"Linha {number:02}.")
    pane = serve(page, ANA, customer, "Fim.")
    thread = pane.get_by_role("log")
    expect(thread.get_by_text("Fim.")).to_be_visible()
    press(composer(page), "Control+f")
    type_in(pane.get_by_role("searchbox"), "aqui comeca")
    expect(thread.locator("mark")).to_be_in_viewport()
    seen: set[int] = set()
    thread.hover()

    def read() -> None:
        seen.update(int(each) for each in re.findall(r"Linha (\d\d)\.", thread.inner_text()))

    def reached_end() -> bool:
        read()
        page.mouse.wheel(0, 300)
        return thread.get_by_text("Fim.").is_visible()

    # Each step reads what is shown: a busy machine takes many seconds to the end.
    wait_for(reached_end, "the end of the conversation", 120)
    read()
    assert seen == set(range(1, LINES + 1)), sorted(set(range(1, LINES + 1)) - seen)


def test_pictures_are_looked_at_closely(product: Product, page: Page) -> None:
    customer = Customer(product, "Aparício Lemos")
    pane = serve(page, ANA, customer, "Veja as fotos")
    customer.send(type="image", sample="canecas.jpg", caption="As canecas")
    customer.send(type="image", sample="vasos.jpg", caption="Os vasos")
    customer.send(type="video", sample="vasos.mp4")
    pictures = pane.get_by_role("button", name="Ampliar imagem")
    expect(pictures).to_have_count(2)
    expect(pane.get_by_role("button", name=re.compile("^Assistir a"))).to_be_visible()
    pictures.first.click()
    viewer = page.get_by_role("dialog", name="Imagem ampliada")
    picture = viewer.get_by_role("img", name="As canecas")
    expect(picture).to_have_attribute("data-scale", "1")
    expect(viewer.get_by_text("1/3")).to_be_visible()
    picture.dblclick()
    expect(picture).to_have_attribute("data-scale", "2.5")
    page.keyboard.press("0")
    expect(picture).to_have_attribute("data-scale", "1")
    page.keyboard.press("+")
    expect(picture).to_have_attribute("data-scale", "1.5")
    page.keyboard.press("0")
    page.keyboard.press("ArrowRight")
    expect(viewer.get_by_role("img", name="Os vasos")).to_be_visible()
    viewer.get_by_role("button", name="Próxima imagem").click()
    film = page.get_by_role("dialog", name="Vídeo ampliado")
    expect(film.locator("video")).to_be_visible()
    page.keyboard.press("Escape")
    expect(film).to_have_count(0)


def test_an_official_number_offers_neither_to_edit_nor_to_take_back(
    product: Product, page: Page
) -> None:
    customer = Customer(product, "Firmino Galvão")
    pane = serve(page, ANA, customer)
    say(page, "Com erro de digitasão")
    mine = sent(page, "Com erro de digitasão")
    expect(tick(mine, "Entregue")).to_be_visible()
    for message in (theirs(pane, customer, "Olá!"), mine):
        menu = open_menu(page, message)
        expect(menu.get_by_role("menuitem", name="Encaminhar")).to_be_visible()
        expect(menu.get_by_role("menuitem", name="Editar")).to_have_count(0)
        expect(menu.get_by_role("menuitem", name="Apagar")).to_have_count(0)
        menu.get_by_role("menuitem", name="Detalhes").click()
        details = page.get_by_role("dialog", name="Detalhes da mensagem")
        expect(details).to_be_visible()
        page.keyboard.press("Escape")
        expect(details).to_have_count(0)
    expect(pane).to_be_visible()


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_what_came_while_away_stands_below_a_line_until_one_answers(
    product: Product, page: Page, size: tuple[int, int]
) -> None:
    customer = Customer(product, f"Zacarias Pinheiro {size[0]}")
    serve(page, ANA, customer)
    mine = row(page, "Atendendo", customer.name)
    # What one has just accepted is read a moment later.
    wait_until_read(page)
    expect(mine).to_be_visible()
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto("/tickets")
    expect(mine).to_be_visible()
    customer.write("Ainda tem a travessa?")
    customer.write("A azul, grande.")
    expect(mine).to_contain_text("A azul, grande.")
    mine.click()
    line = page.get_by_role("separator").filter(has_text="2 mensagens não lidas")
    expect(line).to_be_in_viewport()

    def stands_between() -> bool:
        words = re.sub(r"\s+", " ", page.get_by_role("log").inner_text())
        return bool(re.search("Olá!.*2 mensagens não lidas.*Ainda tem a travessa", words))

    wait_for(stands_between, "the line between what was read and what was not")
    say(page, "Tem, sim!")
    expect(line).to_have_count(0)
