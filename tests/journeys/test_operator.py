"""What the super user keeps in the settings: plans, companies, helps."""

import re
from datetime import date, timedelta

from playwright.sync_api import Locator, Page, expect

from apps.companies.services import months_later
from tests.journeys.conftest import ANA, PASSWORD, SUPER, OpenPage, log_in
from tests.journeys.people import pick, press_box, type_in
from tests.journeys.test_helps import play_here

PLAN = "Plano da jornada"
COMPANY = "Empresa da jornada"
FILM = "Como encerrar o dia"
DONE = "Operação realizada com sucesso!"
FAILED = (
    "Não foi possível realizar a operação. Verifique se já existe {} com o mesmo nome ou se os "
    "campos foram preenchidos corretamente"
)


def form_of(page: Page, name: str) -> Locator:
    """Return the form above the table, by what it works on."""
    form = page.get_by_role("form", name=name, exact=True)
    expect(form).to_be_visible()
    return form


def save(form: Locator) -> None:
    form.get_by_role("button", name="Salvar").click()


def delete(page: Page, form: Locator, name: str) -> None:
    """Delete what the form works on, once the question is answered."""
    form.get_by_role("button", name="Excluir").click()
    question = page.get_by_role("alertdialog", name="Exclusão de Registro")
    expect(question).to_contain_text(f"Deseja realmente excluir o registro “{name}”?")
    question.get_by_role("button", name="Excluir").click()
    expect(question).to_have_count(0)


def shown(day: date) -> str:
    return day.strftime("%d/%m/%Y")


def test_the_super_user_keeps_plans_and_companies(open_page: OpenPage) -> None:
    page = open_page()
    log_in(page, SUPER, at="/settings")
    page.get_by_role("tab", name="Planos").click()
    form = form_of(page, "Novo plano")
    save(form)
    expect(form.get_by_text("Campo obrigatório!")).to_be_visible()
    type_in(form.get_by_label("Nome"), PLAN)
    type_in(form.get_by_label("Valor mensal (R$)"), "149,9")
    type_in(form.get_by_label("Usuários"), "7")
    press_box(form, "Kanban")
    save(form)
    expect(page.get_by_text(DONE).first).to_be_visible()
    plan = page.get_by_role("table", name="Planos").get_by_role("row").filter(has_text=PLAN)
    expect(plan).to_contain_text(re.compile("149,90"))
    # The form is ready for the next one, and a name is there once.
    type_in(form_of(page, "Novo plano").get_by_label("Nome"), PLAN)
    save(form)
    expect(page.get_by_text(FAILED.format("um plano"))).to_be_visible()
    expect(form.get_by_text("Já existe um plano com este nome.")).to_be_visible()
    # What was typed is not dropped in silence.
    page.get_by_role("button", name=f"Editar {PLAN}").click()
    asking = page.get_by_role("alertdialog", name="Descartar alterações?")
    asking.get_by_role("button", name="Descartar").click()
    form = form_of(page, f"Editar {PLAN}")
    expect(form.get_by_label("Nome")).to_be_focused()
    expect(form.get_by_label("Valor mensal (R$)")).to_have_value("149,90")
    expect(form.get_by_role("checkbox", name="Kanban")).not_to_be_checked()
    form.get_by_role("button", name="Limpar").click()

    page.get_by_role("tab", name="Empresas").click()
    form = form_of(page, "Nova empresa")
    type_in(form.get_by_label("Nome", exact=True), COMPANY)
    type_in(form.get_by_label("E-mail"), "dona@jornada.example")
    type_in(form.get_by_label("Senha do primeiro administrador"), PASSWORD)
    save(form)
    expect(form.get_by_text("Escolha um plano.", exact=True)).to_be_visible()
    pick(form.get_by_label("Plano"), PLAN)
    save(form)
    # Not by the notice alone: the plan's may still stand.
    expect(form.get_by_label("E-mail")).to_have_value("")
    expect(page.get_by_text(DONE).first).to_be_visible()
    # A name is there once.
    form = form_of(page, "Nova empresa")
    type_in(form.get_by_label("Nome", exact=True), COMPANY)
    type_in(form.get_by_label("E-mail"), "outra@jornada.example")
    type_in(form.get_by_label("Senha do primeiro administrador"), PASSWORD)
    pick(form.get_by_label("Plano"), PLAN)
    save(form)
    expect(page.get_by_text(FAILED.format("uma empresa"))).to_be_visible()
    form.get_by_role("button", name="Limpar").click()
    asking = page.get_by_role("alertdialog", name="Descartar alterações?")
    asking.get_by_role("button", name="Descartar").click()
    type_in(page.get_by_role("searchbox", name=re.compile("^Buscar por nome, e-mail")), "jornada")
    row = page.get_by_role("table", name="Empresas").get_by_role("row").filter(has_text=COMPANY)
    expect(row).to_contain_text(PLAN)
    found = re.search(r"\d{2}/\d{2}/\d{4}", row.inner_text())
    assert found
    day, month, year = map(int, found.group().split("/"))
    due = date(year, month, day)
    assert due - date.today() <= timedelta(days=2)

    # Its first admin signs in with what was given.
    owner = open_page()
    log_in(owner, "dona@jornada.example")

    row.click()
    form = form_of(page, f"Editar {COMPANY}")
    pick(form.get_by_label("Recorrência"), "Trimestral")
    form.get_by_role("button", name="Prorrogar 3 meses").click()
    expect(form.get_by_label("Data de vencimento")).to_have_value(shown(months_later(due, 3)))
    pick(form.get_by_label("Campanhas"), "Desabilitadas")
    save(form)
    expect(row).to_contain_text(shown(months_later(due, 3)))
    expect(row).to_contain_text("Trimestral")
    expect(row).to_contain_text("Não")

    # A plan that a company has stays, and why is said.
    page.get_by_role("tab", name="Planos").click()
    plan.click()
    delete(page, form_of(page, f"Editar {PLAN}"), PLAN)
    expect(
        page.get_by_text(
            re.compile(r"^Não foi possível realizar a operação\. Este plano está em uso")
        )
    ).to_be_visible()
    expect(plan).to_be_visible()

    page.get_by_role("tab", name="Empresas").click()
    row.get_by_role("button", name=f"Editar {COMPANY}").click()
    delete(page, form_of(page, f"Editar {COMPANY}"), COMPANY)
    expect(page.get_by_text(DONE).first).to_be_visible()
    expect(row).to_have_count(0)
    form_of(page, "Nova empresa")
    assert page.evaluate("document.activeElement !== document.body")


def test_a_help_is_kept_in_the_settings_and_seen_live(open_page: OpenPage) -> None:
    ana = open_page()
    play_here(ana)
    log_in(ana, ANA)
    ana.get_by_role("link", name="Ajuda", exact=True).click()
    card = ana.get_by_role("button", name=f"Assistir: {FILM}")
    expect(ana.get_by_role("heading", name="Ajuda", level=1)).to_be_visible()

    page = open_page()
    log_in(page, SUPER, at="/settings?tab=helps")
    form = form_of(page, "Novo vídeo de ajuda")
    type_in(form.get_by_label("Título"), FILM)
    type_in(form.get_by_label("Vídeo"), "https://exemplo.com/filme")
    save(form)
    expect(page.get_by_text(FAILED.format("uma ajuda"))).to_be_visible()
    wrong = "Cole o endereço de um vídeo do YouTube ou do Vimeo, ou só o código dele."
    expect(form.get_by_text(wrong)).to_be_visible()
    type_in(form.get_by_label("Vídeo"), "https://www.youtube.com/watch?v=aqz-KE-bpKQ&t=9s")
    save(form)
    row = page.get_by_role("row").filter(has_text=FILM)
    expect(row).to_contain_text("aqz-KE-bpKQ")

    card.click()
    dialog = ana.get_by_role("dialog", name=FILM)
    expect(dialog.get_by_title(f"Vídeo: {FILM}")).to_be_visible()
    ana.keyboard.press("Escape")
    expect(dialog).to_have_count(0)

    row.click()
    form = form_of(page, f"Editar {FILM}")
    type_in(form.get_by_label("Título"), f"{FILM} em paz")
    save(form)
    expect(ana.get_by_role("button", name=f"Assistir: {FILM} em paz")).to_be_visible()
    expect(row).to_contain_text("em paz")
    row.click()
    delete(page, form_of(page, f"Editar {FILM} em paz"), f"{FILM} em paz")
    expect(row).to_have_count(0)
    expect(card).to_have_count(0)


def test_company_1_neither_expires_nor_goes(open_page: OpenPage) -> None:
    page = open_page()
    log_in(page, SUPER, at="/settings?tab=companies")
    page.get_by_role("row").filter(has_text="31/12/2999").click()
    form = page.get_by_role("form", name=re.compile("^Editar "))
    expect(form.get_by_text("A empresa principal não vence.")).to_be_visible()
    expect(form.get_by_label("Status").locator("option")).to_have_text(["Ativo"])
    expect(form.get_by_role("button", name=re.compile("Prorrogar|Excluir"))).to_have_count(0)
