"""Messages planned for later: written, sent in time, failed and sent again."""

import re
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from playwright.sync_api import Locator, Page, expect

from apps.simulator.services.media import SAMPLES
from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import (
    Customer,
    Simulator,
    attach,
    keys_to,
    token,
    type_in,
)
from tests.product import Product, wait_for

ZONE = ZoneInfo("America/Sao_Paulo")


def open_schedules(page: Page, query: str = "") -> None:
    log_in(page, ADMIN, at=f"/schedules{query}")
    expect(page.get_by_role("heading", name=re.compile(r"^Agendamentos \(\d+\)$"))).to_be_visible()


def plan(
    page: Page, customer: Customer, body: str, moment: datetime, file: Path | None = None
) -> None:
    """Plan a message in the open dialog's way: find the contact, write, choose the time."""
    page.get_by_role("button", name="Novo agendamento").click()
    dialog = page.get_by_role("dialog", name="Agendar mensagem")
    field = dialog.get_by_role("combobox", name="Contato")
    type_in(field, customer.name)
    dialog.get_by_role("option").filter(has_text=customer.name).click()
    expect(field).to_have_value(customer.name)
    type_in(dialog.get_by_role("textbox", name="Mensagem"), body)
    type_in(dialog.get_by_label("Data"), f"{moment:%d/%m/%Y}")
    type_in(dialog.get_by_label("Hora", exact=True), f"{moment:%H:%M}")
    if file is not None:
        attach(dialog.get_by_role("button", name="Anexar arquivo"), file)
        expect(dialog.get_by_role("link", name=file.name)).to_be_visible()
    dialog.get_by_role("button", name="Agendar", exact=True).click()
    expect(dialog).to_be_hidden()


def now() -> datetime:
    return datetime.now(ZONE)


def event(page: Page, customer: Customer, status: str) -> Locator:
    """Return a schedule in the calendar; its place on a full day may be behind a link."""
    return page.get_by_role("group", name=re.compile(f"{customer.name}, {status}$"))


def contact_of(page: Page, customer: Customer) -> dict[str, Any]:
    answer = page.request.get(
        f"/api/contacts/?searchParam={customer.number}",
        headers={"Authorization": f"Bearer {token(page)}"},
    )
    contact: dict[str, Any] = answer.json()["contacts"][0]
    return contact


def test_a_planned_message_reaches_the_telephone_in_its_time(page: Page, product: Product) -> None:
    customer = Customer(product, "Helena Quintela")
    customer.write("Podem me avisar amanhã?")
    open_schedules(page, "?view=day")
    plan(page, customer, "Oi, {{firstName}}! Chegou o aviso.", now())
    customer.wait_for_texts("Oi, Helena! Chegou o aviso.")
    expect(event(page, customer, "Enviada")).to_be_visible()
    event(page, customer, "Enviada").get_by_role("button", name="Editar agendamento").click()
    dialog = page.get_by_role("dialog", name="Mensagem Enviada")
    expect(dialog.get_by_text(re.compile("^Enviada em"))).to_be_visible()
    expect(dialog.get_by_role("button", name="Salvar")).to_have_count(0)


def test_a_failure_says_why_and_is_sent_again(page: Page, product: Product) -> None:
    customer = Customer(product, "Ivo Bragança")
    customer.write("Oi")
    simulator = Simulator(product)
    open_schedules(page, "?view=list")
    simulator.fault("not_on_whatsapp")
    try:
        plan(page, customer, "Este não chega de primeira.", now())
        line = page.get_by_role("row").filter(has_text=customer.name)
        expect(line.get_by_text("Erro de envio")).to_be_visible()
    finally:
        simulator.heal()
    line.click()
    dialog = page.get_by_role("dialog", name="Erro de Envio")
    expect(dialog.get_by_role("alert").first).to_contain_text("não foi enviada")
    dialog.get_by_role("button", name="Enviar novamente").click()
    customer.wait_for_texts("Este não chega de primeira.")
    expect(line.get_by_text("Enviada")).to_be_visible()


def test_wrong_input_is_told_at_its_field(page: Page, product: Product) -> None:
    open_schedules(page)
    page.get_by_role("button", name="Novo agendamento").click()
    dialog = page.get_by_role("dialog", name="Agendar mensagem")
    type_in(dialog.get_by_role("textbox", name="Mensagem"), "Oi")
    type_in(dialog.get_by_label("Data"), "01/01/2020")
    dialog.get_by_role("button", name="Agendar", exact=True).click()
    expect(dialog.get_by_text("Obrigatório")).to_be_visible()
    expect(dialog.get_by_text("Mensagem muito curta")).to_be_visible()
    dialog.get_by_role("button", name="Fechar").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Descartar").click()
    expect(dialog).to_be_hidden()


def test_an_address_with_a_contact_opens_the_form_for_it(page: Page, product: Product) -> None:
    customer = Customer(product, "Jussara Peixoto")
    customer.write("Oi")
    log_in(page, ADMIN)
    expect(page.get_by_role("navigation").first).to_be_visible()
    contact = contact_of(page, customer)
    page.goto(f"/schedules?contactId={contact['id']}")
    dialog = page.get_by_role("dialog", name="Agendar mensagem")
    expect(dialog.get_by_role("combobox", name="Contato")).to_have_value(customer.name)
    dialog.get_by_role("button", name="Cancelar").click()
    expect(page).not_to_have_url(re.compile("contactId"))
    expect(dialog).to_be_hidden()


def test_the_calendar_works_by_keyboard(page: Page, product: Product) -> None:
    open_schedules(page)
    soon = date.today() + timedelta(days=1)
    if soon.month != date.today().month:
        keys_to(page.get_by_role("button", name="Próximo", exact=True))
        page.keyboard.press("Enter")
    add = page.get_by_role("button", name=f"Agendar em {soon:%d/%m/%Y}")
    keys_to(add)
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Agendar mensagem")
    expect(dialog.get_by_label("Data")).to_have_value(f"{soon:%d/%m/%Y}")
    expect(dialog.get_by_label("Hora", exact=True)).to_have_value("09:00")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(add).to_be_focused()
    edit = page.get_by_role("button", name=re.compile("^Editar agendamento")).last
    keys_to(edit)
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name=re.compile("^Mensagem "))
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(edit).to_be_focused()


def test_narrow_screens_begin_with_a_list_by_day(page: Page, product: Product) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_schedules(page)
    day = page.get_by_role("region", name=re.compile(r"^\w+(-feira)?, \d+ de \w+$")).first
    expect(day).to_be_visible()
    short = re.compile(r"^\d{2}/\d{2} (dom|seg|ter|qua|qui|sex|sáb)(Hoje)?$")
    expect(day.get_by_role("heading")).to_have_text(short)
    page.get_by_role("tab", name="Lista").click()
    expect(page).to_have_url(re.compile("view=list"))
    page.reload()
    expect(page.get_by_role("table", name="Mensagens agendadas")).to_be_visible()


def test_one_that_is_due_at_once_does_not_leave_without_its_file(
    page: Page, product: Product
) -> None:
    customer = Customer(product, "Leopoldina Maia")
    customer.write("Tem foto?")
    open_schedules(page, "?view=list")
    plan(page, customer, "Segue a foto, {{firstName}}.", now(), SAMPLES / "vasos.jpg")
    wait_for(lambda: len(customer.received()) == 1, "the picture on the telephone")
    [message] = customer.received()
    assert (message["type"], message["body"]["caption"]) == ("image", "Segue a foto, Leopoldina.")


def test_the_file_of_a_planned_message_is_taken_away(
    page: Page, product: Product, tmp_path: Path
) -> None:
    customer = Customer(product, "Quitéria Lemos")
    customer.write("Oi")
    open_schedules(page, "?view=list")
    file = tmp_path / "tabela.pdf"
    file.write_bytes(b"%PDF-1.4")
    plan(page, customer, "Segue a tabela.", now() + timedelta(days=1), file)
    page.get_by_role("row").filter(has_text=customer.name).click()
    dialog = page.get_by_role("dialog", name=re.compile("^Mensagem "))
    dialog.get_by_role("button", name="Remover arquivo").click()
    asking = page.get_by_role("alertdialog", name="Excluir tabela.pdf?")
    expect(asking).to_contain_text("O texto continua agendado, sem o arquivo.")
    asking.get_by_role("button", name="Excluir").click()
    expect(page.get_by_text("Arquivo do agendamento excluído com sucesso.")).to_be_visible()
    expect(dialog.get_by_role("link", name=file.name)).to_have_count(0)


def test_dragging_to_another_day_can_be_undone(page: Page, product: Product) -> None:
    customer = Customer(product, "Quitéria Sampaio")
    customer.write("Oi")
    next_month = (now().replace(day=1) + timedelta(days=32)).replace(day=1)
    tenth, seventeenth = f"{next_month:%Y-%m}-10", f"{next_month:%Y-%m}-17"
    open_schedules(page, f"?view=month&date={tenth}")
    plan(page, customer, "Até logo, {{firstName}}!", next_month.replace(day=10, hour=10, minute=0))

    def on(day: str) -> Locator:
        cell = page.locator(f"[data-date='{day}']")
        return cell.get_by_role("group", name=re.compile(f"10:00 {customer.name}"))

    expect(on(tenth)).to_be_visible()
    target = page.locator(f"[data-date='{seventeenth}']").bounding_box()
    assert target
    on(tenth).hover()
    page.mouse.down()
    page.mouse.move(target["x"] + 30, target["y"] + 40, steps=12)
    page.mouse.up()
    expect(on(seventeenth)).to_be_visible()
    page.get_by_role("button", name="Desfazer").click()
    expect(on(tenth)).to_be_visible()
    expect(on(seventeenth)).to_have_count(0)
    page.reload()
    expect(on(tenth)).to_be_visible()


def open_form(page: Page, language: str, button: str, title: str) -> Locator:
    """Open the form for a new one on a page of that language, whatever the browser speaks."""
    log_in(page, ADMIN)
    page.evaluate("language => localStorage.setItem('language', language)", language)
    page.goto("/schedules?view=list")
    page.get_by_role("button", name=button).click()
    dialog = page.get_by_role("dialog", name=title)
    expect(dialog.get_by_role("combobox").first).to_be_focused()
    return dialog


def test_day_and_time_are_chosen_by_keys_in_english(page: Page, product: Product) -> None:
    dialog = open_form(page, "en", "New schedule", "Schedule a message")
    day, clock = dialog.get_by_label("Date"), dialog.get_by_label("Time", exact=True)
    keys_to(day)
    page.keyboard.press("Control+a")
    page.keyboard.type("31/02/2031")
    page.keyboard.press("Tab")
    expect(dialog.get_by_role("alert")).to_contain_text("There is no such day.")
    keys_to(day, "Shift+Tab")
    page.keyboard.press("Control+a")
    page.keyboard.type("31012031")
    page.keyboard.press("Tab")
    expect(day).to_have_value("31/01/2031")
    expect(dialog.get_by_role("alert")).to_have_count(0)

    page.keyboard.press("Enter")
    calendar = page.get_by_role("dialog", name="Calendar")
    expect(calendar.get_by_role("heading")).to_have_text("January 2031")
    expect(calendar.get_by_role("columnheader").first).to_have_text("Sun")
    focused = calendar.locator(":focus")
    expect(focused).to_have_accessible_name("Friday, January 31, 2031")
    for key, name in (
        ("PageDown", "Friday, February 28, 2031"),
        ("Home", "Sunday, February 23, 2031"),
        ("End", "Saturday, March 1, 2031"),
        ("ArrowUp", "Saturday, February 22, 2031"),
        ("Shift+PageUp", "Friday, February 22, 2030"),
        ("PageUp", "Tuesday, January 22, 2030"),
        ("ArrowLeft", "Monday, January 21, 2030"),
        ("ArrowDown", "Monday, January 28, 2030"),
    ):
        page.keyboard.press(key)
        expect(focused).to_have_accessible_name(name)
    page.keyboard.press("Enter")
    expect(calendar).to_be_hidden()
    expect(day).to_have_value("28/01/2030")
    expect(dialog.get_by_role("button", name="Open the calendar")).to_be_focused()

    page.keyboard.press("Tab")
    expect(clock).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("830")
    page.keyboard.press("ArrowUp")
    expect(clock).to_have_value("08:45")
    page.keyboard.press("Alt+ArrowDown")
    times = page.get_by_role("dialog", name="Hours and quarters")
    expect(times.get_by_role("option", name="08:45")).to_be_focused()
    page.keyboard.press("PageDown")
    expect(times.get_by_role("option", name="09:45")).to_be_focused()
    page.keyboard.press("Escape")
    expect(times).to_be_hidden()
    expect(dialog).to_be_visible()
    expect(clock).to_have_value("08:45")


def test_day_and_time_are_chosen_by_mouse_in_spanish(page: Page, product: Product) -> None:
    customer = Customer(product, "Rosalina Teixeira")
    customer.write("Oi")
    dialog = open_form(page, "es", "Nuevo programado", "Programar mensaje")
    field = dialog.get_by_role("combobox", name="Contacto")
    type_in(field, customer.name)
    dialog.get_by_role("option").filter(has_text=customer.name).click()
    expect(field).to_have_value(customer.name)
    type_in(dialog.get_by_role("textbox", name="Mensaje"), "Hasta luego, {{firstName}}.")
    type_in(dialog.get_by_label("Fecha"), "20/12/2029")
    dialog.get_by_role("button", name="Abrir el calendario").click()
    calendar = page.get_by_role("dialog", name="Calendario")
    expect(calendar.get_by_role("heading")).to_have_text("diciembre de 2029")
    expect(calendar.get_by_role("columnheader").first).to_have_text("lun")
    calendar.get_by_role("button", name="Mes siguiente").click()
    expect(calendar.get_by_role("heading")).to_have_text("enero de 2030")
    calendar.get_by_role("gridcell", name="martes, 15 de enero de 2030").click()
    expect(calendar).to_be_hidden()
    type_in(dialog.get_by_label("Hora", exact=True), "18:40")
    dialog.get_by_role("button", name="Elegir de la lista").click()
    times = page.get_by_role("dialog", name="Horas y cuartos")
    # It opens where the time is.
    expect(times.get_by_role("option", name="18:30")).to_be_in_viewport()
    times.get_by_role("option", name="10:15").click()
    expect(times).to_be_hidden()
    dialog.get_by_role("button", name="Programar", exact=True).click()
    expect(dialog).to_be_hidden()
    row = page.get_by_role("row").filter(has_text=customer.name)
    expect(row).to_contain_text("15/01/2030 10:15")


def test_days_that_are_over_are_shown_and_not_taken(page: Page, product: Product) -> None:
    open_schedules(page)
    page.get_by_role("button", name="Novo agendamento").click()
    dialog = page.get_by_role("dialog", name="Agendar mensagem")
    day = dialog.get_by_label("Data")
    today = now()
    dialog.get_by_role("button", name="Abrir o calendário").click()
    calendar = page.get_by_role("dialog", name="Calendário")
    expect(calendar.locator("[aria-current=date]")).to_have_text(str(today.day))
    expect(calendar.get_by_role("button", name="Mês anterior")).to_be_disabled()
    chosen = day.input_value()
    expect(calendar.locator(":focus")).to_have_attribute("aria-selected", "true")
    first = calendar.get_by_role("gridcell").first
    if today.day > 1:
        expect(first).to_have_attribute("aria-disabled", "true")
        box = first.bounding_box()
        assert box
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(calendar).to_be_visible()
    expect(day).to_have_value(chosen)
    calendar.get_by_role("button", name="Hoje").click()
    expect(day).to_have_value(f"{today:%d/%m/%Y}")
