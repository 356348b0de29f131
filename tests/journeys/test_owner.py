"""Another agent leads a conversation; a person takes it, gives it back, and writes over it."""

import re

from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, ANA, OpenPage, log_in
from tests.journeys.people import (
    BOT_NUMBER,
    NUMBER,
    Customer,
    Simulator,
    composer,
    keys_to,
    open_waiting,
    press,
    say,
    sent,
    serve,
    tick,
    type_in,
)
from tests.product import Product

ELSEWHERE = "Outro agente conduz esta conversa."
OURS = "Esta conversa está com a sua equipe."
NOBODY = "Ninguém conduz esta conversa agora."


def take_away(simulator: Simulator, customer: Customer) -> None:
    """Have the other responder take the conversation from us."""
    target = {"number": NUMBER, "customer": customer.number}
    simulator.call("POST", "/handover", {**target, "taken": True})


def test_a_conversation_is_taken_over_and_given_back(page: Page, product: Product) -> None:
    simulator, customer = Simulator(product), Customer(product, "Zulmira Peixoto")
    pane = serve(page, ANA, customer, "Quero falar com alguém")
    banner = pane.get_by_role("region", name="Quem conduz a conversa")
    expect(banner).to_have_count(0)
    take_away(simulator, customer)
    expect(banner.get_by_role("status")).to_contain_text(ELSEWHERE)
    customer.write("Tem alguém aí?")
    expect(pane.get_by_role("log").get_by_text("Tem alguém aí?")).to_be_visible()

    # Meta may refuse, and says so; then it allows it.
    take = banner.get_by_role("button", name="Assumir")
    simulator.fault("control_refused", 1)
    keys_to(take, "Shift+Tab")
    press(take, "Enter")
    expect(banner.get_by_role("alert")).to_contain_text("A Meta não deixou assumir esta conversa.")
    press(take, "Enter")
    expect(banner.get_by_role("status")).to_have_text(OURS)
    expect(banner.get_by_role("alert")).to_have_count(0)
    expect(pane.get_by_text(re.compile("^Ana Prado assumiu a conversa"))).to_be_visible()
    say(page, "Sim, estou aqui")
    expect(tick(sent(page, "Sim, estou aqui"), "Entregue")).to_be_visible()

    banner.get_by_role("button", name="Devolver ao agente").click()
    expect(banner.get_by_role("status")).to_contain_text(NOBODY)
    expect(pane.get_by_text(re.compile("^Ana Prado devolveu a conversa"))).to_be_visible()
    # What the customer writes now goes to the other responder.
    customer.write("E agora?")
    expect(banner.get_by_role("status")).to_contain_text(ELSEWHERE)


def test_who_writes_over_another_agent_is_asked_first(page: Page, product: Product) -> None:
    simulator, customer = Simulator(product), Customer(product, "Anacleto Bastos")
    pane = serve(page, ANA, customer)
    take_away(simulator, customer)
    banner = pane.get_by_role("region", name="Quem conduz a conversa")
    expect(banner.get_by_role("status")).to_contain_text(ELSEWHERE)
    type_in(composer(page), "Eu assumo daqui")
    press(composer(page), "Enter")
    ask = page.get_by_role("alertdialog", name="Assumir esta conversa?")
    ask.get_by_role("button", name="Cancelar").click()
    expect(ask).to_have_count(0)
    expect(composer(page)).to_have_value("Eu assumo daqui")
    press(composer(page), "Enter")
    ask.get_by_role("button", name="Enviar e assumir").click()
    expect(tick(sent(page, "Eu assumo daqui"), "Entregue")).to_be_visible()
    expect(banner.get_by_role("status")).to_have_text(OURS)
    expect(composer(page)).to_have_value("")


def test_the_phone_page_plays_another_agent(open_page: OpenPage, product: Product) -> None:
    page, phone = open_page(), open_page()
    customer = Customer(product, "Domitila Reis")
    pane = serve(page, ANA, customer)
    banner = pane.get_by_role("region", name="Quem conduz a conversa")
    phone.goto(customer.phone_address)
    agent = phone.get_by_role("region", name="Outro agente")
    expect(agent.get_by_role("status")).to_contain_text("A empresa conduz")
    agent.get_by_role("button", name="Passar ao outro agente").click()
    expect(agent.get_by_role("status")).to_contain_text("O outro agente conduz")
    expect(banner.get_by_role("status")).to_contain_text(ELSEWHERE)
    type_in(agent.get_by_role("textbox", name="Escrever como o outro agente"), "Sou a assistente")
    agent.get_by_role("button", name="Enviar").click()
    shown = phone.get_by_role("article").filter(has_text="Sou a assistente")
    expect(shown).to_contain_text("Outro agente")
    expect(pane.get_by_role("log").get_by_text("Sou a assistente")).to_be_visible()
    agent.get_by_role("button", name="Passar à empresa").click()
    expect(banner.get_by_role("status")).to_have_text(OURS)


def test_the_bot_says_nothing_where_another_agent_leads(product: Product) -> None:
    simulator, customer = Simulator(product), Customer(product, "Eufrásia Leal", to=BOT_NUMBER)
    target = {"number": BOT_NUMBER, "customer": customer.number}
    simulator.call("POST", "/responder", {**target, "body": "Sou a assistente."})
    customer.write("Oi")
    # Whoever writes to us after that is answered: the copy has been read by then.
    other = Customer(product, "Teodoro Vaz", to=BOT_NUMBER)
    other.write("Oi")
    other.wait_for_texts("")
    customer.wait_for_texts("Sou a assistente.")


def test_a_conversation_that_is_passed_to_us_waits_for_people(page: Page, product: Product) -> None:
    simulator, customer = Simulator(product), Customer(product, "Lindaura Paz", to=BOT_NUMBER)
    customer.write("Oi")
    customer.wait_for_texts("")
    target = {"number": BOT_NUMBER, "customer": customer.number}
    simulator.call("POST", "/handover", {**target, "taken": True})
    simulator.call("POST", "/handover", {**target, "taken": False})
    log_in(page, ADMIN, at="/tickets")
    pane = open_waiting(page, customer.name)
    expect(pane.get_by_text("Outro agente passou a conversa para nós")).to_be_visible()
    expect(pane.get_by_role("region", name="Quem conduz a conversa")).to_contain_text(OURS)
    # The bot's menu is over, and nothing else has been written to the customer.
    customer.write("Quero uma pessoa")
    expect(pane.get_by_role("log").get_by_text("Quero uma pessoa")).to_be_visible()
    assert len(customer.received()) == 1
