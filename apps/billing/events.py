"""What browsers hear of what was paid."""

from apps.billing.models import Invoice
from apps.billing.queries.invoices import invoices_of
from apps.billing.serializers.invoices import InvoiceSerializer, invoice_row
from apps.companies.models import Company
from apps.companies.serializers import CompanySerializer, company_row
from apps.realtime.emit import LiveEvent, emit

PAYMENT = LiveEvent(
    "payment",
    CONCLUIDA={"company": CompanySerializer()},
    PARCIAL={"invoice": InvoiceSerializer()},
)


def paid(company: Company) -> None:
    """Tell a company that it paid, and until when."""
    emit(PAYMENT, "CONCLUIDA", {"company": company_row(company)}, company_id=company.pk)


def paid_in_part(invoice: Invoice) -> None:
    """Tell a company that less arrived than an invoice asks for."""
    row = invoice_row(invoices_of(invoice.company_id).get(pk=invoice.pk))
    emit(PAYMENT, "PARCIAL", {"invoice": row}, company_id=invoice.company_id)
