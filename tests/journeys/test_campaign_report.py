"""What became of a campaign: watched while it goes on, searched, taken along as a file."""

import csv

from playwright.sync_api import Page, expect

from tests.journeys.campaigns import start_campaign
from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import UUID, Customer, pick, type_in
from tests.product import Product

# Nobody with this number has written: without a template nothing may go there.
SILENT = "5511940028977"


def test_the_report_follows_a_campaign_to_its_answer(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    customer = Customer(product, "Vera do relatório")
    customer.write("Podem me mandar ofertas")
    campaign_id = start_campaign(page, "Feirão de novembro", [customer.number, SILENT])
    page.goto(f"/campaign/{campaign_id}/report")
    expect(page.get_by_role("heading", name="Feirão de novembro")).to_be_visible()
    expect(page.get_by_text("1 entregue de 1 contato válido")).to_be_visible()
    expect(page.get_by_text("Finalizada")).to_be_visible()
    facts = page.get_by_role("main").locator("dl > div")
    expect(facts.filter(has_text="Conexão")).to_contain_text("Loja Centro")
    expect(facts.filter(has_text="Lista de contatos")).to_contain_text("Feirão de novembro")
    expect(facts.filter(has_text="Puladas")).to_contain_text("1")

    customer.write("Quero saber mais")
    expect(facts.filter(has_text="Respondidas")).to_contain_text("1100%")
    page.get_by_role("button", name="Ver em tabela").click()
    course = page.get_by_role("region", name="Ao longo do tempo")
    expect(course.get_by_role("row").nth(1)).to_be_visible()

    page.get_by_role("tab", name="Destinatários").click()
    people = page.get_by_role("table", name="Destinatários da campanha").locator("tbody tr")
    expect(people).to_have_count(2)
    pick(page.get_by_label("Situação"), "Pulada (1)")
    expect(people).to_have_count(1)
    expect(people).to_contain_text("24 horas")
    page.reload()
    expect(people).to_have_count(1)
    with page.expect_download() as download:
        page.get_by_role("button", name="Exportar CSV").click()
    lines = download.value.path().read_text("utf-8-sig").splitlines()
    assert [line[1] for line in list(csv.reader(lines, delimiter=";"))[1:]] == [SILENT]
    pick(page.get_by_label("Situação"), "Todas as situações (2)")
    type_in(page.get_by_label("Buscar por nome, número ou e-mail"), "Pessoa 1")
    page.keyboard.press("Enter")
    expect(people).to_have_count(1)
    page.get_by_role("button", name="Abrir a conversa com Pessoa 1").click()
    expect(page).to_have_url(UUID)
    expect(page.get_by_role("main").get_by_text("Quero saber mais").last).to_be_visible()
