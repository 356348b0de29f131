"""An e-mail is written, goes out, is read in the list, and one that failed is sent again."""

import re

from playwright.sync_api import expect

from tests.journeys.conftest import ADMIN, ANA, OpenPage, log_in
from tests.journeys.people import type_in
from tests.mailbox import Mailbox
from tests.product import wait_for

ONE, TWO = "clarice@cliente.example.com", "dora@cliente.example.com"
SUBJECT = "Orçamento das travessas"
MESSAGE = "Olá!\n\nSegue o orçamento das seis travessas azuis, com a entrega na quinta-feira."


def test_an_email_goes_out_and_what_failed_is_sent_again(
    open_page: OpenPage, mailbox: Mailbox
) -> None:
    mailbox.refusals[TWO] = "550 Caixa desconhecida"
    page = open_page()
    log_in(page, ANA)
    page.get_by_role("link", name="E-mail", exact=True).click()
    recipients = page.get_by_label("Destinatários")
    expect(recipients).to_be_focused()
    page.get_by_role("button", name="Enviar", exact=True).click()
    expect(page.get_by_text("Informe pelo menos um destinatário.")).to_be_visible()
    expect(page.get_by_text("Informe o assunto.")).to_be_visible()
    type_in(recipients, f"{ONE}, dora")
    expect(page.get_by_text("dora não é um e-mail válido.")).to_be_visible()
    type_in(recipients, f"{ONE}, {TWO}")
    type_in(page.get_by_label("Assunto"), SUBJECT)
    type_in(page.get_by_label("Mensagem"), MESSAGE)
    page.get_by_role("button", name="Enviar", exact=True).click()
    expect(page.get_by_text("2 e-mails na fila de envio.")).to_be_visible()
    expect(recipients).to_have_value("")
    wait_for(lambda: len(mailbox.texts_to(ONE)) == 1, "the e-mail")
    assert MESSAGE in mailbox.texts_to(ONE)[0]
    assert "ana@demo.local" in str(mailbox.to(ONE)[0]["Reply-To"])

    page.get_by_role("tab", name="Enviados").click()
    expect(page).to_have_url(re.compile("/EmailLis"))
    sent = page.get_by_role("row").filter(has_text=ONE)
    expect(sent).to_contain_text("Enviado")
    failed = page.get_by_role("row").filter(has_text=TWO)
    expect(failed).to_contain_text("Falhou")
    failed.get_by_text(SUBJECT).click()
    panel = page.get_by_role("dialog", name=SUBJECT)
    expect(panel.get_by_text("O servidor respondeu: 550 Caixa desconhecida")).to_be_visible()
    expect(panel.get_by_text("entrega na quinta-feira")).to_be_visible()
    del mailbox.refusals[TWO]
    panel.get_by_role("button", name="Reenviar").click()
    expect(panel.get_by_text("Enviado", exact=True)).to_be_visible()
    assert len(mailbox.to(TWO)) == 1
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)

    # An admin reads what the company wrote, page by page.
    boss = open_page()
    log_in(boss, ADMIN)
    boss.get_by_role("link", name="E-mail", exact=True).click()
    everybody = ", ".join(f"cliente{number}@cliente.example.com" for number in range(5))
    type_in(boss.get_by_label("Destinatários"), everybody)
    type_in(boss.get_by_label("Assunto"), "Horário de dezembro")
    type_in(boss.get_by_label("Mensagem"), "Abrimos também aos sábados. " * 8)
    boss.get_by_role("button", name="Enviar", exact=True).click()
    expect(boss.get_by_text("5 e-mails na fila de envio.")).to_be_visible()
    boss.get_by_role("tab", name="Enviados").click()
    expect(boss.get_by_role("row").filter(has_text="Horário de dezembro")).to_have_count(5)
    cut = boss.get_by_role("row").filter(has_text="cliente4@")
    expect(cut.get_by_text(re.compile("^Abrimos .{92}…$"))).to_be_visible()
    boss.get_by_role("button", name="Página 2", exact=True).click()
    expect(boss).to_have_url(re.compile(r"page=2"))
    expect(boss.get_by_role("row").filter(has_text=ONE)).to_be_visible()
