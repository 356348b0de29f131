"""The dashboard: what an admin finds at home, and where everybody else is led."""

import re
from io import BytesIO
from pathlib import Path

import openpyxl
from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, ANA, OpenPage, log_in
from tests.journeys.people import Customer, pick
from tests.product import Product


def card(page: Page, name: str) -> Locator:
    """Return the figure of a card."""
    cards = page.get_by_label("Indicadores")
    return (
        cards.locator("div")
        .filter(has=page.get_by_text(name, exact=True))
        .get_by_role("definition")
    )


def test_an_admin_sees_how_attendance_goes(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    Customer(product, "Dalva Pires").write("Bom dia")
    page.get_by_role("link", name="Dashboard", exact=True).click()
    expect(page.get_by_role("heading", name="Dashboard", level=1)).to_be_visible()
    expect(card(page, "Pendentes")).to_have_text(re.compile(r"^[1-9]"))
    expect(card(page, "Novos contatos")).to_have_text(re.compile(r"^[1-9]"))
    chart = page.get_by_role("region", name="Atendimentos criados hoje").get_by_role("img")
    expect(chart).to_have_accessible_name(re.compile(r"\d\d:00: [1-9]\d* atendimento"))
    table = page.get_by_role("table", name="Atendentes")
    expect(table.get_by_role("row").filter(has_text="Online").first).to_be_visible()
    waiting = page.get_by_role("region", name="Aguardando agora")
    waiting.get_by_role("button", name="Abrir conversa").click()
    expect(page).to_have_url(re.compile("/tickets/[0-9a-f-]{36}"))


def test_dates_and_periods_put_each_other_back(page: Page, tmp_path: Path) -> None:
    log_in(page, ADMIN)
    page.get_by_role("link", name="Dashboard", exact=True).click()
    first, period = page.get_by_label("Data inicial"), page.get_by_label("Período", exact=True)
    expect(first).to_have_value(re.compile(r"01/\d\d/\d{4}"))
    expect(period).to_be_disabled()
    page.get_by_role("tab", name="Por período").click()
    expect(first).to_have_value("")
    expect(first).to_be_disabled()
    ask = page.get_by_role("button", name="Filtrar")
    ask.click()
    expect(page.get_by_text("Parametrize o filtro")).to_be_visible()
    pick(period, "Últimos 30 dias")
    with page.expect_response(re.compile(r"/api/dashboard\?days=30$")) as answer:
        ask.click()
    assert answer.value.ok
    with page.expect_download() as download:
        page.get_by_role("button", name="Exportar").click()
    download.value.save_as(tmp_path / "dashboard.xlsx")
    book = openpyxl.load_workbook(BytesIO((tmp_path / "dashboard.xlsx").read_bytes()))
    assert book.sheetnames[:2] == ["Resumo", "Atendentes"]
    page.get_by_role("tab", name="Por data").click()
    expect(period).to_have_value("")


def test_an_attendant_is_led_to_the_conversations(open_page: OpenPage) -> None:
    page = open_page()
    log_in(page, ANA)
    expect(page.get_by_role("link", name="Atendimentos")).to_be_visible()
    expect(page.get_by_role("link", name="Dashboard", exact=True)).to_have_count(0)
    page.goto("/")
    expect(page).to_have_url(re.compile("/tickets$"))
