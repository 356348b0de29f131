"""A rule is written as a sentence and runs; a macro is run by its key and undone."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, ANA, OpenPage, log_in
from tests.journeys.desk_screens import call, make_queue
from tests.journeys.people import Customer, conversation, pick, row, tab, type_in
from tests.journeys.test_distribution import waits_in
from tests.product import Product


@pytest.fixture
def admin(open_page: OpenPage) -> Iterator[Page]:
    page = open_page()
    log_in(page, ADMIN, at="/rules")
    yield page
    for rule in call(page, "GET", "/rules"):
        call(page, "DELETE", f"/rules/{rule['id']}")
    for macro in call(page, "GET", "/macros"):
        call(page, "DELETE", f"/macros/{macro['id']}")
    for key in ("rules", "macros"):
        call(page, "PUT", f"/settings/{key}", {"value": "disabled"})


def choose(page: Page, part: str, word: str, entry: str) -> None:
    """Choose an entry for an underlined part of a sentence."""
    page.get_by_role("button", name=f"{part}: {word}", exact=True).click()
    page.get_by_role("menuitem", name=entry, exact=True).click()


def test_a_rule_is_written_as_a_sentence_and_does_what_it_says(
    product: Product, admin: Page
) -> None:
    queue = make_queue(admin, ADMIN, ANA)
    tag = call(admin, "POST", "/tags", {"name": "Cobrança", "color": "#3E7BD6", "kanban": 0})
    admin.reload()
    admin.get_by_role("button", name="Criar regra").click()
    dialog = admin.get_by_role("dialog", name="Nova regra")
    choose(admin, "Quando", "o cliente espera resposta há", "o cliente escreve")
    dialog.get_by_role("button", name="Condição", exact=True).click()
    choose(admin, "Condição 1", "a fila", "o texto")
    dialog.get_by_role("button", name="Condição 1: escolha", exact=True).click()
    type_in(admin.get_by_label("Valor"), "boleto\nfatura")
    admin.get_by_role("button", name="Pronto").click()
    choose(admin, "Ação 1", "avisar", "colocar a tag")
    dialog.get_by_role("button", name="Ação 1: escolha a tag", exact=True).click()
    admin.get_by_role("button", name="Cobrança", exact=True).click()
    expect(dialog.get_by_role("button", name="Ação 1: Cobrança")).to_be_visible()
    dialog.get_by_role("button", name="Salvar").click()
    sentence = (
        "Quando o cliente escreve, se o texto contém “boleto” ou “fatura”, então colocar a tag"
        " Cobrança."
    )
    expect(admin.get_by_text(sentence)).to_be_visible()
    expect(admin.get_by_role("checkbox", name="Regras ligadas")).to_be_checked()

    customer = Customer(product, "Berta Boleto")
    waits_in(admin, customer, queue)
    # Other processes know of the first rule a moment later.
    admin.wait_for_timeout(3500)
    customer.write("Cadê o meu boleto?")
    admin.goto("/rules?part=log")
    line = admin.get_by_role("listitem").filter(has_text=customer.name)
    expect(line).to_contain_text("tags: + Cobrança", timeout=15_000)
    line.get_by_role("link", name=re.compile(customer.name)).click()
    expect(conversation(admin, customer.name)).to_be_visible()
    call(admin, "DELETE", f"/tags/{tag['id']}")
    admin.goto("/rules")
    expect(admin.get_by_text("A tag “Cobrança” foi excluída.")).to_be_visible()
    expect(admin.get_by_role("checkbox", name=re.compile("^Ligar"))).not_to_be_checked()


def test_a_macro_shows_itself_runs_by_its_key_and_is_undone(product: Product, admin: Page) -> None:
    queue = make_queue(admin, ADMIN, ANA)
    admin.goto("/rules?part=macros")
    admin.get_by_role("button", name="Criar macro").click()
    dialog = admin.get_by_role("dialog", name="Nova macro")
    type_in(dialog.get_by_label("Nome"), "Urgente")
    choose(admin, "Ação 1", "colocar a tag", "mudar a prioridade para")
    choose(admin, "Ação 1", "alta", "urgente")
    pick(dialog.get_by_label("Tecla"), "Alt B")
    dialog.get_by_role("button", name="Salvar").click()
    expect(admin.get_by_text("mudar a prioridade para urgente.")).to_be_visible()

    customer = Customer(product, "Mara Macro")
    waits_in(admin, customer, queue)
    admin.goto("/tickets")
    tab(admin, "Aguardando").click()
    row(admin, "Aguardando", customer.name).click()
    expect(conversation(admin, customer.name)).to_be_visible()
    admin.keyboard.press("Alt+b")
    # The first time it shows what it will do.
    preview = admin.get_by_role("dialog", name="Urgente: o que vai ser feito")
    expect(preview).to_contain_text("mudar a prioridade para urgente")
    preview.get_by_role("button", name="Rodar").click()
    expect(admin.get_by_text("Macro “Urgente” feita.")).to_be_visible()
    mark = row(admin, "Aguardando", customer.name).get_by_role(
        "img", name=re.compile("urgente", re.IGNORECASE)
    )
    expect(mark).to_be_visible()
    admin.get_by_role("button", name="Desfazer").click()
    expect(mark).to_have_count(0)
    admin.keyboard.press("Alt+b")
    expect(mark).to_be_visible()
