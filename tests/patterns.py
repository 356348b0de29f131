"""Every regular expression of the product, and the texts on which a bad one takes longest.

A pattern is found where the sources call for it, so that a new one is tried without being listed.
"""

import ast
import importlib
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
# Where in the arguments of a call its flags stand; sub and split have them by name alone.
FLAGS_AT = {"compile": 1, "search": 2, "match": 2, "fullmatch": 2, "findall": 2, "finditer": 2}
OTHER_CALLS = {"sub", "subn", "split", "RegexField", "RegexValidator"}
# What the names stand for in patterns that are made while the product runs.
MADE_LATER: dict[str, dict[str, Any]] = {
    "apps/tickets/services/bot/routing/answers.py": {"title": "a b"},
}
# No text of so few characters takes a linear pattern so long.
TOO_LONG_SECONDS = 0.1
FIRST_LENGTHS = (24, 250, 1000, 2000)
LENGTHS = (1000, 2000, 4000)


@dataclass(frozen=True)
class Found:
    """A pattern, where it stands and whether it is looked for anywhere in a text."""

    place: str
    pattern: re.Pattern[str]
    is_searched: bool

    def seconds(self, text: str) -> float:
        """Return the processor time of finding the pattern in a text, everywhere or as a whole."""
        started_at = time.thread_time()
        if self.is_searched:
            for _ in self.pattern.finditer(text):
                pass
        else:
            self.pattern.fullmatch(text)
        return time.thread_time() - started_at


def sources() -> dict[str, ast.Module]:
    """Return the parsed modules of the product by path; neither tests nor migrations."""
    return {
        str(path.relative_to(ROOT)): ast.parse(path.read_text(encoding="utf-8"))
        for folder in ("apps", "config")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if not {"tests", "migrations"} & set(path.parts)
    }


def patterns() -> Iterator[Found]:
    """Give every pattern that the product's modules write.

    Raises NameError for one made of names that only a call knows and that MADE_LATER lacks.
    """
    trees = sources()
    whole = _only_matched_whole(trees.values())
    for path, tree in trees.items():
        named = {
            id(node.value): node.targets[0].id
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        }
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            verb = _verb(call)
            if verb is None or not call.args:
                continue
            module = importlib.import_module(path.removesuffix(".py").replace("/", "."))
            names = {**vars(module), **MADE_LATER.get(path, {})}
            given = _value(call.args[0], names)
            if isinstance(given, str):
                pattern = re.compile(given, _flags(call, verb, names))
                is_whole = verb in {"match", "fullmatch"} or named.get(id(call)) in whole
                yield Found(f"{path}:{call.lineno}", pattern, not is_whole)


def _verb(call: ast.Call) -> str | None:
    match call.func:
        case ast.Attribute(value=ast.Name(id="re"), attr=verb):
            return verb if verb in FLAGS_AT or verb in OTHER_CALLS else None
        case ast.Name(id=verb) | ast.Attribute(attr=verb):
            return verb if verb in {"RegexField", "RegexValidator"} else None
    return None


def _value(node: ast.expr, names: dict[str, Any]) -> Any:
    return eval(compile(ast.Expression(node), "<pattern>", "eval"), names)


def _flags(call: ast.Call, verb: str, names: dict[str, Any]) -> int:
    at = FLAGS_AT.get(verb, len(call.args))
    given = [each.value for each in call.keywords if each.arg == "flags"] + call.args[at : at + 1]
    return int(_value(given[0], names)) if given else 0


def _only_matched_whole(trees: Any) -> set[str]:
    """Return the names of which every use asks whether a text matches from its beginning."""
    verbs: dict[str, set[str]] = {}
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                verbs.setdefault(node.value.id, set()).add(node.attr)
    return {name for name, used in verbs.items() if used <= {"match", "fullmatch"}}


def hostile_texts(pattern: str) -> Iterator[tuple[str, str, str]]:
    """Give beginnings, what is repeated, and ends, made of what the pattern itself speaks of."""
    plain = re.sub(r"\\[a-zA-Z]|\(\?[a-zA-Z<=!:]*|\{\d*,?\d*\}", " ", pattern)
    signs = sorted({each for each in plain if not each.isalnum()} - set(" ^|?")) or [" "]
    words = sorted(set(re.findall(r"[^\W\d_]{2,}|[^\s\\()\[\]{}|*+?.^$]{2,9}", plain)))[:20]
    letters = sorted(set(re.findall(r"[^\W_]", plain)))[:8]
    units = list(dict.fromkeys(["a", "1", " ", "\n", ".", "A", *signs, *letters]))
    pumps = [*units, *words, *(f"{word} " for word in words)]
    pumps += ["".join(pair) for pair in product(units[:16], repeat=2) if pair[0] != pair[1]]
    beginnings = ["", "a", *signs[:8], *(sign * 2 for sign in signs[:8]), *words[:3]]
    yield from product(beginnings, pumps, ("", "\x00", "a"))


def made(beginning: str, pump: str, end: str, length: int) -> str:
    """Return a text of about a length in characters."""
    return beginning + (pump * (length // len(pump) + 1))[:length] + end


def steep_text(found: Found) -> tuple[tuple[str, str, str], list[float]] | None:
    """Return the first text on which a pattern takes more than its length's share, and its times.

    The times are seconds: the least of some tries at each of LENGTHS, or the first that is too
    long by itself.
    """
    for text in hostile_texts(found.pattern.pattern):
        times = []
        for length in FIRST_LENGTHS:
            times.append(found.seconds(made(*text, length)))
            if times[-1] > TOO_LONG_SECONDS:
                return text, times
        if times[-1] < 0.0005 or times[-1] < 3 * times[-2]:
            continue
        for tries in (5, 40):  # the times are short enough for other processes to stretch five
            times = [
                min(found.seconds(made(*text, length)) for _ in range(tries)) for length in LENGTHS
            ]
            if times[1] <= 2.5 * times[0] or times[2] <= 2.5 * times[1]:
                break
        else:
            return text, times
    return None
