"""Reads of queues that span more than one table."""

from typing import Any

from django.apps import apps
from django.db.models import Q, QuerySet

from apps.queues.models import Queue, QueueOption


def options_of(
    company_id: int, *, queue_id: int | None = None, parent_id: int | None = None
) -> "QuerySet[QueueOption]":
    """Return all options of a company's queue, named by its id or by one of its options."""
    options = QueueOption.objects.for_company(company_id)
    if queue_id is not None:
        options = options.filter(queue=queue_id)
    if parent_id is not None:
        options = options.filter(queue__in=options.filter(pk=parent_id).values("queue"))
    return options


def usage_of(queue: Queue) -> dict[str, int]:
    """Count what hangs on a queue, in the shape of `QueueUsageSerializer`."""
    connections: Any = apps.get_model("connections", "Connection")._default_manager
    tickets: Any = apps.get_model("tickets", "Ticket")._default_manager
    prompts: Any = apps.get_model("automation", "Prompt")._default_manager
    leads_here = Q(queues=queue) | Q(transfer_queue=queue) | Q(transfer_keyword_queue=queue)
    company = queue.company_id
    return {
        "tickets": tickets.for_company(company)
        .filter(queue=queue, status__in=("open", "pending"))
        .count(),
        "connections": connections.for_company(company).filter(leads_here).distinct().count(),
        "users": queue.users.count(),
        "options": QueueOption.objects.for_company(company).filter(redirection_queue=queue).count(),
        "prompts": prompts.for_company(company).filter(queue=queue).count(),
    }
