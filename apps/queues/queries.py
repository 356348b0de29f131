"""Reads of queues that span more than one table."""

from django.db.models import Q, QuerySet

from apps.companies.models import Company
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
    company = Company(pk=queue.company_id)
    leads_here = Q(queues=queue) | Q(transfer_queue=queue) | Q(transfer_keyword_queue=queue)
    tickets = company.tickets.filter(queue=queue, status__in=("open", "pending"))
    options = QueueOption.objects.for_company(company).filter(redirection_queue=queue)
    return {
        "tickets": tickets.count(),
        "connections": company.connections.filter(leads_here).distinct().count(),
        "users": queue.users.count(),
        "options": options.count(),
        "prompts": company.prompts.filter(queue=queue).count(),
    }
