"""The waiting list, what the bot did not understand, planned messages, and a draft that stays."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, ANA, CARLA, PASSWORD, OpenPage, log_in
from tests.journeys.people import (
    BOT_NUMBER,
    Customer,
    composer,
    conversation,
    fill_login,
    open_waiting,
    row,
    scroll_to,
    serve,
    tab,
    token,
    type_in,
)
from tests.journeys.test_bot import Office, wait_for_words
from tests.product import Product

ORDER = {"longest": "Quem espera há mais tempo", "last": "Última mensagem"}


def choose_order(page: Page, order: str) -> None:
    page.goto("/settings")
    page.get_by_role("radio", name=ORDER[order]).click()
    expect(page.get_by_role("radio", name=ORDER[order])).to_be_checked()
    expect(page.get_by_text("Operação atualizada com sucesso.").first).to_be_visible()


def since(listed: Locator) -> list[str]:
    """Return when each drawn row began to wait."""
    times: list[str] = listed.locator("time[datetime]").evaluate_all(
        "all => all.map(each => each.dateTime)"
    )
    return times


def test_who_waits_longest_stands_first_and_nobody_is_off_screen_uncounted(
    product: Product, open_page: OpenPage
) -> None:
    admin, carla = open_page(), open_page()
    log_in(admin, ADMIN)
    choose_order(admin, "longest")
    try:
        customers = [Customer(product, f"Zuleica Espera {number:02}") for number in range(20)]
        for customer in customers:
            customer.write("Bom dia!")
        carla.clock.install()
        log_in(carla, CARLA)
        tab(carla, "Aguardando").click()
        listed = carla.get_by_role("region", name="Aguardando", exact=True)
        expect(listed.get_by_role("link").first).to_be_visible()
        drawn = since(listed)
        assert drawn == sorted(drawn)

        # The one who came last is below the others: the button counts and leads there.
        last = row(carla, "Aguardando", customers[-1].name)
        expect(last).to_have_count(0)
        more = listed.get_by_role("button", name=re.compile(r"^Mais \d+ esperam$"))
        more.click()
        # It moves by less than the list's height, so that no row is passed over.
        expect(last).to_have_count(0)
        scroll_to(listed, last)
        expect(last).to_contain_text("agora")
        above = listed.get_by_role("button", name=re.compile(r"^\d+ esperam acima$"))
        expect(above).to_be_visible()
        carla.clock.fast_forward("12:00")
        expect(last).to_contain_text("há 12 min")
        above.click()
        expect(above).to_have_count(0)
    finally:
        choose_order(admin, "last")


def test_who_answers_what_the_bot_does_not_understand_is_told_so_without_a_second_greeting(
    product: Product, page: Page
) -> None:
    customer = Customer(product, "Nilza Engano", to=BOT_NUMBER)
    log_in(page, ADMIN)
    office = Office(page)
    with office.settings(chatBotType="text"):
        customer.write("Oi!")
        wait_for_words(customer, "Olá, Nilza!")
        customer.write("banana com aveia")
        told = wait_for_words(customer, "Não entendi. Escolha uma opção:")
        assert "Olá, Nilza!" not in str(told["body"])
        # Whoever looks on reads the same.
        pane = open_waiting(page, customer.name)
        expect(pane.get_by_role("log").get_by_text("Não entendi.")).to_be_visible()


def test_planned_messages_stand_in_the_conversation_and_are_cancelled_there(
    product: Product, page: Page
) -> None:
    customer = Customer(product, "Olívia Amanhã")
    pane = serve(page, ANA, customer)
    headers = {"Authorization": f"Bearer {token(page)}"}
    found = page.request.get(f"/api/contacts?searchParam={customer.number}", headers=headers)
    [contact] = found.json()["contacts"]
    day = datetime.now(ZoneInfo("America/Sao_Paulo")) + timedelta(days=2)
    for hour, body in ((9, "Seu vaso chegou"), (15, "Passamos aí às quatro")):
        moment = day.replace(hour=hour, minute=0, second=0, microsecond=0).isoformat()
        data = {"body": body, "contactId": contact["id"], "sendAt": moment}
        assert page.request.post("/api/schedules", data=data, headers=headers).ok
    strip = pane.get_by_role("region", name="Mensagens agendadas")
    expect(strip.get_by_text("Seu vaso chegou")).to_be_visible()
    expect(strip.get_by_text("Passamos aí às quatro")).to_have_count(0)
    strip.get_by_role("button", name="Mais 1 agendada").click()
    expect(strip.get_by_text("Passamos aí às quatro")).to_be_visible()

    strip.get_by_role("button", name="Cancelar agendamento").first.click()
    question = page.get_by_role("alertdialog", name="Cancelar esta mensagem agendada?")
    question.get_by_role("button", name="Cancelar agendamento").click()
    expect(page.get_by_text("Agendamento cancelado.")).to_be_visible()
    expect(strip.get_by_text("Seu vaso chegou")).to_have_count(0)
    expect(strip.get_by_text("Passamos aí às quatro")).to_be_visible()


def test_what_was_typed_is_there_again_after_a_login_elsewhere_took_the_account(
    product: Product, open_page: OpenPage
) -> None:
    page, elsewhere = open_page(), open_page()
    customer = Customer(product, "Tadeu Retorno")
    serve(page, ANA, customer)
    address = page.url
    with page.expect_response(re.compile(r"/tickets/\d+/draft$")):
        type_in(composer(page), "O prazo da entrega é")
    log_in(elsewhere, ANA)
    expect(page).to_have_url(re.compile("/login"))
    fill_login(page, ANA, PASSWORD)
    expect(page).to_have_url(re.compile("/tickets"))
    page.goto(address)
    expect(conversation(page, customer.name)).to_be_visible()
    expect(composer(page)).to_have_value("O prazo da entrega é")
