"""A change is tried on what happened, and switched on beside its report (rules/desk §16)."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, OpenPage, log_in
from tests.journeys.desk_screens import begin_menu, begin_rule, call, rehearse, rehearse_rule
from tests.journeys.people import act
from tests.product import Product


@pytest.fixture
def admin(open_page: OpenPage) -> Iterator[Page]:
    page = open_page()
    log_in(page, ADMIN, at="/queues")
    yield page
    for queue in call(page, "GET", "/queue"):
        if queue["name"] == "Financeiro":
            call(page, "PUT", f"/queue/{queue['id']}/assignment", {"mode": "manual"})
    call(page, "PUT", "/settings/assignment", {"value": "disabled"})
    for rehearsal in call(page, "GET", "/rehearsals"):
        call(page, "DELETE", f"/rehearsals/{rehearsal['id']}")


def test_a_distribution_is_tried_on_the_last_month_and_switched_on(
    product: Product, admin: Page
) -> None:
    act(admin, "Financeiro", "Distribuição de Financeiro")
    dialog = admin.get_by_role("dialog", name="Distribuição · Financeiro")
    dialog.get_by_text("Em rodízio", exact=True).click()
    dialog.get_by_role("button", name="Ensaiar…").click()
    report = rehearse(admin, "Ensaio · Financeiro")
    table = report.get_by_role("table", name="O que aconteceu e o que teria acontecido")
    expect(table.get_by_role("row", name="Espera pela primeira resposta (mediana)")).to_be_visible()
    expect(report.get_by_text("Iniciado por")).to_be_visible()
    # Trying it has changed nothing.
    stored = next(each for each in call(admin, "GET", "/queue") if each["name"] == "Financeiro")
    policy = call(admin, "GET", f"/queue/{stored['id']}/assignment")
    assert policy["mode"] == "manual"
    report.get_by_role("button", name="Ligar").click()
    expect(admin.get_by_text("Distribuição salva.")).to_be_visible()
    policy = call(admin, "GET", f"/queue/{stored['id']}/assignment")
    assert policy["mode"] == "round_robin"


def test_a_changed_menu_is_tried_and_saved_beside_its_report(product: Product, admin: Page) -> None:
    [queue] = [each for each in call(admin, "GET", "/queue") if each["name"] == "Vendas"]

    def menu() -> list[str]:
        stored = call(admin, "GET", f"/queue/{queue['id']}")
        return [each["title"] for each in stored["options"]]

    begin_menu(admin, "Vendas")
    report = rehearse(admin, "Ensaio · Vendas")
    table = report.get_by_role("table", name="O que aconteceu e o que teria")
    # Nobody has had a menu that there was not.
    expect(table.get_by_role("row", name="menu que o contato nunca viu")).to_be_visible()
    assert menu() == []
    report.get_by_role("button", name="Salvar esta mudança").click()
    expect(admin.get_by_text("Fila salva com sucesso.")).to_be_visible()
    assert menu() == ["Preços"]
    call(admin, "PUT", f"/queue/{queue['id']}", {**queue, "options": []})


def test_a_rule_is_tried_on_the_demos_week_and_switched_on(admin: Page) -> None:
    admin.goto("/rules")
    begin_rule(admin)
    report = rehearse_rule(admin)
    expect(report.get_by_text("a regra teria agido em")).to_be_visible()
    assert report.get_by_role("list", name="Exemplos").get_by_role("listitem").count() > 0
    assert call(admin, "GET", "/rules") == []
    report.get_by_role("button", name="Ligar").click()
    expect(admin.get_by_text("Regra salva.")).to_be_visible()
    [rule] = call(admin, "GET", "/rules")
    assert rule["isOn"]
    call(admin, "DELETE", f"/rules/{rule['id']}")
    call(admin, "PUT", "/settings/rules", {"value": "disabled"})
