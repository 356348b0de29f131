"""A change of the plan in the middle of a cycle, paid or credited by days (rules/billing §6)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction

from apps.audit.services import record
from apps.billing.models import CreditKind, Invoice, InvoiceKind, InvoiceStatus, Plan
from apps.billing.queries.credits import amount_due, covered_of, credit_and_owed, downgrades_of
from apps.billing.queries.invoices import invoices_of
from apps.billing.queries.plans import offered_plans
from apps.billing.services.change_prices import change_detail_of, difference_of, is_trial
from apps.billing.services.credits import add_credit
from apps.billing.services.invoices import cancel_changes, price_of, reprice_invoices
from apps.billing.services.payments import settle_by_credit
from apps.billing.services.plans import PlanNotOffered, Resource, Use, use_against, use_of
from apps.common.errors import DomainError
from apps.companies.models import Company

# A cheaper plan's credit is divided among at most this many payments.
MOST_SOURCES = 50


class PlanTooSmall(DomainError):
    """The company has more than the plan allows; the response contains what, as `exceeded`."""

    status = 409
    code = "ERR_PLAN_TOO_SMALL"

    def __init__(self, exceeded: Sequence[Use]) -> None:
        super().__init__(
            f"Este plano permite até {', '.join(map(str, exceeded))}. "
            "Exclua o que passa do limite e tente de novo.",
            extra={
                "exceeded": [
                    {"resource": each.resource, "used": each.used, "allowed": each.allowed}
                    for each in exceeded
                ]
            },
        )


class PlanChangeBySupport(DomainError):
    """The present plan is free, so there is no paid cycle whose days could be counted."""

    status = 409
    code = "ERR_PLAN_CHANGE_BY_SUPPORT"
    message = "O seu plano atual não é cobrado. Fale com o Suporte para mudar de plano."


@dataclass(frozen=True)
class Change:
    """What another plan costs now: `to_pay` or `credit` for the days that are left of the cycle.

    `exceeded` is what the company has beyond the plan's limits, for which it is refused.
    """

    plan: Plan
    price: Decimal
    to_pay: Decimal
    credit: Decimal
    exceeded: Sequence[Use]


@dataclass(frozen=True)
class Subscribed:
    """A company's plan with its use, its credit or what it owes, the plans to change to, and the
    invoice of a change that waits for its payment.
    """

    company: Company
    plan: Plan
    use: Sequence[Use]
    credit: Decimal
    owed: Decimal
    pending: Invoice | None
    offers: Sequence[Change]
    is_trial: bool


def subscribed(company_id: int) -> Subscribed:
    """Return a company's plan, its use, and what each offered plan would cost now."""
    company = Company.objects.select_related("plan").get(pk=company_id)
    used = use_of(company_id)
    pending = (
        invoices_of(company_id).filter(kind=InvoiceKind.CHANGE, status=InvoiceStatus.OPEN).first()
    )
    others = [] if _is_free(company) else list(offered_plans(company))
    credit, owed = credit_and_owed(company_id)
    return Subscribed(
        company=company,
        plan=company.plan,
        use=use_against(company.plan, used),
        credit=credit,
        owed=owed,
        pending=pending,
        offers=[_quote(company, plan, used) for plan in others],
        is_trial=is_trial(company),
    )


def ask_for_plan(
    *,
    company_id: int,
    plan_id: int,
    actor: AbstractBaseUser,
    ip_address: str | None = None,
) -> Subscribed:
    """Change a company's plan: at once if nothing is to pay, else by an invoice of the difference.

    An earlier change that waits for its payment is cancelled; the own plan cancels it and changes
    nothing else. Raises PlanNotOffered, PlanTooSmall and PlanChangeBySupport.
    """
    with transaction.atomic():
        companies = Company.objects.select_for_update(of=("self",), no_key=True)
        company = companies.select_related("plan").get(pk=company_id)
        if _is_free(company):
            raise PlanChangeBySupport
        plan = offered_plans(company).filter(pk=plan_id).first()
        if plan is None:
            raise PlanNotOffered
        cancel_changes(company, actor=actor)
        if plan.pk != company.plan_id:
            change = _quote(company, plan, use_of(company_id))
            if change.exceeded:
                raise PlanTooSmall(change.exceeded)
            if change.to_pay:
                _invoice(company, change, actor, ip_address)
            else:
                _change(company, change, actor, ip_address)
    return subscribed(company_id)


def _invoice(
    company: Company, change: Change, actor: AbstractBaseUser, ip_address: str | None
) -> None:
    invoice = Invoice.objects.create(
        company=company,
        kind=InvoiceKind.CHANGE,
        plan=change.plan,
        previous_plan=company.plan,
        detail=change_detail_of(company, change.plan),
        value=change.to_pay,
        recurrence=company.recurrence,
        due_date=company.due_date,
    )
    record(
        action="invoice.plan_change",
        actor=actor,
        company_id=company.pk,
        target=invoice,
        detail={"name": change.plan.name, "value": str(invoice.value)},
        ip_address=ip_address,
    )
    if not amount_due(invoice):
        settle_by_credit(invoice, actor=actor)


def _change(
    company: Company, change: Change, actor: AbstractBaseUser, ip_address: str | None
) -> None:
    company.plan = change.plan
    company.save(update_fields=["plan", "updated_at"])
    record(
        action="company.plan_changed",
        actor=actor,
        company_id=company.pk,
        target=company,
        detail={"name": change.plan.name, "credit": str(change.credit)},
        ip_address=ip_address,
    )
    reprice_invoices(company, actor, ip_address)
    if change.credit:
        _credit(company, change)


def _credit(company: Company, change: Change) -> None:
    """Credit the difference from the payments that it comes from, the last one first: changes of
    plan in this cycle, and the period. A refund of such a payment takes its part back.
    """
    left = change.credit
    paid = Invoice.objects.for_company(company.pk).filter(status=InvoiceStatus.PAID)
    for invoice in paid.order_by("-paid_at", "-pk")[:MOST_SOURCES]:
        given, taken = downgrades_of(invoice)
        part = min(left, covered_of(invoice) - (given - taken))
        if part > 0:
            _add_downgrade(company, change, part, invoice)
            left -= part
        if not left or invoice.kind == InvoiceKind.PERIOD:
            break
    if left:
        _add_downgrade(company, change, left, None)


def _add_downgrade(
    company: Company, change: Change, value: Decimal, invoice: Invoice | None
) -> None:
    add_credit(
        company_id=company.pk,
        kind=CreditKind.DOWNGRADE,
        value=value,
        invoice=invoice,
        note=change.plan.name,
    )


def _quote(company: Company, plan: Plan, used: Mapping[Resource, int]) -> Change:
    difference = difference_of(company, plan)
    return Change(
        plan=plan,
        price=price_of(plan, company),
        to_pay=max(difference, Decimal(0)),
        credit=max(-difference, Decimal(0)),
        exceeded=[each for each in use_against(plan, used) if each.is_exceeded],
    )


def _is_free(company: Company) -> bool:
    return company.is_super or not company.plan.value
