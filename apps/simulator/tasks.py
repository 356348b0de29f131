"""Tasks that process webhooks, events and lease calls left over by a restart."""

from apps.common.workers import work_task
from apps.simulator.services import posting
from apps.simulator.services.gateway import leasing, outbox


def _post_webhooks(*, limit: int) -> int:
    posting.post_due()
    return 0


def _keep_sessions(*, limit: int) -> int:
    """Commit due events, and make the due lease call."""
    outbox.post_due()
    leasing.lease_due()
    return 0


post_webhooks = work_task(
    "apps.simulator.tasks.post_webhooks", _post_webhooks, threads=1, batch=1, rounds=1
)
keep_sessions = work_task(
    "apps.simulator.tasks.keep_sessions", _keep_sessions, threads=1, batch=1, rounds=1
)
