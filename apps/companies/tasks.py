"""The tasks that take away what deleted companies had, and part with those that are overdue."""

from celery import shared_task

from apps.common.workers import work_task
from apps.companies.services import end_overdue, remove_due

# One thread: nothing waits for it, and it should slow nobody down.
remove = work_task("companies.remove", remove_due, threads=1, batch=1, rounds=100)


@shared_task(name="companies.end_overdue")  # type: ignore[untyped-decorator]
def end_overdue_companies() -> None:
    """Have sockets of companies that became overdue judged anew; beat sends it."""
    end_overdue()
