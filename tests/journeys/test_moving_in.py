"""A shop moves in with its number and its past, while its inbox is open elsewhere."""

import re
import time
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, ANA, OpenPage, log_in
from tests.journeys.notices import RECORDER, notices
from tests.journeys.people import (
    Customer,
    Simulator,
    conversation,
    press_box,
    press_last,
    row,
    scroll_to,
    sent,
    tab,
    token,
    type_in,
    wait_in,
)
from tests.product import Product, wait_for

SHOP = "Loja da Praça"
DAY = 86_400


class Phone:
    """The shop's phone, which tells what it is made to, and of nothing by itself."""

    def __init__(self, simulator: Simulator) -> None:
        self._simulator = simulator
        numbers = simulator.call("GET", "/state")["numbers"]
        [self.number] = [each["id"] for each in numbers if each["name"] == SHOP]

    def tell(self, field: str, **value: Any) -> None:
        self._simulator.call(
            "POST", "/report", {"number": self.number, "field": field, "value": value}
        )

    def tell_past(self, phase: int, progress: int, *threads: dict[str, Any]) -> None:
        """Tell one chunk."""
        metadata = {"phase": phase, "chunk_order": 1, "progress": progress}
        self.tell("history", history=[{"metadata": metadata, "threads": list(threads)}])


def thread(person: Customer, *said: tuple[int, str, bool]) -> dict[str, Any]:
    """Return what was said with somebody: how many days ago, the words, whether by the shop."""
    own, now = "5511940000088", int(time.time())
    messages = [
        {
            "from": own if from_me else person.number,
            "id": f"wamid.moved.{person.number}.{days}.{from_me}",
            "timestamp": str(now - days * DAY + from_me),
            "type": "text",
            "text": {"body": words},
            "history_context": {"status": "READ", "from_me": from_me},
        }
        for days, words, from_me in said
    ]
    return {"id": person.number, "messages": messages}


def connect(page: Page) -> None:
    """Connect a number that stays on its phone, with the button."""
    page.get_by_role("link", name="Conexões").click()
    page.get_by_role("button", name="Conectar com o Facebook").click()
    dialog = page.get_by_role("dialog", name="Conectar com o Facebook")
    dialog.locator("label").filter(has_text="Aqui e no celular").click()
    with page.expect_popup() as opened:
        dialog.get_by_role("button", name="Abrir janela do Facebook").click()
    type_in(opened.value.get_by_label("Nome que os contatos veem"), SHOP)
    type_in(opened.value.get_by_label("Número com DDD"), "+55 11 94000-0088")
    press_last(opened.value.get_by_role("button", name="Concluir", exact=True))
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name=f"Conectada: {SHOP}")).to_be_visible()


def give_queues(page: Page, *names: str) -> None:
    """Have the bot ask at the shop's number which of these queues it is to be."""
    headers = {"Authorization": f"Bearer {token(page)}"}
    queues = page.request.get("/api/queue", headers=headers).json()
    connections = page.request.get("/api/whatsapp/?session=0", headers=headers).json()
    [connection_id] = [each["id"] for each in connections if each["name"] == SHOP]
    chosen = [each["id"] for each in queues if each["name"] in names]
    body = {"queueIds": chosen, "greetingMessage": "Olá! Com quem quer falar?"}
    answer = page.request.put(f"/api/whatsapp/{connection_id}", headers=headers, data=body)
    assert answer.ok, answer.text()


def line(dialog: Locator, kind: str) -> Locator:
    """Return what the health says of contacts or conversations."""
    return dialog.get_by_role("listitem").filter(has_text=re.compile(f"^{kind}"))


def test_a_shop_moves_in_with_its_past(product: Product, page: Page, open_page: OpenPage) -> None:
    simulator = Simulator(product)
    simulator.call("POST", "/faults", {"kind": "phone_silent", "times": 2})
    log_in(page, ADMIN)
    connect(page)
    give_queues(page, "Vendas", "Financeiro")
    phone = Phone(simulator)
    old, new = (
        Customer(product, name, to=phone.number) for name in ("Genoveva Braga", "Hildebrando Braga")
    )

    # The inbox is open in another browser, which writes down its sounds and notices.
    inbox = open_page()
    inbox.context.add_init_script(RECORDER)
    log_in(inbox, ANA)
    expect(tab(inbox, "Aguardando")).to_be_visible()
    # How much is unread comes a moment after the lists.
    expect(inbox).to_have_title(re.compile(r"^\(\d"))
    before = inbox.title()

    page.get_by_role("button", name=f"Saúde de {SHOP}").click()
    health = page.get_by_role("dialog", name=f"Saúde de {SHOP}")
    past, book = line(health, "Conversas"), line(health, "Contatos")
    expect(past).to_contain_text("pedido feito, aguardando o celular")
    expect(book).to_contain_text("pedido feito, aguardando o celular")

    # The address book, and the past in chunks: the middle, the newest, twice, and the oldest.
    entries = [
        {
            "type": "contact",
            "action": "add",
            "contact": {"full_name": each.name, "phone_number": each.number},
            "metadata": {"timestamp": str(int(time.time()))},
        }
        for each in (old, new)
    ]
    phone.tell("smb_app_state_sync", state_sync=entries)
    expect(book).to_contain_text("concluída · 2 contatos novos")
    phone.tell_past(
        1, 30, thread(old, (40, "A toalha de bilro chegou?", False), (40, "Chegou!", True))
    )
    expect(past).to_contain_text("30% · últimos 90 dias · 2 mensagens")
    bar = health.get_by_role("progressbar", name="Conversas recebidas")
    expect(bar).to_have_attribute("aria-valuenow", "30")
    newest = thread(new, (1, "Abrem no feriado?", False))
    phone.tell_past(0, 60, newest)
    phone.tell_past(0, 60, newest)
    expect(past).to_contain_text("60% · último dia · 3 mensagens")
    expect(bar).to_have_attribute("aria-valuenow", "60")
    phone.tell_past(2, 100, thread(old, (120, "Vocês fazem bainha?", False)))
    expect(past).to_contain_text("concluída · 4 mensagens")
    expect(bar).to_have_count(0)

    # Nobody was disturbed: no sound, no notice, nobody waits, the bot said nothing.
    assert inbox.evaluate("window.sounds") == 0
    assert notices(inbox) == []
    expect(inbox).to_have_title(before)
    tab(inbox, "Aguardando").click()
    expect(inbox.get_by_role("region", name="Aguardando", exact=True)).to_be_visible()
    for person in (old, new):
        expect(row(inbox, "Aguardando", person.name)).to_have_count(0)
        assert person.received() == []

    # It is found: among the closed, by a word of it, and with the contact.
    page.keyboard.press("Escape")
    page.get_by_role("link", name=re.compile("^Atendimentos")).click()
    tab(page, "Resolvidos").click()
    press_box(page, "Todos")
    # Below all that was resolved today.
    resolved = page.get_by_role("region", name="Resolvidos", exact=True)
    scroll_to(resolved, row(page, "Resolvidos", new.name))
    tab(page, "Busca").click()
    type_in(page.get_by_role("searchbox", name="Buscar atendimentos"), "bilro")
    found = row(page, "Busca", old.name)
    expect(found.locator("mark")).to_have_text("bilro")
    expect(found.get_by_label("não lida")).to_have_count(0)
    found.click()
    pane = conversation(page, old.name)
    texts = pane.get_by_role("log").locator("[data-message]")
    expect(texts).to_have_count(3)
    for place, words in enumerate(("bainha?", "bilro chegou?", "Chegou!")):
        expect(texts.nth(place)).to_contain_text(words)
    pane.get_by_role("button", name=re.compile("^Abrir contato de")).click()
    parts = page.get_by_role("tablist", name="Partes do contato")
    parts.get_by_role("tab", name="Atendimentos").click()
    held = page.get_by_role("list", name="Atendimentos do contato")
    expect(held.get_by_role("link")).to_have_count(1)

    # What the shop goes on writing on its phone stands there as sent.
    simulator.call(
        "POST",
        "/echo",
        {"number": phone.number, "customer": old.number, "body": "Fazemos bainha sim."},
    )
    expect(sent(page, "Fazemos bainha sim.")).to_be_visible()
    assert inbox.evaluate("window.sounds") == 0
    # One who writes now meets the bot, waits, and is heard.
    new.write("Bom dia!")
    wait_for(lambda: len(new.received()) == 1, "the bot's menu")
    new.write("Vendas")
    wait_in(inbox, "window.notices.length > 0")
    assert {each["title"] for each in notices(inbox)} == {new.name}
    assert inbox.evaluate("window.sounds") > 0

    # The phone takes the number away, and the page says so.
    simulator.call("POST", "/disconnect", {"number": phone.number})
    page.get_by_role("link", name="Conexões").click()
    entry = page.get_by_role("row").filter(has_text=SHOP)
    expect(entry).to_contain_text("foi retirado na Meta ou no celular. Conecte o número de novo.")
    expect(entry.get_by_text("Desconectada", exact=True)).to_be_visible()
