"""The task that takes away what deleted companies had."""

from apps.common.workers import work_task
from apps.companies.services import remove_due

# One thread: nothing waits for it, and it should slow nobody down.
remove = work_task("companies.remove", remove_due, threads=1, batch=1, rounds=100)
