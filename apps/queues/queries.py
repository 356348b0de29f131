"""Reads of queues that span more than one table."""

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from apps.accounts.models import User
from apps.companies.models import Company
from apps.queues.models import Queue, QueueOption


def with_reach(queues: "QuerySet[Queue]") -> "QuerySet[Queue]":
    """Annotate queues with whether conversations reach them and whether active users attend them.

    A connection leads to a queue by its menu, its timer or its keyword. So do an option of another
    queue, a prompt that hands over to it, and a flow whose fallback queue it is.
    """
    same = Queue.objects.filter(pk=OuterRef("pk"))
    by_flow = Q(company__integrations__fallback_queue=F("pk"))
    by_timer = Q(company__connections__transfer_queue=F("pk"))
    by_keyword = Q(company__connections__transfer_keyword_queue=F("pk"))
    return queues.annotate(
        has_connection=Exists(same.filter(connections__isnull=False))
        | Exists(same.filter(by_timer))
        | Exists(same.filter(by_keyword))
        | Exists(QueueOption.objects.filter(redirection_queue=OuterRef("pk")))
        | Exists(same.filter(prompts__isnull=False))
        | Exists(same.filter(by_flow)),
        has_attendants=Exists(User.objects.filter(queues=OuterRef("pk"), is_active=True)),
    )


def options_of(
    company_id: int, *, queue_id: int | None = None, parent_id: int | None = None
) -> "QuerySet[QueueOption]":
    """Return a company's options, optionally of the queue with this id or this option only."""
    options = QueueOption.objects.for_company(company_id)
    if queue_id is not None:
        options = options.filter(queue=queue_id)
    if parent_id is not None:
        options = options.filter(queue__in=options.filter(pk=parent_id).values("queue"))
    return options


def usage_of(queue: Queue) -> dict[str, int]:
    """Count what depends on a queue, in the shape of `QueueUsageSerializer`."""
    company = Company(pk=queue.company_id)
    leads_here = Q(queues=queue) | Q(transfer_queue=queue) | Q(transfer_keyword_queue=queue)
    tickets = company.tickets.filter(queue=queue, status__in=("open", "pending"))
    # Tickets that a prompt of this queue handles move to another queue if their connection has one.
    # They are not counted.
    others = Queue.objects.for_company(company).exclude(pk=queue.pk)
    led = tickets.filter(
        Q(chatbot=True) | Q(use_integration=True),
        Exists(others.filter(connections=OuterRef("connection")))
        | Exists(others.filter(pk=OuterRef("connection__transfer_queue"))),
        prompt__queue=queue,
        status="pending",
        user=None,
        is_group=False,
    )
    options = QueueOption.objects.for_company(company).filter(redirection_queue=queue)
    return {
        "tickets": tickets.exclude(pk__in=led.values("pk")).count(),
        "connections": company.connections.filter(leads_here).distinct().count(),
        "users": queue.users.count(),
        "options": options.count(),
        "prompts": company.prompts.filter(queue=queue).count(),
        "integrations": company.integrations.filter(fallback_queue=queue).count(),
    }
