"""The tasks that delete the data of deleted companies, and recheck sockets of overdue ones."""

from celery import shared_task

from apps.common.workers import work_task
from apps.companies.services import end_overdue, remove_due
from apps.companies.services.retention import run_due

# One thread: the job is not urgent, and should not slow other work down.
remove = work_task("companies.remove", remove_due, threads=1, batch=1, rounds=100)
retain = work_task("companies.retain", run_due, threads=1, batch=1, rounds=100)


@shared_task(name="companies.end_overdue")  # type: ignore[untyped-decorator]
def end_overdue_companies() -> None:
    """Recheck the sockets of companies that became overdue; Celery beat starts it."""
    end_overdue()
