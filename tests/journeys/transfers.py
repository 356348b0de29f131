"""How a conversation is passed to a person or a queue."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.journeys.people import conversation, type_in


def open_transfer(page: Page, contact: str) -> Locator:
    """Open the dialog that passes the open conversation on."""
    conversation(page, contact).get_by_role("button", name="Transferir").click()
    return transfer_of(page, contact)


def transfer_of(page: Page, contact: str) -> Locator:
    """Return the dialog that passes a conversation on, ready for typing."""
    dialog = page.get_by_role("dialog", name=f"Transferir atendimento de {contact}")
    expect(target_field(dialog)).to_be_focused()
    return dialog


def target_field(dialog: Locator) -> Locator:
    """Return the field for the person or queue."""
    return dialog.get_by_role("combobox", name="Para quem")


def pass_to(dialog: Locator, name: str) -> None:
    """Find a person or a queue and choose it."""
    type_in(target_field(dialog), name)
    dialog.get_by_role("option", name=re.compile(f"^{name}")).click()
    expect(target_field(dialog)).to_have_value(re.compile(name))


def submit_transfer(dialog: Locator) -> None:
    """Press the button that passes it on."""
    dialog.get_by_role("button", name="Transferir").click()
