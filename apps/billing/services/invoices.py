"""Making invoices, and what they cost (rules/billing §1)."""

from datetime import timedelta
from decimal import Decimal

from django.db import connection as database
from django.utils import timezone

from apps.billing.models import Invoice, Plan
from apps.billing.queries.invoices import invoices_of
from apps.common.errors import NotFound
from apps.companies.models import SUPER_COMPANY_ID, Company, Recurrence

# An invoice is there so long before its day.
AHEAD = timedelta(days=10)


class InvoiceNotFound(NotFound):
    """There is no such invoice, or it is another company's."""

    code = "ERR_NO_INVOICE_FOUND"
    message = "Fatura não encontrada."


def get_invoice(*, company_id: int, invoice_id: int) -> Invoice:
    """Return a company's invoice; raises InvoiceNotFound."""
    invoice = invoices_of(company_id).filter(pk=invoice_id).first()
    if invoice is None:
        raise InvoiceNotFound
    return invoice


def price_of(plan: Plan, company: Company) -> Decimal:
    """Return what a company pays for a plan: its monthly value for each month of the recurrence."""
    return plan.value * Recurrence(company.recurrence).months


def detail_of(plan: Plan, company: Company) -> str:
    """Return how an invoice names what it is for."""
    return _DETAIL.format(plan.name, Recurrence(company.recurrence).label.lower())


_DETAIL = "Plano {} ({})"
_BEFORE, _BETWEEN, _AFTER = _DETAIL.split("{}")


def _by_recurrence(values: dict[str, object]) -> str:
    """Return the SQL that chooses by a company's recurrence among our own constants."""
    cases = " ".join(f"WHEN '{name}' THEN {value}" for name, value in values.items())
    return f"CASE company.recurrence {cases} END"


_MONTHS = _by_recurrence({each.value: each.months for each in Recurrence})
_LABEL = _by_recurrence({each.value: f"'{each.label.lower()}'" for each in Recurrence})


def make_invoices(*, company_id: int | None = None) -> int:
    """Make the invoices that are due within ten days, of all companies or of one.

    One statement however many there are; what is there already stays as it is. Plans that cost
    nothing, companies that are switched off and company 1 get none. Returns how many were made.
    """
    now = timezone.now()
    table = Invoice._meta.db_table
    companies, plans = Company._meta.db_table, Plan._meta.db_table
    only = "AND company.id = %(company)s" if company_id is not None else ""
    statement = f"""
        INSERT INTO {table}
            (company_id, plan_id, detail, value, due_date, status, created_at, updated_at)
        SELECT company.id, plan.id,
            '{_BEFORE}' || plan.name || '{_BETWEEN}' || {_LABEL} || '{_AFTER}',
            plan.value * {_MONTHS}, company.due_date, 'open', %(now)s, %(now)s
        FROM {companies} AS company JOIN {plans} AS plan ON plan.id = company.plan_id
        WHERE company.due_date <= %(until)s AND company.id <> %(own)s AND company.is_enabled
            AND company.deleted_at IS NULL
            AND plan.value > 0 {only}
            AND NOT EXISTS (
                SELECT 1 FROM {table} AS made
                WHERE made.company_id = company.id AND made.due_date = company.due_date
            )
        ON CONFLICT (company_id, due_date) DO NOTHING
    """  # noqa: S608
    values = {
        "now": database.ops.adapt_datetimefield_value(now),
        "until": database.ops.adapt_datefield_value((now + AHEAD).date()),
        "own": SUPER_COMPANY_ID,
        "company": company_id,
    }
    with database.cursor() as cursor:
        cursor.execute(statement, values)
        return int(cursor.rowcount)
