"""Refusals that are made before or beside the API's views, in the same shape."""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.views import defaults

from apps.common.errors import DomainError, InvalidInput, error_body
from apps.common.renderers import to_json
from apps.common.serializers import MAX_ID

NULL_CHARACTER = "\x00"
ID_DIGITS = len(str(MAX_ID))
UNREACHED = "9" * (ID_DIGITS + 1)


def _answer(status: int, code: str, sentence: str, field: str = "") -> HttpResponse:
    body = error_body(code, sentence, fields={field: [sentence]} if field else None)
    return HttpResponse(to_json(body), status=status, content_type="application/json")


def answer_refusal(refusal: DomainError) -> HttpResponse:
    """Answer a refusal that is made before a view is called."""
    return _answer(refusal.status, refusal.code, refusal.sentence)


def refuse_foreign_hosts(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Refuse calls under a name that is not ours; Django would log each with its traceback."""

    def middleware(request: HttpRequest) -> HttpResponse:
        try:
            request.get_host()
        except DisallowedHost:
            return _answer(400, "ERR_MALFORMED_REQUEST", "Este servidor não atende por este nome.")
        return get_response(request)

    return middleware


def refuse_null_characters(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Refuse addresses with a NUL character, which no text column of PostgreSQL can hold.

    Those of bodies are refused by `parsers.OrjsonParser` and the text fields of forms.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        field = ""
        if NULL_CHARACTER in request.path_info:
            field = "path"
        elif "%00" in request.META.get("QUERY_STRING", ""):
            field = next(
                (
                    name
                    for name, values in request.GET.lists()
                    if NULL_CHARACTER in name + "".join(values)
                ),
                "",
            ).replace(NULL_CHARACTER, "")
        else:
            return get_response(request)
        return _answer(
            400, InvalidInput.code, "Caracteres nulos não são permitidos.", field or "query"
        )

    return middleware


class EndlessIds:
    """Shortens numbers in addresses that no id reaches; Python reads no more than 4,300 digits.

    The view then looks for a row that is not there, and refuses as for any other.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass on; the address is known only once it is resolved."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, names: dict[str, Any]
    ) -> None:
        """Change what the view is called with."""
        for name, value in names.items():
            is_id = name in {"id", "pk", "uuid"} or name.endswith("_id")
            if is_id and isinstance(value, str) and len(value) > ID_DIGITS and value.isdecimal():
                names[name] = UNREACHED


def _is_call(request: HttpRequest) -> bool:
    return f"{request.path_info}/".startswith("/api/")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an address that nothing owns."""
    if _is_call(request):
        return _answer(404, "ERR_NOT_FOUND", "Este endereço não existe.")
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer a fault of ours, which the log explains."""
    if _is_call(request):
        sentence = "Algo deu errado do nosso lado. Tente de novo em instantes."
        return _answer(500, "ERR_INTERNAL", sentence)
    return defaults.server_error(request)
