"""From a customer's message to an answered ticket, live, with the wrong people seeing nothing."""

from pathlib import Path

from playwright.sync_api import Page, WebSocket, expect

from tests.journeys.conftest import ADMIN, ANA, BRUNO, CARLA, OpenPage, log_in
from tests.journeys.people import (
    Customer,
    accept,
    composer,
    conversation,
    hold,
    open_waiting,
    row,
    say,
    sent,
    serve,
    tab,
    tick,
    token,
)
from tests.product import ROOT, Product

OUTSIDER = "admin@outra.local"
PICTURE = ROOT / "apps" / "simulator" / "samples" / "canecas.jpg"


def listen(page: Page) -> list[str]:
    """Return the list that will hold every text frame the page's sockets receive."""
    frames: list[str] = []

    def keep(payload: str | bytes) -> None:
        frames.append(payload if isinstance(payload, str) else payload.decode(errors="replace"))

    def attend(socket: WebSocket) -> None:
        socket.on("framereceived", keep)

    page.on("websocket", attend)
    return frames


def attach(page: Page, path: Path) -> None:
    """Choose a file as a person does."""
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Anexar arquivos").click()
    chooser.value.set_files(path)


def test_a_message_becomes_an_answered_ticket_in_every_entitled_browser(
    product: Product, open_page: OpenPage
) -> None:
    ana, admin, carla, bruno, outsider = (open_page() for _ in range(5))
    heard, missed = listen(ana), listen(outsider)
    for page, email in ((ana, ANA), (admin, ADMIN), (carla, CARLA), (bruno, BRUNO)):
        log_in(page, email)
        tab(page, "Aguardando").click()
        expect(row(page, "Aguardando", "").first).to_be_visible()
    log_in(outsider, OUTSIDER)
    # A company without a conversation has nothing but its first steps.
    expect(outsider.get_by_role("region", name="Vamos começar")).to_be_visible()

    customer = Customer(product, "Iracema Bittencourt")
    customer.write("Vocês ainda têm as canecas azuis?")
    for page in (ana, admin, carla):
        expect(row(page, "Aguardando", customer.name)).to_be_visible()
        expect(row(page, "Aguardando", customer.name)).to_contain_text("canecas azuis")
    # Bruno serves other queues; his list was live all the time.
    expect(row(bruno, "Aguardando", customer.name)).to_have_count(0)

    pane = open_waiting(ana, customer.name)
    expect(pane.get_by_text("Aceite este atendimento para responder.")).to_be_visible()
    pane.get_by_role("button", name="Aceitar").first.click()
    # The list follows the conversation.
    expect(tab(ana, "Atendendo")).to_have_attribute("aria-selected", "true")
    expect(row(ana, "Atendendo", customer.name)).to_have_attribute("aria-current", "true")
    for page in (admin, carla):
        expect(row(page, "Aguardando", customer.name)).to_have_count(0)

    say(ana, "Temos sim, vou mandar uma foto.")
    attach(ana, PICTURE)
    preview = ana.get_by_role("list", name="Arquivos para enviar")
    expect(preview.get_by_role("img", name="canecas.jpg")).to_be_visible()
    say(ana, "As três cores de hoje")
    text, picture = sent(ana, "vou mandar uma foto"), sent(ana, "As três cores de hoje")
    expect(tick(text, "Entregue")).to_be_visible()
    expect(tick(picture, "Entregue")).to_be_visible()
    expect(picture.get_by_role("button", name="Ampliar imagem")).to_be_visible()

    phone = open_page()
    phone.goto(customer.phone_address)
    messages = phone.get_by_test_id("messages")
    expect(messages.get_by_text("vou mandar uma foto")).to_be_visible()
    shown = messages.get_by_test_id("message").filter(has_text="As três cores de hoje")
    expect(shown.get_by_role("img").first).to_be_visible()
    expect(tick(text, "Lida")).to_be_visible()
    expect(tick(picture, "Lida")).to_be_visible()

    conversation(ana, customer.name).get_by_role("button", name="Resolver").click()
    expect(row(ana, "Atendendo", customer.name)).to_have_count(0)
    tab(ana, "Resolvidos").click()
    expect(row(ana, "Resolvidos", customer.name)).to_be_visible()

    answer = ana.request.get(
        f"/api/tickets?status=closed&searchParam={customer.number}",
        headers={"Authorization": f"Bearer {token(ana)}"},
    )
    uuid = answer.json()["tickets"][0]["uuid"]
    foreign = outsider.request.get(
        f"/api/tickets/u/{uuid}", headers={"Authorization": f"Bearer {token(outsider)}"}
    )
    assert foreign.status == 404
    assert any(customer.number in frame for frame in heard)
    assert missed, "The outsider's socket was live."
    assert not [frame for frame in missed if customer.number in frame or customer.name in frame]
    expect(outsider.get_by_role("region", name="Vamos começar")).to_be_visible()


def test_of_two_who_accept_at_once_one_wins_and_the_other_is_told(
    product: Product, open_page: OpenPage
) -> None:
    ana, carla = open_page(), open_page()
    log_in(ana, ANA)
    log_in(carla, CARLA)
    customer = Customer(product, "Jurandir Paranhos")
    customer.write("Alguém aí?")
    pane = open_waiting(carla, customer.name)
    held = hold(carla, "**/api/tickets/*", "PUT")
    pane.get_by_role("button", name="Aceitar").first.click()
    expect(pane.get_by_role("button", name="Aceitar").first).to_be_disabled()

    accept(ana, customer.name)
    held[0].continue_()
    expect(carla.get_by_text("Ana Prado já aceitou este atendimento.")).to_be_visible()
    expect(carla.get_by_text("Somente leitura: Ana Prado está atendendo")).to_be_visible()
    expect(composer(carla)).to_have_count(0)
    say(ana, "Estou aqui!")
    expect(tick(sent(ana, "Estou aqui!"), "Entregue")).to_be_visible()


def test_returned_and_reopened_tickets_move_between_the_lists(
    product: Product, open_page: OpenPage
) -> None:
    ana, carla = open_page(), open_page()
    log_in(carla, CARLA)
    tab(carla, "Aguardando").click()
    customer = Customer(product, "Quitéria Valadares")
    pane = serve(ana, ANA, customer, "Queria trocar um prato.")
    expect(row(carla, "Aguardando", customer.name)).to_have_count(0)

    pane.get_by_role("button", name="Devolver").click()
    expect(row(carla, "Aguardando", customer.name)).to_be_visible()
    accept(carla, customer.name)
    say(carla, "Pode deixar comigo.")
    expect(tick(sent(carla, "Pode deixar comigo."), "Entregue")).to_be_visible()
    conversation(carla, customer.name).get_by_role("button", name="Resolver").click()
    expect(conversation(carla, customer.name)).to_have_count(0)

    tab(carla, "Resolvidos").click()
    row(carla, "Resolvidos", customer.name).click()
    conversation(carla, customer.name).get_by_role("button", name="Reabrir").first.click()
    expect(composer(carla)).to_be_visible()
    expect(row(carla, "Atendendo", customer.name)).to_be_visible()
