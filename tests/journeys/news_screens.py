"""How to reach what the operator tells every company, films that help, and e-mails."""

import re

from playwright.sync_api import Page, expect

from tests.journeys.conftest import CARLA, SUPER, log_in
from tests.journeys.people import token, type_in
from tests.product import Product

TITLE = "Manutenção programada"
FILM = "Primeiros passos no atendimento"
ANNOUNCEMENTS = [
    ("Agora com campanhas por segmento", "Escolha por tags, cidade ou compras.", 3),
    ("Novos preços das mensagens da Meta", "Valem a partir do dia primeiro.", 2),
    (TITLE, "No domingo, das 22h às 23h, o sistema ficará fora do ar. " * 4, 1),
]

HELPS = [
    (FILM, "Do clique em Aceitar até a primeira resposta, com atalhos do teclado.", "M7lc1UVf-VE"),
    ("Transferir para outra fila sem perder o histórico", "", "aqz-KE-bpKQ"),
    ("Campanhas: da lista de contatos ao relatório", "Planilha, ritmo e respostas.", "76979871"),
    ("Conectar um número pela API oficial da Meta", "Passo a passo. " * 20, "ScMzIvxBSi4"),
]


def show_announcements(page: Page, product: Product) -> None:
    """Show one of each priority, made when they are not there yet."""
    log_in(page, SUPER)
    headers = {"Authorization": f"Bearer {token(page)}"}
    found = page.request.get("/api/announcements?searchParam=programada", headers=headers)
    if not found.json()["count"]:
        for title, text, priority in ANNOUNCEMENTS:
            given = {"title": title, "text": text, "priority": priority}
            assert page.request.post("/api/announcements", data=given, headers=headers).ok
    page.goto("/announcements")
    expect(page.get_by_role("row").filter(has_text=TITLE)).to_be_visible()


def show_announcement_form(page: Page, product: Product) -> None:
    show_announcements(page, product)
    page.get_by_role("row").filter(has_text=TITLE).click()
    dialog = page.get_by_role("dialog", name="Editar informativo")
    type_in(dialog.get_by_label("Título"), "")
    dialog.get_by_role("button", name="Salvar").click()
    expect(dialog.get_by_text("Obrigatório", exact=True)).to_be_visible()


def show_announcement_list(page: Page, product: Product) -> None:
    show_announcements(page, product)
    page.get_by_role("button", name=re.compile("^Informativos")).click()
    listed = page.get_by_role("dialog", name="Informativos")
    expect(listed.get_by_role("button", name=TITLE)).to_be_visible()


def show_announcement(page: Page, product: Product) -> None:
    show_announcement_list(page, product)
    page.get_by_role("dialog").get_by_role("button", name=TITLE).click()
    expect(page.get_by_role("dialog", name=TITLE)).to_be_visible()


def show_helps(page: Page, product: Product) -> None:
    """Show films, written when they are not there yet."""
    log_in(page, SUPER)
    headers = {"Authorization": f"Bearer {token(page)}"}
    known = [each["title"] for each in page.request.get("/api/helps/list", headers=headers).json()]
    for title, description, video in HELPS:
        given = {"title": title, "description": description, "video": video}
        assert title in known or page.request.post("/api/helps", data=given, headers=headers).ok
    page.goto("/helps")
    expect(page.get_by_role("button", name=f"Assistir: {FILM}")).to_be_visible()


def show_help_player(page: Page, product: Product) -> None:
    """Show a film that plays nothing: nobody else is asked."""
    page.route(
        re.compile(r"^https://www\.youtube-nocookie\.com/"),
        lambda route: route.fulfill(
            body="<!doctype html><html lang=pt><title>Player</title><main><h1>Vídeo</h1></main>",
            content_type="text/html; charset=utf-8",
        ),
    )
    show_helps(page, product)
    page.get_by_role("button", name=f"Assistir: {FILM}").click()
    dialog = page.get_by_role("dialog", name=FILM)
    film = dialog.get_by_title(f"Vídeo: {FILM}")
    expect(film.content_frame.get_by_role("heading", name="Vídeo")).to_be_visible()
    expect(dialog.get_by_role("status")).to_have_count(0)


def show_email(page: Page, product: Product) -> None:
    log_in(page, CARLA)
    page.goto("/Email")
    type_in(page.get_by_label("Destinatários"), "maria.aparecida@lojadabrisa.com.br, joão")
    page.get_by_role("button", name="Enviar", exact=True).click()
    expect(page.get_by_text("Informe o assunto.")).to_be_visible()


def show_sent_emails(page: Page, product: Product) -> None:
    """Show a page of a list of some, made when they are not there yet."""
    log_in(page, CARLA)
    headers = {"Authorization": f"Bearer {token(page)}"}
    if not page.request.get("/api/emails", headers=headers).json()["count"]:
        everybody = ",".join(f"pessoa.{number}@lojadabrisa.example.com" for number in range(7))
        given = {
            "email": everybody,
            "assunto": "Proposta de fornecimento para o segundo semestre",
            "mensagem": "Bom dia!\n\nSegue a proposta que combinamos por telefone. " * 4,
        }
        assert page.request.post("/api/emails", data=given, headers=headers).ok
    page.goto("/EmailLis")
    expect(page.get_by_role("row").filter(has_text="pessoa.6@")).to_contain_text("Enviado")


def show_sent_email(page: Page, product: Product) -> None:
    show_sent_emails(page, product)
    page.get_by_role("row").filter(has_text="pessoa.6@").get_by_text("pessoa.6@").click()
    expect(page.get_by_role("dialog", name="Proposta de fornecimento")).to_be_visible()
