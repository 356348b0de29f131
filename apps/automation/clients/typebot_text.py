"""Typebot's rich text in WhatsApp's formatting."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

# The formatting marks; WhatsApp has no underlining.
MARKS = (("code", "```"), ("strikethrough", "~"), ("italic", "_"), ("bold", "*"))
LISTS = ("ul", "ol")
# Deeper than any editor nests; deeper nodes are ignored.
MAX_DEPTH = 20


def _children(node: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    children = node.get("children")
    if not isinstance(children, Sequence) or isinstance(children, str):
        return []
    return [child for child in children if isinstance(child, Mapping)]


def _marked(node: Mapping[str, Any]) -> str:
    """Return a leaf with its marks next to the words; otherwise WhatsApp shows the marks as
    text.
    """
    text = str(node.get("text") or "")
    signs = [sign for name, sign in MARKS if node.get(name)]
    if not signs or not text.strip():
        return text
    lines = []
    for line in text.split("\n"):
        words = line.strip()
        start = line.find(words)
        marked = words
        for sign in signs if words else ():
            marked = f"{sign}{marked}{sign}"
        lines.append(line[:start] + marked + line[start + len(words) :])
    return "\n".join(lines)


def _link(node: Mapping[str, Any], depth: int) -> str:
    url, text = str(node.get("url") or ""), _inline(_children(node), depth)
    bare = re.sub(r"^(https?://|mailto:|tel:)", "", url).rstrip("/")
    if not text.strip() or text.strip().rstrip("/") in (url.rstrip("/"), bare):
        return url or text
    return f"{text} ({url})" if url else text


def _inline(nodes: Sequence[Mapping[str, Any]], depth: int) -> str:
    """Return nodes as inline text; paragraphs of a variable keep their own lines."""
    if depth > MAX_DEPTH:
        return ""
    parts, was_block = [], False
    for node in nodes:
        if "text" in node:
            parts.append(_marked(node))
            was_block = False
            continue
        is_block = node.get("type") == "p"
        if is_block and was_block:
            parts.append("\n")
        inside = _children(node)
        parts.append(
            _link(node, depth + 1) if node.get("type") == "a" else _inline(inside, depth + 1)
        )
        was_block = is_block
    return "".join(parts)


def _list(node: Mapping[str, Any], depth: int) -> list[str]:
    if depth > MAX_DEPTH:
        return []
    lines = []
    indent = "  " * depth
    for number, item in enumerate(_children(node), 1):
        sign = f"{number}." if node.get("type") == "ol" else "-"
        inside = _children(item)
        words = _inline([child for child in inside if child.get("type") not in LISTS], depth)
        lines.append(f"{indent}{sign} {words}")
        for child in inside:
            if child.get("type") in LISTS:
                lines += _list(child, depth + 1)
    return lines


def _block(node: Mapping[str, Any]) -> list[str]:
    if node.get("type") in LISTS:
        return _list(node, 0)
    if node.get("type") == "variable":
        inside = _children(node)
        if any("text" not in child for child in inside):
            return [line for child in inside for line in _block(child)]
    if node.get("type") == "blockquote":
        return [f"> {line}" for line in _inline(_children(node), 0).split("\n")]
    return [_inline([node] if node.get("type") == "a" or "text" in node else _children(node), 0)]


def as_whatsapp(rich_text: Any) -> str:
    """Return a text bubble's `richText` with one line per block and the marks * _ ~ ```."""
    if not isinstance(rich_text, Sequence) or isinstance(rich_text, str):
        return ""
    blocks = [node for node in rich_text if isinstance(node, Mapping)]
    return "\n".join(line for node in blocks for line in _block(node)).strip()


def as_plain(rich_text: Any) -> str:
    """Return a bubble's text without marks, as commands are read."""

    def words(node: Any, depth: int) -> str:
        if depth > MAX_DEPTH or not isinstance(node, Mapping):
            return ""
        own = str(node.get("text") or "")
        return own + "".join(words(child, depth + 1) for child in _children(node))

    if not isinstance(rich_text, Sequence) or isinstance(rich_text, str):
        return ""
    return "\n".join(words(node, 0) for node in rich_text).strip()


def from_markdown(text: str) -> str:
    """Return Markdown, which some flows send instead of rich text, in WhatsApp's formatting."""
    text = re.sub(r"(?<!\*)\*(?![\s*])([^*\n]{1,2000}?)(?<!\s)\*(?!\*)", r"_\1_", text)
    text = re.sub(r"\*\*(?!\s)((?:[^*\n]|\*(?!\*)){1,2000}?)(?<!\s)\*\*", r"*\1*", text)
    text = re.sub(r"~~(?!\s)([^~\n]{1,2000}?)(?<!\s)~~", r"~\1~", text)
    text = re.sub(r"\[([^\[\]\n]{1,500})\]\((https?://[^)\s]{1,2000})\)", r"\1 (\2)", text)
    return text.strip()
