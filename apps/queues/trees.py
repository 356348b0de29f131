"""A queue's menu of options as plain values, before it is stored."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

# Limits of rules/queues §2; `MAX_OPTIONS` keeps a menu within the size of a request.
MAX_DEPTH = 10
MAX_OPTIONS = 200


@dataclass(frozen=True)
class OptionNode:
    """A node of the menu: `id` if it is stored, `key` as the editor names it.

    `media_name` and `media_mime` describe the file of a draft under test; files are saved
    separately.
    """

    title: str
    message: str = ""
    redirection_queue_id: int | None = None
    tag_id: int | None = None
    asks: str = ""
    asks_field: str = ""
    asks_together: bool = False
    media_name: str = ""
    media_mime: str = ""
    children: tuple["OptionNode", ...] = ()
    id: int | None = None
    key: str = ""

    @property
    def has_file(self) -> bool:
        return bool(self.media_name)


def walk(nodes: Sequence[OptionNode], prefix: str = "options") -> Iterator[tuple[str, OptionNode]]:
    """Yield every node, parents first, with its place in the request: 'options.0.children.2'."""
    for index, node in enumerate(nodes):
        place = f"{prefix}.{index}"
        yield place, node
        yield from walk(node.children, f"{place}.children")


def nodes_of(plain: Iterable[Mapping[str, Any]]) -> tuple[OptionNode, ...]:
    """Return nodes that were kept as `dataclasses.asdict` of them."""
    return tuple(
        OptionNode(**{**each, "children": nodes_of(each.get("children", ()))}) for each in plain
    )


class Row(Protocol):
    """A stored option, as far as a tree needs it."""

    pk: int
    parent_id: int | None
    title: str
    message: str
    redirection_queue_id: int | None
    tag_id: int | None
    asks: str
    asks_field: str
    asks_together: bool
    media_name: str


def tree_of(rows: Iterable[Row]) -> tuple[OptionNode, ...]:
    """Return the top level of a stored menu; `rows` are in the order of their positions."""
    below: defaultdict[int | None, list[Row]] = defaultdict(list)
    for row in rows:
        below[row.parent_id].append(row)
    return _level(below, None, MAX_DEPTH)


def _level(
    below: Mapping[int | None, Sequence[Row]], parent_id: int | None, depth: int
) -> tuple[OptionNode, ...]:
    return tuple(
        OptionNode(
            title=row.title,
            message=row.message,
            redirection_queue_id=row.redirection_queue_id,
            tag_id=row.tag_id,
            asks=row.asks,
            asks_field=row.asks_field,
            asks_together=row.asks_together,
            media_name=row.media_name,
            children=_level(below, row.pk, depth - 1) if depth else (),
            id=row.pk,
        )
        for row in below.get(parent_id, ())
    )
