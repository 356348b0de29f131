"""The to-do list: written, changed, ticked and deleted by one person in one browser."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ADMIN, ANA, BRUNO, OpenPage, log_in
from tests.journeys.people import act, fill_login, keys_to, press, press_box, type_in

FILLED = """() => {
    let piece = 'x'.repeat(1 << 20);
    for (let number = 0; piece; number += 1)
        try { localStorage.setItem(`full${number}`, piece); } catch {
            piece = piece.slice(0, piece.length >> 1);
        }
}"""
EMPTIED = """() => {
    for (const key of Object.keys(localStorage).filter(each => each.startsWith('full')))
        localStorage.removeItem(key);
}"""


def open_list(page: Page, email: str = ADMIN) -> Locator:
    """Sign in, go to the list by the menu and return the field in which tasks are written."""
    log_in(page, email)
    page.get_by_role("link", name="Lista de tarefas").click()
    field = page.get_by_role("textbox", name="Nova tarefa")
    expect(field).to_be_focused()
    return field


def add(field: Locator, *texts: str) -> None:
    for text in texts:
        type_in(field, text)
        field.page.keyboard.press("Enter")
        expect(field).to_have_value("")
        expect(field).to_be_focused()


def to_do(page: Page) -> Locator:
    return page.get_by_role("list", name=re.compile("a fazer$")).get_by_role("listitem")


def done(page: Page) -> Locator:
    return page.get_by_role("list", name=re.compile("concluída")).get_by_role("listitem")


def test_tasks_are_written_changed_ticked_and_deleted_by_keys(page: Page) -> None:
    field = open_list(page)
    expect(page.get_by_text("Nenhuma tarefa por aqui")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("Escreva o que precisa ser feito.")
    add(field, "Repor vasos", "Ligar para a Rita")
    expect(to_do(page)).to_have_text([re.compile("Ligar para a Rita"), re.compile("Repor vasos")])

    # Changed by keys; Escape asks before the changes go, and the place is not lost.
    pencil = page.get_by_role("button", name="Editar Repor vasos")
    keys_to(pencil)
    press(pencil, "Enter")
    changed = page.get_by_role("textbox", name="Texto da tarefa")
    expect(changed).to_be_focused()
    expect(changed).to_have_value("Repor vasos")
    page.keyboard.press("End")
    page.keyboard.type(" azuis")
    page.keyboard.press("Escape")
    question = page.get_by_role("alertdialog", name="Descartar alterações?")
    expect(question.get_by_role("button", name="Continuar editando")).to_be_focused()
    page.keyboard.press("Escape")
    expect(question).to_have_count(0)
    expect(changed).to_be_focused()
    press(changed, "Enter")
    expect(to_do(page).last).to_contain_text("Repor vasos azuis")
    expect(field).to_be_focused()

    tick = page.get_by_role("checkbox", name="Ligar para a Rita")
    keys_to(tick)
    press(tick, "Space")
    expect(done(page)).to_contain_text(["Ligar para a Rita"])
    expect(to_do(page)).to_have_count(1)

    page.reload()
    expect(done(page)).to_contain_text(["Ligar para a Rita"])
    expect(to_do(page)).to_contain_text(["Repor vasos azuis"])

    # Deleted, and back from the notice; the focus goes to the row beside.
    bin = page.get_by_role("button", name="Excluir Repor vasos azuis")
    keys_to(bin)
    press(bin, "Enter")
    expect(to_do(page)).to_have_count(0)
    expect(done(page).first).to_be_focused()
    page.get_by_role("button", name="Desfazer").click()
    expect(to_do(page)).to_contain_text(["Repor vasos azuis"])
    page.get_by_role("button", name="Excluir concluídas").click()
    expect(done(page)).to_have_count(0)
    expect(to_do(page)).to_contain_text(["Repor vasos azuis"])


def test_a_text_that_is_not_saved_is_asked_about_and_waits_for_an_edit(page: Page) -> None:
    field = open_list(page)
    add(field, "Primeira")
    type_in(field, "Meia tarefa")
    page.get_by_role("button", name="Editar Primeira").click()
    changed = page.get_by_role("textbox", name="Texto da tarefa")
    expect(changed).to_have_value("Primeira")
    page.get_by_role("button", name="Cancelar").click()
    expect(field).to_have_value("Meia tarefa")
    page.get_by_role("link", name="Tags").click()
    question = page.get_by_role("alertdialog", name="Descartar alterações?")
    question.get_by_role("button", name="Continuar editando").click()
    expect(field).to_have_value("Meia tarefa")


def test_each_user_of_a_browser_has_a_list_and_tabs_share_it(page: Page) -> None:
    add(open_list(page, ANA), "Só da Ana")
    tab = page.context.new_page()
    tab.goto("/todolist")
    expect(to_do(tab)).to_contain_text(["Só da Ana"])
    add(tab.get_by_role("textbox", name="Nova tarefa"), "Da outra aba")
    expect(to_do(page)).to_contain_text(["Da outra aba", "Só da Ana"])
    # Each tab starts from what the other stored.
    press_box(page, "Só da Ana")
    expect(done(tab)).to_contain_text(["Só da Ana"])
    tab.close()

    page.get_by_role("button", name=re.compile("^Conta de")).click()
    page.get_by_role("menuitem", name="Sair").click()
    fill_login(page, BRUNO, "balcao123")
    page.get_by_role("link", name="Lista de tarefas").click()
    expect(page.get_by_text("Nenhuma tarefa por aqui")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Conta de")).click()
    page.get_by_role("menuitem", name="Sair").click()
    fill_login(page, ANA, "balcao123")
    page.get_by_role("link", name="Lista de tarefas").click()
    expect(to_do(page)).to_contain_text(["Da outra aba"])


def test_a_session_that_is_taken_elsewhere_leaves_the_list(open_page: OpenPage) -> None:
    page = open_page()
    add(open_list(page, ANA), "Fica aqui")
    elsewhere = open_page()
    log_in(elsewhere, ANA)
    expect(page.get_by_text("Sua conta foi acessada em outro computador.").first).to_be_visible()
    expect(page.get_by_role("button", name="Entrar")).to_be_visible()
    fill_login(page, ANA, "balcao123")
    page.get_by_role("link", name="Lista de tarefas").click()
    expect(to_do(page)).to_contain_text(["Fica aqui"])


def test_a_full_storage_is_said_and_takes_no_words(page: Page) -> None:
    field = open_list(page)
    add(field, "Cabe")
    page.evaluate(FILLED)
    type_in(field, "Não cabe mais, por comprida que é esta tarefa")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").first).to_contain_text("está cheio ou bloqueado")
    expect(field).to_have_value(re.compile("^Não cabe mais"))
    expect(to_do(page)).to_have_count(1)
    page.evaluate(EMPTIED)
    press(field, "Enter")
    expect(to_do(page)).to_have_count(2)


def test_a_list_by_finger(phone: Page) -> None:
    field = open_phone(phone)
    add(field, "Pelo telefone")
    act(phone, "Pelo telefone", "Editar Pelo telefone")
    type_in(phone.get_by_role("textbox", name="Texto da tarefa"), "Pelo celular")
    phone.get_by_role("button", name="Salvar").tap()
    expect(to_do(phone)).to_contain_text(["Pelo celular"])
    act(phone, "Pelo celular", "Excluir Pelo celular")
    expect(phone.get_by_text("Nenhuma tarefa por aqui")).to_be_visible()


def open_phone(phone: Page) -> Locator:
    log_in(phone, ADMIN)
    phone.get_by_role("button", name="Abrir menu").tap()
    phone.get_by_role("link", name="Lista de tarefas").tap()
    return phone.get_by_role("textbox", name="Nova tarefa")
