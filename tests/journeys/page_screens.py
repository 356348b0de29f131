"""How to reach the pages, and their dialogs, that no other module here is about."""

import itertools
import re
from datetime import date

from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, PASSWORD, log_in
from tests.journeys.operator import AdminForms
from tests.journeys.people import (
    BOT_NUMBER,
    Customer,
    act,
    keys_to,
    pick,
    press_box,
    say,
    sent,
    serve,
    tick,
    type_in,
)
from tests.product import Product

# Of the contacts whose replies cost.
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


def show_roles(page: Page, product: Product) -> None:
    show_users(page, product)
    page.get_by_role("button", name="Papéis").click()
    expect(page.get_by_role("dialog", name="Papéis")).to_contain_text("Supervisor")


def show_role(page: Page, product: Product) -> None:
    show_roles(page, product)
    page.get_by_role("button", name="Criar um papel como Atendente").click()
    dialog = page.get_by_role("dialog", name="Novo papel")
    expect(dialog.get_by_role("checkbox", name="Aceitar atendimentos")).to_be_checked()


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


def show_reports(page: Page, product: Product) -> None:
    """Show the figures of the last 90 days."""
    log_in(page, ADMIN)
    page.goto("/reports")
    pick(page.get_by_label("Período"), "90 dias")
    hours = page.get_by_role("region", name="Quando começam").get_by_role("link")
    expect(hours).not_to_have_count(0)


def show_report_hours(page: Page, product: Product) -> None:
    """Show when conversations begin, which is under the other figures."""
    show_reports(page, product)
    hours = page.get_by_role("region", name="Quando começam")
    hours.get_by_role("link").last.scroll_into_view_if_needed()


def show_report_conversations(page: Page, product: Product) -> None:
    show_reports(page, product)
    page.get_by_role("tab", name="Conversas").click()
    count = page.get_by_role("status").filter(has_text=re.compile(r"^[\d.]+ conversas$"))
    expect(count).to_be_visible()


def show_report_activity(page: Page, product: Product) -> None:
    show_reports(page, product)
    page.get_by_role("tab", name="Equipe por dia").click()
    days = page.get_by_role("table", name="Equipe por dia")
    expect(days.get_by_role("link").first).to_be_visible()


def show_no_reports(page: Page, product: Product) -> None:
    """Show days without a conversation."""
    log_in(page, ADMIN)
    page.goto("/reports?dateFrom=2020-01-01&dateTo=2020-01-02")
    expect(page.get_by_role("heading", name="Nenhuma conversa nestes dias.")).to_be_visible()


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


def show_retention(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/settings?tab=retention")
    pick(page.get_by_label("Mensagens"), "2 anos")
    pick(page.get_by_label("Arquivos"), "6 meses")
    pick(page.get_by_label("Registros técnicos"), "1 dia")
    expect(page.get_by_text("a primeira limpeza será em")).to_be_visible()


def show_settings(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/settings")
    expect(page.get_by_role("radiogroup", name="Menu do bot")).to_be_visible()


def show_company_archive(page: Page, product: Product) -> None:
    log_in(page, ADMIN, at="/settings?tab=archive")
    expect(page.get_by_role("button", name="Preparar arquivo")).to_be_visible()


def show_ready_archive(page: Page, product: Product) -> None:
    """Show an archive that a worker has written."""
    page.route(
        "**/api/company-archive",
        lambda route: route.fulfill(
            json={
                "archive": {
                    "state": "ready",
                    "createdAt": "2026-11-30T10:00:00Z",
                    "expiresAt": "2026-12-07T10:05:00Z",
                    "withMedia": True,
                    "withPasswords": True,
                    "rowsTotal": 48210,
                    "rowsDone": 48210,
                    "filesDone": 1204,
                    "missingFiles": 2,
                    "size": 912_400_000,
                    "contents": [
                        {"group": "people", "count": 214},
                        {"group": "contacts", "count": 3120},
                        {"group": "conversations", "count": 44876},
                    ],
                    "url": "https://balcao.invalid/api/public/x/archives/y.tar",
                    "errorCode": "",
                }
            }
        ),
    )
    log_in(page, ADMIN, at="/settings?tab=archive")
    expect(page.get_by_role("link", name="Baixar")).to_be_visible()
