"""Answers in tests: each that a test client gets is held against the OpenAPI schema."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property
from typing import Any

import orjson
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator, FormatChecker

from apps.common.callers import is_older_browser
from tests.shapes import strict

# Not calls of the API: media by signature, the schema and its page.
NOT_CALLS = re.compile(r"/api/(public/|schema/?$|docs/?$)")
# Where older browsers' page posts what the schema documents at one address (rules/messages-api §2).
OLDER_ADDRESS = "/api/api/messages/send"
FORMATS = FormatChecker(("date", "email", "uuid"))


def _is_utc(value: object) -> bool:
    if not isinstance(value, str):
        return True
    return value.endswith("Z") and bool(datetime.fromisoformat(value))


FORMATS.checks("date-time", raises=ValueError)(_is_utc)


def answer_faults(method: str, path: str, response: Any) -> Iterator[str]:
    """Yield where an answer is not as the schema documents its call."""
    if not path.startswith("/api/") or NOT_CALLS.match(path) or method == "OPTIONS":
        return
    if _is_for_older_browsers(response):
        return
    documented = _answers(path.replace(OLDER_ADDRESS, "/api/messages/send"), method)
    status = str(response.status_code)
    name = f"{method} {path} answers {status}"
    for known in (status, f"{status[0]}XX"):
        if known in documented:
            yield from (f"{name}: {fault}" for fault in documented[known].faults(method, response))
            return
    # What is no call is refused before anything of it is known.
    if documented or status[0] != "4":
        yield f"{name}, which the schema does not know: {_body(response)[:300]!r}"


def _is_for_older_browsers(response: Any) -> bool:
    """Tell whether an answer has the form of older browsers, which the schema does not show."""
    request = getattr(response, "wsgi_request", None)  # a stored answer has none
    varies = "Origin" in response.headers.get("Vary", "").split(", ")
    return request is not None and varies and is_older_browser(request)


@dataclass(frozen=True)
class _Answer:
    """What the schema says of one call's answers of one status."""

    content: dict[str, Any]

    @cached_property
    def validator(self) -> Draft202012Validator:
        shape = strict(self.content["application/json"]["schema"])
        return Draft202012Validator({**shape, "components": _components()}, format_checker=FORMATS)

    def faults(self, method: str, response: Any) -> Iterator[str]:
        kind = response.headers.get("Content-Type", "").partition(";")[0]
        if method == "HEAD":
            return
        if kind not in self.content:
            if self.content or _body(response):
                yield f"its content is {kind!r} instead of {sorted(self.content)}"
        elif kind == "application/json":
            for fault in self.validator.iter_errors(orjson.loads(_body(response))):
                yield f"{fault.json_path}: {fault.message[:300]}"


def _body(response: Any) -> bytes:
    """Return the body; the test can still read one that is made while it is sent."""
    if not response.streaming:
        return bytes(response.content)
    body = b"".join(response.streaming_content)
    response.streaming_content = [body]
    return body


@cache
def documented_schema() -> dict[str, Any]:
    generator: Any = SchemaGenerator  # untyped in its library
    schema: dict[str, Any] = generator().get_schema(request=None, public=True)
    return schema


@cache
def _components() -> dict[str, Any]:
    components: dict[str, Any] = strict(documented_schema()["components"])
    # Some refusals tell more than others.
    components["schemas"]["Error"]["additionalProperties"] = True
    return components


@cache
def _addresses() -> list[tuple[re.Pattern[str], str]]:
    # An address without the slash documents the form of the call at the one with it.
    documented = (path for path in documented_schema()["paths"] if path.endswith("/"))
    paths = sorted(documented, key=lambda path: (path.count("{"), path))
    return [
        (re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path) + "?"), path) for path in paths
    ]


def address_of(path: str) -> tuple[str, dict[str, str]] | None:
    """Return a path's address in the schema and what it says for its variables."""
    for pattern, address in _addresses():  # those without a variable first
        if found := pattern.fullmatch(path):
            return address, found.groupdict()
    return None


@cache
def _operations() -> dict[tuple[str, str], dict[str, _Answer]]:
    """Return what every call answers by its address and method, by status."""
    return {
        (path, method.upper()): {
            status: _Answer(answer.get("content", {}))
            for status, answer in operation["responses"].items()
        }
        for path, operations in documented_schema()["paths"].items()
        for method, operation in operations.items()
    }


def _answers(path: str, method: str) -> dict[str, _Answer]:
    """Return what a call answers, by status; nothing for what is no call."""
    found = address_of(path)
    if found is None:
        return {}
    return _operations().get((found[0], "GET" if method == "HEAD" else method), {})
