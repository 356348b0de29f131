"""JSON out through orjson: timestamps as ISO 8601 in UTC with Z (rules/wire §1)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from rest_framework.renderers import BaseRenderer


def _default(value: Any) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, Promise):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset | tuple):
        return list(value)
    raise TypeError(f"{type(value).__name__} has no wire form")


def to_json(data: Any) -> bytes:
    """Return data as JSON bytes; raises TypeError for a type without a wire form."""
    try:
        return orjson.dumps(data, default=_default, option=orjson.OPT_UTC_Z)
    except TypeError:  # a key that is no text, perhaps: to look for them takes as long as all else
        keys = orjson.OPT_NON_STR_KEYS
        return orjson.dumps(data, default=_default, option=orjson.OPT_UTC_Z | keys)


def array_parts(parts: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    """Yield one JSON array of the items of all parts, a piece for each part."""
    before = b"["
    for items in parts:
        if items:
            yield before + to_json(items)[1:-1]
            before = b","
    yield b"[]" if before == b"[" else b"]"


class OrjsonRenderer(BaseRenderer):
    """Render API answers with orjson."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Return the answer's bytes; no data is an empty body."""
        return b"" if data is None else to_json(data)


_MEANS_JSON = frozenset({"*/*", OrjsonRenderer.media_type})


def means_json(request: HttpRequest) -> bool:
    """Tell at a glance whether a caller takes JSON; DRF looks closer where this says no."""
    accepted = request.META.get("HTTP_ACCEPT", "*/*").split(",")
    return "format" not in request.GET and not _MEANS_JSON.isdisjoint(map(str.strip, accepted))


def answered(data: Any) -> HttpResponse:
    """Return a 200 of data as JSON bytes, for reads that are made all day.

    DRF's `Response` is a template of Django's that chooses its renderer first; that costs more than
    the rows of a ticket.
    """
    return HttpResponse(to_json(data), content_type=OrjsonRenderer.media_type)
