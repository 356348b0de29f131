"""Rules of queues (rules/queues §1)."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from apps.accounts.models import User
from apps.accounts.services.users import join_queue
from apps.audit.services import record
from apps.billing.services import Feature, require_feature, require_room
from apps.common.errors import DomainError, InvalidInput, NotFound
from apps.common.hours import keep_periods
from apps.common.registry import Hook
from apps.companies.queries import owns
from apps.companies.services.companies import hours_changed
from apps.queues import events
from apps.queues.models import Queue
from apps.queues.queries import queue_of
from apps.queues.services.options import (
    check_options,
    forget_files,
    menu_saved,
    replace_options,
)
from apps.queues.trees import OptionNode

# Called in the same transaction before a queue is deleted; a receiver adds to the list what must
# run after the deletion.
queue_removal: Hook[[Queue, list[Callable[[], None]]]] = Hook()
# Called in the transaction that creates the only queue of a company, with who creates it and the
# address of the call.
first_queue: Hook[[Queue, User, str | None]] = Hook()


class QueueNotFound(NotFound):
    """The company has no such queue."""

    code = "ERR_NO_QUEUE_FOUND"
    message = "Fila não encontrada."


class QueueColorTaken(DomainError):
    """Another queue of the company has this colour."""

    code = "ERR_QUEUE_COLOR_ALREADY_EXISTS"
    message = "Esta cor já está em uso, escolha outra."

    def __init__(self) -> None:
        super().__init__(fields={"color": [self.message]})


class QueueNameTaken(DomainError):
    """Another queue of the company has this name."""

    code = "ERR_QUEUE_NAME_ALREADY_EXISTS"
    message = "Já existe uma fila com este nome."

    def __init__(self) -> None:
        super().__init__(fields={"name": [self.message]})


class QueueChanged(DomainError):
    """Somebody saved the queue since the caller began to edit it."""

    status = 409
    code = "ERR_QUEUE_CHANGED"
    message = (
        "Outra pessoa salvou esta fila enquanto você a editava. "
        "Recarregue a fila para ver o que mudou, ou salve de novo por cima."
    )


def get_queue(*, company_id: int, queue_id: int) -> Queue:
    """Return a company's queue, read `with_reach`; raises QueueNotFound."""
    queue = queue_of(company_id, queue_id)
    if queue is None:
        raise QueueNotFound
    return queue


_LINKS: tuple[tuple[str, str, str, Feature, str], ...] = (
    (
        "integration_id",
        "integrationId",
        "integrations",
        "integrations",
        "Esta integração não existe.",
    ),
    ("prompt_id", "promptId", "prompts", "openAi", "Este prompt não existe."),
)


def _check_links(company_id: int, fields: Mapping[str, Any], queue: Queue | None = None) -> None:
    """Refuse an integration or a prompt that is not the company's, or not in its plan.

    A link that the stored queue already has is accepted, because dialogs send it back.
    """
    for name, wire_name, relation, feature, sentence in _LINKS:
        linked_id = fields.get(name)
        if not linked_id or (queue is not None and getattr(queue, name) == linked_id):
            continue
        if not owns(company_id, relation, [linked_id]):
            raise InvalidInput(sentence, fields={wire_name: [sentence]}, rule="does_not_exist")
        require_feature(company_id=company_id, feature=feature)


def _save(queue: Queue) -> None:
    """Save the queue; a violated unique constraint raises QueueColorTaken or QueueNameTaken."""
    try:
        with transaction.atomic():
            queue.save()
    except IntegrityError as error:
        if "one_queue_per_color" in str(error):
            raise QueueColorTaken from error
        if "one_queue_per_name" in str(error):
            raise QueueNameTaken from error
        raise


def create_queue(
    *,
    actor: User,
    fields: Mapping[str, Any],
    options: Sequence[OptionNode] = (),
    ip_address: str | None = None,
) -> Queue:
    """Create a queue from model fields, with links as ids, and its menu.

    The only queue of a company gets its maker as a member, and its only connection
    (rules/queues §1). Raises PlanLimitReached, QueueColorTaken, QueueNameTaken, InvalidInput for an
    unknown link, and as `replace_options`.
    """
    company_id: int = actor.company_id
    with transaction.atomic():
        require_room(
            company_id=company_id, resource="queues", rows=Queue.objects.for_company(company_id)
        )
        _check_links(company_id, fields)
        queue = Queue(company_id=company_id, **fields)
        _save(queue)
        replace_options(queue, options)
        # `require_room` has locked the company: of two queues at once one is the first.
        if not Queue.objects.for_company(company_id).exclude(pk=queue.pk).exists():
            join_queue(actor, queue.pk)
            first_queue(queue, actor, ip_address)
        events.queue_changed(queue)
        return get_queue(company_id=company_id, queue_id=queue.pk)


def check_queue(
    *,
    company_id: int,
    queue_id: int,
    fields: Mapping[str, Any],
    options: Sequence[OptionNode] | None = None,
) -> None:
    """Refuse a change of a queue's bot that could not be saved; raises as `update_queue`."""
    queue = get_queue(company_id=company_id, queue_id=queue_id)
    _check_links(company_id, fields, queue)
    if options is not None:
        check_options(queue, options)


def update_queue(
    *,
    company_id: int,
    queue_id: int,
    fields: Mapping[str, Any],
    options: Sequence[OptionNode] | None = None,
    seen_at: datetime | None = None,
) -> Queue:
    """Change the given fields of a queue, and its menu when `options` are given.

    Raises QueueNotFound, QueueChanged if it was last saved at another time than `seen_at`, and as
    `create_queue`.
    """
    with transaction.atomic():
        # Locked so that concurrent saves do not mix their menus, and the later one gets
        # QueueChanged.
        queue = (
            Queue.objects.for_company(company_id)
            .select_for_update(of=("self",), no_key=True)
            .filter(pk=queue_id)
            .first()
        )
        if queue is None:
            raise QueueNotFound
        if seen_at is not None and seen_at != queue.updated_at:
            raise QueueChanged
        _check_links(company_id, fields, queue)
        before = queue.schedules
        for name, value in fields.items():
            setattr(queue, name, value)
        queue.schedules = keep_periods(before, queue.schedules)
        _save(queue)
        if queue.schedules != before:
            hours_changed(company_id)
        if options is not None:
            replace_options(queue, options)
        events.queue_changed(queue)
        return get_queue(company_id=company_id, queue_id=queue.pk)


def delete_queue(*, actor: User, queue_id: int, ip_address: str | None = None) -> None:
    """Delete a queue with its prompts, audited; `queue_removal` takes care of their tickets."""
    with transaction.atomic():
        queue = get_queue(company_id=actor.company_id, queue_id=queue_id)
        afterwards: list[Callable[[], None]] = []
        queue_removal(queue, afterwards)
        record(
            action="queue.deleted",
            actor=actor,
            company_id=actor.company_id,
            target=queue,
            detail={"name": queue.name},
            ip_address=ip_address,
        )
        options = list(queue.options.exclude(media_path=""))
        queue.delete()
        for each in afterwards:
            each()
        forget_files(options)
        menu_saved(actor.company_id)
        events.queue_deleted(company_id=actor.company_id, queue_id=queue_id)
