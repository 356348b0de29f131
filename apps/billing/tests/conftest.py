"""Invoices, and a local Efí that charges for them."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from apps.automation.tests.wire import wire_server
from apps.billing.models import Invoice, Plan
from apps.billing.tests.efi import Efi
from apps.companies.models import Company
from tests.factories import make_invoice, make_plan

SECRET = "s" * 40


@pytest.fixture
def plan(acme: Company) -> Plan:
    """Acme's own plan, which costs something."""
    plan = acme.plan
    plan.name, plan.value = "Básico", Decimal("49.90")
    plan.save()
    return plan


@pytest.fixture
def better(db: None) -> Plan:
    """A public plan to change to."""
    return make_plan(name="Completo", value=Decimal("120.00"), users=10, connections=5)


@pytest.fixture
def invoice(acme: Company, plan: Plan) -> Invoice:
    """Acme's open invoice."""
    return make_invoice(acme, due_date=acme.due_date)


@pytest.fixture
def efi(settings: Any, tmp_path: Path) -> Iterator[Efi]:
    """The operator's account at a local Efí."""
    certificate = tmp_path / "efi.pem"
    certificate.write_text("-----BEGIN CERTIFICATE-----")
    settings.PIX_PROVIDER, settings.PIX_KEY = "efi", "pix@balcao.example"
    settings.EFI_CLIENT_ID, settings.EFI_CLIENT_SECRET = "client", "segredo"
    settings.EFI_CERTIFICATE = str(certificate)
    settings.PIX_WEBHOOK_SECRET = SECRET
    bank = Efi()
    with wire_server() as server:
        server.handler = bank
        settings.EFI_URL = server.url
        yield bank


@pytest.fixture
def today() -> date:
    """Today, where due dates are days of America/Sao_Paulo."""
    from zoneinfo import ZoneInfo

    from django.utils import timezone

    return timezone.now().astimezone(ZoneInfo("America/Sao_Paulo")).date()
