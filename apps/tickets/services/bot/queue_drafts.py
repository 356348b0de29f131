"""A queue that is still being edited, in the form in which the bot's routing reads queues."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from apps.billing.models import Plan
from apps.common.hours import keep_periods
from apps.queues.forms import forms_of
from apps.queues.models import Queue
from apps.queues.trees import OptionNode, tree_of, walk
from apps.tickets.bot_states import Id
from apps.tickets.services.bot.routing import FileView, OptionView, QueueView

# The draft's queue id, also in the state that the browser holds.
DRAFT = "draft"


@dataclass(frozen=True)
class QueueDraft:
    """The queue data that the bot needs. The ids of the integration and the prompt may be stale."""

    name: str
    order: int | None = None
    greeting_message: str = ""
    out_of_hours_message: str = ""
    schedules: Sequence[Mapping[str, str]] = ()
    integration_id: int | None = None
    prompt_id: int | None = None
    options: Sequence[OptionNode] = ()


def view_of(draft: QueueDraft, plan: Plan, queue_id: int | None = None) -> QueueView:
    """Return the queue; without integration and prompt if the company's plan lacks them.

    With a `queue_id` it is that saved queue, changed: its options that are saved have their ids.
    """
    return QueueView(
        id=DRAFT if queue_id is None else queue_id,
        name=draft.name,
        greeting=draft.greeting_message,
        out_of_hours_message=draft.out_of_hours_message,
        schedules=draft.schedules,
        options=_option_views(draft.options, has_ids=queue_id is not None),
        integration_id=draft.integration_id if plan.use_integrations else None,
        prompt_id=draft.prompt_id if plan.use_open_ai else None,
    )


def in_place(
    queues: Iterable[QueueView],
    draft: QueueView,
    saved_id: Id | None,
    orders: Mapping[int, int | None],
    order: int | None,
) -> tuple[QueueView, ...]:
    """Return the queues of a menu in order, with the draft in place of the saved queue.

    `orders` are the places of the saved queues, `order` is the draft's.
    """

    def place(queue: QueueView) -> tuple[bool, int, int]:
        own = order if queue.id == saved_id else orders.get(int(queue.id))
        return own is None, own or 0, int(queue.id)

    return tuple(draft if each.id == saved_id else each for each in sorted(queues, key=place))


def _option_views(
    nodes: Sequence[OptionNode], prefix: str = "options", *, has_ids: bool
) -> tuple[OptionView, ...]:
    def id_of(node: OptionNode, index: int) -> Id:
        return (node.id if has_ids else None) or node.key or f"{prefix}.{index}"

    return tuple(
        OptionView(
            id=id_of(node, index),
            title=node.title,
            message=node.message,
            redirection_queue_id=node.redirection_queue_id,
            tag_id=node.tag_id,
            asks=node.asks,
            asks_field=node.asks_field,
            asks_together=node.asks_together,
            file=_file(node, id_of(node, index)),
            children=_option_views(node.children, f"{prefix}.{index}.children", has_ids=has_ids),
        )
        for index, node in enumerate(nodes)
    )


def published_forms(nodes: Sequence[OptionNode]) -> dict[str, str]:
    """Return a flow for each form of the draft, as if it were published."""
    asking = (node for _, node in walk(nodes) if node.asks_together)
    return {form.digest: DRAFT for node in asking for form in forms_of(node)}


def draft_of(queue: Queue) -> QueueDraft:
    """Return a saved queue as a draft that changes nothing."""
    return QueueDraft(
        name=queue.name,
        order=queue.order,
        greeting_message=queue.greeting_message,
        out_of_hours_message=queue.out_of_hours_message,
        schedules=queue.schedules,
        integration_id=queue.integration_id,
        prompt_id=queue.prompt_id,
        options=tree_of(queue.options.all()),
    )


def changed(queue: Queue, fields: Mapping[str, Any]) -> QueueDraft:
    """Return a saved queue as saving these fields would leave it.

    Files are saved apart, so an option that stays keeps its own.
    """
    draft = replace(draft_of(queue), **fields)
    files = {node.id: node.media_name for _, node in walk(draft_of(queue).options)}
    schedules = keep_periods(queue.schedules, [dict(each) for each in draft.schedules])
    return replace(draft, schedules=schedules, options=_with_files(draft.options, files))


def _with_files(
    nodes: Sequence[OptionNode], files: Mapping[int | None, str]
) -> tuple[OptionNode, ...]:
    return tuple(
        replace(
            node,
            media_name=files.get(node.id, ""),
            children=_with_files(node.children, files),
        )
        for node in nodes
    )


def targets_of(nodes: Sequence[OptionNode]) -> set[int]:
    return {
        queue_id
        for node in nodes
        for queue_id in (node.redirection_queue_id, *targets_of(node.children))
        if queue_id is not None
    }


def _file(node: OptionNode, key: Id) -> FileView | None:
    """Return the file of an option; its path is not needed here."""
    return FileView(key, "", node.media_name, node.media_mime) if node.media_name else None
