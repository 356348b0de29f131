"""The task that sends e-mails."""

from apps.common.workers import work_task
from apps.mail.services import deliver_due

deliver = work_task("mail.deliver", deliver_due, threads=1, batch=10, rounds=100)
