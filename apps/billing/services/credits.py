"""A company's credit, which its next invoices use up (rules/billing §7)."""

from decimal import Decimal

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction

from apps.audit.services import record
from apps.billing.models import Credit, CreditKind, Invoice
from apps.billing.services.invoices import withdraw_open_codes
from apps.companies.models import Company
from apps.companies.services import CompanyNotFound


def add_credit(
    *,
    company_id: int,
    kind: str,
    value: Decimal,
    invoice: Invoice | None = None,
    note: str = "",
) -> Credit:
    """Record a change of a company's credit. The caller holds the company's lock."""
    return Credit.objects.create(
        company_id=company_id, kind=kind, value=value, invoice=invoice, note=note
    )


def give_credit(
    *,
    company_id: int,
    value: Decimal,
    note: str,
    actor: AbstractBaseUser,
    ip_address: str | None = None,
) -> Credit:
    """Give a company a credit; raises CompanyNotFound."""
    with transaction.atomic():
        companies = Company.objects.select_for_update(no_key=True)
        company = companies.filter(pk=company_id, deleted_at=None).first()
        if company is None:
            raise CompanyNotFound
        credit = add_credit(company_id=company_id, kind=CreditKind.GIVEN, value=value, note=note)
        record(
            action="company.credited",
            actor=actor,
            company_id=company_id,
            target=company,
            detail={"value": str(value), "note": note},
            ip_address=ip_address,
        )
        withdraw_open_codes(company_id)
    return credit
