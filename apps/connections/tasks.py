"""The tasks that look after connections."""

from celery import shared_task

from apps.common.workers import work_task
from apps.connections import services


@shared_task(name="connections.verify_opening")  # type: ignore[untyped-decorator]
def verify_opening() -> None:
    """Retry numbers that are not connected yet; detect dead owners, expired alerts; poll the
    quality of numbers, which Meta does not report.
    """
    # Local work comes first: a provider may be slow, or fail.
    services.end_alerts()
    services.notice_dead_owners()
    services.verify_opening()
    services.refresh_old_figures()


ask_phones = work_task("connections.ask_phones", services.ask_due, threads=1, batch=10, rounds=100)
publish_forms = work_task(
    "connections.publish_forms", services.publish_due_forms, threads=1, batch=10, rounds=100
)
check_routing = work_task(
    "connections.check_routing", services.check_due_routing, threads=1, batch=10, rounds=100
)
