"""Every main screen and dialog, in both themes, with the rules of axe-core."""

import pytest
from playwright.sync_api import Page

from tests.journeys.screens import SCREENS, use_theme
from tests.product import ROOT, Product

AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
GRAVE = ("serious", "critical")


def complaints(page: Page) -> list[str]:
    """Return the serious and critical findings with the elements they name."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found = page.evaluate(
        """axe.run(document, {
            resultTypes: ['violations'],
            // The initials in a button are a picture of the name, not words to be spoken.
            rules: { 'label-content-name-mismatch': { enabled: false } },
        })"""
    )
    return [
        f"{violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in found["violations"]
        if violation["impact"] in GRAVE
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_serious_in_either_theme(product: Product, page: Page, screen: str) -> None:
    SCREENS[screen](page, product)
    for theme in ("light", "dark"):
        use_theme(page, theme)
        found = complaints(page)
        assert not found, f"{theme}: " + "\n".join(found)
