"""The task that posts to outgoing webhooks."""

from django.conf import settings

from apps.automation.services.webhook_deliveries import deliver_due
from apps.common.workers import work_task

deliver_webhooks = work_task(
    "automation.deliver_webhooks",
    deliver_due,
    threads=settings.WEBHOOK_THREADS,
    batch=1,
    rounds=250,
)
