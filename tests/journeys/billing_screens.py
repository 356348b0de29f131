"""How to reach what a company signs up with, and pays."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from playwright.sync_api import Locator, Page, Route, expect

from tests.journeys.conftest import ADMIN, PASSWORD, log_in
from tests.journeys.operator import Operator
from tests.journeys.people import fill_login
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


def show_subscription(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/subscription")
    expect(page.get_by_label("Período de teste")).to_be_visible()


def show_subscription_contact(page: Page, product: Product) -> None:
    """Show the way to subscribe, with the operator's e-mail and phone."""
    give_support(page)
    show_subscription(page, product)
    page.get_by_role("button", name="Assine Agora!").click()
    dialog = page.get_by_role("dialog", name="Assine Agora!")
    expect(dialog.get_by_role("link", name="ajuda@balcao.example")).to_be_visible()


def show_overdue(page: Page, product: Product) -> None:
    """Show what an overdue company's admin has, with a paid invoice beside the open one."""
    operator = Operator(product)
    name = f"Papelaria {page.evaluate('innerWidth')}"
    email = f"{name.lower().replace(' ', '')}@vencida.example"
    if name not in [each["name"] for each in operator.call("GET", "/companies/list")]:
        operator.open_company(name, email, sell_plans(operator), days=-2)
    give_support(page)
    page.goto("/login")
    fill_login(page, email, PASSWORD)
    expect(page.get_by_text("Opss! Sua assinatura venceu")).to_be_visible()
    expect(page.get_by_role("row").filter(has_text="Plano Essencial")).to_be_visible()


def show_checkout(page: Page, product: Product) -> None:
    open_checkout(page, product)


def show_checkout_payer(page: Page, product: Product) -> None:
    dialog = open_checkout(page, product)
    dialog.get_by_role("button", name="Voltar").click()
    dialog.get_by_role("button", name="PRÓXIMO").click()
    expect(dialog.get_by_text("CEP é obrigatório")).to_be_visible()


def show_checkout_review(page: Page, product: Product) -> None:
    dialog = open_checkout(page, product)
    dialog.get_by_role("button", name="PRÓXIMO").click()
    expect(dialog.get_by_role("button", name="PAGAR")).to_be_visible()


def show_pix(page: Page, product: Product) -> None:
    """Show the code to pay."""
    charge = {
        "qrcode": {"qrcode": "00020101021226830014BR.GOV.BCB.PIX2561pix.example/v2/" + "9a" * 40},
        "valor": {"original": "149.90"},
        "txid": "a" * 32,
        "invoiceId": 1,
        "expiresAt": (datetime.now(UTC) + timedelta(hours=1)).isoformat(),
        "isConfirmedByHand": False,
    }
    show_checkout_review(page, product)
    page.route(
        "**/api/subscription",
        lambda route: (
            route.fulfill(json=charge) if route.request.method == "POST" else route.fallback()
        ),
    )
    page.get_by_role("dialog").get_by_role("button", name="PAGAR").click()
    pix = page.get_by_role("dialog", name="Pagar com Pix")
    expect(pix.get_by_role("img", name="Código QR do Pix")).to_be_visible()


def open_checkout(page: Page, product: Product) -> Locator:
    """Open the checkout of an overdue company and return its dialog."""
    show_overdue(page, product)
    page.get_by_role("button", name=re.compile("^PAGAR")).first.click()
    dialog = page.get_by_role("dialog", name="Falta pouco!")
    expect(dialog.get_by_role("radio", name="Essencial")).to_be_checked()
    return dialog


def give_support(page: Page) -> None:
    """Have the operator's e-mail and phone known."""

    def answer(route: Route) -> None:
        if route.request.method != "GET":
            route.fallback()
            return
        body: dict[str, Any] = route.fetch().json()
        body["support"] = {"email": "ajuda@balcao.example", "phone": "(11) 4002-8922"}
        route.fulfill(json=body)

    page.route("**/api/subscription", answer)
