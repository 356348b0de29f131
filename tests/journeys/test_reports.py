"""The reports: from a figure to its conversations, and their file."""

import csv
import re
from io import StringIO
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import Customer, keys_to, pick
from tests.product import Product


def test_a_figure_opens_its_conversations_and_their_file(
    page: Page, product: Product, tmp_path: Path
) -> None:
    Customer(product, "Estela Relatório").write("Bom dia")
    log_in(page, ADMIN)
    page.get_by_role("link", name="Relatórios", exact=True).click()
    expect(page.get_by_role("heading", name="Relatórios", level=1)).to_be_visible()
    figures = page.get_by_role("group", name="Indicadores")
    waiting = figures.get_by_role("link", name=re.compile("^Aguardando"))
    expect(waiting).to_contain_text(re.compile("[1-9]"))
    count = re.sub(r"\D", "", waiting.inner_text())
    waiting.click()
    expect(page).to_have_url(re.compile("tab=conversations.*state=waiting"))
    expect(page.get_by_role("status").filter(has_text="conversa")).to_have_text(
        re.compile(rf"^{count} conversas?$")
    )
    table = page.get_by_role("table", name="Conversas")
    row = table.get_by_role("row").filter(has_text="Estela Relatório")
    expect(row).to_contain_text("Aguardando")
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    download.value.save_as(tmp_path / "conversas.csv")
    text = (tmp_path / "conversas.csv").read_bytes().decode("utf-8-sig")
    lines = list(csv.reader(StringIO(text), delimiter=";"))
    assert len(lines) - 1 == int(count)
    assert any("Estela Relatório" in cell for line in lines for cell in line)
    with page.expect_download() as sheet:
        page.get_by_role("button", name="Planilha").click()
    assert sheet.value.suggested_filename == "conversas.xlsx"
    row.click()
    expect(page).to_have_url(re.compile("/tickets/[0-9a-f-]{36}"))


def test_hours_are_walked_by_keys_and_peoples_days_lead_on(page: Page, product: Product) -> None:
    Customer(product, "Hélio Horário").write("Oi")
    log_in(page, ADMIN, at="/reports")
    cells = page.get_by_role("region", name="Quando começam").get_by_role("link")
    expect(cells.first).to_have_accessible_name(re.compile(r"\d h: [\d.]+ conversas?$"))
    reached = cells.and_(page.locator("[tabindex='0']"))
    expect(reached).to_have_count(1)
    keys_to(reached)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("weekday=[1-7].*hour="))
    page.get_by_role("button", name=re.compile("^Tirar o filtro")).click()
    expect(page).not_to_have_url(re.compile("weekday"))
    page.get_by_role("tab", name="Equipe por dia").click()
    pick(page.get_by_label("Período"), "90 dias")
    days = page.get_by_role("table", name="Equipe por dia")
    person = days.get_by_role("row").filter(has=page.get_by_role("link")).first.get_by_role("cell")
    name = person.first.inner_text()
    person.first.click()
    expect(page).to_have_url(re.compile("tab=conversations"))
    expect(page.get_by_label("Pessoa", exact=True).locator("option:checked")).to_have_text(name)


def test_the_dashboards_figures_open_conversations(page: Page) -> None:
    log_in(page, ADMIN, at="/")
    table = page.get_by_role("table", name="Filas")
    table.get_by_role("row").filter(has_text="Vendas").click()
    expect(page).to_have_url(re.compile(r"/reports\?tab=conversations.*queueId=\d"))
    expect(page.get_by_label("Fila", exact=True).locator("option:checked")).to_have_text("Vendas")
