"""Which contacts of the company that runs the service owe it, and since when (rules/desk §12)."""

from collections import defaultdict
from datetime import UTC, date, datetime, timedelta, tzinfo

from apps.billing.models import Invoice, InvoiceStatus
from apps.companies.models import SUPER_COMPANY_ID
from apps.companies.queries import zone_of
from apps.contacts.numbers import canonical_number, digits


def debtor_of(phone: str) -> str:
    """Return the canonical number by which the contact of a company is known, '' for none."""
    number = digits(phone)
    return canonical_number(number) if number else ""


def after_the_day(day: date, zone: tzinfo) -> datetime:
    """Return when a day is over: then its invoices become overdue."""
    return datetime.combine(day + timedelta(days=1), datetime.min.time(), zone)


def past_debts(company_id: int, since: datetime, until: datetime) -> dict[str, list[datetime]]:
    """Return when invoices became overdue in a span, in order, by the debtor's canonical number.

    A cancelled one is left out: nothing tells since when it was.
    """
    if company_id != SUPER_COMPANY_ID:
        return {}
    zone = zone_of(company_id)
    invoices = Invoice.objects.filter(
        due_date__gte=since.astimezone(zone).date() - timedelta(days=1),
        due_date__lt=until.astimezone(zone).date(),
    ).exclude(status=InvoiceStatus.CANCELLED)
    found: defaultdict[str, set[datetime]] = defaultdict(set)
    columns = ("company__phone", "due_date", "created_at", "paid_at")
    for phone, due_date, created_at, paid_at in invoices.values_list(*columns):
        at = after_the_day(due_date, zone).astimezone(UTC)
        if created_at < at and (paid_at is None or paid_at >= at):
            found[debtor_of(phone)].add(at)
    return {number: sorted(moments) for number, moments in found.items() if number}
