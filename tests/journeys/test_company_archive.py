"""An admin takes the company's archive, and a flow of Typebot becomes a draft."""

import io
import json
import tarfile

from playwright.sync_api import expect

from tests.journeys.conftest import ADMIN, OpenPage, log_in
from tests.journeys.queue_screens import show_typebot_flow
from tests.product import Product


def test_an_admin_takes_the_companys_archive(open_page: OpenPage) -> None:
    page = open_page()
    log_in(page, ADMIN, at="/settings")
    page.get_by_role("tab", name="Levar os dados").click()
    page.get_by_role("button", name="Preparar arquivo").click()
    link = page.get_by_role("link", name="Baixar")
    expect(link).to_be_visible(timeout=60_000)
    expect(page.get_by_text("Atendimentos e mensagens")).to_be_visible()
    with page.expect_download() as downloading:
        link.click()
    content = downloading.value.path().read_bytes()
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        manifest = tar.extractfile("manifest.json")
        assert manifest is not None
        assert json.loads(manifest.read())["company"] == "Casa Aroeira"
    page.get_by_role("button", name="Excluir arquivo").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Excluir arquivo").click()
    expect(page.get_by_role("button", name="Preparar arquivo")).to_be_visible()


def test_a_typebot_flow_becomes_a_draft(open_page: OpenPage, product: Product) -> None:
    page = open_page()
    show_typebot_flow(page, product)
    dialog = page.get_by_role("dialog", name="Importar um fluxo do Typebot")
    expect(dialog.get_by_text("Integrações ficam fora", exact=False)).to_be_visible()
    dialog.get_by_role("button", name="Usar como rascunho").click()
    editor = page.get_by_role("dialog", name="Editar fila")
    expect(editor.get_by_role("treeitem").filter(has_text="Rastrear pedido")).to_be_visible()
