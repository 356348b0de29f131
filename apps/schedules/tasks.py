"""The task that sends due schedules."""

from apps.common.workers import work_task
from apps.schedules.services.sending import send_due

# One thread is enough: this task only writes rows, the outbox makes the slow requests.
send = work_task("schedules.send", send_due, threads=1, batch=20, rounds=100)
