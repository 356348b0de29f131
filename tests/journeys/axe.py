"""What axe-core finds on a page that a theme shows."""

from typing import Any

from playwright.sync_api import Page

from tests.journeys.screens import use_theme
from tests.product import ROOT

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


def complaints(page: Page) -> list[str]:
    """Return the serious and critical findings of both themes, and those of OURS, by name."""
    return [f"{theme}: {found}" for theme in RULES for found in _in(page, theme)]


def _in(page: Page, theme: str) -> list[str]:
    use_theme(page, theme)
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
