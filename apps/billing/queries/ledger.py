"""All companies' invoices, payments and credits, for the super user (rules/billing §8)."""

from django.db.models import DecimalField, F, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce
from django.utils import timezone
from django_filters import CharFilter, ChoiceFilter, FilterSet

from apps.audit.models import AuditEntry
from apps.billing.models import Credit, Invoice, InvoiceStatus, Payment, PixCharge

MONEY = DecimalField(max_digits=10, decimal_places=2)
MOST_ROWS = 100
STATUSES = [*InvoiceStatus.choices, ("overdue", "Vencida"), ("partial", "Paga em parte")]


class LedgerFilters(FilterSet):
    """Filters of all companies' invoices: a part of the company's name or e-mail, of the detail or
    the id, and the status, where `overdue` are open ones of past days, and `partial` open ones for
    which something was received.
    """

    searchParam = CharFilter(method="search", max_length=100)
    status = ChoiceFilter(choices=STATUSES, method="of_status")

    def search(self, rows: QuerySet[Invoice], name: str, text: str) -> QuerySet[Invoice]:
        """Keep the invoices that contain the text."""
        found = Q(company__name__icontains=text) | Q(company__email__icontains=text)
        found |= Q(detail__icontains=text)
        number = text.strip().lstrip("#")
        if number.isascii() and number.isdigit() and len(number) < 10:
            found |= Q(pk=int(number))
        return rows.filter(found)

    def of_status(self, rows: QuerySet[Invoice], name: str, status: str) -> QuerySet[Invoice]:
        """Keep the invoices of a status.

        Open ones are also `overdue` after their day, and `partial` once a payment came that was
        not returned.
        """
        if status == "overdue":
            return rows.filter(status=InvoiceStatus.OPEN, due_date__lt=timezone.localdate())
        if status == "partial":
            paid = Payment.objects.filter(value__gt=F("refunded")).values("invoice")
            return rows.filter(status=InvoiceStatus.OPEN, pk__in=paid)
        return rows.filter(status=status)


def all_invoices() -> QuerySet[Invoice]:
    """Return the invoices of all companies, latest due date first.

    Each has `received` and `refunded`, the sums of its payments without their refunded parts, and
    of these parts.
    """
    payments = Payment.objects.filter(invoice=OuterRef("pk")).order_by().values("invoice")
    none = Value(0, output_field=MONEY)
    rows = Invoice.objects.filter(company__deleted_at=None).select_related("company")
    return rows.annotate(
        received=Coalesce(
            Subquery(
                payments.annotate(total=Sum(F("value") - F("refunded"))).values("total"),
                output_field=MONEY,
            ),
            none,
        ),
        refunded=Coalesce(
            Subquery(payments.annotate(total=Sum("refunded")).values("total"), output_field=MONEY),
            none,
        ),
    ).order_by("-due_date", "-pk")


def charges_of(invoice: Invoice) -> QuerySet[PixCharge]:
    """Return an invoice's latest charges, newest first."""
    return PixCharge.objects.filter(invoice=invoice).order_by("-pk")[:MOST_ROWS]


def payments_of(invoice: Invoice) -> QuerySet[Payment]:
    """Return an invoice's payments, newest first."""
    return Payment.objects.filter(invoice=invoice).order_by("-pk")[:MOST_ROWS]


def credits_of(company_id: int) -> QuerySet[Credit]:
    """Return the latest changes of a company's credit, newest first."""
    return Credit.objects.for_company(company_id).order_by("-pk")[:MOST_ROWS]


def history_of(invoice: Invoice) -> QuerySet[AuditEntry]:
    """Return what was recorded of an invoice and its payments, newest first."""
    entries: QuerySet[AuditEntry] = AuditEntry.objects.for_company(invoice.company_id)
    entries = entries.filter(object_type="invoice", object_id=str(invoice.pk))
    return entries.order_by("-pk")[:MOST_ROWS]
