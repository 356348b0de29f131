"""The task that sends what is due."""

from apps.common.workers import work_task
from apps.schedules.services.sending import send_due

# One thread: it only writes rows, the outbox does what takes time.
send = work_task("schedules.send", send_due, threads=1, batch=20, rounds=100)
