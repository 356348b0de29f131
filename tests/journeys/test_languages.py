"""The other languages, on pages and in dialogs: nothing of ours is left in Portuguese."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, SUPER, log_in
from tests.journeys.news_screens import HELPS
from tests.journeys.operator import Operator
from tests.journeys.people import Customer, serve
from tests.product import ROOT, Product

TEXTS = ROOT / "frontend" / "src" / "i18n"
LANGUAGES = ("en", "es")
Words = dict[str, str]

# By page: the button that opens its form, and whether the form sends with its first field.
FORMS = {
    "/users": ("users:dialog.add", True),
    "/connections": ("connections:dialog.add", True),
    "/queues": ("queues:dialog.add", True),
    "/tags": ("tags:dialog.add", True),
    "/prompts": ("prompts:dialog.add", True),
    "/queue-integration": ("integrations:dialog.add", True),
    "/quick-messages": ("quickMessages:dialog.add", True),
    "/files": ("fileLists:add", True),
    "/contact-lists": ("contactLists:add", True),
    "/opt-outs": ("optOuts:add", True),
    "/contacts": ("contacts:dialog.add", True),
    "/chats": ("chat:list.new", True),
    # In a choice Enter takes what is offered.
    "/schedules?view=list": ("schedules:add", False),
}
# By page without a form: its name, and what is there once it has come.
PAGES = {
    "/kanban": ("kanban", "[data-card]"),
    "/todolist": ("tasks", "main form"),
    "/messages-api": ("messagesApi", "main form"),
    "/": ("dashboard", "tbody td"),
    "/audit-log": ("auditLog", "tbody time"),
    "/costs": ("costs", "main h2"),
    "/reports": ("reports", "main h2"),
    "/subscription": ("subscription", "input[readonly]"),
    # Films, or the word that there is none.
    "/helps": ("helps", "main :is(ul, h2)"),
    "/Email": ("emails", "textarea"),
    "/settings": ("settings", "[role=radiogroup]"),
    "/nowhere": ("notFound", "h1"),
}

# What a customer reads: the names of queues, in the demo and where a setting shows them, and more.
DATA = {"Vendas", "Entregas", "Financeiro", "Ver opções"}
# What the operator named like a text of ours: companies and plans, and films.
FILMS = {text for title, description, _ in HELPS for text in (title, description)}
OPERATORS = frozenset({"Demonstração", "Administrador", "Como aceitar um atendimento", *FILMS})

# What is read or heard of what is shown: each text, and the names that stand for one. Not what
# people wrote to each other.
SHOWN = """() => {
    const texts = new Set();
    const written = 'script, style, [data-ticket], [data-message], [data-chat]';
    const isSeen = element => element.checkVisibility({ visibilityProperty: true });
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
        if (isSeen(node.parentElement) && !node.parentElement.closest(written))
            texts.add(node.data.trim());
    for (const element of document.querySelectorAll('*'))
        if (isSeen(element))
            for (const name of ['aria-label', 'placeholder', 'title', 'alt', 'aria-description'])
                texts.add((element.getAttribute(name) ?? '').trim());
    texts.delete('');
    return [...texts];
}"""


@cache
def words_of(language: str) -> Words:
    """Return every text of a language by 'namespace:way.to.it'."""
    found: Words = {}

    def collect(way: str, part: Any) -> None:
        if isinstance(part, dict):
            for key, each in part.items():
                collect(f"{way}{'' if way.endswith(':') else '.'}{key}", each)
        else:
            found[way] = str(part)

    for file in sorted((TEXTS / language).glob("*.json")):
        collect(f"{file.stem}:", json.loads(Path(file).read_text()))
    return found


def word(language: str, key: str) -> str:
    """Return one text of a language."""
    return words_of(language)[key]


@cache
def only_portuguese(language: str) -> tuple[frozenset[str], re.Pattern[str]]:
    """Return our Portuguese texts that are no text of a language, and those with gaps."""
    own = set(words_of(language).values())
    left = [text.strip() for text in words_of("pt").values() if text not in own]
    whole = {text for text in left if "{{" not in text and re.search(r"[^\W\d_]{2}", text)}
    gaps = [
        "".join(map(_gap, re.split(r"({{.*?}})", text)))
        for text in left
        if "{{" in text and len(re.sub(r"{{.*?}}|\W", "", text)) >= 6
    ]
    return frozenset(whole), re.compile("|".join(gaps))


def _gap(part: str) -> str:
    """Return the pattern of a part of a text: of what is put in, or of the words as they are."""
    if part in {"{{count}}", "{{shown}}"}:
        return r"[\d.,]+"
    return ".+" if part.startswith("{{") else re.escape(part)


def expect_no_portuguese(page: Page, language: str, data: frozenset[str] = frozenset()) -> None:
    """Nothing that is shown is one of our Portuguese texts; `data` are names of the page's own."""
    whole, gaps = only_portuguese(language)
    shown = page.evaluate(SHOWN)
    assert len(shown) > 10, shown
    ours = {without(text, data) for text in set(shown) - DATA - data}
    left = [text for text in ours if text in whole or gaps.fullmatch(text)]
    assert left == [], (page.url, left)


def without(text: str, names: frozenset[str]) -> str:
    """Return a text without what it names."""
    for name in filter(None, names):
        text = text.replace(name, "")
    return text.strip()


def speak(page: Page, language: str) -> None:
    """Have the next page in a language, whatever the browser speaks."""
    page.evaluate("language => localStorage.setItem('language', language)", language)


def expect_open(page: Page, language: str, dialog: Locator) -> None:
    """A dialog is there in the language, and Escape closes it."""
    expect(dialog).to_be_visible()
    expect_no_portuguese(page, language)
    page.keyboard.press("Escape")
    if dialog.count():  # What it offered to choose from closed first.
        page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_and_their_forms_speak_it(page: Page, language: str) -> None:
    log_in(page, ADMIN)
    speak(page, language)
    for address, (key, sends) in FORMS.items():
        page.goto(address)
        opener = page.get_by_role("button", name=word(language, key), exact=True).first
        expect(opener).to_be_visible()
        expect_no_portuguese(page, language)
        opener.click()
        dialog = page.get_by_role("dialog")
        expect(dialog.locator(":focus")).to_have_count(1)
        if sends:
            page.keyboard.press("Enter")
            expect(dialog.get_by_role("alert").first).to_be_visible()
        expect_open(page, language, dialog)
    for address, (name, part) in PAGES.items():
        page.goto(address)
        title = word(language, f"shell:pages.{name}")
        expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
        expect(page.locator(part).first).to_be_visible()
        expect_no_portuguese(page, language, OPERATORS if address == "/helps" else frozenset())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_before_the_sign_in_speak_it(page: Page, product: Product, language: str) -> None:
    Operator(product).sell("Essencial", 49.9, users=3)
    page.goto("/login")
    speak(page, language)
    page.reload()
    way = page.get_by_role("link", name=word(language, "signup:toSignup"))
    expect(way).to_be_visible()
    expect_no_portuguese(page, language)
    way.click()
    page.get_by_role("button", name=word(language, "signup:submit")).click()
    expect(page.get_by_role("alert").first).to_be_visible()
    expect_no_portuguese(page, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tabs_of_the_super_user_speak_it(page: Page, language: str) -> None:
    log_in(page, SUPER)
    speak(page, language)
    for tab in ("companies", "plans", "helps"):
        page.goto(f"/settings?tab={tab}")
        form = page.get_by_role("form", name=word(language, f"{tab}:adding"))
        form.get_by_role("button", name=word(language, "common:actions.save")).click()
        expect(form.get_by_role("alert").first).to_be_visible()
        expect_no_portuguese(page, language, OPERATORS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_conversation_and_what_opens_from_it_speak_it(
    page: Page, product: Product, language: str
) -> None:
    customer = Customer(product, f"Zuleide {language}")
    serve(page, ADMIN, customer, "Xyz")
    speak(page, language)
    page.reload()
    pane = page.get_by_role("region", name=re.compile(customer.name))
    expect(pane.get_by_role("log").get_by_text("Xyz")).to_be_visible()
    expect_no_portuguese(page, language)
    keys = page.keyboard
    for key in ("messages:options.label", "messages:options.transfer"):
        pane.get_by_role("button", name=word(language, key)).first.click()
        opened = page.get_by_role("menu").or_(page.get_by_role("dialog")).filter(visible=True)
        expect_open(page, language, opened)
    keys.press("Control+k")
    expect_open(page, language, page.get_by_role("dialog"))
    keys.press("Escape")
    own = page.locator("[data-ticket] a").filter(has_text=customer.name)
    expect(own).to_be_focused()
    keys.press("?")
    expect_open(page, language, page.get_by_role("dialog"))
    expect(own).to_be_focused()
    keys.press("n")
    expect_open(page, language, page.get_by_role("dialog"))


def test_a_portuguese_text_is_found(page: Page) -> None:
    english = "".join(f"<p>{word('en', key)}</p>" for key in list(words_of("en"))[:20])
    page.set_content(f"<main>{english}</main>")
    expect_no_portuguese(page, "en")
    for left in ("<p>Adicionar usuário</p>", '<button aria-label="Transferir">x</button>'):
        page.set_content(f"<main>{english}{left}</main>")
        with pytest.raises(AssertionError, match=r"Adicionar usuário|Transferir"):
            expect_no_portuguese(page, "en")
    # A text with a name in it.
    page.set_content(f"<main>{english}<p>Conversa com Rosa</p></main>")
    with pytest.raises(AssertionError, match="Conversa com Rosa"):
        expect_no_portuguese(page, "en")
