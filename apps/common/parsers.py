"""JSON in through orjson."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import IO, Any

import orjson
from django.conf import settings
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from apps.common.errors import MOST_FIELDS, DomainError, InvalidInput

NULL_CHARACTER = "\x00"
# The deepest valid menu has 23 levels; readers of a body may be recursive.
DEEPEST_JSON = 64


class RequestTooLarge(DomainError):
    """A body beyond what is read into memory; files travel as multipart instead."""

    status = 413
    code = "ERR_REQUEST_TOO_LARGE"
    message = "A requisição é grande demais. Envie menos de uma vez."


class BodyIsNoObject(DomainError):
    """Well-formed JSON, but no object; every call takes one."""

    code = "ERR_MALFORMED_REQUEST"
    message = "O corpo da requisição precisa ser um objeto JSON."


class BodyTooDeep(DomainError):
    """Well-formed JSON, nested deeper than any call asks for."""

    code = "ERR_MALFORMED_REQUEST"
    message = f"O corpo da requisição pode ter até {DEEPEST_JSON} níveis de listas e objetos."


def is_too_deep(value: Any) -> bool:
    """Tell whether lists and objects are nested deeper than any call needs."""
    level = [value]
    for _ in range(DEEPEST_JSON):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def _with_null_character(value: Any, path: str = "") -> Iterator[str]:
    """Yield the dotted paths of texts with a NUL character."""
    if isinstance(value, str):
        if NULL_CHARACTER in value:
            yield path
    elif isinstance(value, dict):
        for name, inner in value.items():
            place = f"{path}.{name}".strip(".")
            if NULL_CHARACTER in name:
                yield place.replace(NULL_CHARACTER, "")
            yield from _with_null_character(inner, place)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _with_null_character(inner, f"{path}.{index}".strip("."))


class OrjsonParser(BaseParser):
    """Parse JSON bodies; anything but a well-formed object without NUL characters is a 400.

    How many bytes a call takes is judged before (`config.bodies`); here is the last resort.
    """

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the parsed body; an empty one is an empty object."""
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0
        raw = stream.read(limit + 1)
        if len(raw) > limit:
            raise RequestTooLarge
        if not raw.strip():
            return {}
        try:
            body = orjson.loads(raw)
        except orjson.JSONDecodeError as error:
            raise ParseError("JSON inválido.") from error
        if not isinstance(body, dict):
            raise BodyIsNoObject
        if is_too_deep(body):
            raise BodyTooDeep
        # PostgreSQL stores no NUL in a text. JSON can only contain it escaped, so the check is
        # cheap.
        if b"\\u0000" in raw and (places := list(islice(_with_null_character(body), MOST_FIELDS))):
            sentence = "Caracteres nulos não são permitidos."
            raise InvalidInput(sentence, fields={place: [sentence] for place in places})
        return body
