"""JSON out through orjson: timestamps as ISO 8601 in UTC with Z (rules/wire §1)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from rest_framework.negotiation import DefaultContentNegotiation
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
    # perhaps a key that is no text; the option doubles the time, so it is not always on
    except TypeError:
        keys = orjson.OPT_NON_STR_KEYS
        return orjson.dumps(data, default=_default, option=orjson.OPT_UTC_Z | keys)


def array_parts(parts: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    """Yield one JSON array of all items, one chunk for each part."""
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
    """Tell cheaply whether a caller accepts JSON; if not, DRF negotiates in full."""
    accepted = request.META.get("HTTP_ACCEPT", "*/*").split(",")
    return "format" not in request.GET and not _MEANS_JSON.isdisjoint(map(str.strip, accepted))


class QuickNegotiation(DefaultContentNegotiation):
    """Chooses the JSON renderer at once for a caller who accepts JSON, as nearly all do."""

    def select_renderer(
        self, request: Any, renderers: Any, format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return a renderer and its media type; raises NotAcceptable."""
        is_ours = len(renderers) == 1 and isinstance(renderers[0], OrjsonRenderer)
        if is_ours and not format_suffix and means_json(request):
            return renderers[0], renderers[0].media_type
        chosen: tuple[BaseRenderer, str] = super().select_renderer(
            request, renderers, format_suffix
        )
        return chosen


def answered(data: Any) -> HttpResponse:
    """Return a 200 with data as JSON bytes, for hot reads.

    The rendering of DRF's `Response` costs more than the rows of a ticket.
    """
    return HttpResponse(to_json(data), content_type=OrjsonRenderer.media_type)
