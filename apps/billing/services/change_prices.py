"""The price of a change of plan: the difference for the days that are left (rules/billing §6)."""

from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from django.utils import timezone

from apps.billing.models import Invoice, Plan
from apps.billing.services.invoices import price_of
from apps.billing.services.plans import PlanNotOffered
from apps.companies.models import Company, Recurrence
from apps.companies.queries import zone_of
from apps.companies.services import months_later

CENT = Decimal("0.01")


def price_change(invoice: Invoice, company: Company) -> None:
    """Price the open invoice of a change by the days that are left now; it may come to 0.

    The caller holds the locks of both. Raises PlanNotOffered if the plan was deleted.
    """
    if invoice.plan is None:
        raise PlanNotOffered
    invoice.value = max(difference_of(company, invoice.plan), Decimal(0))
    invoice.detail = change_detail_of(company, invoice.plan)
    invoice.save(update_fields=["value", "detail", "updated_at"])


def difference_of(company: Company, plan: Plan) -> Decimal:
    """Return what a plan costs more, or less, for the days that are left of the paid cycle."""
    if is_trial(company):
        return Decimal(0)
    more = price_of(plan, company) - price_of(company.plan, company)
    period = _days_of_period(company)
    left = _days_left(company)
    # Days beyond the cycle may have been given, so they are charged for, but not credited.
    days = left if more > 0 else min(left, period)
    return (more * days / period).quantize(CENT, ROUND_HALF_UP)


def _days_left(company: Company) -> int:
    today: date = timezone.now().astimezone(zone_of(company.pk)).date()
    return max((company.due_date - today).days, 0)


def _days_of_period(company: Company) -> int:
    months = Recurrence(company.recurrence).months
    return (company.due_date - months_later(company.due_date, -months)).days


def change_detail_of(company: Company, plan: Plan) -> str:
    """Return the text of the detail of a change of plan."""
    days = _days_left(company)
    return f"Mudança para o plano {plan.name} ({days} {'dia' if days == 1 else 'dias'})"


def is_trial(company: Company) -> bool:
    """Tell whether the due date is still that of the company's trial."""
    return company.trial_expires_on is not None and company.trial_expires_on == company.due_date
