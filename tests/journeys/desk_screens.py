"""How to reach the screens of the distribution, and a queue that distributes."""

import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Locator, Page, Route, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import Customer, accept, act, keys_to, pick, token, type_in
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
    body = {"name": f"Plantão {number}", "color": f"#0a{number:04x}", "orderQueue": None}
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


def show_hands(page: Page, product: Product) -> None:
    """Show why the user has a conversation."""
    customer = Customer(product, "Sílvia Prates")
    log_in(page, ADMIN)
    with distributing(page):
        # A page that is not connected yet when the setting changes does not hear of it.
        page.reload()
        customer.write("Bom dia")
        pane = accept(page, customer.name)
        pane.get_by_role("button", name="Opções do atendimento").click()
        page.get_by_role("menuitem", name="Por que está comigo?").click()
        dialog = page.get_by_role("dialog", name="Por que está comigo?")
        expect(dialog.get_by_role("listitem")).to_be_visible()


def rehearse(page: Page, title: str) -> Locator:
    """Have the open rehearsal try the last 30 days; return its dialog with the report."""
    dialog = page.get_by_role("dialog", name=title)
    pick(dialog.get_by_label("Período"), "Os últimos 30 dias")
    dialog.get_by_role("button", name="Ensaiar", exact=True).click()
    expect(dialog.get_by_role("button", name="Outro período")).to_be_visible(timeout=60_000)
    after = re.compile("Seria|Menu novo")
    expect(dialog.get_by_role("columnheader", name=after).first).to_be_visible()
    return dialog


def show_rehearsal(page: Page, product: Product) -> None:
    """Show the report of a rehearsal; nothing is switched on."""
    show_distribution(page, product)
    page.get_by_role("button", name="Ensaiar…").click()
    rehearse(page, "Ensaio · Financeiro")


def show_bot_rehearsal(page: Page, product: Product) -> None:
    """Show the report of a menu whose option would lead elsewhere; nothing is saved."""
    log_in(page, ADMIN, at="/queues")
    page.get_by_role("row").filter(has=page.get_by_text("Trocas e devoluções")).click()
    dialog = page.get_by_role("dialog", name="Editar fila")
    dialog.get_by_role("treeitem", name="Prazo de troca").click()
    pick(dialog.get_by_label("Depois da resposta"), "Transferir para Vendas")
    dialog.get_by_role("button", name="Ensaiar…").click()
    report = rehearse(page, "Ensaio · Trocas e devoluções")
    expect(report.get_by_role("table", name="O que aconteceu e o que teria")).to_be_visible()


def begin_rule(page: Page) -> Locator:
    """Write a rule for contacts who wait for ten minutes, and begin to rehearse it."""
    page.get_by_role("button", name="Criar regra").click()
    dialog = page.get_by_role("dialog", name="Nova regra")
    dialog.get_by_role("button", name="Ensaiar…").click()
    return dialog


def show_rule_rehearsal(page: Page, product: Product) -> None:
    """Show what a rule would have done in the demo's last days; nothing is saved."""
    log_in(page, ADMIN, at="/rules")
    begin_rule(page)
    rehearse_rule(page)


def rehearse_rule(page: Page) -> Locator:
    """Have the open rehearsal of a rule try the last week; return its dialog with the report."""
    dialog = page.get_by_role("dialog", name="Ensaio · Regra")
    dialog.get_by_role("button", name="Ensaiar", exact=True).click()
    expect(dialog.get_by_role("button", name="Outro período")).to_be_visible(timeout=60_000)
    expect(dialog.get_by_role("list", name="Exemplos")).to_be_visible()
    return dialog


def show_deadline_rehearsal(page: Page, product: Product) -> None:
    """Show how times would have been kept; nothing is saved."""
    show_deadlines(page, product)
    dialog = page.get_by_role("dialog", name="Novos prazos")
    dialog.get_by_role("button", name="Ensaiar…").click()
    rehearse(page, "Ensaio · Novos prazos")


def show_unrehearsed_rule(page: Page, product: Product) -> None:
    """Show a rule of which nothing stored tells when it would have run; nothing is saved."""
    log_in(page, ADMIN, at="/rules")
    page.get_by_role("button", name="Criar regra").click()
    dialog = page.get_by_role("dialog", name="Nova regra")
    dialog.get_by_role("button", name="Quando: o cliente espera resposta há").click()
    page.get_by_role("menuitem", name="a conversa recebe").click()
    expect(dialog.get_by_text("Esta regra não pode ser ensaiada")).to_be_visible()


def begin_menu(page: Page, queue: str) -> None:
    """Give a queue that is edited its first option, and begin to rehearse it."""
    page.get_by_role("row").filter(has=page.get_by_text(queue, exact=True)).click()
    dialog = page.get_by_role("dialog", name="Editar fila")
    dialog.get_by_role("button", name="Adicionar a primeira opção").click()
    type_in(dialog.get_by_role("textbox", name="Título", exact=True), "Preços")
    dialog.get_by_role("button", name="Ensaiar…").click()


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


def show_rule(page: Page, product: Product) -> None:
    """Show a rule while it is written, with a group and a chooser; nothing is saved."""
    log_in(page, ADMIN, at="/rules")
    page.get_by_role("button", name="Criar regra").click()
    dialog = page.get_by_role("dialog", name="Nova regra")
    dialog.get_by_role("button", name="Condição", exact=True).click()
    dialog.get_by_role("button", name="Grupo", exact=True).click()
    dialog.get_by_role("button", name="Ação", exact=True).click()
    dialog.get_by_role("button", name="Condição 1: escolha", exact=True).first.click()
    expect(page.get_by_text("Financeiro", exact=True).last).to_be_visible()


def _rule(number: int, **fields: Any) -> dict[str, Any]:
    row = {"id": number, "position": number, "name": "", "isOn": True, "condition": None}
    shown = {"problem": "", "startsItself": False, "names": [], "runCount": 0, "lastRunAt": None}
    return {**row, **shown, **fields}


RULES = [
    _rule(
        1,
        name="Ninguém espera demais",
        trigger={"when": "we_silent", "minutes": 10, "inHours": True},
        condition={"not": {"field": "priority", "operator": "is", "values": ["low"]}},
        actions=[{"do": "tell", "tells": "supervisors"}, {"do": "priority", "priority": "high"}],
        runCount=37,
        lastRunAt="2026-11-30T13:05:00Z",
    ),
    _rule(
        2,
        trigger={"when": "message_in"},
        condition={
            "all": [
                {"field": "message", "operator": "contains", "values": ["boleto", "fatura"]},
                {"field": "hours", "operator": "is", "values": ["open"]},
            ]
        },
        actions=[{"do": "send_text", "text": "Já mando a segunda via, {{firstName}}!"}],
    ),
    _rule(
        3,
        isOn=False,
        problem="A fila “Trocas” foi excluída.",
        trigger={"when": "contact_silent", "minutes": 1440, "inHours": False},
        actions=[{"do": "note", "text": "Sumiu"}, {"do": "queue", "id": 900}],
    ),
]
MACRO = {
    "id": 1,
    "name": "Segunda via",
    "shortcut": "b",
    "isShared": True,
    "isKnown": True,
    "problem": "",
    "names": [],
    "actions": [
        {"do": "priority", "priority": "high"},
        {"do": "send_text", "text": "Segue a segunda via."},
        {"do": "snooze", "minutes": 120},
    ],
}


def show_rules(page: Page, product: Product) -> None:
    """Show rules of which nothing is saved."""
    page.route("**/api/rules", lambda route: route.fulfill(json=RULES))
    log_in(page, ADMIN, at="/rules")
    expect(page.get_by_text("Ninguém espera demais")).to_be_visible()


def show_macros(page: Page, product: Product) -> None:
    page.route("**/api/macros", lambda route: route.fulfill(json=[MACRO]))
    log_in(page, ADMIN, at="/rules?part=macros")
    expect(page.get_by_text("Segunda via", exact=True)).to_be_visible()


def show_holidays(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/settings?tab=holidays")
    expect(page.get_by_label("Feriados nacionais")).to_be_visible()


def switched_on(page: Page, key: str) -> None:
    """Have the page see a setting as enabled; nothing is saved."""

    def answer(route: Route) -> None:
        found = route.fetch()
        body = found.json()
        for setting in body["user"]["company"]["settings"] if found.ok else ():
            if setting["key"] == key:
                setting["value"] = "enabled"
        route.fulfill(response=found, json=body)

    page.route("**/api/auth/refresh_token", answer)


QUEUES = [
    {"id": 4, "name": "Vendas", "color": "#3E7BD6"},
    {"id": 5, "name": "Trocas e devoluções", "color": "#E0763B"},
]


def _member(number: int, name: str, presence: str, **fields: Any) -> dict[str, Any]:
    shown = {"userId": number, "presence": presence, "reason": "", "until": None, "away": False}
    return {
        "id": number,
        "name": name,
        "profile": "user",
        "seesAll": True,
        "presence": shown | {"since": "2026-11-30T13:05:00Z"},
        "connected": True,
        "withinHours": True,
        "queues": QUEUES,
        "capacity": 0,
        "load": number,
        "whatsappWeight": 1,
        "callWeight": 3,
        "schedules": [],
        "skillIds": [],
        "unansweredSince": None,
        "givenToday": 4 * number,
        "resolvedToday": 3 * number,
        "returnedToday": number - 1,
    } | fields


MEMBERS = [
    _member(1, "Ana Prado", "online", capacity=3, unansweredSince="2026-11-30T13:05:00Z"),
    _member(2, "Bruno Santana", "offline", capacity=8),
    _member(3, "Carla Nogueira", "online", withinHours=False, capacity=3),
    _member(4, "Davi Prestes", "offline", queues=[]),
]


def show_team(page: Page, product: Product) -> None:
    """Show people with what they have; nothing is switched on."""
    switched_on(page, "assignment")
    log_in(page, ADMIN)
    tickets = call(page, "GET", "/tickets?status=open&showAll=true")["tickets"][:3]
    since = "2026-11-30T13:05:00Z"
    held = [
        {"ticket": each, "givenAt": since, "unansweredSince": since, "points": 1}
        for each in tickets
    ]
    waiting = [
        {"queueId": each["id"], "name": each["name"], "color": each["color"]}
        | {"count": 3, "since": since}
        for each in QUEUES
    ]
    team = {"members": MEMBERS, "waiting": waiting, "forSupervisors": tickets[2:]}
    presences = [each["presence"] for each in MEMBERS]
    page.route("**/api/presence", lambda route: route.fulfill(json=presences))
    page.route("**/api/team", lambda route: route.fulfill(json=team))
    page.route("**/api/team/*/tickets", lambda route: route.fulfill(json=held[:2]))
    page.goto("/team")
    page.get_by_role("button", name="Mostrar os atendimentos de Ana Prado").click()
    expect(page.get_by_role("group", name=tickets[0]["contact"]["name"])).to_be_visible()


def show_seat(page: Page, product: Product) -> None:
    """Show what a person can take, with hours of their own; nothing is saved."""
    show_team(page, product)
    keys_to(page.get_by_role("button", name="Ações de Ana Prado"), "Shift+Tab")
    page.keyboard.press("Enter")
    page.get_by_role("menuitem", name="Capacidade e horários").click()
    dialog = page.get_by_role("dialog", name="Capacidade e horários")
    dialog.get_by_text("Tem horário de trabalho próprio").click()
    expect(dialog.get_by_role("group", name="Domingo")).to_be_attached()


def show_missed(page: Page, product: Product) -> None:
    """Show the deadlines behind a figure of the dashboard, of which nothing is stored."""
    switched_on(page, "sla")
    log_in(page, ADMIN)
    tickets = call(page, "GET", "/tickets?status=open&showAll=true")["tickets"][:3]
    at = "2026-11-30T13:05:00Z"
    clock = {"kind": "first_answer", "minutes": 15, "startedAt": at, "dueAt": at}
    clock |= {"pausedAt": None, "pausedSeconds": 0, "metAt": None, "missedAt": at, "endedAt": at}
    clocks = [
        {"clock": clock | {"id": number}, "ticket": each}
        | {"queueName": "Trocas e devoluções", "userName": "Ana Prado"}
        for number, each in enumerate(tickets)
    ]
    counts = {"met": 41, "missed": 3}
    report = {
        "kinds": [{"kind": "first_answer"} | counts],
        "queues": [{"id": 5, "name": "Trocas e devoluções"} | counts],
        "users": [{"id": 1, "name": "Ana Prado"} | counts],
        "hours": [{"hour": 14} | counts],
    }
    page.route("**/api/sla/report*", lambda route: route.fulfill(json=report))
    answer = {"clocks": clocks, "hasMore": False}
    page.route("**/api/sla/missed*", lambda route: route.fulfill(json=answer))
    page.goto("/")
    part = page.get_by_role("region", name="Prazos")
    part.get_by_role("button", name="3 perdidos").first.click()
    dialog = page.get_by_role("dialog", name="Prazos perdidos: primeira resposta")
    expect(dialog.get_by_role("button", name="Abrir conversa").first).to_be_visible()
