"""Tasks of the desk."""

from apps.common.workers import work_task
from apps.desk.services.running import run_due

# One thread is enough: a decision calls no external service, and two would meet the same people.
run = work_task("desk.run", run_due, threads=1, batch=100, rounds=250)
