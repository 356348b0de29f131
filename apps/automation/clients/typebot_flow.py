"""An exported Typebot flow as a queue's menu, as far as the shapes meet (rules/queues §6).

Exports of the versions 3 to 6.1 are read. A flow is a graph of groups, whose blocks follow each
other; a menu is a tree of options. So the walk follows the flow from its start: texts become the
message of the option that leads to them, the items of a choice its children, and an input makes the
option a question. A group that several items lead to comes once for each.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from apps.automation.clients.typebot_text import as_plain, as_whatsapp
from apps.queues.trees import MAX_DEPTH, MAX_OPTIONS, OptionNode

VERSIONS = frozenset({"3", "4", "5", "6", "6.1"})
MOST_BLOCKS = 2000
MOST_EDGES = 5000
TITLE_LENGTH, TEXT_LENGTH, FIELD_LENGTH = 100, 4096, 100
EXCERPT_LENGTH = 80
CHOICES = frozenset({"choice input", "picture choice input"})
FILES = frozenset({"image", "video", "audio", "embed"})
# Kinds without a counterpart, whose names are the reasons.
UNKNOWN_HERE = frozenset(
    {
        *("ab test", "wait", "redirect", "set variable", "code", "script"),
        *("file input", "payment input"),
    }
)
# What an input asks here; the kinds after the first line are the nearest ones.
ASKS = {
    "text input": "text",
    "email input": "email",
    "phone number input": "phone",
    "number input": "number",
    "url input": "text",
    "date input": "text",
    "time input": "text",
    "rating input": "number",
}
NEAREST = frozenset({"url input", "date input", "time input", "rating input"})
# Kinds whose answer is the contact's own.
_OWN = frozenset({"name", "email", "phone"})
_NAMES = re.compile(r"(?:nome|name|nombre)", re.IGNORECASE)
_CPF = re.compile(r"cpf", re.IGNORECASE)
_VARIABLE = re.compile(r"\{\{([^{}]{1,200})\}\}")


class FlowUnreadable(Exception):
    """The export can't be read; the text says why."""


class Outcome(StrEnum):
    """What became of a block."""

    TAKEN = "taken"
    APPROXIMATED = "approximated"
    LEFT_OUT = "left_out"


@dataclass(frozen=True)
class BlockReport:
    """What became of a block, with a code for the reason ('' for a block that was just taken)."""

    group: str
    kind: str
    excerpt: str
    outcome: Outcome
    reason: str = ""


@dataclass(frozen=True)
class Menu:
    """A draft of a queue's menu: the text before it, its options, and what became of blocks."""

    name: str
    greeting: str
    options: tuple[OptionNode, ...]
    blocks: tuple[BlockReport, ...]


@dataclass
class _Step:
    """What the flow says and asks from one place on: up to its next input, or to its end."""

    said: "list[tuple[str, _Block]]" = field(default_factory=list)
    input: "_Block | None" = None
    children: tuple[OptionNode, ...] = ()

    @property
    def texts(self) -> list[str]:
        return [text for text, _block in self.said]

    @property
    def text(self) -> str:
        return _cut("\n\n".join(self.texts))


@dataclass(frozen=True)
class _Block:
    id: str
    kind: str
    group: int
    place: int
    raw: Mapping[str, Any]

    @property
    def options(self) -> Mapping[str, Any]:
        return _mapping(self.raw.get("options"))

    @property
    def content(self) -> Mapping[str, Any]:
        return _mapping(self.raw.get("content"))

    @property
    def items(self) -> list[Mapping[str, Any]]:
        return _mappings(self.raw.get("items"))


def menu_of_flow(flow: Any) -> Menu:
    """Return the menu of an exported flow; raises FlowUnreadable."""
    return _Reading(flow).menu()


class _Reading:
    def __init__(self, flow: Any) -> None:
        if not isinstance(flow, Mapping):
            raise FlowUnreadable("O arquivo não é um fluxo exportado do Typebot.")
        version = str(flow.get("version") or "")
        groups, edges = _mappings(flow.get("groups")), _mappings(flow.get("edges"))
        if not groups:
            raise FlowUnreadable("O arquivo não é um fluxo exportado do Typebot.")
        if version not in VERSIONS:
            raise FlowUnreadable(
                "Só se leem exportações das versões 3 a 6.1 do Typebot: abra o fluxo nele e"
                " exporte-o de novo."
            )
        if sum(len(_mappings(group.get("blocks"))) for group in groups) > MOST_BLOCKS:
            raise FlowUnreadable(f"O fluxo tem mais de {MOST_BLOCKS} blocos.")
        if len(edges) > MOST_EDGES:
            raise FlowUnreadable(f"O fluxo tem mais de {MOST_EDGES} ligações.")
        self.flow, self.groups = flow, groups
        self.blocks = [
            [
                _Block(_text(raw.get("id")), _kind(raw), number, place, raw)
                for place, raw in enumerate(_mappings(group.get("blocks")))
            ]
            for number, group in enumerate(groups)
        ]
        self.edges = {_text(each.get("id")): each for each in edges}
        self.group_of = {_text(group.get("id")): number for number, group in enumerate(groups)}
        self.variables = {
            _text(each.get("id")): _text(each.get("name"))
            for each in _mappings(flow.get("variables"))
        }
        self.told: dict[tuple[int, int], BlockReport] = {}
        self.words: dict[tuple[int, int], str] = {}
        self.count = 0

    def menu(self) -> Menu:
        """Return the draft of a menu, with a report on each block of the flow."""
        step = self._step(self._start(), depth=0, way=frozenset())
        greeting, options = step.text, step.children
        if step.input is not None and step.input.kind not in CHOICES:
            # The first thing of a queue is a menu, so the question is behind an option.
            question = step.texts[-1] if step.texts else ""
            greeting = _cut("\n\n".join(step.texts[:-1]))
            node = self._asking(step.input, question, step.children)
            options = (node,)
            self._tell(step.input, Outcome.APPROXIMATED, "question_first")
        for level in self.blocks:
            for block in level:
                if block.kind != "start" and (block.group, block.place) not in self.told:
                    self._tell(block, Outcome.LEFT_OUT, "not_reached")
        return Menu(
            name=_text(self.flow.get("name"))[:50].strip(),
            greeting=greeting,
            options=options,
            blocks=tuple(self.told[place] for place in sorted(self.told)),
        )

    def _start(self) -> tuple[int, int] | None:
        for event in _mappings(self.flow.get("events")):
            if event.get("type") == "start":
                return self._target(event.get("outgoingEdgeId"))
        for level in self.blocks:
            for block in level:
                if block.kind == "start":
                    return self._after(block)
        return (0, 0)

    def _step(
        self, at: tuple[int, int] | None, *, depth: int, way: frozenset[tuple[int, int]]
    ) -> _Step:
        """Return what comes from a place on; `way` are the places that led here."""
        step, passed = _Step(), set(way)
        while at is not None and (block := self._block(at)) is not None:
            if at in passed:
                self._tell(block, Outcome.APPROXIMATED, "loop")
                break
            passed.add(at)
            if block.kind in CHOICES:
                step.input = block
                step.children = self._choices(block, depth=depth, way=frozenset(passed))
                break
            if block.kind in ASKS:
                step.input = block
                step.children = self._behind(block, depth=depth, way=frozenset(passed))
                break
            at = self._say(block, step)
        return step

    def _say(self, block: _Block, step: _Step) -> tuple[int, int] | None:
        """Add what a block says, and return the place that comes behind it."""
        if block.kind == "text":
            text = self._words(block)
            if text:
                step.said.append((text, block))
            else:
                self._tell(block, Outcome.LEFT_OUT, "empty")
        elif block.kind in FILES:
            address = _text(block.content.get("url"))
            if address.startswith("https://"):
                step.said.append((address, block))
                self._tell(block, Outcome.APPROXIMATED, "file_as_link")
            else:
                self._tell(block, Outcome.LEFT_OUT, "file")
        elif block.kind == "jump":
            target = _text(block.options.get("groupId")), _text(block.options.get("blockId"))
            self._tell(block, Outcome.TAKEN)
            return self._place(*target)
        elif block.kind == "condition":
            self._tell(block, Outcome.LEFT_OUT, "condition")
        elif block.kind in UNKNOWN_HERE:
            self._tell(block, Outcome.LEFT_OUT, block.kind.replace(" ", "_"))
        elif block.kind == "typebot link":
            self._tell(block, Outcome.LEFT_OUT, "other_flow")
        elif block.kind != "start":
            self._tell(block, Outcome.LEFT_OUT, "integration")
        return self._after(block)

    def _choices(
        self, block: _Block, *, depth: int, way: frozenset[tuple[int, int]]
    ) -> tuple[OptionNode, ...]:
        options = block.options
        if not block.items or _text(options.get("dynamicVariableId")):
            self._tell(block, Outcome.LEFT_OUT, "dynamic_items")
            return ()
        if options.get("isMultipleChoice"):
            self._tell(block, Outcome.APPROXIMATED, "multiple_choice")
        elif block.kind != "choice input":
            self._tell(block, Outcome.APPROXIMATED, "pictures")
        else:
            self._tell(block, Outcome.TAKEN)
        if depth == MAX_DEPTH:
            self._tell(block, Outcome.LEFT_OUT, "too_deep")
            return ()
        made = []
        for number, item in enumerate(block.items, 1):
            if not self._has_room():
                self._tell(block, Outcome.APPROXIMATED, "too_large")
                break
            title = self._plain(_text(item.get("content") or item.get("title")), block)
            edge = item.get("outgoingEdgeId")
            at = self._target(edge) if edge else self._after(block)
            step = self._step(at, depth=depth + 1, way=way)
            made.append(self._option(title or str(number), step))
        return tuple(made)

    def _option(self, title: str, step: _Step) -> OptionNode:
        """Return an option that leads to what a step says and asks."""
        if step.input is not None and step.input.kind not in CHOICES:
            node = self._asking(step.input, step.text, step.children)
            return replace(node, title=title[:TITLE_LENGTH])
        return OptionNode(title[:TITLE_LENGTH], step.text, children=step.children)

    def _behind(
        self, block: _Block, *, depth: int, way: frozenset[tuple[int, int]]
    ) -> tuple[OptionNode, ...]:
        """Return the children of a question: what comes behind its answer."""
        # A question is below an option, also where the flow begins with it.
        depth = max(depth, 1)
        nearest = block.kind in NEAREST
        self._tell(
            block,
            Outcome.APPROXIMATED if nearest else Outcome.TAKEN,
            "nearest_kind" if nearest else "",
        )
        after = self._after(block)
        if depth == MAX_DEPTH or not self._has_room():
            if after is not None and (following := self._block(after)) is not None:
                self._tell(following, Outcome.LEFT_OUT, "too_deep")
            return ()
        step = self._step(after, depth=depth + 1, way=way)
        if step.input is None:
            for _said, block_said in step.said:
                self._tell(block_said, Outcome.LEFT_OUT, "text_after_question")
            return ()
        if step.input.kind not in CHOICES:
            return (self._asking(step.input, step.text, step.children),)
        if not step.said:
            return step.children
        # The bot says nothing of its own between an answer and the menu behind it.
        self._tell(step.input, Outcome.APPROXIMATED, "text_between")
        return (OptionNode(self._title(step.input), step.text, children=step.children),)

    def _asking(self, block: _Block, question: str, children: tuple[OptionNode, ...]) -> OptionNode:
        """Return the option whose message is the question of an input."""
        variable = self.variables.get(_text(block.options.get("variableId")), "")
        asks = ASKS[block.kind]
        if asks == "text" and block.kind == "text input":
            if _CPF.search(variable):
                asks = "cpf"
            elif _NAMES.fullmatch(variable.strip()):
                asks = "name"
        # Questions that follow each other are asked without a menu between them.
        follows = len(children) == 1 and bool(children[0].asks)
        name = "" if asks in _OWN else (variable or self._title(block))[:FIELD_LENGTH].strip()
        return OptionNode(
            title=(variable or self._title(block))[:TITLE_LENGTH],
            message=_cut(question),
            asks=asks,
            asks_field=name,
            asks_together=follows,
            children=children,
        )

    def _words(self, block: _Block) -> str:
        """Return a text's words, with the variables that are known here."""
        place = (block.group, block.place)
        if place not in self.words:  # several items may lead to it
            self.words[place] = self._read_words(block)
        return self.words[place]

    def _read_words(self, block: _Block) -> str:
        content = block.content
        text = as_whatsapp(content.get("richText")) or _text(content.get("plainText"))
        if not text.strip():
            return ""
        self._tell(block, Outcome.TAKEN)
        return self._plain(text, block)

    def _plain(self, text: str, block: _Block) -> str:
        def known(found: "re.Match[str]") -> str:
            if _NAMES.fullmatch(found[1].strip()):
                return "{{name}}"
            self._tell(block, Outcome.APPROXIMATED, "variable")
            return ""

        return _VARIABLE.sub(known, text).strip()

    def _has_room(self) -> bool:
        self.count += 1
        return self.count <= MAX_OPTIONS

    def _title(self, block: _Block) -> str:
        title = _text(self.groups[block.group].get("title")).strip()
        return title[:TITLE_LENGTH] or "Continuar"

    def _tell(self, block: _Block, outcome: Outcome, reason: str = "") -> None:
        """Note what became of a block; the worst that happened to it counts."""
        place = (block.group, block.place)
        ranks = list(Outcome)
        known = self.told.get(place)
        if known is not None and ranks.index(known.outcome) >= ranks.index(outcome):
            return
        excerpt = (
            as_plain(block.content.get("richText"))
            or _text(block.content.get("url"))
            or ", ".join(_text(each.get("content") or each.get("title")) for each in block.items)
        )
        self.told[place] = BlockReport(
            group=_text(self.groups[block.group].get("title"))[:EXCERPT_LENGTH],
            kind=block.kind[:40],
            excerpt=excerpt[:EXCERPT_LENGTH],
            outcome=outcome,
            reason=reason,
        )

    def _block(self, at: tuple[int, int]) -> _Block | None:
        group, place = at
        level = self.blocks[group] if group < len(self.blocks) else []
        return level[place] if place < len(level) else None

    def _after(self, block: _Block) -> tuple[int, int] | None:
        """Return the place behind a block: by its edge, else the next block of its group."""
        if edge := block.raw.get("outgoingEdgeId"):
            return self._target(edge)
        at = (block.group, block.place + 1)
        return at if self._block(at) is not None else None

    def _target(self, edge_id: Any) -> tuple[int, int] | None:
        edge = self.edges.get(_text(edge_id))
        if edge is None:
            return None
        to = _mapping(edge.get("to"))
        return self._place(_text(to.get("groupId")), _text(to.get("blockId")))

    def _place(self, group_id: str, block_id: str) -> tuple[int, int] | None:
        group = self.group_of.get(group_id)
        if group is None:
            return None
        for block in self.blocks[group] if block_id else ():
            if block.id == block_id:
                return (group, block.place)
        return (group, 0)


def _kind(raw: Mapping[str, Any]) -> str:
    return _text(raw.get("type")).strip().lower()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _mappings(value: Any) -> list[Mapping[str, Any]]:
    return list(_only_mappings(value)) if isinstance(value, Sequence) else []


def _only_mappings(values: Sequence[Any]) -> Iterator[Mapping[str, Any]]:
    return (each for each in values if isinstance(each, Mapping))


def _cut(text: str) -> str:
    return text[:TEXT_LENGTH].strip()
