"""How to reach each page beside the inbox, and its dialogs."""

import itertools
import re
from datetime import date
from typing import Any

from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, PASSWORD, log_in
from tests.journeys.operator import AdminForms
from tests.journeys.people import (
    BOT_NUMBER,
    NUMBER,
    Customer,
    Simulator,
    act,
    attach,
    keys_to,
    open_waiting,
    pick,
    press_box,
    say,
    sent,
    serve,
    tick,
    token,
    type_in,
)
from tests.product import Product

# Of the contacts that are merged.
_pairs = itertools.count(1)


def show_schedules(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/schedules")
    expect(
        page.get_by_role("button", name=re.compile("^Editar agendamento")).first
    ).to_be_attached()


def show_schedule_list(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/schedules?view=list")
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
    log_in(page, ADMIN, at="/users")
    expect(page.get_by_role("row").filter(has_text="Ana Prado")).to_be_visible()


def show_user(page: Page, product: Product) -> None:
    show_users(page, product)
    page.get_by_role("button", name="Adicionar usuário").click()
    dialog = page.get_by_role("dialog", name="Adicionar usuário")
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog.get_by_text("Campo obrigatório!").first).to_be_visible()


def show_dashboard(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/")
    # What comes last, a second after the page.
    groups = page.get_by_role("table", name="Filas")
    expect(groups.get_by_text("Vendas").first).to_be_attached()
    expect(page.get_by_role("table", name="Atendentes").locator("tbody tr")).not_to_have_count(0)


def show_costs(page: Page, product: Product) -> None:
    """Replies of a number, for which the operator has entered an allowance and a price."""
    forms = AdminForms(product)
    month = date.today().replace(day=1).isoformat()
    if not forms.has_rows("/admin/costs/serviceallowance/"):
        forms.post("/admin/costs/serviceallowance/add/", messages="1000", valid_from=month)
        price = {"category": "SERVICE", "country": "BR", "price": "0.05", "currency": "BRL"}
        forms.post("/admin/costs/messageprice/add/", valid_from=month, **price)
    customer = Customer(product, f"Rita {next(_pairs)} dos custos")
    serve(page, ADMIN, customer)
    say(page, "Custa dez reais")
    expect(tick(sent(page, "Custa dez reais"), "Entregue")).to_be_visible()
    led = Customer(product, f"Saulo {next(_pairs)} saudado", to=BOT_NUMBER)
    led.write("Oi")
    led.wait_for_texts("Casa Aroeira")
    led.write("Vendas")
    led.wait_for_texts("Casa Aroeira", "equipe de vendas")
    page.goto("/costs")
    texts = page.get_by_role("list", name="Textos automáticos")
    expect(texts.get_by_role("button", name=re.compile("^Parar de enviar")).first).to_be_visible()
    expect(page.get_by_role("row").filter(has_text="Pessoas")).to_be_visible()


def show_cost_stop(page: Page, product: Product) -> None:
    """Show the question before a text is stopped."""
    show_costs(page, product)
    row = page.get_by_role("listitem").filter(has_text="Saudação da fila: Vendas")
    row.get_by_role("button", name="Parar de enviar").click()
    expect(page.get_by_role("alertdialog")).to_contain_text("equipe de vendas")


def show_audit_log(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/audit-log")
    expect(page.get_by_role("row").filter(has_text="Entrada no sistema").first).to_be_visible()


def show_invoices(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/financeiro")
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


def show_kanban(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/kanban")
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


def show_utility_text(page: Page, product: Product) -> None:
    """Show a closed window on an account that may send utility texts."""
    from tests.journeys.test_direct_send import utility_field
    from tests.journeys.test_templates import start

    log_in(page, ADMIN)
    pane = start(page, Customer(product, "Zoraide Meireles"))
    type_in(utility_field(pane), "Sua travessa azul chegou à loja e espera por você.")


def show_utility_refused(page: Page, product: Product) -> None:
    """Show a refused utility text, with the template beside it."""
    from tests.journeys.test_direct_send import LIFTED, send_utility, utility_field
    from tests.journeys.test_templates import start

    simulator = Simulator(product)
    report = {"number": NUMBER, "field": "account_update", "value": LIFTED}
    simulator.call("POST", "/report", report)
    log_in(page, ADMIN)
    pane = start(page, Customer(product, "Zuleide Montenegro"))
    expect(utility_field(pane)).to_be_visible()
    simulator.fault("direct_send_blocked", times=1)
    send_utility(pane, "Sua travessa azul chegou à loja e espera por você.")
    expect(pane.get_by_role("button", name="Usar um modelo")).to_be_visible()
    simulator.call("POST", "/report", report)


def show_contacts(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/contacts")
    press_box(page, re.compile("^Selecionar A"), 1)
    expect(page.get_by_text("1 contato selecionado")).to_be_visible()


def show_contact_import(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/contacts")
    page.get_by_role("button", name="Importar/Exportar").click()
    page.get_by_role("menuitem", name="Importar contatos do telefone").click()
    dialog = page.get_by_role("dialog", name="Importar contatos")
    dialog.get_by_role("button", name="Importar").click()
    expect(dialog.get_by_role("alert")).to_be_visible()


def show_contact_file_rows(page: Page, product: Product) -> None:
    """Show the columns and first rows of a file of contacts."""
    log_in(page, ADMIN, at="/contacts")
    page.get_by_role("button", name="Importar/Exportar").click()
    page.get_by_role("menuitem", name="Importar de um arquivo").click()
    dialog = page.get_by_role("dialog", name="Importar contatos de um arquivo")
    text = b"nome;numero;cidade\nVitor da Vitrine;11 97777-0009;Recife\nSem nada;;\n"
    name = "clientes da loja do centro e da filial nova, revisados em maio.csv"
    file: Any = {"name": name, "mimeType": "text/csv", "buffer": text}
    attach(dialog.get_by_role("button", name="Escolher arquivo"), file)
    expect(dialog.get_by_role("cell", name="Vitor da Vitrine")).to_be_visible()


def show_contact_file(page: Page, product: Product) -> None:
    """Show what became of a file of contacts."""
    show_contact_file_rows(page, product)
    page.get_by_role("button", name="Importar", exact=True).click()
    expect(page.get_by_role("button", name="Baixar erros")).to_be_visible()


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
    log_in(page, ADMIN, at="/contacts")
    type_in(page.get_by_role("searchbox"), keep.name[:24])
    expect(page.get_by_text(keep.name).first).to_be_visible()
    act(page, keep.name, "Mesclar com outro contato")
    dialog = page.get_by_role("dialog", name="Mesclar contatos")
    type_in(dialog.get_by_role("combobox"), gone.name[:24])
    dialog.get_by_role("option", name=re.compile(gone.name)).click()
    expect(dialog.get_by_role("row", name="Atendimentos 1 1")).to_be_visible()


def show_tags(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/tags")
    expect(page.get_by_role("row", name="Orçamento")).to_be_visible()


def show_tasks(page: Page, product: Product) -> None:
    """Show a to-do list with a long task, one that is done and one that is being changed."""
    log_in(page, ADMIN)
    page.goto("/todolist")
    field = page.get_by_role("textbox", name="Nova tarefa")
    long = "Conferir com a transportadora por que os pedidos do fim de semana não saíram"
    for text in ("Repor os vasos da vitrine", f"{long}, e avisar cada cliente", "Ligar para Rita"):
        type_in(field, text)
        page.keyboard.press("Enter")
        expect(field).to_have_value("")
    press_box(page, "Repor os vasos da vitrine")
    act(page, "Ligar para Rita", "Editar Ligar para Rita")
    expect(page.get_by_role("textbox", name="Texto da tarefa")).to_be_focused()


def show_no_tasks(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/todolist")
    expect(page.get_by_text("Nenhuma tarefa por aqui")).to_be_visible()


def show_messages_api(page: Page, product: Product) -> None:
    """Show the page of the messages API with the refusal of a wrong token."""
    log_in(page, ADMIN)
    page.goto("/messages-api")
    type_in(page.get_by_label("Token da conexão"), "um-token-que-nunca-existiu")
    type_in(page.get_by_label("Número"), "5511984321107")
    type_in(page.get_by_role("textbox", name="Texto", exact=True), "Seu pedido saiu para entrega.")
    page.get_by_role("button", name="Enviar texto").click()
    answer = page.get_by_role("status", name="Resposta")
    expect(answer).to_contain_text("ERR_INVALID_TOKEN")


def show_tag(page: Page, product: Product) -> None:
    show_tags(page, product)
    page.get_by_role("row", name="Orçamento").click()
    expect(page.get_by_role("dialog").get_by_role("radio", name="Vermelho")).to_be_attached()


def show_prompt(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/prompts")
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
    log_in(page, ADMIN, at="/quick-messages")
    expect(page.get_by_role("row").filter(has_text="/troca-prazo")).to_be_visible()


def show_quick_message(page: Page, product: Product) -> None:
    show_quick_messages(page, product)
    page.get_by_role("row").filter(has_text="/etiqueta").click()
    dialog = page.get_by_role("dialog", name="Editar resposta rápida")
    type_in(dialog.get_by_label("Atalho"), "")
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog.get_by_text("Obrigatório", exact=True)).to_be_visible()


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
    log_in(page, ADMIN, at="/message-templates")
    expect(page.get_by_role("row").filter(has_text="promocao_relampago")).to_be_visible()


def show_template_library(page: Page, product: Product) -> None:
    """Show Meta's library of templates."""
    show_template_list(page, product)
    page.get_by_role("button", name="Biblioteca da Meta").click()
    dialog = page.get_by_role("dialog", name="Biblioteca da Meta")
    expect(dialog.get_by_role("button", name="payment_due_reminder_1")).to_be_visible()


def show_library_choice(page: Page, product: Product) -> None:
    """Show a template of Meta's library that is being filled in."""
    show_template_library(page, product)
    page.get_by_role("button", name="payment_due_reminder_1").click()
    dialog = page.get_by_role("dialog", name="payment_due_reminder_1")
    type_in(dialog.get_by_label("Link do botão Pagar agora"), "https://casaaroeira.example/p/{{1}}")
    expect(dialog.get_by_label("Exemplo do final do link")).to_be_visible()


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
    log_in(page, ADMIN, at="/queues")
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
    log_in(page, ADMIN, at="/settings")
    expect(page.get_by_role("radiogroup", name="Menu do bot")).to_be_visible()
