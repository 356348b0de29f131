"""Every main screen and dialog, and a command that takes pictures of them.

`SCREENS=<folder> .venv/bin/python -m tests.journeys.screens [names]` fills the folder with
<screen>-<width>-<theme>.png, on a product of its own.
"""

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from tests.journeys.conftest import ADMIN, FLAGS, chromium, log_in
from tests.journeys.people import (
    BOT_NUMBER,
    Customer,
    accept,
    composer,
    conversation,
    open_waiting,
    row,
    say,
    sent,
    tab,
    tick,
    token,
)
from tests.product import ROOT, Product, wait_for

SIZES = ((1440, 900), (390, 844))
THEMES = ("light", "dark")


def use_theme(page: Page, theme: str) -> None:
    """Change the theme where the screen stands, dialogs included, and wait for its colours."""
    page.evaluate(
        """async dark => {
            document.documentElement.classList.toggle('dark', dark);
            document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
            await new Promise(requestAnimationFrame);
            const ends = a => a.effect.getComputedTiming().iterations !== Infinity;
            const moving = document.getAnimations().filter(ends);
            await Promise.all(moving.map(a => a.finished.catch(() => null)));
            await new Promise(requestAnimationFrame);
        }""",
        theme == "dark",
    )


def show_login(page: Page, product: Product) -> None:
    page.goto("/login")
    page.get_by_role("button", name="Entrar").click()
    expect(page.get_by_text("Informe seu e-mail")).to_be_visible()


def show_phone(page: Page, product: Product) -> None:
    customer = Customer(product, "Adalgisa Pires")
    customer.write("Olá!")
    customer.send(type="image", sample="canecas.jpg", caption="Estas aqui")
    page.goto(customer.phone_address)
    expect(page.get_by_test_id("message")).to_have_count(2)


def show_inbox(page: Page, product: Product) -> None:
    customer = Customer(product, "Venâncio Guerra")
    log_in(page, ADMIN)
    customer.write("Olá, segue a foto e o endereço")
    accept(page, customer.name)
    customer.send(type="image", sample="canecas.jpg", caption="Estas aqui")
    customer.send(type="voice", sample="recado.ogg")
    customer.send(type="document", sample="comprovante-pix.pdf")
    customer.send(type="location", latitude=-23.5, longitude=-46.6, name="Rua Harmonia, 412")
    customer.send(type="contacts", name="Paula Sampaio", phone="+55 11 97333-4821")
    pane = conversation(page, customer.name)
    expect(pane.get_by_role("log").get_by_text("Paula Sampaio")).to_be_visible()
    say(page, "Recebido, obrigada!")
    expect(tick(sent(page, "Recebido, obrigada!"), "Entregue")).to_be_visible()
    composer(page).fill("Um rascunho")


def show_waiting(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    tab(page, "Aguardando").click()
    page.get_by_role("region", name="Aguardando", exact=True).get_by_role("link").first.click()
    expect(page.get_by_text("Aceite este atendimento para responder.")).to_be_visible()
    expect(page.get_by_role("log").get_by_role("group").last).to_be_visible()


def show_new_ticket(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.get_by_role("button", name="Novo ticket").first.click()
    dialog = page.get_by_role("dialog", name="Criar ticket")
    dialog.get_by_role("button", name="Criar ticket").click()
    expect(dialog.get_by_text("Escolha um contato")).to_be_visible()


def show_contact(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    tab(page, "Aguardando").click()
    page.get_by_role("region", name="Aguardando", exact=True).get_by_role("link").first.click()
    page.get_by_role("button", name=re.compile("^Abrir contato de")).click()
    page.get_by_role("button", name="Editar contato").click()
    dialog = page.get_by_role("dialog", name="Editar contato")
    dialog.get_by_role("button", name="Adicionar informação").click()
    expect(dialog.get_by_label("Nome do campo").first).to_be_visible()


def open_ticket(page: Page, contact: str) -> None:
    """Open one of the admin's own conversations."""
    log_in(page, ADMIN)
    row(page, "Atendendo", contact).click()
    expect(conversation(page, contact)).to_be_visible()
    expect(page.get_by_role("log").get_by_role("group").last).to_be_visible()


def show_drawer(page: Page, product: Product) -> None:
    open_ticket(page, "Mariana Albuquerque")
    page.get_by_role("button", name=re.compile("^Abrir contato de")).click()
    expect(
        page.get_by_role("region", name="Observações").get_by_role("listitem").first
    ).to_be_visible()


def show_drawer_empty(page: Page, product: Product) -> None:
    customer = Customer(product, "Nepomuceno Braga")
    log_in(page, ADMIN)
    customer.write("Olá!")
    accept(page, customer.name)
    page.get_by_role("button", name=re.compile("^Abrir contato de")).click()
    expect(page.get_by_text("Nenhuma observação ainda.")).to_be_visible()


def show_history(page: Page, product: Product) -> None:
    show_drawer(page, product)
    parts = page.get_by_role("tablist", name="Partes do contato")
    parts.get_by_role("tab", name="Atendimentos").click()
    tickets = page.get_by_role("list", name="Atendimentos do contato")
    expect(tickets.get_by_role("link").first).to_be_visible()


def show_gallery(page: Page, product: Product) -> None:
    show_drawer(page, product)
    parts = page.get_by_role("tablist", name="Partes do contato")
    parts.get_by_role("tab", name="Mídia").click()
    expect(page.get_by_role("button", name=re.compile("^Ampliar foto")).first).to_be_visible()


def show_options(page: Page, product: Product) -> None:
    open_ticket(page, "Mariana Albuquerque")
    page.get_by_role("button", name="Opções do atendimento").click()
    expect(page.get_by_role("menuitem", name="Transferir")).to_be_visible()


def show_transfer(page: Page, product: Product) -> None:
    show_options(page, product)
    page.get_by_role("menuitem", name="Transferir").click()
    dialog = page.get_by_role("dialog", name="Transferir atendimento de Mariana Albuquerque")
    dialog.get_by_role("button", name="Transferir").click()
    expect(dialog.get_by_role("alert")).to_be_visible()


def show_tag_picker(page: Page, product: Product) -> None:
    open_ticket(page, "Mariana Albuquerque")
    page.get_by_role("button", name="Tags do atendimento").click()
    expect(page.get_by_role("option", name="VIP")).to_be_visible()


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


def show_connections(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/connections")
    expect(page.get_by_role("row").filter(has_text="Loja Centro")).to_be_visible()


def show_connection(page: Page, product: Product) -> None:
    show_connections(page, product)
    page.get_by_role("button", name="Adicionar conexão").click()
    expect(page.get_by_role("dialog", name="Adicionar conexão")).to_be_visible()


def show_connection_messages(page: Page, product: Product) -> None:
    _show_connection_tab(page, product, "Mensagens", "Mensagem de avaliação")


def show_connection_bot(page: Page, product: Product) -> None:
    _show_connection_tab(page, product, "Bot", "Leva para a fila")


def show_connection_timers(page: Page, product: Product) -> None:
    _show_connection_tab(page, product, "Prazos", "Mensagem de inatividade")


def show_connection_api(page: Page, product: Product) -> None:
    _show_connection_tab(page, product, "API", "Token da API")


def _show_connection_tab(page: Page, product: Product, tab: str, label: str) -> None:
    show_connections(page, product)
    page.get_by_role("button", name="Editar Loja Centro").click()
    page.get_by_role("dialog", name="Editar conexão").get_by_role("tab", name=tab).click()
    expect(page.get_by_label(label)).to_be_visible()


def show_kanban(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/kanban")
    expect(page.locator("[data-card]").first).to_be_visible()
    # A card under way by keys: its place in the lane beside.
    page.locator("[data-card]").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-place]")).to_be_visible()


def show_templates(page: Page, product: Product) -> None:
    """Show the chooser with a template filled in, for somebody who never wrote."""
    from tests.journeys.test_templates import open_chooser, option, start

    log_in(page, ADMIN)
    dialog = open_chooser(page, start(page, Customer(product, "Zulmira Teixeira")))
    option(dialog, "pedido_enviado").filter(has_text="pt-BR").click()
    dialog.get_by_label("Texto: variável 2").fill("10482")
    expect(dialog.get_by_role("region", name="Como o contato vai ver")).to_contain_text("10482")


def open_message_menu(page: Page, product: Product, name: str) -> Locator:
    """Hold a conversation and open the options of the customer's message; return the menu."""
    customer = Customer(product, name)
    log_in(page, ADMIN)
    customer.write("A travessa azul ainda tem no tamanho *grande*?")
    pane = accept(page, customer.name)
    message = pane.get_by_role("group", name=customer.name, exact=True)
    customer.send(type="reaction", message_id=customer.messages()[0]["id"], emoji="❤️")
    message.hover()
    message.get_by_role("button", name="Opções da mensagem").click()
    menu = page.get_by_role("menu", name="Opções da mensagem")
    expect(menu).to_be_visible()
    return menu


def show_message_menu(page: Page, product: Product) -> None:
    open_message_menu(page, product, "Dorotéia Antunes")


def show_forward(page: Page, product: Product) -> None:
    menu = open_message_menu(page, product, "Amância Bastos")
    menu.get_by_role("menuitem", name="Encaminhar").click()
    dialog = page.get_by_role("dialog", name="Encaminhar mensagem")
    dialog.get_by_role("searchbox", name="Buscar contato").fill("mar")
    dialog.get_by_role("checkbox").first.click()
    expect(dialog.get_by_role("list", name="Contatos escolhidos")).to_be_visible()


def show_message_details(page: Page, product: Product) -> None:
    menu = open_message_menu(page, product, "Benedita Cortes")
    menu.get_by_role("menuitem", name="Detalhes").click()
    expect(page.get_by_role("dialog", name="Detalhes da mensagem")).to_be_visible()


def show_message_search(page: Page, product: Product) -> None:
    customer = Customer(product, "Claudionor Faria")
    log_in(page, ADMIN)
    customer.write("Vocês têm a travessa azul?")
    pane = accept(page, customer.name)
    say(page, "A travessa azul chega na quinta-feira.")
    expect(tick(sent(page, "travessa azul"), "Entregue")).to_be_visible()
    composer(page).press("Control+f")
    pane.get_by_role("searchbox").fill("travessa")
    expect(pane.get_by_text("1 de 2")).to_be_visible()


def show_every_kind(page: Page, product: Product) -> None:
    """Show all that a conversation can hold at once, on a screen that is as high as that."""
    from tests.journeys.kinds import GROUP, LAST, seed

    seed(product)
    log_in(page, ADMIN)
    row(page, "Atendendo", GROUP).first.click()
    thread = page.get_by_role("log")
    expect(thread.get_by_text(LAST)).to_be_visible()
    width = page.evaluate("innerWidth")
    page.set_viewport_size({"width": width, "height": 4800})
    expect(thread.get_by_text("travessa azul").first).to_be_visible()


def show_picture(page: Page, product: Product) -> None:
    customer = Customer(product, "Deolinda Matos")
    log_in(page, ADMIN)
    customer.send(type="image", sample="canecas.jpg", caption="São estas aqui, as três")
    pane = accept(page, customer.name)
    pane.get_by_role("button", name="Ampliar imagem").click()
    expect(page.get_by_role("dialog", name="Imagem ampliada")).to_be_visible()


def show_contacts(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/contacts")
    page.get_by_role("checkbox", name=re.compile("^Selecionar A")).nth(1).check(force=True)
    expect(page.get_by_text("1 contato selecionado")).to_be_visible()


def show_contact_import(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/contacts")
    page.get_by_role("button", name="Importar/Exportar").click()
    page.get_by_role("menuitem", name="Importar contatos do telefone").click()
    dialog = page.get_by_role("dialog", name="Importar contatos")
    dialog.get_by_role("button", name="Importar").click()
    expect(dialog.get_by_role("alert")).to_be_visible()


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
    dialog.get_by_label("Voz", exact=True).select_option(label="Yara (português do Brasil)")
    dialog.get_by_role("button", name="Adicionar", exact=True).click()
    expect(dialog.get_by_text("Selecione uma fila para salvar o prompt.")).to_be_visible()


def show_search(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    tab(page, "Busca").click()
    page.get_by_role("searchbox", name="Buscar atendimentos").fill("pedido")
    expect(
        page.get_by_role("region", name="Busca", exact=True).locator("mark").first
    ).to_be_visible()


def show_filters(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.get_by_role("button", name="Filtros").click()
    expect(page.get_by_role("group", name="Tags").get_by_text("Atacado")).to_be_visible()


def show_nothing_found(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/tickets?tab=search&q=xyzxyz")
    expect(page.get_by_text("Nenhum atendimento encontrado.")).to_be_visible()


def show_palette(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.get_by_role("button", name="Buscar ou ir para").locator("visible=true").first.click()
    dialog = page.get_by_role("dialog", name="Buscar ou ir para")
    dialog.get_by_role("combobox").fill("pedido")
    expect(dialog.get_by_role("option").nth(3)).to_be_visible()


def show_quick_messages(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/quick-messages")
    expect(page.get_by_role("row").filter(has_text="/troca-prazo")).to_be_visible()


def show_quick_message(page: Page, product: Product) -> None:
    show_quick_messages(page, product)
    page.get_by_role("button", name="Editar /etiqueta").click()
    dialog = page.get_by_role("dialog", name="Editar resposta rápida")
    dialog.get_by_label("Atalho").fill("")
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog.get_by_text("Campo obrigatório!")).to_be_visible()


def show_quick_answers(page: Page, product: Product) -> None:
    customer = Customer(product, "Leopoldina Vaz")
    log_in(page, ADMIN)
    customer.write("Como faço para trocar?")
    accept(page, customer.name)
    page.get_by_role("button", name="Respostas rápidas").last.click()
    expect(page.get_by_role("option").filter(has_text="/troca-prazo")).to_be_attached()


def show_captions(page: Page, product: Product) -> None:
    customer = Customer(product, "Cândida Rosa")
    log_in(page, ADMIN)
    customer.write("Podem mandar as fotos?")
    accept(page, customer.name)
    samples = ROOT / "apps/simulator/samples"
    names = ("canecas.jpg", "catalogo.pdf", "vasos.jpg")
    page.get_by_test_id("file-input").set_input_files([samples / name for name in names])
    composer(page).fill("As canecas da vitrine")
    page.get_by_test_id("file-input").set_input_files(
        {"name": "instalador.exe", "mimeType": "application/x-msdownload", "buffer": b"MZ"}
    )
    expect(page.get_by_text("instalador.exe é de um tipo")).to_be_visible()


def show_recorder(page: Page, product: Product) -> None:
    customer = Customer(product, "Benvinda Lopes")
    log_in(page, ADMIN)
    customer.write("Me explica por áudio?")
    accept(page, customer.name)
    page.get_by_role("button", name="Gravar áudio").click()
    expect(page.get_by_role("timer")).to_have_text("00:01")


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
    page.get_by_role("button", name="Editar Vitrine webhook").click()
    dialog = page.get_by_role("dialog", name="Editar integração")
    expect(dialog.get_by_role("button", name="Gerar novo segredo")).to_be_visible()


def show_deliveries(page: Page, product: Product) -> None:
    show_integrations(page, product)
    page.get_by_role("button", name="Entregas de Vitrine webhook").click()
    expect(page.get_by_text("Nenhuma entrega ainda")).to_be_visible()


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


def show_queue_colors(page: Page, product: Product) -> None:
    show_queue(page, product)
    page.get_by_role("button", name="Cor:").click()
    expect(page.get_by_role("radio", name="usada em Vendas")).to_be_visible()


def show_settings(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.goto("/settings")
    expect(page.get_by_role("radiogroup", name="Menu do bot")).to_be_visible()


SCREENS: dict[str, Callable[[Page, Product], None]] = {
    "login": show_login,
    "inbox": show_inbox,
    "waiting": show_waiting,
    "search": show_search,
    "filters": show_filters,
    "nothing-found": show_nothing_found,
    "palette": show_palette,
    "message-menu": show_message_menu,
    "forward": show_forward,
    "message-details": show_message_details,
    "message-search": show_message_search,
    "picture": show_picture,
    "every-kind": show_every_kind,
    "new-ticket": show_new_ticket,
    "contact": show_contact,
    "drawer": show_drawer,
    "drawer-empty": show_drawer_empty,
    "history": show_history,
    "gallery": show_gallery,
    "options": show_options,
    "transfer": show_transfer,
    "tag-picker": show_tag_picker,
    "schedules": show_schedules,
    "schedule-list": show_schedule_list,
    "schedule": show_schedule,
    "contacts": show_contacts,
    "contact-import": show_contact_import,
    "tags": show_tags,
    "prompt": show_prompt,
    "tag": show_tag,
    "users": show_users,
    "user": show_user,
    "connections": show_connections,
    "connection": show_connection,
    "connection-messages": show_connection_messages,
    "connection-bot": show_connection_bot,
    "connection-timers": show_connection_timers,
    "connection-api": show_connection_api,
    "integrations": show_integrations,
    "integration": show_integration,
    "deliveries": show_deliveries,
    "bot": show_bot,
    "settings": show_settings,
    "queues": show_queues,
    "queue": show_queue,
    "queue-colors": show_queue_colors,
    "kanban": show_kanban,
    "quick-messages": show_quick_messages,
    "quick-message": show_quick_message,
    "quick-answers": show_quick_answers,
    "captions": show_captions,
    "recorder": show_recorder,
    "phone": show_phone,
    "templates": show_templates,
}


def photograph(browser: Browser, product: Product, name: str, folder: Path) -> None:
    """Take the pictures of one screen, at both sizes in both themes."""
    for width, height in SIZES:
        context = browser.new_context(
            base_url=product.address,
            locale="pt-BR",
            timezone_id="America/Sao_Paulo",
            viewport={"width": width, "height": height},
        )
        page = context.new_page()
        SCREENS[name](page, product)
        for theme in THEMES:
            use_theme(page, theme)
            page.screenshot(path=folder / f"{name}-{width}-{theme}.png")
        context.close()


def main(names: list[str]) -> None:
    """Start the product, take the pictures and say where they are."""
    folder = Path(os.environ["SCREENS"])
    folder.mkdir(parents=True, exist_ok=True)
    product = Product()
    try:
        wait_for(lambda: product.get("/health/ready/")[0] == 200, "a worker")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
            for name in names or SCREENS:
                photograph(browser, product, name, folder)
            browser.close()
    finally:
        product.remove()
    sys.stdout.write(f"{len(list(folder.glob('*.png')))} pictures in {folder}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
