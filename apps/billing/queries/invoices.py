from decimal import Decimal

from django.db.models import DecimalField, F, OuterRef, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce
from django_filters import CharFilter, FilterSet

from apps.billing.models import Invoice, Payment, PaymentOutcome
from apps.common.filters import sifted

_MONEY = DecimalField(max_digits=10, decimal_places=2)


class InvoiceFilters(FilterSet):
    """Filters the list of invoices by a part of the detail or of the id."""

    searchParam = CharFilter(method="search")

    def search(self, rows: QuerySet[Invoice], name: str, text: str) -> QuerySet[Invoice]:
        """Keep the invoices that contain the text, ignoring accents and case."""
        return sifted(rows, text, "detail", "pk", shown=lambda detail, pk: (detail, str(pk)))


def invoices_of(company_id: int) -> QuerySet[Invoice]:
    """Return a company's invoices, latest due date first.

    Each has `received`, the sum of its partial payments.
    """
    partial = Payment.objects.filter(invoice=OuterRef("pk"), outcome=PaymentOutcome.PARTIAL)
    total = (
        partial.order_by()
        .values("invoice")
        .annotate(total=Sum(F("value") - F("refunded")))
        .values("total")
    )
    none = Value(Decimal(0), output_field=_MONEY)
    received = Coalesce(Subquery(total, output_field=_MONEY), none)
    rows = Invoice.objects.for_company(company_id).annotate(received=received)
    return rows.order_by("-due_date")
