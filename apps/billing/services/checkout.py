"""Checkout of an invoice: the chosen plan, its price and the Pix code (rules/billing §2)."""

import logging
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from apps.audit.services import record
from apps.billing.models import Invoice, InvoiceKind, PixCharge, PixProvider, Plan
from apps.billing.pix.base import TIMEOUT_SECONDS, NewCharge, PixClient, PixError
from apps.billing.queries.credits import amount_due, credit_and_owed
from apps.billing.queries.plans import offered_plans
from apps.billing.services.change_prices import price_change
from apps.billing.services.clients import client_of
from apps.billing.services.invoices import (
    InvoiceNotFound,
    price_invoice,
    price_of,
    require_open,
)
from apps.billing.services.payments import settle_by_credit
from apps.billing.services.plans import PlanNotOffered
from apps.common.errors import DomainError
from apps.companies.models import SUPER_COMPANY_ID, Company

logger = logging.getLogger(__name__)

CODE_SECONDS = 3600
# An existing code is shown again only if it stays valid for at least this long.
WORTH_SHOWING = timedelta(minutes=5)
# The first look-up comes FIRST_LOOK after the provider issued the charge. A stored charge that the
# provider has not issued yet is looked up after SLOW_MAKING.
FIRST_LOOK, SLOW_MAKING = timedelta(seconds=20), timedelta(seconds=90)
# A second click waits this long for the code that the first one is having issued.
AWAITED_SECONDS, LOOK_SECONDS = TIMEOUT_SECONDS, 0.1


class PixUnavailable(DomainError):
    """The provider could not issue a code."""

    status = 424
    code = "ERR_PIX_UNAVAILABLE"
    message = "Não foi possível gerar o Pix agora. Tente de novo em alguns minutos."


class PixNotSetUp(DomainError):
    """The operator has not set up any provider."""

    status = 409
    code = "ERR_PIX_NOT_SET_UP"
    message = "O pagamento por Pix ainda não está disponível. Fale com o Suporte."


def subscribe(
    *,
    actor: AbstractBaseUser,
    company_id: int,
    invoice_id: int,
    asked: Mapping[str, Any],
    billing: Mapping[str, str],
) -> PixCharge:
    """Price an open invoice by the chosen plan, and return the charge of what is still to pay.

    An invoice that earlier payments and credits cover is settled: the charge is then an unsaved one
    of 0. An invoice for a change of plan has its own plan.

    `asked` identifies a plan (id, name, users, connections); empty means the company's own plan.
    `billing` holds billing fields of the company; empty values change nothing. A code that is valid
    for this plan and price, or being issued for them, is returned again. It waits for the provider:
    never call it inside a transaction. Raises InvoiceNotFound, InvoicePaid, InvoiceCancelled,
    PlanNotOffered, PixNotSetUp or PixUnavailable.
    """
    provider = settings.PIX_PROVIDER
    with transaction.atomic():
        # The locks serialize two clicks. The company is locked first, in the same order as by a
        # change of its plan or recurrence, on which the price depends.
        company = Company.objects.select_for_update(no_key=True).get(pk=company_id)
        own = Invoice.objects.for_company(company_id)
        invoice = own.select_for_update().filter(pk=invoice_id).first()
        if invoice is None:
            raise InvoiceNotFound
        require_open(invoice)
        if invoice.kind == InvoiceKind.CHANGE:
            price_change(invoice, company)
        else:
            price_invoice(invoice, chosen_plan(company, asked), company)
        _keep_billing(company, billing)
        value = amount_due(invoice)
        if not value:
            invoice.company = company
            settle_by_credit(invoice, actor=actor)
            return PixCharge(company=company, invoice=invoice, plan=invoice.plan, value=value)
        if not provider:
            raise PixNotSetUp
        charge = _shown_again(invoice, provider, value)
        is_new = charge is None
        if charge is None:
            charge = _replace(invoice, provider, value)
            record(
                action="invoice.charged",
                actor=actor,
                company_id=company_id,
                target=invoice,
                detail={"detail": invoice.detail, "value": str(value), "txid": charge.txid},
            )
    return _issue(charge, invoice.detail) if is_new else _awaited(charge)


class Offer(NamedTuple):
    """A plan with its price for the months of the company's recurrence."""

    plan: Plan
    price: Decimal


@dataclass(frozen=True)
class Checkout:
    """The data of the checkout page: the company, the offered plans with their prices, whether
    Pix is set up, the operator's company, and the unused credit or what it owes.
    """

    company: Company
    offers: Sequence[Offer]
    is_available: bool
    operator: Company
    credit: Decimal
    owed: Decimal


def checkout_of(company_id: int) -> Checkout:
    """Return the checkout data of a company; prices are for its recurrence."""
    company = Company.objects.get(pk=company_id)
    offers = [Offer(plan, price_of(plan, company)) for plan in offered_plans(company)]
    operator = Company.objects.filter(pk=SUPER_COMPANY_ID).first() or Company()
    is_available = bool(settings.PIX_PROVIDER)
    credit, owed = credit_and_owed(company_id)
    return Checkout(
        company,
        offers,
        is_available=is_available,
        operator=operator,
        credit=credit,
        owed=owed,
    )


def chosen_plan(company: Company, asked: Mapping[str, Any]) -> Plan:
    """Return the offered plan that `asked` identifies; raises PlanNotOffered."""
    offered = list(offered_plans(company))
    if "id" in asked:
        found = [plan for plan in offered if plan.pk == asked["id"]]
    elif asked.get("name"):
        found = [plan for plan in offered if plan.name == asked["name"]]
    elif "users" in asked or "connections" in asked:
        found = [
            plan
            for plan in offered
            if plan.users == asked.get("users", plan.users)
            and plan.connections == asked.get("connections", plan.connections)
        ]
        found = [plan for plan in found if plan.pk == company.plan_id] or found
    else:
        found = [plan for plan in offered if plan.pk == company.plan_id]
    if len(found) != 1:
        raise PlanNotOffered
    return found[0]


def _keep_billing(company: Company, billing: Mapping[str, str]) -> None:
    changed = {name: text.strip() for name, text in billing.items() if text.strip()}
    for name, text in changed.items():
        setattr(company, name, text)
    if changed:
        company.save(update_fields=[*changed, "updated_at"])


def _shown_again(invoice: Invoice, provider: str, value: Decimal) -> PixCharge | None:
    """Return the invoice's charge of the same plan and prices that can still be paid, or None.

    It may be one without a code, which another request is having issued.
    """
    now = timezone.now()
    good_until = now + WORTH_SHOWING
    charges = PixCharge.objects.filter(
        invoice=invoice,
        provider=provider,
        plan=invoice.plan,
        value=value,
        deducted=invoice.value - value,
        recurrence=invoice.recurrence,
    )
    last = charges.filter(is_replaced=False, payments=None).order_by("-pk").first()
    if last is None or (last.expires_at is not None and last.expires_at < good_until):
        return None
    if not last.code and (last.last_error or last.created_at + SLOW_MAKING < now):
        return None
    return last


def _awaited(charge: PixCharge) -> PixCharge:
    """Return a charge once it has its code, which another request may be having issued.

    Raises PixUnavailable if the provider created none.
    """
    end = time.monotonic() + AWAITED_SECONDS
    while not charge.code:
        if charge.last_error or time.monotonic() > end:
            raise PixUnavailable
        time.sleep(LOOK_SECONDS)
        charge.refresh_from_db()
    return charge


def _replace(invoice: Invoice, provider: str, value: Decimal) -> PixCharge:
    """Store a new charge, and mark older ones as replaced; the worker then withdraws them."""
    now = timezone.now()
    older = PixCharge.objects.unfinished().filter(invoice=invoice, is_replaced=False)
    older.start_over(now + FIRST_LOOK, is_replaced=True)
    return PixCharge.objects.create(
        company_id=invoice.company_id,
        invoice=invoice,
        plan=invoice.plan,
        provider=provider,
        # Efí requires 26 to 35 letters and digits. A static code contains the first 25.
        txid=f"{secrets.token_hex(12)}{invoice.pk:08d}"[:35],
        value=value,
        deducted=invoice.value - value,
        recurrence=invoice.recurrence,
        next_attempt_at=now + SLOW_MAKING,
    )


def _issue(charge: PixCharge, description: str) -> PixCharge:
    """Have the provider issue a stored charge; raises PixUnavailable."""
    try:
        client: PixClient = client_of(charge.provider)
        issued = client.create(
            NewCharge(
                txid=charge.txid,
                value=charge.value,
                description=description,
                seconds=CODE_SECONDS,
            )
        )
    except PixError as error:
        logger.warning("Charge %s could not be made: %s", charge.pk, error)
        PixCharge.objects.filter(pk=charge.pk).update(last_error=str(error))
        raise PixUnavailable from error
    charge.reference, charge.code, charge.expires_at = (
        issued.reference,
        issued.code,
        issued.expires_at,
    )
    made: dict[str, Any] = {
        "reference": charge.reference,
        "code": charge.code,
        "expires_at": charge.expires_at,
    }
    row = PixCharge.objects.filter(pk=charge.pk)
    # There is nothing to poll: the super user confirms the payment.
    if charge.provider == PixProvider.MANUAL:
        row.finish(**made)
    else:
        row.retry_later(timezone.now() + FIRST_LOOK, "", **made)
    return charge
