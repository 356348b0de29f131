"""How to reach the screens of the distribution, and a queue that distributes."""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import act, pick, token
from tests.product import Product

# A name and a colour of their own for every queue of a run.
_numbers = itertools.count(1)


def call(page: Page, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
    answer = page.request.fetch(
        f"/api{path}",
        method=method,
        data=body,
        headers={"Authorization": f"Bearer {token(page)}"},
    )
    assert answer.ok, answer.text()
    return answer.json()


def make_queue(page: Page, *emails: str) -> dict[str, Any]:
    """Make a queue as the page's admin, with these people as members."""
    number = next(_numbers)
    body = {"name": f"Plantão {number}", "color": f"#0a{number:04x}"}
    queue = call(page, "POST", "/queue", body)
    for user in call(page, "GET", "/users/list"):
        if user["email"] in emails:
            ids = [each["id"] for each in user["queues"]] + [queue["id"]]
            call(page, "PUT", f"/users/{user['id']}", {"queueIds": ids})
    return dict(queue)


@contextmanager
def distributing(page: Page) -> Iterator[None]:
    """Have the company distribute meanwhile; other journeys begin without."""
    call(page, "PUT", "/settings/assignment", {"value": "enabled"})
    try:
        yield
    finally:
        call(page, "PUT", "/settings/assignment", {"value": "disabled"})


def show_distribution(page: Page, product: Product) -> None:
    """Show how a queue gives what waits; nothing is saved."""
    log_in(page, ADMIN, at="/queues")
    act(page, "Financeiro", "Distribuição de Financeiro")
    dialog = page.get_by_role("dialog", name="Distribuição · Financeiro")
    dialog.get_by_text("Em rodízio", exact=True).click()
    expect(dialog.get_by_label("Quem já atendeu o contato")).to_be_visible()


def show_team_off(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/team")
    expect(page.get_by_text("A distribuição automática está desligada.")).to_be_visible()


def show_deadlines(page: Page, product: Product) -> None:
    """Show the sentences of a step while times are made; nothing is saved."""
    log_in(page, ADMIN, at="/settings?tab=deadlines")
    page.get_by_role("button", name="Criar prazos").click()
    dialog = page.get_by_role("dialog", name="Novos prazos")
    pick(dialog.get_by_label("da fila"), "Financeiro")
    dialog.get_by_role("button", name="Adicionar passo").click()
    expect(dialog.get_by_role("group", name="Passo 1")).to_be_visible()


def show_holidays(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/settings?tab=holidays")
    expect(page.get_by_label("Feriados nacionais")).to_be_visible()
