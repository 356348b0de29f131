"""Rules of a queue's menu of options (rules/queues §2)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from django.core.files.base import File
from django.db import transaction
from django.utils import timezone

from apps.common.errors import DomainError, InvalidInput, NotFound
from apps.common.media import StoredMedia, delete_media, store_media
from apps.common.registry import Hook
from apps.queues import events
from apps.queues.models import AskedKind, Queue, QueueOption
from apps.queues.trees import MAX_DEPTH, MAX_OPTIONS, OptionNode, walk

# Called with the company's id in the transaction that saves a menu which may have forms.
menu_saved: Hook[[int]] = Hook()


class OptionNotFound(NotFound):
    """The company has no such option."""

    code = "ERR_NO_OPTION_FOUND"
    message = "Opção não encontrada."


class OptionCycle(DomainError):
    """An option would be below itself."""

    code = "ERR_OPTION_CYCLE"
    message = "Uma opção não pode ficar dentro dela mesma. Escolha outro lugar."

    def __init__(self) -> None:
        super().__init__(fields={"parentId": [self.message]})


class MenuTooDeep(DomainError):
    """The menu would have more than `MAX_DEPTH` levels."""

    code = "ERR_MENU_TOO_DEEP"
    message = f"O menu pode ter até {MAX_DEPTH} níveis."

    def __init__(self) -> None:
        super().__init__(fields={"parentId": [self.message]})


class MenuTooLarge(DomainError):
    """The queue already has `MAX_OPTIONS` options."""

    code = "ERR_MENU_TOO_LARGE"
    message = f"Uma fila pode ter até {MAX_OPTIONS} opções."


_COLUMNS = (
    "parent",
    "title",
    "message",
    "position",
    "redirection_queue",
    "tag",
    "asks",
    "asks_field",
    "asks_together",
)
# Fields that a request for one option may set.
_FIELDS = (
    "title",
    "message",
    "parent_id",
    "redirection_queue_id",
    "tag_id",
    "asks",
    "asks_field",
    "asks_together",
)
# Answers of these kinds are stored in the contact's own columns.
_OWN_FIELDS = frozenset({AskedKind.NAME, AskedKind.EMAIL, AskedKind.PHONE})


def replace_options(queue: Queue, nodes: Sequence[OptionNode]) -> None:
    """Replace the queue's menu; nodes with an id keep their row, omitted options are deleted.

    Call it in a transaction that holds the lock of the queue's row. Raises as `check_options`.
    """
    stored = check_options(queue, nodes)
    of_forms = [each.asks_together for each in stored.values()]
    of_forms += [node.asks_together for _, node in walk(nodes)]
    changed: list[QueueOption] = []
    kept: set[int] = set()
    level: list[tuple[OptionNode, QueueOption | None, int]]
    level = [(node, None, position) for position, node in enumerate(nodes, start=1)]
    while level:  # at most MAX_DEPTH times
        made: list[QueueOption] = []
        below: list[tuple[OptionNode, QueueOption | None, int]] = []
        for node, parent, position in level:
            option = QueueOption(queue=queue) if node.id is None else stored[node.id]
            if _assign(option, node, parent, position):
                (changed if option.pk else made).append(option)
            if option.pk:
                kept.add(option.pk)
            below += [(child, option, at) for at, child in enumerate(node.children, start=1)]
        QueueOption.objects.bulk_create(made)
        level = below
    QueueOption.objects.bulk_update(
        changed,
        [*_COLUMNS, "updated_at"],
    )
    # Delete after the moves, so that an option that was moved out of a deleted one stays.
    gone = [option for pk, option in stored.items() if pk not in kept]
    QueueOption.objects.filter(pk__in=[option.pk for option in gone]).delete()
    forget_files(gone)
    if any(of_forms):
        menu_saved(queue.company_id)


def check_options(queue: Queue, nodes: Sequence[OptionNode]) -> dict[int, QueueOption]:
    """Return the stored options of a queue, which these nodes may replace.

    Raises InvalidInput at a node's place for an id that is unknown in this queue or repeated, a
    queue that it may not lead to, another company's tag, and a question without a field for its
    answer.
    """
    stored = {option.pk: option for option in queue.options.all()}
    _check_ids(stored, nodes)
    _check_redirections(queue, {f"{place}.redirectionQueueId": node for place, node in walk(nodes)})
    _check_tags(queue, {f"{place}.tagId": node.tag_id for place, node in walk(nodes)})
    for place, node in walk(nodes):
        _check_asks(node, f"{place}.asksField")
    return stored


def _assign(
    option: QueueOption, node: OptionNode, parent: QueueOption | None, position: int
) -> bool:
    """Set an option's fields and tell whether it has to be saved."""
    values = {
        "parent": parent,
        "title": node.title,
        "message": node.message,
        "position": position,
        "redirection_queue_id": node.redirection_queue_id,
        "tag_id": node.tag_id,
        "asks": node.asks,
        "asks_field": node.asks_field if node.asks else "",
        "asks_together": node.asks_together and bool(node.asks),
    }
    is_same = option.parent_id == (parent and parent.pk) and all(
        getattr(option, name) == value for name, value in values.items() if name != "parent"
    )
    if option.pk and is_same:
        return False
    for name, value in values.items():
        setattr(option, name, value)
    option.updated_at = timezone.now()
    return True


def _check_ids(stored: Mapping[int, QueueOption], nodes: Sequence[OptionNode]) -> None:
    seen: set[int] = set()
    for place, node in walk(nodes):
        if node.id is None:
            continue
        if node.id not in stored:
            _refuse(f"{place}.id", "Esta opção não existe mais nesta fila.", "does_not_exist")
        if node.id in seen:
            _refuse(f"{place}.id", "Esta opção aparece duas vezes.", "repeated")
        seen.add(node.id)


def _check_redirections(queue: Queue, nodes: Mapping[str, OptionNode]) -> None:
    """Refuse nodes, by their field, that lead to another company's queue or to their own.

    An option that leads to its own queue would only restart the menu, which `#` does.
    """
    wanted = {field: node.redirection_queue_id for field, node in nodes.items()}
    ids = {queue_id for queue_id in wanted.values() if queue_id}
    known = (
        set(
            Queue.objects.for_company(queue.company_id)
            .filter(pk__in=ids)
            .values_list("pk", flat=True)
        )
        if ids
        else set()
    )
    for field, queue_id in wanted.items():
        if queue_id == queue.pk:
            _refuse(field, "A opção já está nesta fila. Escolha outra.", "same_queue")
        if queue_id and queue_id not in known:
            _refuse(field, "Esta fila não existe.", "does_not_exist")


def _check_tags(queue: Queue, tags: Mapping[str, int | None]) -> None:
    """Refuse tags that the company does not have, by their field."""
    ids = {tag_id for tag_id in tags.values() if tag_id}
    if not ids:
        return
    known = set(queue.company.tags.filter(pk__in=ids).values_list("pk", flat=True))
    for field, tag_id in tags.items():
        if tag_id and tag_id not in known:
            _refuse(field, "Esta tag não existe.", "does_not_exist")


def _check_asks(option: OptionNode | QueueOption, field: str) -> None:
    """Refuse a question whose answer would be stored in no field of the contact."""
    if option.asks and option.asks not in _OWN_FIELDS and not option.asks_field:
        _refuse(field, "Informe em que campo do contato a resposta fica.", "asks_field")


def _refuse(field: str, sentence: str, rule: str) -> None:
    raise InvalidInput(sentence, fields={field: [sentence]}, rule=rule)


def _locked(company_id: int, **where: Any) -> Queue | None:
    """Return a queue of the company, locked so that one transaction at a time writes its menu."""
    rows = Queue.objects.for_company(company_id).select_for_update(of=("self",), no_key=True)
    return rows.filter(**where).first()


def _options_of(queue: Queue) -> dict[int, QueueOption]:
    return {option.pk: option for option in queue.options.all()}


def _changed(queue: Queue) -> None:
    """Touch the queue and emit it after its menu changed."""
    queue.save(update_fields=["updated_at"])
    menu_saved(queue.company_id)
    events.queue_changed(queue)


def create_option(*, company_id: int, queue_id: int, fields: Mapping[str, Any]) -> QueueOption:
    """Add an option to a menu, at `position` among its siblings or as the last one.

    Raises InvalidInput for an unknown queue, parent, redirection or tag and for a question without
    a field, MenuTooDeep, MenuTooLarge.
    """
    with transaction.atomic():
        queue = _locked(company_id, pk=queue_id)
        if queue is None:
            sentence = "Esta fila não existe."
            raise InvalidInput(sentence, fields={"queueId": [sentence]}, rule="does_not_exist")
        options = _options_of(queue)
        if len(options) >= MAX_OPTIONS:
            raise MenuTooLarge
        option = QueueOption(queue=queue)
        _change(option, options, fields)
        _changed(queue)
    return option


def update_option(*, company_id: int, option_id: int, fields: Mapping[str, Any]) -> QueueOption:
    """Change the given fields of an option; `parent_id` and `position` move it.

    Raises OptionNotFound, OptionCycle, and as `create_option`.
    """
    with transaction.atomic():
        queue, options = _menu_with(company_id, option_id)
        option = options[option_id]
        if fields.get("queue_id", queue.pk) != queue.pk:
            _refuse("queueId", "Uma opção não muda de fila.", "fixed")
        _change(option, options, fields)
        _changed(queue)
    return option


def delete_option(*, company_id: int, option_id: int) -> None:
    """Delete an option and all below it; raises OptionNotFound."""
    with transaction.atomic():
        queue, options = _menu_with(company_id, option_id)
        option = options.pop(option_id)
        siblings = _siblings(options, option.parent_id)
        option.delete()
        left = set(queue.options.values_list("pk", flat=True))
        forget_files([option, *(each for each in options.values() if each.pk not in left)])
        _renumber(siblings)
        _changed(queue)


def forget_files(options: Iterable[QueueOption]) -> None:
    """Delete the files of options after commit, except those that messages show."""
    for option in options:
        if option.media_path and not option.is_media_sent:
            transaction.on_commit(partial(delete_media, option.media_path), robust=True)


def get_option(*, company_id: int, option_id: int) -> QueueOption:
    """Return an option of the company; raises OptionNotFound."""
    option = QueueOption.objects.for_company(company_id).filter(pk=option_id).first()
    if option is None:
        raise OptionNotFound
    return option


def attach_file(
    *, company_id: int, option_id: int, content: "File[bytes]", name: str, mime: str
) -> QueueOption:
    """Give an option a file, replacing the one it has.

    Raises OptionNotFound, MediaTooLarge, MediaTypeRefused.
    """
    stored = store_media(
        company_id=company_id, content=content, name=name, mime=mime, is_shared=True
    )
    try:
        return _set_file(company_id, option_id, stored)
    except BaseException:
        delete_media(stored.path)
        raise


def remove_file(*, company_id: int, option_id: int) -> None:
    """Remove an option's file; raises OptionNotFound."""
    _set_file(company_id, option_id, None)


def _set_file(company_id: int, option_id: int, file: StoredMedia | None) -> QueueOption:
    with transaction.atomic():
        queue, options = _menu_with(company_id, option_id)
        option = options[option_id]
        forget_files([option])
        option.put_media(file)
        option.is_media_sent = False
        option.save()
        _changed(queue)
    return option


def _menu_with(company_id: int, option_id: int) -> tuple[Queue, dict[int, QueueOption]]:
    queue = _locked(company_id, pk__in=QueueOption.objects.filter(pk=option_id).values("queue"))
    options = _options_of(queue) if queue else {}
    if queue is None or option_id not in options:
        raise OptionNotFound
    return queue, options


def _change(
    option: QueueOption, options: Mapping[int, QueueOption], fields: Mapping[str, Any]
) -> None:
    """Set the fields, check that the menu stays a tree, and save the option at its position."""
    old_parent_id = option.parent_id
    for name in _FIELDS:
        if name in fields:
            setattr(option, name, fields[name])
    if not option.asks:
        option.asks_field, option.asks_together = "", False
    _check_asks(option, "asksField")
    _check_place(option, options)
    if "redirection_queue_id" in fields:
        node = OptionNode(option.title, redirection_queue_id=option.redirection_queue_id)
        _check_redirections(option.queue, {"redirectionQueueId": node})
    if "tag_id" in fields:
        _check_tags(option.queue, {"tagId": option.tag_id})
    siblings = [other for other in _siblings(options, option.parent_id) if other.pk != option.pk]
    is_settled = option.pk is not None and option.parent_id == old_parent_id
    last = option.position if is_settled else len(siblings) + 1
    siblings.insert(max(fields.get("position", last), 1) - 1, option)
    option.position = siblings.index(option) + 1
    option.save()
    _renumber(siblings)


def _siblings(options: Mapping[int, QueueOption], parent_id: int | None) -> list[QueueOption]:
    return sorted(
        (option for option in options.values() if option.parent_id == parent_id),
        key=lambda option: (option.position, option.pk),
    )


def _renumber(siblings: Iterable[QueueOption]) -> None:
    """Number the positions from 1 without gaps: contacts answer with these numbers."""
    moved = []
    for position, option in enumerate(siblings, start=1):
        if option.position != position:
            option.position = position
            moved.append(option)
    QueueOption.objects.bulk_update(moved, ["position"])


def _check_place(option: QueueOption, options: Mapping[int, QueueOption]) -> None:
    if option.parent_id is not None and option.parent_id not in options:
        _refuse("parentId", "Esta opção não existe nesta fila.", "does_not_exist")
    depth, above = 1, option.parent_id
    while above is not None:
        if above == option.pk or depth > MAX_OPTIONS:
            raise OptionCycle
        depth, above = depth + 1, options[above].parent_id
    if depth - 1 + _height(option.pk, options) > MAX_DEPTH:
        raise MenuTooDeep


def _height(option_id: int | None, options: Mapping[int, QueueOption]) -> int:
    """Return the number of levels of a subtree; a node without children has one."""
    below: defaultdict[int | None, list[int]] = defaultdict(list)
    for option in options.values():
        below[option.parent_id].append(option.pk)
    height, level = 1, below[option_id] if option_id else []
    while level and height <= MAX_DEPTH:
        height += 1
        level = [pk for parent in level for pk in below[parent]]
    return height
