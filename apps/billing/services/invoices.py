"""Creating, pricing and cancelling invoices (rules/billing §1)."""

from collections.abc import Collection
from datetime import date, timedelta
from decimal import Decimal

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import connection as database
from django.db import transaction
from django.utils import timezone

from apps.audit.services import record
from apps.billing.models import Invoice, InvoiceKind, InvoiceStatus, PixCharge, Plan
from apps.billing.queries.invoices import invoices_of
from apps.common.errors import DomainError, NotFound
from apps.common.wakeups import wake
from apps.companies.models import SUPER_COMPANY_ID, Company, Recurrence

# An invoice is created this long before its due date.
AHEAD = timedelta(days=10)


class InvoiceNotFound(NotFound):
    """There is no such invoice, or it is another company's."""

    code = "ERR_NO_INVOICE_FOUND"
    message = "Fatura não encontrada."


class InvoicePaid(DomainError):
    code = "ERR_INVOICE_PAID"
    message = "Esta fatura já está paga."


class InvoiceCancelled(DomainError):
    """The invoice was cancelled and must not be paid."""

    code = "ERR_INVOICE_CANCELLED"
    message = "Esta fatura foi cancelada."


class InvoiceRefunded(DomainError):
    code = "ERR_INVOICE_REFUNDED"
    message = "Esta fatura foi estornada. Pague a fatura do vencimento atual."


class InvoiceStillDue(DomainError):
    """The invoice is for the company's current due date: `make_invoices` would create it again."""

    status = 409
    code = "ERR_INVOICE_STILL_DUE"
    message = (
        "Esta fatura é a do vencimento atual da empresa. "
        "Prorrogue o vencimento ou suspenda a empresa antes de cancelá-la."
    )


def get_invoice(*, company_id: int, invoice_id: int) -> Invoice:
    """Return a company's invoice; raises InvoiceNotFound."""
    invoice = invoices_of(company_id).filter(pk=invoice_id).first()
    if invoice is None:
        raise InvoiceNotFound
    return invoice


def locked_invoice(invoice_id: int) -> Invoice:
    """Return an invoice with its company, both locked for the caller's transaction.

    Raises InvoiceNotFound.
    """
    # The locks serialize two reports of one payment, and two payments of one invoice. The company
    # is locked first, in the same order as by a change of its plan, which reprices its invoices.
    companies = Company.objects.select_for_update(of=("self",), no_key=True)
    company = companies.filter(invoices=invoice_id).first()
    if company is None:
        raise InvoiceNotFound
    invoice = Invoice.objects.select_for_update().get(pk=invoice_id)
    invoice.company = company
    return invoice


def require_open(invoice: Invoice) -> None:
    """Refuse an invoice that is not open.

    Raises InvoicePaid, InvoiceCancelled and InvoiceRefunded.
    """
    if invoice.is_paid:
        raise InvoicePaid
    if invoice.status == InvoiceStatus.CANCELLED:
        raise InvoiceCancelled
    if invoice.status == InvoiceStatus.REFUNDED:
        raise InvoiceRefunded


def cancel_invoice(
    *, invoice_id: int, actor: AbstractBaseUser, ip_address: str | None = None
) -> Invoice:
    """Cancel an invoice, withdraw its codes, and audit it.

    A code that is paid nevertheless is accepted (rules/billing §3). Raises InvoicePaid,
    InvoiceCancelled and InvoiceStillDue.
    """
    with transaction.atomic():
        invoice = locked_invoice(invoice_id)
        require_open(invoice)
        if _is_still_due(invoice):
            raise InvoiceStillDue
        _cancel(invoice, actor=actor, ip_address=ip_address)
        withdraw_codes([invoice.pk])
    return invoice


def _is_still_due(invoice: Invoice) -> bool:
    """Tell whether `make_invoices` would create the invoice again."""
    company = invoice.company
    return (
        invoice.kind == InvoiceKind.PERIOD
        and invoice.due_date == company.due_date
        and company.is_enabled
        and not company.is_super
        and company.deleted_at is None
        and company.plan.value > 0
    )


def cancel_changes(company: Company, *, actor: AbstractBaseUser | None = None) -> None:
    """Cancel a company's open invoice for a change of its plan. The caller holds its lock."""
    rows = Invoice.objects.for_company(company.pk).unpaid().select_for_update()
    pending = list(rows.filter(kind=InvoiceKind.CHANGE))
    for invoice in pending:
        _cancel(invoice, actor=actor, ip_address=None)
    withdraw_codes([invoice.pk for invoice in pending])


def _cancel(invoice: Invoice, *, actor: AbstractBaseUser | None, ip_address: str | None) -> None:
    invoice.status = InvoiceStatus.CANCELLED
    invoice.save(update_fields=["status", "updated_at"])
    record(
        action="invoice.cancelled",
        actor=actor,
        company_id=invoice.company_id,
        target=invoice,
        detail={"dueDate": invoice.due_date.isoformat(), "value": str(invoice.value)},
        ip_address=ip_address,
    )


def cancel_later(company: Company) -> None:
    """Cancel a company's open invoices of days after its due date, and withdraw their codes.

    Call it in the transaction that locked the company and took its due date back.
    """
    rows = Invoice.objects.for_company(company.pk).unpaid().select_for_update()
    later = list(rows.filter(kind=InvoiceKind.PERIOD, due_date__gt=company.due_date))
    for invoice in later:
        _cancel(invoice, actor=None, ip_address=None)
    withdraw_codes([invoice.pk for invoice in later])


def price_of(plan: Plan, company: Company) -> Decimal:
    """Return a plan's price for a company: the monthly value times the months of its recurrence."""
    return plan.value * Recurrence(company.recurrence).months


def detail_of(plan: Plan, recurrence: str) -> str:
    """Return the text of an invoice's detail."""
    return _DETAIL.format(plan.name, Recurrence(recurrence).label.lower())


def price_invoice(invoice: Invoice, plan: Plan, company: Company) -> None:
    """Price an open invoice by a plan and the company's recurrence. The caller holds its lock."""
    invoice.plan, invoice.value = plan, price_of(plan, company)
    invoice.recurrence = company.recurrence
    invoice.detail = detail_of(plan, company.recurrence)
    invoice.save(update_fields=["plan", "value", "recurrence", "detail", "updated_at"])


def reprice_invoices(
    company: Company, actor: AbstractBaseUser | None, ip_address: str | None = None
) -> None:
    """Reprice a company's open invoices by its plan and recurrence, and withdraw their codes.

    Call it in the transaction that locked and changed the company. Invoices that already have this
    plan, price and recurrence keep their codes. If the plan is free, the others are cancelled, as
    is an invoice for a change of the former plan.
    """
    asked = (company.plan_id, price_of(company.plan, company), company.recurrence)
    unpaid = Invoice.objects.for_company(company.pk).unpaid().select_for_update()
    stale = [
        row
        for row in unpaid
        if row.kind == InvoiceKind.CHANGE or (row.plan_id, row.value, row.recurrence) != asked
    ]
    for invoice in stale:
        if not company.plan.value or invoice.kind == InvoiceKind.CHANGE:
            _cancel(invoice, actor=actor, ip_address=ip_address)
            continue
        price_invoice(invoice, company.plan, company)
        record(
            action="invoice.repriced",
            actor=actor,
            company_id=company.pk,
            target=invoice,
            detail={"plan": company.plan.name, "value": str(invoice.value)},
            ip_address=ip_address,
        )
    withdraw_codes([invoice.pk for invoice in stale])


def withdraw_codes(invoices: Collection[int], *, paid: int | None = None) -> None:
    """Have the worker withdraw the open charges of these invoices, except the `paid` charge.

    A payment that arrives before the withdrawal is accepted (rules/billing §3).
    """
    codes = PixCharge.objects.unfinished().filter(invoice__in=invoices, is_replaced=False)
    if paid is not None:
        codes = codes.exclude(pk=paid)
    if codes.start_over(timezone.now(), is_replaced=True):
        wake(PixCharge.wakes)


def withdraw_open_codes(company_id: int) -> None:
    """Withdraw the codes of a company's open invoices: they no longer ask for what is due."""
    unpaid = Invoice.objects.for_company(company_id).unpaid()
    withdraw_codes(list(unpaid.values_list("pk", flat=True)))


_DETAIL = "Plano {} ({})"
_BEFORE, _BETWEEN, _AFTER = _DETAIL.split("{}")


def _by_recurrence(values: dict[str, object]) -> str:
    """Return an SQL CASE over a company's recurrence.

    `values` are our constants, not user input.
    """
    cases = " ".join(f"WHEN '{name}' THEN {value}" for name, value in values.items())
    return f"CASE company.recurrence {cases} END"


_MONTHS = _by_recurrence({each.value: each.months for each in Recurrence})
_LABEL = _by_recurrence({each.value: f"'{each.label.lower()}'" for each in Recurrence})


def make_invoices(*, company_id: int | None = None) -> int:
    """Create the invoices that are due within ten days, of all companies or of one.

    It is one statement for any number of companies. Existing invoices do not change, except a
    cancelled or refunded one that is due again: it is reopened. Company 1, companies that are
    switched off and companies with a free plan get no invoice. A company whose row is locked by
    another transaction is skipped until the next run. Returns the number of created and reopened
    invoices.
    """
    now = timezone.now()
    table = Invoice._meta.db_table
    companies, plans = Company._meta.db_table, Plan._meta.db_table
    only = "AND company.id = %(company)s" if company_id is not None else ""
    # A change of a company's plan reprices its existing invoices, so no invoice may be created at
    # the old price meanwhile. Locked companies are skipped instead of waited for, since the caller
    # may hold other locks, and waiting could deadlock.
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
                    AND made.kind = 'period' AND made.status IN ('open', 'paid')
            )
        {lock}
        ON CONFLICT (company_id, due_date) WHERE kind = 'period' DO UPDATE
        SET plan_id = excluded.plan_id, detail = excluded.detail, value = excluded.value,
            recurrence = excluded.recurrence, status = 'open', updated_at = excluded.updated_at
        WHERE {table}.status IN ('cancelled', 'refunded')
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


def invoice_company(company: Company) -> None:
    """Create the due invoice of one company; see `make_invoices`.

    Call it in the transaction that locked the company and changed its due date.
    """
    free_due_date(company)
    make_invoices(company_id=company.pk)


def free_due_date(company: Company, *, refunded: Invoice | None = None) -> None:
    """Let the company's due date have an invoice to pay if the one of that day is paid already.

    The paid one changes days with the `refunded` one, whose period it now pays for, or gets the
    next earlier day that has none. The caller holds the company's lock.
    """
    rows = Invoice.objects.for_company(company.pk).filter(kind=InvoiceKind.PERIOD)
    due = rows.filter(due_date=company.due_date, status=InvoiceStatus.PAID)
    paid = due.select_for_update().first()
    if paid is None:
        return
    if refunded is not None:
        day = refunded.due_date
        _move(refunded, date.max)  # a day has one invoice at any moment
    else:
        day = paid.due_date - timedelta(days=1)
        while rows.filter(due_date=day).exists():
            day -= timedelta(days=1)
    former = paid.due_date
    _move(paid, day)
    if refunded is not None:
        _move(refunded, former)
    for invoice in (paid, refunded):
        if invoice is not None:
            record(
                action="invoice.moved",
                actor=None,
                company_id=company.pk,
                target=invoice,
                detail={"dueDate": invoice.due_date.isoformat()},
            )


def _move(invoice: Invoice, day: date) -> None:
    invoice.due_date = day
    invoice.save(update_fields=["due_date", "updated_at"])
