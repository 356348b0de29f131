"""How to reach what the operator tells every company."""

import re

from playwright.sync_api import Page, expect

from tests.journeys.conftest import SUPER, log_in
from tests.journeys.people import token, type_in
from tests.product import Product

TITLE = "Manutenção programada"
ANNOUNCEMENTS = [
    ("Agora com campanhas por segmento", "Escolha por tags, cidade ou compras.", 3),
    ("Novos preços das mensagens da Meta", "Valem a partir do dia primeiro.", 2),
    (TITLE, "No domingo, das 22h às 23h, o sistema ficará fora do ar. " * 4, 1),
]


def show_announcements(page: Page, product: Product) -> None:
    """Show one of each priority, made when they are not there yet."""
    log_in(page, SUPER)
    headers = {"Authorization": f"Bearer {token(page)}"}
    found = page.request.get("/api/announcements?searchParam=programada", headers=headers)
    if not found.json()["count"]:
        for title, text, priority in ANNOUNCEMENTS:
            given = {"title": title, "text": text, "priority": priority}
            assert page.request.post("/api/announcements", data=given, headers=headers).ok
    page.goto("/announcements")
    expect(page.get_by_role("row").filter(has_text=TITLE)).to_be_visible()


def show_announcement_form(page: Page, product: Product) -> None:
    show_announcements(page, product)
    page.get_by_role("row").filter(has_text=TITLE).click()
    dialog = page.get_by_role("dialog", name="Editar informativo")
    type_in(dialog.get_by_label("Título"), "")
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog.get_by_text("Obrigatório", exact=True)).to_be_visible()


def show_announcement_list(page: Page, product: Product) -> None:
    show_announcements(page, product)
    page.get_by_role("button", name=re.compile("^Informativos")).click()
    listed = page.get_by_role("dialog", name="Informativos")
    expect(listed.get_by_role("button", name=TITLE)).to_be_visible()


def show_announcement(page: Page, product: Product) -> None:
    show_announcement_list(page, product)
    page.get_by_role("dialog").get_by_role("button", name=TITLE).click()
    expect(page.get_by_role("dialog", name=TITLE)).to_be_visible()
