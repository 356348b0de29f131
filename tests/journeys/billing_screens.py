"""How to reach what a company signs up with, and pays."""

from playwright.sync_api import Page, expect

from tests.journeys.operator import Operator
from tests.product import Product


def sell_plans(operator: Operator) -> int:
    """Offer a small and a large plan; return the id of the small one."""
    small = operator.sell("Essencial", 49.9, users=3, connections=1, useCampaigns=False)
    operator.sell("Profissional", 149.9, users=10, connections=3)
    return small


def show_sign_up(page: Page, product: Product) -> None:
    sell_plans(Operator(product))
    page.goto("/signup")
    expect(page.get_by_role("radio", name="Essencial")).to_be_checked()
    page.get_by_role("button", name="Criar conta").click()
    expect(page.get_by_role("alert").first).to_be_visible()


def show_closed_sign_up(page: Page, product: Product) -> None:
    page.route("**/api/auth/signup", lambda route: route.fulfill(json={"enabled": False}))
    page.goto("/signup")
    expect(page.get_by_text("O cadastro está fechado")).to_be_visible()
