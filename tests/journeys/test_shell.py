"""What surrounds every page: drawer, top bar, theme, languages, volume."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.journeys.conftest import ADMIN, ANA, OpenPage, log_in
from tests.journeys.people import DRAWN, Customer, press, type_in
from tests.product import Product, wait_for

PORTUGUESE = re.compile(
    r"Atendimento|Atendendo|Aguardando|Resolvidos|Conexões|Usuários|Olá|Ativo até|Versão"
    # 'Buscar' is Spanish too.
    r"|Abertas|Busca\b|Filas|Escolha|Bem-vindo"
)
LANGUAGES = {
    "English": ("Tickets", "Users"),
    "Español": ("Atenciones", "Usuarios"),
}


def menu_width(page: Page) -> float:
    """Return the width of the side menu once it rests."""
    aside = page.locator("aside").first
    aside.evaluate("e => Promise.all(e.getAnimations().map(a => a.finished))")
    box = aside.bounding_box()
    assert box is not None
    return box["width"]


def test_the_drawer_stays_as_it_was_left(page: Page) -> None:
    log_in(page, ADMIN)
    expect(page.get_by_text("Versão 5.2.1")).to_be_visible()
    # With its border.
    assert menu_width(page) in (240, 241)
    page.get_by_role("button", name="Recolher menu").click()
    expect(page.get_by_role("button", name="Expandir menu")).to_be_visible()
    assert menu_width(page) < 100
    page.reload()
    expect(page.get_by_role("button", name="Expandir menu")).to_be_visible()
    users = page.get_by_role("link", name="Usuários")
    # A list that still scrolls closes the words.
    users.scroll_into_view_if_needed()
    page.evaluate(DRAWN)
    users.hover()
    expect(page.get_by_role("tooltip", name="Usuários")).to_be_visible()
    page.get_by_role("button", name="Expandir menu").click()
    expect(page.get_by_text("Versão 5.2.1")).to_be_visible()
    assert menu_width(page) in (240, 241)


@pytest.mark.parametrize(("width", "is_overlay"), [(600, True), (601, False)])
def test_the_menu_is_an_overlay_up_to_600_px(page: Page, width: int, is_overlay: bool) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    log_in(page, ADMIN)
    expect(page.get_by_role("button", name="Abrir menu")).to_be_visible(visible=is_overlay)
    expect(page.locator("aside").first).to_be_visible(visible=not is_overlay)


def test_the_top_bar_greets_and_tells_an_admin_until_when_the_company_is_active(
    page: Page, open_page: OpenPage
) -> None:
    log_in(page, ADMIN)
    bar = page.get_by_role("banner")
    expect(bar).to_contain_text(re.compile(r"Olá, Camila Duarte.*Casa Aroeira"))
    expect(bar).to_contain_text(re.compile(r"Ativo até \d{2}/\d{2}/\d{4}"))
    for name in ("Informativos", "Chat interno"):
        bar.get_by_role("button", name=re.compile(f"^{name}")).click()
        listed = page.get_by_role("dialog", name=name)
        expect(listed).to_be_visible()
        page.keyboard.press("Escape")
        expect(listed).to_have_count(0)
    with page.expect_request("**/tickets/counts*"):
        bar.get_by_role("button", name="Atualizar").click()
    attendant = open_page()
    log_in(attendant, ANA)
    expect(attendant.get_by_role("banner")).to_contain_text("Olá, Ana Prado")
    expect(attendant.get_by_text("Ativo até")).to_have_count(0)


def test_the_count_of_open_conversations_stays_in_the_menu(page: Page, product: Product) -> None:
    log_in(page, ANA)
    entry = page.get_by_role("navigation").get_by_role("link", name="Atendimentos")
    words = entry.get_by_text("atendimentos abertos")
    count = int((words.text_content() or "").split()[0])
    page.get_by_role("link", name="Contatos").click()
    expect(page.get_by_role("heading", name="Contatos", level=1)).to_be_visible()
    expect(words).to_have_text(f"{count} atendimentos abertos")
    page.goto("/quick-messages")
    expect(words).to_have_text(f"{count} atendimentos abertos")
    # It follows what happens, and icons alone carry it too.
    page.get_by_role("button", name="Recolher menu").click()
    Customer(product, "Anselmo Viana").write("Boa tarde")
    expect(words).to_have_text(f"{count + 1} atendimentos abertos")
    expect(entry.get_by_text(str(count + 1), exact=True)).to_be_visible()


def test_a_page_whose_words_hang_can_be_left(page: Page) -> None:
    log_in(page, ADMIN)
    held: list[Route] = []

    def keep(route: Route) -> None:
        answer = route.fetch()
        if "Novo agendamento" in answer.text():
            held.append(route)
        else:
            route.fulfill(response=answer)

    page.route("**/assets/schedules-*.js", keep)
    page.goto("/schedules")
    expect(page.get_by_role("main").get_by_role("status")).to_be_visible()
    # What opens over the page does not wait for it, and no other page does.
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Buscar ou ir para")
    type_in(palette.get_by_role("combobox"), "tags")
    palette.get_by_role("option", name="Tags", exact=True).click()
    expect(page.get_by_role("heading", name="Tags", level=1)).to_be_visible()
    expect(page.get_by_role("button", name="Adicionar tag")).to_be_visible()
    assert len(held) == 1
    # The page was left: what becomes of its words is no matter, until one goes there again.
    held[0].abort()
    page.unroute("**/assets/schedules-*.js")
    page.get_by_role("link", name="Agendamentos", exact=True).click()
    expect(page.get_by_role("heading", name=re.compile("^Agendamentos"), level=1)).to_be_visible()
    expect(page.get_by_role("button", name="Novo agendamento")).to_be_visible()


def test_a_page_whose_words_fail_has_them_once_they_come(page: Page) -> None:
    log_in(page, ADMIN)
    refused: list[Route] = []

    def refuse(route: Route) -> None:
        answer = route.fetch()
        if "Novo agendamento" in answer.text():
            refused.append(route)
            route.abort()
        else:
            route.fulfill(response=answer)

    page.route("**/assets/schedules-*.js", refuse)
    page.goto("/schedules")
    expect(page.get_by_role("main").get_by_role("status")).to_be_visible()
    # It is tried again by itself, and meanwhile no bare key stands in the page.

    def is_tried() -> bool:
        # Asking the page lets its requests come in.
        return bool(page.title()) and len(refused) >= 3

    wait_for(is_tried, "another try")
    expect(page.get_by_role("main").get_by_role("status")).to_be_visible()
    expect(page.get_by_role("heading", name="title")).to_have_count(0)
    page.unroute("**/assets/schedules-*.js")
    expect(page.get_by_role("button", name="Novo agendamento")).to_be_visible()


def test_a_page_whose_words_a_new_version_replaced_says_so_and_is_loaded_anew(page: Page) -> None:
    log_in(page, ADMIN)

    def gone(route: Route) -> None:
        answer = route.fetch()
        if "Novo agendamento" in answer.text():
            route.fulfill(status=404, body="")
        else:
            route.fulfill(response=answer)

    def newer(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(
            response=answer, body=re.sub(r"assets/index-[\w-]+", "assets/x", answer.text())
        )

    page.route("**/assets/schedules-*.js", gone)
    page.goto("/schedules")
    main = page.get_by_role("main")
    notice = page.get_by_role("status").filter(has_text="Há uma versão nova do Balcão")
    # While the server has the same version it is a failure as any other: it is tried again.
    expect(main.get_by_role("status")).to_be_visible()
    expect(notice).to_have_count(0)
    page.route(re.compile(r"/$"), newer)
    expect(notice).to_be_visible()
    page.unroute("**/assets/schedules-*.js")
    page.unroute(re.compile(r"/$"))
    with page.expect_navigation():
        notice.get_by_role("button", name="Recarregar").click()
    expect(page.get_by_role("button", name="Novo agendamento")).to_be_visible()


def test_on_narrow_screens_the_menu_closes_after_a_click(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    log_in(page, ADMIN)
    page.get_by_role("button", name="Abrir menu").click()
    overlay = page.get_by_role("dialog", name="Menu principal")
    overlay.get_by_role("link", name="Usuários").click()
    expect(page).to_have_url(re.compile("/users"))
    expect(overlay).to_have_count(0)
    page.get_by_role("button", name="Abrir menu").click()
    expect(overlay).to_be_visible()
    page.keyboard.press("Escape")
    expect(overlay).to_have_count(0)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390, f"The page is {width} px wide on a screen of 390."


def test_theme_and_volume_are_kept(page: Page) -> None:
    log_in(page, ANA)
    root = page.locator("html")
    expect(root).not_to_have_class(re.compile("dark"))
    page.get_by_role("button", name="Usar tema escuro").click()
    expect(root).to_have_class(re.compile("dark"))
    page.get_by_role("button", name="Volume das notificações").click()
    slider = page.get_by_role("slider")
    expect(slider).to_have_attribute("aria-valuenow", "1")
    press(slider, "ArrowLeft")
    press(slider, "ArrowLeft")
    expect(page.get_by_text("80%")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Usar tema claro")).to_be_visible()
    expect(root).to_have_class(re.compile("dark"))
    page.get_by_role("button", name="Volume das notificações").click()
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuenow", "0.8")
    assert page.evaluate("localStorage.getItem('volume')") == "0.8"


@pytest.mark.parametrize("language", LANGUAGES)
def test_other_languages_leave_no_portuguese(page: Page, language: str) -> None:
    log_in(page, ADMIN)
    page.get_by_role("button", name=re.compile("^Conta de")).click()
    page.get_by_role("menuitem", name=language).click()
    tickets, users = LANGUAGES[language]
    expect(page.get_by_role("heading", name=tickets, level=1)).to_be_visible()
    chrome = page.locator("aside, header, [role=tablist], main h2, main p").all()
    words = "\n".join(part.inner_text() for part in chrome if part.is_visible())
    # The demo company's name and its people's are data.
    found = PORTUGUESE.findall(words)
    assert not found, words
    page.reload()
    page.get_by_role("link", name=users).click()
    expect(page.get_by_role("heading", name=users, level=1)).to_be_visible()
    assert page.evaluate("document.documentElement.lang").startswith(language[:2].lower())
