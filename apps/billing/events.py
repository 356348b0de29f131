"""Realtime events of payments."""

from collections.abc import Mapping
from typing import Any

from apps.billing.models import Invoice
from apps.billing.queries.invoices import invoices_of
from apps.billing.serializers.invoices import InvoiceSerializer
from apps.common.serializers import row_of
from apps.companies.models import Company
from apps.companies.serializers.companies import CompanySerializer
from apps.realtime.emit import LiveEvent, emit
from apps.realtime.rooms import company_room, payment_room

PAYMENT = LiveEvent(
    "payment",
    CONCLUIDA={"company": CompanySerializer()},
    PARCIAL={"invoice": InvoiceSerializer()},
    ESTORNADO={"company": CompanySerializer()},
)


def paid(company: Company) -> None:
    """Emit that a company has paid; the row contains its new due date."""
    _tell("CONCLUIDA", {"company": row_of(CompanySerializer, company)}, company.pk)


def refunded(company: Company) -> None:
    """Emit that a payment went back; the row contains the due date that is left."""
    _tell("ESTORNADO", {"company": row_of(CompanySerializer, company)}, company.pk)


def paid_in_part(invoice: Invoice) -> None:
    """Emit that a payment was lower than its invoice's value."""
    told = invoices_of(invoice.company_id).get(pk=invoice.pk)
    _tell("PARCIAL", {"invoice": row_of(InvoiceSerializer, told)}, invoice.company_id)


def _tell(action: str, payload: Mapping[str, Any], company_id: int) -> None:
    # Sockets with billing access only are not in the company's room.
    rooms = [company_room(company_id), payment_room(company_id)]
    emit(PAYMENT, action, payload, company_id=company_id, rooms=rooms)
