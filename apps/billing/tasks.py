"""The tasks that create invoices and check charges."""

from celery import shared_task

from apps.billing.services.charges import check_due
from apps.billing.services.invoices import make_invoices
from apps.common.workers import work_task

# Few rows per claim: each may take the provider's whole time-out, and one lease covers them all.
check_charges = work_task("billing.check_charges", check_due, threads=2, batch=5, rounds=100)


@shared_task(name="billing.make_invoices")  # type: ignore[untyped-decorator]
def make_due_invoices() -> None:
    """Create the invoices of the next ten days; Celery beat starts it."""
    make_invoices()
