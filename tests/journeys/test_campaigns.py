"""Campaigns: made, refused, started, stopped and deleted; their settings and segments."""

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, ANA, log_in
from tests.journeys.people import (
    CONNECTION,
    Customer,
    attach,
    keys_to,
    pick,
    press,
    token,
    type_in,
)
from tests.product import ROOT, Product, wait_for

SAMPLES = ROOT / "apps/simulator/samples"

AT_ONCE = {"messageInterval": 0, "longerIntervalAfter": 0, "greaterInterval": 0}
# In which the demo company counts its days.
SHOP_ZONE = ZoneInfo("America/Sao_Paulo")
# The first message at once, the second two minutes later.
ONE_BY_ONE = {"messageInterval": 0, "longerIntervalAfter": 1, "greaterInterval": 120}


def row_of(page: Page, name: str) -> Locator:
    return page.get_by_role("row").filter(has=page.get_by_role("cell", name=name, exact=True))


def post(page: Page, path: str, body: dict[str, Any]) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {token(page)}"}
    answer = page.request.post(f"/api{path}", data=body, headers=headers)
    assert answer.ok, answer.text()
    return dict(answer.json()) if answer.text().startswith("{") else {}


def pace(page: Page, settings: dict[str, int]) -> None:
    post(page, "/campaign-settings", {"settings": settings})


def list_of(page: Page, name: str, *customers: Customer) -> str:
    """Make a contact list and return how it is offered."""
    made = post(page, "/contact-lists", {"name": name})
    for customer in customers:
        body = {"name": customer.name, "number": customer.number, "contactListId": made["id"]}
        post(page, "/contact-list-items", body)
    return f"{name} ({len(customers)})"


def open_page(page: Page) -> None:
    page.get_by_role("link", name="Campanhas", exact=True).click()
    expect(page.get_by_role("button", name="Nova campanha").first).to_be_visible()


def start(page: Page, dialog: Locator, name: str) -> None:
    dialog.get_by_role("button", name="Iniciar agora").click()
    asked = page.get_by_role("dialog", name=f"Iniciar {name} agora?")
    asked.get_by_role("button", name="Iniciar agora").click()
    expect(asked).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_campaign_is_made_by_mouse_and_reaches_the_customers(
    page: Page, product: Product
) -> None:
    customers = [Customer(product, f"{name} da Campanha") for name in ("Dora", "Edu")]
    for customer in customers:
        customer.write("Oi!")
    log_in(page, ADMIN)
    pace(page, AT_ONCE)
    offered = list_of(page, "Gente do mouse", *customers)
    open_page(page)
    page.get_by_role("button", name="Nova campanha").first.click()
    dialog = page.get_by_role("dialog", name="Nova campanha")
    expect(dialog.get_by_label("Nome", exact=True)).to_be_focused()
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog.get_by_text("Campo obrigatório!")).to_be_visible()
    type_in(dialog.get_by_label("Nome", exact=True), "Feira do mouse")
    pick(dialog.get_by_label("Lista de contatos"), offered)
    pick(dialog.get_by_label("Conexão"), CONNECTION)
    type_in(dialog.get_by_label("Mensagem 1", exact=True), "Olá, ")
    dialog.get_by_role("button", name="Nome", exact=True).click()
    page.keyboard.type("!")
    expect(dialog.get_by_label("Mensagem 1", exact=True)).to_have_value("Olá, {nome}!")
    preview = dialog.get_by_role("region", name="Como chega")
    expect(preview.get_by_text("Olá, Mariana Albuquerque!")).to_be_visible()
    type_in(preview.get_by_role("combobox", name="Ver como"), "Dora da")
    page.get_by_role("option", name=re.compile("^Dora da Campanha")).click()
    expect(preview.get_by_text("Olá, Dora da Campanha!")).to_be_visible()
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog).to_have_count(0)
    made = row_of(page, "Feira do mouse")
    for words in ("Inativa", "Gente do mouse", CONNECTION, "Sem agendamento", "Não concluída"):
        expect(made).to_contain_text(words)

    made.click()
    dialog = page.get_by_role("dialog", name="Editar campanha")
    start(page, dialog, "Feira do mouse")
    for customer in customers:
        customer.wait_for_texts(f"Olá, {customer.name}!")
    expect(made).to_contain_text("Finalizada")

    made.click()
    dialog = page.get_by_role("dialog", name="Apenas visualização")
    expect(dialog.get_by_label("Nome", exact=True)).to_be_disabled()
    expect(dialog.get_by_label("Mensagem 1", exact=True)).to_be_disabled()
    expect(dialog.get_by_role("button", name="Salvar")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)

    made.get_by_role("button", name="Excluir Feira do mouse").click()
    confirm = page.get_by_role("alertdialog", name="Excluir Feira do mouse?")
    confirm.get_by_role("button", name="Excluir").click()
    expect(made).to_have_count(0)


def test_a_campaign_is_made_by_keyboard_alone(page: Page, product: Product) -> None:
    customer = Customer(product, "Téo do Teclado")
    customer.write("Oi!")
    log_in(page, ADMIN)
    pace(page, AT_ONCE)
    list_of(page, "Aaa do teclado", customer)
    page.goto("/campaigns")
    keys_to(page.get_by_role("button", name="Nova campanha").first)
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Nova campanha")
    expect(dialog.get_by_label("Nome", exact=True)).to_be_focused()
    page.keyboard.type("Feira do teclado")
    expect(dialog.get_by_label("Lista de contatos").locator("option").nth(1)).to_be_attached()
    keys_to(dialog.get_by_label("Lista de contatos"))
    page.keyboard.type("Aaa do teclado")
    expect(dialog.get_by_label("Conexão").locator("option").nth(1)).to_be_attached()
    keys_to(dialog.get_by_label("Conexão"))
    page.keyboard.type(CONNECTION)
    keys_to(dialog.get_by_role("tab", name="Msg. 1"))
    page.keyboard.press("ArrowRight")
    keys_to(dialog.get_by_label("Mensagem 2", exact=True))
    page.keyboard.type("Chegou a feira, {nome}.")
    keys_to(dialog.get_by_role("button", name="Iniciar agora"))
    page.keyboard.press("Enter")
    asked = page.get_by_role("dialog", name="Iniciar Feira do teclado agora?")
    keys_to(asked.get_by_role("button", name="Iniciar agora"))
    page.keyboard.press("Enter")
    customer.wait_for_texts("Chegou a feira, Téo do Teclado.")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(row_of(page, "Feira do teclado")).to_contain_text("Finalizada")


def test_a_running_campaign_stops_and_goes_on_without_writing_twice(
    page: Page, product: Product
) -> None:
    first, second = (Customer(product, f"{name} da Parada") for name in ("Ada", "Bento"))
    for customer in (first, second):
        customer.write("Oi!")
    log_in(page, ADMIN)
    pace(page, ONE_BY_ONE)
    offered = list_of(page, "Gente da parada", first, second)
    open_page(page)
    page.get_by_role("button", name="Nova campanha").first.click()
    dialog = page.get_by_role("dialog", name="Nova campanha")
    type_in(dialog.get_by_label("Nome", exact=True), "Feira parada")
    pick(dialog.get_by_label("Lista de contatos"), offered)
    pick(dialog.get_by_label("Conexão"), CONNECTION)
    type_in(dialog.get_by_label("Mensagem 1", exact=True), "Só uma vez.")
    start(page, dialog, "Feira parada")
    first.wait_for_texts("Só uma vez.")
    row = row_of(page, "Feira parada")
    expect(row).to_contain_text("Em Andamento")
    expect(row).to_contain_text("de 2")

    row.get_by_role("button", name="Excluir Feira parada").click()
    confirm = page.get_by_role("alertdialog", name="Excluir Feira parada?")
    confirm.get_by_role("button", name="Excluir").click()
    refused = "Esta campanha está em andamento. Cancele-a antes de excluir."
    expect(page.get_by_text(refused)).to_be_visible()
    row.get_by_role("button", name="Parar Feira parada").click()
    confirm = page.get_by_role("alertdialog", name="Parar Feira parada?")
    confirm.get_by_role("button", name="Parar campanha").click()
    expect(row).to_contain_text("Cancelada")

    row.click()
    dialog = page.get_by_role("dialog", name="Editar campanha")
    expect(dialog.get_by_label("Lista de contatos")).to_be_disabled()
    type_in(dialog.get_by_label("Mensagem 1", exact=True), "Só uma vez, e outra palavra.")
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog).to_have_count(0)
    row.get_by_role("button", name="Reiniciar Feira parada").click()
    confirm = page.get_by_role("alertdialog", name="Reiniciar Feira parada?")
    press(confirm.get_by_role("button", name="Voltar"), "Tab")
    press(confirm.get_by_role("button", name="Reiniciar"), "Enter")
    second.wait_for_texts("Só uma vez, e outra palavra.")
    expect(row).to_contain_text("Finalizada")
    first.wait_for_texts("Só uma vez.")


def test_files_a_tag_five_texts_and_a_test_to_own_numbers(page: Page, product: Product) -> None:
    own, tagged = Customer(product, "Nina do Teste"), Customer(product, "Olga da Etiqueta")
    for customer in (own, tagged):
        customer.write("Oi!")
    log_in(page, ADMIN)
    pace(page, AT_ONCE)
    tag = post(page, "/tags", {"name": "Clientes da vitrine", "color": "#0F766E"})
    files = post(page, "/files", {"name": "Vitrine de vasos", "message": "Segue", "options": []})
    headers = {"Authorization": f"Bearer {token(page)}"}
    found = page.request.get(f"/api/tickets?searchParam={tagged.number}", headers=headers).json()
    [ticket] = found["tickets"]
    post(page, "/tags/sync", {"ticketId": ticket["id"], "tags": [tag]})
    open_page(page)
    page.get_by_role("button", name="Nova campanha").first.click()
    dialog = page.get_by_role("dialog", name="Nova campanha")
    type_in(dialog.get_by_label("Nome", exact=True), "Feira dos vasos")
    pick(dialog.get_by_label("Lista por tag"), "Clientes da vitrine")
    pick(dialog.get_by_label("Conexão"), CONNECTION)
    pick(dialog.get_by_label("Lista de arquivos"), files["name"])
    dialog.get_by_role("tab", name="Msg. 5").click()
    type_in(dialog.get_by_label("Mensagem 5", exact=True), "A quinta, {nome}!")
    attach(dialog.get_by_role("button", name="Anexar arquivo"), SAMPLES / "catalogo.pdf")
    expect(dialog.get_by_text("catalogo.pdf").first).to_be_visible()
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog).to_have_count(0)

    row = row_of(page, "Feira dos vasos")
    row.click()
    dialog = page.get_by_role("dialog", name="Editar campanha")
    dialog.get_by_role("button", name="Remover arquivo").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Excluir").click()
    expect(dialog.get_by_role("button", name="Anexar arquivo")).to_be_visible()
    attach(dialog.get_by_role("button", name="Anexar arquivo"), SAMPLES / "vasos.jpg")
    dialog.get_by_role("button", name="Enviar teste").click()
    test_dialog = page.get_by_role("dialog", name="Enviar teste")
    type_in(test_dialog.get_by_label("Números"), own.number)
    test_dialog.get_by_role("button", name="Enviar teste").click()
    expect(test_dialog.get_by_role("status")).to_have_text("Teste a caminho de 1 número.")
    wait_for(lambda: bool(own.received()), "the test on the telephone")
    [message] = own.received()
    assert message["type"] == "image"
    assert message["body"]["caption"] == f"A quinta, {own.name}!"
    test_dialog.get_by_role("button", name="Fechar").last.click()
    # It counts nowhere, and whom it is for has got nothing yet.
    assert tagged.received() == []

    start(page, dialog, "Feira dos vasos")
    wait_for(lambda: bool(tagged.received()), "the message on the telephone")
    [message] = tagged.received()
    assert message["body"]["caption"] == f"A quinta, {tagged.name}!"
    expect(row).to_contain_text("Finalizada")


def test_every_refusal_is_said_in_words_at_its_field(page: Page, product: Product) -> None:
    customer = Customer(product, "Rute das Recusas")
    log_in(page, ADMIN)
    offered = list_of(page, "Gente das recusas", customer)
    open_page(page)
    page.get_by_role("button", name="Nova campanha").first.click()
    dialog = page.get_by_role("dialog", name="Nova campanha")
    save = dialog.get_by_role("button", name="Salvar")

    def refused(words: str) -> None:
        save.click()
        expect(dialog.get_by_text(words)).to_be_visible()

    type_in(dialog.get_by_label("Nome", exact=True), "R")
    refused("Muito curto!")
    type_in(dialog.get_by_label("Nome", exact=True), "Feira das recusas")
    tomorrow = date.today() + timedelta(days=1)
    type_in(dialog.get_by_label("Data", exact=True), f"{tomorrow:%d/%m/%Y}")
    refused("Informe a hora também.")
    type_in(dialog.get_by_label("Hora", exact=True), "10:00")
    refused("Escolha a conexão pela qual a campanha será enviada.")
    pick(dialog.get_by_label("Conexão"), CONNECTION)
    refused("Escolha para quem a campanha será enviada")
    pick(dialog.get_by_label("Lista de contatos"), offered)
    dialog.get_by_role("tab", name="Msg. 3").click()
    refused("Escreva ao menos uma mensagem, anexe um arquivo ou escolha um modelo.")
    expect(dialog.get_by_role("tab", name="Msg. 1")).to_have_attribute("aria-selected", "true")
    type_in(dialog.get_by_label("Mensagem 1", exact=True), "Olá!")
    dialog.locator("label").filter(has_text="Pedir confirmação antes").click()
    refused("Escreva ao menos uma mensagem de confirmação, ou desligue a confirmação.")
    type_in(dialog.get_by_label("Mensagem de confirmação 1"), "Podemos escrever?")
    type_in(dialog.get_by_label("Data", exact=True), "01/01/2020")
    refused("Este horário já passou. Escolha um horário no futuro.")
    type_in(dialog.get_by_label("Data", exact=True), f"{tomorrow:%d/%m/%Y}")
    save.click()
    expect(dialog).to_have_count(0)
    row = row_of(page, "Feira das recusas")
    for words in ("Programada", f"{tomorrow:%d/%m/%Y} 10:00", "Habilitada"):
        expect(row).to_contain_text(words)


def test_what_was_typed_is_not_dropped_in_silence(page: Page) -> None:
    log_in(page, ADMIN)
    open_page(page)
    page.get_by_role("button", name="Nova campanha").first.click()
    dialog = page.get_by_role("dialog", name="Nova campanha")
    type_in(dialog.get_by_label("Mensagem 1", exact=True), "Quase pronta")
    page.keyboard.press("Escape")
    asked = page.get_by_role("alertdialog", name="Descartar alterações?")
    asked.get_by_role("button", name="Continuar editando").click()
    expect(dialog.get_by_label("Mensagem 1", exact=True)).to_have_value("Quase pronta")
    page.keyboard.press("Escape")
    asked.get_by_role("button", name="Descartar").click()
    expect(dialog).to_have_count(0)


def test_settings_keep_intervals_and_variables(page: Page) -> None:
    log_in(page, ADMIN)
    post(page, "/campaign-settings", {"settings": {"messageInterval": 20, "variables": []}})
    page.get_by_role("link", name="Ajustes de campanhas").click()
    interval = page.get_by_label("Intervalo aleatório entre mensagens")
    expect(interval).to_have_value("20")
    pick(interval, "5 segundos")
    intervals = page.get_by_role("region", name="Ritmo dos envios")
    intervals.get_by_role("button", name="Salvar").click()
    expect(page.get_by_text("Configurações salvas")).to_be_visible()

    page.get_by_role("button", name="Adicionar variável").click()
    dialog = page.get_by_role("dialog", name="Adicionar variável")
    type_in(dialog.get_by_label("Atalho"), "cupom")
    type_in(dialog.get_by_label("Conteúdo"), "MAES20")
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("row", name="{cupom}")).to_contain_text("MAES20")
    page.get_by_role("button", name="Adicionar variável").click()
    for key, words in (
        ("Cupom", "Este atalho já existe."),
        ("nome", "Este atalho já é o dado de cada contato. Escolha outro."),
    ):
        type_in(dialog.get_by_label("Atalho"), key)
        dialog.get_by_role("button", name="Adicionar", exact=True).click()
        expect(dialog.get_by_text(words)).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("alertdialog").get_by_role("button", name="Descartar").click()

    page.reload()
    expect(interval).to_have_value("5")
    page.get_by_role("button", name="Excluir cupom").click()
    confirm = page.get_by_role("alertdialog", name="Excluir {cupom}?")
    confirm.get_by_role("button", name="Excluir").click()
    expect(page.get_by_text("Nenhuma variável ainda.")).to_be_visible()


@pytest.fixture
def own_rules(page: Page) -> Iterator[None]:
    """The company's hours and words are as at first again, whatever a test makes of them."""
    log_in(page, ADMIN)
    headers = {"Authorization": f"Bearer {token(page)}"}
    yield
    for key in ("campaignSendingHours", "optOutWords"):
        assert page.request.delete(f"/api/settings/{key}", headers=headers).ok


@pytest.mark.usefixtures("own_rules")
def test_settings_keep_sending_hours_and_opt_out_words(page: Page) -> None:
    page.get_by_role("link", name="Ajustes de campanhas").click()
    rules = page.get_by_role("region", name="Horário e pedidos de saída")
    words = rules.get_by_label("Palavras de saída")
    start, end = (rules.get_by_label(name, exact=True) for name in ("Início", "Fim"))
    save = rules.get_by_role("button", name="Salvar")
    expect(words).to_have_value("SAIR, PARAR, STOP")
    expect(start).to_have_count(0)

    rules.locator("label").filter(has_text="Enviar só dentro de um horário").click()
    expect(start).to_have_value("08:00")
    expect(end).to_have_value("20:00")
    type_in(end, "7")
    save.click()
    expect(rules.get_by_text("O fim precisa vir depois do início.")).to_be_visible()
    expect(end).to_be_focused()
    type_in(end, "1830")
    type_in(words, "SAIR,CHEGA")
    keys_to(save)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Configurações salvas")).to_be_visible()
    expect(words).to_have_value("SAIR, CHEGA")

    page.reload()
    expect(end).to_have_value("18:30")
    expect(words).to_have_value("SAIR, CHEGA")
    rules.locator("label").filter(has_text="Enviar só dentro de um horário").click()
    save.click()
    expect(page.get_by_text("Configurações salvas")).to_be_visible()
    page.reload()
    expect(words).to_have_value("SAIR, CHEGA")
    expect(start).to_have_count(0)


def test_a_segment_counts_as_it_is_made_and_is_chosen(page: Page, product: Product) -> None:
    customer = Customer(product, "Sara do Segmento")
    customer.write("Oi!")
    log_in(page, ADMIN)
    open_page(page)
    page.get_by_role("button", name="Nova campanha").first.click()
    campaign = page.get_by_role("dialog", name="Nova campanha")
    campaign.get_by_role("button", name="Gerenciar segmentos").click()
    segments = page.get_by_role("dialog", name="Segmentos")
    segments.get_by_role("button", name="Novo segmento").click()
    dialog = page.get_by_role("dialog", name="Novo segmento")
    count = dialog.get_by_role("status")
    expect(count).to_have_text("0 contato agora")
    type_in(
        dialog.get_by_label("Último contato a partir de"), f"{datetime.now(SHOP_ZONE):%d/%m/%Y}"
    )
    expect(count).to_have_text(re.compile(r"^[1-9][\d.]* contatos? agora$"))
    type_in(dialog.get_by_label("Nome", exact=True), "Ninguém de Marte")
    type_in(dialog.get_by_label("Cidade"), "Marte")
    expect(count).to_have_text("0 contato agora")
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog).to_have_count(0)
    expect(segments.get_by_role("row").filter(has_text="Ninguém de Marte")).to_be_visible()
    segments.get_by_role("button", name="Fechar").click()
    expect(segments).to_have_count(0)
    pick(campaign.get_by_label("Segmento"), "Ninguém de Marte")


def test_a_campaign_without_people_connection_and_time_says_what_it_lacks(page: Page) -> None:
    log_in(page, ADMIN)
    post(page, "/campaigns", {"name": "Ainda sem nada", "message1": "Olá!"})
    open_page(page)
    row = row_of(page, "Ainda sem nada")
    for words in ("Não definida", "Não definido", "Sem agendamento"):
        expect(row).to_contain_text(words)


def test_attendants_have_no_campaigns(page: Page) -> None:
    log_in(page, ANA)
    expect(page.get_by_role("link", name="Campanhas", exact=True)).to_have_count(0)
    page.goto("/campaigns")
    expect(page.get_by_text("Acesso não permitido")).to_be_visible()
