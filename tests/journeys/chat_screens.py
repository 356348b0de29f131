"""How to reach what a team writes to each other."""

import re

from playwright.sync_api import Page, expect

from tests.journeys.conftest import ANA, log_in
from tests.journeys.people import token
from tests.product import Product

TITLE = "Plantão da semana"
TEXTS = (
    "Bom dia! Quem fica no sábado?",
    "A escala está em https://exemplo.com.br/escala e vale até o fim do mês. " * 4,
    "Obrigada!",
)
CHATS = ("Avisos da loja com um título que não cabe inteiro na lista", "Fornecedores", TITLE)


def _make_chats(page: Page) -> str:
    """Make some when they are not there yet, and return the uuid of the one with messages."""
    headers = {"Authorization": f"Bearer {token(page)}"}
    search = "/api/chats/?searchParam=plantao"
    if not page.request.get(search, headers=headers).json()["count"]:
        users = page.request.get("/api/users/list", headers=headers).json()
        for title in CHATS:
            given = {"title": title, "users": [user["id"] for user in users]}
            made = page.request.post("/api/chats", data=given, headers=headers).json()
        for text in TEXTS:
            path = f"/api/chats/{made['id']}/messages"
            assert page.request.post(path, data={"message": text}, headers=headers).ok
    return str(page.request.get(search, headers=headers).json()["records"][0]["uuid"])


def show_chats(page: Page, product: Product) -> None:
    """Show a chat beside the list, or alone where it is narrow."""
    log_in(page, ANA)
    page.goto(f"/chats/{_make_chats(page)}")
    expect(page.get_by_role("log").get_by_text(TEXTS[-1])).to_be_visible()


def show_chat_form(page: Page, product: Product) -> None:
    show_chats(page, product)
    page.get_by_role("button", name=f"Ações de {TITLE}").click()
    page.get_by_role("menuitem", name="Editar conversa").click()
    expect(page.get_by_role("dialog").get_by_role("checkbox").first).to_be_attached()


def show_chat_list(page: Page, product: Product) -> None:
    show_chats(page, product)
    page.get_by_role("button", name=re.compile("^Chat interno")).click()
    listed = page.get_by_role("dialog", name="Chat interno")
    expect(listed.get_by_role("link", name=TITLE)).to_be_visible()
