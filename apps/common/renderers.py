"""JSON out through orjson: timestamps as ISO 8601 in UTC with Z (specification 4 §12)."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import orjson
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
    return orjson.dumps(data, default=_default, option=orjson.OPT_UTC_Z | orjson.OPT_NON_STR_KEYS)


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
