"""How to reach what the super user keeps in the settings."""

from playwright.sync_api import Page, expect

from tests.journeys import news_screens
from tests.journeys.conftest import SUPER, log_in
from tests.journeys.people import pick
from tests.product import Product


def show_companies(page: Page, product: Product) -> None:
    log_in(page, SUPER, at="/settings?tab=companies")
    expect(page.get_by_role("table", name="Empresas").get_by_role("row").nth(2)).to_be_visible()


def show_company(page: Page, product: Product) -> None:
    """Show a company in the form, with what is wrong with it."""
    show_companies(page, product)
    page.get_by_role("row").filter(has_not_text="2999").nth(1).click()
    form = page.get_by_role("form")
    expect(form.get_by_role("button", name="Excluir")).to_be_visible()
    form.get_by_role("button", name="Dados de cobrança").click()
    pick(form.get_by_label("Plano"), "Escolha um plano")
    form.get_by_role("button", name="Salvar").click()
    expect(form.get_by_text("Escolha um plano.", exact=True)).to_be_visible()


def show_plans(page: Page, product: Product) -> None:
    log_in(page, SUPER, at="/settings?tab=plans")
    page.get_by_role("table", name="Planos").get_by_role("row").nth(1).click()
    expect(page.get_by_role("button", name="Excluir")).to_be_visible()


def show_kept_helps(page: Page, product: Product) -> None:
    news_screens.show_helps(page, product)
    page.goto("/settings?tab=helps")
    expect(page.get_by_role("row").filter(has_text=news_screens.FILM)).to_be_visible()
