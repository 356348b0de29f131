"""The tasks that make invoices and ask after charges."""

from celery import shared_task

from apps.billing.services.charges import check_due
from apps.billing.services.invoices import make_invoices
from apps.common.workers import work_task

# Few rows a claim: each may take a provider's whole time-out, and the lease is for all of them.
check_charges = work_task("billing.check_charges", check_due, threads=2, batch=5, rounds=100)


@shared_task(name="billing.make_invoices")  # type: ignore[untyped-decorator]
def make_due_invoices() -> None:
    """Make the invoices of the next ten days; beat sends it."""
    make_invoices()
