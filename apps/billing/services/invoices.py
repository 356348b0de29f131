"""Making invoices, and what they cost (rules/billing §1)."""

from collections.abc import Collection
from datetime import timedelta
from decimal import Decimal

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import connection as database
from django.utils import timezone

from apps.audit.services import record
from apps.billing.models import Invoice, PixCharge, Plan
from apps.billing.queries.invoices import invoices_of
from apps.common.errors import NotFound
from apps.common.wakeups import wake
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


def detail_of(plan: Plan, recurrence: str) -> str:
    """Return how an invoice names what it is for."""
    return _DETAIL.format(plan.name, Recurrence(recurrence).label.lower())


def price_invoice(invoice: Invoice, plan: Plan, company: Company) -> None:
    """Price an open invoice, whose lock the caller has, by a plan and the company's recurrence."""
    invoice.plan, invoice.value = plan, price_of(plan, company)
    invoice.recurrence = company.recurrence
    invoice.detail = detail_of(plan, company.recurrence)
    invoice.save(update_fields=["plan", "value", "recurrence", "detail", "updated_at"])


def reprice_invoices(company: Company, *, actor: AbstractBaseUser | None) -> None:
    """Price a company's open invoices anew by its plan and recurrence, and withdraw their codes.

    Call it in the transaction that locked and changed the company. Invoices that ask for that
    already stay, with their codes.
    """
    asked = (company.plan_id, price_of(company.plan, company), company.recurrence)
    unpaid = Invoice.objects.for_company(company.pk).unpaid().select_for_update()
    stale = [row for row in unpaid if (row.plan_id, row.value, row.recurrence) != asked]
    for invoice in stale:
        price_invoice(invoice, company.plan, company)
        record(
            action="invoice.repriced",
            actor=actor,
            company_id=company.pk,
            target=invoice,
            detail={"plan": company.plan.name, "value": str(invoice.value)},
        )
    withdraw_codes([invoice.pk for invoice in stale])


def withdraw_codes(invoices: Collection[int], *, paid: int | None = None) -> None:
    """Have what can still be paid of these invoices withdrawn at once, but for the `paid` charge.

    One that is paid before that is honoured (rules/billing §3).
    """
    codes = PixCharge.objects.unfinished().filter(invoice__in=invoices, is_replaced=False)
    if paid is not None:
        codes = codes.exclude(pk=paid)
    if codes.start_over(timezone.now(), is_replaced=True):
        wake(PixCharge.wakes)


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
    nothing, companies that are switched off and company 1 get none, and one that somebody is
    changing at this moment waits for the next run. Returns how many were made.
    """
    now = timezone.now()
    table = Invoice._meta.db_table
    companies, plans = Company._meta.db_table, Plan._meta.db_table
    only = "AND company.id = %(company)s" if company_id is not None else ""
    # Whoever changes a company's plan prices the invoices that are there: none may come meanwhile
    # at the older price. Nobody is waited for, as this may run where other rows are locked.
    has_locks = database.features.has_select_for_update_skip_locked
    lock = "FOR SHARE OF company SKIP LOCKED" if has_locks else ""
    statement = f"""
        INSERT INTO {table}
            (company_id, plan_id, detail, value, recurrence, due_date, status,
            created_at, updated_at)
        SELECT company.id, plan.id,
            '{_BEFORE}' || plan.name || '{_BETWEEN}' || {_LABEL} || '{_AFTER}',
            plan.value * {_MONTHS}, company.recurrence, company.due_date, 'open', %(now)s, %(now)s
        FROM {companies} AS company JOIN {plans} AS plan ON plan.id = company.plan_id
        WHERE company.due_date <= %(until)s AND company.id <> %(own)s AND company.is_enabled
            AND company.deleted_at IS NULL
            AND plan.value > 0 {only}
            AND NOT EXISTS (
                SELECT 1 FROM {table} AS made
                WHERE made.company_id = company.id AND made.due_date = company.due_date
            )
        {lock}
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
