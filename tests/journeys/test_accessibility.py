"""Every main screen and dialog, with the rules of axe-core; the focus, and both themes' colours."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.journeys import dialogs
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


@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_serious_in_either_theme(product: Product, page: Page, screen: str) -> None:
    dialogs.watch(page)
    SCREENS[screen](page, product)
    assert dialogs.misplaced(page) == ""
    for theme in RULES:
        use_theme(page, theme)
        found = complaints(page, theme)
        assert not found, f"{theme}: " + "\n".join(found)
    dialogs.leave(page)
