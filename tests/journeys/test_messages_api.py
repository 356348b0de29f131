"""The page of the messages API: its forms really send, and its samples run as they are copied."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, ANA, log_in
from tests.journeys.operator import Operator
from tests.journeys.people import CONNECTION, Customer, attach, type_in
from tests.journeys.people import token as session_token
from tests.product import Product, wait_for

PROGRAM_SECONDS = 120
COMMANDS = {
    "curl": ["bash", "-c"],
    "Python": [sys.executable, "-c"],
    "JavaScript": ["node", "--input-type=module", "-e"],
}


@pytest.fixture
def connection_token(page: Page) -> Iterator[str]:
    """The token of a connection, which nobody has afterwards; the page is the admin's."""
    log_in(page, ADMIN)
    bearer = {"Authorization": f"Bearer {session_token(page)}"}
    listed = page.request.get("/api/whatsapp", headers=bearer).json()
    [number] = [each["id"] for each in listed if each["name"] == CONNECTION]
    answer = page.request.post(f"/api/whatsapp/{number}/token", headers=bearer)
    assert answer.ok, answer.text()
    yield str(answer.json()["token"])
    bearer = {"Authorization": f"Bearer {session_token(page)}"}
    page.request.delete(f"/api/whatsapp/{number}/token", headers=bearer)


def open_api(page: Page) -> None:
    page.get_by_role("link", name="API de mensagens").click()
    expect(page.get_by_role("heading", name="Envie mensagens pelo seu sistema")).to_be_visible()


def fill(page: Page, token: str, number: str) -> None:
    type_in(page.get_by_label("Token da conexão"), token)
    type_in(page.get_by_label("Número"), number)


def answer_of(page: Page) -> Locator:
    return page.get_by_role("status", name="Resposta")


def copied(page: Page, button: str) -> str:
    """Copy a sample as a person does, and return what a program is then."""
    page.get_by_role("button", name=button).click()
    expect(page.get_by_role("button", name="Copiado")).to_be_visible()
    text = str(page.evaluate("navigator.clipboard.readText()"))
    expect(page.get_by_role("button", name="Copiado")).to_have_count(0)
    return text


def run(language: str, sample: str, token: str, folder: Path) -> str:
    """Run a sample where its picture lies and return what it prints."""
    done = subprocess.run(
        [*COMMANDS[language], sample],
        cwd=folder,
        env=os.environ | {"BALCAO_TOKEN": token},
        capture_output=True,
        text=True,
        timeout=PROGRAM_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def kinds(customer: Customer) -> list[str]:
    return [str(message["type"]) for message in customer.received()]


def has_got(customer: Customer, expected: list[str]) -> bool:
    return kinds(customer) == expected


def test_a_text_and_a_picture_arrive_and_a_wrong_token_is_said(
    product: Product, page: Page, connection_token: str
) -> None:
    customer = Customer(product, "Apolo da Interface")
    customer.write("Meu pedido já saiu?")
    open_api(page)
    page.get_by_role("button", name="Enviar texto").click()
    expect(page.get_by_label("Token da conexão")).to_be_focused()
    expect(page.get_by_text("Campo obrigatório!")).to_have_count(2)

    fill(page, "nem-de-longe", "+55 (11) 9")
    type_in(page.get_by_role("textbox", name="Texto", exact=True), "Saiu agora.")
    expect(page.get_by_text("Só números, sem máscara")).to_be_visible()
    fill(page, "nem-de-longe", customer.number)
    page.get_by_role("button", name="Enviar texto").click()
    expect(answer_of(page)).to_contain_text("HTTP 401")
    expect(answer_of(page)).to_contain_text("está ausente ou não vale mais")
    expect(answer_of(page)).to_contain_text("ERR_INVALID_TOKEN")

    # Nobody was signed out by it.
    type_in(page.get_by_label("Token da conexão"), connection_token)
    page.get_by_role("button", name="Enviar texto").click()
    expect(answer_of(page)).to_contain_text("HTTP 200")
    expect(answer_of(page)).to_contain_text('"ticketId"')
    customer.wait_for_texts("Saiu agora.")

    page.get_by_role("tab", name="Arquivo").click()
    button = page.get_by_role("button", name="Enviar arquivo")
    button.click()
    expect(page.get_by_text("Escolha um arquivo ou escreva um texto.")).to_be_visible()
    picture = {"name": "caixa.png", "mimeType": "image/png", "buffer": page.screenshot()}
    attach(page.get_by_role("button", name="Anexar arquivo"), picture)
    type_in(page.get_by_label("Legenda"), "Esta é a caixa")
    button.click()
    expect(answer_of(page)).to_contain_text("HTTP 200")
    wait_for(lambda: kinds(customer) == ["text", "image"], "the picture")


def test_the_samples_run_as_they_are_copied(
    product: Product, page: Page, connection_token: str, tmp_path: Path
) -> None:
    customer = Customer(product, "Samara dos Exemplos")
    customer.write("Oi")
    open_api(page)
    (tmp_path / "foto.png").write_bytes(page.screenshot())
    # The number that is typed is in the samples.
    type_in(page.get_by_label("Número"), customer.number)
    for tab, kind in (("Texto", "text"), ("Arquivo", "image")):
        page.get_by_role("tab", name=tab, exact=True).click()
        for language in COMMANDS:
            expected = [*kinds(customer), kind]
            page.get_by_role("tab", name=language, exact=True).click()
            sample = copied(page, f"Copiar exemplo em {language}")
            assert f"{product.address}/api/messages/send" in sample
            printed = run(language, sample, connection_token, tmp_path)
            assert "messageId" in printed, printed
            wait_for(partial(has_got, customer, expected), f"what {language} sent")


def test_the_sample_that_listens_hears_what_a_customer_writes(
    product: Product, page: Page, tmp_path: Path
) -> None:
    log_in(page, ADMIN)
    open_api(page)
    page.get_by_role("button", name="Novo token").first.click()
    dialog = page.get_by_role("dialog", name="Novo token")
    dialog.get_by_role("button", name="Criar token").click()
    expect(dialog.get_by_text("Campo obrigatório!").first).to_be_visible()
    type_in(dialog.get_by_label("Nome"), "Ouvinte")
    dialog.get_by_text("Leitura", exact=True).click()
    dialog.get_by_text("Eventos", exact=True).click()
    dialog.get_by_role("button", name="Criar token").click()
    shown = page.get_by_role("dialog", name="Token criado")
    text = shown.locator("code").inner_text()
    assert text.startswith("balcao_")
    shown.get_by_role("button", name="Já guardei").click()
    row = page.get_by_role("list", name="Tokens de serviço").get_by_role("listitem")
    expect(row).to_contain_text("Ouvinte")
    expect(row).to_contain_text("Nunca usado")
    expect(page.get_by_text(text)).to_have_count(0)
    sample = copied(page, "Copiar exemplo que recebe eventos")
    heard = tmp_path / "heard"
    with heard.open("wb") as out:
        program = subprocess.Popen(
            [sys.executable, "-c", sample],
            env=os.environ | {"BALCAO_SERVICE_TOKEN": text},
            stdout=out,
            stderr=out,
        )
    try:
        wait_for(lambda: '"joined"' in heard.read_text(), "the program to listen", PROGRAM_SECONDS)
        Customer(product, "Everaldo dos Eventos").write("Alguém escuta isto?")
        wait_for(lambda: "Alguém escuta isto?" in heard.read_text(), "the message")
        # Nobody's session ended, and the token's use is shown. Revoked, it ends the program.
        page.reload()
        expect(row).to_contain_text("Usado em")
        row.get_by_role("button", name="Revogar Ouvinte").click()
        asked = page.get_by_role("alertdialog", name="Revogar Ouvinte?")
        asked.get_by_role("button", name="Revogar").click()
        expect(page.get_by_text("Nenhum token de serviço ainda.")).to_be_visible()
        assert program.wait(PROGRAM_SECONDS) != 0
        assert "4401" in heard.read_text()
    finally:
        program.kill()
        program.wait()


def test_postman_gets_the_call_of_programs_alone(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    open_api(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Baixar OpenAPI").click()
    schema = json.loads(Path(download.value.path()).read_text())
    # Older programs end the address with a slash.
    assert list(schema["paths"]) == ["/api/messages/send/", "/api/messages/send"]
    assert schema["servers"] == [{"url": product.address}]
    expect(page.get_by_role("link", name="Ver todas as chamadas")).to_have_attribute(
        "href", "/api/docs"
    )


def test_the_page_is_the_admins(page: Page) -> None:
    log_in(page, ANA)
    expect(page.get_by_role("link", name="API de mensagens")).to_have_count(0)
    page.goto("/messages-api")
    expect(page.get_by_text("Acesso não permitido")).to_be_visible()


def test_a_plan_without_it_leads_home(page: Page, product: Product) -> None:
    operator = Operator(product)
    plan = operator.sell("Sem API", 49.9, users=2, connections=1, useExternalApi=False)
    operator.open_company("Ateliê Sem API", "admin@sem-api.example", plan)
    log_in(page, "admin@sem-api.example")
    expect(page.get_by_role("link", name="Conexões")).to_be_visible()
    expect(page.get_by_role("link", name="API de mensagens")).to_have_count(0)
    page.goto("/messages-api")
    expect(page.get_by_role("alert")).to_contain_text(
        "Esta empresa não possui permissão para acessar essa página! Estamos lhe redirecionando."
    )
    page.wait_for_url(re.compile(r":\d+/$"))

    # The operator sells it to them.
    operator.call("PUT", f"/plans/{plan}", {"useExternalApi": True})
    page.reload()
    open_api(page)
