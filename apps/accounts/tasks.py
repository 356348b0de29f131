"""The task that sends password reset codes."""

from apps.accounts.services.password_reset import send_due_codes
from apps.common.workers import work_task

send_reset_codes = work_task(
    "accounts.send_reset_codes", send_due_codes, threads=1, batch=20, rounds=100
)
