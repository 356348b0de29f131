"""An assistant is written, tried, kept and changed, on a model of our own."""

import re

from playwright.sync_api import Page, expect

from apps.automation.tests.models import completion, refusal
from apps.automation.tests.wire import Answer, Received, wire_server
from tests.journeys.conftest import log_in
from tests.journeys.people import pick, press, type_in
from tests.product import Product


def answer(request: Received) -> Answer:
    asked = request.json["messages"][-1]["content"]
    if "pessoa" in asked:
        return Answer(
            body=completion("Claro, já chamo alguém.", tools=["transferir_para_atendimento"])
        )
    return Answer(body=completion("Temos coco e **milho**."))


def test_an_assistant_is_tried_before_it_is_kept(page: Page, product: Product) -> None:
    with wire_server() as server:
        server.handler = answer
        log_in(page)
        page.goto("/prompts")
        page.get_by_role("button", name="Adicionar prompt").first.click()
        dialog = page.get_by_role("dialog", name="Adicionar prompt")
        dialog.get_by_role("button", name="Adicionar", exact=True).click()
        expect(dialog.get_by_text("Selecione uma fila para salvar o prompt.")).to_be_visible()

        type_in(dialog.get_by_label("Nome", exact=True), "Bia da confeitaria")
        pick(dialog.get_by_label("Fila", exact=True), 1)
        type_in(dialog.get_by_label("Instruções", exact=True), "Você vende bolos.")
        type_in(dialog.get_by_label("Chave da API", exact=True), "sk-da-jornada")
        dialog.get_by_text("Avançado").click()
        type_in(dialog.get_by_label("Endereço da API"), f"{server.url}/v1")

        question = dialog.get_by_label("Mensagem de teste")
        talk = dialog.get_by_role("log", name="Conversa de teste")
        type_in(question, "Que bolos vocês têm?")
        press(question, "Enter")
        expect(talk.get_by_text("Temos coco e *milho*.")).to_be_visible()
        type_in(question, "Quero falar com uma pessoa")
        press(question, "Enter")
        expect(talk.get_by_text("Passa para uma pessoa da fila")).to_be_visible()

        dialog.get_by_role("button", name="Adicionar", exact=True).click()
        expect(dialog).to_be_hidden()
        expect(page.get_by_role("row").filter(has_text="Bia da confeitaria")).to_be_visible()
        columns = page.get_by_role("columnheader").filter(has_text=re.compile("."))
        shown = ["Nome", "Fila", "Responde em", "Máx. tokens", "Tokens no mês", "Ações"]
        expect(columns).to_have_text(shown)
        expect(page.get_by_text("Neste mês: 2 respostas da IA, 300 tokens.")).to_be_visible()

        # The key is not shown again, and stays where another thing is changed.
        page.get_by_role("button", name="Editar Bia da confeitaria").click()
        dialog = page.get_by_role("dialog", name="Editar prompt")
        expect(dialog.get_by_role("button", name="Trocar: Chave da API")).to_be_visible()
        type_in(dialog.get_by_label("Nome", exact=True), "Bia")
        question = dialog.get_by_label("Mensagem de teste")
        type_in(question, "Oi")
        press(question, "Enter")
        expect(dialog.get_by_role("log").get_by_text("Temos coco")).to_be_visible()
        assert server.received[-1].headers["authorization"] == "Bearer sk-da-jornada"
        dialog.get_by_role("button", name="Salvar").click()
        expect(dialog).to_be_hidden()

    page.get_by_role("button", name="Excluir Bia").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Excluir").click()
    expect(page.get_by_role("row").filter(has_text="Bia")).to_have_count(0)


def test_why_a_model_does_not_answer_is_read_in_english(page: Page, product: Product) -> None:
    with wire_server() as server:
        server.handler = lambda request: Answer(401, refusal("Incorrect API key"))
        log_in(page)
        page.get_by_role("button", name=re.compile("^Conta de")).click()
        page.get_by_role("menuitem", name="English").click()
        expect(page.locator("html")).to_have_attribute("lang", "en")
        page.goto("/prompts")
        page.get_by_role("button", name="Add prompt").first.click()
        dialog = page.get_by_role("dialog", name="Add prompt")
        type_in(dialog.get_by_label("Name", exact=True), "Bia")
        pick(dialog.get_by_label("Queue", exact=True), 1)
        type_in(dialog.get_by_label("Instructions", exact=True), "You sell cakes.")
        type_in(dialog.get_by_label("API key", exact=True), "sk-of-the-journey")
        dialog.get_by_text("Advanced").click()
        type_in(dialog.get_by_label("API address"), f"{server.url}/v1")
        question = dialog.get_by_label("Test message")
        type_in(question, "Which cakes do you have?")
        press(question, "Enter")
        problem = dialog.get_by_role("alert").filter(has_text="API key")
        expect(problem).to_have_text("The model's server refused the API key.")
        # It may be asked again.
        expect(question).to_have_value("Which cakes do you have?")
