"""Reads of queues that span more than one table."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from apps.accounts.models import UserQueue
from apps.common.compiled_queries import CompiledQuery, columns_of, instance_of
from apps.common.serializers import MAX_ID
from apps.companies.models import Company
from apps.queues.models import Queue, QueueOption


def _related(model: type[Model], relation: str) -> "QuerySet[Any]":
    related: Any = model._meta.get_field(relation).related_model
    rows: QuerySet[Any] = related.objects.all()
    return rows


def with_reach(queues: "QuerySet[Queue]") -> "QuerySet[Queue]":
    """Annotate queues with whether conversations reach them and whether active users attend them.

    A connection leads to a queue by its menu, its timer or its keyword. So do an option of another
    queue, a prompt that hands over to it, and a flow whose fallback queue it is.
    """
    queue = OuterRef("pk")
    # The models of higher apps are those of their relations, because imports go down.
    led: Any = Queue._meta.get_field("connections")
    connections, menus = led.related_model.objects, led.through.objects
    prompts = _related(Queue, "prompts")
    flows = _related(Company, "integrations")
    by_itself = Q(transfer_queue=queue) | Q(transfer_keyword_queue=queue)
    attendants = UserQueue.objects.filter(queue=queue, user__is_active=True)
    return queues.annotate(
        has_connection=Exists(menus.filter(queue=queue))
        | Exists(connections.filter(by_itself))
        | Exists(QueueOption.objects.filter(redirection_queue=queue))
        | Exists(prompts.filter(queue=queue))
        | Exists(flows.filter(fallback_queue=queue)),
        has_attendants=Exists(attendants),
    )


_COLUMNS = columns_of(Queue)
_REACH = ("has_connection", "has_attendants")
_QUEUES = CompiledQuery(
    lambda *, company_id: with_reach(Queue.objects.for_company(company_id)).values_list(
        *_COLUMNS, *_REACH
    )
)
_QUEUE = CompiledQuery(
    lambda *, company_id, queue_id: with_reach(
        Queue.objects.for_company(company_id).filter(pk=queue_id)
    ).values_list(*_COLUMNS, *_REACH)
)


_OPTION_COLUMNS = columns_of(QueueOption)
_OPTIONS = CompiledQuery(
    lambda *, queue_id: QueueOption.objects.filter(queue=queue_id).values_list(*_OPTION_COLUMNS)
)


def queues_of(company_id: int) -> list[Queue]:
    """Return a company's queues in their order, read `with_reach`."""
    return [_queue(values) for values in _QUEUES.rows(company_id=company_id)]


def queue_of(company_id: int, queue_id: int) -> Queue | None:
    """Return a company's queue, read `with_reach`."""
    if queue_id > MAX_ID:
        return None
    rows = _QUEUE.rows(company_id=company_id, queue_id=queue_id)
    return _queue(rows[0]) if rows else None


def _queue(values: Sequence[Any]) -> Queue:
    return instance_of(Queue, (*_COLUMNS, *_REACH), values)


def menu_of(queue_id: int) -> list[QueueOption]:
    """Return all options of a queue, in the order of their positions."""
    rows = _OPTIONS.rows(queue_id=queue_id)
    return [instance_of(QueueOption, _OPTION_COLUMNS, values) for values in rows]


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
        "deadlines": company.sla_policies.filter(Q(queue=queue) | Q(steps__queue=queue))
        .distinct()
        .count(),
    }
