"""Every main screen and dialog, with the rules of axe-core; the focus, and both themes' colours."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.journeys.screens import SCREENS, use_theme
from tests.product import ROOT, Product

AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
GRAVE = ("serious", "critical")
# Moderate to axe, but whoever walks from landmark to landmark would miss what is open.
OURS = ("region",)
# What each theme is judged by: names and roles are the same in both, colours are not.
RULES: dict[str, dict[str, Any]] = {
    # Off unless it is asked for: who speaks to the screen says the words that are shown.
    "light": {"rules": {"label-content-name-mismatch": {"enabled": True}}},
    "dark": {"runOnly": {"type": "rule", "values": ["color-contrast"]}},
}


def complaints(page: Page, theme: str) -> list[str]:
    """Return the serious and critical findings, and those of OURS, with what they name."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    options = RULES[theme] | {"resultTypes": ["violations"]}
    found = page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in found["violations"]
        if violation["impact"] in GRAVE or violation["id"] in OURS
        for node in violation["nodes"]
    ]


# Where the focus is while a dialog is open, where that is not in it, or on its 'close' although
# something in it is to be filled in.
MISPLACED = """() => {
    const dialog = [...document.querySelectorAll('[role=dialog][aria-modal=true]')].at(-1);
    if (!dialog) return '';
    const active = document.activeElement;
    // A calendar or a list that a field of the dialog opens stands beside it.
    if (!active.closest('[role=dialog], [role=listbox]'))
        return `on ${active.outerHTML.slice(0, 150)}, outside ${dialog.innerText.slice(0, 40)}`;
    const fields = 'input:not([type=hidden]), select, textarea, [contenteditable=true]';
    const field = [...dialog.querySelectorAll(fields)].find(each => each.checkVisibility());
    const isOnClose = active.getAttribute('aria-label') === 'Fechar';
    return field && isOnClose ? `on Fechar before ${field.name || field.id}` : '';
}"""


@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_serious_in_either_theme(product: Product, page: Page, screen: str) -> None:
    SCREENS[screen](page, product)
    assert page.evaluate(MISPLACED) == ""
    for theme in RULES:
        use_theme(page, theme)
        found = complaints(page, theme)
        assert not found, f"{theme}: " + "\n".join(found)
