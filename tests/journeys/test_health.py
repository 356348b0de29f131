"""How a number is: its health."""

from playwright.sync_api import Page, expect

from tests.journeys.conftest import ADMIN, log_in
from tests.journeys.people import CONNECTION, NUMBER, Simulator
from tests.product import Product

DEFERRED = {
    "entity_type": "BUSINESS",
    "alert_info": {
        "alert_severity": "WARNING",
        "alert_status": "ACTIVE",
        "alert_type": "INCREASED_CAPABILITIES_ELIGIBILITY_NEED_MORE_INFO",
        "alert_description": "Additional verification is required.",
    },
}


def test_an_admin_sees_how_a_number_is(page: Page, product: Product) -> None:
    log_in(page, ADMIN)
    page.get_by_role("link", name="Conexões").click()
    row = page.get_by_role("row").filter(has_text=CONNECTION)
    row.get_by_role("button", name=f"Saúde de {CONNECTION}").click()
    dialog = page.get_by_role("dialog", name=f"Saúde de {CONNECTION}")
    # Asked at Meta's by itself.
    expect(dialog.get_by_text("2.000 pessoas em 24 horas")).to_be_visible()
    expect(dialog.get_by_text("Alta", exact=True)).to_be_visible()
    expect(dialog.get_by_text("Última recebida")).to_be_visible()

    meta = Simulator(product)
    limit = {"max_daily_conversations_per_business": 10000}
    report = {"number": NUMBER, "field": "business_capability_update", "value": limit}
    meta.call("POST", "/report", report)
    expect(dialog.get_by_text("10.000 pessoas em 24 horas")).to_be_visible()
    meta.call("POST", "/report", {"number": NUMBER, "field": "account_alerts", "value": DEFERRED})
    told = page.get_by_text(f"A Meta enviou um aviso sobre {CONNECTION}. Veja em Conexões.")
    expect(told).to_be_visible()
    alert = "a Meta pede a verificação da empresa na Central de Segurança."
    expect(dialog.get_by_text(alert)).to_be_visible()
    # Behind the dialog, in the table.
    expect(page.locator("tr", has_text=CONNECTION).get_by_text(alert)).to_be_attached()
    dialog.get_by_role("button", name="Dispensar avisos").click()
    expect(page.get_by_text(alert)).to_have_count(0)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(row.get_by_role("button", name=f"Saúde de {CONNECTION}")).to_be_focused()
