"""How to reach campaigns, and the lists they go to and take files from."""

import itertools
import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.journeys.campaigns import start_campaign
from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.operator import Operator
from tests.journeys.people import Customer, Simulator, token, type_in
from tests.product import Product

# Of the campaigns that run for a picture, and the companies whose plan holds none.
_offers, _companies = itertools.count(1), itertools.count(1)
NOT_IN_PLAN = "O plano da empresa não inclui campanhas."


def show_file_lists(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/files")
    expect(page.get_by_role("row").filter(has_text="Coleção Barro e Mar")).to_be_visible()


def show_file_list(page: Page, product: Product) -> None:
    show_file_lists(page, product)
    page.get_by_role("row").filter(has_text="Coleção Barro e Mar").click()
    dialog = page.get_by_role("dialog", name="Editar lista de arquivos")
    type_in(dialog.get_by_label("Nome", exact=True), "ab")
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog.get_by_text("nome muito curto")).to_be_visible()


def show_contact_lists(page: Page, product: Product) -> None:
    """Show a list with people, made when it is not there yet."""
    log_in(page, ADMIN)
    headers = {"Authorization": f"Bearer {token(page)}"}
    found = page.request.get("/api/contact-lists/?searchParam=Vitrine", headers=headers)
    if not found.json()["count"]:
        given = {"name": "Vitrine de clientes"}
        made = page.request.post("/api/contact-lists", data=given, headers=headers).json()
        for name, number, email in (
            ("Bia Castro", "5521987650002", "bia@example.com"),
            ("Otávio Nascimento de Albuquerque", "5511987650003", ""),
            ("Zilda", "5585987650004", "zilda@example.com"),
        ):
            item = {"name": name, "number": number, "email": email, "contactListId": made["id"]}
            page.request.post("/api/contact-list-items", data=item, headers=headers)
    page.goto("/contact-lists")
    expect(page.get_by_role("row").filter(has_text="Vitrine de clientes")).to_be_visible()


def show_opt_outs(page: Page, product: Product) -> None:
    """Show opt-outs, made when they are not there yet."""
    log_in(page, ADMIN)
    headers = {"Authorization": f"Bearer {token(page)}"}
    for number in ("5511987650003", "5585987650004"):
        page.request.post("/api/opt-outs", data={"number": number}, headers=headers)
    page.goto("/opt-outs")
    expect(page.get_by_role("row").filter(has_text="+55 85 98765-0004")).to_be_visible()


def show_contact_list(page: Page, product: Product) -> None:
    show_contact_lists(page, product)
    page.get_by_role("row").filter(has_text="Vitrine de clientes").click()
    expect(page.get_by_role("row").filter(has_text="Bia Castro")).to_be_visible()


def show_contact_list_import(page: Page, product: Product) -> None:
    show_contact_list(page, product)
    page.get_by_role("button", name="Importar planilha").click()
    dialog = page.get_by_role("dialog", name="Importar planilha")
    expect(dialog.get_by_role("button", name="Escolher arquivo")).to_be_visible()


def show_campaigns(page: Page, product: Product) -> None:
    """Show campaigns, one of them with all that can be in it, made when they are not there yet."""
    show_contact_lists(page, product)
    headers = {"Authorization": f"Bearer {token(page)}"}
    lists = page.request.get("/api/contact-lists/?searchParam=Vitrine", headers=headers).json()
    [official] = [
        row
        for row in page.request.get("/api/whatsapp/?session=0", headers=headers).json()
        if row["name"] == "Loja Centro"
    ]
    whole = {
        "name": "Vitrine do Dia das Mães",
        "contactListId": lists["records"][0]["id"],
        "whatsappId": official["id"],
        "message1": "Olá, {nome}! Até domingo, *20% de desconto* com o cupom MAES20.",
        "message2": "{{ms}}, {nome}. O Dia das Mães está chegando: veja o que separamos.",
        "confirmation": True,
        "confirmationMessage1": "Oi, {nome}, aqui é da Casa Aroeira. Podemos enviar uma novidade?",
        "templateName": "cupom_de_aniversario",
        "templateLanguage": "pt_BR",
        "templateComponents": [
            {"type": "body", "parameters": [{"type": "text", "text": "{nome}"}]},
            {
                "type": "button",
                "sub_type": "copy_code",
                "index": "0",
                "parameters": [{"type": "coupon_code", "coupon_code": "MAES20"}],
            },
        ],
    }
    for body in ({"name": "Vitrine sem nada"}, whole):
        found = page.request.get(f"/api/campaigns/?searchParam={body['name']}", headers=headers)
        if not found.json()["count"]:
            answer = page.request.post("/api/campaigns", data=body, headers=headers)
            assert answer.ok, answer.text()
    page.goto("/campaigns")
    expect(page.get_by_role("row").filter(has_text=whole["name"])).to_be_visible()


def show_campaign(page: Page, product: Product) -> None:
    show_campaigns(page, product)
    page.get_by_role("row").filter(has_text="Vitrine do Dia das Mães").click()
    dialog = page.get_by_role("dialog", name="Editar campanha")
    expect(dialog.get_by_text("20% de desconto").first).to_be_visible()
    expect(dialog.get_by_label("Modelo aprovado")).to_be_attached()
    expect(dialog.get_by_text("Feliz aniversário, Bia Castro!")).to_be_attached()


def show_campaign_message(page: Page, product: Product) -> None:
    """Show the messages of a campaign with a variable that nothing fills in."""
    show_campaign(page, product)
    dialog = page.get_by_role("dialog", name="Editar campanha")
    type_in(dialog.get_by_label("Mensagem 1", exact=True), "Olá, {apelido}!")
    expect(dialog.get_by_text("{apelido} não é uma variável")).to_be_visible()


def show_campaign_start(page: Page, product: Product) -> None:
    """Show what a start takes, of a number whose business is not verified and has little room."""
    show_campaigns(page, product)
    headers = {"Authorization": f"Bearer {token(page)}"}
    [official] = [
        row
        for row in page.request.get("/api/whatsapp/?session=0", headers=headers).json()
        if row["name"] == "Loja Centro"
    ]
    number = re.search(r"phone_number_id=(\d+)", official["qrcode"])
    assert number is not None
    limit = {"number": number[1], "limit": 250, "verification": "not_verified"}
    Simulator(product).call("POST", "/portfolio", limit)
    address = f"/api/whatsapp/{official['id']}/health"
    assert page.request.post(address, headers=headers).ok
    page.get_by_role("row").filter(has_text="Vitrine do Dia das Mães").click()
    edited = page.get_by_role("dialog", name="Editar campanha")
    expect(edited.get_by_role("region", name="O número na Meta")).to_be_visible()
    edited.get_by_role("button", name="Iniciar agora").click()
    dialog = page.get_by_role("dialog", name="Iniciar Vitrine do Dia das Mães agora?")
    expect(dialog.get_by_text("de 250 pessoas")).to_be_visible()
    expect(dialog.get_by_text("Não verificada pela Meta")).to_be_visible()


def show_campaign_test(page: Page, product: Product) -> None:
    """Show a test to numbers of which one is no number."""
    show_campaign(page, product)
    page.get_by_role("button", name="Enviar teste").click()
    dialog = page.get_by_role("dialog", name="Enviar teste")
    type_in(dialog.get_by_label("Números"), "5511987650003, 55")
    dialog.get_by_role("button", name="Enviar teste").click()
    expect(dialog.get_by_text("Informe cada número com código do país e DDD")).to_be_visible()


def show_campaign_settings(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    headers = {"Authorization": f"Bearer {token(page)}"}
    variables = [{"key": "cupom", "value": "MAES20"}, {"key": "loja", "value": "Casa Aroeira"}]
    body = {"settings": {"variables": variables}}
    assert page.request.post("/api/campaign-settings", data=body, headers=headers).ok
    page.goto("/campaigns-config")
    expect(page.get_by_role("row").filter(has_text="MAES20")).to_be_visible()


def show_campaign_variable(page: Page, product: Product) -> None:
    show_campaign_settings(page, product)
    page.get_by_role("button", name="Adicionar variável").click()
    dialog = page.get_by_role("dialog", name="Adicionar variável")
    type_in(dialog.get_by_label("Atalho"), "CUPOM")
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog.get_by_text("Este atalho já existe.")).to_be_visible()


def show_segments(page: Page, product: Product) -> None:
    show_campaigns(page, product)
    headers = {"Authorization": f"Bearer {token(page)}"}
    found = page.request.get("/api/segments/?searchParam=Vitrine", headers=headers).json()
    if not found["count"]:
        rules = {"city": "São Paulo", "lastContactFrom": "2026-01-01"}
        body = {"name": "Vitrine de São Paulo", "rules": rules}
        assert page.request.post("/api/segments", data=body, headers=headers).ok
    page.get_by_role("button", name="Segmentos").click()
    dialog = page.get_by_role("dialog", name="Segmentos")
    expect(dialog.get_by_role("row").filter(has_text="Vitrine de São Paulo")).to_be_visible()


def show_segment(page: Page, product: Product) -> None:
    show_segments(page, product)
    page.get_by_role("row").filter(has_text="Vitrine de São Paulo").click()
    dialog = page.get_by_role("dialog", name="Editar segmento")
    expect(dialog.get_by_text(re.compile("contatos? agora$"))).to_be_visible()


def show_campaign_report(page: Page, product: Product) -> None:
    """Show what became of a campaign of two, one of whom nobody may write to without a template."""
    log_in(page, ADMIN)
    # One for each size and theme.
    name = f"Oferta {next(_offers)}"
    customer = Customer(product, "Cliente da oferta")
    customer.write("Quero receber ofertas")
    campaign_id = start_campaign(page, name, [customer.number, "5511940028922"])
    page.goto(f"/campaign/{campaign_id}/report")
    expect(page.get_by_text("Finalizada")).to_be_visible()
    expect(page.get_by_role("img", name=re.compile(": 1 entrega, "))).to_be_visible()


def show_campaign_recipients(page: Page, product: Product) -> None:
    show_campaign_report(page, product)
    page.get_by_role("tab", name="Destinatários").click()
    expect(page.get_by_role("row").filter(has_text="Pulada")).to_be_visible()


def lose_campaigns(product: Product) -> tuple[str, Callable[[bool], None]]:
    """Make a company with a list, a campaign and a variable, whose plan no longer holds campaigns.

    Returns the admin's e-mail and a function that gives the plan campaigns again, or takes them.
    """
    operator, number = Operator(product), next(_companies)
    plan = operator.sell(f"Campanhas {number}", 99.9, users=3, connections=1, useCampaigns=True)
    email = f"campanhas{number}@plano.example"
    company = operator.open_company(f"Ateliê Plano {number}", email, plan)
    operator.call("PUT", f"/companies/{company}", {"campaignsEnabled": True})
    call = operator.as_user(email)
    listed = call("POST", "/contact-lists", {"name": "Freguesia de antes"})
    person = {"name": "Bia Castro", "number": "5521987650002", "contactListId": listed["id"]}
    call("POST", "/contact-list-items", person)
    call("POST", "/campaigns", {"name": "Natal passado", "contactListId": listed["id"]})
    variables = [{"key": "cupom", "value": "NATAL20"}]
    call("POST", "/campaign-settings", {"settings": {"variables": variables}})

    def give(has_campaigns: bool) -> None:
        operator.call("PUT", f"/plans/{plan}", {"useCampaigns": has_campaigns})

    give(False)
    return email, give


def show_campaigns_without_plan(page: Page, product: Product) -> None:
    email, _ = lose_campaigns(product)
    log_in(page, email, at="/campaigns")
    expect(page.get_by_role("row").filter(has_text="Natal passado")).to_be_visible()
    expect(page.get_by_text(NOT_IN_PLAN)).to_be_visible()


def show_campaign_settings_without_plan(page: Page, product: Product) -> None:
    email, _ = lose_campaigns(product)
    log_in(page, email, at="/campaigns-config")
    expect(page.get_by_role("row").filter(has_text="NATAL20")).to_be_visible()
    expect(page.get_by_text(NOT_IN_PLAN)).to_be_visible()
