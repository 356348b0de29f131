"""How answers leave: reads that every open browser makes all day, and all others."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar, cast

from django.http import HttpResponse

from apps.common.masking import masked_json, masks_numbers
from apps.common.renderers import OrjsonRenderer

Read = TypeVar("Read", bound=Callable[..., HttpResponse])


def hot(read: Read) -> Read:
    """Mark a view's GET that is answered in front of Django (`config.hot_lane`).

    It must answer with `answered`, and may use only the caller and the query of its request. Whose
    role does not show numbers in full gets the answer with masked ones.
    """

    @wraps(read)
    def answer(view: Any, request: Any, **names: Any) -> HttpResponse:
        response = read(view, request, **names)
        if masks_numbers(request):
            response.content = masked_json(response.content)
        return response

    vars(answer)["is_hot"] = True
    return cast("Read", answer)


def is_hot(read: Any) -> bool:
    """Tell whether a view's method is marked."""
    return bool(getattr(read, "is_hot", False))


class AnswerRenderer(OrjsonRenderer):
    """Render answers with orjson, with masked numbers for whose role does not show them in full."""

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Return the answer's bytes; no data is an empty body."""
        text = super().render(data, accepted_media_type, renderer_context)
        request = (renderer_context or {}).get("request")
        return masked_json(text) if text and masks_numbers(request) else text
