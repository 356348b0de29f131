"""How to reach each page beside the inbox, and its dialogs."""

import itertools
import re
from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.journeys.conftest import ADMIN, PASSWORD, log_in
from tests.journeys.people import (
    BOT_NUMBER,
    Customer,
    attach,
    keys_to,
    open_waiting,
    pick,
    press_box,
    press_last,
    start_campaign,
    token,
    type_in,
)
from tests.product import Product

# Of the contacts that are merged.
_pairs = itertools.count(1)


def act(page: Page, row: str, action: str, entry: str | None = None) -> None:
    """Press one of a row's actions, which narrow screens keep in a menu, maybe by another name."""
    menu = page.get_by_role("button", name=f"Ações de {row}", exact=True)
    button = page.get_by_role("button", name=action, exact=True)
    expect(menu.or_(button)).to_be_visible()
    if menu.is_visible():
        menu.click()
        page.get_by_role("menuitem", name=entry or action).click()
    else:
        button.click()


def show_schedules(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/schedules")
    expect(
        page.get_by_role("button", name=re.compile("^Editar agendamento")).first
    ).to_be_attached()


def show_schedule_list(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/schedules?view=list")
    expect(page.get_by_role("row").filter(has_text="Erro de envio")).to_be_visible()


def show_schedule(page: Page, product: Product) -> None:
    show_schedule_list(page, product)
    page.get_by_role("row").filter(has_text="Erro de envio").click()
    expect(page.get_by_role("dialog", name="Erro de Envio")).to_be_visible()


def show_schedule_form(page: Page, product: Product) -> None:
    show_schedule_list(page, product)
    page.get_by_role("button", name=re.compile("^(Novo agendamento|Agendar)$")).click()
    expect(page.get_by_role("dialog", name="Agendar mensagem")).to_be_visible()


def show_schedule_calendar(page: Page, product: Product) -> None:
    show_schedule_form(page, product)
    page.get_by_role("button", name="Abrir o calendário").click()
    expect(page.get_by_role("dialog", name="Calendário").get_by_role("grid")).to_be_visible()


def show_schedule_times(page: Page, product: Product) -> None:
    show_schedule_form(page, product)
    page.get_by_role("button", name="Escolher o horário").click()
    expect(page.get_by_role("dialog", name="Horários").get_by_role("listbox")).to_be_visible()


def show_test_moment(page: Page, product: Product) -> None:
    show_queue(page, product)
    chat = page.get_by_role("complementary", name="Testar conversa")
    narrow = page.get_by_role("tab", name="Testar conversa")
    expect(chat.or_(narrow).first).to_be_visible()
    if narrow.is_visible():
        narrow.click()
    chat.get_by_role("button", name="Outra hora").click()
    expect(chat.get_by_role("group", name="Dia e hora do teste")).to_be_visible()


def show_test_flow(page: Page, product: Product) -> None:
    show_queues(page, product)
    # One of each size: the second would not know which of two to pick.
    name = f"Segunda via {page.viewport_size and page.viewport_size['width']}"
    flow = {"type": "webhook", "name": name, "urlN8N": f"{product.address}/fluxo"}
    bearer = {"Authorization": f"Bearer {token(page)}"}
    assert page.request.post("/api/queueIntegration", data=flow, headers=bearer).ok
    show_queue(page, product)
    pick(page.get_by_label("Integração"), name)
    chat = page.get_by_role("complementary", name="Testar conversa")
    narrow = page.get_by_role("tab", name="Testar conversa")
    expect(chat.or_(narrow).first).to_be_visible()
    if narrow.is_visible():
        narrow.click()
    chat.get_by_role("button", name="Recomeçar").first.click()
    type_in(chat.get_by_placeholder("Responda como cliente"), "financeiro")
    page.keyboard.press("Enter")
    expect(chat.get_by_text("o atendimento espera em")).to_be_visible()


def show_users(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/users")
    expect(page.get_by_role("row").filter(has_text="Ana Prado")).to_be_visible()


def show_user(page: Page, product: Product) -> None:
    show_users(page, product)
    page.get_by_role("button", name="Adicionar usuário").click()
    dialog = page.get_by_role("dialog", name="Adicionar usuário")
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog.get_by_text("Campo obrigatório!").first).to_be_visible()


def show_audit_log(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/audit-log")
    expect(page.get_by_role("row").filter(has_text="Entrada no sistema").first).to_be_visible()


def show_invoices(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/financeiro")
    expect(page.get_by_text("Nenhuma fatura ainda.")).to_be_visible()


def show_security(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.get_by_role("button", name=re.compile("^Conta de")).click()
    page.get_by_role("menuitem", name="Segurança").click()
    dialog = page.get_by_role("dialog", name="Segurança")
    dialog.get_by_role("tab", name="Acessos").click()
    expect(dialog.get_by_role("listitem").first).to_be_visible()


def show_second_factor(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.get_by_role("button", name=re.compile("^Conta de")).click()
    page.get_by_role("menuitem", name="Segurança").click()
    dialog = page.get_by_role("dialog", name="Segurança")
    dialog.get_by_role("button", name="Ativar").click()
    type_in(dialog.get_by_label("Senha atual"), PASSWORD)
    dialog.get_by_role("button", name="Continuar").click()
    expect(dialog.get_by_label("Código que o aplicativo mostra")).to_be_visible()


def show_connections(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/connections")
    expect(page.get_by_role("row").filter(has_text="Loja Centro")).to_be_visible()


def show_signup(page: Page, product: Product) -> None:
    """Show what is said of Meta's window that was closed before the end."""
    show_connections(page, product)
    page.get_by_role("button", name="Conectar com o Facebook").click()
    dialog = page.get_by_role("dialog", name="Conectar com o Facebook")
    with page.expect_popup() as opened:
        dialog.get_by_role("button", name="Abrir janela do Facebook").click()
    press_last(opened.value.get_by_role("button", name="Cancelar"))
    expect(dialog.get_by_role("alert")).to_be_visible()


def show_connection(page: Page, product: Product) -> None:
    show_connections(page, product)
    page.get_by_role("button", name="Adicionar conexão").click()
    expect(page.get_by_role("dialog", name="Adicionar conexão")).to_be_visible()


def show_qr(page: Page, product: Product) -> None:
    """Show the code of a number that no gateway has, so that it stays as it is."""

    def with_session(route: Route) -> None:
        answer = route.fetch()
        session = {"id": 10**9, "name": "Loja do QR", "provider": "beta", "status": "qrcode"}
        rows = answer.json()
        rows.append(rows[0] | session | {"qrcode": "2@um,codigo", "isDefault": False})
        route.fulfill(response=answer, json=rows)

    page.route("**/api/whatsapp/?*", with_session)
    show_connections(page, product)
    act(page, "Loja do QR", "QR Code de Loja do QR")
    expect(page.get_by_role("img", name="QR Code para escanear com o WhatsApp")).to_be_visible()


def show_connection_trial(page: Page, product: Product) -> None:
    _show_connection_action(page, product, "Testar o envio de Loja Centro")
    expect(page.get_by_label("O que enviar")).to_be_visible()


def show_connection_profile(page: Page, product: Product) -> None:
    _show_connection_action(page, product, "Perfil comercial de Loja Centro")
    expect(page.get_by_label("Recado")).to_be_visible()


def show_connection_health(page: Page, product: Product) -> None:
    _show_connection_action(page, product, "Saúde de Loja Centro")
    expect(page.get_by_text("Última recebida")).to_be_visible()


def _show_connection_action(page: Page, product: Product, action: str) -> None:
    show_connections(page, product)
    row = page.get_by_role("row").filter(has_text="Loja Centro")
    button = row.get_by_role("button", name=action)
    menu = row.get_by_role("button", name="Ações de Loja Centro")
    expect(button.or_(menu)).to_be_visible()
    if menu.is_visible():
        menu.click()
        page.get_by_role("menuitem", name=action).click()
    else:
        button.click()


def show_connection_setup(page: Page, product: Product) -> None:
    """Show a test that found something wrong, something right and something to wait for."""
    show_connection(page, product)
    dialog = page.get_by_role("dialog", name="Adicionar conexão")
    dialog.get_by_role("radio", name="API oficial").click()
    # A number that somebody has, in an account that is good.
    type_in(dialog.get_by_label("ID do número de telefone"), "100000000000001")
    type_in(dialog.get_by_label("ID da conta do WhatsApp Business"), "200000000000001")
    type_in(dialog.get_by_label("Token de acesso"), "EAAG-um-token")
    dialog.get_by_role("button", name="Testar conexão").click()
    ticks = dialog.get_by_role("list", name="Resultado do teste")
    expect(ticks.get_by_text("Este número já está em outra conexão.")).to_be_visible()
    ticks.get_by_role("listitem").last.scroll_into_view_if_needed()


def show_connection_messages(page: Page, product: Product) -> None:
    _show_connection_tab(page, product, "Mensagens", "Mensagem de avaliação")


def show_connection_bot(page: Page, product: Product) -> None:
    _show_connection_tab(page, product, "Bot", "Leva para a fila")


def show_connection_timers(page: Page, product: Product) -> None:
    _show_connection_tab(page, product, "Prazos", "Mensagem de inatividade")


def show_connection_pace(page: Page, product: Product) -> None:
    show_connection(page, product)
    dialog = page.get_by_role("dialog", name="Adicionar conexão")
    dialog.get_by_role("tab", name="Ritmo").click()
    expect(dialog.get_by_label("No primeiro dia")).to_have_value("30")


def show_connection_api(page: Page, product: Product) -> None:
    _show_connection_tab(page, product, "API", "Token da API")


def _show_connection_tab(page: Page, product: Product, tab: str, label: str) -> None:
    show_connections(page, product)
    page.get_by_role("row").filter(has_text="Loja Centro").click()
    page.get_by_role("dialog", name="Editar conexão").get_by_role("tab", name=tab).click()
    expect(page.get_by_label(label)).to_be_visible()


def show_kanban(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/kanban")
    expect(page.locator("[data-card]").first).to_be_visible()
    # A card under way by keys: its place in the lane beside.
    keys_to(page.locator("[data-card]").first)
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-place]")).to_be_visible()


def show_templates(page: Page, product: Product) -> None:
    """Show the chooser with a template filled in, for somebody who never wrote."""
    from tests.journeys.test_templates import open_chooser, option, start

    log_in(page, ADMIN)
    dialog = open_chooser(page, start(page, Customer(product, "Zulmira Teixeira")))
    option(dialog, "pedido_enviado").filter(has_text="pt-BR").click()
    type_in(dialog.get_by_label("Texto: variável 2"), "10482")
    expect(dialog.get_by_role("region", name="Como o contato vai ver")).to_contain_text("10482")


def show_contacts(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/contacts")
    press_box(page, re.compile("^Selecionar A"), 1)
    expect(page.get_by_text("1 contato selecionado")).to_be_visible()


def show_contact_import(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/contacts")
    page.get_by_role("button", name="Importar/Exportar").click()
    page.get_by_role("menuitem", name="Importar contatos do telefone").click()
    dialog = page.get_by_role("dialog", name="Importar contatos")
    dialog.get_by_role("button", name="Importar").click()
    expect(dialog.get_by_role("alert")).to_be_visible()


def show_contact_file(page: Page, product: Product) -> None:
    """Show what became of a file of contacts."""
    log_in(page, ADMIN)
    page.goto("/contacts")
    page.get_by_role("button", name="Importar/Exportar").click()
    page.get_by_role("menuitem", name="Importar de um arquivo").click()
    dialog = page.get_by_role("dialog", name="Importar contatos de um arquivo")
    text = b"nome;numero\nVitor da Vitrine;5511977770009\nSem nada;\n"
    name = "clientes da loja do centro e da filial nova, revisados em maio.csv"
    file: Any = {"name": name, "mimeType": "text/csv", "buffer": text}
    attach(dialog.get_by_role("button", name="Escolher arquivo"), file)
    expect(dialog.get_by_role("button", name="Baixar erros")).to_be_visible()


def show_contact_deletion(page: Page, product: Product) -> None:
    show_contacts(page, product)
    page.get_by_role("button", name="Excluir", exact=True).click()
    expect(page.get_by_role("alertdialog", name=re.compile("^Excluir "))).to_be_visible()


def show_merge(page: Page, product: Product) -> None:
    """Show what becomes of two contacts with names as long as they may be."""
    # They stay: each pair has names of its own.
    surname = f"{next(_pairs)} Cavalcanti de Albuquerque do Nascimento e Silva"
    keep, gone = (
        Customer(product, f"{name} {surname}"[:50]) for name in ("Guilhermina", "Hermenegildo")
    )
    for customer in (keep, gone):
        customer.write("Olá!")
    log_in(page, ADMIN)
    page.goto("/contacts")
    type_in(page.get_by_role("searchbox"), keep.name[:24])
    expect(page.get_by_text(keep.name).first).to_be_visible()
    action = f"Mesclar {keep.name} com outro contato"
    act(page, keep.name, action, "Mesclar com outro contato")
    dialog = page.get_by_role("dialog", name="Mesclar contatos")
    type_in(dialog.get_by_role("combobox"), gone.name[:24])
    dialog.get_by_role("option", name=re.compile(gone.name)).click()
    expect(dialog.get_by_role("row", name="Atendimentos 1 1")).to_be_visible()


def show_tags(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/tags")
    expect(page.get_by_role("row", name="Orçamento")).to_be_visible()


def show_tag(page: Page, product: Product) -> None:
    show_tags(page, product)
    page.get_by_role("row", name="Orçamento").click()
    expect(page.get_by_role("dialog").get_by_role("radio", name="Vermelho")).to_be_attached()


def show_prompt(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/prompts")
    page.get_by_role("button", name="Adicionar prompt").first.click()
    dialog = page.get_by_role("dialog")
    pick(dialog.get_by_label("Voz", exact=True), "Yara (português do Brasil)")
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog.get_by_text("Selecione uma fila para salvar o prompt.")).to_be_visible()


def show_prompts(page: Page, product: Product) -> None:
    """Show a prompt, made when it is not there yet."""
    log_in(page, ADMIN)
    headers = {"Authorization": f"Bearer {token(page)}"}
    name = "Vitrine de dúvidas sobre entregas e trocas"
    found = page.request.get(f"/api/prompt?searchParam={name}", headers=headers)
    if not found.json()["count"]:
        [queue] = page.request.get("/api/queue", headers=headers).json()[:1]
        body = {
            "name": name,
            "prompt": "Responda com calma.",
            "queueId": queue["id"],
            "apiKey": "sk-vitrine",
            "baseUrl": "https://modelo.example.com/v1",
        }
        answer = page.request.post("/api/prompt", data=body, headers=headers)
        assert answer.ok, answer.text()
    page.goto("/prompts")
    expect(page.get_by_role("row").filter(has_text=name)).to_be_visible()


def show_profile(page: Page, product: Product) -> None:
    """Show the own profile with a new password, which asks for the present one."""
    log_in(page, ADMIN)
    page.get_by_role("button", name=re.compile("^Conta de")).click()
    page.get_by_role("menuitem", name="Perfil").click()
    dialog = page.get_by_role("dialog", name="Meu perfil")
    type_in(dialog.get_by_label("Nova senha", exact=True), "uma-senha-nova")
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog.get_by_role("alert").first).to_be_visible()


def show_quick_messages(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/quick-messages")
    expect(page.get_by_role("row").filter(has_text="/troca-prazo")).to_be_visible()


def show_quick_message(page: Page, product: Product) -> None:
    show_quick_messages(page, product)
    page.get_by_role("row").filter(has_text="/etiqueta").click()
    dialog = page.get_by_role("dialog", name="Editar resposta rápida")
    type_in(dialog.get_by_label("Atalho"), "")
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog.get_by_text("Campo obrigatório!")).to_be_visible()


def show_file_lists(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/files")
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


def show_contact_list(page: Page, product: Product) -> None:
    show_contact_lists(page, product)
    page.get_by_role("row").filter(has_text="Vitrine de clientes").click()
    expect(page.get_by_role("row").filter(has_text="Bia Castro")).to_be_visible()


def show_contact_list_import(page: Page, product: Product) -> None:
    show_contact_list(page, product)
    page.get_by_role("button", name="Importar planilha").click()
    dialog = page.get_by_role("dialog", name="Importar planilha")
    expect(dialog.get_by_role("button", name="Escolher planilha")).to_be_visible()


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


def show_campaign_message(page: Page, product: Product) -> None:
    """Show the messages of a campaign with a variable that nothing fills in."""
    show_campaign(page, product)
    dialog = page.get_by_role("dialog", name="Editar campanha")
    type_in(dialog.get_by_label("Mensagem 1", exact=True), "Olá, {apelido}!")
    expect(dialog.get_by_text("{apelido} não é uma variável")).to_be_visible()


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


def show_integrations(page: Page, product: Product) -> None:
    """Show a Typebot and a webhook, made when they are not there yet."""
    log_in(page, ADMIN)
    headers = {"Authorization": f"Bearer {token(page)}"}
    for body in (
        {"type": "typebot", "urlN8N": "https://typebot.example.com", "typebotSlug": "loja"},
        {"type": "webhook", "urlN8N": "https://pedidos.example.com/eventos"},
    ):
        name = f"Vitrine {body['type']}"
        found = page.request.get(f"/api/queueIntegration?searchParam={name}", headers=headers)
        if not found.json()["count"]:
            page.request.post("/api/queueIntegration", data={**body, "name": name}, headers=headers)
    page.goto("/queue-integration")
    expect(page.get_by_role("row").filter(has_text="Vitrine typebot")).to_be_visible()


def show_integration(page: Page, product: Product) -> None:
    show_integrations(page, product)
    page.get_by_role("row").filter(has_text="Vitrine webhook").click()
    dialog = page.get_by_role("dialog", name="Editar integração")
    expect(dialog.get_by_role("button", name="Gerar novo segredo")).to_be_visible()


def show_template_list(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/message-templates")
    expect(page.get_by_role("row").filter(has_text="promocao_relampago")).to_be_visible()


def show_template(page: Page, product: Product) -> None:
    show_template_list(page, product)
    page.get_by_role("row").filter(has_text="lembrete_de_pagamento").click()
    dialog = page.get_by_role("dialog", name="Editar lembrete_de_pagamento")
    expect(dialog.get_by_role("region", name="Como o contato vai ver")).to_be_visible()


def show_deliveries(page: Page, product: Product) -> None:
    show_integrations(page, product)
    act(page, "Vitrine webhook", "Entregas de Vitrine webhook")
    expect(page.get_by_text("Nenhuma entrega ainda")).to_be_visible()


def show_delivery_list(page: Page, product: Product) -> None:
    """Show calls that went well and calls that did not."""
    call: dict[str, Any] = {
        "url": "https://pedidos.example.com/eventos",
        "requestBody": {"event": "ticket.closed"},
        "responseText": "",
        "createdAt": "2026-03-02T13:45:10Z",
        "reasonCode": "",
        "reasonDetail": "",
        "error": "",
    }
    failed = call | {"event": "ticket.closed", "error": "O endereço não respondeu em 10 segundos."}
    calls = [
        call | {"id": 3, "event": "message.received", "statusCode": 200, "attempt": 1},
        failed | {"id": 2, "statusCode": 503, "attempt": 12},
        failed | {"id": 1, "statusCode": None, "attempt": 1},
    ]
    for each in calls:
        each["durationMs"] = 10_000 // each["id"]
    page.route(
        "**/deliveries?*",
        lambda route: route.fulfill(json={"deliveries": calls, "count": 3, "hasMore": False}),
    )
    show_integrations(page, product)
    act(page, "Vitrine webhook", "Entregas de Vitrine webhook")
    expect(page.get_by_role("dialog").get_by_text("ticket.closed").first).to_be_visible()


def show_bot(page: Page, product: Product) -> None:
    """Show a conversation that the bot leads, before anybody accepts it."""
    # Waiting rows stay: each screen's person has a name of its own.
    customer = Customer(product, f"Hermínia {page.evaluate('innerWidth')}", to=BOT_NUMBER)
    log_in(page, ADMIN)
    customer.write("Oi!")
    pane = open_waiting(page, customer.name)
    expect(pane.get_by_role("log").locator("[data-source=bot]").first).to_be_visible()


def show_queues(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/queues")
    expect(page.get_by_role("row").filter(has_text="Financeiro")).to_be_visible()


def show_queue(page: Page, product: Product) -> None:
    show_queues(page, product)
    page.get_by_role("row").filter(has_text="Financeiro").click()
    dialog = page.get_by_role("dialog", name="Editar fila")
    expect(dialog.get_by_label("Nome", exact=True)).to_have_value("Financeiro")


def show_queue_conflict(page: Page, product: Product) -> None:
    """Show what is asked when somebody else saved the queue meanwhile."""
    show_queue(page, product)
    page.route(
        re.compile(r"/api/queue/\d+$"),
        lambda route: (
            route.fulfill(
                status=409, json={"code": "ERR_QUEUE_CHANGED", "message": "", "fields": {}}
            )
            if route.request.method == "PUT"
            else route.fallback()
        ),
    )
    dialog = page.get_by_role("dialog", name="Editar fila")
    type_in(dialog.get_by_label("Nome", exact=True), "Financeiro novo")
    dialog.get_by_role("button", name="Salvar fila").click()
    expect(page.get_by_role("dialog", name="Outra pessoa salvou esta fila")).to_be_visible()


def show_queue_colors(page: Page, product: Product) -> None:
    show_queue(page, product)
    page.get_by_role("button", name="Cor:").click()
    expect(page.get_by_role("radio", name="usada em Vendas")).to_be_visible()


def show_settings(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/settings")
    expect(page.get_by_role("radiogroup", name="Menu do bot")).to_be_visible()


def show_campaign_report(page: Page, product: Product) -> None:
    """Show what became of a campaign of two, one of whom nobody may write to without a template."""
    log_in(page, ADMIN)
    # One for each size and theme.
    name = f"Oferta {next(_pairs)}"
    customer = Customer(product, "Cliente da oferta")
    customer.write("Quero receber ofertas")
    campaign_id = start_campaign(page, name, [customer.number, "5511940028922"])
    page.goto(f"/campaign/{campaign_id}/report")
    expect(page.get_by_text("Finalizada")).to_be_visible()
    expect(page.get_by_role("img", name="1 entregas")).to_be_visible()


def show_campaign_recipients(page: Page, product: Product) -> None:
    show_campaign_report(page, product)
    page.get_by_role("tab", name="Destinatários").click()
    expect(page.get_by_role("row").filter(has_text="Pulada")).to_be_visible()
