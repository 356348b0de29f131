"""A queue's menu of options as plain values, before it is stored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
    media_name: str = ""
    media_mime: str = ""
    children: tuple["OptionNode", ...] = ()
    id: int | None = None
    key: str = ""


def walk(nodes: Sequence[OptionNode], prefix: str = "options") -> Iterator[tuple[str, OptionNode]]:
    """Yield every node, parents first, with its place in the request: 'options.0.children.2'."""
    for index, node in enumerate(nodes):
        place = f"{prefix}.{index}"
        yield place, node
        yield from walk(node.children, f"{place}.children")
