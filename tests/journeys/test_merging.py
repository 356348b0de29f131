"""Two contacts that are one person: merged and parted, by mouse and by keyboard."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import ANA, OpenPage, log_in
from tests.journeys.people import (
    Customer,
    act,
    conversation,
    keys_to,
    open_waiting,
    row,
    type_in,
)
from tests.journeys.test_contacts_page import contact_row, open_contacts, search
from tests.journeys.test_drawer import open_drawer, write_note
from tests.product import Product


def two_of(product: Product, name: str) -> tuple[Customer, Customer]:
    """Let one person write under two numbers."""
    people = Customer(product, f"{name} Nova"), Customer(product, f"{name} Antiga")
    for person in people:
        person.write(f"Aqui é {person.name}")
    return people


def dialog_of(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Mesclar contatos")


def look_into(page: Page, customer: Customer) -> Locator:
    """Open a waiting conversation and its contact."""
    page.goto("/tickets")
    open_waiting(page, customer.name)
    return open_drawer(page, customer.name)


def test_a_person_with_two_numbers_becomes_one_contact_and_two_again(
    page: Page, product: Product
) -> None:
    keep, gone = two_of(product, "Maricota")
    open_contacts(page)
    search(page, "maricota")
    expect(page.get_by_text("2 contatos", exact=True)).to_be_visible()
    act(page, keep.name, "Mesclar com outro contato")
    dialog = dialog_of(page)
    type_in(dialog.get_by_role("combobox", name=re.compile("Outro contato")), "maricota")
    dialog.get_by_role("option", name=re.compile(gone.name)).click()
    preview = dialog.get_by_role("region", name="Como fica")
    expect(preview).to_contain_text(keep.name)
    expect(preview).to_contain_text("Vai para as informações adicionais")
    expect(preview.get_by_role("row", name="Atendimentos 1 1")).to_be_visible()
    dialog.get_by_role("button", name="Mesclar", exact=True).click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_text(f"{gone.name} foi mesclado.")).to_be_visible()
    expect(contact_row(page, gone.name)).to_have_count(0)
    expect(page.get_by_text("1 contato", exact=True)).to_be_visible()

    drawer = look_into(page, keep)
    expect(conversation(page, keep.name).get_by_text(f"Aqui é {gone.name}")).to_be_visible()
    line = drawer.get_by_role("list", name="Mesclagens")
    expect(line).to_contain_text(f"Mesclado com {gone.name}, há 1 min")
    line.get_by_role("button", name=f"Desfazer a mesclagem com {gone.name}").click()
    expect(page.get_by_text(f"{gone.name} voltou a ser um contato.")).to_be_visible()
    expect(line).to_have_count(0)
    expect(conversation(page, keep.name).get_by_text(f"Aqui é {gone.name}")).to_have_count(0)
    expect(conversation(page, keep.name).get_by_text(f"Aqui é {keep.name}")).to_be_visible()
    expect(row(page, "Aguardando", gone.name)).to_be_visible()


def test_merging_and_undoing_need_no_mouse(page: Page, product: Product) -> None:
    keep, gone = two_of(product, "Filomena")
    open_contacts(page)
    drawer = look_into(page, keep)
    opener = drawer.get_by_role("button", name="Mesclar com outro contato…")
    keys_to(opener)
    page.keyboard.press("Enter")
    field = dialog_of(page).get_by_role("combobox", name=re.compile("Outro contato"))
    expect(field).to_be_focused()
    page.keyboard.type("filomena antiga")
    expect(dialog_of(page).get_by_role("option", name=re.compile(gone.name))).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(dialog_of(page).get_by_role("region", name="Como fica")).to_be_visible()
    page.keyboard.press("Enter")
    expect(dialog_of(page)).to_have_count(0)
    undo = drawer.get_by_role("button", name=f"Desfazer a mesclagem com {gone.name}")
    expect(undo).to_be_visible()
    expect(opener).to_be_focused()
    keys_to(undo)
    page.keyboard.press("Enter")
    expect(undo).to_have_count(0)
    expect(row(page, "Aguardando", gone.name)).to_be_visible()


def test_a_merge_is_followed_where_the_contact_is_open(
    product: Product, page: Page, open_page: OpenPage
) -> None:
    keep, gone = two_of(product, "Quiomar")
    other = open_page()
    log_in(other, ANA)
    note = "Prefere ser chamada à tarde"
    write_note(look_into(other, gone), note)
    expect(other.get_by_text(note)).to_be_visible()
    drawer = look_into(other, keep)
    expect(drawer.get_by_text("Nenhuma observação ainda.")).to_be_visible()

    open_contacts(page)
    search(page, "quiomar")
    act(page, keep.name, "Mesclar com outro contato")
    dialog = dialog_of(page)
    type_in(dialog.get_by_role("combobox", name=re.compile("Outro contato")), "quiomar")
    dialog.get_by_role("option", name=re.compile(gone.name)).click()
    dialog.get_by_role("button", name="Mesclar", exact=True).click()
    # Nobody pressed anything there.
    expect(drawer.get_by_role("list", name="Mesclagens")).to_contain_text(gone.name)
    expect(drawer.get_by_text(note)).to_be_visible()

    page.get_by_role("button", name="Desfazer").click()
    expect(page.get_by_text(f"{gone.name} voltou a ser um contato.")).to_be_visible()
    expect(drawer.get_by_role("list", name="Mesclagens")).to_have_count(0)
    expect(drawer.get_by_text("Nenhuma observação ainda.")).to_be_visible()
    expect(row(other, "Aguardando", gone.name)).to_be_visible()
